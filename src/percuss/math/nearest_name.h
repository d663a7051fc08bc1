#pragma once

#include <algorithm>
#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace percuss {

/// The number of insertions, deletions, substitutions and swaps of neighbours that turn a into b
/// (Damerau-Levenshtein, in the variant that edits no part twice).
inline std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> before(b.size() + 1);
  std::vector<std::size_t> previous(b.size() + 1);
  std::vector<std::size_t> current(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) current[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::swap(before, previous);
    std::swap(previous, current);
    current[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t substitution = previous[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
      current[j] = std::min({previous[j] + 1, current[j - 1] + 1, substitution});
      const bool swapped = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
      if (swapped) current[j] = std::min(current[j], before[j - 2] + 1);
    }
  }
  return current[b.size()];
}

/// The candidate a mistyped name most likely stands for: at most max(1, length / 3) edits away, ignoring
/// case. Ties go to the candidate closer with case, then to the earlier one. Nobody mistypes names that are
/// longer than `longest_mistyped`, and to compare them takes long.
inline constexpr std::size_t longest_mistyped = 100;
inline std::optional<std::string> nearest_name(std::string_view name,
                                               std::span<const std::string> candidates) {
  const auto lower = [](std::string_view text) {
    std::string result(text);
    for (char& c : result) {
      if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
    }
    return result;
  };
  if (name.size() > longest_mistyped) return std::nullopt;
  const std::size_t limit = std::max<std::size_t>(1, name.size() / 3);
  const std::string* best = nullptr;
  std::pair<std::size_t, std::size_t> best_distance;
  for (const std::string& candidate : candidates) {
    const std::size_t longer = std::max(name.size(), candidate.size());
    const std::size_t shorter = std::min(name.size(), candidate.size());
    if (longer - shorter > limit) continue;
    const std::size_t distance = edit_distance(lower(name), lower(candidate));
    // Replacing every letter is no resemblance: 'x' does not suggest 't'.
    if (distance > limit || distance >= longer) continue;
    const std::pair key{distance, edit_distance(name, candidate)};
    if (best == nullptr || key < best_distance) {
      best = &candidate;
      best_distance = key;
    }
  }
  if (best == nullptr) return std::nullopt;
  return *best;
}

}  // namespace percuss
