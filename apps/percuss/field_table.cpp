#include "field_table.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "percuss/model/range_check.h"
#include "say.h"

void print_fields(const std::vector<percuss::FieldDescription>& fields, const std::string& parent) {
  using Kind = percuss::TypeDescription::Kind;
  for (const auto& field : fields) {
    const std::string path = parent + field.name;
    std::string help = field.help;
    if (field.type.kind == Kind::choice) help += fmt::format(" ({})", fmt::join(field.type.choices, ", "));
    if (field.range.bounded()) help += fmt::format("; must be {}", describe(field.range));
    say("  {:<28}{:<18}{}{}\n", path, field.default_value.is_null() ? "" : field.default_value.dump(),
        field.unit.empty() ? "" : fmt::format("[{}] ", field.unit), help);
    if (field.type.kind == Kind::object) print_fields(field.type.fields, path + ".");
  }
}
