#include "percuss/io/mesh_import.h"

#include <array>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "percuss/io/disk_file.h"
#include "percuss/io/io_error.h"
#include "percuss/io/mesh_readers.h"
#include "percuss/io/mesh_text.h"

namespace percuss {
namespace {

/// `extension` in small or in capital letters; others might mean something else to Gmsh.
bool is_extension(const std::string& extension, std::string_view known) {
  return extension == known || extension == upper_case(known);
}

[[noreturn]] void refuse_extension(const std::string& path, const std::string& extension) {
  throw IoError::cannot("read", path,
                        extension.empty() ? "its name has no extension"
                                          : fmt::format("'{}' is no extension of a mesh file", extension),
                        reads_with_gmsh() ? ".inp, .unv, .bdf, .nas, .msh, .stl, .step and .stp are read"
                                          : ".inp, .unv, .bdf and .nas are read");
}

double require_mesh_size(const std::string& path, const MeshImport& import) {
  if (!import.mesh_size)
    throw IoError::cannot("read", path,
                          "it has surfaces only; a mesh size is needed to fill them with cells");
  if (!(*import.mesh_size > 0 && std::isfinite(*import.mesh_size)))
    throw IoError::cannot("read", path,
                          fmt::format("the mesh size is {} m; it must be positive", *import.mesh_size));
  return *import.mesh_size;
}

}  // namespace

Mesh read_mesh(const std::filesystem::path& file, const MeshImport& import) {
  const std::string path = file.string(), extension = file.extension().string();
  const double unit = import.unit_in_metres;
  if (!(unit > 0 && std::isfinite(unit)))
    throw IoError::cannot("read", path, fmt::format("the unit of length is {} m; it must be positive", unit));
  const auto is = [&](std::string_view known) { return is_extension(extension, known); };
  if (is(".inp")) return make_mesh(read_abaqus_mesh(path), unit);
  if (is(".unv")) return make_mesh(read_unv_mesh(path), unit);
  if (is(".bdf") || is(".nas")) return make_mesh(read_nastran_mesh(path), unit);
  if (is(".msh")) return make_mesh(read_gmsh_mesh(path), unit);
  if (is(".stl"))
    return make_mesh(mesh_geometry(path, require_mesh_size(path, import) / unit, import.is_quadratic), unit);
  if (is(".step") || is(".stp"))
    return make_mesh(mesh_geometry(path, require_mesh_size(path, import), import.is_quadratic), 1);
  refuse_extension(path, extension);
}

bool has_only_surfaces(const std::filesystem::path& file) {
  const std::string extension = file.extension().string();
  return is_extension(extension, ".stl") || is_extension(extension, ".step") ||
         is_extension(extension, ".stp");
}

std::optional<double> length_unit(std::string_view name) {
  constexpr std::array<std::pair<std::string_view, double>, 6> units = {
      {{"m", 1}, {"cm", 0.01}, {"mm", 1e-3}, {"um", 1e-6}, {"in", 0.0254}, {"ft", 0.3048}}};
  for (const auto& [known, metres] : units)
    if (name == known) return metres;
  return std::nullopt;
}

}  // namespace percuss
