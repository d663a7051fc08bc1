#include <algorithm>

#include <zlib.h>

#include "percuss/io/checkpoint_file.h"
#include "percuss/io/hdf5_writer.h"
#include "percuss/io/io_error.h"
#include "percuss/io/results_layout.h"
#include "results_fixture.h"
#include "support/effort.h"
#include "support/transient_contacts.h"

namespace percuss {
namespace {

namespace fs = std::filesystem;

std::string unzipped(const std::string& path) {
  const gzFile file = gzopen(path.c_str(), "rb");
  std::string bytes, piece(1 << 16, '\0');
  for (int count = 1; file && count > 0;) {
    count = gzread(file, piece.data(), static_cast<unsigned>(piece.size()));
    if (count > 0) bytes.append(piece, 0, static_cast<std::size_t>(count));
  }
  gzclose(file);
  return bytes;
}

/// What the file must hold, taken from a simulation without one.
struct Capture final : Recorder {
  std::vector<double> time, z, x, kinetic, total, height, push;
  std::vector<std::vector<ContactReport>> contacts;
  std::vector<Impact> impacts;

  void on_frame(const Simulation& s) override {
    time.push_back(s.time());
    z.push_back(s.position("ball").z());
    x.push_back(s.velocity("slider").x());
    kinetic.push_back(s.energy().kinetic);
    total.push_back(s.energy().total());
    push.push_back(s.probe("contact(slider, floor).impulse"));
    contacts.emplace_back();
    for (int c = 0; c < s.contact_count(); ++c)
      if (s.contact_report(c).status != ContactStatus::open || s.gap(c) <= 0)
        contacts.back().push_back(s.contact_report(c));
  }
  void on_impacts(const Simulation& s) override {
    impacts.insert(impacts.end(), s.impacts().begin(), s.impacts().end());
  }
  void flush(const Simulation&) override {}
};

TEST_F(ResultsTest, WhatIsReadIsWhatWasSimulated) {
  run_to_file(path(), settings());
  Simulation simulation(bouncing_ball(), settings());
  Capture expected;
  percuss::run(simulation, expected);

  const ResultsReader reader(path());
  ASSERT_EQ(reader.frames(), std::ssize(expected.time));
  EXPECT_EQ(reader.column("time"), expected.time);
  EXPECT_EQ(reader.column("height"), expected.z);
  EXPECT_EQ(reader.column("ball.position.z"), expected.z);
  EXPECT_EQ(reader.column("slider.velocity.x"), expected.x);
  EXPECT_EQ(reader.column("energy.kinetic"), expected.kinetic);
  EXPECT_EQ(reader.column("energy"), expected.total);
  EXPECT_EQ(reader.column("push"), expected.push);
  EXPECT_EQ(reader.column("ball.position.x"), std::vector<double>(expected.time.size(), 0.25));
  EXPECT_EQ(reader.column("slider.velocity.y"), std::vector<double>(expected.time.size(), 0.0));

  const auto impacts = reader.impacts();
  ASSERT_EQ(impacts.size(), expected.impacts.size());
  ASSERT_GT(impacts.size(), 2u);
  for (size_t i = 0; i < impacts.size(); ++i) {
    EXPECT_EQ(impacts[i].time, expected.impacts[i].time);
    EXPECT_EQ(impacts[i].contact, expected.impacts[i].contact);
    EXPECT_EQ(impacts[i].u_before, expected.impacts[i].u_before);
    EXPECT_EQ(impacts[i].work, expected.impacts[i].work);
  }
  for (std::int64_t frame = 0; frame < reader.frames(); ++frame) {
    const auto rows = reader.contact_rows(frame);
    ASSERT_EQ(rows.size(), expected.contacts[frame].size()) << frame;
    for (size_t i = 0; i < rows.size(); ++i) {
      const ContactReport& report = expected.contacts[frame][i];
      EXPECT_EQ(reader.contacts()[rows[i].contact].body, report.view.first);
      EXPECT_EQ(rows[i].status, report.status);
      EXPECT_EQ(rows[i].impulse, report.impulse);
      EXPECT_EQ(rows[i].point, report.view.point);
      EXPECT_EQ(rows[i].velocity, report.view.velocity);
    }
  }
}

TEST_F(ResultsTest, HeaderTellsWhereTheResultsComeFrom) {
  run_to_file(path(), settings());
  const ResultsReader reader(path());
  EXPECT_EQ(reader.info().title, "Ball");
  EXPECT_EQ(reader.info().scheme, "moreau-jean");
  EXPECT_EQ(reader.info().percuss_version, "0.1.0");
  EXPECT_EQ(reader.info().time_end, 2.0);
  EXPECT_EQ(reader.scene_text(), "title: Ball\n");
  EXPECT_EQ(reader.scene_path(), "ball.yaml");
  EXPECT_EQ(reader.overrides(), "time.end=2");
  EXPECT_EQ(reader.unit("push"), "N s");
  EXPECT_EQ(reader.unit("ball.velocity.z"), "m/s");
  EXPECT_EQ(reader.bodies().at(1).coordinate, (std::array{1, -1, 2}));
  const auto run = reader.run();
  EXPECT_EQ(run.status, RunStatus::finished);
  EXPECT_EQ(run.total.steps, 2000);
  EXPECT_GT(run.total.impacts, 2);
  EXPECT_GT(run.wall_seconds, 0);
  EXPECT_GT(run.phases[4], 0);
  EXPECT_FALSE(fs::exists(path() + ".part"));
}

TEST_F(ResultsTest, UnknownColumnNamesTheNearest) {
  run_to_file(path(), settings());
  const ResultsReader reader(path());
  try {
    reader.column("ball.positon.z");
    FAIL();
  } catch (const ProbeError& error) {
    EXPECT_NE(std::string(error.what()).find("did you mean 'ball.position.z'?"), std::string::npos);
  }
  for (const auto& name : reader.columns()) EXPECT_EQ(std::ssize(reader.column(name)), reader.frames());
}

TEST_F(ResultsTest, NothingToRecordIsNoProblem) {
  Model model = bouncing_ball();
  model.contacts.clear();
  RunConfig config = settings();
  config.record.probes.clear();
  Simulation simulation(model, config);
  ResultsWriter writer(header(path()), simulation);
  writer.finish(simulation, percuss::run(simulation, writer));
  const ResultsReader reader(path());
  EXPECT_EQ(reader.frames(), 801);
  EXPECT_TRUE(reader.impacts().empty());
  EXPECT_TRUE(reader.contact_rows(800).empty());
}

TEST_F(ResultsTest, AFailedRunSaysWhyWithinTheSpaceItHas) {
  Simulation simulation(bouncing_ball(), settings());
  ResultsWriter writer(header(path()), simulation);
  std::string message(1022, 'x');
  message += "ö and more";
  writer.finish(simulation, {.end = RunEnd::failed, .message = message});
  const ResultsReader reader(path());
  EXPECT_EQ(reader.run().status, RunStatus::failed);
  EXPECT_EQ(reader.run().message, std::string(1022, 'x'));
  EXPECT_EQ(reader.frames(), 0);
  EXPECT_TRUE(reader.column("energy").empty());
}

TEST_F(ResultsTest, StoppedAndResumedEqualsUninterrupted) {
  RunConfig config = settings();
  config.record.every.reset();
  config.time.step = 1e-4;  // long enough for several looks at should_stop
  config.time.end = std::max(0.5, 0.2 * testing::repetitions(10));  // with an impact
  run_to_file(path("whole.h5"), config);
  int looks = 0;
  const RunOutcome outcome =
      run_to_file(path("parts.h5"), config, RunHooks{[&] { return ++looks == 10; }, {}});
  ASSERT_EQ(outcome.end, RunEnd::stopped);
  EXPECT_EQ(ResultsReader(path("parts.h5")).run().status, RunStatus::stopped);
  resume(path("parts.h5"), config);
  expect_same_results(path("whole.h5"), path("parts.h5"));
}

TEST_F(ResultsTest, StoppedWithinTheFirstStepAndResumedEqualsUninterrupted) {
  RunConfig config = settings();
  config.integrator = EventDrivenOptions{};
  config.record.every.reset();
  config.time.step = 0.1;
  config.time.end = 0.5;
  run_to_file(path("whole.h5"), config);
  int looks = 0;
  const RunOutcome outcome =
      run_to_file(path("parts.h5"), config, RunHooks{[&] { return ++looks == 1; }, {}});
  ASSERT_EQ(outcome.end, RunEnd::stopped);
  EXPECT_EQ(ResultsReader(path("parts.h5")).run().total.steps, 0);
  resume(path("parts.h5"), config);
  expect_same_results(path("whole.h5"), path("parts.h5"));
}

TEST_F(ResultsTest, ResumedFromAnyMomentEqualsUninterrupted) {
  run_to_file(path("whole.h5"), settings());
  const std::vector<std::int64_t> stops = {0, 1, 2, 3, 447, 448, 449, 1500, 1999};
  for (size_t i = 0; i < stops.size(); i += testing::stride(4)) {
    const std::int64_t stop = stops[i];
    {
      Simulation simulation(bouncing_ball(), settings());
      ResultsWriter writer(header(path()), simulation);
      const auto step_to = [&](std::int64_t last) {
        while (simulation.state().step < last) {
          ASSERT_EQ(simulation.step().status, SolveStatus::converged);
          writer.on_impacts(simulation);
          // Every 2.5 ms as the run loop does it: at steps 3, 5, 8, 10, ...
          if (simulation.state().step % 5 != 3 && simulation.state().step % 5 != 0) continue;
          writer.on_frame(simulation);
          simulation.begin_interval();
        }
      };
      writer.on_frame(simulation);
      simulation.begin_interval();
      step_to(stop);
      if (stop > 0) writer.flush(simulation);
      step_to(std::min<std::int64_t>(stop + 100, 2000));  // not in the checkpoint: must be computed again
    }
    resume(path(), settings());
    expect_same_results(path("whole.h5"), path());
  }
}

/// The flights and impacts before the stop leave nothing in a scheme that later steps, or their counters,
/// show.
TEST_F(ResultsTest, ResumedWithAnySchemeEqualsUninterrupted) {
  for (const SchemeOptions& scheme : all_schemes()) {
    if (facts(scheme).impact_order == 0) continue;
    SCOPED_TRACE(scheme_name(scheme));
    RunConfig config = short_settings();
    config.integrator = scheme;
    if (facts(scheme).is_explicit) config.time.step = 5e-3;  // the rod is unstable above 9 ms
    if (auto* options = std::get_if<MoreauExplicitOptions>(&config.integrator))
      options->forces = ForcePlace::end;  // taken at the start its vibrations grow at any step
    run_to_file(path("whole.h5"), config);
    RunConfig shorter = config;
    shorter.time.end = 0.7;
    run_to_file(path(), shorter);
    EXPECT_GT(ResultsReader(path()).impact_count(), 1) << "the test must meet impacts";
    resume(path(), config);
    expect_same_results(path("whole.h5"), path());
  }
}

TEST_F(ResultsTest, ALaterEndContinuesFromTheGrid) {
  RunConfig longer = settings();
  longer.record.every.reset();
  run_to_file(path("whole.h5"), longer);
  for (const double first_end : {1.0, 1.00035}) {
    RunConfig config = longer;
    config.time.end = first_end;
    run_to_file(path(), config);
    const auto position = read_checkpoint(checkpoint_path(path()));
    EXPECT_EQ(position.checkpoint.state.step, first_end == 1.0 ? 1000 : 0);
    resume(path(), longer);
    expect_same_results(path("whole.h5"), path());
  }
}

TEST_F(ResultsTest, AnotherSceneIsNotResumed) {
  run_to_file(path(), settings());
  auto position = read_checkpoint(checkpoint_path(path()));
  Simulation simulation(bouncing_ball(), settings());
  auto other = header(path());
  other.fingerprint = "cube";
  EXPECT_THROW(ResultsWriter::resume(other, simulation, position), IoError);
  position.frames = 100000;
  EXPECT_THROW(ResultsWriter::resume(header(path()), simulation, position), IoError);
  EXPECT_EQ(ResultsReader(path()).frames(), 801);
}

/// The byte that tells other HDF5 programs how to open a file: 1 open for writing, 4 as SWMR.
TEST_F(ResultsTest, OnlyARunningFileIsMarkedAsOpen) {
  Simulation simulation(bouncing_ball(), settings());
  ResultsWriter writer(header(path()), simulation);
  EXPECT_EQ(bytes_of(path())[11], 1 + 4);
  writer.finish(simulation, {});
  EXPECT_EQ(bytes_of(path())[11], 0);
}

TEST_F(ResultsTest, ARunningFileCanBeReadButNotReplaced) {
  Simulation simulation(bouncing_ball(), settings());
  ResultsWriter writer(header(path()), simulation);
  writer.on_frame(simulation);
  EXPECT_EQ(ResultsReader(path()).frames(), 0);
  writer.flush(simulation);
  EXPECT_EQ(ResultsReader(path()).frames(), 1);
  EXPECT_EQ(ResultsReader(path()).run().status, RunStatus::running);
  EXPECT_THROW(ResultsWriter(header(path()), simulation), IoError);
  writer.on_frame(simulation);
  writer.flush(simulation);
  EXPECT_EQ(ResultsReader(path()).frames(), 2);
}

TEST_F(ResultsTest, AFileThatCannotBeMadeHarmsNothing) {
  run_to_file(path(), settings());
  const std::string before = bytes_of(path());
  Simulation simulation(bouncing_ball(), settings());
  fs::create_directory(path() + ".part");  // stands in the way of the new file
  EXPECT_THROW(ResultsWriter(header(path()), simulation), IoError);
  EXPECT_EQ(bytes_of(path()), before);
  EXPECT_THROW(ResultsWriter(header(path("missing/run.h5")), simulation), IoError);
  EXPECT_THROW(ResultsWriter(header(path() + "/run.h5"), simulation), IoError);
  EXPECT_THROW(ResultsWriter(header(directory_.string()), simulation), IoError);
  EXPECT_THROW(ResultsWriter(header("/dev/null"), simulation), IoError);
  try {
    ResultsWriter(header(path("missing/run.h5")), simulation);
  } catch (const IoError& error) {
    EXPECT_EQ(error.what(), "cannot write " + path("missing/run.h5") + ": No such file or directory");
  }
}

std::string complaint_about(const std::string& path) {
  try {
    ResultsReader reader(path);
  } catch (const IoError& error) {
    return error.what();
  }
  return "";
}

TEST_F(ResultsTest, ErrorsSayWhatTheFileIs) {
  const auto says = [&](const std::string& file, const std::string& text) {
    const std::string complaint = complaint_about(file);
    EXPECT_NE(complaint.find(text), std::string::npos) << complaint;
    EXPECT_NE(complaint.find(file), std::string::npos) << complaint;
  };
  says(path("missing.h5"), "No such file or directory");
  says(directory_.string(), "Is a directory");
  write_bytes(path("text.h5"), "time,height\n0,1\n");
  says(path("text.h5"), "not an HDF5 file");
  write_bytes(path("empty.h5"), "");
  says(path("empty.h5"), "it is empty");
  const auto make = [&](const std::string& file, const std::string& format, std::int64_t version) {
    const auto other = Hdf5Writer::create(file);
    other->attach("/", "format", format);
    other->attach("/", "format_version", version);
    other->attach("/", "percuss_version", std::string("7.5"));
    other->publish();
  };
  make(path("other.h5"), "somebody-else", 1);
  says(path("other.h5"), "not a results file of percuss");
  EXPECT_FALSE(is_results_file(path("other.h5")) || is_results_file(path("text.h5")));
  make(path("old.h5"), "percuss-results", 2);
  EXPECT_TRUE(is_results_file(path("old.h5"))) << "a run may take its place";
  says(path("old.h5"), "the oldest that this program knows");
  make(path("new.h5"), "percuss-results", results_format_version + 1);
  says(path("new.h5"), "use percuss 7.5 or later");
  run_to_file(path(), settings());
  write_bytes(path("cut.h5"), bytes_of(path()).substr(0, 20000));
  says(path("cut.h5"), "truncated file");
}

/// A file that percuss 0.1 wrote, with a die that falls on its corners.
TEST_F(ResultsTest, FilesOfVersionSevenAreRead) {
  write_bytes(path("old.h5"), unzipped(PERCUSS_SOURCE_DIR "/tests/unit/io/data/results_version_7.h5.gz"));
  const ResultsReader old(path("old.h5"));
  EXPECT_EQ(old.info().title, "results of format version 7");
  EXPECT_EQ(old.frames(), 21);
  ASSERT_EQ(old.contacts().size(), 8u);
  EXPECT_EQ(old.contacts()[2].body, "die.corner3");
  EXPECT_EQ(old.contacts()[2].obstacle, "floor");
  EXPECT_EQ(old.column("height").front(), 0.3);
  const auto impacts = old.impacts();
  ASSERT_EQ(impacts.size(), 12u);
  for (const Impact& impact : impacts) EXPECT_LT(impact.u_before, 0);
  std::size_t rows = 0;
  for (std::int64_t frame = 0; frame < old.frames(); ++frame) rows += old.contact_rows(frame).size();
  EXPECT_GT(rows, 20u);
  EXPECT_EQ(old.poses(0).size(), old.bodies().size());
}

/// Contacts get their names in the file when they first touch. The slider does from the beginning.
TEST_F(ResultsTest, ContactsThatTouchLaterAreNamedThen) {
  const auto make = [] {
    return Simulation(testing::with_transient_contacts(build_assembly(bouncing_ball())), settings());
  };
  const auto names = [&] {
    std::vector<std::string> list;
    const ResultsReader reader(path());
    for (const auto& contact : reader.contacts()) list.push_back(contact.body);
    return list;
  };
  Simulation simulation = make();
  {
    ResultsWriter writer(header(path()), simulation);
    EXPECT_EQ(names(), std::vector<std::string>{"slider"});
    writer.on_frame(simulation);
    while (simulation.contact_record().size() < 3) {
      simulation.step();
      if (!simulation.impacts().empty()) writer.on_impacts(simulation);
    }
    writer.on_frame(simulation);
    writer.flush(simulation);
    EXPECT_EQ(names(), (std::vector<std::string>{"slider", "rod.first", "ball"}));
    const ResultsReader reader(path());
    ASSERT_EQ(reader.contact_rows(0).size(), 1u);
    EXPECT_EQ(reader.contact_rows(0)[0].contact, 0);
    EXPECT_EQ(reader.impacts().back().contact, 2);
    EXPECT_EQ(reader.contact_rows(1).front().contact, 2) << "in the order of ids";
    EXPECT_EQ(reader.contact_rows(1).back().contact, 1);
    const auto file = Hdf5Reader::open(path());
    EXPECT_EQ(file->read<std::int64_t>("/contacts/pairs/id", 0, 3, 4),
              (std::vector<std::int64_t>{1, 0, 0, 0, 2, 0, 0, 0, 0, 0, 0, 0}));
  }
  Simulation resumed = make();
  const CheckpointFile position = read_checkpoint(checkpoint_path(path()));
  resumed.restore(position.checkpoint);
  const auto writer = ResultsWriter::resume(header(path()), resumed, position);
  EXPECT_EQ(names().size(), 3u);
}

/// The file is written in pieces.
TEST_F(ResultsTest, LargeCheckpointsAreWhole) {
  Simulation simulation(bouncing_ball(), settings());
  for (const std::size_t size : {65535u, 65536u, 200000u}) {
    CheckpointFile written = {{1, 2, 3}, simulation.checkpoint(), std::string(size, 'x')};
    written.fingerprint.back() = 'y';
    written.checkpoint.state.memory = VectorX::LinSpaced(50000, 0, 1);
    written.checkpoint.contacts.resize(3000, {.id = {}, .impulse = 7});
    ContactState::Entries entries(3000);
    for (int i = 0; i < 3000; ++i) entries[static_cast<size_t>(i)] = {{.interaction = i}, 3 * i};
    written.checkpoint.state.contacts.listed = std::make_shared<const ContactState::Entries>(entries);
    written.checkpoint.state.contacts.reaction.resize(9000, 0.5);
    written.checkpoint.state.contacts.status.resize(3000);
    write_checkpoint(path("c"), written);
    const CheckpointFile read = read_checkpoint(path("c"));
    EXPECT_EQ(read.fingerprint, written.fingerprint);
    EXPECT_EQ(read.checkpoint.state.memory, written.checkpoint.state.memory);
    EXPECT_EQ(read.checkpoint.state.contacts.reaction, written.checkpoint.state.contacts.reaction);
    EXPECT_EQ(read.checkpoint.state.contacts.entries(), entries);
    ASSERT_EQ(read.checkpoint.contacts.size(), 3000u);
    EXPECT_EQ(read.checkpoint.contacts.back().impulse, 7);
  }
}

TEST_F(ResultsTest, CheckpointKeepsEveryBit) {
  Simulation simulation(bouncing_ball(), settings());
  simulation.advance_to(0.4481);
  const CheckpointFile written = {{180, 200, 3}, simulation.checkpoint(), "abc"};
  write_checkpoint(path("c"), written);
  const CheckpointFile read = read_checkpoint(path("c"));
  EXPECT_EQ(read.frames, 180);
  EXPECT_EQ(read.contact_rows, 200);
  EXPECT_EQ(read.impacts, 3);
  EXPECT_EQ(read.fingerprint, "abc");
  const Checkpoint &a = written.checkpoint, &b = read.checkpoint;
  EXPECT_EQ(a.state.q, b.state.q);
  EXPECT_EQ(a.state.v, b.state.v);
  EXPECT_EQ(a.state.time, b.state.time);
  EXPECT_EQ(a.state.contacts.reaction, b.state.contacts.reaction);
  EXPECT_EQ(a.state.contacts.status, b.state.contacts.status);
  EXPECT_EQ(a.energy.loss_impacts, b.energy.loss_impacts);
  EXPECT_EQ(a.state.last_step, b.state.last_step);
  EXPECT_EQ(a.total.iterations, b.total.iterations);
  EXPECT_EQ(a.interval.max_penetration, b.interval.max_penetration);
  ASSERT_EQ(a.contacts.size(), b.contacts.size());
  EXPECT_EQ(a.contacts[1].impulse, b.contacts[1].impulse);
  EXPECT_EQ(a.contacts[1].interval_status, b.contacts[1].interval_status);
}

/// The file holds what decides on adaptive steps, too.
TEST_F(ResultsTest, AdaptiveStepsContinueFromACheckpointFile) {
  RunConfig config = settings();
  config.time.adaptive.emplace().tolerance = 1e-4;
  Simulation whole(bouncing_ball(), config), resumed(bouncing_ball(), config);
  ASSERT_EQ(whole.advance_to(1).status, SolveStatus::converged);
  write_checkpoint(path("c"), {{}, whole.checkpoint(), "abc"});
  resumed.restore(read_checkpoint(path("c")).checkpoint);
  for (Simulation* simulation : {&whole, &resumed}) {
    ASSERT_EQ(simulation->advance_to(2).status, SolveStatus::converged);
    ASSERT_TRUE(simulation->finished());
  }
  EXPECT_EQ(resumed.state().q, whole.state().q);
  EXPECT_EQ(resumed.state().step, whole.state().step);
  EXPECT_EQ(resumed.energy().loss_impacts, whole.energy().loss_impacts);
  EXPECT_EQ(resumed.statistics().rejected, whole.statistics().rejected);
  EXPECT_EQ(resumed.statistics().smallest_step, whole.statistics().smallest_step);
}

TEST_F(ResultsTest, DamagedCheckpointsAreRefused) {
  const Simulation simulation(bouncing_ball(), settings());
  write_checkpoint(path("c"), {{}, simulation.checkpoint(), "abc"});
  const std::string good = bytes_of(path("c"));
  for (size_t size = 0; size < good.size(); ++size) {
    write_bytes(path("bad"), good.substr(0, size));
    EXPECT_THROW(read_checkpoint(path("bad")), IoError) << size;
  }
  for (size_t at = 0; at < good.size(); ++at) {
    std::string bad = good;
    bad[at] = static_cast<char>(bad[at] ^ 16);
    write_bytes(path("bad"), bad);
    EXPECT_THROW(read_checkpoint(path("bad")), IoError) << at;
  }
  write_bytes(path("bad"), good + "x");
  EXPECT_THROW(read_checkpoint(path("bad")), IoError);
  EXPECT_THROW(read_checkpoint(path("missing")), IoError);
  EXPECT_THROW(read_checkpoint(directory_.string()), IoError);
  EXPECT_THROW(write_checkpoint(path("missing/c"), {{}, simulation.checkpoint(), ""}), IoError);
}

}  // namespace
}  // namespace percuss
