#pragma once

#include <random>
#include <string>

#include <gtest/gtest.h>

#include "percuss/io/contact_problem.h"
#include "percuss/io/io_error.h"
#include "percuss/nonsmooth/solvers.h"
#include "support/process.h"

namespace percuss::testing {

/// What reading says about a file; empty if nothing.
inline std::string complaint_about(const std::filesystem::path& path) {
  try {
    read_contact_problem(path.string());
  } catch (const IoError& error) {
    return error.what();
  }
  return "";
}

inline void expect_same(const LocalProblem& a, const LocalProblem& b) {
  EXPECT_TRUE(a.W == b.W);
  EXPECT_EQ(a.u_free, b.u_free);
  ASSERT_EQ(a.cones.size(), b.cones.size());
  for (size_t c = 0; c < a.cones.size(); ++c) {
    EXPECT_EQ(a.cones[c].kind, b.cones[c].kind);
    EXPECT_EQ(a.cones[c].bound, b.cones[c].bound);
  }
}

/// Any prefix of a file is refused; any file with wrong bytes is read or refused, and never ends the program.
inline void expect_damage_is_survived(const std::filesystem::path& path, int trials) {
  const std::string bytes = read_file(path);
  const TemporaryDirectory folder;
  const std::filesystem::path damaged = folder / "damaged.hdf5";
  for (size_t size = 0; size < bytes.size(); size += 1 + bytes.size() / 200) {
    write_file(damaged, bytes.substr(0, size));
    EXPECT_NE(complaint_about(damaged), "") << size;
  }
  std::mt19937_64 random(5);
  for (int trial = 0; trial < trials; ++trial) {
    std::string spoilt = bytes;
    for (int k = 0; k < 1 + trial % 3; ++k)
      spoilt[random() % spoilt.size()] ^= static_cast<char>(1 + random() % 255);
    write_file(damaged, spoilt);
    complaint_about(damaged);
  }
}

}  // namespace percuss::testing
