#include "percuss/laws/contact_law.h"

namespace percuss {

std::string_view ContactLaw::name() const {
  return std::visit([](const auto& law) { return std::string_view(law.name); }, law_);
}

bool ContactLaw::has_constant_restitution() const {
  return std::visit(
      [](const auto& law) {
        if constexpr (requires { law.restitution_is_constant(); }) return law.restitution_is_constant();
        return true;
      },
      law_);
}

bool ContactLaw::friction_is_constant() const {
  return std::visit(
      [](const auto& law) {
        if constexpr (requires { law.friction_is_constant(); }) return law.friction_is_constant();
        return true;
      },
      law_);
}

void ContactLaw::set_tangents(int tangents) {
  std::visit(
      [=](auto& law) {
        if constexpr (requires { law.tangents; }) law.tangents = tangents;
      },
      law_);
}

int ContactLaw::rolling_rows() const {
  return std::visit(
      [](const auto& law) {
        if constexpr (requires { law.rolling_rows(); }) return law.rolling_rows();
        return 0;
      },
      law_);
}

int ContactLaw::spinning_rows() const {
  return std::visit(
      [](const auto& law) {
        if constexpr (requires { law.spinning_rows(); }) return law.spinning_rows();
        return 0;
      },
      law_);
}

void ContactLaw::set_moment_length(double length) {
  std::visit(
      [=](auto& law) {
        if constexpr (requires { law.rolling_rows(); }) law.length = length;
      },
      law_);
}

void ContactLaw::drop_moments() {
  std::visit(
      [](auto& law) {
        if constexpr (requires { law.drop_moments(); }) law.drop_moments();
      },
      law_);
}

}  // namespace percuss
