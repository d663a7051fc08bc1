#include <algorithm>

#include "percuss/integrators/one_step/compliance.h"
#include "percuss/math/wide.h"

// The blocks of W between contacts: h^T A^-1 h.  docs/theory/moreau.md (M-7b)

namespace percuss {
namespace {

constexpr int most_columns = 12;  ///< that are combined at once: those of the corners of a facet

/// t_p = sum_j entries_j A_pj, or t_p += that, for the places from begin to end, where A_pj is columns[j][p].
PERCUSS_FOR_WIDE_REGISTERS
void combine(const double* const* columns, int count, const double* entries, int begin, int end,
             bool overwrite, double* t) {
  for (int p = begin; p < end; ++p) {
    Four sum = {}, entry;
    if (!overwrite) read(t + lanes * p, sum);
    for (int j = 0; j < count; ++j) {
      read(entries + lanes * j, entry);
      sum += columns[j][p] * entry;
    }
    write(sum, t + lanes * p);
  }
}

/// products_b = sum_i entries_i[b] t_place(i), for b up to 3.
PERCUSS_FOR_WIDE_REGISTERS
void dot(const int* place, const double* entries, int count, const double* t, double* products) {
  Four sum_0 = {}, sum_1 = {}, sum_2 = {}, own;
  for (int i = 0; i < count; ++i, entries += lanes) {
    read(t + lanes * place[i], own);
    sum_0 += entries[0] * own;
    sum_1 += entries[1] * own;
    sum_2 += entries[2] * own;
  }
  write(sum_0, products);
  write(sum_1, products + lanes);
  write(sum_2, products + 2 * lanes);
}

template <class Ranges>
void clear(const Ranges& places, double* t) {
  for (const auto& [begin, end] : places) std::fill(t + lanes * begin, t + lanes * end, 0.0);
}

}  // namespace

void Compliance::forget_contacts() {
  for (const int k : filled_) {
    const Component& component = components_[static_cast<size_t>(k)];
    clear(component.expected, t_.data());
  }
  filled_.clear();
  std::ranges::fill(is_expected_, 0);
  contacts_.clear();
  segments_.clear();
  place_.clear();
  entry_.clear();
}

void Compliance::add_contact(const Directions& contact) {
  const int first = static_cast<int>(segments_.size());
  for (int i = 0; i < contact.count; ++i) {
    const int place = number_[static_cast<size_t>(contact.dofs[i])];
    const int component = component_[static_cast<size_t>(place)], entry = static_cast<int>(place_.size());
    is_expected_[static_cast<size_t>(place)] = 1;
    const auto is_of_component = [component](const Segment& segment) {
      return segment.component == component;
    };
    if (static_cast<int>(segments_.size()) == first || !is_of_component(segments_.back())) {
      const bool is_first = std::none_of(segments_.begin() + first, segments_.end(), is_of_component);
      segments_.push_back({component, entry, entry, 0, is_first});
    }
    segments_.back().end = entry + 1;
    place_.push_back(place);
    for (int row = 0; row < lanes; ++row)
      entry_.push_back(row < contact.rows ? contact.entries[row * contact.count + i] : 0.0);
  }
  contacts_.push_back({first, static_cast<int>(segments_.size())});
}

void Compliance::finish_contacts() {
  const int count = static_cast<int>(dofs_.size());
  for (Component& component : components_) {
    component.expected.clear();
    component.first_needed = count;
  }
  for (int place = 0; place < count; ++place) {
    if (!is_expected_[static_cast<size_t>(place)]) continue;
    auto& expected = components_[static_cast<size_t>(component_[static_cast<size_t>(place)])].expected;
    if (expected.empty() || expected.back().end < place) expected.push_back({place, place});
    expected.back().end = place + 1;
  }
  // A contact needs its own places too, whichever of its segments has them.
  for (auto contact = contacts_.rbegin(); contact != contacts_.rend(); ++contact) {
    const auto own = std::span(segments_).subspan(static_cast<size_t>(contact->begin),
                                                  static_cast<size_t>(contact->end - contact->begin));
    for (const Segment& segment : own) {
      int& first_needed = components_[static_cast<size_t>(segment.component)].first_needed;
      for (int i = segment.begin; i < segment.end; ++i)
        first_needed = std::min(first_needed, place_[static_cast<size_t>(i)]);
    }
    for (Segment& segment : own)
      segment.first_needed = components_[static_cast<size_t>(segment.component)].first_needed;
  }
}

void Compliance::clear_all_but(const Segments& own) {
  std::erase_if(filled_, [&](int k) {
    const auto is_own = [k](const Segment& segment) { return segment.component == k; };
    if (std::any_of(segments_.begin() + own.begin, segments_.begin() + own.end, is_own)) return false;
    clear(components_[static_cast<size_t>(k)].expected, t_.data());
    return true;
  });
}

/// t += A^-1 times the entries of the segment, at the places that are needed.
void Compliance::add_products(const Segment& segment) {
  const Component& component = components_[static_cast<size_t>(segment.component)];
  bool overwrite = segment.is_first;
  for (int begin = segment.begin; begin < segment.end; begin += most_columns, overwrite = false) {
    const double* columns[most_columns];
    const int count = std::min(most_columns, segment.end - begin);
    for (int j = 0; j < count; ++j)
      columns[j] = component.values.col(place_[static_cast<size_t>(begin + j)] - component.first).data() -
                   component.first;
    for (const auto& [low, high] : component.expected)
      combine(columns, count, entry_.data() + lanes * begin, std::max(low, segment.first_needed), high,
              overwrite, t_.data());
  }
  if (segment.is_first && std::ranges::find(filled_, segment.component) == filled_.end())
    filled_.push_back(segment.component);
}

void Compliance::multiply(int own, std::span<const int> others, double* blocks) {
  const Segments segments = contacts_[static_cast<size_t>(own)];
  clear_all_but(segments);
  for (int s = segments.begin; s < segments.end; ++s) add_products(segments_[static_cast<size_t>(s)]);
  for (const int other : others) {
    const Segments& range = contacts_[static_cast<size_t>(other)];
    if (range.begin == range.end) {  // nothing that it touches can move
      std::fill_n(blocks, 3 * lanes, 0.0);
      blocks += 3 * lanes;
      continue;
    }
    const int begin = segments_[static_cast<size_t>(range.begin)].begin;
    const int end = segments_[static_cast<size_t>(range.end) - 1].end;
    dot(place_.data() + begin, entry_.data() + lanes * begin, end - begin, t_.data(), blocks);
    blocks += 3 * lanes;
  }
}

}  // namespace percuss
