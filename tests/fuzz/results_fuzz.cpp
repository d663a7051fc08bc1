#include "fuzz_target.h"
#include "hdf5_changes.h"
#include "percuss/io/io_error.h"
#include "percuss/io/recording.h"
#include "percuss/io/results_reader.h"

namespace {

using namespace percuss;
using fuzzing::folder;

/// A ball, a box that turns, a frame and a beam; some contacts and impacts.
constexpr const char* scene = R"(percuss: 1
title: fuzz
gravity: [0, 0, -10]
materials: {a: {density: 1000, young: 1e7, poisson: 0.3}}
pairs: [{between: [a, a], friction: 0.3, restitution: 0.5}]
frames: [{frame: table, position: [0, 0, 0.01*sin(t)]}]
bodies:
  - {particle: ball, mass: 1, material: a, position: [0, 0, 0.01]}
  - {rigid: box, material: a, shape: {box: [1, 1, 1]}, position: [3, 0, 0.5]}
  - {beam: rod, from: [5, 0, 1], to: [6, 0, 1], elements: 2, material: a, section: {circle: 0.05}}
obstacles: [{half_space: floor, normal: [0, 0, 1], material: a}]
contacts: [{body: ball, against: floor}, {body: box, against: floor}]
time: {end: 0.05, step: 0.01}
record: {probes: {z: ball.position.z}}
)";

struct Original {
  std::string path = (folder() / "original.h5").string();
  std::vector<std::string> names;

  Original() {
    run_to_file(parse_scene(scene, "fuzz.yaml"), path);
    names = fuzzing::names_in(path);
  }
};

/// What info, report, export and view ask for.
void read_everything(const std::string& path) {
  const ResultsReader results(path);
  results.run();
  results.scene_text(), results.scene_path(), results.scene_resolved(), results.overrides();
  for (const std::string& column : results.columns()) results.column(column), results.unit(column);
  for (const char* report : {"residual", "penetration", "drift"}) results.report(report);
  results.impacts();
  results.shapes();
  for (std::int64_t frame = 0; frame < std::min<std::int64_t>(results.frames(), 3); ++frame) {
    results.contact_rows(frame);
    results.poses(frame);
    for (const FlexibleInfo& body : results.flexibles()) results.displacements(body, frame);
  }
  for (const FlexibleInfo& body : results.flexibles()) results.mesh(body);
}

}  // namespace

/// Changes of the structure of a valid results file.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const Original original;
  FuzzedDataProvider input(data, size);
  const std::string path = (folder() / "results.h5").string();
  std::filesystem::copy_file(original.path, path, std::filesystem::copy_options::overwrite_existing);
  fuzzing::Hdf5Changes(path, original.names, input).apply();
  try {
    read_everything(path);
  } catch (const IoError&) {
  }
  return 0;
}
