#include "percuss/laws/contact_law.h"

namespace percuss {

std::string_view ContactLaw::name() const {
  return std::visit([](const auto& law) { return std::string_view(law.name); }, law_);
}

bool ContactLaw::has_constant_restitution() const {
  return std::visit(
      []<class L>(const L&) {
        if constexpr (requires { L::has_constant_restitution; }) return bool(L::has_constant_restitution);
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

}  // namespace percuss
