#include "percuss/math/cholmod_library.h"

#include <atomic>
#include <cstdlib>
#include <string>
#include <type_traits>
#include <vector>

#include <dlfcn.h>
#include <sys/mman.h>

#include "percuss/math/blas.h"
#include "percuss/math/blas_kernel.h"

namespace percuss {
namespace {

/// Of the libraries, and of the buffer of 128 MB that OpenBLAS asks for at the first product.
constexpr std::size_t room_needed = std::size_t{320} << 20;

/// Where it gets no buffer OpenBLAS asks again and again, for ever.
bool has_room() {
  void* room = ::mmap(nullptr, room_needed, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (room == MAP_FAILED) return false;
  ::munmap(room, room_needed);
  return true;
}

/// OpenBLAS keeps the buffer that it gets here, as long as there is room.
void take_buffer(const blas::Functions& blas) {
  const int n = 8;
  const double one = 1, zero = 0;
  std::vector<double> A(n * n, 1.0), C(n * n, 0.0);
  blas.dsyrk("L", "N", &n, &n, &one, A.data(), &n, &zero, C.data(), &n);
}

/// What is loaded once and stays.
struct LoadedCholmod {
  CholmodLibrary cholmod;
  blas::Functions blas;
  bool is_complete = false;

  LoadedCholmod() {
    // OpenBLAS starts its threads while it is loaded. They would gain nothing (supernodal_cholesky.cpp), and
    // where memory is short some do not start and the program waits for them at its end, for ever.
    ::setenv("OPENBLAS_NUM_THREADS", "1", 1);
    if (!has_room()) return;
    const std::string file = "libcholmod.so." + std::to_string(CHOLMOD_MAIN_VERSION);
    void* library = ::dlopen(file.c_str(), RTLD_LAZY | RTLD_LOCAL);
    if (library == nullptr) return;
    is_complete = true;
    const auto find = [library](auto& function, const char* name) {  // also in what it depends on
      function = reinterpret_cast<std::remove_reference_t<decltype(function)>>(::dlsym(library, name));
      return function != nullptr;
    };
    const auto need = [&](auto& function, const char* name) { is_complete &= find(function, name); };
    need(cholmod.start, "cholmod_start");
    need(cholmod.finish, "cholmod_finish");
    need(cholmod.analyze, "cholmod_analyze");
    need(cholmod.factorize, "cholmod_factorize");
    need(cholmod.free_factor, "cholmod_free_factor");
    need(blas.dtrsm, "dtrsm_");
    need(blas.dgemm, "dgemm_");
    need(blas.dsyrk, "dsyrk_");
    find(blas.openblas_get_parallel, "openblas_get_parallel");
    find(blas.openblas_get_corename, "openblas_get_corename");
    find(cholmod.omp_get_max_active_levels, "omp_get_max_active_levels");
    find(cholmod.omp_set_max_active_levels, "omp_set_max_active_levels");
    if (is_complete) take_buffer(blas);
  }
};

/// So that who only asks what is loaded does not load it.
std::atomic<bool> is_loaded = false;

const LoadedCholmod& loaded_cholmod() {
  static const LoadedCholmod loaded;
  is_loaded = true;
  return loaded;
}

}  // namespace

const CholmodLibrary* CholmodLibrary::get() {
  const LoadedCholmod& loaded = loaded_cholmod();
  return loaded.is_complete ? &loaded.cholmod : nullptr;
}

const blas::Functions& blas::functions() { return loaded_cholmod().blas; }

std::string blas_kernel() {
  if (!is_loaded || !loaded_cholmod().is_complete) return "";
  const auto name = blas::functions().openblas_get_corename;
  return name ? std::string("OpenBLAS ") + name() : "another BLAS";
}

std::string load_blas_kernel() {
  loaded_cholmod();
  return blas_kernel();
}

}  // namespace percuss
