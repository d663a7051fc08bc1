#include <nlohmann/json.hpp>

#include "percuss/io/fclib.h"
#include "percuss/io/problem_text.h"
#include "percuss/nonsmooth/residual.h"
#include "percuss/nonsmooth/solvers.h"
#include "support/problem_files.h"
#include "support/process.h"

// `percuss solve`: one contact problem from a file.
namespace percuss {
namespace {

namespace fs = std::filesystem;
using namespace percuss::testing;
using nlohmann::json;

class SolveCommand : public ::testing::Test {
 protected:
  void SetUp() override {
    ContactProblem content;
    content.title = "A ball that sticks";
    content.problem = sticking_ball();
    write_fclib((folder_ / "ball.hdf5").string(), content);
    content.title = "Bodies and joints";
    content.problem = random_global(ConeKind::coulomb, 0, 1);
    write_fclib((folder_ / "bodies.hdf5").string(), content);
    write_file(folder_ / "lcp.dat", "2\n0\n2\n2\n2 2\n2 1\n1 2\n-5 -6\n");
  }
  ProcessResult solve(std::vector<std::string> arguments) const {
    arguments.insert(arguments.begin(), "solve");
    return run_percuss_in(folder_, arguments);
  }
  json solved_json(std::vector<std::string> arguments) const {
    arguments.emplace_back("--json");
    const ProcessResult result = solve(arguments);
    expect_exit(result, 0);
    EXPECT_EQ(result.errors, "");
    return json::parse(result.output);
  }
  void expect_refused(const std::vector<std::string>& arguments, int exit_code,
                      const std::vector<std::string>& messages) const {
    const ProcessResult result = solve(arguments);
    expect_exit(result, exit_code);
    EXPECT_EQ(result.output, "");
    for (const auto& message : messages)
      EXPECT_TRUE(contains(result.errors, message)) << "no '" << message << "' in: " << result.errors;
    EXPECT_FALSE(fs::exists(folder_ / "new.hdf5"));
  }
  TemporaryDirectory folder_;
};

TEST_F(SolveCommand, TakesOptionsOfSingleMethods) {
  for (const std::vector<std::string>& options :
       {std::vector<std::string>{"--solver", "newton", "--formulation", "fischer-burmeister"},
        {"--solver", "proximal", "--formulation", "natural-map"},
        {"--solver", "nlgs", "--local", "projection", "--threads", "2", "--acceleration", "5"},
        {"--solver", "admm", "--acceleration", "0"}}) {
    std::vector<std::string> arguments = {"bodies.hdf5"};
    arguments.insert(arguments.end(), options.begin(), options.end());
    EXPECT_EQ(solved_json(arguments)["results"][0]["status"], "converged") << options[1];
  }
  // Without acceleration admm takes more iterations.
  const auto iterations = [&](const char* memory) {
    return solved_json(
               {"bodies.hdf5", "--solver", "admm", "--acceleration", memory})["results"][0]["iterations"]
        .get<int>();
  };
  EXPECT_GT(iterations("0"), iterations("20"));
}

TEST_F(SolveCommand, ReportsTheResidual) {
  const ProcessResult result = solve({"ball.hdf5", "--solver", "nlgs"});
  expect_exit(result, 0);
  for (const char* part :
       {"ball.hdf5: A ball that sticks", "contacts            1, 3 rows", "converged", "tolerance 1e-08",
        "m/s", "unscaled residual", "method              nlgs", "iterations", "time"})
    EXPECT_TRUE(contains(result.output, part)) << part << " is not in:\n" << result.output;
}

TEST_F(SolveCommand, WritesReactionsAndVelocitiesIntoACopy) {
  for (const std::string name : {"ball.hdf5", "bodies.hdf5"}) {
    SCOPED_TRACE(name);
    const std::string before = read_file(folder_ / name);
    const json report = solved_json({name, "--solver", "nlgs", "-o", "new.hdf5"});
    EXPECT_EQ(report.at("output"), "new.hdf5");
    EXPECT_EQ(read_file(folder_ / name), before);
    const ContactProblem content = read_fclib((folder_ / "new.hdf5").string());
    EXPECT_EQ(content.title, report.at("title"));
    ASSERT_TRUE(content.solution);
    const auto* global = std::get_if<GlobalProblem>(&content.problem);
    const LocalProblem local = global ? condense(*global) : std::get<LocalProblem>(content.problem);
    EXPECT_LE(residual_of(local, content.solution->r).relative, 1e-8);
    EXPECT_EQ(content.solution->v.size(), global ? static_cast<size_t>(global->dof_count()) : 0u);
    const json again = solved_json({"new.hdf5", "--solver", "nlgs"});
    EXPECT_LE(again.at("stored_solution_residual").get<double>(), 1e-8);
  }
}

TEST_F(SolveCommand, JsonHasTheSameNumbers) {
  const json report = solved_json({"ball.hdf5", "--solver", "nlgs"});
  EXPECT_EQ(report.at("form"), "local");
  EXPECT_EQ(report.at("contacts"), 1);
  EXPECT_EQ(report.at("rows"), 3);
  EXPECT_TRUE(report.at("degrees_of_freedom").is_null());
  EXPECT_TRUE(report.at("output").is_null());
  const json& result = report.at("results").at(0);
  EXPECT_EQ(result.at("solver"), "nlgs");
  EXPECT_EQ(result.at("status"), "converged");
  EXPECT_LE(result.at("relative_residual").get<double>(), 1e-8);
  EXPECT_GE(result.at("seconds").get<double>(), 0.0);
}

TEST_F(SolveCommand, ComparesAllSolvers) {
  const ProcessResult table = solve({"bodies.hdf5", "--compare"});
  expect_exit(table, 0);
  const json report = solved_json({"bodies.hdf5", "--compare"});
  ASSERT_EQ(report.at("results").size(), solver_names.size());
  for (size_t i = 0; i < solver_names.size(); ++i) {
    EXPECT_EQ(report.at("results")[i].at("solver"), solver_names[i].second);
    EXPECT_TRUE(contains(table.output, "\n  " + std::string(solver_names[i].second) + " ")) << table.output;
  }
  EXPECT_TRUE(contains(table.output, "unsupported")) << "Lemke knows no friction:\n" << table.output;
}

TEST_F(SolveCommand, SolvesComplementarityProblems) {
  const json report = solved_json({"lcp.dat", "--solver", "lemke"});
  EXPECT_EQ(report.at("contacts"), 2);
  EXPECT_EQ(report.at("results")[0].at("method"), "lemke");
}

TEST_F(SolveCommand, ReportsWhatDidNotConverge) {
  const ProcessResult limited =
      solve({"bodies.hdf5", "--solver", "nlgs", "--max-iterations", "1", "--tolerance", "1e-15"});
  expect_exit(limited, 1);
  EXPECT_TRUE(contains(limited.errors, "'nlgs' ended with 'iteration limit'")) << limited.errors;
  const ProcessResult late =
      solve({"bodies.hdf5", "--solver", "nlgs", "--time-limit", "1e-9", "--tolerance", "1e-300"});
  expect_exit(late, 1);
  EXPECT_TRUE(contains(late.errors, "'nlgs' ended with 'time limit'")) << late.errors;
  const ProcessResult unsupported = solve({"ball.hdf5", "--solver", "lemke", "-o", "new.hdf5"});
  expect_exit(unsupported, 1);
  EXPECT_TRUE(contains(unsupported.errors, "'lemke' cannot treat a law of this problem"))
      << unsupported.errors;
  EXPECT_TRUE(contains(unsupported.errors, "nothing was written")) << unsupported.errors;
  EXPECT_FALSE(fs::exists(folder_ / "new.hdf5"));
}

TEST_F(SolveCommand, RefusesWrongArguments) {
  expect_refused({"none.hdf5"}, 3, {"cannot read none.hdf5: No such file"});
  expect_refused({"lcp.dat", "--solver", "lemkee"}, 2, {"no solver 'lemkee'", "did you mean 'lemke'?"});
  expect_refused({"ball.hdf5", "--formulation", "natural-map"}, 2,
                 {"--formulation is an option of newton and proximal", "the solver is 'auto'"});
  expect_refused({"ball.hdf5", "--solver", "newton", "--formulation", "natural"}, 2,
                 {"there is no 'natural'", "known: alart-curnier, jean-moreau"});
  expect_refused({"ball.hdf5", "--solver", "nlgs", "--threads", "0"}, 2, {"--threads", "1 to 256"});
  expect_refused({"lcp.dat", "--solver", "x"}, 2, {"no solver 'x'", "known: auto, nlgs"});
  expect_refused({"ball.hdf5", "--tolerance", "0"}, 2, {"--tolerance is 0; it must be positive"});
  expect_refused({"ball.hdf5", "--tolerance", "nan"}, 2, {"--tolerance"});
  expect_refused({"ball.hdf5", "--tolerance", "small"}, 2, {"--tolerance", "small"});
  expect_refused({"ball.hdf5", "--max-iterations", "-1"}, 2, {"--max-iterations is -1"});
  for (const char* limit : {"0", "-1", "nan"})
    expect_refused({"ball.hdf5", "--time-limit", limit}, 2,
                   {"--time-limit is", "it must be a positive number of seconds"});
  expect_refused({"ball.hdf5", "--compare", "-o", "new.hdf5"}, 2, {"--compare"});
  expect_refused({"lcp.dat", "--solver", "lemke", "-o", "new.hdf5"}, 2,
                 {"lcp.dat", "contacts with friction"});
  expect_refused({}, 2, {"problem is required"});
}

TEST_F(SolveCommand, KeepsTheInputAndFilesOfOthers) {
  const std::string before = read_file(folder_ / "ball.hdf5");
  fs::create_symlink("ball.hdf5", folder_ / "link.hdf5");
  write_file(folder_ / "letter.txt", "Dear Sir");
  for (const char* output : {"ball.hdf5", "./ball.hdf5", "link.hdf5"})
    expect_refused({"ball.hdf5", "--solver", "nlgs", "-o", output}, 3, {"it is the problem that was read"});
  expect_refused({"ball.hdf5", "--solver", "nlgs", "-o", "letter.txt"}, 3, {"holds no contact problem"});
  expect_refused({"ball.hdf5", "--solver", "nlgs", "-o", "."}, 3, {"it is a directory"});
  expect_refused({"letter.txt"}, 3, {"it is not an HDF5 file"});
  EXPECT_EQ(read_file(folder_ / "ball.hdf5"), before);
  EXPECT_EQ(read_file(folder_ / "letter.txt"), "Dear Sir");
}

TEST_F(SolveCommand, RefusesAMassMatrixThatIsNotPositiveDefinite) {
  ContactProblem content;
  GlobalProblem problem = random_global(ConeKind::coulomb, 0, 1);
  problem.M.coeffRef(0, 0) = -1.0;
  content.problem = problem;
  write_fclib((folder_ / "bodies.hdf5").string(), content);
  expect_refused({"bodies.hdf5"}, 3, {"cannot solve bodies.hdf5: /fclib_global/M is not positive definite"});
}

TEST_F(SolveCommand, SolvesWhatARunHasSaved) {
  const ProcessResult run = run_percuss_in(folder_, {"run", PERCUSS_SOURCE_DIR "/scenes/sliding_block.yaml",
                                                     "--set", "time.end=0.005", "--dump-problems", "steps"});
  expect_exit(run, 0);
  int files = 0;
  for (const auto& file : fs::directory_iterator(folder_ / "steps")) {
    ++files;
    expect_exit(solve({"steps/" + file.path().filename().string()}), 0);
  }
  EXPECT_GE(files, 5);
  EXPECT_TRUE(contains(run.output, std::to_string(files) + " contact problems in steps")) << run.output;
  const ProcessResult alone = run_percuss_in(
      folder_, {"run", PERCUSS_SOURCE_DIR "/scenes/sliding_block.yaml", "--worse-than", "1e-6"});
  expect_exit(alone, 2);
  EXPECT_TRUE(contains(alone.errors, "--worse-than requires --dump-problems")) << alone.errors;
}

TEST_F(SolveCommand, SaysWhetherReactionsAreUniqueAndSelectsThoseOfLeastNorm) {
  // A table of four legs without friction: rows of H are (1, x, y).
  const double legs[4][3] = {{1, 1, 1}, {1, -1, 1}, {1, -1, -1}, {1, 1, -1}};
  std::string text = "4\n0\n4\n4\n4 4\n";
  for (const auto& column : legs) {
    for (const auto& row : legs)
      text += std::to_string(row[0] * column[0] + row[1] * column[1] + row[2] * column[2]) + " ";
    text += "\n";
  }
  write_file(folder_ / "table.dat", text + "-1 -1 -1 -1\n");

  const json any = solved_json({"table.dat", "--reactions"}).at("results")[0];
  EXPECT_EQ(any.at("undetermined_at_least"), 1);
  EXPECT_EQ(any.at("undetermined_at_most"), 1);
  EXPECT_EQ(any.at("selection"), "any");
  const json least =
      solved_json({"table.dat", "--reactions", "--selection", "minimum-norm"}).at("results")[0];
  EXPECT_EQ(least.at("selection"), "minimum-norm");
  for (const double r : least.at("r")) EXPECT_NEAR(r, 0.25, 1e-14);
  const ProcessResult shown = solve({"table.dat", "--reactions", "--selection", "minimum-norm"});
  for (const char* part : {"not unique: they can move in 1 direction", "selection           minimum-norm",
                           "no friction", "0.25"})
    EXPECT_TRUE(contains(shown.output, part)) << part << " is not in:\n" << shown.output;

  const json unique = solved_json({"lcp.dat", "--reactions"}).at("results")[0];
  EXPECT_EQ(unique.at("undetermined_at_most"), 0);
  EXPECT_NEAR(unique.at("r")[0].get<double>(), 4.0 / 3, 1e-14);
  EXPECT_TRUE(contains(solve({"lcp.dat"}).output, "reactions           unique"));
  expect_refused({"table.dat", "--selection", "minimum"}, 2, {"there is no selection 'minimum'"});
}

TEST_F(SolveCommand, AnHdf5FileMayHaveTheEndingOfATextFile) {
  fs::copy_file(folder_ / "ball.hdf5", folder_ / "ball.dat");
  EXPECT_EQ(solved_json({"ball.dat"}).at("title"), "A ball that sticks");
}

TEST_F(SolveCommand, AFolderThatIsNotThereIsNoticedBeforeTheWork) {
  expect_refused({"ball.hdf5", "-o", "nowhere/new.hdf5"}, 3, {"there is no folder nowhere"});
}

}  // namespace
}  // namespace percuss
