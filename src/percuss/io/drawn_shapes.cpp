#include <cmath>
#include <numbers>

#include "percuss/contacts/contact_kinematics.h"
#include "percuss/geometry/convex_hull.h"
#include "percuss/geometry/polygon.h"
#include "percuss/io/shape_mesh.h"
#include "percuss/io/shape_table.h"
#include "percuss/model/profile_corners.h"

namespace percuss {
namespace {

void add_fan(const std::vector<int>& corners, std::vector<std::array<int, 3>>& triangles) {
  for (size_t i = 2; i < corners.size(); ++i) triangles.push_back({corners[0], corners[i - 1], corners[i]});
}

void fill(const TriangleMesh& surface, DrawnShape& drawn) {
  drawn.kind = "mesh";
  drawn.vertices = surface.vertices;
  drawn.triangles = surface.triangles;
}

void fill(const SimpleShape& shape, DrawnShape& drawn) {
  const auto round = [&](const char* kind, const RadiusAndLength& given) {
    drawn.kind = kind;
    drawn.size = {given.radius, given.length, 0};
  };
  if (shape.box) {
    drawn.kind = "box";
    drawn.size = *shape.box;
  } else if (shape.sphere) {
    drawn.kind = "sphere";
    drawn.size = {*shape.sphere, 0, 0};
  } else if (shape.cylinder) {
    round("cylinder", *shape.cylinder);
  } else if (shape.capsule) {
    round("capsule", *shape.capsule);
  } else if (shape.cone) {
    round("cone", *shape.cone);
  } else if (shape.ellipsoid) {
    drawn.kind = "ellipsoid";
    drawn.size = *shape.ellipsoid;
  } else if (const auto mesh = mesh_of(shape)) {
    fill(*mesh, drawn);
  } else if (const auto corners = corners_of(shape)) {
    drawn.kind = "polyhedron";
    const ConvexPolyhedron hull = convex_hull(*corners);
    drawn.vertices = hull.vertices;
    for (const Face& face : hull.faces) add_fan(face.vertices, drawn.triangles);
  }
}

/// A form is drawn along the axes of its carrier; what is turned becomes a mesh.
void turn(const Orientation& orientation, DrawnShape& drawn) {
  const Matrix3 rotation = orientation.matrix();
  if (rotation.isIdentity(0)) return;
  const ShapeMesh mesh = mesh_of(drawn, 0);
  drawn.kind = "mesh";
  drawn.vertices = mesh.vertices;
  drawn.triangles = mesh.triangles;
  for (Vector3& vertex : drawn.vertices) vertex = rotation * vertex;
}

/// The parts of a compound are drawn as one mesh.
void fill(const Shape& shape, DrawnShape& drawn) {
  if (!shape.compound) return fill(static_cast<const SimpleShape&>(shape), drawn);
  drawn.kind = "mesh";
  for (const ShapePart& part : *shape.compound) {
    DrawnShape piece;
    fill(part.shape, piece);
    turn(part.orientation, piece);
    piece.place = part.position;
    const ShapeMesh mesh = mesh_of(piece, 0);
    const int first = static_cast<int>(drawn.vertices.size());
    drawn.vertices.insert(drawn.vertices.end(), mesh.vertices.begin(), mesh.vertices.end());
    for (const auto& [a, b, c] : mesh.triangles) drawn.triangles.push_back({first + a, first + b, first + c});
  }
}

void fill(const PlanarShape& shape, double thickness, DrawnShape& drawn) {
  if (shape.rectangle) {
    drawn.kind = "rectangle";
    drawn.size = {(*shape.rectangle)[0], (*shape.rectangle)[1], thickness};
  } else if (shape.disc) {
    drawn.kind = "disc";
    drawn.size = {*shape.disc, 0, thickness};
  } else if (shape.profile) {
    fill(prism_mesh(corners_of(*shape.profile), thickness), drawn);
  } else if (const auto& segment = shape.segment) {  // with a width that can be seen
    const Vector2 from(segment->from[0], segment->from[1]), to(segment->to[0], segment->to[1]);
    const Vector2 side = 0.0025 * Vector2(from.y() - to.y(), to.x() - from.x());
    fill(prism_mesh({from - side, to - side, to + side, from + side}, thickness), drawn);
  } else if (shape.polygon) {
    drawn.kind = "polygon";
    drawn.size = {0, 0, thickness};
    std::vector<Vector2> corners;
    for (const auto& corner : *shape.polygon) corners.emplace_back(corner[0], corner[1]);
    std::vector<int> ring;
    for (const Vector2& corner : planar_convex_hull(corners).vertices) {
      ring.push_back(static_cast<int>(ring.size()));
      drawn.vertices.emplace_back(corner.x(), corner.y(), 0);
    }
    add_fan(ring, drawn.triangles);
  }
}

/// A body without a shape: lines to its named points and to the places of its joints, or just a point.
void fill(const std::string& body, const NamedMap<Vector3>& points, const Matrix3& attitude,
          const Vector3& position, const Model& model, DrawnShape& drawn) {
  for (const auto& [name, place] : points) drawn.vertices.push_back(place);
  for (const Joint& joint : model.joints) {
    const JointBase* base = base_of(joint);
    if (base == nullptr || (base->body != body && base->to != body)) continue;
    if (base->at) drawn.vertices.emplace_back(attitude.transpose() * (*base->at - position));
    if (base->body_point && base->body == body) drawn.vertices.push_back(*base->body_point);
    if (base->to_point && base->to == body) drawn.vertices.push_back(*base->to_point);
  }
  drawn.kind = drawn.vertices.empty() ? "point" : "points";
}

void draw(const Particle&, const Model&, DrawnShape& drawn) { drawn.kind = "point"; }
void draw(const Sphere& body, const Model&, DrawnShape& drawn) {
  drawn.kind = "sphere";
  drawn.size = {body.radius, 0, 0};
}
void draw(const RigidBody& body, const Model& model, DrawnShape& drawn) {
  const Matrix3 attitude = body.orientation.matrix();
  if (!body.shape) return fill(body.name, body.points, attitude, body.position, model, drawn);
  fill(*body.shape, drawn);
}
void draw(const PlanarBody& body, const Model& model, DrawnShape& drawn) {
  const Matrix3 attitude = Eigen::AngleAxisd(body.angle, Vector3::UnitZ()).toRotationMatrix();
  if (!body.shape) return fill(body.name, body.points, attitude, body.position, model, drawn);
  fill(*body.shape, body.thickness, drawn);
}
void draw(const Bar& body, const Model&, DrawnShape& drawn) {
  drawn.kind = "line";
  const double radius = std::sqrt(body.area / std::numbers::pi);  // of a round bar
  drawn.size = {radius, radius, 0};
}
/// Beams and shafts: the farthest fibres of their sections.
template <class Given>
requires requires(const Given& body) { body.section; }
void draw(const Given& body, const Model&, DrawnShape& drawn) {
  drawn.kind = "line";
  const SectionProperties section = properties_of(body.section);
  drawn.size = {section.edge, section.second_edge > 0 ? section.second_edge : section.edge, 0};
}
/// Its cells are in /flexible.
void draw(const Solid& body, const Model&, DrawnShape& drawn) {
  drawn.kind = "plate";
  drawn.size = {body.thickness, 0, 0};
}

const Shape& form_of(const ShapeObstacle& given) { return given.shape; }
/// Of a mesh or a heightmap.
const TriangleMesh& form_of(const auto& given) { return *given.surface; }

DrawnShape draw(const auto& obstacle) {
  DrawnShape drawn;
  drawn.name = obstacle.name;
  drawn.carrier = obstacle.frame;
  fill(form_of(obstacle), drawn);
  turn(obstacle.orientation, drawn);
  drawn.place = obstacle.position;
  return drawn;
}

bool is_plane(const Body& body) {
  const auto mesh = mesh_of(body);
  return mesh != nullptr && mesh->dimension() == 2;
}

}  // namespace

std::vector<DrawnShape> drawn_shapes(const Model& model, const System& system) {
  std::vector<DrawnShape> shapes;
  for (size_t b = 0; b < model.bodies.size(); ++b) {
    const Body& body = model.bodies[b];
    if (std::holds_alternative<Solid>(body) && !is_plane(body)) continue;
    DrawnShape& drawn = shapes.emplace_back();
    drawn.name = drawn.carrier = name_of(body);
    // Shapes are drawn where the scene has them; the axes of the body start in the centre of mass.
    drawn.place = -system.bodies[b].shape_centre;
    std::visit([&](const auto& given) { draw(given, model, drawn); }, body);
  }
  for (const Wall& wall : walls_of(model.obstacles)) {
    DrawnShape& drawn = shapes.emplace_back();
    drawn.name = wall.name;
    drawn.carrier = wall.frame;
    drawn.kind = "half_space";
    drawn.place = wall.solid.point;
    drawn.axis = wall.solid.normal;
  }
  for (const Obstacle& obstacle : model.obstacles)
    std::visit(
        [&](const auto& given) {
          if constexpr (std::is_base_of_v<PlacedObstacle, std::decay_t<decltype(given)>>)
            shapes.push_back(draw(given));
        },
        obstacle);
  return shapes;
}

}  // namespace percuss
