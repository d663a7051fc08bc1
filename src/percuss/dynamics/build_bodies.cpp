#include <cmath>
#include <numbers>

#include <fmt/format.h>

#include "percuss/dynamics/build.h"
#include "percuss/dynamics/coordinate_list.h"

namespace percuss {
namespace {

double mass_of(const Sphere& sphere, const Model& model) {
  if (sphere.mass) return *sphere.mass;
  const double volume = 4.0 / 3.0 * std::numbers::pi * sphere.radius * sphere.radius * sphere.radius;
  return volume * find_named(model.materials, sphere.material)->density.value();
}

/// Adds the bodies of a model one after the other.
class BodyBuilder {
 public:
  BodyBuilder(const CheckedModel& checked, System& system, CoordinateList& list)
      : model_(checked.model()), inertia_(checked.inertia()), system_(system), list_(list) {}

  void add(const Particle& particle) { add_translating(particle, particle.mass, 0); }
  void add(const Sphere& sphere) { add_translating(sphere, mass_of(sphere, model_), sphere.radius); }

  void add(const PlanarBody& given) {
    const RigidInertia& inertia = next_inertia();
    BodyData body = begin(given, BodyKind::planar, inertia);
    for (int axis = 0; axis < 2; ++axis)
      body.dof[axis] = coordinate(inertia.mass, given.position[axis], given.velocity[axis], axis);
    body.dof[5] = coordinate(inertia.tensor(2, 2), given.angle, given.angular_velocity);
    list_.finish(std::move(body));
  }

  void add(const RigidBody& given) {
    const RigidInertia& inertia = next_inertia();
    const bool natural = given.coordinates == Coordinates::natural;
    BodyData body = begin(given, natural ? BodyKind::natural : BodyKind::spatial, inertia);
    for (int axis = 0; axis < 3; ++axis)
      body.dof[axis] = coordinate(inertia.mass, given.position[axis], given.velocity[axis], axis);
    const Quaternion rotation(given.orientation.w, given.orientation.x, given.orientation.y,
                              given.orientation.z);
    if (std::abs(rotation.norm() - 1) > 1e-12)
      system_.notes.push_back(fmt::format("the orientation of '{}' had norm {:.9g} and was normalised",
                                          given.name, rotation.norm()));
    if (natural)
      add_directors(rotation.normalized().toRotationMatrix(), given.angular_velocity, body);
    else
      add_rotation(rotation.normalized(), given.angular_velocity, body);
    list_.finish(std::move(body));
  }

  void add(const MovingFrame& given) {
    BodyData body;
    body.name = given.name;
    body.kind = BodyKind::frame;
    body.motion = Motion{given.position, given.axis.normalized(), given.angle};
    body.points = given.points;
    ++system_.frames;
    list_.finish(std::move(body));
  }

  void add(const UserSystem& given) {
    UserSystemData data{given.system_name(), given.equations, list_.count(), 0};
    data.size = static_cast<int>(given.equations->coordinate_names().size());
    VectorX q = VectorX::Zero(data.size), v = VectorX::Zero(data.size);
    given.equations->initial_state(q, v);
    for (int i = 0; i < data.size; ++i) list_.add(0, q[i], v[i]);
    MatrixX K = MatrixX::Zero(data.size, data.size), C = K;
    if (!given.equations->tangents(q, v, 0, K, C))
      system_.notes.push_back(
          fmt::format("'{}' gives no tangents; implicit schemes take them by finite differences of its force",
                      data.name));
    system_.user_systems.push_back(std::move(data));
  }

  /// Its nodes come after all other bodies.
  void add(const FlexibleBody& given) {
    BodyData body;
    body.name = given.name;
    body.kind = BodyKind::flexible;
    list_.finish(std::move(body));
  }

 private:
  /// Of the body that is added: those of the model keep their indices.
  const RigidInertia& next_inertia() const { return inertia_[system_.bodies.size()]; }

  template <class Given>
  BodyData begin(const Given& given, BodyKind kind, const RigidInertia& inertia) {
    BodyData body;
    body.name = given.name;
    body.kind = kind;
    body.start = given.position;
    body.mass = inertia.mass;
    body.inertia = inertia.tensor;
    body.shape_centre = inertia.centre;
    body.points = given.points;
    return body;
  }

  void add_translating(const TranslatingBody& given, double mass, double radius) {
    BodyData body;
    body.name = given.name;
    body.start = given.position;
    body.mass = mass;
    body.radius = radius;
    for (int axis = 0; axis < 3; ++axis)
      if (moves_along(given.translations, axis))
        body.dof[axis] = coordinate(mass, given.position[axis], given.velocity[axis], axis);
    list_.finish(std::move(body));
  }

  void add_rotation(const Quaternion& rotation, const Vector3& omega, BodyData& body) {
    list_.add_rotation(rotation, omega, body.inertia.diagonal(), body);
    Matrix3 off_diagonal = body.inertia;
    off_diagonal.diagonal().setZero();
    if (!off_diagonal.isZero(0))
      system_.mass_blocks.push_back({{body.dof[3], body.dof[4], body.dof[5]}, off_diagonal});
  }

  /// M of the directors is E kron I with Euler's tensor E = tr(J)/2 I - J.
  void add_directors(const Matrix3& R, const Vector3& omega, BodyData& body) {
    const Matrix3 E = 0.5 * body.inertia.trace() * Matrix3::Identity() - body.inertia;
    const Matrix3 R_dot = R * skew(omega);
    for (int k = 0; k < 3; ++k)
      for (int axis = 0; axis < 3; ++axis)
        body.dof[3 + 3 * k + axis] = coordinate(std::max(E(k, k), 0.0), R(axis, k), R_dot(axis, k));
    for (int axis = 0; axis < 3; ++axis) {
      Matrix3 off_diagonal = E;
      off_diagonal.diagonal().setZero();
      if (!off_diagonal.isZero(0))
        system_.mass_blocks.push_back(
            {{body.dof[3 + axis], body.dof[6 + axis], body.dof[9 + axis]}, off_diagonal});
    }
  }

  int coordinate(double mass, double q, double v, int gravity_axis = -1) {
    return list_.add(mass, q, v, gravity_axis < 0 ? 0.0 : mass * model_.gravity[gravity_axis]);
  }

  const Model& model_;
  const std::vector<RigidInertia>& inertia_;
  System& system_;
  CoordinateList& list_;
};

}  // namespace

void add_bodies(const CheckedModel& checked, System& system) {
  const Model& model = checked.model();
  CoordinateList list(system);
  BodyBuilder builder(checked, system, list);
  for (const auto& body : model.bodies) std::visit([&](const auto& given) { builder.add(given); }, body);
  for (const auto& frame : model.frames) builder.add(frame);
  for (const auto& user : model.systems) builder.add(user);
  add_nodes(model, system, list);
  list.write();
}

}  // namespace percuss
