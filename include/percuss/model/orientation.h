#pragma once

#include <array>
#include <cmath>
#include <optional>
#include <string_view>
#include <utility>

#include "percuss/math/fields.h"
#include "percuss/math/vector.h"

namespace percuss {

/// Three turns one after the other about the axes of the turning thing.
enum class EulerOrder { xyz, xzy, yxz, yzx, zxy, zyx, xyx, xzx, yxy, yzy, zxz, zyz };
template <>
struct EnumNames<EulerOrder> {
  static constexpr std::array<std::pair<EulerOrder, std::string_view>, 12> values = {
      {{EulerOrder::xyz, "xyz"},
       {EulerOrder::xzy, "xzy"},
       {EulerOrder::yxz, "yxz"},
       {EulerOrder::yzx, "yzx"},
       {EulerOrder::zxy, "zxy"},
       {EulerOrder::zyx, "zyx"},
       {EulerOrder::xyx, "xyx"},
       {EulerOrder::xzx, "xzx"},
       {EulerOrder::yxy, "yxy"},
       {EulerOrder::yzy, "yzy"},
       {EulerOrder::zxz, "zxz"},
       {EulerOrder::zyz, "zyz"}}};
};

struct OrientationForms;

/// A unit quaternion by named components: the rotation from the axes of a thing to those in which it stands.
struct Orientation {
  using Forms = OrientationForms;  ///< as scenes give it

  double w = 1, x = 0, y = 0, z = 0;
  double norm() const { return std::sqrt(w * w + x * x + y * y + z * z); }
  /// The rotation, also of a quaternion that is not quite a unit.
  Matrix3 matrix() const;

  static void fields(auto& self, auto& visit) {
    visit("w", self.w, Field{.help = "real part"});
    visit("x", self.x, Field{});
    visit("y", self.y, Field{});
    visit("z", self.z, Field{});
  }
};
/// Beyond this distance of its norm from one a quaternion is refused.
inline constexpr double quaternion_tolerance = 1e-6;

/// The ways in which a rotation is given: one of them.
struct OrientationForms {
  std::optional<double> w, x, y, z;
  std::optional<Vector3> axis;
  std::optional<double> angle;
  std::optional<Vector3> euler;
  std::optional<EulerOrder> order;
  std::optional<Vector3> rotation_vector;

  /// Throws std::invalid_argument unless it is exactly one form, and complete; none is no rotation.
  Orientation value() const;

  static void fields(auto& self, auto& visit) {
    visit("w", self.w, Field{.help = "of a unit quaternion: the real part; 1 if only others are given"});
    visit("x", self.x, Field{.help = "the imaginary parts; 0 if they are left out"});
    visit("y", self.y, Field{});
    visit("z", self.z, Field{});
    visit("axis", self.axis, Field{.help = "or: a turn by `angle` about this axis, of any length"});
    visit("angle", self.angle, Field{.unit = "rad", .help = "with `axis`; `30 deg` is understood too"});
    visit(
        "euler", self.euler,
        Field{.unit = "rad",
              .help = "or: three angles, as in {euler: [10 deg, 0, 90 deg], order: zyx}. The first turns "
                      "about the first axis of `order`, the second about the second axis as it is turned by "
                      "then, the third likewise (intrinsic rotations)"});
    visit("order", self.order, Field{.help = "with `euler`: the axes of the three turns"});
    visit("rotation_vector", self.rotation_vector,
          Field{.unit = "rad", .help = "or: the axis times the angle"});
  }
};

}  // namespace percuss
