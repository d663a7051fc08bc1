#include <algorithm>

#include <fmt/format.h>

#include "commands.h"
#include "field_table.h"
#include "percuss/io/scene.h"
#include "percuss/laws/contact_law.h"
#include "percuss/math/nearest_name.h"
#include "say.h"

namespace {

using percuss::FieldDescription;

/// Names of the fields of a law, by its field list.
struct FieldNames {
  std::vector<std::string> names;

  template <class T>
  void operator()(std::string_view name, T&, const percuss::Field&) {
    names.emplace_back(name);
  }
};

/// What users see of a law: its struct, and which of the keys of `pairs` it has.
struct LawPage {
  std::string_view name, about, equations, page;
  std::vector<std::string> fields;
};

template <class L>
LawPage page_of() {
  L law;
  FieldNames fields;
  L::fields(law, fields);
  return {L::name, L::about, L::equations, L::page, std::move(fields.names)};
}

template <class... L>
std::vector<LawPage> pages_of(const std::variant<L...>*) {
  return {page_of<L>()...};
}

std::vector<LawPage> all_pages() { return pages_of(static_cast<const percuss::ContactLaw::Kinds*>(nullptr)); }

void print_law_table() {
  say("{:<16}{}\n", "law", "what it does");
  for (const LawPage& law : all_pages()) say("{:<16}{}\n", law.name, law.about);
  say("\nThe keys of a pair of materials choose the law: `pairs: [{{between: [a, b], friction: 0.3}}]` is "
      "coulomb.\n"
      "`percuss laws NAME` prints the equations and the keys of one.\n");
}

/// The keys of a pair of materials, from the field list that the scene reader uses.
std::vector<FieldDescription> keys_of(const LawPage& law) {
  const auto& scene = percuss::scene_fields();
  const auto pairs = std::ranges::find(scene, "pairs", &FieldDescription::name);
  std::vector<FieldDescription> keys;
  for (const FieldDescription& field : pairs->type.element->fields)
    if (std::ranges::find(law.fields, field.name) != law.fields.end()) keys.push_back(field);
  return keys;
}

void print_law(const LawPage& law) {
  say("{}: {}\n\n{}\n\n", law.name, law.about, law.equations);
  if (law.name == percuss::JointFriction::name)
    say("Key of a joint: friction [N m or N]\n");
  else
    say("Keys of a pair of materials (`pairs:` in a scene) and their defaults\n");
  if (law.name != percuss::JointFriction::name) print_fields(keys_of(law));
  say("\nMore: {}\n", law.page);
}

}  // namespace

void laws_command(const std::string& name) {
  if (name.empty()) return print_law_table();
  std::vector<std::string> names;
  for (const LawPage& law : all_pages()) {
    if (law.name == name) return print_law(law);
    names.emplace_back(law.name);
  }
  const auto nearest = percuss::nearest_name(name, names);
  throw percuss::SceneError({fmt::format("error: there is no law '{}'; {}", name,
                                         nearest ? fmt::format("did you mean '{}'?", *nearest)
                                                 : fmt::format("known: {}", fmt::join(names, ", ")))});
}
