#include "percuss/dynamics/system.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace percuss {

std::vector<int> FlexibleData::nodes(const std::string& name) const {
  auto found = find_nodes(declared, *mesh, name);
  for (int& node : found) node += first_node;
  return found;
}

const FlexibleData* find_flexible(const System& system, const std::string& name) {
  for (const auto& flexible : system.flexibles)
    if (flexible.declared.name == name) return &flexible;
  return nullptr;
}

int find_body(const System& system, const std::string& name) {
  const auto found = system.body_index.find(name);
  if (found != system.body_index.end()) return found->second;
  const auto dot = name.find('.');
  if (dot == name.npos) return -1;
  const FlexibleData* flexible = find_flexible(system, name.substr(0, dot));
  if (!flexible) return -1;
  const auto nodes = flexible->nodes(name.substr(dot + 1));
  return nodes.size() == 1 ? nodes[0] : -1;
}

Kinematics make_kinematics(const System& system) {
  Kinematics kinematics;
  kinematics.poses.resize(system.bodies.size() + 1);
  kinematics.angles = system.initial.angles;
  constexpr double nowhere = std::numeric_limits<double>::quiet_NaN();  // equal to nothing
  kinematics.q.setConstant(system.initial.q.size(), nowhere);
  kinematics.v.setConstant(system.initial.v.size(), nowhere);
  for (const auto& user : system.user_systems) kinematics.user_systems.emplace_back(user);
  if (!system.constant.stiffness.empty()) kinematics.displacement.setZero(system.dof_count());
  if (!system.floating.empty())
    for (VectorX* x : {&kinematics.momentum, &kinematics.internal_force}) x->setZero(system.dof_count());
  size_t scratch = 16L * max_body_coordinates * max_body_coordinates;
  for_each_filled_pool(system, [&](const auto& pool) {
    scratch = std::max(scratch, pool.scratch_size(system.workers != nullptr));
  });
  kinematics.scratch.resize(scratch);
  return kinematics;
}

namespace {

/// (FF-1) and (FF-2) for all nodes with coordinates, which stand one after the other.
void place_nodes(const FloatingFrame& frame, const VectorX& q, const VectorX& v, const PoseAndVelocity& whole,
                 Kinematics& kinematics) {
  const int d = frame.dimension;
  for (size_t a = 0; a < frame.nodes.size(); ++a) {
    const int first = frame.first + d * static_cast<int>(a);
    Vector3 local = frame.rest.col(static_cast<Eigen::Index>(a)), velocity = Vector3::Zero();
    for (int axis = 0; axis < d; ++axis) {
      local[axis] += q[first + axis];
      velocity[axis] = v[first + axis];
    }
    PoseAndVelocity& node = kinematics.poses[frame.nodes[a]];
    node.x = whole.x + whole.R * local;
    node.v.noalias() = whole.R * velocity;
    node.R = whole.R;
    node.R_dot = whole.R_dot;
  }
}

}  // namespace

void update(const System& system, const VectorX& q, const VectorX& v, double t, Kinematics& kinematics) {
  for (const int b : system.outside_frames) kinematics.poses[b] = place(system.bodies[b], q, v, t);
  for (const auto& frame : system.floating) {
    PoseAndVelocity& whole = kinematics.poses[frame.body];
    whole = place(system.bodies[frame.body], q, v, t);
    const FrameMotion motion = frame_motion(frame, v);
    whole.v = whole.R * motion.v;
    whole.R_dot = whole.R * skew(motion.omega);
    place_nodes(frame, q, v, whole, kinematics);
  }
  kinematics.q = q;
  kinematics.v = v;
  kinematics.t = t;
}

void place_as(const Kinematics& other, Kinematics& kinematics) {
  kinematics.poses = other.poses;
  kinematics.q = other.q;
  kinematics.v = other.v;
  kinematics.t = other.t;
}

void update_some(const System& system, std::span<const int> bodies, const VectorX& q, const VectorX& v,
                 double t, Kinematics& kinematics) {
  kinematics.t = std::numeric_limits<double>::quiet_NaN();  // not all of them are at one moment
  int frame = -1;                                           // in which the last node was
  Matrix3 R = Matrix3::Identity();
  for (const int b : bodies) {
    const BodyData& body = system.bodies[b];
    PoseAndVelocity& pose = kinematics.poses[b];
    if (body.frame_q < 0) {
      pose = place(body, q, v, t);
      continue;
    }
    if (body.frame_q != frame) R = frame_attitude(body, q).toRotationMatrix();
    frame = body.frame_q;
    place_in_floating_frame(body, R, q, v, pose);
  }
}

void place_all_nodes(const System& system, const FlexibleData& body, const State& state,
                     std::vector<Vector3>& places, std::vector<Vector3>& velocities) {
  const auto count = static_cast<size_t>(body.node_count());
  places.resize(count);
  velocities.resize(count);
  if (!body.reduction) {
    for (size_t node = 0; node < count; ++node) {
      const BodyData& data = system.bodies[static_cast<size_t>(body.first_node) + node];
      const PoseAndVelocity at = place(data, state.q, state.v, state.time);
      places[node] = at.x;
      velocities[node] = at.v;
    }
    return;
  }
  const BodyData& whole = system.bodies[static_cast<size_t>(body.body)];
  const Matrix3 R = frame_attitude(whole, state.q).toRotationMatrix();
  const VectorX displacements = body.reduction->of_all_nodes(state.q);
  const VectorX rates = body.reduction->of_all_nodes(state.v);
  const int d = body.reduction->dimension;
  for (size_t node = 0; node < count; ++node) {
    const Eigen::Index first = d * static_cast<Eigen::Index>(node);
    Vector3 local = body.mesh->nodes[node] - whole.frame_origin, velocity = Vector3::Zero();
    local.head(d) += displacements.segment(first, d);
    velocity.head(d) = rates.segment(first, d);
    places[node] = frame_place(whole, state.q) + R * local;
    velocities[node] = R * velocity;
  }
}

void retract_outside_frames(const System& system, const VectorX& increment, VectorX& q) {
  if (system.is_flat()) {
    q += increment;
    return;
  }
  for (const int b : system.rotating_bodies) {
    const BodyData& body = system.bodies[b];
    const Quaternion rotation = read_quaternion(body, q) * exp_rotation(increment.segment<3>(body.dof[3]));
    write_quaternion(body, rotation.normalized(), q);
  }
  for (const auto& [begin, end] : system.summed)
    q.segment(begin, end - begin) += increment.segment(begin, end - begin);
}

void retract(const System& system, const VectorX& increment, VectorX& q) {
  retract_outside_frames(system, increment, q);
  for (const auto& frame : system.floating) retract(frame, increment, q);
}

void difference(const System& system, const VectorX& from, const VectorX& to, VectorX& increment) {
  increment = to.head(system.dof_count()) - from.head(system.dof_count());
  for (const int b : system.rotating_bodies) {
    const BodyData& body = system.bodies[b];
    increment.segment<3>(body.dof[3]) =
        log_rotation(read_quaternion(body, from).conjugate() * read_quaternion(body, to));
  }
  for (const auto& frame : system.floating) difference(frame, from, to, increment);
}

namespace {

/// Names of the velocity coordinates by coordinate.
std::string coordinate_name(BodyKind kind, int coordinate) {
  if (kind == BodyKind::shaft) {
    constexpr const char* of_shaft[] = {"", "v", "w", "spin", "turn_v", "turn_w"};
    return of_shaft[coordinate];
  }
  if (coordinate < 3) return std::string(1, "xyz"[coordinate]);
  if (kind == BodyKind::planar) return "angle";
  if (kind == BodyKind::natural) return fmt::format("d{}{}", (coordinate - 3) / 3 + 1, "xyz"[coordinate % 3]);
  return fmt::format("omega_{}", "xyz"[coordinate - 3]);
}

std::vector<CoordinateName> names(const System& system, bool velocities) {
  std::vector<CoordinateName> result(velocities ? system.initial.v.size() : system.initial.q.size());
  for (const auto& body : system.bodies)
    for (int coordinate = 0; coordinate < body.coordinate_count(); ++coordinate) {
      if (body.dof[coordinate] < 0) continue;
      const bool turn = coordinate >= 3 && body.kind != BodyKind::natural;
      const bool quaternion = turn && body.kind == BodyKind::spatial && !velocities;
      const std::string name =
          quaternion ? fmt::format("q{}", "xyz"[coordinate - 3]) : coordinate_name(body.kind, coordinate);
      const char* unit = quaternion                                          ? "1"
                         : body.kind == BodyKind::natural && coordinate >= 3 ? (velocities ? "1/s" : "1")
                         : turn                                              ? (velocities ? "rad/s" : "rad")
                                                                             : (velocities ? "m/s" : "m");
      result[body.dof[coordinate]] = {fmt::format("{}.{}", body.name, name), unit};
      if (quaternion && coordinate == 3) result[body.quaternion_w] = {fmt::format("{}.qw", body.name), "1"};
    }
  for (const auto& frame : system.floating) {
    const std::string& name = system.bodies[frame.body].name;
    constexpr const char* parts[] = {"x", "y", "z", "qw", "qx", "qy", "qz"};
    for (int i = frame.nodal; i < frame.size; ++i)
      result[frame.first + i] = {fmt::format("{}.mode{}", name, i - frame.nodal + 1),
                                 velocities ? "kg^0.5 m/s" : "kg^0.5 m"};
    for (int i = 0; i < 7 && !velocities; ++i)
      result[frame.frame_q + i] = {fmt::format("{}.{}", name, parts[i]), i < 3 ? "m" : "1"};
  }
  for (const auto& user : system.user_systems) {
    const auto given = user.equations->coordinate_names();
    for (int i = 0; i < user.size; ++i)
      result[user.first + i] = {fmt::format("{}.{}", user.name, given[i]), velocities ? "1/s" : "1"};
  }
  return result;
}

}  // namespace

std::vector<CoordinateName> coordinate_names(const System& system) { return names(system, false); }
std::vector<CoordinateName> velocity_names(const System& system) { return names(system, true); }

double relative_change(const System& system, const VectorX& x) {
  double largest = 0;
  for (int i = 0; i < system.dof_count(); ++i)
    largest =
        std::max(largest, std::abs(x[i]) / (system.is_rotation[static_cast<size_t>(i)] ? 1.0 : system.size));
  return largest;
}

}  // namespace percuss
