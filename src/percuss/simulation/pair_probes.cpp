#include "percuss/simulation/pair_probes.h"

#include <algorithm>
#include <limits>
#include <set>
#include <vector>

#include <fmt/format.h>

#include "percuss/contacts/assembly.h"
#include "percuss/contacts/thing_distance.h"
#include "percuss/simulation/probe_syntax.h"
#include "percuss/simulation/simulation.h"

namespace percuss {
namespace {

/// `brick` means the contacts of `brick` and of `brick.corner1`, `room` those of `room.x_min`, `*` all.
bool means(const std::string& given, const std::string& name) {
  return given == "*" || given == name || (name.starts_with(given) && name[given.size()] == '.');
}

/// On which side of a contact the two names of a probe are.
class Sides {
 public:
  Sides(const Assembly& assembly, const std::string& first, const std::string& second)
      : is_everything_(first == "*" && second == "*") {
    for (const Contact& contact : assembly.interactions.declared.contacts) {
      const ContactName name = assembly.interactions.name(contact);
      declared_.push_back(!contact.has_gap() || contact.is_of_joint()              ? 0
                          : means(first, name.first) && means(second, name.second) ? 1
                          : means(first, name.second) && means(second, name.first) ? -1
                                                                                   : 0);
    }
    things_ = assembly.interactions.things;
    if (!things_) return;
    for (const Thing& thing : things_->all) {
      first_.push_back(means(first, thing.name));
      second_.push_back(means(second, thing.name));
    }
  }

  bool empty() const {
    const auto any = [](const std::vector<char>& side) { return std::ranges::find(side, 1) != side.end(); };
    const bool is_declared = std::ranges::any_of(declared_, [](int side) { return side != 0; });
    return !is_declared && !(any(first_) && any(second_));
  }
  /// 1: the first name is the first side, -1: it is the second, 0: the contact is between others.
  int of(const ContactId& id) const {
    const auto declared = static_cast<std::int64_t>(declared_.size());
    if (id.interaction < declared) return declared_[static_cast<size_t>(id.interaction)];
    auto [i, j] = things_->pair_of(declared, id.interaction);
    if (is_exchanged(id.kind)) std::swap(i, j);
    const auto a = static_cast<size_t>(i), b = static_cast<size_t>(j);
    return first_[a] && second_[b] ? 1 : first_[b] && second_[a] ? -1 : 0;
  }

  /// visit(things, i, j) for those that may touch and of which the list has no contact, unless both sides are
  /// `*`.
  void for_each_pair_apart(const ContactList& list, const auto& visit) const {
    if (!things_ || is_everything_) return;
    const auto declared = static_cast<std::int64_t>(declared_.size());
    std::set<std::int64_t> listed;
    for (const Contact& contact : list.contacts) listed.insert(contact.id.interaction);
    for (int a = 0; a < things_->count(); ++a) {
      if (first_[static_cast<size_t>(a)] == 0) continue;
      for (int b = 0; b < things_->count(); ++b) {
        if (second_[static_cast<size_t>(b)] == 0 || a == b) continue;
        const auto [i, j] = std::minmax(a, b);
        if (things_->world.may_touch(i, j) && !listed.contains(things_->interaction(declared, i, j)))
          visit(*things_, i, j);
      }
    }
  }

 private:
  bool is_everything_;
  std::vector<int> declared_;  ///< by interaction
  std::shared_ptr<const Things> things_;
  std::vector<char> first_, second_;  ///< by thing
};

/// visit(place, side) for the contacts of the list that are meant.
void for_each(const Simulation& s, const Sides& sides, const auto& visit) {
  for (int place = 0; place < s.contact_count(); ++place)
    if (const int side = sides.of(s.contact_list()[place].id); side != 0) visit(place, side);
}

/// On the first side, in space.
Vector3 force_in_space(const Simulation& s, int place, int side) {
  const Vector3 force = s.contact_force(place);
  if (force.isZero(0)) return force;
  return side * s.to_space(place, force);
}

double resultant_of_step(const Simulation& s, const Sides& sides) {
  Vector3 impulse = Vector3::Zero();
  for_each(s, sides,
           [&](int place, int side) { impulse += side * s.to_space(place, s.contact_impulse(place)); });
  return mean_force(s, impulse);
}

std::function<double(const Simulation&)> sum(const Sides& sides, auto&& value) {
  return [sides, value](const Simulation& s) {
    double total = 0;
    for_each(s, sides, [&](int place, int side) { total += value(s, place, side); });
    return total;
  };
}

/// Of all contacts that ever touched.
std::function<double(const Simulation&)> sum_over_life(const Sides& sides, auto ContactSums::*member) {
  return [sides, member](const Simulation& s) {
    double total = 0;
    for (const ContactSums& sums : s.contact_record())
      if (sides.of(sums.id) != 0) total += sums.*member;
    return total;
  };
}

/// Of the contacts that steps look at.
double smallest_listed_gap(const Simulation& s, const Sides& sides) {
  double smallest = std::numeric_limits<double>::infinity();
  for_each(s, sides, [&](int place, int) { smallest = std::min(smallest, s.gap(place)); });
  return smallest;
}

/// And of what is farther away, where its distance is known.
double smallest_gap(const Simulation& s, const Sides& sides) {
  double smallest = smallest_listed_gap(s, sides);
  sides.for_each_pair_apart(s.contact_list(), [&](const Things& things, int i, int j) {
    const Thing &a = things.all[static_cast<size_t>(i)], &b = things.all[static_cast<size_t>(j)];
    smallest = std::min(smallest, distance_of_things(things, a, b, s.kinematics(), smallest));
  });
  return smallest;
}

}  // namespace

double mean_force(const Simulation& s, const Vector3& impulse) {
  return s.last_step_size() > 0 ? impulse.norm() / s.last_step_size() : 0.0;
}

std::optional<Probe> pair_probe(const Assembly& assembly, const std::string& first, const std::string& second,
                                const std::string& what) {
  const Sides sides(assembly, first, second);
  if (sides.empty()) return std::nullopt;
  if (what == "force")
    return Probe{"N",
                 sum(sides, [](const Simulation& s, int place, int) { return s.contact_force(place)[0]; })};
  if (what == "friction")
    return Probe{"N", sum(sides, [](const Simulation& s, int place, int) {
                   return s.contact_force(place).tail<2>().norm();
                 })};
  constexpr std::string_view axes = "xyz";
  const size_t axis = what.empty() ? axes.npos : axes.find(what.back());
  if (axis != axes.npos && what.starts_with("force.") && what.size() == 7)
    return Probe{"N", sum(sides, [axis](const Simulation& s, int place, int side) {
                   return force_in_space(s, place, side)[static_cast<Eigen::Index>(axis)];
                 })};
  if (axis != axes.npos && what.starts_with("moment.") && what.size() == 8) {
    const auto& bodies = assembly.system.body_index;
    const auto body = bodies.find(first);
    if (body == bodies.end())
      throw ProbeError("a moment is one about the centre of a body: write contact(BODY, ...).moment." +
                       what.substr(7));
    return Probe{"N m",
                 sum(sides, [axis, id = BodyId{body->second}](const Simulation& s, int place, int side) {
                   const Vector3 force = force_in_space(s, place, side);
                   if (force.isZero(0)) return 0.0;
                   const Vector3 arm = s.view_contact(place).point - s.position(id);
                   const Vector3 couple = side * s.to_space(place, s.contact_moment(place));
                   return (arm.cross(force) + couple)[static_cast<Eigen::Index>(axis)];
                 })};
  }
  if (what == "rolling_moment")
    return Probe{"N m", sum(sides, [](const Simulation& s, int place, int) {
                   return s.contact_moment(place).tail<2>().norm();
                 })};
  if (what == "spinning_moment")
    return Probe{"N m", sum(sides, [](const Simulation& s, int place, int) {
                   return std::abs(s.contact_moment(place)[0]);
                 })};
  if (what == "peak_force")
    return Probe::peak(fmt::format("contact({}, {}).peak_force", first, second), "N",
                       [sides](const Simulation& s) { return resultant_of_step(s, sides); });
  if (what == "impulse") return Probe{"N s", sum_over_life(sides, &ContactSums::impulse)};
  if (what == "impacts") return Probe{"1", sum_over_life(sides, &ContactSums::interval_impacts)};
  if (what == "impact_impulse")
    return Probe{"N s", sum_over_life(sides, &ContactSums::interval_impact_impulse)};
  if (what == "closed")
    return Probe{"1", sum(sides, [](const Simulation& s, int place, int) {
                   return s.state().contacts.reaction[static_cast<size_t>(s.contact_list()[place].row)] > 0
                              ? 1.0
                              : 0.0;
                 })};
  if (what == "gap") return Probe{"m", [sides](const Simulation& s) { return smallest_gap(s, sides); }};
  if (what == "penetration")
    return Probe{"m", [sides](const Simulation& s) { return std::max(0.0, -smallest_listed_gap(s, sides)); }};
  probe_syntax::unknown(
      "quantity of the contacts of two bodies", what,
      {"force", "force.x", "friction", "moment.x", "rolling_moment", "spinning_moment", "peak_force",
       "impulse", "impacts", "impact_impulse", "closed", "gap", "penetration"});
}

}  // namespace percuss
