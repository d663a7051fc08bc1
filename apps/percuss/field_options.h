#pragma once

#include <optional>
#include <string>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "percuss/math/fields.h"

/// An option for each field of a list, with its help and its limits.
class FieldOptions {
 public:
  explicit FieldOptions(CLI::App& command) : command_(command) {}

  void operator()(const char* name, std::optional<int>& value, const percuss::Field& field) {
    const int low = static_cast<int>(field.range.low), high = static_cast<int>(field.range.high);
    command_.add_option(flag(name), value, std::string(field.help))->check(CLI::Range(low, high));
  }
  template <class E>
  void operator()(const char* name, std::optional<E>& value, const percuss::Field& field) {
    std::string known;
    for (const auto& entry : percuss::EnumNames<E>::values)
      known += (known.empty() ? "" : ", ") + std::string(entry.second);
    const auto read = [&value, name, known](const std::string& text) {
      for (const auto& entry : percuss::EnumNames<E>::values)
        if (entry.second == text) value = entry.first;
      if (!value)
        throw CLI::ValidationError(flag(name), fmt::format("there is no '{}'; known: {}", text, known));
    };
    command_.add_option_function<std::string>(flag(name), read, fmt::format("{}; {}", field.help, known))
        ->option_text("NAME");
  }

 private:
  static std::string flag(const char* name) { return std::string("--") + name; }

  CLI::App& command_;
};
