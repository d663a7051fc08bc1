#pragma once

#include <array>
#include <cstdint>

namespace percuss {

/// The law of a joint row or contact, by the set K in which its reaction lives.  (N-1), (N-17)
enum class ConeKind : std::uint8_t {
  equality,        ///< u = 0, r free: one row of a joint
  nonnegative,     ///< 0 <= u ⟂ r >= 0: frictionless contact, one row
  interval,        ///< |r| <= bound, r = bound sign(-u) where u moves: dry friction of known size, one row
  planar_coulomb,  ///< rows N, T: exact Coulomb friction in the plane
  coulomb,         ///< rows N, T1, T2: exact Coulomb friction
  rolling,         ///< rows N and those of up to three discs: sliding, rolling and spinning friction (N-17a)
};

inline constexpr int max_cone_rows = 6;

/// Rows of a friction cone in which |r| <= bound r_N, whatever the other discs do.
struct Disc {
  int first = 1, rows = 0;
  double bound = 0;
};

/// At most three of them.
struct Discs {
  std::array<Disc, 3> disc;
  int count = 0;

  void add(int rows, double bound) {
    if (rows == 0) return;
    const int first = count == 0 ? 1 : disc[count - 1].first + disc[count - 1].rows;
    disc[count++] = {first, rows, bound};
  }
  const Disc* begin() const { return disc.data(); }
  const Disc* end() const { return disc.data() + count; }
};

struct Cone {
  ConeKind kind = ConeKind::nonnegative;
  /// Coulomb, rolling: the friction coefficient mu; interval: the largest |r| [N s]
  double bound = 0.0;

  /// Of the kind rolling: rows of each disc, and the bounds of the moments. Moments are divided by a length,
  /// and angular velocities multiplied by it, so that all rows have one unit; so are these bounds.
  std::uint8_t sliding_rows = 0, rolling_rows = 0, spinning_rows = 0;
  double rolling_bound = 0.0, spinning_bound = 0.0;

  /// Consecutive rows of the problem that it takes.
  int rows() const {
    switch (kind) {
      case ConeKind::planar_coulomb: return 2;
      case ConeKind::coulomb: return 3;
      case ConeKind::rolling: return 1 + sliding_rows + rolling_rows + spinning_rows;
      default: return 1;
    }
  }
  bool has_friction() const { return kind >= ConeKind::planar_coulomb; }
  /// Its rows are N and one disc.
  bool is_coulomb() const { return kind == ConeKind::planar_coulomb || kind == ConeKind::coulomb; }
  Discs discs() const {
    Discs all;
    if (is_coulomb()) all.add(rows() - 1, bound);
    if (kind != ConeKind::rolling) return all;
    all.add(sliding_rows, bound);
    all.add(rolling_rows, rolling_bound);
    all.add(spinning_rows, spinning_bound);
    return all;
  }
};

/// Calls visit(disc) for each, at little cost where there is one.
template <class Visit>
void for_each_disc(const Cone& cone, Visit&& visit) {
  if (cone.is_coulomb())
    visit(Disc{1, cone.rows() - 1, cone.bound});
  else if (cone.kind == ConeKind::rolling)
    for (const Disc& disc : cone.discs()) visit(disc);
}

/// A friction cone of these discs.
Cone rolling_cone(int sliding_rows, double friction, int rolling_rows, double rolling, int spinning_rows,
                  double spinning);

}  // namespace percuss
