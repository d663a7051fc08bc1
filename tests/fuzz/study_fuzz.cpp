#include "fuzz_target.h"
#include "percuss/io/io_error.h"
#include "percuss/io/study.h"

namespace {

constexpr const char* scene = R"(percuss: 1
gravity: [0, 0, -10]
bodies: [{particle: ball, mass: 1, position: [0, 0, 1]}]
time: {end: 1, step: 0.1}
record: {probes: {z: ball.position.z}}
)";

}  // namespace

/// A study of a small scene, `scene.yaml`.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace percuss;
  static const std::string given = fuzzing::write_input("scene.yaml", scene, std::string(scene).size());
  try {
    load_study(fuzzing::write_input("study.yaml", data, size));
  } catch (const SceneError&) {
  } catch (const IoError&) {
  }
  return 0;
}
