#include <array>
#include <cstring>

#include "fuzz_target.h"
#include "percuss/io/checkpoint_file.h"
#include "percuss/io/io_error.h"
#include "percuss/io/scene.h"

namespace {

using namespace percuss;

constexpr const char* scene = R"(percuss: 1
gravity: [0, 0, -10]
materials: {a: {}}
pairs: [{between: [a, a], friction: 0.3}]
bodies: [{particle: ball, mass: 1, material: a, position: [0, 0, 1]}]
obstacles: [{half_space: floor, normal: [0, 0, 1], material: a}]
contacts: [{body: ball, against: floor}]
time: {end: 1, step: 0.01}
)";

template <class T>
void append(std::string& bytes, T value) {
  bytes.append(reinterpret_cast<const char*>(&value), sizeof value);
}

/// A file whose header and checksum are right, so that its content is looked at. docs/formats/results.md
std::string sealed(const std::string& payload, std::uint32_t version) {
  std::string bytes = "PERCUSSC";
  append(bytes, version);
  append(bytes, static_cast<std::uint64_t>(payload.size()));
  bytes += payload;
  std::uint64_t hash = 14695981039346656037u;
  for (const char byte : bytes) hash = (hash ^ static_cast<unsigned char>(byte)) * 1099511628211u;
  append(bytes, hash);
  return bytes;
}

/// That of the files that this program writes.
std::uint32_t current_version(const Simulation& simulation) {
  const std::string path = (fuzzing::folder() / "valid.checkpoint").string();
  write_checkpoint(path, {{}, simulation.checkpoint(), "fuzz"});
  std::ifstream file(path, std::ios::binary);
  std::array<char, 12> start{};
  file.read(start.data(), start.size());
  std::uint32_t version = 0;
  std::memcpy(&version, start.data() + 8, sizeof version);
  return version;
}

}  // namespace

/// The content of a checkpoint, and two steps from it if it fits the scene.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const Scene given = parse_scene(scene, "fuzz.yaml");
  Simulation simulation(given.model, given.run);
  static const std::uint32_t version = current_version(simulation);
  const std::string bytes = sealed(fuzzing::text_of(data, size), version);
  try {
    const CheckpointFile file =
        read_checkpoint(fuzzing::write_input("run.checkpoint", bytes.data(), bytes.size()));
    simulation.restore(file.checkpoint);
    for (int step = 0; step < 2 && !simulation.finished(); ++step) simulation.step();
  } catch (const IoError&) {
  } catch (const std::invalid_argument&) {  // sizes of another model
  }
  return 0;
}
