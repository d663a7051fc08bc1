#include "fuzz_target.h"
#include "percuss/geometry/mesh_report.h"
#include "percuss/io/io_error.h"
#include "percuss/io/mesh_import.h"

/// A mesh of Gmsh. What its library does in its own process is its affair; what comes back must be a mesh.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace percuss;
  try {
    mesh_report(read_mesh(fuzzing::write_input("mesh.msh", data, size), {}));
  } catch (const IoError&) {
  }
  return 0;
}
