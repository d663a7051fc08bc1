#include "percuss/dynamics/body_modes.h"

#include <numbers>

#include <fmt/format.h>

#include "percuss/dynamics/forces.h"
#include "percuss/math/nearest_name.h"

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

/// The body alone, and held as it is asked for. All formulations have the same stiffness at rest.
Model alone(const Model& model, const ModesRequest& request) {
  Model result;
  result.materials = model.materials;
  result.bodies = {find_flexible_body(model, request.body)};
  std::visit(
      [&](auto& body) {
        if constexpr (std::is_base_of_v<FlexibleBody, std::decay_t<decltype(body)>>) {
          if (request.is_free) body.held.clear();
          for (const auto& name : request.fixed) body.held.emplace_back(name, Translations::xyz);
          body.damping = {};
        }
        if constexpr (std::is_same_v<Solid, std::decay_t<decltype(body)>>) {
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

/// The coordinates that are left where the nodes of --fixed do not turn either, so that a beam is clamped;
/// displacements that are held are no coordinates at all.
std::vector<int> unclamped(const System& system, const ModesRequest& request) {
  std::vector<char> clamped(static_cast<size_t>(system.dof_count()), 0);
  for (const auto& name : request.fixed)
    for (const int node : system.flexibles[0].nodes(name)) {
      const auto& dof = system.bodies[static_cast<size_t>(node)].dof;
      for (size_t slot = 3; slot < dof.size(); ++slot)
        if (dof[slot] >= 0) clamped[static_cast<size_t>(dof[slot])] = 1;
    }
  std::vector<int> left;
  for (int i = 0; i < system.dof_count(); ++i)
    if (!clamped[static_cast<size_t>(i)]) left.push_back(i);
  return left;
}

/// Rows and columns of some coordinates, which are in order; of a lower triangle.
SparseMatrix block_of(const SparseMatrix& A, const std::vector<int>& coordinates) {
  std::vector<int> place(static_cast<size_t>(A.rows()), -1);
  for (size_t i = 0; i < coordinates.size(); ++i)
    place[static_cast<size_t>(coordinates[i])] = static_cast<int>(i);
  const auto at = [&](Eigen::Index i) { return place[static_cast<size_t>(i)]; };
  std::vector<Eigen::Triplet<double>> entries;
  for (int j = 0; j < A.outerSize(); ++j)
    for (SparseMatrix::InnerIterator it(A, j); it; ++it)
      if (at(it.row()) >= 0 && at(j) >= 0) entries.emplace_back(at(it.row()), at(j), it.value());
  SparseMatrix block(std::ssize(coordinates), std::ssize(coordinates));
  block.setFromTriplets(entries.begin(), entries.end());
  return block;
}

Eigenmodes modes_of(const StiffnessAndMass& matrices, const std::vector<int>& coordinates, int count) {
  if (std::ssize(coordinates) == matrices.size()) return lowest_eigenmodes(matrices, count);
  Eigenmodes modes =
      lowest_eigenmodes({block_of(matrices.K, coordinates), block_of(matrices.M, coordinates)}, count);
  MatrixX shapes = MatrixX::Zero(matrices.size(), modes.count());
  shapes(coordinates, Eigen::all) = modes.shapes;
  modes.shapes = std::move(shapes);
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
  const std::vector<int> coordinates = unclamped(system, request);
  const int left = static_cast<int>(coordinates.size()), most = most_eigenmodes(left);
  if (left == 0) refuse_modes(fmt::format("all nodes of '{}' are held", request.body));
  if (request.count < 1 || request.count > most)
    refuse_modes(
        fmt::format("{} modes are not allowed; of '{}' with {} coordinates from 1 to {} can be computed",
                    request.count, request.body, left, most));
  Eigenmodes found = modes_of(matrices, coordinates, std::min(request.count + rigid_motions, most));
  if (!found.converged)
    refuse_modes(
        fmt::format("the modes of '{}' cannot be computed: the iteration did not converge", request.body));
  const ModeTable table(system, std::move(matrices));
  table.sort_rigid_motions(found);
  return table.make(found, request.count);
}

}  // namespace percuss
