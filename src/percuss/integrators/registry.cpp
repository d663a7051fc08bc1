#include "percuss/integrators/registry.h"

#include <utility>

namespace percuss {
namespace {

std::unique_ptr<Integrator> make(const MoreauJeanOptions& options, const SolverChoice& solver) {
  return make_moreau_jean(options, solver);
}
std::unique_ptr<Integrator> make(const MoreauExplicitOptions& options, const SolverChoice& solver) {
  return make_moreau_explicit(options, solver);
}

std::unique_ptr<Integrator> make(const FloatingTrapezoidalOptions& options, const SolverChoice& solver) {
  return make_floating_trapezoidal(options, solver);
}

std::unique_ptr<Integrator> make(const GeneralizedAlphaOptions& options, const SolverChoice& solver) {
  return make_generalized_alpha(options, solver);
}

std::unique_ptr<Integrator> make(const HalfExplicitAccelerationOptions& options, const SolverChoice& solver) {
  return make_half_explicit(options, solver);
}
std::unique_ptr<Integrator> make(const ExplicitVelocityOptions& options, const SolverChoice& solver) {
  return make_half_explicit(options, solver);
}
std::unique_ptr<Integrator> make(const HalfExplicitVelocityOptions& options, const SolverChoice& solver) {
  return make_half_explicit(options, solver);
}
std::unique_ptr<Integrator> make(const EventDrivenOptions& options, const SolverChoice& solver) {
  return make_event_driven(options, solver);
}
std::unique_ptr<Integrator> make(const SchatzmanPaoliOptions& options, const SolverChoice& solver) {
  return make_schatzman_paoli(options, solver);
}
template <class Options>
std::unique_ptr<Integrator> make(const Options& options, const SolverChoice& solver) {
  return make_hht(options, solver);
}

template <size_t... I>
std::vector<SchemeOptions> list_schemes(std::index_sequence<I...>) {
  return {SchemeOptions(std::in_place_index<I>)...};
}

}  // namespace

std::vector<SchemeOptions> all_schemes() {
  return list_schemes(std::make_index_sequence<std::variant_size_v<SchemeOptions>>());
}

std::unique_ptr<Integrator> make_integrator(const SchemeOptions& options, const SolverChoice& solver) {
  return std::visit([&](const auto& chosen) { return make(chosen, solver); }, options);
}

}  // namespace percuss
