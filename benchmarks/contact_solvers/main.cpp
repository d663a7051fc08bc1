/// Contact problems of files, to each solver of percuss and of Siconos: CPU time to a given residual.
/// docs/howto/contact_solver_benchmark.md
#include <algorithm>
#include <cstdlib>
#include <exception>
#include <filesystem>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <unistd.h>

#include "percuss/nonsmooth/solvers.h"
#include "report.h"

namespace fs = std::filesystem;
using namespace contact_benchmark;

namespace {

struct CommandLine {
  std::vector<std::string> paths;
  std::vector<std::string> solvers = {"auto"};
  std::string peers;  ///< only those with this in their name
  std::string csv, earlier;
  bool without_peers = false, gives_delassus = false;
  Rules rules;
};

CommandLine parse(CLI::App& app, int argc, char** argv) {
  CommandLine line;
  app.add_option("paths", line.paths, "files of contact problems, or folders of them")->required();
  app.add_option("--solvers", line.solvers, "of percuss, the favourite first; 'all' for all")
      ->delimiter(',')
      ->capture_default_str();
  app.add_option("--peers", line.peers, "only peers with this in their name");
  app.add_flag("--no-peers", line.without_peers, "percuss only");
  app.add_flag("--give-w", line.gives_delassus,
               "peers' local solvers get W of a global file from percuss instead of reducing it themselves");
  app.add_option("--goals", line.rules.goals, "relative residuals, descending")->delimiter(',');
  app.add_option("--time-limit", line.rules.limits.seconds, "CPU seconds for one solve")
      ->capture_default_str();
  app.add_option("--repeat", line.rules.limits.repeated_seconds,
                 "CPU seconds in total that short solves are repeated")
      ->capture_default_str();
  app.add_option("--give-up", line.rules.give_up, "times longer than the best rival so far")
      ->capture_default_str();
  app.add_option("--csv", line.csv, "file to write");
  app.add_option("--reuse-peers", line.earlier, "take the peers' times from a file of --csv");
  app.parse(argc, argv);
  if (!std::ranges::is_sorted(line.rules.goals, std::greater<>()))
    throw std::invalid_argument("--goals must descend");
  return line;
}

std::vector<fs::path> files_of(const std::vector<std::string>& paths) {
  std::vector<fs::path> files;
  for (const fs::path path : paths) {
    if (!fs::is_directory(path)) {
      files.push_back(path);
      continue;
    }
    const auto begin = static_cast<std::ptrdiff_t>(files.size());
    for (const auto& entry : fs::directory_iterator(path))
      if (entry.path().extension() == ".hdf5") files.push_back(entry.path());
    std::sort(files.begin() + begin, files.end());
  }
  return files;
}

Task load(const fs::path& path) {
  Task task;
  task.name = (fs::absolute(path).parent_path().filename() / path.stem()).string();
  task.content = percuss::read_contact_problem(path.string());
  const auto* global = task.global();
  task.local = global != nullptr ? condense(*global) : std::get<percuss::LocalProblem>(task.content.problem);
  return task;
}

std::vector<Contender> contenders_of(const CommandLine& line) {
  std::vector<std::string> names = line.solvers;
  if (names == std::vector<std::string>{"all"}) {
    names.clear();
    for (const auto& [solver, text] : percuss::solver_names) names.emplace_back(text);
  }
  std::vector<Contender> contenders = percuss_contenders(names);
  if (line.without_peers || !line.earlier.empty()) return contenders;
  const std::vector<Contender> peers =
      siconos_contenders(line.gives_delassus ? Reduction::percuss : Reduction::siconos);
  if (peers.empty()) fmt::print(stderr, "built without Siconos: percuss only\n");
  std::ranges::copy_if(peers, std::back_inserter(contenders), [&line](const Contender& peer) {
    return peer.name.find(line.peers) != std::string::npos;
  });
  return contenders;
}

/// BLAS reads the number of its threads when it is loaded: begin again with one.
void restart_with_one_thread(char** argv) {
  if (std::getenv("OPENBLAS_NUM_THREADS") != nullptr) return;
  setenv("OPENBLAS_NUM_THREADS", "1", 1);
  setenv("OMP_NUM_THREADS", "1", 1);
  execv("/proc/self/exe", argv);
}

std::vector<Score> run(const CommandLine& line) {
  const std::vector<Contender> contenders = contenders_of(line);
  std::vector<Score> earlier;
  if (!line.earlier.empty()) earlier = read_peers(line.earlier, line.rules.goals);
  std::vector<Score> all;
  const std::vector<fs::path> files = files_of(line.paths);
  for (std::size_t i = 0; i < files.size(); ++i) {
    const Task task = load(files[i]);
    std::vector<Score> scores;
    for (const Contender& contender : contenders) {
      fmt::print(stderr, "{}/{} {}: {}\n", i + 1, files.size(), task.name, contender.name);
      scores.push_back(measure(contender, task, line.rules, scores));
    }
    std::ranges::copy_if(earlier, std::back_inserter(scores),
                         [&task](const Score& score) { return score.problem == task.name; });
    print_problem(stdout, scores, line.rules.goals);
    all.insert(all.end(), scores.begin(), scores.end());
    if (!line.csv.empty()) write_csv(line.csv, all, line.rules.goals);
  }
  return all;
}

}  // namespace

int main(int argc, char** argv) {
  restart_with_one_thread(argv);
  CLI::App app{"CPU time of contact solvers to a given residual"};
  try {
    const CommandLine line = parse(app, argc, argv);
    const std::vector<Score> scores = run(line);
    for (std::size_t k = 0; k < line.rules.goals.size(); ++k) {
      print_comparison(stdout, scores, line.rules.goals[k], k);
      print_profile(stdout, scores, line.rules.goals[k], k);
    }
  } catch (const CLI::ParseError& error) {
    return app.exit(error);
  } catch (const std::exception& error) {
    fmt::print(stderr, "contact_solvers: {}\n", error.what());
    return 1;
  }
}
