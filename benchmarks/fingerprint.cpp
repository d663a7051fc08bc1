#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iostream>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "percuss/contacts/contact_kinematics.h"
#include "percuss/integrators/registry.h"
#include "percuss/io/scene.h"

/// Whether a refactoring has changed a number: what each scene does with each scheme in its first steps, and
/// what a loop over steps costs. scripts/fingerprint calls it; CONTRIBUTING.md says when.
///
///   fingerprint states SCENE                     write the numbers of all schemes to the standard output
///   fingerprint compare OLD NEW [TOLERANCE]      two such files: bit for bit, or relative to their terms
///   fingerprint loop SCENE SCHEME STEPS          nothing but steps, to be counted by callgrind
namespace {

constexpr int most_prints = 200;
constexpr int cheap_work = 200'000;  ///< coordinates times steps: small scenes go on until something happens
constexpr double most_seconds = 20;  ///< of one scene with one scheme; only steps that both files have count

/// Any change of a bit changes the hash; the sum, with weights that differ from entry to entry, says how
/// large a change is against the terms.
struct Print {
  std::uint64_t hash = 1469598103934665603ULL;  // FNV-1a
  double sum = 0, terms = 0;
  int count = 0;

  void add(double x) {
    std::uint64_t bits = 0;
    std::memcpy(&bits, &x, sizeof x);
    hash = (hash ^ bits) * 1099511628211ULL;
    const double weighted = (1 + 0.5 * std::sin(1.7 * ++count)) * x;
    sum += weighted;
    terms += std::abs(weighted);
  }
};

using Prints = std::map<std::string, Print>;

Prints prints_of(const percuss::Simulation& simulation) {
  Prints prints;
  const percuss::State& state = simulation.state();
  prints["time"].add(state.time);
  for (const double x : state.q) prints["positions"].add(x);
  for (const double x : state.v) prints["velocities"].add(x);
  for (const percuss::Contact& contact : simulation.contact_list().contacts)
    for (const double x : percuss::in_contact_frame(contact, state.contacts.reaction))
      prints["reactions"].add(x);
  for (const auto status : state.contacts.status) prints["status"].add(static_cast<double>(status));
  for (int c = 0; c < simulation.contact_count(); ++c) {
    const percuss::ContactView view = simulation.view_contact(c);
    prints["gaps"].add(view.gap);
    for (const double x : view.point) prints["contact_points"].add(x);
    for (const double x : view.normal) prints["normals"].add(x);
    for (const double x : view.velocity) prints["relative_velocities"].add(x);
  }
  const percuss::EnergyLedger& energy = simulation.energy();
  prints["energy"].add(energy.loss_algorithmic);
  // Of what cancels only rounding may be left: it counts against what it was computed from.
  prints["energy"].terms += energy.kinetic + std::abs(energy.potential) + energy.strain;
  prints["gaps"].terms += simulation.assembly().system.size;
  prints["relative_velocities"].terms += prints["velocities"].terms;
  return prints;
}

percuss::Scene load(const std::string& scene, const std::string& scheme) {
  std::vector<std::string> overrides;
  if (scheme != "own") overrides.push_back("integrator.scheme=" + scheme);
  return percuss::load_scene(scene, overrides);
}

void print_states(const std::string& file, const std::string& scheme) {
  std::cout << "scheme " << scheme << "\n";
  try {
    const percuss::Scene scene = load(file, scheme);
    percuss::Simulation simulation(scene.model, scene.run);
    const auto start = std::chrono::steady_clock::now();
    const int size = simulation.assembly().system.dof_count() + 10 * simulation.contact_count();
    const int every = std::max(1, cheap_work / (most_prints * (size + 1)));
    for (int step = 1; step <= most_prints * every && !simulation.finished(); ++step) {
      const auto report = simulation.step();
      if (report.status != percuss::SolveStatus::converged) {
        std::cout << "fails\n";
        return;
      }
      if (step % every != 0) continue;
      char line[120];
      for (const auto& [quantity, print] : prints_of(simulation)) {
        std::snprintf(line, sizeof line, "%d %s %016llx %.17g %.17g\n", step, quantity.c_str(),
                      static_cast<unsigned long long>(print.hash), print.sum, print.terms);
        std::cout << line;
      }
      if (std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count() > most_seconds)
        return;
    }
  } catch (const std::exception&) {
    std::cout << "refused\n";
  }
}

// ----------------------------- comparison

struct Line {
  std::uint64_t hash = 0;
  double sum = 0, terms = 0;
};
struct Case {
  std::map<std::pair<int, std::string>, Line> lines;
  std::string end;  ///< fails, refused, or nothing
  int steps = 0;
};

std::map<std::string, Case> read(const std::string& path) {
  std::ifstream in(path);
  if (!in) {
    std::cerr << "cannot read " << path << "\n";
    std::exit(2);
  }
  std::map<std::string, Case> cases;
  Case* current = nullptr;
  for (std::string text; std::getline(in, text);) {
    std::istringstream words(text);
    std::string first, second;
    words >> first;
    if (first == "scheme") {
      words >> second;
      current = &cases[second];
    } else if (current && (first == "fails" || first == "refused")) {
      current->end = first;
    } else if (current) {
      Line line;
      std::string hash;
      words >> second >> hash >> line.sum >> line.terms;
      line.hash = std::stoull(hash, nullptr, 16);
      current->steps = std::stoi(first);
      current->lines[{current->steps, second}] = line;
    }
  }
  return cases;
}

/// Of two lines, as a part of their terms.
double difference(const Line& old, const Line& now) {
  const double change = std::abs(now.sum - old.sum), terms = std::max(old.terms, now.terms);
  return now.hash == old.hash ? 0 : terms > 0 ? change / terms : change;
}

/// How far positions are apart in any step that both have: reactions may be shared in several ways.
std::string position_difference(const Case& before, const Case& now, int steps) {
  double largest = 0;
  for (const auto& [key, old] : before.lines)
    if (const auto found = now.lines.find(key);
        key.second == "positions" && key.first <= steps && found != now.lines.end())
      largest = std::max(largest, difference(old, found->second));
  char text[60];
  std::snprintf(text, sizeof text, "; positions by %.2g at most", largest);
  return text;
}

/// What differs first; empty if nothing does.
std::string first_difference(const Case& before, const Case& now, double tolerance) {
  const int steps = std::min(before.steps, now.steps);
  for (const auto& [key, old] : before.lines) {
    if (key.first > steps) break;
    const auto found = now.lines.find(key);
    if (found == now.lines.end()) return "step " + std::to_string(key.first) + ": no " + key.second;
    const double apart = difference(old, found->second);
    if (found->second.hash == old.hash || (tolerance > 0 && apart <= tolerance)) continue;
    char text[120];
    std::snprintf(text, sizeof text, "step %d: %s by %.2g of its terms", key.first, key.second.c_str(),
                  apart);
    return text + position_difference(before, now, steps);
  }
  if (before.end != now.end)
    return "it " + (now.end.empty() ? "runs, it was: " + before.end
                                    : now.end + " after step " + std::to_string(now.steps));
  return "";
}

int compare(const std::string& old_file, const std::string& new_file, double tolerance) {
  const auto before = read(old_file), now = read(new_file);
  int differences = 0, steps = 0;
  const std::string scene = old_file.substr(old_file.find_last_of('/') + 1);
  for (const auto& [scheme, old] : before) {
    const auto found = now.find(scheme);
    const std::string what =
        found == now.end() ? "there is no such scheme" : first_difference(old, found->second, tolerance);
    steps += old.steps;
    if (what.empty()) continue;
    ++differences;
    std::cout << scene << " with " << scheme << ": " << what << "\n";
  }
  if (steps == 0) std::cout << scene << ": nothing was compared\n";
  return differences > 0 ? 1 : 0;
}

int loop(const std::string& file, const std::string& scheme, int steps) {
  const percuss::Scene scene = load(file, scheme);
  percuss::Simulation simulation(scene.model, scene.run);
  for (int i = 0; i < steps && !simulation.finished(); ++i)
    if (simulation.step().status != percuss::SolveStatus::converged) return 1;
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  const std::vector<std::string> words(argv + 1, argv + argc);
  if (words.size() == 2 && words[0] == "states") {
    print_states(words[1], "own");
    for (const auto& scheme : percuss::all_schemes())
      print_states(words[1], std::string(scheme_name(scheme)));
    return 0;
  }
  if (words.size() >= 3 && words[0] == "compare")
    return compare(words[1], words[2], words.size() > 3 ? std::stod(words[3]) : 0);
  if (words.size() == 4 && words[0] == "loop") return loop(words[1], words[2], std::stoi(words[3]));
  std::cerr << "fingerprint states SCENE | compare OLD NEW [TOLERANCE] | loop SCENE SCHEME STEPS\n";
  return 2;
}
