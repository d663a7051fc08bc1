#include "percuss/contacts/detection.h"

#include <algorithm>

namespace percuss {
namespace {

/// Part of the model's size within which declared contacts are listed, however slow bodies are.
constexpr double relative_skin = 0.01;

bool have_same_ids(const ContactList& a, const ContactList& b) {
  return std::ranges::equal(a.contacts, b.contacts, {}, &Contact::id, &Contact::id);
}

}  // namespace

Detection::Detection(const Assembly& assembly)
    : lists_all_declared_(
          std::ranges::all_of(assembly.interactions.declared.contacts, &Contact::is_always_listed)),
      is_fixed_(lists_all_declared_ && !assembly.interactions.things),
      list_(assembly.interactions.declared),
      kinematics_(make_kinematics(assembly.system)) {
  if (is_fixed_) return;
  if (assembly.interactions.things) search_.emplace(assembly);
  if (!lists_all_declared_)
    near_ = make_contact_kinematics(assembly.interactions, assembly.interactions.declared);
  increment_.setZero(assembly.system.dof_count());
}

/// Where bodies are in the middle of a step of length h.
void Detection::predict(const Assembly& assembly, const State& state, double h) {
  const System& system = assembly.system;
  q_ = state.q;
  increment_ = 0.5 * h * state.v;
  retract(system, increment_, q_);
  kinematics_.angles = state.angles;
  update(system, q_, state.v, state.time + 0.5 * h, kinematics_);
}

double Detection::longest_step(const Assembly& assembly, const State& state, double h) {
  if (!search_) return h;
  predict(assembly, state, h);
  return search_->longest_step(kinematics_, h);
}

bool Detection::choose_again(const Assembly& assembly, const State& state, double h) {
  predict(assembly, state, h);
  next_.clear();
  choose_declared(assembly, state, h);
  if (search_) search_->find(assembly, kinematics_, h, next_);
  if (have_same_ids(list_, next_)) return false;
  next_.version = list_.version + 1;
  std::swap(list_, next_);
  return true;
}

void Detection::choose_declared(const Assembly& assembly, const State& state, double h) {
  const ContactList& declared = assembly.interactions.declared;
  // Nothing is faster than this, also not the rim of what turns.
  const double size = assembly.system.size;
  const double reach = relative_skin * size + 2 * h * (1 + size) * state.v.lpNorm<Eigen::Infinity>();
  if (!lists_all_declared_) evaluate_near_contacts(assembly, declared, q_, reach, {}, kinematics_, near_);
  for (int c = 0; c < declared.count(); ++c) {
    const Contact& contact = declared[c];
    if (contact.is_always_listed || !contact.has_gap() || contact.gap_length * near_.gap[c] <= reach)
      next_.add_from(declared, c);
  }
}

bool Detection::list_again(const Assembly& assembly, const ContactState& state) {
  const ContactList& declared = assembly.interactions.declared;
  next_.clear();
  for (const auto& entry : state.entries()) {
    if (entry.row != next_.rows) return false;
    if (const int c = declared.find(entry.id); c >= 0)
      next_.add_from(declared, c);
    else if (!search_ || !add_found_contact(assembly.system, assembly.interactions, entry.id, next_))
      return false;
  }
  const bool has_all = !is_fixed_ || next_.count() == declared.count();
  if (!has_all || next_.rows != static_cast<int>(state.reaction.size())) return false;
  next_.version = list_.version + 1;
  std::swap(list_, next_);
  return true;
}

void realign(const ContactList& list, int memory_size, ContactState& state, Realignment& scratch) {
  ContactState& before = scratch.before;
  std::swap(before, state);
  auto listed = std::make_shared<ContactState::Entries>();
  listed->reserve(list.contacts.size());
  state.reaction.assign(static_cast<size_t>(list.rows), 0.0);
  state.status.assign(list.contacts.size(), ContactStatus::open);
  state.memory.assign(list.contacts.size() * static_cast<size_t>(memory_size), 0.0);
  scratch.origin.clear();
  int old = 0;
  for (int c = 0; c < list.count(); ++c) {
    const Contact& contact = list[c];
    listed->push_back({contact.id, contact.row});
    while (old < before.count() && before.entries()[static_cast<size_t>(old)].id < contact.id) ++old;
    const bool was_listed =
        old < before.count() && before.entries()[static_cast<size_t>(old)].id == contact.id;
    scratch.origin.push_back(was_listed ? old : -1);
    if (!was_listed) continue;
    const int first = before.entries()[static_cast<size_t>(old)].row;
    std::copy_n(before.reaction.begin() + first, std::min(before.end_row(old) - first, contact.rows),
                state.reaction.begin() + contact.row);
    state.status[static_cast<size_t>(c)] = before.status[static_cast<size_t>(old)];
    std::copy_n(before.memory.begin() + static_cast<std::ptrdiff_t>(old) * memory_size, memory_size,
                state.memory.begin() + static_cast<std::ptrdiff_t>(c) * memory_size);
  }
  state.listed = std::move(listed);
}

}  // namespace percuss
