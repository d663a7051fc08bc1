#include <algorithm>
#include <cmath>
#include <numbers>

#include <fmt/format.h>

#include "percuss/dynamics/attachments.h"
#include "percuss/dynamics/build.h"

namespace percuss {

namespace {

bool is_translating(const System& system, int body) {
  return body < 0 || system.bodies[body].kind == BodyKind::translating;
}

/// Adds springs to a system whose bodies and joints are there.
class SpringBuilder {
 public:
  SpringBuilder(const Model& model, System& system, const Kinematics& start)
      : model_(model), system_(system), start_(start) {}

  void add(const Spring& spring) {
    const Attached from = end_point(spring.from), to = end_point(spring.to);
    const Vector3 relative = to.value(start_.of(to.body)) - from.value(start_.of(from.body));
    if (!spring.axis) {
      const double rest = spring.rest_length.value_or(relative.norm());
      note(spring.name, SpringData::Kind::distance, system_.distance_springs.size(), rest);
      system_.distance_springs.push_back({from, to, rest, spring.stiffness, spring.damping});
      return;
    }
    const Vector3 axis = spring.axis->normalized();
    const double rest = spring.rest_length.value_or(axis.dot(relative));
    if (is_translating(system_, from.body) && is_translating(system_, to.body)) {
      note(spring.name, SpringData::Kind::axis, system_.axis_springs.size(), rest);
      add_axis_spring(from, to, axis, spring, rest);
      return;
    }
    ScalarFunction length;
    FunctionTerm term;
    term.kind = FunctionTerm::Kind::difference;
    term.vectors = {from, to};
    term.axis = axis;
    length.terms = {term};
    length.offset = rest;
    add_coordinate_spring(spring.name, {length}, MatrixX::Constant(1, 1, spring.stiffness),
                          MatrixX::Constant(1, 1, spring.damping), VectorX::Zero(1), rest);
  }

  void add(const JointSpring& spring) {
    const JointData& joint = system_.joints.joints[system_.joints.find(spring.joint)];
    ScalarFunction f = system_.joints.coordinates[joint.coordinate];
    f.offset += spring.rest;
    add_coordinate_spring(spring.name, {f}, MatrixX::Constant(1, 1, spring.stiffness),
                          MatrixX::Constant(1, 1, spring.damping), VectorX::Constant(1, spring.preload),
                          spring.rest);
  }

  /// Three displacements along the axes of `to`, and the vector of the antisymmetric part of the relative
  /// rotation: its length is the sine of the angle (F-7).
  void add(const Bushing& bushing) {
    const int body = find_body(system_, bushing.body);
    const int to = bushing.to == "ground" ? -1 : find_body(system_, bushing.to);
    const Attached point = attach_point(start_, body, bushing.at),
                   to_point = attach_point(start_, to, bushing.at);
    std::array<Attached, 3> axes, to_axes;
    for (int k = 0; k < 3; ++k) {
      const Vector3 direction = start_.of(to).R.col(k);
      axes[k] = attach_direction(start_, body, direction);
      to_axes[k] = attach_direction(start_, to, direction);
    }
    std::vector<ScalarFunction> functions;
    for (int k = 0; k < 3; ++k) {
      ScalarFunction f;
      f.terms.resize(1);
      f.terms[0].kind = FunctionTerm::Kind::offset;
      f.terms[0].vectors = {to_axes[k], to_point, point};
      functions.push_back(f);
    }
    for (int k = 0; k < 3; ++k) {
      const int i = (k + 1) % 3, j = (k + 2) % 3;
      ScalarFunction f;
      f.terms.resize(2);
      for (auto& t : f.terms) t.kind = FunctionTerm::Kind::dot;
      f.terms[0].vectors = {to_axes[j], axes[i]};
      f.terms[1].vectors = {to_axes[i], axes[j]};
      f.terms[0].coefficient = 0.5;
      f.terms[1].coefficient = -0.5;
      functions.push_back(f);
    }
    VectorX preload = VectorX::Zero(6);
    preload.head<3>() = bushing.preload;
    const MatrixX K = matrix(bushing.stiffness_matrix, bushing.stiffness, bushing.rotational_stiffness);
    const MatrixX C = matrix(bushing.damping_matrix, bushing.damping, bushing.rotational_damping);
    add_coordinate_spring(bushing.name, std::move(functions), K, C, preload, 0);
  }

 private:
  static MatrixX matrix(const std::optional<std::vector<std::vector<double>>>& full,
                        const Vector3& translations, const Vector3& rotations) {
    MatrixX m = MatrixX::Zero(6, 6);
    if (!full) {
      m.diagonal() << translations, rotations;
      return m;
    }
    for (int i = 0; i < 6; ++i)
      for (int j = 0; j < 6; ++j) m(i, j) = (*full)[i][j];
    return m;
  }

  Attached end_point(const Attachment& end) const {
    if (end.body) return find_point(model_, system_, *end.body);
    return {-1, *end.point};
  }

  void note(const std::string& name, SpringData::Kind kind, size_t index, double rest) {
    system_.springs.push_back({name, kind, static_cast<int>(index), rest});
  }

  void add_coordinate_spring(const std::string& name, std::vector<ScalarFunction> functions,
                             MatrixX stiffness, MatrixX damping, VectorX preload, double rest) {
    note(name, SpringData::Kind::coordinate, system_.coordinate_springs.size(), rest);
    for (auto& f : functions) {
      f.parts.clear();
      f.dof.clear();
      f.finish(system_.bodies);
    }
    system_.coordinate_springs.push_back(
        {std::move(functions), std::move(stiffness), std::move(damping), std::move(preload)});
  }

  void add_axis_spring(const Attached& from, const Attached& to, const Vector3& axis, const Spring& spring,
                       double rest_length) {
    AxisSpring result;
    result.stiffness = spring.stiffness;
    result.damping = spring.damping;
    const auto add_end = [&](const Attached& end, double sign) {
      for (int i = 0; i < 3; ++i) {
        if (axis[i] == 0) continue;
        const int dof = end.body < 0 ? -1 : system_.bodies[end.body].dof[i];
        if (dof < 0) {
          result.offset += sign * axis[i] * end.value(start_.of(end.body))[i];
        } else {
          result.dof[result.count] = dof;
          result.coefficient[result.count++] = sign * axis[i];
        }
      }
    };
    add_end(to, 1);
    add_end(from, -1);
    result.offset -= rest_length;
    system_.axis_springs.push_back(result);
  }

  const Model& model_;
  System& system_;
  const Kinematics& start_;
};

/// Angles of more than two turns are degrees by mistake, most of the time.
void note_degrees(const Model& model, System& system) {
  constexpr double two_turns = 4 * std::numbers::pi;
  const auto note = [&](const std::string& what, double angle) {
    system.notes.push_back(fmt::format("{} is {:g} rad, {:.3g} turns; if degrees are meant, write {:g}*deg",
                                       what, angle, angle / (2 * std::numbers::pi), angle));
  };
  for (const auto& body : model.bodies)
    if (const auto* planar = std::get_if<PlanarBody>(&body); planar && std::abs(planar->angle) > two_turns)
      note(fmt::format("the angle of '{}'", planar->name), planar->angle);
  for (const auto& joint : model.joints) {
    const JointBase* base = base_of(joint);
    if (!base || !base->limits || kind_name(joint) != "hinge") continue;
    for (const auto& bound : {base->limits->lower, base->limits->upper})
      if (bound && std::abs(*bound) > two_turns) note(fmt::format("a limit of '{}'", base->name), *bound);
  }
}

/// The length against which tolerances in metres are measured.
double model_size(const Model& model, const System& system) {
  double size = 0;
  for (const auto& body : system.bodies)
    size = std::max({size, body.start.lpNorm<Eigen::Infinity>(), body.radius});
  for (const auto& body : model.bodies)
    if (const auto* points = points_of(body))
      for (const auto& [name, point] : *points) size = std::max(size, point.lpNorm<Eigen::Infinity>());
  for (const auto& wall : walls_of(model.obstacles))
    size = std::max(size, std::abs(wall.solid.normal.dot(wall.solid.point)));
  for (const auto& obstacle : model.obstacles)
    std::visit(
        [&](const auto& given) {
          if constexpr (requires { given.orientation; })
            size = std::max(size, given.position.template lpNorm<Eigen::Infinity>());
        },
        obstacle);
  for (const auto& joint : model.joints)
    if (const JointBase* base = base_of(joint))
      for (const auto* point : {&base->at, &base->body_point, &base->to_point})
        if (*point) size = std::max(size, (*point)->lpNorm<Eigen::Infinity>());
  return size > 0 ? size : 1.0;
}

}  // namespace

void add_springs(const Model& model, System& system, const Kinematics& start) {
  SpringBuilder builder(model, system, start);
  for (const auto& spring : model.springs) std::visit([&](const auto& given) { builder.add(given); }, spring);
}

void add_loads(const Model& model, System& system) {
  system.loads.constant = VectorX::Zero(system.dof_count());
  const auto add = [&](const auto& given, bool is_torque) {
    const Attached point = find_point(model, system, given.body);
    const BodyData& body = system.bodies[point.body];
    const bool in_frame = body.kind == BodyKind::floating;
    if (is_torque || given.axes == Axes::body || !point.local.isZero(0) || in_frame ||
        body.kind == BodyKind::shaft) {
      system.loads.attached.push_back({given.name, point, given.value, is_torque, given.axes == Axes::body});
      return;
    }
    const bool constant =
        std::all_of(given.value.begin(), given.value.end(), [](const auto& e) { return e.is_constant(); });
    const PlainLoad load{given.name, {body.dof[0], body.dof[1], body.dof[2]}, given.value};
    (constant ? system.loads.plain_constant : system.loads.plain).push_back(load);
    if (!constant) return;
    for (int axis = 0; axis < 3; ++axis)
      if (load.dof[axis] >= 0) system.loads.constant[load.dof[axis]] += given.value[axis].value(0);
  };
  for (const auto& load : model.forces) {
    if (const auto* force = std::get_if<AppliedForce>(&load)) add(*force, false);
    if (const auto* torque = std::get_if<AppliedTorque>(&load)) add(*torque, true);
    if (const auto* spread = std::get_if<DistributedLoad>(&load))
      system.loads.spread.push_back({spread->name, load_shares(system, spread->on), spread->value});
  }
}

System build_system(const Model& model, double start_time) {
  return build_system(CheckedModel(model, start_time));
}

System build_system(const CheckedModel& checked) {
  const Model& model = checked.model();
  const double start_time = checked.start_time();
  System system;
  system.initial.time = start_time;
  system.gravity = model.gravity;
  system.gravity_datum = model.gravity_datum;
  add_bodies(checked, system);
  for (int b = 0; b < static_cast<int>(system.bodies.size()); ++b)
    if (system.bodies[static_cast<size_t>(b)].frame_q < 0) system.outside_frames.push_back(b);
  add_elements(model, system);
  Kinematics start = make_kinematics(system);
  update(system, system.initial.q, system.initial.v, start_time, start);
  add_joints(model, system, start);
  start.angles = system.initial.angles;
  add_springs(model, system, start);
  add_loads(model, system);
  build_pattern(system);
  ask_pools(system);
  system.size = model_size(model, system);
  note_degrees(model, system);
  return system;
}

}  // namespace percuss
