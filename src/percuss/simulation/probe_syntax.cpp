#include "percuss/simulation/probe_syntax.h"

#include <algorithm>

#include <fmt/format.h>

#include "percuss/math/nearest_name.h"
#include "percuss/simulation/probe.h"

namespace percuss::probe_syntax {

std::string trim(std::string_view text) {
  const auto first = text.find_first_not_of(" \t");
  if (first == text.npos) return {};
  return std::string(text.substr(first, text.find_last_not_of(" \t") - first + 1));
}

void unknown(std::string_view what, const std::string& name, std::vector<std::string> known) {
  std::sort(known.begin(), known.end());
  if (const auto nearest = nearest_name(name, known))
    throw ProbeError(fmt::format("unknown {} '{}'; did you mean '{}'?", what, name, *nearest));
  if (known.size() > 12) throw ProbeError(fmt::format("unknown {} '{}'", what, name));
  throw ProbeError(fmt::format("unknown {} '{}'; known: {}", what, name, fmt::join(known, ", ")));
}

int axis_of(const std::string& name) {
  if (name == "x" || name == "y" || name == "z") return name[0] - 'x';
  throw ProbeError(fmt::format("unknown component '{}'; it must be x, y or z", name));
}

std::vector<std::string> split(const std::string& text) {
  std::vector<std::string> parts;
  for (size_t begin = 0; begin <= text.size();) {
    const auto dot = std::min(text.find('.', begin), text.size());
    parts.push_back(text.substr(begin, dot - begin));
    begin = dot + 1;
  }
  return parts;
}

bool split_call(const std::string& text, std::string& name, std::string& arguments, std::string& rest) {
  const auto open = text.find('(');
  if (open == text.npos) return false;
  const auto close = text.find(')', open);
  if (close == text.npos) throw ProbeError("a closing parenthesis is missing");
  if (close + 1 >= text.size() || text[close + 1] != '.')
    throw ProbeError(
        fmt::format("a quantity is missing after '{}', for example .force", text.substr(0, close + 1)));
  name = trim(text.substr(0, open));
  arguments = trim(text.substr(open + 1, close - open - 1));
  rest = text.substr(close + 2);
  return true;
}

}  // namespace percuss::probe_syntax
