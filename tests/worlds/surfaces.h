// Surfaces of triangles as shapes of a scene.
#pragma once

#include <array>
#include <random>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "percuss/math/vector.h"

namespace percuss::testing {

inline std::string listed(const std::vector<Vector3>& points) {
  std::string text;
  for (const Vector3& p : points)
    text += fmt::format("{}[{:.17g}, {:.17g}, {:.17g}]", text.empty() ? "" : ", ", p.x(), p.y(), p.z());
  return "[" + text + "]";
}
inline std::string mesh(const std::vector<Vector3>& vertices,
                        const std::vector<std::array<int, 3>>& triangles) {
  std::string text;
  for (const auto& [a, b, c] : triangles)
    text += fmt::format("{}[{}, {}, {}]", text.empty() ? "" : ", ", a, b, c);
  return fmt::format("{{mesh: {{vertices: {}, triangles: [{}]}}}}", listed(vertices), text);
}

/// A block below z = 0 whose top is cut into 2 * cells^2 triangles, with corners shifted by up to a part of a
/// cell.
inline std::string block_cut_into_triangles(int cells, double half, double shift_of_corners) {
  std::mt19937 random(1);
  std::uniform_real_distribution<double> any(-1, 1);
  std::vector<Vector3> vertices;
  std::vector<std::array<int, 3>> triangles;
  const double cell = 2 * half / cells;
  for (int j = 0; j <= cells; ++j)
    for (int i = 0; i <= cells; ++i) {
      const bool is_inner = i > 0 && i < cells && j > 0 && j < cells;
      Vector3 shift = Vector3::Zero();
      if (is_inner) shift = shift_of_corners * Vector3(any(random), any(random), 0);
      vertices.push_back(cell * (Vector3(i, j, 0) + shift) - Vector3(half, half, 0));
    }
  const int bottom = static_cast<int>(vertices.size());
  std::vector<int> border;
  for (int i = 0; i < cells; ++i) border.push_back(i);
  for (int j = 0; j < cells; ++j) border.push_back(j * (cells + 1) + cells);
  for (int i = cells; i > 0; --i) border.push_back(cells * (cells + 1) + i);
  for (int j = cells; j > 0; --j) border.push_back(j * (cells + 1));
  for (int j = 0; j < cells; ++j)
    for (int i = 0; i < cells; ++i) {
      const int a = j * (cells + 1) + i, b = a + 1, c = a + cells + 1, d = c + 1;
      triangles.push_back({a, b, d});
      triangles.push_back({a, d, c});
    }
  vertices.emplace_back(0, 0, -1);
  for (size_t k = 0; k < border.size(); ++k)
    triangles.push_back({border[(k + 1) % border.size()], border[k], bottom});
  return mesh(vertices, triangles);
}

}  // namespace percuss::testing
