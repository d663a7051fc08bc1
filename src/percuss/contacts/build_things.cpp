#include "percuss/contacts/build_things.h"

#include <algorithm>
#include <map>

#include <fmt/format.h>

#include "percuss/contacts/contact_surface.h"
#include "percuss/contacts/shape_pieces.h"
#include "percuss/dynamics/reduction.h"
#include "percuss/dynamics/system.h"
#include "percuss/model/law_of.h"

namespace percuss {
namespace {

class ThingsBuilder {
 public:
  ThingsBuilder(const Model& model, const System& system, std::vector<ContactSurface>& surfaces,
                std::vector<Complaint>& complaints)
      : model_(model),
        system_(system),
        walls_(walls_of(model.obstacles)),
        surfaces_(surfaces),
        complaints_(complaints) {}

  std::shared_ptr<const Things> run() {
    things_.world = resolve_world(model_, complaints_);
    if (things_.world.empty()) return nullptr;
    for (const Touchable& touchable : things_.world.things) {
      Thing thing;
      thing.name = touchable.wall >= 0 ? walls_[static_cast<size_t>(touchable.wall)].name
                                       : name_of(touchable, model_, walls_);
      thing.material = number_of(material_of(touchable, model_, walls_));
      thing.first_piece = static_cast<int>(things_.pieces.size());
      if (touchable.wall >= 0)
        add_wall(walls_[static_cast<size_t>(touchable.wall)], thing);
      else if (touchable.obstacle >= 0)
        add_obstacle(touchable.obstacle, thing);
      else
        add_body(touchable.body, thing);
      things_.all.push_back(std::move(thing));
    }
    complain_about_shapes();
    complain_about_segments();
    add_laws();
    return std::make_shared<const Things>(std::move(things_));
  }

 private:
  int number_of(const std::string& material) {
    auto& names = things_.materials;
    auto place = std::ranges::find(names, material);
    if (place == names.end()) place = names.insert(place, material);
    return static_cast<int>(place - names.begin());
  }

  void add_wall(const Wall& wall, Thing& thing) const {
    thing.body = wall.frame == "ground" ? -1 : find_body(system_, wall.frame);
    thing.is_plane = true;
    thing.plane = wall.solid;
    thing.belt = wall.surface_velocity;
  }

  void add_obstacle(int index, Thing& thing) {
    std::visit(
        [&](const auto& obstacle) {
          if constexpr (requires { obstacle.orientation; }) {
            thing.body = obstacle.frame == "ground" ? -1 : find_body(system_, obstacle.frame);
            const Matrix3 R = obstacle.orientation.matrix();
            thing.belt = R * obstacle.surface_velocity;
            std::vector<ShapePiece> pieces;
            for (const ShapePiece& piece : own_pieces(obstacle))
              pieces.push_back(placed_piece(piece, R, obstacle.position));
            add_pieces(std::move(pieces), thing);
          }
        },
        model_.obstacles[static_cast<size_t>(index)]);
  }

  static std::vector<ShapePiece> own_pieces(const ShapeObstacle& obstacle) {
    return shape_pieces(obstacle.shape, Vector3::Zero());
  }
  static std::vector<ShapePiece> own_pieces(const auto& surface) {
    if (!surface.surface) return {};
    return {ShapePiece(surface.surface, Matrix3::Identity(), Vector3::Zero())};
  }

  /// Of what others could touch, but whose shape has no contacts.
  void complain_about_shapes() {
    for (int i = 0; i < things_.count(); ++i) {
      const Thing& thing = things_.all[static_cast<size_t>(i)];
      if (thing.is_plane || thing.pieces > 0 || !thing.nodes.empty()) continue;
      for (int j = 0; j < things_.count(); ++j)
        if (things_.world.may_touch(i, j)) {
          complain_about(i, thing);
          break;
        }
    }
  }

  /// Segments have no inside: of two that have crossed nobody knows from which side they came.
  void complain_about_segments() {
    const auto is_segment = [&](int i) {
      const int body = things_.world.things[static_cast<size_t>(i)].body;
      const auto* planar =
          body >= 0 ? std::get_if<PlanarBody>(&model_.bodies[static_cast<size_t>(body)]) : nullptr;
      return planar && planar->shape && planar->shape->segment;
    };
    for (int j = 0; j < things_.count(); ++j)
      for (int i = 0; is_segment(j) && i < j; ++i)
        if (is_segment(i) && things_.world.may_touch(i, j)) return complain_about_segments(i, j);
  }
  void complain_about_segments(int i, int j) {
    const std::string &first = things_.all[static_cast<size_t>(i)].name,
                      &second = things_.all[static_cast<size_t>(j)].name;
    complaints_.push_back(
        {fmt::format("bodies[{}].shape.segment", things_.world.things[static_cast<size_t>(j)].body),
         fmt::format(
             "'{}' and '{}' are both without width, and nothing tells whether they have passed through "
             "each other; make one a `rectangle`, or write `except: [[{}, {}]]`",
             first, second, first, second)});
  }

  void complain_about(int i, const Thing& thing) {
    const Touchable& touchable = things_.world.things[static_cast<size_t>(i)];
    if (thing.is_flexible()) {
      complaints_.push_back(
          {fmt::format("bodies[{}].reduction.keep", touchable.body),
           fmt::format("'{}' cannot be found by others: none of the nodes of its surface is kept; name sets "
                       "of nodes that touch, or write `except: [[{}, all]]`",
                       thing.name, thing.name)});
      return;
    }
    std::string path = touchable.body >= 0 ? fmt::format("bodies[{}].shape", touchable.body)
                                           : fmt::format("obstacles[{}]", touchable.obstacle);
    complaints_.push_back(
        {std::move(path), fmt::format("'{}' cannot be found by others: it has no shape that touches; "
                                      "write one, or `except: [[{}, all]]`",
                                      thing.name, thing.name)});
  }

  void add_body(int index, Thing& thing) {
    const Body& body = model_.bodies[static_cast<size_t>(index)];
    if (const FlexibleData* flexible = find_flexible(system_, name_of(body)))
      return add_flexible(*flexible, thing);
    const BodyData& data = system_.bodies[static_cast<size_t>(index)];
    thing.body = index;
    thing.is_planar = moves_in_plane(data);
    add_pieces(shape_pieces(body, data.shape_centre), thing);
  }

  /// Of a reduced body only nodes that are kept can take forces, and facets between them.
  void add_flexible(const FlexibleData& flexible, Thing& thing) {
    const auto is_kept = [&](int node) { return !flexible.reduction || flexible.reduction->keeps(node); };
    thing.body = flexible.body;
    thing.first_node = flexible.first_node;
    thing.nodes = touching_nodes(flexible);
    std::erase_if(thing.nodes, [&](int node) { return !is_kept(node); });
    thing.is_planar = flexible.mesh->dimension() == 2;
    if (const auto radius = radius_of_section(model_.bodies[static_cast<size_t>(flexible.body)])) {
      thing.elements = flexible.node_count() - 1;
      thing.radius = *radius;
      thing.thickness = 2 * *radius;
      return;
    }
    std::vector<Facet> facets = boundary_facets(*flexible.mesh);
    thing.thickness = 2 * make_contact_surface(system_, flexible, facets).thickness;
    std::erase_if(facets, [&](const Facet& facet) {
      return !std::all_of(facet.nodes.begin(), facet.nodes.begin() + corner_count(facet.shape), is_kept);
    });
    if (facets.empty()) return;
    thing.surface = static_cast<int>(surfaces_.size());
    surfaces_.push_back(make_contact_surface(system_, flexible, facets));
  }

  void add_pieces(std::vector<ShapePiece> pieces, Thing& thing) {
    Piece piece;
    thing.core.setEmpty();
    for (ShapePiece& given : pieces) {
      ++thing.pieces;
      if (given.mesh || !given.polygon.empty()) {
        add_mesh(given, piece, thing);
        continue;
      }
      ConvexShape& shape = given.convex;
      piece.mesh = -1;
      thing.reach = std::max(thing.reach, shape.reach);
      thing.radius = std::max(thing.radius, shape.radius);
      thing.thickness = std::min(thing.thickness, shape.thickness);
      for (const Vector3& vertex : shape.vertices) thing.core.extend(vertex);
      if (shape.is_curved()) thing.core.extend(box_around(shape));
      const int vertices = static_cast<int>(shape.vertices.size()),
                edges = static_cast<int>(shape.edges.size()), faces = static_cast<int>(shape.faces.size()),
                curves = static_cast<int>(shape.curves.size());
      piece.shape = number_of(std::move(shape));
      things_.pieces.push_back(piece);
      piece.first_vertex += vertices;
      piece.first_edge += edges;
      piece.first_face += faces;
      piece.first_curve += curves;
    }
  }

  void add_mesh(const ShapePiece& given, Piece& piece, Thing& thing) {
    piece.shape = -1;
    piece.mesh = number_of(given);
    const MeshSurface& surface = things_.mesh(piece);
    thing.reach = std::max(thing.reach, surface.reach());
    thing.thickness = std::min(thing.thickness, surface.thickness());
    thing.core.extend(surface.box());
    things_.pieces.push_back(piece);
    piece.first_vertex += static_cast<int>(surface.vertices().size());
    piece.first_edge += static_cast<int>(surface.edges().size());
    piece.first_face += static_cast<int>(surface.faces().size());
  }

  /// Bodies with the same file share its surface.
  int number_of(const ShapePiece& given) {
    if (!given.polygon.empty()) {
      things_.meshes.push_back(std::make_shared<const MeshSurface>(given.polygon, given.x));
      return static_cast<int>(things_.meshes.size()) - 1;
    }
    std::vector<double> place(given.R.data(), given.R.data() + 9);
    place.insert(place.end(), given.x.begin(), given.x.end());
    const auto [known, is_new] =
        meshes_.emplace(std::pair(given.mesh, std::move(place)), static_cast<int>(things_.meshes.size()));
    if (is_new) things_.meshes.push_back(std::make_shared<const MeshSurface>(*given.mesh, given.R, given.x));
    return known->second;
  }

  /// Equal shapes are kept once.
  int number_of(ConvexShape shape) {
    std::vector<double> key{shape.radius, static_cast<double>(shape.faces.size())};
    for (const Vector3& vertex : shape.vertices) key.insert(key.end(), vertex.begin(), vertex.end());
    for (const Feature& curve : shape.curves) {
      key.insert(key.end(), curve.point.begin(), curve.point.end());
      key.insert(key.end(), curve.half_axes.data(), curve.half_axes.data() + curve.half_axes.size());
    }
    const auto [known, is_new] = shapes_.emplace(std::move(key), static_cast<int>(things_.shapes.size()));
    if (is_new) things_.shapes.push_back(std::move(shape));
    return known->second;
  }

  /// Validation has asked for the laws of all that may meet.
  void add_laws() {
    const auto& names = things_.materials;
    things_.laws.resize(names.size() * names.size());
    for (size_t i = 0; i < names.size(); ++i)
      for (size_t j = 0; j < names.size(); ++j)
        if (const PairLaw* law = find_law(model_, names[i], names[j]))
          things_.laws[i * names.size() + j] = law_of(*law);
  }

  const Model& model_;
  const System& system_;
  std::vector<Wall> walls_;
  std::vector<ContactSurface>& surfaces_;
  std::vector<Complaint>& complaints_;
  Things things_;
  std::map<std::vector<double>, int> shapes_;
  std::map<std::pair<std::shared_ptr<const TriangleMesh>, std::vector<double>>, int> meshes_;
};

}  // namespace

std::shared_ptr<const Things> build_things(const Model& model, const System& system,
                                           std::vector<ContactSurface>& surfaces,
                                           std::vector<Complaint>& complaints) {
  return ThingsBuilder(model, system, surfaces, complaints).run();
}

std::vector<std::string> notes_on_surfaces(const Things& things, const System& system) {
  std::vector<std::string> notes;
  for (const Thing& thing : things.all) {
    const FlexibleData* flexible = thing.is_flexible() ? find_flexible(system, thing.name) : nullptr;
    if (!flexible || !flexible->reduction) continue;
    const size_t all = touching_nodes(*flexible).size();
    if (thing.nodes.size() < all)
      notes.push_back(fmt::format(
          "of '{}' {} of the {} nodes of its surface are kept by its reduction: only they touch what it "
          "finds; name sets of nodes in `keep` where more of it may touch",
          thing.name, thing.nodes.size(), all));
  }
  return notes;
}

}  // namespace percuss
