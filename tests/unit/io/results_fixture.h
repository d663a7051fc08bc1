#pragma once

#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <utility>

#include <gtest/gtest.h>

#include "percuss/io/hdf5_reader.h"
#include "percuss/io/results_reader.h"
#include "percuss/io/results_writer.h"

namespace percuss {

/// A ball that falls on a floor, a second body that only glides along it, and an elastic rod that falls too.
inline Model bouncing_ball() {
  Model model;
  model.gravity = {0, 0, -10};
  model.materials = {{"rubber", {.density = 1000, .young = 1e6}}};
  model.pairs = {{.between = {"rubber", "rubber"}, .restitution = 0.8}};
  Particle ball;
  ball.name = "ball";
  ball.material = "rubber";
  ball.translations = Translations::z;
  ball.position = {0.25, 0, 1};
  ball.mass = 2;
  Particle slider = ball;
  slider.name = "slider";
  slider.translations = Translations::xz;
  slider.position = {-1, 0.5, 0};
  slider.velocity = {0.5, 0, 0};
  Bar rod;
  rod.name = "rod";
  rod.material = "rubber";
  rod.from = {2, 0, 0.5};
  rod.to = {2, 0, 1.5};
  rod.elements = 2;
  rod.area = 1e-3;
  model.bodies = {ball, slider, rod};
  HalfSpaceObstacle floor;
  floor.name = "floor";
  floor.material = "rubber";
  model.obstacles = {floor};
  model.contacts = {
      {"ball", "floor"}, {"slider", "floor"}, {.body = "", .against = "floor", .nodes = "rod.first"}};
  return model;
}

/// 2000 steps, 801 frames and a few impacts.
inline RunConfig settings() {
  RunConfig config;
  config.integrator = MoreauJeanOptions{};
  config.time.end = 2;
  config.time.step = 1e-3;
  config.record.every = 2.5e-3;
  config.record.probes = {
      {"height", "ball.position.z"}, {"push", "contact(slider, floor).impulse"}, {"total", "energy"}};
  return config;
}

/// 100 steps and frames and an impact: for tests that run it again and again.
inline RunConfig short_settings() {
  RunConfig config = settings();
  config.time.end = 1;
  config.time.step = 1e-2;
  config.record.every.reset();
  return config;
}

inline std::string bytes_of(const std::string& path) {
  const std::ifstream file(path, std::ios::binary);
  std::ostringstream bytes;
  bytes << file.rdbuf();
  return std::move(bytes).str();
}
inline void write_bytes(const std::string& path, const std::string& bytes) {
  std::filesystem::remove(path);  // some file systems wait for the disk when a file is overwritten
  std::ofstream(path, std::ios::binary) << bytes;
}

template <class T>
void expect_same(const Hdf5Reader& a, const Hdf5Reader& b, const std::string& name) {
  const Hdf5Shape shape = a.shape(name);
  ASSERT_EQ(shape.rows, b.shape(name).rows) << name;
  const auto x = a.read<T>(name, 0, shape.rows, shape.width), y = b.read<T>(name, 0, shape.rows, shape.width);
  ASSERT_EQ(x.size(), y.size()) << name;
  EXPECT_TRUE(x.empty() || std::memcmp(x.data(), y.data(), x.size() * sizeof(T)) == 0) << name;
}

/// Everything but wall times, and the factorisations: a resumed run begins with one.
inline void expect_same_results(const std::string& path_a, const std::string& path_b) {
  for (const auto& path : {path_a, path_b}) EXPECT_EQ(ResultsReader(path).run().status, RunStatus::finished);
  const auto a = Hdf5Reader::open(path_a), b = Hdf5Reader::open(path_b);
  for (const char* name : {"/time",
                           "/states/q",
                           "/states/v",
                           "/energy/values",
                           "/probes/values",
                           "/contacts/gap",
                           "/contacts/point",
                           "/contacts/normal",
                           "/contacts/tangent",
                           "/contacts/velocity",
                           "/contacts/force",
                           "/contacts/impulse",
                           "/contacts/work",
                           "/impacts/time",
                           "/impacts/velocity_before",
                           "/impacts/velocity_after",
                           "/impacts/impulse",
                           "/impacts/work",
                           "/reports/residual",
                           "/reports/penetration",
                           "/reports/drift",
                           "/reports/smallest_step",
                           "/reports/largest_step",
                           "/reports/error",
                           "/bodies/position",
                           "/bodies/rotation",
                           "/bodies/mass",
                           "/bodies/radius",
                           "/bodies/fixed",
                           "/accepted/time",
                           "/accepted/step_size",
                           "/accepted/residual",
                           "/accepted/displacement",
                           "/run/totals/residual",
                           "/run/totals/displacement",
                           "/run/totals/force_error",
                           "/run/totals/penetration",
                           "/run/totals/last_accumulation",
                           "/run/totals/smallest_step",
                           "/run/totals/largest_step",
                           "/run/totals/error",
                           "/flexible/rod/nodes",
                           "/flexible/rod/displacement",
                           "/flexible/rod/velocity",
                           "/flexible/rod/contact_force",
                           "/flexible/rod/stress"})
    expect_same<double>(*a, *b, name);
  for (const char* name : {"/step",
                           "/contacts/first_row",
                           "/reports/steps",
                           "/reports/iterations",
                           "/reports/impacts",
                           "/reports/rejected",
                           "/run/saved",
                           "/run/totals/steps",
                           "/run/totals/iterations",
                           "/run/totals/impacts",
                           "/run/totals/max_iterations",
                           "/run/totals/active_contacts",
                           "/run/totals/fallbacks",
                           "/run/totals/accumulations",
                           "/run/totals/by_level",
                           "/run/totals/max_by_level",
                           "/run/totals/rejected",
                           "/run/totals/inaccurate",
                           "/run/totals/accepted",
                           "/run/totals/halved",
                           "/run/totals/computed"})
    expect_same<std::int64_t>(*a, *b, name);
  for (const char* name :
       {"/contacts/contact", "/impacts/contact", "/accepted/contact", "/reports/max_iterations",
        "/reports/active_contacts", "/bodies/coordinates", "/run/status"})
    expect_same<std::int32_t>(*a, *b, name);
  for (const char* name :
       {"/contacts/status", "/run/message", "/run/verdict", "/scene/text", "/scene/resolved"})
    expect_same<std::uint8_t>(*a, *b, name);
  for (const char* name :
       {"/states/names", "/energy/names", "/probes/names", "/probes/units", "/probes/texts", "/bodies/names",
        "/contacts/pairs/body", "/contacts/pairs/obstacle"})
    EXPECT_EQ(a->read_strings(name), b->read_strings(name)) << name;
}

class ResultsTest : public ::testing::Test {
 protected:
  ResultsTest() {
    std::string name = (std::filesystem::temp_directory_path() / "percuss_results_XXXXXX").string();
    directory_ = mkdtemp(name.data());
  }
  ~ResultsTest() override { std::filesystem::remove_all(directory_); }

  std::string path(const std::string& name = "run.h5") const { return (directory_ / name).string(); }
  ResultsWriter::Header header(const std::string& file) const {
    return {.path = file,
            .title = "Ball",
            .scene_path = "ball.yaml",
            .scene_text = "title: Ball\n",
            .scene_resolved = "title: Ball\ngravity: [0, 0, -10]\n",
            .overrides = "time.end=2",
            .version = "0.1.0",
            .fingerprint = "ball"};
  }
  RunOutcome run_to_file(const std::string& file, const RunConfig& config, const RunHooks& hooks = {}) const {
    Simulation simulation(bouncing_ball(), config);
    ResultsWriter writer(header(file), simulation);
    const RunOutcome outcome = percuss::run(simulation, writer, hooks);
    writer.finish(simulation, outcome);
    return outcome;
  }
  void resume(const std::string& file, const RunConfig& config) const {
    const CheckpointFile position = read_checkpoint(checkpoint_path(file));
    Simulation simulation(bouncing_ball(), config);
    simulation.restore(position.checkpoint);
    const auto writer = ResultsWriter::resume(header(file), simulation, position);
    writer->finish(simulation, percuss::run(simulation, *writer));
  }

  std::filesystem::path directory_;
};

}  // namespace percuss
