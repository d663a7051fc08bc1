#include <array>
#include <string>

#include <benchmark/benchmark.h>

#include "percuss/dynamics/elements/solid_group.h"

/// Cost of the force and the stiffness of solid elements (docs/theory/solids.md, S-2 and S-9) on one thread.
///
///   build/release/bin/solid_elements
///
/// `per_point` is the time of both, for one element, divided by the number of its integration points.
/// Target: at most 0.8 us for hex8 with the law of St. Venant and Kirchhoff.
namespace {

using percuss::SolidLaw;
using percuss::SolidShape;

constexpr std::array<const char*, 6> shape_names{"tet4", "tet10", "hex8", "hex20", "tri3", "quad4"};
constexpr std::array<const char*, 3> law_names{"small_strain", "st_venant_kirchhoff", "neo_hooke"};

/// Elements of the natural shape, each moved a little in another way; together larger than the first cache.
void force_and_stiffness(benchmark::State& state, SolidShape shape, SolidLaw law) {
  constexpr int elements = 64;
  const int nodes = node_count(shape), d = dimension(shape);
  std::vector<percuss::Vector3> places;
  std::vector<int> connectivity;
  for (int i = 0; i < elements * nodes; ++i) {
    places.push_back(node_place(shape, i % nodes));
    connectivity.push_back(i);
  }
  percuss::SolidOptions options;
  options.shape = shape;
  options.law = law;
  options.young = 1;
  options.poisson = 0.3;
  const percuss::SolidGroup group(options, connectivity, places);
  const percuss::VectorX move = 0.05 * percuss::VectorX::Random(elements * nodes * d);
  percuss::VectorX x = move, v = percuss::VectorX::Zero(nodes * d), f(nodes * d);
  for (int i = 0; i < elements * nodes; ++i)
    for (int k = 0; k < d; ++k) x[d * i + k] += places[static_cast<size_t>(i)][k];
  percuss::MatrixX K(nodes * d, nodes * d);
  for (auto _ : state)
    for (int e = 0; e < elements; ++e) {
      const double* positions = x.data() + e * nodes * d;
      group.force(e, positions, v.data(), f.data());
      group.stiffness(e, positions, K);
      benchmark::DoNotOptimize(f.data());
      benchmark::DoNotOptimize(K.data());
    }
  const double points = elements * static_cast<double>(stiffness_quadrature(shape).size());
  state.counters["per_point"] =
      benchmark::Counter(points, benchmark::Counter::kIsIterationInvariantRate | benchmark::Counter::kInvert);
}

}  // namespace

int main(int argc, char** argv) {
  for (size_t s = 0; s < shape_names.size(); ++s)
    for (size_t l = 0; l < law_names.size(); ++l)
      benchmark::RegisterBenchmark((std::string(shape_names[s]) + "/" + law_names[l]).c_str(),
                                   force_and_stiffness, static_cast<SolidShape>(s), static_cast<SolidLaw>(l))
          ->MinTime(0.1);
  benchmark::Initialize(&argc, argv);
  benchmark::RunSpecifiedBenchmarks();
}
