#include "percuss/io/description.h"
#include "percuss/io/study.h"
#include "percuss/model/range_check.h"

namespace percuss {
namespace {

using Kind = TypeDescription::Kind;

Json schema_of(const TypeDescription& type);

void add_range(Json& number, const Range& range) {
  number[range.low_open ? "exclusiveMinimum" : "minimum"] = range.low;
  if (std::isfinite(range.high)) number["maximum"] = range.high;
}

Json schema_of(const FieldDescription& field) {
  Json schema = schema_of(field.type);
  std::string help = field.help;
  if (!field.unit.empty()) help += fmt::format("{}[{}]", help.empty() ? "" : " ", field.unit);
  if (field.range.bounded()) {
    help += fmt::format("; must be {}", describe(field.range));
    if (schema.contains("anyOf")) add_range(schema["anyOf"][0], field.range);
  }
  if (!help.empty()) schema["description"] = help;
  if (!field.default_value.is_null()) schema["default"] = field.default_value;
  return schema;
}

/// A number may always be written as a formula, which YAML reads as a string.
Json number_or_formula(const char* type) {
  return {{"anyOf", Json::array({Json{{"type", type}}, Json{{"type", "string"}}})}};
}

Json object_schema(const std::vector<FieldDescription>& fields, const std::string& key, bool by_scheme) {
  Json properties = Json::object(), required = Json::array();
  if (by_scheme) {
    properties["scheme"] = {{"const", key}};
  } else if (!key.empty()) {
    properties[key] = {{"type", "string"}, {"description", "its name"}};
    required.push_back(key);
    properties["repeat"] = {
        {"type", "object"},
        {"description", "makes `count` copies; `index` counts from 0 in formulas and {names}"},
        {"properties", {{"count", number_or_formula("integer")}, {"index", {{"type", "string"}}}}},
        {"required", {"count"}}};
  }
  for (const auto& field : fields) {
    properties[field.name] = schema_of(field);
    if (field.required) required.push_back(field.name);
  }
  Json schema = {{"type", "object"}, {"properties", properties}, {"additionalProperties", false}};
  if (!required.empty()) schema["required"] = required;
  return schema;
}

Json schema_of(const TypeDescription& type) {
  switch (type.kind) {
    case Kind::number: return number_or_formula("number");
    case Kind::integer: return number_or_formula("integer");
    case Kind::boolean: return {{"type", "boolean"}};
    case Kind::text: return {{"type", "string"}};
    case Kind::choice: return {{"enum", type.choices}};
    case Kind::vector:
    case Kind::expression_vector:
      return {{"type", "array"}, {"items", number_or_formula("number")}, {"minItems", 3}, {"maxItems", 3}};
    case Kind::number_pair:
      return {{"type", "array"}, {"items", number_or_formula("number")}, {"minItems", 2}, {"maxItems", 2}};
    case Kind::index_triple:
      return {{"type", "array"}, {"items", number_or_formula("integer")}, {"minItems", 3}, {"maxItems", 3}};
    case Kind::expression: return number_or_formula("number");
    case Kind::name_pair:
      return {{"type", "array"}, {"items", {{"type", "string"}}}, {"minItems", 2}, {"maxItems", 2}};
    case Kind::list: {
      Json items = schema_of(*type.element);
      if (type.element->kind == Kind::object && items.contains("properties"))
        items["properties"]["repeat"] = {{"type", "object"}, {"description", "see the reference page"}};
      return {{"type", "array"}, {"items", items}};
    }
    case Kind::map: return {{"type", "object"}, {"additionalProperties", schema_of(*type.element)}};
    case Kind::object: {
      Json object = object_schema(type.fields, "", false);
      if (type.scalar_field.empty()) return object;
      // The one value that may stand alone.
      const Json scalar =
          schema_of(*std::ranges::find(type.fields, type.scalar_field, &FieldDescription::name));
      Json any = scalar.contains("anyOf") ? scalar.at("anyOf") : Json::array({scalar});
      any.push_back(std::move(object));
      return {{"anyOf", any}};
    }
    case Kind::variant: {
      Json list = Json::array();
      for (const auto& alternative : type.alternatives) {
        Json object = object_schema(alternative.fields, alternative.key, type.by_scheme);
        object["description"] = alternative.about;
        list.push_back(std::move(object));
      }
      return {{"anyOf", list}};
    }
  }
  return {};
}

Json schema_of_file(const char* title, const std::vector<FieldDescription>& fields) {
  Json schema = {{"$schema", "https://json-schema.org/draft/2020-12/schema"},
                 {"title", title},
                 {"description", "SI units; every number may be a formula over `parameters`"}};
  schema.update(object_schema(fields, "", false));
  schema["properties"]["parameters"] = {
      {"type", "object"},
      {"description", "named numbers for formulas; they may refer to each other"},
      {"additionalProperties", number_or_formula("number")}};
  return schema;
}

void also_text(Json& value) {
  value = {{"anyOf", Json::array({Json{{"type", "string"}}, std::move(value)})}};
}
void also_all(Json& value) { value = {{"anyOf", Json::array({Json{{"const", "all"}}, std::move(value)})}}; }

}  // namespace

std::string scene_schema() {
  Json schema = schema_of_file("percuss scene", scene_fields());
  Json& contacts = schema["properties"]["contacts"];
  also_all(contacts["items"]);
  also_all(contacts);
  for (Json& obstacle : schema["properties"]["obstacles"]["items"]["anyOf"])
    if (Json& properties = obstacle["properties"]; properties.contains("cell")) {
      Json pair = std::move(properties["cell"]);
      properties["cell"] = number_or_formula("number");
      properties["cell"]["anyOf"].push_back(std::move(pair));
    }
  return schema.dump(2) + "\n";
}

std::string study_schema() {
  Json schema = schema_of_file("percuss study", study_fields());
  Json& properties = schema["properties"];
  also_text(properties["steps"]);
  also_text(properties["reference"]);
  also_text(properties["integrators"]["items"]);
  return schema.dump(2) + "\n";
}

}  // namespace percuss
