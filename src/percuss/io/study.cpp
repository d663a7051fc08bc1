#include "percuss/io/study.h"

#include <filesystem>
#include <set>

#include <fmt/format.h>

#include "percuss/io/scene_parts.h"
#include "percuss/io/study_setup.h"
#include "percuss/io/study_syntax.h"

namespace percuss {
namespace {

namespace fs = std::filesystem;
using NodeKind = SourceNode::Kind;

SourceNode parse_or_throw(const std::string& text, Faults& faults) {
  try {
    return parse_source(text);
  } catch (const SourceError& e) {
    faults.add(e.location, "", e.what());
    throw SceneError(faults.lines());
  }
}

/// A study of nothing but this scene, to be completed by options.
SourceNode study_of_scene(const std::string& scene) {
  SourceNode root;
  const Location place{1, 1, {}};
  root.location = place;
  for (const auto& [key, text] : {std::pair<const char*, std::string>{"study", "1"}, {"scene", scene}}) {
    SourceNode& node = root.add(key, place);
    node.kind = NodeKind::scalar;
    node.scalar = text;
  }
  return root;
}

/// Puts an option in the place of the key of the file. Lists are given as several values or with commas.
void apply_option(SourceNode& root, const StudyOption& option) {
  if (option.values.empty()) return;
  const Location place{0, 0, fmt::format("{} {}", option.option, fmt::join(option.values, " "))};
  const auto scalar = [&](const std::string& text) {
    SourceNode node;
    node.kind = NodeKind::scalar;
    node.scalar = text;
    node.location = place;
    return node;
  };
  root.remove(option.key);
  SourceNode& node = root.add(option.key, place);
  if (option.key != "integrators" && option.key != "quantities") {
    node = scalar(option.key == "steps" ? fmt::format("{}", fmt::join(option.values, ","))
                                        : option.values.back());
    return;
  }
  node.kind = NodeKind::list;
  for (const auto& value : option.values) {
    const bool may_hold_commas = option.key == "quantities";  // contact(ball, floor).gap
    for (const auto& part : may_hold_commas ? std::vector{value} : split_at_commas(value))
      node.items.push_back(scalar(part));
  }
}

/// What a scene does not say about a study must come from options.
void require_options(const SourceNode& root, const std::string& path) {
  std::vector<std::string> missing;
  for (const auto& [key, option] : {std::pair{"steps", "--steps 1e-2,1e-3,1e-4"},
                                    std::pair{"integrators", "--integrators moreau-jean,moreau-explicit"}})
    if (!root.find(key))
      missing.push_back(
          fmt::format("error: {} is a scene; say what to compare, for example {}", path, option));
  if (!missing.empty()) throw SceneError(missing);
}

bool is_scene(const SourceNode& root) {
  return root.kind == NodeKind::map && !root.find("study") && root.find("percuss");
}

/// The tree of the study in a file, or of one about the scene in the file.
SourceNode read_tree(const std::string& path, const std::vector<StudyOption>& options, Faults& faults) {
  SourceNode root = parse_or_throw(read_scene_text(path), faults);
  if (is_scene(root)) {
    root = study_of_scene(fs::path(path).filename());
    for (const auto& option : options) apply_option(root, option);
    require_options(root, path);
    return root;
  }
  if (root.kind != NodeKind::map || !root.find("study")) {
    faults.add(root.location, "",
               fmt::format("expected a scene (it begins with `percuss: 1`) or a study (`study: 1`), found {}",
                           root.kind == NodeKind::map ? "neither of these keys" : describe(root)));
    throw SceneError(faults.lines());
  }
  for (const auto& option : options) apply_option(root, option);
  return root;
}

void check_description(const StudyDescription& study, const ReadContext& context, Faults& faults) {
  std::vector<Complaint> complaints;
  RangeCheck ranges(complaints);
  StudyDescription::fields(study, ranges);
  const auto need_items = [&](const char* list, size_t count, const char* example) {
    if (count == 0 && !context.unreadable.contains(list))
      complaints.push_back(
          {list, fmt::format("the list is empty; give at least one, for example {}", example)});
  };
  need_items("steps", study.steps.size(), "1e-3");
  need_items("integrators", study.integrators.size(), "moreau-jean");
  const StudyReference& reference = study.reference;
  if (reference.exact.has_value() + reference.finest.has_value() + reference.file.has_value() > 1)
    complaints.push_back({"reference", "give one of exact, finest and file, not several"});
  std::set<double> steps;
  for (size_t i = 0; i < study.steps.size(); ++i)
    if (!steps.insert(study.steps[i]).second)
      complaints.push_back({fmt::format("steps[{}]", i), fmt::format("{} stands twice", study.steps[i])});
  std::set<std::string> labels;
  for (size_t i = 0; i < study.integrators.size(); ++i) {
    const std::string& label =
        std::visit([](const auto& s) -> const std::string& { return s.label; }, study.integrators[i]);
    const size_t tolerances =
        std::visit([](const auto& s) { return s.tolerances.size(); }, study.integrators[i]);
    if (tolerances > 0 && tolerances != study.steps.size())
      complaints.push_back({fmt::format("integrators[{}].tolerances", i),
                            fmt::format("{} tolerances do not fit {} steps; give one for each", tolerances,
                                        study.steps.size())});
    if (!labels.insert(label).second)
      complaints.push_back({fmt::format("integrators[{}]", i),
                            fmt::format("'{}' stands twice; give each its own `label`", label)});
  }
  for (const auto& complaint : complaints)
    if (!faults.covers(complaint.path))
      faults.add(context.places.find(complaint.path), complaint.path, complaint.message);
}

}  // namespace

Study load_study(const std::string& path, const std::vector<StudyOption>& options,
                 const std::vector<std::string>& overrides, const std::vector<std::string>& plugin_path) {
  Faults faults(path);
  SourceNode root = read_tree(path, options, faults);
  const auto parent = fs::path(path).parent_path();
  const std::string directory = parent.empty() ? "." : parent.string();
  Environment environment(directory);
  read_parameters(root, environment, faults);
  expand_study_shorthand(root, environment, faults);

  Study study;
  study.name = fs::path(path).stem().string();
  ReadContext context{environment, faults, PlaceFinder(root)};
  SceneReader reader(context, root);
  StudyDescription::fields(study.description, reader);
  reader.finish({"parameters"});
  check_description(study.description, context, faults);
  if (!faults.empty()) throw SceneError(faults.lines());
  StudySetup(study, context, directory, overrides, plugin_path).run();
  return study;
}

}  // namespace percuss
