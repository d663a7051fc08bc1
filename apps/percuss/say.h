#pragma once

#include <cstdio>
#include <string>
#include <string_view>
#include <utility>

#include <fmt/format.h>

// Lines for people. Names, titles and messages come from files that others may have written: whatever would
// be a command to a terminal is spelled out (see percuss/io/printable.h).

/// Throws std::system_error if the standard output cannot be written; that the standard error cannot be
/// written there is nobody to tell.
void write_printable(std::FILE* stream, const std::string& text, std::string_view kept = "\n\t");

template <class... T>
void say(fmt::format_string<T...> format, T&&... values) {
  write_printable(stdout, fmt::format(format, std::forward<T>(values)...));
}
template <class... T>
void say(std::FILE* stream, fmt::format_string<T...> format, T&&... values) {
  write_printable(stream, fmt::format(format, std::forward<T>(values)...));
}
