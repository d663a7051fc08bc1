#include "percuss/nonsmooth/global_problem.h"

#include <stdexcept>
#include <string>

namespace percuss {

void GlobalProblem::validate() const {
  const auto require = [](bool holds, const char* field, const std::string& what) {
    if (!holds) throw std::invalid_argument(std::string("GlobalProblem.") + field + ": " + what);
  };
  require(M.rows() == M.cols(), "M", "must be square");
  require(H.rows() == M.rows(), "H", "must have as many rows as M");
  require(static_cast<int>(f.size()) == dof_count(), "f", "must have one value per row of M");
  require(static_cast<int>(w.size()) == size(), "w", "must have one value per column of H");
  int rows = 0;
  for (const Cone& cone : cones) {
    rows += cone.rows();
    require(cone.bound >= 0.0, "cones", "the bound must be >= 0");
  }
  require(rows == size(), "cones", "must cover the columns of H exactly");
}

}  // namespace percuss
