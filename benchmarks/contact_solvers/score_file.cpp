#include <cmath>
#include <fstream>
#include <sstream>
#include <stdexcept>

#include <fmt/format.h>

#include "report.h"

namespace contact_benchmark {
namespace {

constexpr const char* header = "problem,solver,goal,ms,best_residual,last_end";

std::vector<std::string> split(const std::string& line) {
  std::vector<std::string> parts;
  std::istringstream stream(line);
  for (std::string part; std::getline(stream, part, ',');) parts.push_back(part);
  return parts;
}

bool starts_score(const std::vector<Score>& scores, const std::vector<std::string>& row) {
  return scores.empty() || scores.back().problem != row[0] || scores.back().solver != row[1];
}

}  // namespace

void write_csv(const std::string& path, const std::vector<Score>& scores, const std::vector<double>& goals) {
  std::ofstream file(path);
  file << header << '\n';
  for (const Score& score : scores)
    for (std::size_t k = 0; k < goals.size() && score.applies(); ++k)
      file << fmt::format("{},{},{:g},{:.6g},{:.3e},{}\n", score.problem, score.solver, goals[k],
                          1e3 * score.seconds[k], score.residual, static_cast<int>(score.end));
  if (!file.flush()) throw std::runtime_error("cannot write " + path);
}

std::vector<Score> read_peers(const std::string& path, const std::vector<double>& goals) {
  std::ifstream file(path);
  std::string line;
  if (!std::getline(file, line) || line != header)
    throw std::runtime_error(path + " is not a table of this program");
  std::vector<Score> scores;
  while (std::getline(file, line)) {
    const std::vector<std::string> row = split(line);
    if (row.size() != 6) throw std::runtime_error(path + ": wrong row " + line);
    if (!row[1].starts_with("siconos")) continue;
    if (starts_score(scores, row))
      scores.push_back({.problem = row[0], .solver = row[1], .is_percuss = false});
    Score& score = scores.back();
    const std::size_t k = score.seconds.size();
    if (k >= goals.size() || std::abs(std::stod(row[2]) / goals[k] - 1.0) > 1e-6)
      throw std::runtime_error(path + " has other goals");
    score.seconds.push_back(1e-3 * std::stod(row[3]));
    score.residual = std::stod(row[4]);
    score.end = static_cast<RunEnd>(std::stoi(row[5]));
  }
  return scores;
}

}  // namespace contact_benchmark
