#pragma once

#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "percuss/nonsmooth/global_problem.h"
#include "percuss/nonsmooth/problem.h"

namespace percuss {

/// Reactions and velocities as a file holds them, or a guess of them: nothing of this is believed, and in
/// some files of the collections it solves nothing.
struct StoredSolution {
  std::vector<double> r;  ///< one per row of the problem [N s]
  std::vector<double> u;  ///< one per row of the problem [m/s]
  std::vector<double> v;  ///< of the degrees of freedom, for a global problem; may be empty
};

/// What a file of a contact problem holds.  docs/formats/contact_problems.md
struct ContactProblem {
  std::variant<LocalProblem, GlobalProblem> problem;
  std::string title, description, math_info;
  std::optional<int> dof_count;  ///< of the bodies, where a local problem says it
  std::optional<StoredSolution> solution;
  std::vector<StoredSolution> guesses;

  bool is_global() const { return std::holds_alternative<GlobalProblem>(problem); }
  const std::vector<Cone>& cones() const {
    return std::visit([](const auto& any) -> const std::vector<Cone>& { return any.cones; }, problem);
  }
};

/// Reads a file by its ending: FCLIB for .hdf5 and .h5, the text form of complementarity problems for .dat.
/// Throws IoError.
ContactProblem read_contact_problem(const std::string& path);

}  // namespace percuss
