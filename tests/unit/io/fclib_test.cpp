#include "percuss/io/fclib.h"

#include <cmath>

#include <gtest/gtest.h>

#include "percuss/io/hdf5_writer.h"
#include "percuss/io/io_error.h"
#include "percuss/nonsmooth/solvers.h"
#include "support/problem_files.h"
#include "unit/io/problem_file_checks.h"

namespace percuss {
namespace {

namespace fs = std::filesystem;
using testing::complaint_about;
using testing::contains;
using testing::expect_same;
using testing::TemporaryDirectory;
using testing::write_file;

void expect_same(const StoredSolution& a, const StoredSolution& b) {
  EXPECT_EQ(a.r, b.r);
  EXPECT_EQ(a.u, b.u);
  EXPECT_EQ(a.v, b.v);
}

/// Numbers that are all different; equalities have no velocity.
StoredSolution numbered_solution(const std::vector<Cone>& cones, int dofs, double start) {
  StoredSolution solution;
  for (const Cone& cone : cones)
    for (int i = 0; i < cone.rows(); ++i) {
      solution.r.push_back(start++);
      solution.u.push_back(cone.kind == ConeKind::equality ? 0.0 : -start);
    }
  for (int i = 0; i < dofs; ++i) solution.v.push_back(start++);
  return solution;
}

class FclibTest : public ::testing::Test {
 protected:
  std::string path() const { return (folder_ / "problem.hdf5").string(); }
  ContactProblem after_round_trip(const ContactProblem& content) const {
    write_fclib(path(), content);
    return read_fclib(path());
  }
  TemporaryDirectory folder_;
};

TEST_F(FclibTest, LocalProblemsReturnAsTheyWere) {
  for (const ConeKind kind : {ConeKind::coulomb, ConeKind::planar_coulomb})
    for (const int equalities : {0, 2}) {
      ContactProblem content;
      content.problem = condense(testing::random_global(kind, equalities, 1));
      content.title = "A heap";
      content.description = "of things, weighing 3 µg";
      content.dof_count = 24;
      content.solution = numbered_solution(content.cones(), 0, 1);
      content.guesses = {numbered_solution(content.cones(), 0, 100),
                         numbered_solution(content.cones(), 0, 500)};
      const ContactProblem read = after_round_trip(content);
      ASSERT_FALSE(read.is_global());
      expect_same(std::get<LocalProblem>(read.problem), std::get<LocalProblem>(content.problem));
      EXPECT_EQ(read.title, content.title);
      EXPECT_EQ(read.description, content.description);
      EXPECT_EQ(read.math_info, "");
      EXPECT_EQ(read.dof_count, content.dof_count);
      ASSERT_TRUE(read.solution);
      expect_same(*read.solution, *content.solution);
      ASSERT_EQ(read.guesses.size(), 2u);
      expect_same(read.guesses[1], content.guesses[1]);
    }
}

TEST_F(FclibTest, GlobalProblemsReturnAsTheyWere) {
  for (const ConeKind kind : {ConeKind::coulomb, ConeKind::planar_coulomb})
    for (const int equalities : {0, 2}) {
      ContactProblem content;
      const GlobalProblem problem = testing::random_global(kind, equalities, 2);
      content.problem = problem;
      content.solution = numbered_solution(problem.cones, problem.dof_count(), 1);
      const ContactProblem read = after_round_trip(content);
      ASSERT_TRUE(read.is_global());
      const auto& same = std::get<GlobalProblem>(read.problem);
      EXPECT_EQ((same.M - problem.M).norm(), 0.0);
      EXPECT_EQ((same.H - problem.H).norm(), 0.0);
      EXPECT_EQ(same.f, problem.f);
      EXPECT_EQ(same.w, problem.w);
      expect_same(condense(same), condense(problem));
      ASSERT_TRUE(read.solution);
      expect_same(*read.solution, *content.solution);
      EXPECT_TRUE(read.guesses.empty());
      EXPECT_FALSE(read.dof_count);
    }
}

TEST_F(FclibTest, OtherLawsHaveNoPlaceInTheLayout) {
  ContactProblem content;
  LocalProblem problem = testing::sticking_ball();
  problem.cones = {{ConeKind::nonnegative}, {ConeKind::nonnegative}, {ConeKind::nonnegative}};
  content.problem = problem;
  EXPECT_THROW(write_fclib(path(), content), IoError);
  EXPECT_TRUE(fs::is_empty(folder_.path()));
}

// ----------------------------- files written by hand

using Integers = std::vector<std::int32_t>;
using Numbers = std::vector<double>;

/// A local problem of two contacts in the plane, as plain datasets that a test may spoil.
struct RawLocal {
  Integers spacedim = {2}, m = {4}, n = {4}, nz = {6};
  Integers i = {0, 1, 2, 3, 0, 0}, p = {0, 1, 2, 3, 2, 2};
  Numbers x = {1, 2, 3, 4, 0.25, 0.25}, q = {-1, 0.5, -2, 0}, mu = {0.5, 0};
  std::string group = "/fclib_local", left_out;
  Numbers r, u;

  void write(const std::string& path) const {
    const auto file = Hdf5Writer::create(path);
    for (const char* part : {"", "/W", "/vectors"}) file->make_group(group + part);
    const auto add = [&](const std::string& name, const auto& values) {
      if (name != left_out) file->make(group + name, values);
    };
    add("/spacedim", spacedim);
    add("/W/m", m);
    add("/W/n", n);
    add("/W/nz", nz);
    add("/W/i", i);
    add("/W/p", p);
    add("/W/x", x);
    add("/vectors/q", q);
    add("/vectors/mu", mu);
    if (!r.empty()) {
      file->make_group("/solution");
      file->make("/solution/r", r);
      file->make("/solution/u", u);
    }
    file->close();
    file->publish();
  }
};

TEST_F(FclibTest, EveryStorageOfAMatrixMeansTheSame) {
  const RawLocal triplets;  // the last two are one entry
  RawLocal columns;
  columns.nz = {-1};
  columns.p = {0, 1, 2, 4, 5};
  columns.i = {0, 1, 2, 0, 3};
  columns.x = {1, 2, 3, 0.5, 4};
  RawLocal rows;
  rows.nz = {-2};
  rows.p = {0, 2, 3, 4, 5};
  rows.i = {2, 0, 1, 2, 3};
  rows.x = {0.5, 1, 2, 3, 4};
  RawLocal with_room = columns;  // nzmax may be larger than what is used
  with_room.i.resize(9, -7);
  with_room.x.resize(9, 0);
  for (const RawLocal& raw : {triplets, columns, rows, with_room}) {
    raw.write(path());
    const auto problem = std::get<LocalProblem>(read_fclib(path()).problem);
    EXPECT_NO_THROW(problem.validate());
    ASSERT_EQ(problem.W.blocks(), 4);  // of two rows and columns, unsymmetric as it was given
    const auto values = problem.W.values();
    EXPECT_EQ(Numbers(values.begin(), values.end()),
              (Numbers{1, 0, 0, 2, 0.5, 0, 0, 0, 0, 0, 0, 0, 3, 0, 0, 4}));
    EXPECT_EQ(problem.cones[0].kind, ConeKind::planar_coulomb);
    EXPECT_EQ(problem.cones[0].bound, 0.5);
  }
}

TEST_F(FclibTest, DamageIsReportedWithItsPlace) {
  struct Damage {
    std::function<void(RawLocal&)> spoil;
    std::vector<std::string> messages;
  };
  constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  const std::vector<Damage> damages = {
      {[](RawLocal& raw) { raw.group = "/elsewhere"; }, {"neither /fclib_local nor /fclib_global"}},
      {[](RawLocal& raw) { raw.spacedim = {4}; }, {"/fclib_local/spacedim is 4", "2 or 3"}},
      {[](RawLocal& raw) {
         raw.spacedim = {2, 2};
       },
       {"/fclib_local/spacedim has 2 entries", "must have one"}},
      {[](RawLocal& raw) { raw.spacedim = {3}; }, {"/fclib_local/vectors/q has 4 entries; it must have 6"}},
      {[](RawLocal& raw) { raw.m = {5}; }, {"/fclib_local/W/m is 5; it must be 4"}},
      {[](RawLocal& raw) { raw.n = {-1}; }, {"/fclib_local/W/n is -1; it must be 4"}},
      {[](RawLocal& raw) { raw.nz = {-3}; }, {"/fclib_local/W/nz is -3", "-1", "-2"}},
      {[](RawLocal& raw) { raw.nz = {7}; }, {"/fclib_local/W/i has 6 entries; it must have at least 7"}},
      {[](RawLocal& raw) { raw.nz = {2'000'000'000}; }, {"/fclib_local/W/i has 6 entries"}},
      {[](RawLocal& raw) { raw.i[4] = 4; }, {"/fclib_local/W/i[4] is 4; it must be from 0 to 3"}},
      {[](RawLocal& raw) { raw.p[2] = -1; }, {"/fclib_local/W/p[2] is -1; it must be from 0 to 3"}},
      {[](RawLocal& raw) { raw.x.pop_back(); }, {"/fclib_local/W/x has 5 entries; it must have at least 6"}},
      {[](RawLocal& raw) { raw.x[3] = nan; }, {"/fclib_local/W/x[3] is nan; it must be finite"}},
      {[](RawLocal& raw) { raw.q[1] = HUGE_VAL; }, {"/fclib_local/vectors/q[1] is inf; it must be finite"}},
      {[](RawLocal& raw) { raw.q.clear(); }, {"/fclib_local/vectors/q has 0 entries; it must have 4"}},
      {[](RawLocal& raw) { raw.mu[1] = -0.5; }, {"/fclib_local/vectors/mu[1] is -0.5; it must be >= 0"}},
      {[](RawLocal& raw) { raw.nz = {-1}; }, {"/fclib_local/W/p[4] is 2", "entry before, 3"}},
      {[](RawLocal& raw) {
         raw.nz = {-1}, raw.p = {1, 1, 2, 3, 4};
       },
       {"/fclib_local/W/p[0] is 1; it must be 0"}},
      {[](RawLocal& raw) {
         raw.nz = {-2}, raw.p = {0, 1, 2, 3, 9};
       },
       {"/fclib_local/W/p[4] is 9", "0 to 6"}},
      {[](RawLocal& raw) {
         raw.nz = {-2}, raw.p = {0, 1};
       },
       {"/fclib_local/W/p has 2 entries; it must have"}},
      {[](RawLocal& raw) { raw.left_out = "/spacedim"; }, {"/fclib_local/spacedim is missing"}},
      {[](RawLocal& raw) { raw.left_out = "/W/nz"; }, {"/fclib_local/W/nz is missing"}},
      {[](RawLocal& raw) { raw.left_out = "/W/x"; }, {"/fclib_local/W/x is missing"}},
      {[](RawLocal& raw) { raw.left_out = "/vectors/mu"; }, {"/fclib_local/vectors/mu is missing"}},
      {[](RawLocal& raw) {
         raw.r = {1, 2, 3}, raw.u = {0, 0, 0, 0};
       },
       {"/solution/r has 3 entries", "4"}},
      {[](RawLocal& raw) {
         raw.r = raw.u = {1, 2, 3, nan};
       },
       {"/solution/r[3] is nan"}},
  };
  for (const Damage& damage : damages) {
    RawLocal raw;
    damage.spoil(raw);
    raw.write(path());
    const std::string complaint = complaint_about(path());
    EXPECT_TRUE(contains(complaint, "cannot read " + path())) << complaint;
    for (const auto& message : damage.messages)
      EXPECT_TRUE(contains(complaint, message)) << "no '" << message << "' in: " << complaint;
  }
}

TEST_F(FclibTest, AnUnsymmetricMassMatrixIsRefused) {
  ContactProblem content;
  GlobalProblem problem = testing::random_global(ConeKind::coulomb, 0, 3);
  problem.M.coeffRef(0, 1) = 0.5;
  content.problem = problem;
  write_fclib(path(), content);
  EXPECT_TRUE(contains(complaint_about(path()), "/fclib_global/M is unsymmetric by 0.5"));
}

TEST_F(FclibTest, WhatIsNoHdf5FileIsRefused) {
  EXPECT_TRUE(contains(complaint_about(path()), "No such file"));
  write_file(path(), "");
  EXPECT_TRUE(contains(complaint_about(path()), "it is empty"));
  write_file(path(), "hello");
  EXPECT_TRUE(contains(complaint_about(path()), "it is not an HDF5 file"));
  EXPECT_TRUE(contains(complaint_about(folder_.path()), "directory"));
}

TEST_F(FclibTest, NoDamageCrashes) {
  ContactProblem content;
  content.problem = testing::random_global(ConeKind::coulomb, 2, 4);
  content.solution = numbered_solution(content.cones(), 24, 1);
  write_fclib(path(), content);
  testing::expect_damage_is_survived(path(), 400);
}

}  // namespace
}  // namespace percuss
