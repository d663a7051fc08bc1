#pragma once

#include <compare>
#include <cstdint>
#include <memory>
#include <vector>

#include "percuss/geometry/feature_kind.h"

namespace percuss {

/// What happened at a contact during a step. A frictionless contact that carries a force always slips.
enum class ContactStatus : std::uint8_t { open = 0, stick = 1, slip = 2, impact = 3 };

/// Names a contact for the whole run: the same two features of the same interaction have the same id in every
/// run, for any number of threads and after a resume. Ids are ordered.
struct ContactId {
  std::int64_t interaction = 0;  ///< a declared contact, or a pair of surfaces that find each other
  FeatureKind kind = FeatureKind::whole;
  std::int32_t a = 0, b = 0;  ///< features of the first and of the second side

  auto operator<=>(const ContactId&) const = default;
};

/// What contacts carry from step to step, by id. A contact that is not listed is open and has no reaction.
struct ContactState {
  struct Entry {
    ContactId id;
    std::int32_t row = 0;  ///< its first one in `reaction`

    bool operator==(const Entry&) const = default;
  };
  using Entries = std::vector<Entry>;
  /// Ascending. They stay as long as the same contacts are listed: copies of a state share them.
  std::shared_ptr<const Entries> listed = std::make_shared<const Entries>();
  std::vector<double> reaction;       ///< impulse of each row in the last step [N s]
  std::vector<ContactStatus> status;  ///< in the last step
  std::vector<double> memory;         ///< of the scheme: as many numbers for each contact

  const Entries& entries() const { return *listed; }
  int count() const { return static_cast<int>(listed->size()); }
  int end_row(int c) const {
    return c + 1 < count() ? (*listed)[static_cast<std::size_t>(c) + 1].row
                           : static_cast<std::int32_t>(reaction.size());
  }
};

}  // namespace percuss
