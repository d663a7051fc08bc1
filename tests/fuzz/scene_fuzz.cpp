#include "fuzz_target.h"
#include "percuss/io/io_error.h"
#include "percuss/io/scene.h"

/// A scene as text: reading, checking and assembling, as `percuss check` does, and once more what that gives.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace percuss;
  try {
    const Scene scene =
        parse_scene(fuzzing::text_of(data, size), "fuzz.yaml", {}, fuzzing::folder().string());
    parse_scene(resolved_text(scene), "resolved.yaml", {}, fuzzing::folder().string());
  } catch (const SceneError&) {
  } catch (const IoError&) {
  }
  return 0;
}
