#include "percuss/io/study_setup.h"

#include <algorithm>
#include <filesystem>

#include "percuss/contacts/contact_kinematics.h"
#include "percuss/simulation/probe.h"

namespace percuss {
namespace {

constexpr double max_samples = 5e8;  ///< 4 GB

std::vector<std::string> override_texts(const NamedMap<std::string>& set) {
  std::vector<std::string> texts;
  for (const auto& [path, value] : set) texts.push_back(fmt::format("{}={}", path, value));
  return texts;
}

/// `integrators[2].theta` of a complaint about `integrator.theta`.
std::string scheme_path(size_t member, const Complaint& complaint) {
  return fmt::format("integrators[{}]{}", member, complaint.path.substr(std::string("integrator").size()));
}

}  // namespace

StudySetup::StudySetup(Study& study, ReadContext& context, std::string directory,
                       std::vector<std::string> overrides, std::vector<std::string> plugin_path)
    : study_(study),
      context_(context),
      directory_(std::move(directory)),
      overrides_(std::move(overrides)),
      plugin_path_(std::move(plugin_path)) {}

void StudySetup::run() {
  load_members();
  throw_if_faulty();
  find_quantities();
  plan_runs();
  throw_if_faulty();
  find_reference();
  if (sample_count(study_.plan) > max_samples)
    fault("steps", fmt::format("the runs would keep {:.2g} values, at most {:.2g} are possible; take fewer "
                               "quantities or larger steps",
                               sample_count(study_.plan), max_samples));
  throw_if_faulty();
}

void StudySetup::refuse_own_keys(const std::vector<std::string>& overrides, const std::string& path) {
  for (const auto& text : overrides) {
    const std::string key = text.substr(0, text.find('='));
    if (key != "time.step" && !key.starts_with("integrator")) continue;
    const std::string message = "steps and integrators are those of the study; give them there";
    if (path.empty())
      context_.faults.add({0, 0, text}, "", message);
    else
      fault(path, fmt::format("{}: {}", text, message));
  }
}

void StudySetup::load_members() {
  refuse_own_keys(overrides_, "");
  refuse_own_keys(override_texts(study_.description.set), "set");
  const auto& integrators = study_.description.integrators;
  for (size_t i = 0; i < integrators.size(); ++i)
    load_member(integrators[i], fmt::format("integrators[{}]", i));
}

void StudySetup::load_member(const StudyIntegrator& integrator, const std::string& path) {
  const auto& [label, set] =
      std::visit([](const auto& s) { return std::pair<std::string, NamedMap<std::string>>(s.label, s.set); },
                 integrator);
  study_.labels.push_back(label);
  const std::vector<std::string> common = override_texts(study_.description.set), own = override_texts(set);
  refuse_own_keys(own, path + ".set");
  std::vector<std::string> overrides = common;
  overrides.insert(overrides.end(), overrides_.begin(), overrides_.end());
  overrides.insert(overrides.end(), own.begin(), own.end());
  const std::string file = (std::filesystem::path(directory_) / study_.description.scene).lexically_normal();
  try {
    auto [scene, simulation] = load_simulation(file, overrides, plugin_path_);
    for (auto& note : scene.notes)
      if (std::ranges::find(study_.notes, note) == study_.notes.end())
        study_.notes.push_back(std::move(note));
    scene.run.integrator = std::visit(
        []<class S>(const S& s) { return SchemeOptions(static_cast<const typename S::SchemeType&>(s)); },
        integrator);
    if (study_.description.until) scene.run.time.end = *study_.description.until;
    if (study_.description.title.empty()) study_.description.title = scene.model.title;
    members_.push_back({std::make_shared<const Assembly>(simulation.assembly()), std::move(scene.run),
                        std::visit([](const auto& s) { return s.tolerances; }, integrator)});
  } catch (const SceneError& e) {
    const auto is_about = [](const std::string& line, const std::vector<std::string>& texts) {
      return std::ranges::any_of(texts,
                                 [&](const auto& text) { return line.starts_with("--set " + text + ":"); });
    };
    const bool is_first = study_.labels.size() == 1;  // the others would say the same about `set`
    std::vector<std::string> others;
    for (const auto& line : e.faults()) {
      if (is_about(line, own))
        fault(path + ".set", line.substr(6));
      else if (!is_about(line, common))
        others.push_back(line);
      else if (is_first)
        fault("set", line.substr(6));
    }
    if (!others.empty()) throw SceneError(others);
  }
}

void StudySetup::find_quantities() {
  auto& names = study_.description.quantities;
  const auto& scene_probes = first_config().record.probes;
  if (names.empty())
    for (const auto& [name, text] : scene_probes) names.push_back(name);
  if (names.empty())
    return fault("quantities",
                 "the scene has no probes; name at least one quantity, for example ball.position.z");
  for (const auto& name : names) {
    const std::string* text = find_named(scene_probes, name);
    study_.quantities.push_back(name);
    probes_.push_back(text ? *text : name);
  }
  for (size_t i = 0; i < members_.size(); ++i) check_member(i);
}

void StudySetup::check_member(size_t member) {
  const Assembly& assembly = *members_[member].assembly;
  for (const auto& complaint : restrictions(members_[member].config, assembly))
    fault(scheme_path(member, complaint), complaint.message);
  std::vector<std::string> known;
  for (const auto& [name, text] : first_config().record.probes) known.push_back(name);
  for (size_t i = 0; i < probes_.size(); ++i) {
    const std::string path = fmt::format("quantities[{}]", i);
    try {
      const Probe probe = Probe::parse(probes_[i], assembly);
      if (member == 0) study_.units.emplace_back(probe.unit());
    } catch (const ProbeError& e) {
      if (context_.faults.covers(path)) continue;
      const bool is_probe = probes_[i].find_first_of(".(") != std::string::npos;
      fault(path, is_probe && !nearest_name(probes_[i], known)
                      ? fmt::format("'{}': {}", shorten(probes_[i]), e.what())
                      : fmt::format("the scene has no probe '{}'; {}", shorten(probes_[i]),
                                    suggest(probes_[i], known)));
    }
  }
}

StudyTask StudySetup::task(size_t member, double step) const {
  StudyTask task{members_[member].assembly, members_[member].config, probes_};
  task.config.time.step = step;
  task.config.time.adaptive.reset();
  return task;
}

/// The other options of adaptive steps are those of the scene.
void StudySetup::make_adaptive(size_t member, double tolerance, StudyTask& task) const {
  task.config.time.adaptive = members_[member].config.time.adaptive.value_or(AdaptiveOptions{});
  task.config.time.adaptive->tolerance = tolerance;
  task.config.record.every.reset();  // a study looks at every step; frames would only shorten them
}

void StudySetup::plan_runs() {
  const auto& steps = study_.description.steps;
  for (size_t m = 0; m < members_.size(); ++m)
    for (size_t i = 0; i < steps.size(); ++i) {
      study_.plan.tasks.push_back(task(m, steps[i]));
      if (!members_[m].tolerances.empty())
        make_adaptive(m, members_[m].tolerances[i], study_.plan.tasks.back());
      for (const auto& complaint : validate(study_.plan.tasks.back().config)) {
        const bool is_scheme = complaint.path.starts_with("integrator");
        const std::string path = is_scheme ? scheme_path(m, complaint)
                                 : complaint.path.starts_with("time.adaptive")
                                     ? fmt::format("integrators[{}]", m)
                                 : complaint.path == "time.end" ? "until"
                                                                : fmt::format("steps[{}]", i);
        if (!context_.faults.covers(path)) fault(path, complaint.message);
      }
    }
}

std::string StudySetup::suggest(const std::string& name, const std::vector<std::string>& known) {
  const auto nearest = nearest_name(name, known);
  return nearest ? fmt::format("did you mean '{}'?", *nearest)
                 : fmt::format("known: {}", fmt::join(known, ", "));
}

void StudySetup::fault(const std::string& path, const std::string& message) {
  context_.faults.add(context_.places.find(path), path, message);
}
void StudySetup::throw_if_faulty() const {
  if (!context_.faults.empty()) throw SceneError(context_.faults.lines());
}

}  // namespace percuss
