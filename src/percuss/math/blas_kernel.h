#pragma once

#include <string>

namespace percuss {

/// What the dense kernels of large factors were made for: `OpenBLAS Haswell`, chosen by OpenBLAS for the
/// processor or by OPENBLAS_CORETYPE, or `another BLAS`. Empty as long as no large matrix was met, or in a
/// build without CHOLMOD: then no bit depends on it. docs/howto/reproducibility.md
std::string blas_kernel();
/// The same, and they are loaded if they are not yet.
std::string load_blas_kernel();

}  // namespace percuss
