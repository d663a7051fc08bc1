#include "percuss/math/blas_kernel.h"
#include "percuss/math/block_columns.h"
#include "percuss/math/supernodal_cholesky.h"

// For builds without CHOLMOD: SparseLdlt does everything itself, and nothing of this is called.

namespace percuss {

struct SupernodalCholesky::Library {};
SupernodalCholesky::SupernodalCholesky() = default;
SupernodalCholesky::~SupernodalCholesky() = default;
SupernodalCholesky::SupernodalCholesky(SupernodalCholesky&&) noexcept = default;
SupernodalCholesky& SupernodalCholesky::operator=(SupernodalCholesky&&) noexcept = default;

bool SupernodalCholesky::is_available() { return false; }
void SupernodalCholesky::analyse(const Eigen::SparseMatrix<double>&) {}
bool SupernodalCholesky::factorise(const Eigen::SparseMatrix<double>&) { return false; }
SupernodalCholesky::Block SupernodalCholesky::block(int) const { return {}; }
void SupernodalCholesky::forward(VectorX&) const {}
void SupernodalCholesky::forward(int, double*) const {}
void SupernodalCholesky::backward(VectorX&) const {}

std::string blas_kernel() { return ""; }
std::string load_blas_kernel() { return ""; }

void BlockColumns::clear() {}
void BlockColumns::add(const int*, const double*, int) {}
void BlockColumns::eliminate(const SupernodalCholesky&) {}
void BlockColumns::multiply_transposed(const VectorX&, std::vector<double>&) const {}
void BlockColumns::add_product(const std::vector<double>&, VectorX&) const {}
void BlockColumns::gram(const Part&) {}

}  // namespace percuss
