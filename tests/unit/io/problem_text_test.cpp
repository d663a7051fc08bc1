#include "percuss/io/problem_text.h"

#include <gtest/gtest.h>

#include "percuss/io/fclib.h"
#include "percuss/nonsmooth/solvers.h"
#include "support/problem_files.h"
#include "unit/io/problem_file_checks.h"

// Complementarity problems as text, and the files of the collection.
namespace percuss {
namespace {

namespace fs = std::filesystem;
using testing::complaint_about;
using testing::contains;
using testing::expect_same;
using testing::TemporaryDirectory;
using testing::write_file;

class ProblemTextTest : public ::testing::Test {
 protected:
  TemporaryDirectory folder_;
};

TEST_F(ProblemTextTest, TextProblemsReturnAsTheyWere) {
  LocalProblem problem;
  for (int i = 0; i < 3; ++i) {
    problem.u_free.push_back(-0.1 * i);
    problem.cones.push_back({ConeKind::nonnegative});
  }
  problem.W.add_cones(problem.cones);
  problem.W.append_all([](int i, int j) { return 1.0 / (1 + i + 2 * j); });
  const std::string text = (folder_ / "lcp.dat").string();
  write_problem_text(text, problem);
  expect_same(read_problem_text(text), problem);
  EXPECT_THROW(write_problem_text(text, testing::sticking_ball()), IoError);
}

TEST_F(ProblemTextTest, TextIsReadColumnByColumn) {
  const fs::path text = folder_ / "lcp.dat";
  write_file(text, "2\n0\n2\n2\n2\t2\n1 2\n0 +3\n-1 -1.5e0\n\nfrom a book\n");
  const auto problem = std::get<LocalProblem>(read_contact_problem(text.string()).problem);
  EXPECT_NO_THROW(problem.validate());
  const auto values = problem.W.values();
  EXPECT_EQ(std::vector<double>(values.begin(), values.end()), (std::vector<double>{1, 0, 2, 3}));
  EXPECT_EQ(problem.u_free, (std::vector<double>{-1, -1.5}));
}

TEST_F(ProblemTextTest, DamagedTextIsReportedWithItsLine) {
  const std::vector<std::pair<std::string, std::string>> cases = {
      {"", "it is empty"},
      {"two\n", "line 1: 'two' is not an integer"},
      {"0\n", "line 1: the number of rows is 0; it must be positive"},
      {"2\n1\n", "line 2: the storage of the matrix (0: dense) is 1; it must be 0"},
      {"2\n0\n3\n", "line 3: the number of rows of the matrix is 3; it must be 2"},
      {"2\n0\n2\n2\n2 1\n", "line 5: the number of its columns is 1; it must be 2"},
      {"1\n0\n1\n1\n1 1\n1 ?\n", "line 6: '?' is not a number"},
      {"1\n0\n1\n1\n1 1\nnan 1\n", "line 6: an entry of the matrix is nan; it must be finite"},
      {"1\n0\n1\n1\n1 1\n1e999 1\n", "line 6: '1e999' is not a number"},
      {"1\n0\n1\n1\n1 1\n123456\n", "line 7: the file ends where an entry of the vector is expected"},
      {"99999\n0\n99999\n99999\n99999 99999\n1\n", "has 9999900000 numbers, more than there can be"}};
  for (const auto& [bytes, message] : cases) {
    write_file(folder_ / "lcp.dat", bytes);
    const std::string complaint = complaint_about(folder_ / "lcp.dat");
    EXPECT_TRUE(contains(complaint, message)) << "no '" << message << "' in: " << complaint;
  }
}

// ----------------------------- the collection, where it is at hand

const fs::path collection = fs::path(PERCUSS_SOURCE_DIR) / "../shared/fc";

class ContactProblemCollection : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!fs::exists(collection))
      GTEST_SKIP() << "no contact problems in " << collection << ": nothing was tested";
  }
};

/// These files have no checksums but those of their compressed lists.
TEST_F(ContactProblemCollection, NoDamageCrashes) {
  testing::expect_damage_is_survived(collection / "local/FC3D_Example1.hdf5", 400);
  testing::expect_damage_is_survived(collection / "global/GFC3D_OneContact.hdf5", 400);
}

TEST_F(ContactProblemCollection, LemkesMethodSolvesTheComplementarityProblems) {
  for (const auto& entry : fs::directory_iterator(collection / "lcp")) {
    const LocalProblem problem = read_problem_text(entry.path().string());
    Solution out;
    make_solver(SolverName::lemke, {.tolerance = 1e-12})->solve(problem, {}, out);
    EXPECT_EQ(out.status, SolveStatus::converged) << entry.path();
  }
}

TEST_F(ContactProblemCollection, EveryFileIsReadAndWrittenWithoutLoss) {
  const TemporaryDirectory folder;
  int files = 0;
  for (const char* kind : {"local", "global", "lcp"})
    for (const auto& entry : fs::directory_iterator(collection / kind)) {
      SCOPED_TRACE(entry.path().string());
      ++files;
      const ContactProblem content = read_contact_problem(entry.path().string());
      const bool is_text = entry.path().extension() == ".dat";
      const std::string copy = (folder / (is_text ? "copy.dat" : "copy.hdf5")).string();
      if (is_text)
        write_problem_text(copy, std::get<LocalProblem>(content.problem));
      else
        write_fclib(copy, content);
      const ContactProblem again = read_contact_problem(copy);
      EXPECT_EQ(again.title, content.title);
      EXPECT_EQ(again.dof_count, content.dof_count);
      ASSERT_EQ(again.is_global(), content.is_global());
      if (const auto* global = std::get_if<GlobalProblem>(&content.problem)) {
        EXPECT_NO_THROW(global->validate());
        EXPECT_EQ((std::get<GlobalProblem>(again.problem).M - global->M).norm(), 0.0);
        EXPECT_EQ((std::get<GlobalProblem>(again.problem).H - global->H).norm(), 0.0);
      } else {
        EXPECT_NO_THROW(std::get<LocalProblem>(content.problem).validate());
        expect_same(std::get<LocalProblem>(again.problem), std::get<LocalProblem>(content.problem));
      }
    }
  EXPECT_GT(files, 40);
}

}  // namespace
}  // namespace percuss
