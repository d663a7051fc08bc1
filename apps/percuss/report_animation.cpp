#include "report_animation.h"

#include <algorithm>
#include <cmath>
#include <map>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "percuss/geometry/half_space.h"
#include "percuss/geometry/mesh_facets.h"
#include "percuss/io/shape_mesh.h"
#include "report_script.h"

using namespace percuss;

namespace {

using Data = nlohmann::json;

constexpr double max_numbers = 250'000;  ///< in all frames together: about 2 MB
constexpr std::int64_t max_frames = 90, min_frames = 6;
constexpr size_t max_shapes = 2000;
constexpr std::array<std::array<int, 3>, 6> colours = {
    {{0, 114, 178}, {213, 94, 0}, {0, 158, 115}, {204, 121, 167}, {86, 180, 233}, {230, 159, 0}}};

/// Four digits are more than can be seen.
double rounded(double value) {
  if (value == 0 || !std::isfinite(value)) return 0;
  const double power = std::pow(10, 4 - std::ceil(std::log10(std::abs(value))));
  return std::round(value * power) / power;
}
Data numbers(const Vector3& v) { return {rounded(v.x()), rounded(v.y()), rounded(v.z())}; }

struct Bounds {
  Vector3 low = Vector3::Constant(INFINITY), high = Vector3::Constant(-INFINITY);
  void grow(const Vector3& point) {
    low = low.cwiseMin(point);
    high = high.cwiseMax(point);
  }
  bool is_empty() const { return !(low.x() <= high.x()); }
  Vector3 centre() const { return 0.5 * (low + high); }
  double size() const { return std::max((high - low).norm(), 1e-9); }
};

/// The surface of a flexible body, or its lines; nodes are numbered anew.
struct Skin {
  std::vector<int> nodes;
  std::vector<std::vector<int>> polygons, lines;
};

Skin skin_of(const Mesh& mesh) {
  Skin skin;
  std::map<int, int> number;
  const auto renumber = [&](const auto& nodes, int count) {
    std::vector<int> result;
    for (int i = 0; i < count; ++i) {
      const auto [place, is_new] = number.emplace(nodes[i], static_cast<int>(number.size()));
      if (is_new) skin.nodes.push_back(nodes[i]);
      result.push_back(place->second);
    }
    return result;
  };
  if (mesh.dimension() == 3)
    for (const Facet& facet : boundary_facets(mesh))
      skin.polygons.push_back(renumber(facet.nodes, corner_count(facet.shape)));
  else
    for_each_cell(mesh, [&](int, CellShape shape, std::span<const int> nodes) {
      auto& list = dimension_of(shape) == 1 ? skin.lines : skin.polygons;
      list.push_back(renumber(nodes, corner_count(shape)));
    });
  return skin;
}

class Animation {
 public:
  explicit Animation(const ResultsReader& results) : results_(results), shapes_(results.shapes()) {
    for (const FlexibleInfo& body : results.flexibles()) {
      meshes_.push_back(results.mesh(body));
      skins_.push_back(skin_of(meshes_.back()));
    }
    std::erase_if(shapes_, [](const DrawnShape& s) { return s.kind == "line" || s.kind == "plate"; });
    if (shapes_.size() > max_shapes) shapes_.resize(max_shapes);
    for (const auto& body : results.bodies()) index_.emplace(body.name, static_cast<int>(index_.size()));
    choose_frames();
  }

  /// Null if there is nothing.
  Data describe() {
    Data data = {{"places", Data::array()},
                 {"times", Data::array()},
                 {"shapes", Data::array()},
                 {"walls", Data::array()},
                 {"flexibles", Data::array()}};
    add_frames(data);
    if (bounds_.is_empty()) return nullptr;
    add_shapes(data);
    data["centre"] = numbers(bounds_.centre());
    data["size"] = rounded(bounds_.size());
    data["planar"] = bounds_.high.z() - bounds_.low.z() < 1e-6 * bounds_.size();
    data["pause"] = std::clamp(6000.0 / static_cast<double>(frames_.size()), 33.0, 400.0);  // [ms]
    return data;
  }

 private:
  /// As many frames as the numbers of each allow, evenly spread.
  void choose_frames() {
    double each = 1;
    for (const auto& skin : skins_) each += 3 * static_cast<double>(skin.nodes.size());
    each += 12 * static_cast<double>(shapes_.size());
    const auto wanted =
        std::clamp<std::int64_t>(static_cast<std::int64_t>(max_numbers / each), min_frames, max_frames);
    const std::int64_t last = results_.frames() - 1, count = std::min(wanted, results_.frames());
    for (std::int64_t i = 0; i < count; ++i) frames_.push_back(count > 1 ? i * last / (count - 1) : 0);
  }

  void add_frames(Data& data) {
    const auto times = results_.times();
    for (const FlexibleInfo& body : results_.flexibles()) {
      const size_t b = data["flexibles"].size();
      data["flexibles"].push_back({{"c", colours[b % colours.size()]},
                                   {"t", skins_[b].polygons},
                                   {"l", skins_[b].lines},
                                   {"frames", Data::array()}});
      for (const std::int64_t frame : frames_)
        data["flexibles"][b]["frames"].push_back(node_places(body, b, frame));
    }
    for (const std::int64_t frame : frames_) {
      data["times"].push_back(times[static_cast<size_t>(frame)]);
      data["places"].push_back(body_places(frame));
    }
  }

  Data node_places(const FlexibleInfo& body, size_t b, std::int64_t frame) {
    const auto displacement = results_.displacements(body, frame);
    Data places = Data::array();
    for (const int node : skins_[b].nodes) {
      const Vector3 place =
          meshes_[b].nodes[static_cast<size_t>(node)] + displacement[static_cast<size_t>(node)];
      bounds_.grow(place);
      for (const double value : place) places.push_back(rounded(value));
    }
    return places;
  }

  /// Of the carriers that are drawn, by their index.
  Data body_places(std::int64_t frame) {
    const auto poses = results_.poses(frame);
    Data places = Data::object();
    for (const DrawnShape& shape : shapes_) {
      const auto found = index_.find(shape.carrier);
      const PoseAndVelocity pose =
          found == index_.end() ? PoseAndVelocity{} : poses[static_cast<size_t>(found->second)];
      if (shape.kind != "half_space")
        for (const Vector3& vertex : mesh_of(shape, 0).vertices) bounds_.grow(pose.x + pose.R * vertex);
      if (found == index_.end()) continue;
      Data numbers_of_place = numbers(pose.x);
      for (int column = 0; column < 3; ++column)
        for (int row = 0; row < 3; ++row) numbers_of_place.push_back(rounded(pose.R(row, column)));
      places[std::to_string(found->second)] = numbers_of_place;
    }
    return places;
  }

  void add_shapes(Data& data) {
    size_t colour = 0;
    for (const DrawnShape& shape : shapes_) {
      const auto found = index_.find(shape.carrier);
      const std::string carrier = found == index_.end() ? "" : std::to_string(found->second);
      if (shape.kind == "half_space") {
        data["walls"].push_back({{"b", carrier}, {"l", grid(shape)}});
        continue;
      }
      DrawnShape drawn = shape;
      if (drawn.kind == "rectangle" || drawn.kind == "disc" || drawn.kind == "polygon")
        drawn.size.z() = 1e-3 * bounds_.size();  // the thickness of plane bodies is that of their mass
      const ShapeMesh mesh = mesh_of(drawn, 0.012 * bounds_.size());
      Data vertices = Data::array();
      for (const Vector3& vertex : mesh.vertices) vertices.push_back(numbers(vertex));
      data["shapes"].push_back({{"b", carrier},
                                {"c", colours[colour++ % colours.size()]},
                                {"v", vertices},
                                {"t", mesh.triangles},
                                {"l", mesh.lines}});
    }
  }

  /// Lines of a square around the scene, in the plane of a half-space.
  Data grid(const DrawnShape& wall) const {
    const Frame frame = frame_from_normal(wall.axis);
    const Vector3 offset = bounds_.centre() - wall.place;
    const Vector3 middle = wall.place + offset.dot(frame.tangent1) * frame.tangent1 +
                           offset.dot(frame.tangent2) * frame.tangent2;
    const double half = 0.55 * bounds_.size();
    constexpr int cells = 6;
    Data lines = Data::array();
    for (int i = 0; i <= cells; ++i) {
      const double at = half * (2.0 * i / cells - 1);
      lines.push_back({numbers(middle + at * frame.tangent1 - half * frame.tangent2),
                       numbers(middle + at * frame.tangent1 + half * frame.tangent2)});
      lines.push_back({numbers(middle + at * frame.tangent2 - half * frame.tangent1),
                       numbers(middle + at * frame.tangent2 + half * frame.tangent1)});
    }
    return lines;
  }

  const ResultsReader& results_;
  std::vector<DrawnShape> shapes_;
  std::vector<Mesh> meshes_;
  std::vector<Skin> skins_;
  std::map<std::string, int> index_;
  std::vector<std::int64_t> frames_;
  Bounds bounds_;
};

}  // namespace

std::string animation_html(const ResultsReader& results) {
  const Data data = Animation(results).describe();
  if (data.is_null()) return "";
  return fmt::format(
      "<canvas id=\"animation\" width=\"900\" height=\"520\" aria-label=\"Animation; drag to turn, scroll to "
      "zoom\"></canvas>\n"
      "<p class=\"bar\"><button id=\"play\">Play</button><input id=\"frame\" type=\"range\" min=\"0\" "
      "value=\"0\" "
      "aria-label=\"Frame\"><span id=\"clock\"></span></p>\n"
      "<script id=\"motion\" type=\"application/json\">{}</script>\n<script>{}</script>\n",
      data.dump(), animation_script);
}
