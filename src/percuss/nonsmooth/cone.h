#pragma once

#include <cstdint>

namespace percuss {

/// The law of a joint row or contact, by the set K in which its reaction lives.  (N-1), (N-17)
enum class ConeKind : std::uint8_t {
  equality,        ///< u = 0, r free: one row of a joint
  nonnegative,     ///< 0 <= u ⟂ r >= 0: frictionless contact, one row
  interval,        ///< |r| <= bound, r = bound sign(-u) where u moves: dry friction of known size, one row
  planar_coulomb,  ///< rows N, T: exact Coulomb friction in the plane
  coulomb,         ///< rows N, T1, T2: exact Coulomb friction
};

/// Number of consecutive rows of the problem that one cone of this kind takes.
constexpr int row_count(ConeKind kind) {
  switch (kind) {
    case ConeKind::planar_coulomb: return 2;
    case ConeKind::coulomb: return 3;
    default: return 1;
  }
}

struct Cone {
  ConeKind kind = ConeKind::nonnegative;
  double bound = 0.0;  ///< Coulomb: the friction coefficient mu; interval: the largest |r| [N s]

  int rows() const { return row_count(kind); }
  bool has_friction() const { return kind == ConeKind::coulomb || kind == ConeKind::planar_coulomb; }
};

}  // namespace percuss
