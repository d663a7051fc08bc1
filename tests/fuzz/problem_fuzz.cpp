#include "fuzz_target.h"
#include "hdf5_changes.h"
#include "percuss/io/fclib.h"
#include "percuss/io/io_error.h"
#include "percuss/nonsmooth/residual.h"
#include "percuss/nonsmooth/solvers.h"
#include "support/problem_files.h"

namespace {

using namespace percuss;
using fuzzing::folder;

struct Original {
  std::string path;
  std::vector<std::string> names;
};

Original make_original(const std::string& name, const ContactProblem& problem) {
  Original original{(folder() / name).string(), {}};
  write_fclib(original.path, problem);
  original.names = fuzzing::names_in(original.path);
  return original;
}

std::vector<Original> make_originals() {
  ContactProblem global, local;
  const GlobalProblem bodies = testing::random_global(ConeKind::coulomb, 2, 1);
  global.problem = bodies;
  local.problem = condense(testing::random_global(ConeKind::planar_coulomb, 1, 2));
  StoredSolution stored;
  stored.r.assign(bodies.w.size(), 0.5);
  stored.u.assign(bodies.w.size(), 0.0);
  stored.v.assign(bodies.f.size(), 1.0);
  global.solution = stored;
  global.guesses = {stored};
  return {make_original("global.hdf5", global), make_original("local.hdf5", local)};
}

void solve_some(const ContactProblem& problem, std::size_t solver) {
  constexpr int most_contacts = 50;
  if (std::ssize(problem.cones()) > most_contacts) return;
  const auto made = make_solver(solver_names[solver % solver_names.size()].first, {.max_iterations = 20});
  Solution solution;
  if (const auto* global = std::get_if<GlobalProblem>(&problem.problem))
    made->solve_global(*global, {}, solution);
  else
    made->solve(std::get<LocalProblem>(problem.problem), {}, solution);
}

}  // namespace

/// The first byte chooses between the text form and changes of a valid FCLIB file; what can be read is
/// solved.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const std::vector<Original> originals = make_originals();
  FuzzedDataProvider input(data, size);
  const auto solver = input.ConsumeIntegralInRange<std::size_t>(0, solver_names.size() - 1);
  const int form = input.ConsumeIntegralInRange(0, 3);
  std::string path;
  if (form == 3) {
    const std::string text = input.ConsumeRemainingBytesAsString();
    path = fuzzing::write_input("problem.dat", text.data(), text.size());
  } else {
    const Original& original = originals[static_cast<std::size_t>(form) % originals.size()];
    path = (folder() / "problem.hdf5").string();
    std::filesystem::copy_file(original.path, path, std::filesystem::copy_options::overwrite_existing);
    fuzzing::Hdf5Changes(path, original.names, input).apply();
  }
  try {
    solve_some(read_contact_problem(path), solver);
  } catch (const IoError&) {
  }
  return 0;
}
