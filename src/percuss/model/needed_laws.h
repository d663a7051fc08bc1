#pragma once

#include <set>

#include "percuss/model/validate_checks.h"

namespace percuss {

/// Complains once about each material and each pair law that is missing where bodies may touch.
class NeededLaws {
 public:
  explicit NeededLaws(ModelChecks& check) : check_(check) {}

  struct Side {
    const std::string& name;
    const std::string& material;
    int body = -1;  ///< its index; an obstacle has none
  };
  void require(const Side& first, const Side& second) {
    if (lacks_material(first, second.name) || lacks_material(second, first.name)) return;
    const std::string &a = first.material, &b = second.material;
    if (find_law(check_.model, a, b) || !check_.materials.contains(a) || !check_.materials.contains(b) ||
        !without_law_.insert(std::minmax(a, b)).second)
      return;
    check_.complain("pairs",
                    fmt::format("no law between '{}' (of '{}') and '{}' (of '{}'); add {{between: [{}, {}], "
                                "restitution: ...}}",
                                a, first.name, b, second.name, a, b));
  }

 private:
  bool lacks_material(const Side& side, const std::string& other) {
    if (side.body < 0 || !side.material.empty()) return false;
    if (without_material_.insert(side.body).second)
      check_.complain(fmt::format("bodies[{}].material", side.body),
                      fmt::format("'{}' can touch '{}' and needs a material, so that a pair law can be found",
                                  side.name, other));
    return true;
  }

  ModelChecks& check_;
  std::set<int> without_material_;
  std::set<std::pair<std::string, std::string>> without_law_;
};

/// Groups, exceptions, and who finds whom.
void check_world(ModelChecks& check, NeededLaws& laws);

}  // namespace percuss
