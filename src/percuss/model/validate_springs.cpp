#include "percuss/math/dense.h"
#include "percuss/math/rotation.h"
#include "percuss/model/validate_checks.h"

namespace percuss {
namespace {

/// The place of a body, of one of its points or of a node at the start, before joints are closed.
Vector3 place_of(const Body& body, const std::string& reference) {
  const auto dot = reference.find('.');
  const std::string part = dot == reference.npos ? "" : reference.substr(dot + 1);
  if (const FlexibleBody* deforms = flexible(body)) {
    const auto mesh = mesh_of(body);
    return mesh->nodes[static_cast<size_t>(find_nodes(*deforms, *mesh, part)[0])];
  }
  if (const auto* particle = std::get_if<Particle>(&body)) return particle->position;
  if (const auto* sphere = std::get_if<Sphere>(&body)) return sphere->position;
  const Vector3 local = part.empty() ? Vector3::Zero() : *find_named(*points_of(body), part);
  if (const auto* planar = std::get_if<PlanarBody>(&body))
    return planar->position + Eigen::AngleAxisd(planar->angle, Vector3::UnitZ()) * local;
  const auto& rigid = std::get<RigidBody>(body);
  const auto& o = rigid.orientation;
  return rigid.position + Quaternion(o.w, o.x, o.y, o.z) * local;
}

/// The place of a spring's end at the start, if it can be found.
std::optional<Vector3> check_end(ModelChecks& check, const std::string& path, const Attachment& end) {
  if (end.body.has_value() == end.point.has_value()) {
    check.complain(path, "give either `body` or `point`");
    return std::nullopt;
  }
  if (end.point) return end.point;
  if (*end.body == "ground") {
    check.complain(path + ".body",
                   "'ground' is no place; give a point fixed in space as `{point: [x, y, z]}`");
    return std::nullopt;
  }
  if (!check.point(path + ".body", *end.body, check.carriers)) return std::nullopt;
  const auto body = check.bodies.find(owner_of(*end.body));
  if (body == check.bodies.end()) return std::nullopt;  // a frame
  return place_of(check.model.bodies[static_cast<size_t>(body->second)], *end.body);
}

void check_matrix(ModelChecks& check, const std::string& bushing, const std::string& kind,
                  const std::optional<std::vector<std::vector<double>>>& matrix, bool is_alone) {
  if (!matrix) return;
  const std::string path = fmt::format("{}.{}_matrix", bushing, kind);
  if (!is_alone)
    return check.complain(
        path,
        fmt::format("`{}` or `rotational_{}` is given too; give either these or the matrix", kind, kind));
  if (matrix->size() != 6)
    return check.complain(path,
                          fmt::format("it has {} rows; it must have 6 rows of 6 numbers", matrix->size()));
  MatrixX values(6, 6);
  for (int i = 0; i < 6; ++i) {
    const auto& row = (*matrix)[static_cast<size_t>(i)];
    if (row.size() != 6)
      return check.complain(
          fmt::format("{}[{}]", path, i),
          fmt::format("it has {} numbers; the matrix must have 6 rows of 6 numbers", row.size()));
    for (int j = 0; j < 6; ++j) values(i, j) = row[static_cast<size_t>(j)];
  }
  for (int i = 0; i < 6; ++i)
    for (int j = 0; j < i; ++j)
      if (values(i, j) != values(j, i))
        return check.complain(
            fmt::format("{}[{}][{}]", path, i, j),
            fmt::format("{} is not allowed; the matrix must be symmetric, and [{}][{}] is {}", values(i, j),
                        j, i, values(j, i)));
  if (!values.allFinite()) return;
  const VectorX eigenvalues = symmetric_eigenvalues(values);
  if (eigenvalues[0] < -1e-9 * eigenvalues.cwiseAbs().maxCoeff())
    check.complain(
        path, fmt::format("its smallest eigenvalue is {:.6g}; it must be at least 0: a negative {} feeds "
                          "energy in",
                          eigenvalues[0], kind));
}
void check_spring(ModelChecks& check, const std::string& path, const Spring& spring) {
  const auto from = check_end(check, path + ".from", spring.from);
  const auto to = check_end(check, path + ".to", spring.to);
  if (spring.from.body && spring.to.body && owner_of(*spring.from.body) == owner_of(*spring.to.body)) {
    const bool deforms =
        check.flexible_owner(*spring.from.body) != nullptr;  // its nodes are ends of their own
    if (!deforms || (from && to && *from == *to))
      return check.complain(path + ".to",
                            fmt::format("'{}' is at both ends; a spring needs two different ends",
                                        deforms ? *spring.to.body : owner_of(*spring.to.body)));
  }
  const auto is_prescribed = [&](const Attachment& end) {
    return end.point || (end.body && check.frames.contains(owner_of(*end.body)));
  };
  if (spring.from.point && spring.to.point)
    check.complain(path + ".to", "both ends are fixed in space; a spring needs at least one body");
  else if (is_prescribed(spring.from) && is_prescribed(spring.to))
    check.complain(path + ".to", "both ends move as prescribed; a spring needs at least one body");
  if (spring.axis && spring.axis->norm() == 0)
    check.complain(path + ".axis", "[0, 0, 0] is not allowed; axis must have a direction");
  if (spring.axis) return;
  if (spring.rest_length && *spring.rest_length < 0)
    check.complain(
        path + ".rest_length",
        fmt::format("{} is not allowed; without `axis` rest_length must be >= 0", *spring.rest_length));
  const bool needs_direction = spring.rest_length.value_or(0) != 0 || spring.damping != 0;
  if (from && to && *from == *to && needs_direction)
    check.complain(
        path,
        "both ends start at the same place, so the spring has no direction; move an end, or give `axis`");
}
void check_spring(ModelChecks& check, const std::string& path, const JointSpring& spring) {
  check.coordinate(path + ".joint", spring.joint);
}
void check_spring(ModelChecks& check, const std::string& path, const Bushing& bushing) {
  const bool good = check.ends(path, bushing.body, bushing.to, "bushing");
  for (const auto& [end, name] : {std::pair(&bushing.body, ".body"), std::pair(&bushing.to, ".to")})
    if (good && *end != "ground" && !check.turns(*end))
      check.complain(path + name,
                     fmt::format("'{}' cannot turn: a bushing needs a rigid or planar body or a beam", *end));
  check.components(path, "stiffness", bushing.stiffness, allow::nonnegative);
  check.components(path, "rotational_stiffness", bushing.rotational_stiffness, allow::nonnegative);
  check.components(path, "damping", bushing.damping, allow::nonnegative);
  check.components(path, "rotational_damping", bushing.rotational_damping, allow::nonnegative);
  check_matrix(check, path, "stiffness", bushing.stiffness_matrix,
               bushing.stiffness.isZero(0) && bushing.rotational_stiffness.isZero(0));
  check_matrix(check, path, "damping", bushing.damping_matrix,
               bushing.damping.isZero(0) && bushing.rotational_damping.isZero(0));
}

}  // namespace

void check_springs(ModelChecks& check) {
  for (size_t i = 0; i < check.model.springs.size(); ++i)
    std::visit([&](const auto& spring) { check_spring(check, fmt::format("springs[{}]", i), spring); },
               check.model.springs[i]);
}

void check_forces(ModelChecks& check) {
  for (size_t i = 0; i < check.model.forces.size(); ++i) {
    const std::string path = fmt::format("forces[{}].body", i);
    if (const auto* force = std::get_if<AppliedForce>(&check.model.forces[i])) {
      check.point(path, force->body, check.bodies);
      continue;
    }
    if (const auto* spread = std::get_if<DistributedLoad>(&check.model.forces[i])) {
      check.load_target(fmt::format("forces[{}].on", i), spread->on);
      continue;
    }
    const std::string& name = std::get<AppliedTorque>(check.model.forces[i]).body;
    if (check.mover(path, name) && !check.turns(name))
      check.complain(path,
                     fmt::format("'{}' cannot turn: a torque needs a rigid or planar body or a beam", name));
  }
}

}  // namespace percuss
