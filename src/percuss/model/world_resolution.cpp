#include <algorithm>
#include <cmath>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "percuss/math/shorten.h"
#include "percuss/model/world.h"
#include "percuss/model/world_words.h"

namespace percuss {
namespace {

/// Items of `except` with more pairs are kept as sides, not as a list of pairs.
constexpr std::size_t most_listed_pairs = 1024;

bool can_be_found(const Body& body) {
  if (const auto* rigid = std::get_if<RigidBody>(&body)) return rigid->shape.has_value();
  if (const auto* planar = std::get_if<PlanarBody>(&body)) return planar->shape.has_value();
  return !flexible(body) || std::holds_alternative<Solid>(body) || radius_of_section(body);
}

/// Whether it moves in a plane z = constant.
bool is_planar(const Body& body) {
  if (const auto* solid = std::get_if<Solid>(&body)) {
    const auto mesh = mesh_of(*solid);
    return mesh && mesh->dimension() == 2;
  }
  return std::holds_alternative<PlanarBody>(body);
}

/// Finds out what `groups`, the clauses `between` and `except` mean.
class WorldResolver {
 public:
  WorldResolver(const Model& model, std::vector<Complaint>& complaints)
      : model_(model), complaints_(complaints), words_(model, complaints) {
    const auto count = static_cast<size_t>(words_.size());
    for (auto* sides : {&first_, &second_, &kept_first_, &kept_second_}) sides->assign(count, 0);
    is_left_out_.assign(model.bodies.size(), false);
    describe_all();
  }

  World run() {
    for (size_t i = 0; i < model_.contacts.size(); ++i)
      if (!model_.contacts[i].between.empty())
        read_clause(model_.contacts[i], fmt::format("contacts[{}]", i));
    for (size_t i = 0; i < model_.except.size(); ++i) read_exception(i);
    list_things();
    except_connected();
    except_declared();
    for (const int thing : with_themselves_)
      world_.touching_themselves.push_back(place_[static_cast<size_t>(thing)]);
    for (const auto& [a, b] : pairs_) except(a, b);
    std::sort(world_.excepted.begin(), world_.excepted.end());
    world_.excepted.erase(std::unique(world_.excepted.begin(), world_.excepted.end()), world_.excepted.end());
    return std::move(world_);
  }

 private:
  using Meaning = WorldWords::Meaning;

  void describe_all() {
    described_.resize(static_cast<size_t>(words_.size()));
    for (size_t b = 0; b < model_.bodies.size(); ++b) {
      Touchable& thing = described_[b];
      thing.body = thing.carrier = static_cast<int>(b);
      thing.in_plane = is_planar(model_.bodies[b]);
      thing.in_space = !thing.in_plane;
    }
    for (size_t w = 0; w < words_.walls().size(); ++w) {
      const Wall& wall = words_.walls()[w];
      Touchable& thing = described_[static_cast<size_t>(words_.of_wall(static_cast<int>(w)))];
      thing.wall = static_cast<int>(w);
      thing.carrier = words_.body(owner_of(wall.frame)).value_or(-1);
      thing.in_plane = std::abs(wall.solid.normal.z()) <= 1e-9 && keeps_the_plane(wall.frame);
    }
    for (size_t o = 0; o < model_.obstacles.size(); ++o) {
      Touchable& thing = described_[static_cast<size_t>(words_.of_obstacle(static_cast<int>(o)))];
      thing.obstacle = static_cast<int>(o);
      thing.carrier = words_.body(owner_of(carrier_of(model_.obstacles[o]))).value_or(-1);
    }
  }

  /// What lies in the x-y plane at the start stays in it.
  bool keeps_the_plane(const std::string& carrier) const {
    if (const auto body = words_.body(owner_of(carrier)))
      return described_[static_cast<size_t>(*body)].in_plane;
    for (const auto& frame : model_.frames)
      if (frame.name == carrier)
        return (frame.angle.is_constant() && frame.angle.value(0) == 0) || frame.axis.head<2>().isZero(0);
    return true;
  }

  void read_clause(const ContactPair& given, const std::string& path) {
    if (!given.body.empty() || !given.nodes.empty() || !given.against.empty())
      return complain(path, "give either `between`, or `body` and `against`");
    if (given.corners_only)
      return complain(path + ".corners_only",
                      "it belongs to pairs declared with `body` and `against`; leave it out");
    if (given.between.size() != 2)
      return complain(path + ".between",
                      fmt::format("expected the two sides, as in [stones, floor], found a list of {}",
                                  given.between.size()));
    if (clauses_ == World::most_clauses) {
      if (!std::exchange(has_too_many_, true))
        complain(path, fmt::format("more than {} items have `between`; collect names in `groups`",
                                   World::most_clauses));
      return;
    }
    std::optional<Meaning> sides[2];
    for (int side = 0; side < 2; ++side) {
      const std::string where = fmt::format("{}.between[{}]", path, side);
      sides[side] = words_.find(given.between[side], where, complaints_);
      if (sides[side] && !leave_out(*sides[side], given.between[side], where)) sides[side].reset();
    }
    if (!sides[0] || !sides[1]) return;
    const bool is_with_itself = means_itself(*sides[0], *sides[1]);
    if (is_with_itself)
      with_themselves_.insert(sides[0]->things[0]);
    else
      check_meeting(given, *sides[0], *sides[1], path + ".between");
    const std::uint64_t bit = std::uint64_t{1} << clauses_++;
    for (const int thing : sides[0]->things) first_[static_cast<size_t>(thing)] |= bit;
    for (const int thing : sides[1]->things) second_[static_cast<size_t>(thing)] |= bit;
    if (!sides[0]->is_name || !sides[1]->is_name || is_with_itself) return;
    for (const int a : sides[0]->things)
      for (const int b : sides[1]->things) own_names_.insert(std::minmax(a, b));
  }

  /// The name of a solid twice: its surface may touch itself.
  bool means_itself(const Meaning& a, const Meaning& b) const {
    if (!a.is_name || !b.is_name || a.things != b.things) return false;
    const int body = words_.body_of(a.things[0]);
    return body >= 0 && std::holds_alternative<Solid>(model_.bodies[static_cast<size_t>(body)]);
  }

  /// Takes away what cannot be found. False after a complaint.
  bool leave_out(Meaning& side, const std::string& word, const std::string& path) {
    const auto is_found = [&](int thing) {
      const int body = words_.body_of(thing);
      return body < 0 || can_be_found(model_.bodies[static_cast<size_t>(body)]);
    };
    for (const int thing : side.named) {
      if (is_found(thing)) continue;
      const Body& body = model_.bodies[static_cast<size_t>(thing)];
      complain(path,
               flexible(body)
                   ? fmt::format(
                         "'{}' is not found by others: of slender bodies only beams and shafts in space are "
                         "whose section is a `circle` or a `tube`; declare its contacts with `body` "
                         "(or `nodes`) and `against`",
                         name_of(body))
                   : fmt::format("'{}' has no shape: nothing finds it; give it `shape:`, or declare its "
                                 "points with `body` and `against`",
                                 name_of(body)));
      return false;
    }
    const bool had_some = !side.things.empty();
    std::erase_if(side.things, [&](int thing) {
      const bool found = is_found(thing);
      if (!found) is_left_out_[static_cast<size_t>(thing)] = true;
      return !found;
    });
    if (side.is_all || !had_some || !side.things.empty()) return true;
    complain(path, fmt::format("nothing that '{}' means can be found: rigid and planar bodies need `shape:`, "
                               "beams and shafts must be in space with a `circle` or a `tube` as section",
                               shorten(word)));
    return false;
  }

  /// A clause that could never do anything is a mistake, unless `all` stands in it.
  void check_meeting(const ContactPair& given, const Meaning& a, const Meaning& b, const std::string& path) {
    if (a.is_all || b.is_all) return;
    const auto every = [&](auto is_so) {
      const auto holds = [&](int thing) { return is_so(described_[static_cast<size_t>(thing)]); };
      return std::ranges::all_of(a.things, holds) && std::ranges::all_of(b.things, holds);
    };
    const auto& [first, second] = std::tie(given.between[0], given.between[1]);
    const int carrier = described_[static_cast<size_t>(a.things[0])].carrier;
    if (every([](const Touchable& thing) { return thing.carrier < 0; }))
      complain(path, fmt::format("neither '{}' nor '{}' moves by forces, so that they need no contact",
                                 shorten(first), shorten(second)));
    else if (every([&](const Touchable& thing) { return thing.carrier == carrier; }))
      complain(path, fmt::format("'{}' and '{}' belong to '{}', which cannot touch itself", shorten(first),
                                 shorten(second), name_of(model_.bodies[static_cast<size_t>(carrier)])));
    else if (every([](const Touchable& thing) { return thing.wall >= 0; }))
      complain(path, fmt::format("'{}' and '{}' are walls, which do not touch each other; name a body",
                                 shorten(first), shorten(second)));
    else if (!share_space(a, b))
      complain(path, fmt::format("of '{}' and '{}' one is planar and the other is not in the plane, so that "
                                 "they do not find each other; declare them with `body` and `against`",
                                 shorten(first), shorten(second)));
  }
  bool share_space(const Meaning& a, const Meaning& b) const {
    const auto some = [&](const Meaning& side, bool Touchable::*place) {
      return std::ranges::any_of(side.things,
                                 [&](int thing) { return described_[static_cast<size_t>(thing)].*place; });
    };
    return (some(a, &Touchable::in_space) && some(b, &Touchable::in_space)) ||
           (some(a, &Touchable::in_plane) && some(b, &Touchable::in_plane));
  }

  void read_exception(size_t index) {
    const std::string path = fmt::format("except[{}]", index);
    if (model_.except[index][0].empty() || model_.except[index][1].empty())
      return complain(path, "name the two sides");
    std::optional<Meaning> sides[2];
    for (int side = 0; side < 2; ++side)
      sides[side] = words_.find(model_.except[index][static_cast<size_t>(side)],
                                fmt::format("{}[{}]", path, side), complaints_);
    if (!sides[0] || !sides[1]) return;
    if (sides[0]->things.size() * sides[1]->things.size() <= most_listed_pairs) {
      for (const int a : sides[0]->things)
        for (const int b : sides[1]->things) pairs_.emplace_back(a, b);
      return;
    }
    if (kept_ == World::most_clauses) {
      if (!std::exchange(keeps_too_many_, true))
        complain(path, fmt::format("more than {} items have large groups; put them into fewer groups",
                                   World::most_clauses));
      return;
    }
    const std::uint64_t bit = std::uint64_t{1} << kept_++;
    for (const int thing : sides[0]->things) kept_first_[static_cast<size_t>(thing)] |= bit;
    for (const int thing : sides[1]->things) kept_second_[static_cast<size_t>(thing)] |= bit;
  }

  void list_things() {
    place_.assign(static_cast<size_t>(words_.size()), -1);
    for (size_t thing = 0; thing < place_.size(); ++thing) {
      if ((first_[thing] | second_[thing]) == 0) continue;
      place_[thing] = world_.size();
      world_.things.push_back(described_[thing]);
      world_.first.push_back(first_[thing]);
      world_.second.push_back(second_[thing]);
      world_.kept_first.push_back(kept_first_[thing]);
      world_.kept_second.push_back(kept_second_[thing]);
      if (described_[thing].body < 0 && described_[thing].carrier >= 0)
        carried_[described_[thing].carrier].push_back(static_cast<int>(thing));
    }
    for (size_t body = 0; body < is_left_out_.size(); ++body)
      if (is_left_out_[body]) world_.left_out.push_back(static_cast<int>(body));
  }

  /// By numbers of the words.
  void except(int a, int b) {
    const int i = place_[static_cast<size_t>(a)], j = place_[static_cast<size_t>(b)];
    if (i >= 0 && j >= 0 && i != j) world_.excepted.push_back(std::minmax(i, j));
  }

  /// A body and what it carries.
  std::vector<int> with_carried(int body) const {
    std::vector<int> things = {words_.of_body(body)};
    if (const auto found = carried_.find(body); found != carried_.end())
      things.insert(things.end(), found->second.begin(), found->second.end());
    return things;
  }

  void except_connected(const std::string& a, const std::string& b) {
    const auto first = words_.body(owner_of(a)), second = words_.body(owner_of(b));
    if (!first || !second) return;
    for (const int i : with_carried(*first))
      for (const int j : with_carried(*second))
        if (!own_names_.contains(std::minmax(i, j))) except(i, j);
  }
  void except_connected() {
    for (const Joint& joint : model_.joints)
      if (const JointBase* base = base_of(joint)) except_connected(base->body, base->to);
    for (const Clearance& clearance : model_.clearances) {
      if (const auto* pin = std::get_if<PinInHole>(&clearance)) except_connected(pin->pin, pin->hole);
      if (const auto* slot = std::get_if<Slot>(&clearance))
        for (const auto& point : slot->points) except_connected(point, slot->in);
    }
  }

  /// What is declared one by one has its own rules.
  void except_declared() {
    std::vector<Complaint> known;  // resolve_contacts says them to others
    for (const auto& contact : resolve_contacts(model_, known)) {
      except(contact.body, contact.wall >= 0 ? words_.of_wall(contact.wall) : words_.of_body(contact.other));
      if (contact.other == contact.body) with_themselves_.erase(words_.of_body(contact.body));
    }
  }

  void complain(std::string path, std::string message) {
    complaints_.push_back({std::move(path), std::move(message)});
  }

  const Model& model_;
  std::vector<Complaint>& complaints_;
  WorldWords words_;
  World world_;
  int clauses_ = 0, kept_ = 0;
  bool has_too_many_ = false, keeps_too_many_ = false;
  // By numbers of the words.
  std::vector<Touchable> described_;
  std::vector<std::uint64_t> first_, second_, kept_first_, kept_second_;
  std::vector<int> place_;  ///< in World::things
  std::vector<bool> is_left_out_;
  std::set<std::pair<int, int>> own_names_;  ///< pairs of a clause that names both by their own names
  std::set<int> with_themselves_;            ///< things
  std::vector<std::pair<int, int>> pairs_;   ///< of `except`
  std::unordered_map<int, std::vector<int>> carried_;
};

}  // namespace

World resolve_world(const Model& model, std::vector<Complaint>& complaints) {
  const auto is_clause = [](const ContactPair& pair) { return !pair.between.empty(); };
  if (model.groups.empty() && model.except.empty() && std::ranges::none_of(model.contacts, is_clause))
    return {};
  return WorldResolver(model, complaints).run();
}

}  // namespace percuss
