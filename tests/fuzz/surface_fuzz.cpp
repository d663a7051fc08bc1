#include <array>
#include <string_view>

#include "fuzz_target.h"
#include "percuss/geometry/triangle_mesh.h"
#include "percuss/io/heightmap_file.h"
#include "percuss/io/io_error.h"
#include "percuss/io/surface_file.h"

/// Surfaces; the first byte chooses the format.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace percuss;
  constexpr std::array names = {"surface.stl", "surface.obj", "surface.csv"};
  if (size == 0) return 0;
  const std::string_view name = names[data[0] % names.size()];
  try {
    const auto file = fuzzing::write_input(std::string(name), data + 1, size - 1);
    mesh_defect(name.ends_with("csv") ? read_heightmap(file, {1, 1}) : read_surface(file));
  } catch (const IoError&) {
  }
  return 0;
}
