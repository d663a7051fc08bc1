#pragma once

#include <string>
#include <string_view>
#include <vector>

/// How the text of a probe is taken apart, and what is said if a name in it is unknown.
namespace percuss::probe_syntax {

std::string trim(std::string_view text);
/// The names between the dots.
std::vector<std::string> split(const std::string& text);
/// Splits `name(arguments).rest`; false if the text has no parenthesis.
bool split_call(const std::string& text, std::string& name, std::string& arguments, std::string& rest);
/// 0, 1, 2 for x, y, z.
int axis_of(const std::string& name);
/// Throws a ProbeError with the nearest of the known names, or with all of them.
[[noreturn]] void unknown(std::string_view what, const std::string& name, std::vector<std::string> known);

}  // namespace percuss::probe_syntax
