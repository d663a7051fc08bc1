#include "percuss/io/study.h"

#include <cstdlib>
#include <sstream>

#include "cli/bad_input.h"

// `percuss study`: what it writes, and what it says to wrong input.
namespace percuss {
namespace {

using namespace percuss::testing;
using Arguments = std::vector<std::string>;

Arguments operator+(Arguments first, const Arguments& second) {
  first.insert(first.end(), second.begin(), second.end());
  return first;
}
const Arguments two_steps = {"study", "scene.yaml", "--steps", "1e-2,5e-3"};
const Arguments base = two_steps + Arguments{"--integrators", "moreau-jean,moreau-explicit"};

constexpr const char* study_text = R"(study: 1
scene: scene.yaml
until: 0.4
steps: [1e-2, 5e-3, 2.5e-3]
integrators:
  - moreau-jean
  - {scheme: moreau-jean, theta: 1, label: damped}
quantities: [height]
reference: {finest: {step: 1e-4}}
)";

class StudyCommand : public BadInputTest {
 protected:
  void SetUp() override {
    BadInputTest::SetUp();
    write_file(folder_ / "study.yaml", study_text);
    write_file(folder_ / "short.csv", "time,height\n0,1\n0.5,0\n");
  }
  /// Cells of the rows of a CSV file; the first row has the names.
  std::vector<std::vector<std::string>> table(const std::string& name) const {
    std::istringstream file(read_file(folder_ / name));
    std::vector<std::vector<std::string>> rows;
    for (std::string line; std::getline(file, line);) {
      if (line.starts_with('#')) continue;
      std::istringstream cells(line);
      auto& row = rows.emplace_back();
      for (std::string cell; std::getline(cells, cell, ',');) row.push_back(cell);
    }
    return rows;
  }
};

/// Is my answer converged? The changes from level to level shrink as the order of the scheme says.
TEST_F(StudyCommand, ComparesLevelsOfASceneWithItself) {
  const ProcessResult result = percuss({"study", "scene.yaml", "--levels", "3", "--quantity", "height"});
  expect_exit(result, 0);
  for (const char* part :
       {"Base", "step [s]", "0.01      0.005     0.0025", "height", "error of the finest about"})
    EXPECT_TRUE(contains(result.output, part)) << "no '" << part << "' in\n" << result.output;
  const Arguments levels = {"study", "scene.yaml", "--levels", "3"};
  expect_exit(percuss(levels + Arguments{"--set", "time.adaptive.tolerance=1e-2", "--until", "0.5"}), 0);
  expect_refused(levels + Arguments{"--steps", "1e-3"},
                 {"--levels takes the step and the integrator of the scene"});
  expect_refused(levels + Arguments{"--quantity", "heigth"}, {"--quantity heigth"});
  expect_refused(levels + Arguments{"--norm", "spectral"}, {"--norm spectral: --levels knows graph"});
  expect_refused(levels + Arguments{"-o", "out"}, {"--levels prints a table and writes no files"});
  expect_refused(levels + Arguments{"--trajectories", "0.01"}, {"leave out -o and --trajectories"});
  EXPECT_EQ(percuss(levels + Arguments{"-q"}).output, "");
  expect_refused(levels + Arguments{"--set", "time.step=1e-14"}, {"time.step"});
}

TEST_F(StudyCommand, ComparesAdaptiveWithConstantSteps) {
  write_file(
      folder_ / "study.yaml",
      with_change("theta: 1, label: damped", "label: adaptive, tolerances: [1e-2, 1e-3, 1e-4]", study_text));
  expect_exit(percuss({"study", "study.yaml", "-q"}), 0);
  EXPECT_EQ(table("study_study/errors.csv")[6][2], "finished");
  write_file(folder_ / "study.yaml",
             with_change("theta: 1, label: damped", "label: adaptive, tolerances: [1e-2]", study_text));
  expect_refused({"study", "study.yaml"}, {"integrators[1].tolerances: 1 tolerances do not fit 3 steps"});
}

TEST_F(StudyCommand, SuggestsAStepWithReasons) {
  const ProcessResult result = percuss({"suggest", "scene.yaml", "--pilot"});
  expect_exit(result, 0);
  for (const char* part : {"why", "speed: 1 %", "duration: a 200th",
                           "first step to try: time.step:", "pilot with tolerance 0.001"})
    EXPECT_TRUE(contains(result.output, part)) << "no '" << part << "' in\n" << result.output;
  write_file(folder_ / "scene.yaml", with_change("scheme: moreau-jean\n  theta: 0.5", "scheme: hht"));
  expect_exit(percuss({"suggest", "scene.yaml"}), 0);
  expect_refused({"suggest", "scene.yaml", "--pilot"}, {"'hht' makes larger errors"});
  expect_exit(percuss({"suggest", "none.yaml"}), bad_file);
}

TEST_F(StudyCommand, ToleranceOfASchemeThatChoosesItsSteps) {
  const Arguments events = {"--set", "integrator.scheme=event-driven"};
  const ProcessResult advice = percuss(Arguments{"suggest", "scene.yaml", "--pilot"} + events);
  expect_exit(advice, 0);
  for (const char* part : {"'event-driven' chooses its steps itself",
                           "study scene.yaml --levels 3 --set 'integrator.scheme=event-driven'"})
    EXPECT_TRUE(contains(advice.output, part)) << "no '" << part << "' in\n" << advice.output;
  EXPECT_FALSE(contains(advice.output, "first step to try"));
  const ProcessResult levels =
      percuss(Arguments{"study", "scene.yaml", "--levels", "3", "--until", "0.5"} + events);
  expect_exit(levels, 0);
  for (const char* part : {"relative tolerance", "1e-08      1e-09      1e-10", "the same to"})
    EXPECT_TRUE(contains(levels.output, part)) << "no '" << part << "' in\n" << levels.output;
}

TEST_F(StudyCommand, WritesTableCsvAndPictures) {
  const ProcessResult result = percuss({"study", "study.yaml", "--trajectories", "0.01"});
  expect_exit(result, 0);
  for (const char* part : {"Base", "reference: moreau-jean, step 0.0001 s", "height", "damped", "fit 1.0",
                           "cost", "CPU [s]", "study_study: errors.csv, convergence.png"})
    EXPECT_TRUE(contains(result.output, part)) << "no '" << part << "' in\n" << result.output;
  const auto rows = table("study_study/errors.csv");
  ASSERT_EQ(rows.size(), 7u);
  EXPECT_EQ(rows[0][0], "integrator");
  EXPECT_EQ(rows[0][4], "error height");
  EXPECT_EQ(rows[6][0], "damped");
  EXPECT_EQ(rows[6][1], "0.0025");
  EXPECT_GT(std::stod(rows[6][4]), 0);
  EXPECT_NEAR(std::stod(rows[6][5]), 1, 0.3) << "order";
  EXPECT_TRUE(contains(read_file(folder_ / "study_study/errors.csv"), "# units: ,s,,s,1,1,1"));
  for (const char* file : {"convergence.png", "work_precision.png", "trajectories_0.01.csv"})
    EXPECT_TRUE(fs::exists(folder_ / "study_study" / file)) << file;
}

TEST_F(StudyCommand, IsTheSameFromOptionsAndForAnyNumberOfThreads) {
  expect_exit(percuss({"study", "study.yaml", "-q", "-o", "a", "--threads", "1"}), 0);
  const ProcessResult result =
      percuss({"study", "scene.yaml", "--steps", "1e-2,5e-3,2.5e-3", "--integrators", "moreau-jean",
               "--integrators", "moreau-jean{theta: 1}", "--quantity", "height", "--reference",
               "finest{step: 1e-4}", "--until", "0.4", "-q", "-o", "b", "--threads", "4"});
  expect_exit(result, 0);
  EXPECT_EQ(result.output, "");
  const auto a = table("a/errors.csv"), b = table("b/errors.csv");
  ASSERT_EQ(a.size(), 7u);
  ASSERT_EQ(a.size(), b.size());
  for (size_t i = 0; i < a.size(); ++i)
    for (size_t cell = 1; cell < 9; ++cell) EXPECT_EQ(a[i][cell], b[i][cell]) << a[0][cell];
  for (size_t i = 1; i < a.size(); ++i) EXPECT_GT(std::stod(a[i][4]), 0) << "a run that failed has no error";
  EXPECT_EQ(b[4][0], "moreau-jean{theta: 1}");
}

TEST_F(StudyCommand, TakesFormulasAndFilesAsReference) {
  const Arguments flight = two_steps + Arguments{"--integrators", "moreau-jean", "--until", "0.4", "-q"};
  expect_exit(percuss(flight + Arguments{"--reference", "exact{height: 1 - 5*t^2}", "-o", "exact"}), 0);
  expect_exit(percuss({"run", "scene.yaml", "-q", "-o", "fine.h5", "--set", "time.step=1e-3"}), 0);
  expect_exit(percuss({"export", "fine.h5", "--csv", "fine.csv"}), 0);
  expect_exit(
      percuss(flight + Arguments{"--reference", "{file: fine.csv, interpolation: cubic}", "-o", "file"}), 0);
  for (const char* folder : {"exact/errors.csv", "file/errors.csv"})
    EXPECT_LT(std::stod(table(folder)[1][4]), 1e-9) << "theta = 1/2 is exact in free flight";
}

TEST_F(StudyCommand, ReportsARunThatFailsAsARow) {
  const ProcessResult result = percuss(base + Arguments{"--set", "parameters.stiffness=1e12", "--reference",
                                                        "finest{integrator: moreau-jean, step: 1e-3}"});
  expect_exit(result, 0);
  EXPECT_TRUE(contains(result.output, "moreau-explicit, step 0.01 s failed at t = ")) << result.output;
  EXPECT_EQ(table("scene_study/errors.csv")[3][2], "failed");
  const ProcessResult nothing = percuss(
      two_steps + Arguments{"--set", "parameters.stiffness=1e12", "--integrators", "moreau-explicit"});
  expect_exit(nothing, numerical_failure);
  EXPECT_TRUE(contains(nothing.errors, "nothing to compare")) << nothing.errors;
}

TEST_F(StudyCommand, KeepsWhatHasFinishedWhenInterrupted) {
  ProcessOptions options;
  options.directory = folder_.path();
  options.signal = SIGINT;
  options.signal_when = [&] { return fs::exists(folder_ / "out"); };
  const ProcessResult result = run_percuss({"study", "scene.yaml", "--steps", "1e-1,1e-7", "--integrators",
                                            "moreau-jean", "--reference", "exact{height: 1}", "-o", "out"},
                                           options);
  expect_exit(result, 128 + SIGINT);
  EXPECT_TRUE(contains(result.errors, "of 2 runs have finished")) << result.errors;
  EXPECT_EQ(table("out/errors.csv").at(2)[2], "stopped");
}

TEST_F(StudyCommand, WorksWithoutGnuplot) {
  const std::string path = std::getenv("PATH");
  ::setenv("PATH", "/nowhere", 1);
  const ProcessResult result = percuss(base);
  ::setenv("PATH", path.c_str(), 1);
  expect_exit(result, 0);
  EXPECT_TRUE(contains(result.errors, "gnuplot is not installed")) << result.errors;
  EXPECT_TRUE(fs::exists(folder_ / "scene_study/errors.csv"));
}

TEST_F(StudyCommand, ExplainsWrongOptions) {
  expect_refused({"study", "scene.yaml"}, {"scene.yaml is a scene", "--steps 1e-2", "--integrators"}, 2);
  const Arguments step = {"study", "scene.yaml", "--integrators", "moreau-jean", "--steps"};
  expect_refused(step + Arguments{"1e-2,small"}, {"--steps 1e-2,small: steps[1]: 'small' is not a number"});
  expect_refused(step + Arguments{""}, {"--steps", "is not a number"});
  expect_refused(step + Arguments{"1e-2,-1"}, {"steps[1]: -1 is not allowed; steps must be > 0"});
  expect_refused(step + Arguments{"1e-2,3"},
                 {"steps[1]: 3 is not allowed; step must be at most the duration 1"});
  expect_refused(step + Arguments{"1e-2,1e-2"}, {"steps[1]: 0.01 stands twice"});
  expect_refused(step + Arguments{"1e-2:1e-4:1"}, {"'1e-2:1e-4:1'", "FIRST:LAST:COUNT"});
  expect_refused(step + Arguments{"1e-11"}, {"the runs would keep", "take fewer quantities or larger steps"});
  const Arguments scheme = two_steps + Arguments{"--integrators"};
  expect_refused(
      scheme + Arguments{"moreau-jan"},
      {"--integrators moreau-jan: integrators[0].scheme: unknown scheme", "did you mean 'moreau-jean'?"});
  expect_refused(scheme + Arguments{"moreau-jean{thetta: 1}"},
                 {"thetta: unknown key; did you mean 'theta'?"});
  expect_refused(scheme + Arguments{"moreau-jean{theta: 3}"},
                 {"integrators[0].theta: 3 is not allowed", "[0.5, 1]"});
  expect_refused(scheme + Arguments{"moreau-jean{theta: [}"}, {"integrators[0]: 'moreau-jean{theta: [}'"});
  expect_refused(scheme + Arguments{"hht-direct"}, {"integrators[0].scheme: 'hht-direct' does not converge"});
  expect_refused(scheme + Arguments{"schatzman-paoli", "--set", "pairs[0].friction=0.5"},
                 {"integrators[0].scheme: 'schatzman-paoli' has no friction"});
  expect_refused(scheme + Arguments{"moreau-jean,moreau-jean"},
                 {"integrators[1]: 'moreau-jean' stands twice"});
  expect_refused(base + Arguments{"--quantity", "heigth"},
                 {"quantities[0]: the scene has no probe 'heigth'", "did you mean 'height'?"});
  expect_refused(base + Arguments{"--quantity", "bal.position.z"},
                 {"unknown name 'bal'; did you mean 'ball'?"});
  expect_refused(base + Arguments{"--norm", "l2"},
                 {"--norm l2: norm: 'l2' is not allowed", "l1, graph, spectral"});
  expect_refused(base + Arguments{"--until", "-1"},
                 {"--until -1: until: -1 is not allowed; end must be later"});
  expect_refused(base + Arguments{"--trajectories", "0.3"},
                 {"--trajectories 0.3 is none of the steps: 0.01, 0.005"});
  expect_refused(base + Arguments{"--set", "time.stepp=1"}, {"--set time.stepp=1"});
  expect_refused(base + Arguments{"--set", "time.step=1"},
                 {"--set time.step=1: steps and integrators are those"});
  expect_refused({"study", "old.h5"}, {"old.h5:"});
  expect_exit(percuss({"study", "none.yaml"}), bad_file);
  write_file(folder_ / "text.yaml", "hello: 1\n");
  expect_refused({"study", "text.yaml"}, {"text.yaml:1:1: expected a scene", "study: 1"});
}

TEST_F(StudyCommand, ExplainsWrongReferences) {
  const Arguments reference = base + Arguments{"--reference"};
  expect_refused(reference + Arguments{"none.csv"},
                 {"--reference none.csv: reference.file: cannot read the table"});
  expect_refused(reference + Arguments{"short.csv"},
                 {"short.csv reaches from t = 0 s to 0.5 s, the runs from 0 s to 1 s"});
  expect_refused(reference + Arguments{"short.csv", "--quantity", "energy"},
                 {"short.csv has no column 'energy'"});
  expect_refused(reference + Arguments{"exact"}, {"there is no formula for the quantity 'height'"});
  expect_refused(reference + Arguments{"exact{hight: 1, height: 2}"}, {"'hight' is none of the quantities"});
  expect_refused(reference + Arguments{"exact{height: 1/t}"}, {"it is not finite at t = 0 s"});
  expect_refused(reference + Arguments{"exact{height: 1 + x}"}, {"reference.exact.height: '1 + x' is not"});
  expect_refused(reference + Arguments{"finest{step: -1}"}, {"reference.finest.step: -1 is not allowed"});
  expect_refused(reference + Arguments{"finest{step: 2}"}, {"reference.finest.step: 2 is not allowed"});
  expect_refused(reference + Arguments{"finest{integrator: moreau-jan}"},
                 {"there is no integrator with the label 'moreau-jan'; did you mean 'moreau-jean'?"});
  expect_refused(reference + Arguments{"{file: short.csv, exact: {height: 1}}"},
                 {"give one of exact, finest and file"});
  write_file(folder_ / "short.csv", "time,height\n0,1\n0.5\n");
  expect_refused(reference + Arguments{"short.csv"}, {"short.csv:3: expected 2 numbers"});
  write_file(folder_ / "short.csv", "time,height\n0,1\n0.5,x\n");
  expect_refused(reference + Arguments{"short.csv"},
                 {"short.csv:3: 'x' in the column 'height' is not a finite number"});
  write_file(folder_ / "short.csv", "time,height\n0,1\n1,1\n1,1\n");
  expect_refused(reference + Arguments{"short.csv"}, {"the times in short.csv must increase"});
}

struct StudyFault {
  std::string part, replacement;
  std::vector<std::string> messages;
};

TEST_F(StudyCommand, ExplainsWrongFiles) {
  const std::vector<StudyFault> cases = {
      {"steps: [1e-2, 5e-3, 2.5e-3]", "steps: []", {"study.yaml:4:8: steps: the list is empty"}},
      {"steps: [1e-2, 5e-3, 2.5e-3]",
       "step: [1e-2]",
       {"study.yaml:4:1: step: unknown key; did you mean 'steps'?"}},
      {"integrators:\n  - moreau-jean\n  - {scheme: moreau-jean, theta: 1, label: damped}",
       "",
       {"study.yaml:1:1: the key 'integrators' is missing"}},
      {"scene: scene.yaml", "scene: none.yaml", {"cannot read none.yaml: there is no such file"}},
      {"label: damped",
       "lable: damped",
       {"study.yaml:7:37: integrators[1].lable: unknown key; did you mean 'label'?"}},
      {"theta: 1", "theta: 2", {"study.yaml:7:34: integrators[1].theta: 2 is not allowed"}},
      {"theta: 1", "set: {bodies[bal].mass: 1}", {"study.yaml:"}},
      {"theta: 1",
       "set: {parameters.heigth: 1}",
       {"study.yaml:7:32: integrators[1].set: parameters.heigth=1:", "did you mean 'height'?"}},
      {"until: 0.4",
       "until: 0.4\nset: {parameters.heigth: 1}",
       {"study.yaml:4:6: set: parameters.heigth=1:"}},
      {"until: 0.4", "until: soon", {"study.yaml:3:8: until: 'soon' is not a number"}},
      {"[height]", "[heigth]", {"study.yaml:8:14: quantities[0]: the scene has no probe 'heigth'"}},
      {"study: 1", "study: 2", {"study.yaml:1:8: study: 2 is not allowed"}},
  };
  for (const auto& c : cases) {
    SCOPED_TRACE(c.replacement);
    write_file(folder_ / "study.yaml", with_change(c.part, c.replacement, study_text));
    const auto before = content();
    const ProcessResult result = percuss({"study", "study.yaml"});
    expect_no_crash(result);
    EXPECT_TRUE(result.exit_code == bad_input || result.exit_code == bad_file) << result.exit_code;
    expect_messages(result, c.messages);
    expect_content(before);
  }
}

TEST_F(StudyCommand, LeavesOtherFilesAlone) {
  write_file(folder_ / "letter", "Dear Sir");
  const ProcessResult result = percuss(base + Arguments{"-o", "letter"});
  expect_exit(result, bad_file);
  expect_messages(result, {"cannot write letter"});
  EXPECT_EQ(read_file(folder_ / "letter"), "Dear Sir");
}

TEST(Studies, AllLoadAndKnowTheirScenes) {
  int count = 0;
  for (const auto& entry : fs::directory_iterator(PERCUSS_SOURCE_DIR "/scenes/studies")) {
    if (entry.path().extension() != ".yaml") continue;
    const Study study = load_study(entry.path().string());
    EXPECT_GE(study.plan.tasks.size(), 3u) << entry.path();
    ++count;
  }
  EXPECT_GE(count, 6);
}

}  // namespace
}  // namespace percuss
