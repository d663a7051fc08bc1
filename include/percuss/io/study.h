#pragma once

#include <optional>
#include <utility>

#include "percuss/io/scene.h"
#include "percuss/simulation/error_norms.h"
#include "percuss/simulation/study.h"

namespace percuss {

/// A scheme with its options as a study names it.
template <class Options>
struct StudyScheme : Options {
  using SchemeType = Options;
  std::string label;
  NamedMap<std::string> set;
  std::vector<double> tolerances;

  static void fields(auto& self, auto& visit) {
    Options::fields(self, visit);
    visit("label", self.label,
          Field{.help = "name in tables and pictures; default: the scheme with its options"});
    visit("set", self.set,
          Field{.help = "values of the scene that this integrator overrides, by path as in --set"});
    visit("tolerances", self.tolerances,
          Field{.help = "adaptive steps: a tolerance for each of `steps`, which are then only the first ones "
                        "that are tried",
                .range = allow::positive});
  }
};
template <class Variant>
struct StudySchemes;
template <class... Options>
struct StudySchemes<std::variant<Options...>> {
  using Type = std::variant<StudyScheme<Options>...>;
};
using StudyIntegrator = StudySchemes<SchemeOptions>::Type;

/// The reference is the run with this step.
struct FinestReference {
  std::optional<std::string> integrator;
  std::optional<double> step, tolerance;

  static void fields(auto& self, auto& visit) {
    visit("integrator", self.integrator,
          Field{.help = "label of one of the integrators; default: the first one"});
    visit("step", self.step,
          Field{.unit = "s", .help = "its step; default: the smallest of `steps`", .range = allow::positive});
    visit("tolerance", self.tolerance,
          Field{.help = "adaptive steps with this tolerance instead", .range = allow::positive});
  }
};

/// What the runs are compared with: exactly one of the first three.
struct StudyReference {
  std::optional<NamedMap<Expression>> exact;
  std::optional<FinestReference> finest;
  std::optional<std::string> file;
  Interpolation interpolation = Interpolation::linear;

  static void fields(auto& self, auto& visit) {
    visit("exact", self.exact, Field{.help = "a formula in t for each quantity"});
    visit("finest", self.finest,
          Field{.help = "one of the runs, or a further run with a step of its own (the default)"});
    visit("file", self.file,
          Field{.help = "CSV file with a column `time` and one for each quantity, sought beside the study"});
    visit(
        "interpolation", self.interpolation,
        Field{.help = "between the points of a run or file: straight lines, or the cubic polynomial through "
                      "the four nearest points"});
  }
};

/// A study file: which runs to compare, in what, and with what.
struct StudyDescription {
  int format = 1;
  std::string title, scene;
  NamedMap<std::string> set;
  std::optional<double> until;
  std::vector<double> steps;
  std::vector<StudyIntegrator> integrators;
  std::vector<std::string> quantities;
  Norm norm = Norm::l1;
  StudyReference reference;

  static void fields(auto& self, auto& visit) {
    visit("study", self.format,
          Field{.help = "version of the study format: 1", .range = {.low = 1, .high = 1}, .required = true});
    visit("title", self.title, Field{.help = "heading of the table and the pictures"});
    visit("scene", self.scene,
          Field{.help = "scene file, relative to the folder of the study", .required = true});
    visit("set", self.set,
          Field{.help = "values of the scene to override, by path as in --set: `parameters.friction: 0`"});
    visit("until", self.until, Field{.unit = "s", .help = "end of the runs; default: that of the scene"});
    visit("steps", self.steps,
          Field{.unit = "s",
                .help = "time steps: a list, or `1e-2:1e-4:9` for nine in equal ratios",
                .range = allow::positive,
                .required = true});
    visit("integrators", self.integrators,
          Field{.help = "schemes with their options: `moreau-jean`, or a mapping. Options that are not given "
                        "have their defaults, whatever the scene says",
                .required = true});
    visit("quantities", self.quantities,
          Field{.help = "names of the scene's probes, or probes; default: all probes of the scene"});
    visit("norm", self.norm, Field{.help = "measure of the error, see docs/theory/errors.md"});
    visit("reference", self.reference, Field{.help = "what the runs are compared with"});
  }
};

/// A study ready to run.
struct Study {
  StudyDescription description;
  std::string name;                     ///< of the file, without folder and ending
  std::vector<std::string> labels;      ///< of the integrators
  std::vector<std::string> quantities;  ///< names
  std::vector<std::string> units;       ///< of the quantities
  StudyPlan plan;                       ///< by integrator, then by step; last a reference that is neither
  std::optional<ReferenceSolution> reference;  ///< unless it is a run of the plan
  std::string reference_name;                  ///< in words
  std::vector<std::string> notes;              ///< what the user should know

  size_t task_of(size_t integrator, size_t step) const {
    return integrator * description.steps.size() + step;
  }
};

/// A key of the description that the command line gives, in the place of what the file says.
struct StudyOption {
  std::string key, option;          ///< `steps` and `--steps`
  std::vector<std::string> values;  ///< of the option, which may be given several times
};

/// Reads and checks a study, or makes one from a scene and the options. Throws SceneError with every fault
/// found, or IoError if a file cannot be read.
Study load_study(const std::string& path, const std::vector<StudyOption>& options = {},
                 const std::vector<std::string>& overrides = {},
                 const std::vector<std::string>& plugin_path = {});

/// JSON Schema of study files, and their reference page docs/formats/study.md.
std::string study_schema();
std::string study_reference();

}  // namespace percuss
