#include "percuss/integrators/registry.h"

namespace percuss {
namespace {

std::unique_ptr<Integrator> make(const MoreauJeanOptions& options, const SolverChoice& solver) {
  return make_moreau_jean(options, solver);
}
std::unique_ptr<Integrator> make(const MoreauExplicitOptions& options, const SolverChoice& solver) {
  return make_moreau_explicit(options, solver);
}

}  // namespace

std::unique_ptr<Integrator> make_integrator(const SchemeOptions& options, const SolverChoice& solver) {
  return std::visit([&](const auto& chosen) { return make(chosen, solver); }, options);
}

}  // namespace percuss
