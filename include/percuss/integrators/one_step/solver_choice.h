#pragma once

#include <memory>

#include "percuss/nonsmooth/solver_names.h"

namespace percuss {

class Solver;
class Workers;

/// The solver of the one-step problem that the user asks for.
struct SolverChoice {
  SolverName name = SolverName::automatic;
  double tolerance = 1e-10;
  double acceptable = 1e-6;
  Selection selection = Selection::any;
  MethodOptions method;

  static void fields(auto& self, auto& visit) {
    visit("name", self.name,
          Field{.help = "solver of the contact problem of a step; `auto` chooses by the problem and goes on "
                        "to the next method where one fails"});
    visit(
        "tolerance", self.tolerance,
        Field{.help = "largest relative residual that a step may leave (docs/theory/nonsmooth.md, N-6, N-6c)",
              .range = allow::positive});
    visit(
        "acceptable", self.acceptable,
        Field{
            .help =
                "where no method gets below `tolerance`, and no shorter step does (time.halvings), a step "
                "goes "
                "on with the best answer if its relative residual is at most this; such steps are listed by "
                "`percuss info`, and the run ends with a warning. 0 ends the run there instead, as --strict",
            .range = allow::nonnegative});
    visit("selection", self.selection,
          Field{.help = "which impulses where they are not unique: `any` that solve the problem, or "
                        "`minimum-norm`, which are as symmetric as the model and do not depend on the order "
                        "of contacts or on the past (docs/theory/nonsmooth.md, N-28)"});
    MethodOptions::fields(self.method, visit);
  }
};
/// `workers` share its work where the choice does not say how many threads do.
std::unique_ptr<Solver> make_solver(const SolverChoice& choice, std::shared_ptr<Workers> workers = {});

}  // namespace percuss
