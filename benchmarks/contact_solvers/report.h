#pragma once

#include <cstdio>

#include "measure.h"

namespace contact_benchmark {

/// Milliseconds to each goal, or the residual reached, for the contenders of one problem.
void print_problem(std::FILE* out, const std::vector<Score>& scores, const std::vector<double>& goals);

/// Per problem the first solver of percuss against the fastest of its others and the fastest peer.
void print_comparison(std::FILE* out, const std::vector<Score>& scores, double goal, std::size_t goal_index);

/// Share of the problems that a solver solves within a factor tau of the fastest of all on each problem.
void print_profile(std::FILE* out, const std::vector<Score>& scores, double goal, std::size_t goal_index);

/// One row per problem, solver and goal.
void write_csv(const std::string& path, const std::vector<Score>& scores, const std::vector<double>& goals);

/// The rows of peers in such a file; throws std::runtime_error if its goals are others.
std::vector<Score> read_peers(const std::string& path, const std::vector<double>& goals);

}  // namespace contact_benchmark
