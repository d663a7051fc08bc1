#pragma once

#include <concepts>
#include <vector>

#include "percuss/dynamics/pools/tangent_sum.h"
#include "percuss/dynamics/scalar_function.h"
#include "percuss/math/workers.h"

/// A pool has all forces of one kind, and is all that is known of that kind: which coordinates they couple,
/// forces, tangents, energies and powers. pools.h is the table of the pools; the functions of forces.h and
/// energies.h and the pattern of the matrix are loops over it.
namespace percuss {

/// What forces, tangents and energies are functions of.
struct ForceArguments {
  const std::vector<BodyData>& bodies;
  const VectorX &q, &v;
  double t;                ///< [s]
  Kinematics& kinematics;  ///< placed at (q, v, t), if some pool needs that; and scratch
  Workers* workers;        ///< null: one thread does everything
  /// Gets the elastic part of the forces of linear elements, which floating frames need apart; may be null.
  VectorX* elastic_force = nullptr;
};

/// The part of a pool that is the same for all, and what a pool has that says nothing else: a pool hides the
/// functions of those things that it has.
struct Pool {
  Blocks blocks;  ///< those that its tangents are made of

  void list_blocks(const std::vector<BodyData>& /*bodies*/) {}
  void add_positions(Blocks::Positions& positions) const { blocks.add_positions(positions); }
  void find_entries(const SparseMatrix& pattern) { blocks.find_entries(pattern); }

  void add_force(const ForceArguments& /*at*/, VectorX& /*f*/) const {}
  void add_tangents(const ForceArguments& /*at*/, const TangentSum& /*sum*/) const {}
  double strain_energy(const ForceArguments& /*at*/) const { return 0; }     ///< [J]
  double potential_energy(const ForceArguments& /*at*/) const { return 0; }  ///< what is not strain [J]
  double damping_power(const ForceArguments& /*at*/) const { return 0; }     ///< lost in dampers [W]
  /// What prescribed motions put in [W].
  double prescribed_power(const std::vector<BodyData>& /*bodies*/, const Kinematics& /*kinematics*/) const {
    return 0;
  }

  // Of a pool that is not empty:
  bool needs_poses() const { return false; }  ///< whether anything above looks at poses
  /// K and C do not depend on the state.
  bool has_constant_tangents(const std::vector<BodyData>& /*bodies*/) const { return false; }
  bool has_dampers() const { return false; }
  bool is_gyroscopic() const { return false; }                    ///< C does not vanish even without dampers
  size_t scratch_size(bool /*with_workers*/) const { return 0; }  ///< of Kinematics::scratch that it needs
};

/// A pool of elements in a row.
template <class Element>
struct ElementPool : Pool {
  std::vector<Element> elements;

  bool empty() const { return elements.empty(); }
  size_t size() const { return elements.size(); }
  auto begin() { return elements.begin(); }
  auto end() { return elements.end(); }
  auto begin() const { return elements.begin(); }
  auto end() const { return elements.end(); }
  Element& operator[](size_t i) { return elements[i]; }
  const Element& operator[](size_t i) const { return elements[i]; }
  void push_back(Element element) { elements.push_back(std::move(element)); }
};

/// What a pool in the table must have. tests/unit/dynamics/pools_test.cpp checks that it is also true.
template <class P>
concept ForcePool = std::derived_from<P, Pool> && std::copyable<P> &&
    requires(P& pool, const P& filled, const std::vector<BodyData>& bodies, Blocks::Positions& positions,
             const SparseMatrix& pattern, const ForceArguments& at, const TangentSum& sum, VectorX& f,
             const Kinematics& kinematics) {
  { filled.empty() } -> std::same_as<bool>;
  pool.list_blocks(bodies);
  filled.add_positions(positions);
  pool.find_entries(pattern);
  filled.add_force(at, f);
  filled.add_tangents(at, sum);
  { filled.strain_energy(at) } -> std::same_as<double>;
  { filled.potential_energy(at) } -> std::same_as<double>;
  { filled.damping_power(at) } -> std::same_as<double>;
  { filled.prescribed_power(bodies, kinematics) } -> std::same_as<double>;
  { filled.needs_poses() } -> std::same_as<bool>;
  { filled.has_constant_tangents(bodies) } -> std::same_as<bool>;
  { filled.has_dampers() } -> std::same_as<bool>;
  { filled.is_gyroscopic() } -> std::same_as<bool>;
  { filled.scratch_size(true) } -> std::same_as<size_t>;
};

inline constexpr int pair_coordinates =
    2 * max_body_coordinates;  ///< what a force between two bodies can depend on
using PairBlock =
    Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, 0, pair_coordinates, pair_coordinates>;

/// f += force over coordinates of which some may be held.
template <class Force>
void scatter(const Force& force, const int* dof, VectorX& f) {
  for (int i = 0; i < force.size(); ++i)
    if (dof[i] >= 0) f[dof[i]] += force[i];
}

}  // namespace percuss
