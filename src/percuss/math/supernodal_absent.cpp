#include "percuss/math/supernodal_cholesky.h"

// For builds without CHOLMOD: SparseLdlt does everything itself.

namespace percuss {

struct SupernodalCholesky::Library {};
SupernodalCholesky::SupernodalCholesky() = default;
SupernodalCholesky::~SupernodalCholesky() = default;
SupernodalCholesky::SupernodalCholesky(SupernodalCholesky&&) noexcept = default;
SupernodalCholesky& SupernodalCholesky::operator=(SupernodalCholesky&&) noexcept = default;

bool SupernodalCholesky::is_available() { return false; }
SupernodalCholesky::Pattern SupernodalCholesky::analyse(const Eigen::SparseMatrix<double>&) { return {}; }
bool SupernodalCholesky::factorise(const Eigen::SparseMatrix<double>&, std::vector<double>&,
                                   std::vector<double>&) {
  return false;
}

}  // namespace percuss
