#pragma once

#include <filesystem>
#include <string>

#include <gtest/gtest.h>

#include "percuss/io/io_error.h"
#include "percuss/io/mesh_import.h"
#include "support/process.h"

namespace percuss::testing {

class MeshFiles : public ::testing::Test {
 protected:
  Mesh read(const std::string& name, const std::string& content, const MeshImport& import = {}) {
    write_file(folder_ / name, content);
    return read_mesh(folder_ / name, import);
  }
  std::string complaint(const std::string& name, const MeshImport& import = {}) {
    try {
      read_mesh(folder_ / name, import);
    } catch (const IoError& error) {
      return error.what();
    }
    return "";
  }
  /// Reading must fail with exactly this after "cannot read <path>: ".
  void expect_refused(const std::string& name, const std::string& content, const std::string& reason,
                      const MeshImport& import = {}) {
    write_file(folder_ / name, content);
    EXPECT_EQ(complaint(name, import), "cannot read " + (folder_ / name).string() + ": " + reason);
  }

  TemporaryDirectory folder_;
};

/// `text` with the first `from` replaced.
inline std::string replaced(std::string text, const std::string& from, const std::string& to) {
  const auto at = text.find(from);
  if (at == std::string::npos) throw std::logic_error("nothing to replace: " + from);
  return text.replace(at, from.size(), to);
}

inline Vector3 area_of(const Mesh& mesh, const std::vector<Facet>& facets) {
  Vector3 area = Vector3::Zero();
  for (const Facet& facet : facets)
    for (int i = 0, count = corner_count(facet.shape); i < count; ++i) {
      const Vector3 &a = mesh.nodes[facet.nodes[i]], &b = mesh.nodes[facet.nodes[(i + 1) % count]];
      area += Vector3(a.y() * b.z() - a.z() * b.y(), a.z() * b.x() - a.x() * b.z(),
                      a.x() * b.y() - a.y() * b.x()) /
              2;
    }
  return area;
}

}  // namespace percuss::testing
