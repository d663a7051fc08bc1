#pragma once

#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "percuss/io/scene_writer.h"

namespace percuss {

struct FieldDescription;

/// What kind of value a field takes: the field lists turned into data, for the schema and the reference page.
struct TypeDescription {
  enum class Kind {
    number,
    integer,
    boolean,
    text,
    choice,
    vector,
    number_pair,
    index_triple,
    expression,
    expression_vector,
    name_pair,
    list,
    map,
    object,
    variant
  };
  Kind kind = Kind::number;
  std::vector<std::string> choices;          ///< of a choice
  std::shared_ptr<TypeDescription> element;  ///< of a list or map
  std::vector<FieldDescription> fields;      ///< of an object
  std::string scalar_field;                  ///< of an object that may be written as one word
  struct Alternative;
  std::vector<Alternative> alternatives;  ///< of a variant
  bool by_scheme = false;                 ///< alternatives are told apart by the key `scheme`
};

struct FieldDescription {
  std::string name, unit, help;
  Range range;
  bool required = false;
  Json default_value;  ///< null if there is none
  TypeDescription type;
};

struct TypeDescription::Alternative {
  std::string key;  ///< `particle`, or the name of the scheme
  std::string about;
  std::vector<FieldDescription> fields;
};

/// The fields of a scene, described once from their lists.
const std::vector<FieldDescription>& scene_fields();

}  // namespace percuss
