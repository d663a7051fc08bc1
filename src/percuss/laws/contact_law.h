#pragma once

#include <concepts>
#include <variant>

#include "percuss/laws/coulomb.h"
#include "percuss/laws/frictionless.h"
#include "percuss/laws/joint_friction.h"
#include "percuss/laws/rolling.h"

/// What a contact does: between its relative velocities u and its reactions r, in the rows N (if there is a
/// normal), T1, T2, and of laws with moments those of rolling about T1 and T2 and of spinning about N.
/// Schemes, stages and events know laws by these functions alone.  docs/howto/add_a_law.md
namespace percuss {

template <class L>
concept ContactLawType = requires(const L& law, int row, double x) {
  { L::name } -> std::convertible_to<std::string_view>;
  /// For `percuss laws`: in a line, in equations with units, and where to read more.
  { L::about } -> std::convertible_to<std::string_view>;
  { L::equations } -> std::convertible_to<std::string_view>;
  { L::page } -> std::convertible_to<std::string_view>;
  /// Rows with a gap: 1, or 0 for what is always closed. The rows behind them are tangents, and moments
  /// where the law has members `rolling_rows()`, `spinning_rows()`.
  { L::normals } -> std::convertible_to<int>;
  { law.rows() } -> std::same_as<int>;
  /// In which the impulses of a step of size h lie; with h = 1, the forces.
  { law.cone(x) } -> std::same_as<Cone>;
  /// What a velocity before the step adds to that after it before the cone is asked: Newton's restitution.
  /// A law in which this need not be e u with a constant e has a member `restitution_is_constant()`.
  { law.shift(row, x) } -> std::same_as<double>;
  /// Largest tangential force at a normal force. A law whose friction depends on the speed of sliding has it
  /// as a second argument here and of cone(), and a member `friction_is_constant()`.
  { law.largest_friction(x) } -> std::same_as<double>;
};

/// The table of laws.
class ContactLaw {
 public:
  using Kinds = std::variant<Frictionless, Coulomb, JointFriction, Rolling>;

  ContactLaw() = default;
  template <ContactLawType L>
  ContactLaw(const L& law) : law_(law) {}  // NOLINT: a law is a contact law

  bool has_normal() const {
    return std::visit([](const auto& law) { return law.normals > 0; }, law_);
  }
  int rows() const {
    return std::visit([](const auto& law) { return law.rows(); }, law_);
  }
  /// `sliding_speed` is that before the step [m/s]; laws with a constant friction do not ask for it.
  Cone cone(double h, double sliding_speed = 0) const {
    return std::visit(
        [=](const auto& law) {
          if constexpr (requires { law.cone(h, sliding_speed); })
            return law.cone(h, sliding_speed);
          else
            return law.cone(h);
        },
        law_);
  }
  double shift(int row, double u_before) const {
    return std::visit([=](const auto& law) { return law.shift(row, u_before); }, law_);
  }
  double largest_friction(double normal, double sliding_speed = 0) const {
    return std::visit(
        [=](const auto& law) {
          if constexpr (requires { law.largest_friction(normal, sliding_speed); })
            return law.largest_friction(normal, sliding_speed);
          else
            return law.largest_friction(normal);
        },
        law_);
  }
  /// Whether the friction is the same for all speeds of sliding.
  bool friction_is_constant() const;
  bool has_tangents() const {
    return std::visit([](const auto& law) { return law.rows() > law.normals; }, law_);
  }
  /// Rows of moments about the tangents, and about the normal. Moments are divided by a length, and angular
  /// velocities multiplied by it.
  int rolling_rows() const;
  int spinning_rows() const;
  bool has_moments() const { return rolling_rows() + spinning_rows() > 0; }
  /// Whether a tangent of it ever feels a force.
  bool has_friction() const { return has_tangents() && (!friction_is_constant() || largest_friction(1) > 0); }
  /// Whether shift(0, u) is e u with the same e for all u.
  bool has_constant_restitution() const;
  std::string_view name() const;

  /// In how many directions it slides, for laws that leave that to the bodies.
  void set_tangents(int tangents);
  /// The length of the moments [m], for laws that have any.
  void set_moment_length(double length);
  /// Where neither body turns.
  void drop_moments();

 private:
  Kinds law_;
};

}  // namespace percuss
