#include "percuss/dynamics/body_modes.h"

#include <algorithm>
#include <numbers>

#include <fmt/format.h>

#include "percuss/dynamics/forces.h"
#include "percuss/math/dense.h"
#include "percuss/math/nearest_name.h"
#include "percuss/model/references.h"

namespace percuss {
namespace {

/// Rigid modes are zero up to rounding, which is this part of the highest eigenvalue; the lowest elastic
/// modes of slender bodies with fine meshes lie at 1e-10.
constexpr double rigid_ratio = 1e-13;
constexpr int rigid_motions = 6;

[[noreturn]] void refuse_modes(std::string message) { throw ModelError({{"", std::move(message)}}); }

const Body& find_flexible_body(const Model& model, const std::string& name) {
  std::vector<std::string> names;
  for (const auto& body : model.bodies) {
    if (!flexible(body)) continue;
    if (name_of(body) == name) return body;
    names.push_back(name_of(body));
  }
  const auto nearest = nearest_name(name, names);
  refuse_modes(fmt::format("there is no flexible body '{}'; {}", name,
                           nearest         ? fmt::format("did you mean '{}'?", *nearest)
                           : names.empty() ? "the scene has none (bar, beam or solid)"
                                           : fmt::format("known: {}", fmt::join(names, ", "))));
}

/// The joints that hold the body at the ground, or at a frame that moves as prescribed.
std::vector<Joint> joints_to_ground(const Model& model, const std::string& name) {
  const auto is_frame = [&](const std::string& to) {
    return std::ranges::any_of(model.frames,
                               [&](const MovingFrame& frame) { return frame.name == owner_of(to); });
  };
  std::vector<Joint> joints;
  for (Joint joint : model.joints)
    std::visit(
        [&](auto& given) {
          if constexpr (std::is_base_of_v<JointBase, std::decay_t<decltype(given)>>) {
            if (owner_of(given.body) != name || (given.to != "ground" && !is_frame(given.to))) return;
            given.to = "ground";
            given.limits.reset();
            if (given.drive && given.drive->load) given.drive.reset();
            joints.push_back(joint);
          }
        },
        joint);
  return joints;
}

/// The body alone, and held as it is asked for. All formulations have the same stiffness at rest.
Model alone(const Model& model, const ModesRequest& request) {
  Model result;
  result.materials = model.materials;
  result.bodies = {find_flexible_body(model, request.body)};
  if (!request.is_free) result.joints = joints_to_ground(model, request.body);
  std::visit(
      [&](auto& body) {
        if constexpr (std::is_base_of_v<FlexibleBody, std::decay_t<decltype(body)>>) {
          if (request.is_free) body.held.clear();
          for (const auto& name : request.fixed) body.held.emplace_back(name, Translations::xyz);
          body.damping = {};
        }
        if constexpr (std::is_same_v<Solid, std::decay_t<decltype(body)>>) {
          if (!is_linear(body.formulation)) body.incompatible_modes = false;  // as in its runs
          body.formulation = SolidFormulation::small_strain;
          body.rotational_forces = RotationalForces::full;  // another one would be refused
          body.reduction.reset();
        }
      },
      result.bodies[0]);
  return result;
}

StiffnessAndMass matrices_of(const System& system) {
  Kinematics kinematics = make_kinematics(system);
  const VectorX& q = system.initial.q;
  const VectorX v = VectorX::Zero(system.dof_count());
  update(system, q, v, 0, kinematics);
  StiffnessAndMass result{system.pattern, system.pattern};
  assemble_iteration_matrix(system, q, v, 0, 0, 0, kinematics, result.M);
  assemble_iteration_matrix(system, q, v, 0, 0, 1, kinematics, result.K);
  result.K -= result.M;
  return result;
}

/// Motions that the nodes of --fixed, which do not turn either, and the joints leave to the body, as columns:
/// unit vectors of coordinates that nothing touches, and combinations of the others. Displacements that are
/// held are no coordinates at all.
SparseMatrix free_motions(const System& system, const ModesRequest& request) {
  const auto n = static_cast<size_t>(system.dof_count());
  std::vector<char> clamped(n, 0);
  for (const auto& name : request.fixed)
    for (const int node : system.flexibles[0].nodes(name)) {
      const auto& dof = system.bodies[static_cast<size_t>(node)].dof;
      for (size_t coordinate = 3; coordinate < dof.size(); ++coordinate)
        if (dof[coordinate] >= 0) clamped[static_cast<size_t>(dof[coordinate])] = 1;
    }
  const Joints& joints = system.joints;
  std::vector<double> G(joints.dof.size());
  Kinematics kinematics = make_kinematics(system);
  update(system, system.initial.q, VectorX::Zero(system.dof_count()), 0, kinematics);
  constraint_jacobian(system, kinematics, G);
  const auto entries_of = [&](int row, auto&& visit) {
    for (int p = joints.row_begin[row]; p < joints.row_begin[row + 1]; ++p)
      if (G[static_cast<size_t>(p)] != 0) visit(joints.dof[p], G[static_cast<size_t>(p)]);
  };
  // Most rows hold one coordinate: a tie has three of them for each of its nodes.
  std::vector<int> rows;
  for (int i = 0; i < joints.row_count(); ++i) {
    int count = 0, only = -1;
    entries_of(i, [&](int dof, double) { ++count, only = dof; });
    if (count == 1)
      clamped[static_cast<size_t>(only)] = 1;
    else
      rows.push_back(i);
  }
  std::vector<int> joined;  // coordinates of the other rows
  std::vector<int> place(n, -1);
  for (const int i : rows)
    entries_of(i, [&](int dof, double) {
      if (clamped[static_cast<size_t>(dof)] || place[static_cast<size_t>(dof)] >= 0) return;
      place[static_cast<size_t>(dof)] = static_cast<int>(joined.size());
      joined.push_back(dof);
    });
  MatrixX C = MatrixX::Zero(std::ssize(rows), std::ssize(joined));
  for (size_t i = 0; i < rows.size(); ++i)
    entries_of(rows[i], [&](int dof, double value) {
      if (place[static_cast<size_t>(dof)] >= 0)
        C(static_cast<Eigen::Index>(i), place[static_cast<size_t>(dof)]) = value;
    });
  const MatrixX combinations = null_space(C);
  std::vector<Eigen::Triplet<double>> entries;
  int column = 0;
  for (size_t i = 0; i < n; ++i)
    if (!clamped[i] && place[i] < 0) entries.emplace_back(static_cast<int>(i), column++, 1.0);
  for (Eigen::Index k = 0; k < combinations.cols(); ++k, ++column)
    for (size_t i = 0; i < joined.size(); ++i)
      entries.emplace_back(joined[i], column, combinations(static_cast<Eigen::Index>(i), k));
  SparseMatrix motions(system.dof_count(), column);
  motions.setFromTriplets(entries.begin(), entries.end());
  return motions;
}

/// The lower triangle of Z^T A Z.
SparseMatrix restricted(const SparseMatrix& A, const SparseMatrix& Z) {
  const SparseMatrix whole = A.selfadjointView<Eigen::Lower>();
  const SparseMatrix product = Z.transpose() * (whole * Z);
  return product.triangularView<Eigen::Lower>();
}

Eigenmodes modes_of(const StiffnessAndMass& matrices, const SparseMatrix& motions, int count) {
  if (motions.cols() == matrices.size()) return lowest_eigenmodes(matrices, count);
  Eigenmodes modes =
      lowest_eigenmodes({restricted(matrices.K, motions), restricted(matrices.M, motions)}, count);
  modes.shapes = (motions * modes.shapes).eval();
  return modes;
}

class ModeTable {
 public:
  ModeTable(const System& system, StiffnessAndMass matrices)
      : system_(system), body_(system.flexibles[0]), matrices_(std::move(matrices)) {
    unit_.setZero(system.dof_count(), 3);
    for_each_translation([&](int, int axis, int dof) { unit_(dof, axis) = 1; });
    unit_ = (matrices_.M.selfadjointView<Eigen::Lower>() * unit_).eval();
  }

  /// Of the rigid motions, all combinations of which are modes, those along x, y and z and then about these
  /// axes, as far as the body is free to make them.
  void sort_rigid_motions(Eigenmodes& found) const {
    int count = 0;
    while (count < found.count() && is_rigid(found.values[count])) ++count;
    const MatrixX rigid = found.shapes.leftCols(count);
    MatrixX chosen = MatrixX::Zero(count, count);
    int size = 0;
    // `motion` is given by its part of each rigid mode, `whole` is its size with what they do not have.
    const auto choose = [&](VectorX motion, double whole) {
      for (int twice = 0; twice < 2; ++twice)
        motion -= chosen.leftCols(size) * (chosen.leftCols(size).transpose() * motion);
      constexpr double least_part = 1e-3;  // of a motion that the others and what is held leave
      if (size < count && motion.norm() > least_part * whole) chosen.col(size++) = motion.normalized();
    };
    const BodyData& whole_body = system_.bodies[static_cast<size_t>(body_.body)];
    for (int axis = 0; axis < 3; ++axis)
      choose(rigid.transpose() * unit_.col(axis), std::sqrt(whole_body.mass));
    for (int axis = 0; axis < 3; ++axis) {
      VectorX rotation = VectorX::Zero(system_.dof_count());
      for_each_translation([&](int node, int along, int dof) {
        const Vector3 arm = body_.mesh->nodes[static_cast<size_t>(node)] - whole_body.start;
        rotation[dof] = Vector3::Unit(axis).cross(arm)[along];
      });
      const VectorX momentum = matrices_.M.selfadjointView<Eigen::Lower>() * rotation;
      choose(rigid.transpose() * momentum, std::sqrt(rotation.dot(momentum)));
    }
    for (int k = 0; k < count; ++k) choose(VectorX::Unit(count, k), 1);
    found.shapes.leftCols(count) = rigid * chosen;
  }

  BodyModes make(const Eigenmodes& found, int count) const {
    BodyModes result;
    result.mesh = body_.mesh;
    result.mass = system_.bodies[static_cast<size_t>(body_.body)].mass;
    int elastic = 0;
    for (int k = 0; k < found.count() && elastic < count; ++k) {
      BodyMode mode;
      mode.value = found.values[k];
      mode.is_rigid = is_rigid(mode.value);
      elastic += !mode.is_rigid;
      const VectorX x = found.shapes.col(k);
      mode.effective_mass = (unit_.transpose() * x).cwiseAbs2() / result.mass;
      mode.shape.assign(body_.mesh->nodes.size(), Vector3::Zero());
      for_each_translation(
          [&](int node, int axis, int dof) { mode.shape[static_cast<size_t>(node)][axis] = x[dof]; });
      double largest = 0;
      for (const auto& node : mode.shape) largest = std::max(largest, node.norm());
      for (auto& node : mode.shape) node /= largest;
      mode.modal_mass = 1 / (largest * largest);
      result.modes.push_back(std::move(mode));
    }
    return result;
  }

 private:
  bool is_rigid(double value) const { return value < rigid_ratio * matrices_.largest_ratio(); }
  template <class Visit>
  void for_each_translation(Visit&& visit) const {
    for (int node = 0; node < body_.node_count(); ++node)
      for (int axis = 0; axis < 3; ++axis)
        if (const int dof = system_.bodies[static_cast<size_t>(body_.first_node + node)].dof[axis]; dof >= 0)
          visit(node, axis, dof);
  }

  const System& system_;
  const FlexibleData& body_;
  StiffnessAndMass matrices_;
  Eigen::Matrix<double, Eigen::Dynamic, 3> unit_;  ///< M times the unit translations
};

}  // namespace

double BodyMode::frequency() const { return omega() / (2 * std::numbers::pi); }

BodyModes body_modes(const Model& model, const ModesRequest& request) {
  const System system = build_system(alone(model, request));
  StiffnessAndMass matrices = matrices_of(system);
  const SparseMatrix motions = free_motions(system, request);
  const int left = static_cast<int>(motions.cols()), most = most_eigenmodes(left);
  if (left == 0) refuse_modes(fmt::format("all nodes of '{}' are held", request.body));
  if (request.count < 1 || request.count > most)
    refuse_modes(
        fmt::format("{} modes are not allowed; of '{}' with {} coordinates from 1 to {} can be computed",
                    request.count, request.body, left, most));
  Eigenmodes found = modes_of(matrices, motions, std::min(request.count + rigid_motions, most));
  if (!found.converged)
    refuse_modes(
        fmt::format("the modes of '{}' cannot be computed: the iteration did not converge", request.body));
  const ModeTable table(system, std::move(matrices));
  table.sort_rigid_motions(found);
  BodyModes result = table.make(found, request.count);
  result.notes = system.notes;
  return result;
}

}  // namespace percuss
