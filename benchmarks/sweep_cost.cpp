#include <algorithm>
#include <ctime>
#include <random>

#include <benchmark/benchmark.h>

#include "percuss/nonsmooth/global_problem.h"
#include "percuss/nonsmooth/nlgs.h"

/// Cost of a sweep of block Gauss-Seidel (docs/theory/nonsmooth.md, N-23) on one thread.
///
///   build/release/bin/sweep_cost
///
/// Targets: at most 40 ns per off-diagonal block and sweep; linear from 10^2 to 10^5 contacts.
/// `per_block` is the CPU time of a sweep divided by the number of off-diagonal 3 x 3 blocks of W; the
/// one-contact solves are in it.
namespace {

using percuss::GlobalProblem;

/// A heap of unit bodies: each lies on three earlier ones that are near in number, the first on the ground.
GlobalProblem heap(int contacts) {
  constexpr int contacts_per_body = 3, near = 20;
  std::mt19937 random(1);
  std::uniform_real_distribution<double> uniform(-1.0, 1.0);
  const int bodies = (contacts + contacts_per_body - 1) / contacts_per_body;
  GlobalProblem problem;
  problem.M.resize(6 * bodies, 6 * bodies);
  problem.M.setIdentity();
  std::vector<Eigen::Triplet<double>> entries;
  const auto attach = [&](int contact, int body, double sign) {
    for (int row = 0; row < 3; ++row)
      for (int i = 0; i < 6; ++i)
        entries.emplace_back(6 * body + i, 3 * contact + row,
                             (row == i ? sign : 0.0) + 0.3 * uniform(random));
  };
  for (int c = 0; c < contacts; ++c) {
    const int body = c / contacts_per_body, below = body - 1 - static_cast<int>(random() % near);
    attach(c, body, 1.0);
    if (below >= 0) attach(c, below, -1.0);
    problem.cones.push_back({percuss::ConeKind::coulomb, 0.3});
  }
  problem.H.resize(6 * bodies, 3 * contacts);
  problem.H.setFromTriplets(entries.begin(), entries.end());
  for (int i = 0; i < 6 * bodies; ++i) problem.f.push_back(i % 6 == 0 ? -1.0 : uniform(random));
  problem.w.assign(problem.size(), 0.0);
  return problem;
}

/// CPU seconds of a solve that cannot end before its limit.
double seconds_of(const percuss::LocalProblem& problem, int sweeps) {
  percuss::NlgsOptions options;
  options.tolerance = 1e-300;
  options.max_iterations = sweeps;
  percuss::NlgsSolver solver(options);
  percuss::Solution solution;
  timespec start{}, end{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &start);
  solver.solve(problem, {}, solution);
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &end);
  return static_cast<double>(end.tv_sec - start.tv_sec) +
         1e-9 * static_cast<double>(end.tv_nsec - start.tv_nsec);
}

/// The difference of two numbers of sweeps leaves out packing and the last verdict.
void sweep(benchmark::State& state) {
  const percuss::LocalProblem problem = condense(heap(static_cast<int>(state.range(0))));
  const double blocks = problem.W.value_count() / 9.0 - static_cast<double>(problem.cones.size());
  constexpr int few = 10, many = 60;
  double seconds = 0.0;
  for (auto _ : state) {
    const double one = (seconds_of(problem, many) - seconds_of(problem, few)) / (many - few);
    state.SetIterationTime(std::max(one, 0.0));
    seconds += one;
  }
  state.counters["blocks"] = blocks;
  state.counters["per_block"] = seconds / static_cast<double>(state.iterations()) / blocks;
}

// An iteration counts as one sweep and takes seventy.
BENCHMARK(sweep)->RangeMultiplier(10)->Range(100, 100000)->UseManualTime()->MinTime(0.01);

}  // namespace

BENCHMARK_MAIN();
