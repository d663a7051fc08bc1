#include "percuss/dynamics/system.h"

#include <algorithm>
#include <numbers>

namespace percuss {
namespace {

double mass_of(const Body& body, const Model& model) {
  if (const auto* particle = std::get_if<Particle>(&body)) return particle->mass;
  const auto& sphere = std::get<Sphere>(body);
  if (sphere.mass) return *sphere.mass;
  const double volume = 4.0 / 3.0 * std::numbers::pi * sphere.radius * sphere.radius * sphere.radius;
  return volume * find_named(model.materials, sphere.material)->density.value();
}

void add_bodies(const Model& model, System& system) {
  int dofs = 0;
  for (const auto& body : model.bodies)
    for (int axis = 0; axis < 3; ++axis) dofs += moves_along(common(body).translations, axis);
  system.mass.resize(dofs);
  system.gravity_force.resize(dofs);
  system.initial.q.resize(dofs);
  system.initial.v.resize(dofs);
  int dof = 0;
  for (const auto& body : model.bodies) {
    const TranslatingBody& given = common(body);
    BodyData data{given.name, {}, mass_of(body, model), radius_of(body)};
    data.point.fixed = given.position;
    for (int axis = 0; axis < 3; ++axis) {
      if (!moves_along(given.translations, axis)) continue;
      data.point.dof[axis] = dof;
      system.mass[dof] = data.mass;
      system.gravity_force[dof] = data.mass * model.gravity[axis];
      system.initial.q[dof] = given.position[axis];
      system.initial.v[dof] = given.velocity[axis];
      ++dof;
    }
    system.body_index.emplace(data.name, static_cast<int>(system.bodies.size()));
    system.bodies.push_back(std::move(data));
  }
}

Point end_point(const System& system, const Attachment& end) {
  if (end.body) return system.bodies[system.body_index.at(*end.body)].point;
  Point point;
  point.fixed = *end.point;
  return point;
}

AxisSpring make_axis_spring(const Point& from, const Point& to, const Vector3& axis, const Spring& spring,
                            double rest_length) {
  AxisSpring result;
  result.stiffness = spring.stiffness;
  result.damping = spring.damping;
  const auto add_end = [&](const Point& end, double sign) {
    for (int i = 0; i < 3; ++i) {
      if (axis[i] == 0) continue;
      if (end.dof[i] < 0) {
        result.offset += sign * axis[i] * end.fixed[i];
      } else {
        result.dof[result.count] = end.dof[i];
        result.coefficient[result.count++] = sign * axis[i];
      }
    }
  };
  add_end(to, 1);
  add_end(from, -1);
  result.offset -= rest_length;
  return result;
}

void add_springs(const Model& model, System& system) {
  const VectorX& q = system.initial.q;
  for (const auto& spring : model.springs) {
    const Point from = end_point(system, spring.from), to = end_point(system, spring.to);
    SpringData data{spring.name, spring.axis.has_value(), 0, 0};
    if (spring.axis) {
      data.index = static_cast<int>(system.axis_springs.size());
      const Vector3 axis = spring.axis->normalized();
      data.rest_length = spring.rest_length.value_or(axis.dot(to.position(q) - from.position(q)));
      system.axis_springs.push_back(make_axis_spring(from, to, axis, spring, data.rest_length));
    } else {
      data.index = static_cast<int>(system.distance_springs.size());
      const double initial = (to.position(q) - from.position(q)).norm();
      data.rest_length = spring.rest_length.value_or(initial);
      system.distance_springs.push_back({from, to, data.rest_length, spring.stiffness, spring.damping});
      system.nonlinear_springs += !system.distance_springs.back().is_linear();
    }
    system.dampers += spring.damping > 0;
    system.springs.push_back(std::move(data));
  }
}

void add_loads(const Model& model, System& system) {
  system.constant_load = VectorX::Zero(system.dof_count());
  for (const auto& force : model.forces) {
    const Point& point = system.bodies[system.body_index.at(force.body)].point;
    const bool constant =
        std::all_of(force.value.begin(), force.value.end(), [](const auto& e) { return e.is_constant(); });
    (constant ? system.constant_loads : system.loads).push_back({force.name, point, force.value});
    if (!constant) continue;
    for (int axis = 0; axis < 3; ++axis)
      if (point.dof[axis] >= 0) system.constant_load[point.dof[axis]] += force.value[axis].value(0);
  }
}

std::vector<int> coordinates(const AxisSpring& spring) {
  return {spring.dof.begin(), spring.dof.begin() + spring.count};
}
/// Coordinates of `to`, then of `from`; -1 where an end cannot move.
std::vector<int> coordinates(const DistanceSpring& spring) {
  std::vector<int> dofs(spring.to.dof.begin(), spring.to.dof.end());
  dofs.insert(dofs.end(), spring.from.dof.begin(), spring.from.dof.end());
  return dofs;
}

void build_pattern(System& system) {
  const int n = system.dof_count();
  std::vector<Eigen::Triplet<double>> entries;
  const auto add_block = [&](const std::vector<int>& dofs) {
    for (const int i : dofs)
      for (const int j : dofs)
        if (j >= 0 && i >= j) entries.emplace_back(i, j, 0.0);
  };
  for (int i = 0; i < n; ++i) entries.emplace_back(i, i, 0.0);
  for (const auto& spring : system.axis_springs) add_block(coordinates(spring));
  for (const auto& spring : system.distance_springs) add_block(coordinates(spring));
  system.pattern.resize(n, n);
  system.pattern.setFromTriplets(entries.begin(), entries.end());
  system.pattern.makeCompressed();

  const auto slot_of = [&](int i, int j) -> int {
    if (j < 0 || i < j) return -1;
    const int* begin = system.pattern.innerIndexPtr() + system.pattern.outerIndexPtr()[j];
    const int* end = system.pattern.innerIndexPtr() + system.pattern.outerIndexPtr()[j + 1];
    return static_cast<int>(std::lower_bound(begin, end, i) - system.pattern.innerIndexPtr());
  };
  const auto slots_of = [&](const std::vector<int>& dofs) {
    BlockSlots block;
    for (const int i : dofs)
      for (const int j : dofs) block.slot.push_back(slot_of(i, j));
    return block;
  };
  for (int i = 0; i < n; ++i) system.mass_slot.push_back(slot_of(i, i));
  for (const auto& spring : system.axis_springs) system.axis_slots.push_back(slots_of(coordinates(spring)));
  for (const auto& spring : system.distance_springs)
    system.distance_slots.push_back(slots_of(coordinates(spring)));
}

/// The length against which tolerances in metres are measured.
double model_size(const Model& model, const System& system) {
  double size = 0;
  for (const auto& body : system.bodies)
    size = std::max({size, body.point.fixed.lpNorm<Eigen::Infinity>(), body.radius});
  for (const auto& wall : walls_of(model.obstacles))
    size = std::max(size, std::abs(wall.solid.normal.dot(wall.solid.point)));
  return size > 0 ? size : 1.0;
}

}  // namespace

System build_system(const Model& model) {
  if (auto complaints = validate(model); !complaints.empty()) throw ModelError(std::move(complaints));
  System system;
  system.gravity = model.gravity;
  system.gravity_datum = model.gravity_datum;
  add_bodies(model, system);
  add_springs(model, system);
  add_loads(model, system);
  build_pattern(system);
  system.size = model_size(model, system);
  return system;
}

int find_body(const System& system, const std::string& name) {
  const auto found = system.body_index.find(name);
  return found == system.body_index.end() ? -1 : found->second;
}

}  // namespace percuss
