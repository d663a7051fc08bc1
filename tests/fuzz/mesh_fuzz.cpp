#include <array>

#include "fuzz_target.h"
#include "percuss/geometry/mesh_report.h"
#include "percuss/io/io_error.h"
#include "percuss/io/mesh_import.h"

/// The formats that percuss reads itself; the first byte chooses one.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace percuss;
  constexpr std::array names = {"mesh.inp", "mesh.bdf", "mesh.unv"};
  if (size == 0) return 0;
  try {
    mesh_report(read_mesh(fuzzing::write_input(names[data[0] % names.size()], data + 1, size - 1), {}));
  } catch (const IoError&) {
  }
  return 0;
}
