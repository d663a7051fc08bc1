#include "percuss/io/description.h"

#include "percuss/io/study.h"

namespace percuss {
namespace {

inline TypeDescription type_of_kind(TypeDescription::Kind kind) {
  TypeDescription type;
  type.kind = kind;
  return type;
}
inline TypeDescription type_of_items(TypeDescription::Kind kind, TypeDescription element) {
  TypeDescription type = type_of_kind(kind);
  type.element = std::make_shared<TypeDescription>(std::move(element));
  return type;
}

template <class T>
TypeDescription describe_type();

/// The visitor that collects descriptions from a default-constructed struct.
class Describer {
 public:
  template <class T>
  void operator()(std::string_view name, const T& member, const Field& field) {
    FieldDescription description{std::string(name), std::string(field.unit), std::string(field.help),
                                 field.range,       field.required,          {},
                                 describe_type<T>()};
    using Kind = TypeDescription::Kind;
    const bool compound = description.type.kind == Kind::object || description.type.kind == Kind::variant ||
                          description.type.kind == Kind::map;
    if (!field.required && !compound) description.default_value = SceneWriter::write(member);
    fields.push_back(std::move(description));
  }
  std::vector<FieldDescription> fields;
};

template <class T>
std::vector<FieldDescription> describe_fields() {
  const T defaults;
  Describer describer;
  T::fields(defaults, describer);
  return std::move(describer.fields);
}

template <class T>
struct TypeOf {  // a struct with a field list
  static TypeDescription get() {
    TypeDescription type;
    type.kind = TypeDescription::Kind::object;
    if constexpr (requires { T::kind; }) {
      type.kind = TypeDescription::Kind::variant;
      type.alternatives.push_back({std::string(T::kind), std::string(T::about), describe_fields<T>()});
    } else {
      type.fields = describe_fields<T>();
    }
    if constexpr (requires { T::scalar_field; }) type.scalar_field = T::scalar_field;
    return type;
  }
};
template <class T>
requires requires { typename T::Forms; }
struct TypeOf<T> : TypeOf<typename T::Forms> {};
template <>
struct TypeOf<double> {
  static TypeDescription get() { return {}; }
};
template <>
struct TypeOf<int> {
  static TypeDescription get() { return type_of_kind(TypeDescription::Kind::integer); }
};
template <>
struct TypeOf<bool> {
  static TypeDescription get() { return type_of_kind(TypeDescription::Kind::boolean); }
};
template <>
struct TypeOf<std::string> {
  static TypeDescription get() { return type_of_kind(TypeDescription::Kind::text); }
};
template <>
struct TypeOf<Vector3> {
  static TypeDescription get() { return type_of_kind(TypeDescription::Kind::vector); }
};
template <>
struct TypeOf<std::array<double, 2>> {
  static TypeDescription get() { return type_of_kind(TypeDescription::Kind::number_pair); }
};
template <>
struct TypeOf<std::array<int, 3>> {
  static TypeDescription get() { return type_of_kind(TypeDescription::Kind::index_triple); }
};
template <>
struct TypeOf<Expression> {
  static TypeDescription get() { return type_of_kind(TypeDescription::Kind::expression); }
};
template <>
struct TypeOf<std::array<Expression, 3>> {
  static TypeDescription get() { return type_of_kind(TypeDescription::Kind::expression_vector); }
};
template <>
struct TypeOf<std::array<std::string, 2>> {
  static TypeDescription get() { return type_of_kind(TypeDescription::Kind::name_pair); }
};
template <class E>
requires std::is_enum_v<E>
struct TypeOf<E> {
  static TypeDescription get() {
    TypeDescription type = type_of_kind(TypeDescription::Kind::choice);
    for (const auto& [value, name] : EnumNames<E>::values) type.choices.emplace_back(name);
    return type;
  }
};
template <class T>
struct TypeOf<std::optional<T>> : TypeOf<T> {};
template <class T>
struct TypeOf<std::vector<T>> {
  static TypeDescription get() { return type_of_items(TypeDescription::Kind::list, describe_type<T>()); }
};
template <class T>
struct TypeOf<std::vector<std::pair<std::string, T>>> {
  static TypeDescription get() { return type_of_items(TypeDescription::Kind::map, describe_type<T>()); }
};
template <class... T>
struct TypeOf<std::variant<T...>> {
  static TypeDescription get() {
    TypeDescription type = type_of_kind(TypeDescription::Kind::variant);
    if constexpr (requires { (T::scheme, ...); }) {
      type.by_scheme = true;
      (type.alternatives.push_back({std::string(T::scheme), std::string(T::about), describe_fields<T>()}),
       ...);
    } else {
      (type.alternatives.push_back({std::string(T::kind), std::string(T::about), describe_fields<T>()}), ...);
    }
    return type;
  }
};

template <class T>
TypeDescription describe_type() {
  return TypeOf<T>::get();
}

}  // namespace

const std::vector<FieldDescription>& scene_fields() {
  static const std::vector<FieldDescription> fields = describe_fields<Scene>();
  return fields;
}

const std::vector<FieldDescription>& study_fields() {
  static const std::vector<FieldDescription> fields = describe_fields<StudyDescription>();
  return fields;
}

}  // namespace percuss
