#include <algorithm>

#include <fmt/format.h>

#include "commands.h"
#include "field_table.h"
#include "percuss/integrators/registry.h"
#include "percuss/io/description.h"
#include "percuss/io/scene.h"
#include "percuss/math/nearest_name.h"
#include "say.h"

namespace {

using percuss::ConstraintLevel;
using percuss::SchemeFacts;
using percuss::SchemeOptions;

std::string_view level_text(ConstraintLevel level) {
  switch (level) {
    case ConstraintLevel::position: return "position";
    case ConstraintLevel::velocity: return "velocity";
    case ConstraintLevel::position_and_velocity: return "both";
    case ConstraintLevel::acceleration: return "acceleration";
  }
  return "";
}

std::string order_text(int order) { return order > 0 ? std::to_string(order) : "none"; }

void print_table() {
  say("{:<28}{:<8}{:<8}{:<9}{:<13}{:<10}{:<10}{}\n", "", "order", "", "", "constraints", "", "", "adaptive");
  say("{:<28}{:<8}{:<8}{:<9}{:<13}{:<10}{:<10}{}\n", "scheme", "smooth", "joints", "impacts", "hold at",
      "friction", "kind", "steps");
  for (const SchemeOptions& scheme : percuss::all_schemes()) {
    const SchemeFacts f = facts(scheme);
    say("{:<28}{:<8}{:<8}{:<9}{:<13}{:<10}{:<10}{}\n", scheme_name(scheme), order_text(f.smooth_order),
        f.has_joints ? order_text(f.joint_order) : "-", order_text(f.impact_order), level_text(f.constraints),
        f.has_friction ? "yes" : "no", f.is_explicit ? "explicit" : "implicit", f.varies_step ? "yes" : "no");
  }
  say("\nFor the default options; a scheme of order `none` does not converge.\n"
      "`percuss integrators NAME` lists the options of one.\n");
}

/// The options of every scheme, from the field lists that the scene reader uses.
const percuss::TypeDescription& integrator_type() {
  const auto& fields = percuss::scene_fields();
  return std::ranges::find(fields, "integrator", &percuss::FieldDescription::name)->type;
}

void print_scheme(const SchemeOptions& scheme) {
  const auto& alternatives = integrator_type().alternatives;
  const auto& entry =
      *std::ranges::find(alternatives, scheme_name(scheme), &percuss::TypeDescription::Alternative::key);
  const SchemeFacts f = facts(scheme);
  say("{}: {}\n\n", entry.key, entry.about);
  say("  order in smooth motion      {}\n", order_text(f.smooth_order));
  say("  ... with joints             {}\n", order_text(f.joint_order));
  say("  ... with impacts            {}\n", order_text(f.impact_order));
  say("  constraints hold at         {}\n", f.constraints == ConstraintLevel::position_and_velocity
                                                ? "position and velocity level"
                                                : fmt::format("{} level", level_text(f.constraints)));
  say("  friction                    {}\n", f.has_friction ? "yes" : "no");
  say("  step limited by stiffness   {}\n", f.is_explicit ? "yes" : "no");
  if (!f.restriction.empty()) say("  note                        {}\n", f.restriction);
  say("\nOptions (of `integrator:` in a scene) and their defaults\n");
  print_fields(entry.fields);
}

}  // namespace

void integrators_command(const std::string& name) {
  if (name.empty()) return print_table();
  std::vector<std::string> names;
  for (const SchemeOptions& scheme : percuss::all_schemes()) {
    if (scheme_name(scheme) == name) return print_scheme(scheme);
    names.emplace_back(scheme_name(scheme));
  }
  const auto nearest = percuss::nearest_name(name, names);
  throw percuss::SceneError({fmt::format("error: there is no integrator '{}'; {}", name,
                                         nearest ? fmt::format("did you mean '{}'?", *nearest)
                                                 : fmt::format("known: {}", fmt::join(names, ", ")))});
}
