#include <cmath>
#include <sstream>

#include <nlohmann/json.hpp>

#include "percuss/integrators/registry.h"
#include "percuss/io/results_reader.h"
#include "percuss/io/scene.h"
#include "support/effort.h"
#include "support/process.h"
#include "support/scenes.h"

// Each command does what its help says.
namespace percuss {
namespace {

namespace fs = std::filesystem;
using namespace percuss::testing;
using nlohmann::json;

const std::vector<std::string> command_names = {"run",         "check", "info",   "plot",
                                                "export",      "modes", "solve",  "examples",
                                                "integrators", "laws",  "schema", "doctor"};
const std::vector<std::string> scene_names = {"ball_in_box", "bouncing_ball", "oscillator_chain",
                                              "vertical_oscillator"};

/// Fails the test if the command fails.
std::string output_of(const TemporaryDirectory& folder, const std::vector<std::string>& arguments) {
  const ProcessResult result = run_percuss_in(folder, arguments);
  expect_exit(result, 0);
  EXPECT_EQ(result.errors, "");
  return result.output;
}

/// `run SCENE -o OUTPUT --set ...`.
std::vector<std::string> run_command(const std::string& scene, const std::string& output,
                                     const std::vector<std::string>& sets) {
  std::vector<std::string> arguments = {"run", scene_path(scene), "-o", output};
  for (const auto& set : sets) arguments.insert(arguments.end(), {"--set", set});
  return arguments;
}

void expect_lines(const std::string& text, const std::vector<std::string>& parts) {
  for (const auto& part : parts) EXPECT_TRUE(contains(text, part)) << "no '" << part << "' in:\n" << text;
}

std::vector<std::string> split(const std::string& text, char separator) {
  std::vector<std::string> parts;
  std::istringstream stream(text);
  for (std::string part; std::getline(stream, part, separator);) parts.push_back(part);
  return parts;
}

/// A CSV file as percuss writes it: a comment with units, names, rows.
struct Csv {
  std::vector<std::string> units, names;
  std::vector<std::vector<std::string>> rows;

  explicit Csv(const std::string& text) {
    const auto lines = split(text, '\n');
    if (lines.size() < 2 || !lines[0].starts_with("# units: ")) throw std::runtime_error("no CSV: " + text);
    units = split(lines[0].substr(9), ',');
    names = split(lines[1], ',');
    for (size_t i = 2; i < lines.size(); ++i) rows.push_back(split(lines[i], ','));
  }
  std::vector<double> column(const std::string& name) const {
    const auto at = std::find(names.begin(), names.end(), name) - names.begin();
    std::vector<double> values;
    for (const auto& row : rows) values.push_back(std::stod(row.at(static_cast<size_t>(at))));
    return values;
  }
};

// ----------------------------- all scenes

class EveryScene : public ::testing::TestWithParam<std::string> {
 protected:
  const std::vector<std::string> sets_ = {"time.end=0.6", "time.step=2e-3"};
  static constexpr int steps = 300;

  static void expect_balance(const json& info) {
    EXPECT_EQ(info.at("status"), "finished");
    EXPECT_EQ(info.at("steps"), steps);
    EXPECT_EQ(info.at("frames"), steps + 1);
    EXPECT_EQ(info.at("time_s"), 0.6);
    EXPECT_GE(info.at("worst_penetration_m").get<double>(), 0);
    EXPECT_GT(info.at("wall_seconds").get<double>(), 0);
    const json& energy = info.at("energy_J");
    const auto joules = [&](const char* name) { return energy.at(name).get<double>(); };
    const double balance = joules("initial") + joules("work_loads") - joules("loss_dampers") -
                           joules("loss_impacts") - joules("loss_algorithmic");
    const double scale = std::abs(joules("initial")) + std::abs(joules("loss_impacts")) + joules("kinetic");
    EXPECT_NEAR(joules("total"), balance, 1e-12 * scale);
    EXPECT_NEAR(joules("total"), joules("kinetic") + joules("potential") + joules("strain"), 1e-12 * scale);
  }

  TemporaryDirectory folder_;
};

TEST_P(EveryScene, RunsAndIsDescribedWithAnEnergyBalanceThatCloses) {
  const std::string said = output_of(folder_, run_command(GetParam(), "a.h5", sets_));
  expect_lines(said, {"t = 0.6 s after 300 steps", "results in a.h5"});
  ASSERT_TRUE(fs::exists(folder_ / "a.h5"));
  ASSERT_TRUE(fs::exists(folder_ / "a.h5.checkpoint"));

  const Scene scene = load_scene(scene_path(GetParam()));
  const std::string info = output_of(folder_, {"info", "a.h5"});
  expect_lines(info,
               {"a.h5: " + scene.model.title, "finished", "moreau-jean, h = 0.002 s", "0 s to 0.6 s of 0.6 s",
                "frames                      301", "steps                       300", "iterations", "impacts",
                "worst penetration", "worst solver residual", "Energy balance", "at the start",
                "+ work of given forces", "- lost in dampers", "- lost in impacts", "- lost by the scheme",
                "= kinetic + potential + strain", "Wall time", "contact solver"});
  EXPECT_EQ(output_of(folder_, {"info", "a.h5", "--scene"}), scene.text);
  expect_balance(json::parse(output_of(folder_, {"info", "a.h5", "--json"})));
}

TEST_P(EveryScene, ExportsWhatTheLibraryComputes) {
  output_of(folder_, run_command(GetParam(), "a.h5", sets_));
  expect_lines(output_of(folder_, {"export", "a.h5", "--csv", "a.csv"}), {"wrote a.csv: 301 rows"});
  const Csv csv(read_file(folder_ / "a.csv"));

  const Scene scene = load_scene(scene_path(GetParam()), sets_);
  Simulation simulation(scene.model, scene.run);
  std::vector<std::string> names = {"time"}, texts = {"time"};
  for (const auto& [name, text] : scene.run.record.probes) names.push_back(name), texts.push_back(text);
  EXPECT_EQ(csv.names, names);
  EXPECT_EQ(csv.units.size(), names.size());
  EXPECT_EQ(csv.units[0], "s");
  ASSERT_EQ(csv.rows.size(), size_t{steps + 1});
  for (const auto& row : csv.rows) {
    ASSERT_EQ(row.size(), texts.size());
    for (size_t c = 0; c < texts.size(); ++c)
      ASSERT_EQ(std::stod(row[c]), simulation.probe(texts[c])) << names[c];
    if (!simulation.finished()) {
      ASSERT_EQ(simulation.step().status, SolveStatus::converged);
    }
  }
}

TEST_P(EveryScene, IsPrintedAsASceneThatLoadsAgain) {
  const std::string printed = output_of(folder_, {"check", scene_path(GetParam()), "--print"});
  write_file(folder_ / "printed.yaml", printed);
  EXPECT_EQ(output_of(folder_, {"check", "printed.yaml", "--print"}), printed);
  const Scene scene = load_scene(scene_path(GetParam()));
  EXPECT_EQ(printed, resolved_text(scene));
  EXPECT_EQ(resolved_text(parse_scene(printed, "printed")), printed);
}

INSTANTIATE_TEST_SUITE_P(Scenes, EveryScene, ::testing::ValuesIn(scene_names),
                         [](const auto& scene) { return scene.param; });

// ----------------------------- run

#ifndef PERCUSS_SANITIZED  // which takes terabytes of addresses
TEST(Program, StartsAndEndsWhereMemoryIsShort) {
  const ProcessResult result =
      run_process({"/bin/sh", "-c", "ulimit -v 150000; exec \"$0\" --version", PERCUSS_PROGRAM});
  expect_exit(result, 0);
  EXPECT_FALSE(result.timed_out);
}

/// OpenBLAS would wait for its buffer for ever: large matrices are factorised without it.
TEST(Program, DoesWithoutOpenBlasWhereMemoryIsShort) {
  const TemporaryDirectory folder;
  const ProcessResult result = run_process(
      {"/bin/sh", "-c",
       "ulimit -v 200000; exec \"$0\" run \"$1\" -o \"$2\" --set parameters.cells=8 --set time.end=1e-4",
       PERCUSS_PROGRAM, scene_path("flexible_cube"), folder / "r.h5"});
  expect_exit(result, 0);
  EXPECT_FALSE(result.timed_out);
}
#endif

TEST(RunCommand, NamesTheResultsAfterTheScene) {
  const TemporaryDirectory folder;
  expect_lines(output_of(folder, {"run", scene_path("bouncing_ball"), "--set", "time.end=0.1"}),
               {"results in bouncing_ball.h5"});
  EXPECT_TRUE(fs::exists(folder / "bouncing_ball.h5"));
}

TEST(RunCommand, CanBeQuiet) {
  const TemporaryDirectory folder;
  auto arguments = run_command("bouncing_ball", "a.h5", {"time.end=0.1"});
  arguments.push_back("--quiet");
  EXPECT_EQ(output_of(folder, arguments), "");
  EXPECT_TRUE(fs::exists(folder / "a.h5"));
}

TEST(RunCommand, WritesPlainLinesIfItIsNotOnATerminal) {
  const TemporaryDirectory folder;
  const ProcessResult result =
      run_percuss_in(folder, run_command("bouncing_ball", "a.h5", {"time.step=1e-4"}));
  expect_exit(result, 0);
  for (const auto* text : {&result.output, &result.errors})
    EXPECT_EQ(text->find_first_of("\r\033\b"), std::string::npos) << *text;
}

TEST(RunCommand, ReplacesOldResults) {
  const TemporaryDirectory folder;
  for (const char* end : {"time.end=0.1", "time.end=0.2"})
    output_of(folder, run_command("bouncing_ball", "a.h5", {end}));
  EXPECT_EQ(json::parse(output_of(folder, {"info", "a.h5", "--json"})).at("time_s"), 0.2);
}

TEST(RunCommand, SaysWhichOptionsAnotherSchemeDrops) {
  const TemporaryDirectory folder;
  const std::string scene = "percuss: 1\nbodies: [{particle: ball, mass: 1}]\ntime: {end: 1, step: 0.1}\n";
  write_file(folder / "a.yaml", scene + "integrator: {scheme: moreau-jean, theta: 0.7}\n");
  const auto result = run_percuss_in(folder, {"run", "a.yaml", "--set", "integrator.scheme=moreau-explicit"});
  expect_exit(result, 0);
  expect_lines(result.errors, {"note: ", "theta"});
}

TEST(RunCommand, RecordsAtTheFirstStepsAtOrAfterEachMultiple) {
  const TemporaryDirectory folder;
  output_of(folder,
            run_command("bouncing_ball", "a.h5", {"time.step=3e-4", "time.end=0.03", "record.every=1e-3"}));
  std::vector<double> expected = {0};
  for (int multiple = 1; multiple < 30; ++multiple) expected.push_back((10 * multiple + 2) / 3 * 3e-4);
  expected.push_back(100 * 3e-4);
  EXPECT_EQ(ResultsReader((folder / "a.h5").string()).column("time"), expected);
}

TEST(RunCommand, ReachesAnEndBetweenTwoSteps) {
  const TemporaryDirectory folder;
  output_of(folder, run_command("bouncing_ball", "a.h5", {"time.step=0.01", "time.end=0.055"}));
  const auto times = ResultsReader((folder / "a.h5").string()).column("time");
  EXPECT_EQ(times, (std::vector<double>{0, 0.01, 0.02, 0.03, 0.04, 0.05, 0.055}));
}

// ----------------------------- check

TEST(CheckCommand, SummarisesAScene) {
  const TemporaryDirectory folder;
  const auto said = output_of(folder, {"check", scene_path("oscillator_chain"), "--set", "time.end=1.0005"});
  expect_lines(said, {"A chain of masses and springs hits a wall", "100 with 100 coordinates, 100 kg in all",
                      "springs       99 (linear", "forces        0", "contacts      1", "moreau-jean",
                      "0 s to 1.0005 s", "1001 steps of 0.001 s (the last one shorter)", "50 J at the start",
                      "no errors"});
  EXPECT_TRUE(fs::is_empty(folder.path()));
}

TEST(CheckCommand, SaysHowManySurfacesFindEachOther) {
  const TemporaryDirectory folder;
  expect_lines(output_of(folder, {"check", scene_path("rock_fall")}),
               {"contacts      0 at the start; 19 surfaces find each other", "no errors"});
}

TEST(CheckCommand, WarnsOfOverlap) {
  const TemporaryDirectory folder;
  const std::string overlap = "warning: 'ball' overlaps 'floor' by 0.1 m at the start";
  const std::vector<std::string> sets = {"parameters.gap=-0.1", "time.end=0.1"};
  expect_lines(output_of(folder, {"check", scene_path("bouncing_ball"), "--set", sets[0]}),
               {overlap, "no errors"});
  const ProcessResult run = run_percuss_in(folder, run_command("bouncing_ball", "a.h5", sets));
  expect_exit(run, 0);
  expect_lines(run.errors, {overlap});
}

// ----------------------------- export and plot

/// A folder with results of the bouncing ball.
class ResultsCommand : public ::testing::Test {
 protected:
  void SetUp() override { output_of(folder_, run_command("bouncing_ball", "ball.h5", {"time.end=3"})); }
  TemporaryDirectory folder_;
};

TEST_F(ResultsCommand, ExportWritesChosenColumns) {
  const Csv csv(output_of(folder_, {"export", "ball.h5", "--csv", "-", "--column", "ball.position.z",
                                    "--column", "energy.kinetic", "--column", "height"}));
  EXPECT_EQ(csv.names, (std::vector<std::string>{"time", "ball.position.z", "energy.kinetic", "height"}));
  EXPECT_EQ(csv.units, (std::vector<std::string>{"s", "m", "J", "m"}));
  ASSERT_EQ(csv.rows.size(), 3001u);
  const ResultsReader results((folder_ / "ball.h5").string());
  for (const auto& name : csv.names) EXPECT_EQ(csv.column(name), results.column(name)) << name;
}

TEST_F(ResultsCommand, ExportWritesEveryColumnThatInfoLists) {
  const json info = json::parse(output_of(folder_, {"info", "ball.h5", "--json"}));
  std::vector<std::string> arguments = {"export", "ball.h5", "--csv", "-"};
  for (const std::string name : info.at("columns"))
    if (name != "time") arguments.insert(arguments.end(), {"--column", name});
  EXPECT_EQ(Csv(output_of(folder_, arguments)).names.size(), info.at("columns").size());
}

TEST_F(ResultsCommand, ExportWritesImpactsThatObeyNewtonsLaw) {
  const Csv csv(output_of(folder_, {"export", "ball.h5", "--impacts", "-"}));
  EXPECT_EQ(csv.names, (std::vector<std::string>{"time", "body", "obstacle", "velocity_before",
                                                 "velocity_after", "impulse", "work"}));
  EXPECT_EQ(csv.units.size(), csv.names.size());
  const json info = json::parse(output_of(folder_, {"info", "ball.h5", "--json"}));
  EXPECT_EQ(csv.rows.size(), info.at("impacts").get<size_t>());
  ASSERT_GT(csv.rows.size(), 5u);
  const auto before = csv.column("velocity_before"), after = csv.column("velocity_after"),
             impulse = csv.column("impulse"), work = csv.column("work");
  double lost = 0;
  for (size_t i = 0; i < csv.rows.size(); ++i) {
    EXPECT_EQ(csv.rows[i][1], "ball");
    EXPECT_EQ(csv.rows[i][2], "floor");
    EXPECT_NEAR(-after[i] / before[i], 0.8, 1e-12);
    EXPECT_GT(impulse[i], 0);
    lost -= work[i];
  }
  EXPECT_NEAR(lost, info.at("energy_J").at("loss_impacts").get<double>(), 1e-9);
}

TEST_F(ResultsCommand, ExportWritesBothTablesAtOnce) {
  output_of(folder_, {"export", "ball.h5", "--csv", "a.csv", "--impacts", "b.csv"});
  EXPECT_EQ(Csv(read_file(folder_ / "a.csv")).rows.size(), 3001u);
  EXPECT_GT(Csv(read_file(folder_ / "b.csv")).rows.size(), 5u);
}

TEST_F(ResultsCommand, PlotDrawsPictures) {
  struct Picture {
    std::vector<std::string> arguments;
    std::string file, start;
  };
  const std::vector<Picture> pictures = {
      {{}, "ball.png", "\x89PNG\r\n\x1a\n"},
      {{"-o", "all.svg"}, "all.svg", "<?xml"},
      {{"velocity", "--x", "height", "--from", "0.5", "--to", "2", "-o", "phase's.png"},
       "phase's.png",
       "\x89PNG"},
      {{"energy.kinetic", "energy.potential", "ball.position.z", "-o", "some.svg"}, "some.svg", "<?xml"}};
  for (const auto& picture : pictures) {
    SCOPED_TRACE(picture.file);
    std::vector<std::string> arguments = {"plot", "ball.h5"};
    arguments.insert(arguments.end(), picture.arguments.begin(), picture.arguments.end());
    const ProcessResult result = run_percuss_in(folder_, arguments);
    if (contains(result.errors, "gnuplot is not installed")) GTEST_SKIP() << result.errors;
    expect_exit(result, 0);
    EXPECT_EQ(result.errors, "");
    expect_lines(result.output, {"wrote " + picture.file});
    const std::string bytes = read_file(folder_ / picture.file);
    EXPECT_TRUE(bytes.starts_with(picture.start));
    EXPECT_GT(bytes.size(), 5000u);
  }
  for (const auto& entry : fs::directory_iterator(folder_.path()))
    EXPECT_NE(entry.path().extension(), ".part");
}

TEST_F(ResultsCommand, KeepsALinkAndWritesTheFileBehindIt) {
  const std::vector<std::vector<std::string>> commands = {
      {"run", scene_path("bouncing_ball"), "--set", "time.end=0.1", "-o", "link.h5"},
      {"export", "ball.h5", "--csv", "link.csv"},
      {"export", "ball.h5", "--impacts", "link.txt"},
      {"plot", "ball.h5", "-o", "link.png"}};
  fs::create_directory(folder_ / "far");
  for (const auto& command : commands) {
    SCOPED_TRACE(command[0] + " to " + command.back());
    const fs::path link = folder_ / command.back(), file = folder_ / ("far/" + command.back());
    fs::copy_file(folder_ / "ball.h5", file);
    fs::create_symlink(file, link);
    output_of(folder_, command);
    EXPECT_TRUE(fs::is_symlink(link));
    EXPECT_NE(fs::file_size(file), fs::file_size(folder_ / "ball.h5"));
  }
}

// ----------------------------- examples, schema

TEST(ExamplesCommand, ListsAllScenes) {
  const TemporaryDirectory folder;
  const std::string list = output_of(folder, {"examples"});
  for (const auto& name : scene_names) expect_lines(list, {name, load_scene(scene_path(name)).model.title});
  EXPECT_TRUE(fs::is_empty(folder.path()));
}

TEST(ExamplesCommand, WritesASceneThatRunsAndKeepsTheUsersFile) {
  const TemporaryDirectory folder;
  for (const auto& name : scene_names) {
    SCOPED_TRACE(name);
    const fs::path file = folder / (name + ".yaml");
    expect_lines(output_of(folder, {"examples", name}),
                 {"wrote " + name + ".yaml", "percuss run " + name + ".yaml"});
    EXPECT_EQ(read_file(file), read_file(scene_path(name)));
    EXPECT_EQ(output_of(folder, {"examples", name, "--print"}), read_file(file));
    output_of(folder, {"run", name + ".yaml", "--set", "time.end=0.01"});
    EXPECT_TRUE(fs::exists(folder / (name + ".h5")));

    write_file(file, "# mine");
    expect_exit(run_percuss_in(folder, {"examples", name}), 3);
    EXPECT_EQ(read_file(file), "# mine");
  }
}

TEST(SchemaCommand, PrintsJsonSchemaAndReference) {
  const TemporaryDirectory folder;
  const json schema = json::parse(output_of(folder, {"schema"}));
  EXPECT_TRUE(contains(schema.at("$schema").get<std::string>(), "2020-12"));
  for (const char* key : {"percuss", "parameters", "bodies", "time", "integrator", "record"})
    EXPECT_TRUE(schema.at("properties").contains(key)) << key;
  expect_lines(output_of(folder, {"schema", "--reference"}), {"restitution", "moreau-jean", "half_space"});
}

// ----------------------------- help

TEST(IntegratorsCommand, ListsEverySchemeWithItsPromisesAndOptions) {
  const TemporaryDirectory folder;
  const std::string table = output_of(folder, {"integrators"});
  for (const SchemeOptions& scheme : all_schemes()) {
    const std::string name(scheme_name(scheme));
    EXPECT_NE(table.find("\n" + name + " "), std::string::npos) << name;
    expect_lines(output_of(folder, {"integrators", name}),
                 {name + ": ", "order in smooth motion", "Options"});
  }
  expect_lines(output_of(folder, {"integrators", "moreau-jean"}), {"theta", "0.5", "in [0.5, 1]"});
}

TEST(IntegratorsCommand, NamesTheNearestScheme) {
  const TemporaryDirectory folder;
  const auto result = run_percuss_in(folder, {"integrators", "generalised-alpha"});
  expect_exit(result, 2);
  expect_lines(result.errors, {"no integrator 'generalised-alpha'", "did you mean 'generalized-alpha'?"});
}

TEST(RunCommand, RefusesFrictionForASchemeThatHasNone) {
  const TemporaryDirectory folder;
  const auto result =
      run_percuss_in(folder, run_command("sliding_block", "a.h5", {"integrator.scheme=schatzman-paoli"}));
  expect_exit(result, 2);
  expect_lines(result.errors, {"integrator.scheme: 'schatzman-paoli' has no friction", "friction: 0"});
  EXPECT_FALSE(fs::exists(folder / "a.h5"));
}

TEST(Help, OfEachCommandIsMoreThanALine) {
  const TemporaryDirectory folder;
  const auto expect_help = [&](const std::vector<std::string>& arguments, const std::string& usage) {
    const std::string help = output_of(folder, arguments);
    EXPECT_GT(std::count(help.begin(), help.end(), '\n'), 5) << help;
    expect_lines(help, {"Usage: " + usage});
  };
  expect_help({"-h"}, "percuss");
  const std::string help = output_of(folder, {"--help"});
  for (const auto& name : command_names) {
    expect_help({name, "--help"}, "percuss " + name);
    expect_lines(help, {"\n  " + name + " "});
  }
  expect_lines(help, {"Exit codes: 0 done, 1 numerical failure, 2 bad input"});
}

TEST(Doctor, NamesLibrariesAndTestsItself) {
  expect_lines(output_of(TemporaryDirectory(), {"doctor"}),
               {"percuss ", "dense kernels ", "Gmsh ", "self-test     passed: a ball flies back"});
}

TEST(Help, TellsTheVersion) {
  const std::string version = output_of(TemporaryDirectory(), {"--version"});
  EXPECT_TRUE(version.starts_with("percuss ") && version.find('.') != version.npos) << version;
}

}  // namespace
}  // namespace percuss
