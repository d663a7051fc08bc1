#include "percuss/contacts/found_contacts.h"

#include <algorithm>
#include <cmath>

#include "percuss/contacts/assembly.h"
#include "percuss/contacts/features_of.h"

namespace percuss {
namespace {

/// Pairs of things whose features one thread looks for, or several together, before their contacts are made.
constexpr size_t batch_of_one = 64, batch_of_threads = 1024;
/// Steps of the present speed for which candidates of the broad phase are kept.
constexpr double kept_steps = 8;

ContactKind contact_kind(FeatureKind kind) {
  if (is_curved(kind)) return ContactKind::curved;
  switch (kind) {
    case FeatureKind::point_point: return ContactKind::spheres;
    case FeatureKind::point_line:
    case FeatureKind::line_point: return ContactKind::point_on_line;
    case FeatureKind::point_face:
    case FeatureKind::face_point: return ContactKind::plane;
    default: return ContactKind::lines;
  }
}

/// The side with the lower type is evaluated first.
bool fill_features(const FeaturesOf& first, const FeaturesOf& second, const ContactId& id, Contact& contact) {
  if (id.kind == FeatureKind::whole) return false;
  const bool is_turned = is_exchanged(id.kind);
  const FeaturesOf &of_a = is_turned ? second : first, &of_b = is_turned ? first : second;
  OwnFeature a, b;
  if (!of_a.get(is_turned ? second_type(id.kind) : first_type(id.kind), is_turned ? id.b : id.a, a) ||
      !of_b.get(is_turned ? first_type(id.kind) : second_type(id.kind), is_turned ? id.a : id.b, b))
    return false;
  contact.kind = b.surface >= 0 ? ContactKind::facets : contact_kind(id.kind);
  contact.a = {a.body, a.feature.point};
  contact.radius_a = a.feature.radius;
  if (contact.kind == ContactKind::facets) {
    contact.index = b.surface;
    contact.item = -1;
    return true;
  }
  contact.b = {b.body, b.feature.point};
  contact.next_a = a.next;
  contact.next_b = b.next;
  contact.direction_a = a.feature.direction;
  contact.direction = b.feature.direction;
  contact.radius_b = b.feature.radius;
  if (contact.kind == ContactKind::curved) {
    contact.index = a.piece;
    contact.item = b.piece;
    return true;
  }
  if (id.kind == FeatureKind::line_line_reversed) contact.sign = -1;
  return true;
}

/// Whether nodes that are held leave a contact anything to do. Before a half-space that stands still its
/// normal is known, and the node must be able to move along it.
bool can_change(const System& system, const Interactions& interactions, const Contact& contact) {
  const auto can_move = [&](int body) {
    return body >= 0 && std::ranges::any_of(system.bodies[static_cast<size_t>(body)].dof,
                                            [](int dof) { return dof >= 0; });
  };
  if (contact.has_surface()) {
    const ContactSurface& surface = interactions.surfaces[static_cast<size_t>(contact.index)];
    return can_move(contact.a.body) || std::ranges::any_of(surface.nodes, can_move);
  }
  if (contact.kind == ContactKind::plane && contact.b.body < 0) {
    const BodyData& node = system.bodies[static_cast<size_t>(contact.a.body)];
    if (node.kind != BodyKind::translating) return true;
    for (int axis = 0; axis < 3; ++axis)
      if (node.dof[static_cast<size_t>(axis)] >= 0 && contact.direction[axis] != 0) return true;
    return false;
  }
  return can_move(contact.a.body) || can_move(contact.next_a) || can_move(contact.b.body) ||
         can_move(contact.next_b);
}

/// What all contacts of two things have in common.
Contact contact_between(const System& system, const Things& things, const Thing& first, const Thing& second) {
  Contact contact;
  contact.is_always_listed = false;
  contact.law = things.law(first, second);
  contact.thickness = std::min(first.thickness, second.thickness);
  // Obstacles do not touch each other: one of the two is a conveyor at most.
  contact.belt_is_first = !first.belt.isZero(0);
  contact.belt = contact.belt_is_first ? first.belt : second.belt;
  const auto body_of = [](const Thing& thing) { return thing.is_flexible() ? thing.first_node : thing.body; };
  contact.a.body = body_of(first);
  contact.b.body = body_of(second);
  set_rows(system, contact);
  contact.a = contact.b = {};
  // Nodes that are held do not show whether their body keeps to the plane.
  if (first.is_flexible() || second.is_flexible()) {
    const bool is_planar = first.is_flexible() ? first.is_planar : second.is_planar;
    set_rows(contact, is_planar, contact.moment_length);
  }
  return contact;
}

/// Appends a contact of two things to which `contact_between` belongs; false if they have no such features,
/// or only nodes that are held.
bool add_contact(const System& system, const Interactions& interactions, const Thing& first,
                 const Thing& second, const ContactId& id, Contact contact, ContactList& list) {
  contact.id = id;
  if (!fill_features({*interactions.things, first}, {*interactions.things, second}, id, contact))
    return false;
  if (is_exchanged(id.kind)) contact.belt_is_first = !contact.belt_is_first;
  if ((first.is_flexible() || second.is_flexible()) && !can_change(system, interactions, contact))
    return false;
  if (!contact.has_surface()) {
    list.add_with_coordinates(system, contact);
    return true;
  }
  const ContactSurface& surface = interactions.surfaces[static_cast<size_t>(contact.index)];
  if (&first == &second) contact.item = surface.place_of(contact.a.body);
  list.add_on_surface(system, surface, contact);
  return true;
}

}  // namespace

bool add_found_contact(const System& system, const Interactions& interactions, const ContactId& id,
                       ContactList& list) {
  const Things& things = *interactions.things;
  const auto [i, j] = things.pair_of(interactions.declared_count(), id.interaction);
  if (i < 0 || i > j || j >= things.count()) return false;
  if (i == j && !things.world.touches_itself(i)) return false;
  const Thing &first = things.all[static_cast<size_t>(i)], &second = things.all[static_cast<size_t>(j)];
  return add_contact(system, interactions, first, second, id, contact_between(system, things, first, second),
                     list);
}

ThingSearch::ThingSearch(const Assembly& assembly)
    : things_(assembly.interactions.things),
      broad_phase_([things = things_](int i, int j) { return things->world.may_touch(i, j); }),
      searches_(assembly.system.workers ? static_cast<size_t>(assembly.system.workers->count()) : 1,
                PairSearch(assembly)) {
  const size_t count = things_->all.size();
  for (size_t i = 0; i < count; ++i)
    if (things_->all[i].is_plane) planes_.push_back(static_cast<int>(i));
  own_reach_.resize(count);
  margin_.resize(count);
  boxes_.resize(count);
  rotation_.assign(count, Vector3::Zero());
}

void ThingSearch::place(const Kinematics& predicted, double h) {
  for (size_t i = 0; i < boxes_.size(); ++i) {
    const Thing& thing = things_->all[i];
    if (thing.is_flexible()) {
      place_nodes(i, predicted, h);
      continue;
    }
    const PoseAndVelocity& pose = predicted.of(thing.body);
    rotation_[i] = rotation_of(pose);
    // Of half-spaces what lies far out is as fast as where others come near, which nobody knows.
    const double arm = thing.is_plane ? 0.0 : thing.reach;
    const double speed = pose.v.norm() + pose.R_dot.norm() * arm;
    // What has no thickness, a plane or a terrain, leaves the skin to the others.
    const double skin = std::isfinite(thing.thickness) ? skin_of_thing * thing.thickness : 0.0;
    own_reach_[i] = skin + h * speed;
    margin_[i] = skin + kept_steps * h * speed;
    if (thing.pieces == 0) {
      boxes_[i].setEmpty();
      continue;
    }
    const Vector3 centre = pose.x + pose.R * thing.core.center();
    const Vector3 half =
        pose.R.cwiseAbs() * (0.5 * thing.core.sizes()) + Vector3::Constant(thing.radius + own_reach_[i]);
    boxes_[i] = Box(centre - half, centre + half);
  }
}

void ThingSearch::place_nodes(size_t i, const Kinematics& predicted, double h) {
  const Thing& thing = things_->all[i];
  double fastest2 = 0;
  Box& box = boxes_[i];
  box.setEmpty();
  for (const int node : thing.nodes) {
    const PoseAndVelocity& pose = predicted.of(thing.first_node + node);
    fastest2 = std::max(fastest2, pose.v.squaredNorm());
    box.extend(pose.x);
  }
  const double way = h * std::sqrt(fastest2), skin = skin_of_thing * thing.thickness;
  own_reach_[i] = skin + way;
  margin_[i] = skin + kept_steps * way;
  const Vector3 around = Vector3::Constant(thing.radius + own_reach_[i]);
  box = Box(box.min() - around, box.max() + around);
}

void ThingSearch::find_pairs(const Kinematics& predicted, double h) {
  place(predicted, h);
  for (PairSearch& search : searches_) search.begin();
  pairs_ = broad_phase_.find(boxes_, margin_);
  const size_t between_boxes = pairs_.size();
  for (const int p : planes_) {
    const Thing& plane = things_->all[static_cast<size_t>(p)];
    const PoseAndVelocity& pose = predicted.of(plane.body);
    const Vector3 normal = pose.R * plane.plane.normal, point = pose.x + pose.R * plane.plane.point;
    for (int i = 0; i < things_->count(); ++i) {
      const Box& box = boxes_[static_cast<size_t>(i)];
      if (box.isEmpty()) continue;
      const double half = normal.cwiseAbs().dot(0.5 * box.sizes());
      const double turning = pose.R_dot.norm() * (box.center() - pose.x).norm() * h;
      if (normal.dot(box.center() - point) - half > own_reach_[static_cast<size_t>(p)] + turning) continue;
      if (things_->world.may_touch(std::min(i, p), std::max(i, p)))
        pairs_.emplace_back(std::min(i, p), std::max(i, p));
    }
  }
  for (const int i : things_->world.touching_themselves) pairs_.emplace_back(i, i);
  if (pairs_.size() > between_boxes) std::ranges::sort(pairs_);
}

void ThingSearch::find_features(const Assembly& assembly, const Kinematics& predicted, double h,
                                ContactList& out) {
  const PairSearch::Moment now{assembly, predicted, h};
  const auto side = [&](int i) {
    const auto at = static_cast<size_t>(i);
    return PairSearch::Side{things_->all[at], boxes_[at], own_reach_[at], rotation_[at]};
  };
  // Of a batch contacts are made while its shapes are still in the cache; threads need longer ones.
  const size_t threads = pairs_.size() < batch_of_one ? 1 : searches_.size();
  const size_t batch = threads > 1 ? batch_of_threads : batch_of_one;
  found_of_pair_.resize(batch_of_threads);
  for (size_t first = 0; first < pairs_.size(); first += batch) {
    const size_t count = std::min(batch, pairs_.size() - first);
    const auto begin = [&](size_t thread) { return count * thread / threads; };
    auto search = [&](int of_thread) {
      const auto thread = static_cast<size_t>(of_thread);
      searches_[thread].clear();
      for (size_t k = begin(thread); k < begin(thread + 1); ++k) {
        const auto& [i, j] = pairs_[first + k];
        found_of_pair_[k] = searches_[thread].find(now, side(i), side(j));
      }
    };
    if (threads > 1)
      assembly.system.workers->run(search);
    else
      search(0);
    for (size_t thread = 0; thread < threads; ++thread) {
      const FeaturePair* next = searches_[thread].found().data();
      for (size_t k = begin(thread); k < begin(thread + 1); next += found_of_pair_[k++])
        add_contacts(assembly, pairs_[first + k], {next, next + found_of_pair_[k]}, out);
    }
  }
}

void ThingSearch::add_contacts(const Assembly& assembly, const std::pair<int, int>& pair,
                               std::span<const FeaturePair> features, ContactList& out) const {
  if (features.empty()) return;
  const Thing &first = things_->all[static_cast<size_t>(pair.first)],
              &second = things_->all[static_cast<size_t>(pair.second)];
  const Contact between = contact_between(assembly.system, *things_, first, second);
  ContactId id;
  id.interaction = things_->interaction(assembly.interactions.declared_count(), pair.first, pair.second);
  for (const FeaturePair& of : features) {
    id.kind = of.kind;
    id.a = of.a;
    id.b = of.b;
    add_contact(assembly.system, assembly.interactions, first, second, id, between, out);
  }
}

}  // namespace percuss
