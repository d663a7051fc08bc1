#include "percuss/io/results_tables.h"

#include <algorithm>

#include "percuss/contacts/contact_kinematics.h"
#include "percuss/io/hdf5_writer.h"

namespace percuss {
namespace {

std::int64_t expected_frames(const Simulation& simulation) {
  const TimeOptions& time = simulation.config().time;
  // With adaptive steps that all had the size of the first: a guess.
  const TimeGrid grid = time.adaptive ? TimeGrid(time) : simulation.grid();
  const auto steps = static_cast<double>(grid.step_count());
  const auto& every = simulation.config().record.every;
  const double intervals = every ? std::min(steps, (time.end - time.start) / *every) : steps;
  return static_cast<std::int64_t>(intervals) + 2;
}

/// Nobody knows how many there will be.
std::int64_t expected_impacts(const Simulation& simulation) {
  return std::clamp<std::int64_t>(100 * std::int64_t{simulation.contact_count()}, 1024, 8192);
}

constexpr std::int64_t expected_accepted = 64;  ///< a few, if any

}  // namespace

FrameTables::FrameTables(const SeriesMaker& make, const SeriesMaker& report, const Simulation& simulation)
    : time(make.numbers<double>("time", "s")),
      step(make.numbers<std::int64_t>("step", "1")),
      q(make.vectors("states/q", simulation.state().q.size(), "see /states/units")),
      v(make.vectors("states/v", simulation.state().v.size(), "see /states/velocity_units")),
      joint_impulse(
          make.vectors("joints/impulse", std::ssize(simulation.state().joint_impulse), "N s or N m s")),
      energy(make.vectors("energy/values", ledger_columns.size() + 1, "J")),
      probes(make.vectors("probes/values", simulation.config().record.probes.size(), "see /probes/units")),
      first_row(make.numbers<std::int64_t>("contacts/first_row", "1")),
      steps(report.numbers<std::int64_t>("steps", "1")),
      iterations(report.numbers<std::int64_t>("iterations", "1")),
      max_iterations(report.numbers<std::int32_t>("max_iterations", "1")),
      active_contacts(report.numbers<std::int32_t>("active_contacts", "1")),
      residual(report.numbers<double>("residual", "1")),
      penetration(report.numbers<double>("penetration", "m")),
      drift(report.numbers<double>("drift", "m or rad")),
      impacts(report.numbers<std::int64_t>("impacts", "1")),
      smallest_step(report.numbers<double>("smallest_step", "s")),
      largest_step(report.numbers<double>("largest_step", "s")),
      rejected(report.numbers<std::int64_t>("rejected", "1")),
      error(report.numbers<double>("error", "1")) {}

std::array<Hdf5Series*, 20> FrameTables::all() {
  return {&time,     &step,        &q,     &v,          &joint_impulse,  &energy,
          &probes,   &first_row,   &steps, &iterations, &max_iterations, &active_contacts,
          &residual, &penetration, &drift, &impacts,    &smallest_step,  &largest_step,
          &rejected, &error};
}

void FrameTables::append(const Simulation& simulation, const std::vector<double>& probe_values,
                         std::int64_t first_contact_row) {
  const State& state = simulation.state();
  time.append(state.time);
  step.append(state.step);
  q.append(state.q.data(), state.q.size());
  v.append(state.v.data(), state.v.size());
  joint_impulse.append(state.joint_impulse.data(), std::ssize(state.joint_impulse));
  std::array<double, ledger_columns.size() + 1> joules{};
  std::ranges::transform(ledger_columns, joules.begin(),
                         [&](const LedgerColumn& column) { return simulation.energy().*column.member; });
  joules.back() = simulation.energy().total();
  energy.append(joules);
  probes.append(probe_values.data(), std::ssize(probe_values));
  first_row.append(first_contact_row);
  const StepStatistics& interval = simulation.interval_statistics();
  steps.append(interval.steps);
  iterations.append(interval.iterations);
  max_iterations.append<std::int32_t>(interval.max_iterations);
  active_contacts.append<std::int32_t>(interval.max_active_contacts);
  residual.append(interval.max_residual);
  penetration.append(interval.max_penetration);
  drift.append(simulation.joint_violation());
  impacts.append(interval.impacts);
  smallest_step.append(interval.smallest_step);
  largest_step.append(interval.largest_step);
  rejected.append(interval.rejected);
  error.append(interval.max_error);
}

ContactTables::ContactTables(const SeriesMaker& make)
    : contact(make.numbers<std::int32_t>("contact", "1")),
      status(make.numbers<std::uint8_t>("status", "1")),
      gap(make.numbers<double>("gap", "m")),
      point(make.vectors("point", 3, "m")),
      normal(make.vectors("normal", 3, "1")),
      tangent(make.vectors("tangent", 3, "1")),
      velocity(make.vectors("velocity", 3, "m/s")),
      force(make.vectors("force", 3, "N")),
      moment(make.vectors("moment", 3, "N m")),
      impulse(make.vectors("impulse", 3, "N s")),
      work(make.numbers<double>("work", "J")) {
  make.file.attach("/contacts/status", "values", "0 open, 1 stick, 2 slip, 3 impact");
}

std::array<Hdf5Series*, 11> ContactTables::all() {
  return {&contact, &status, &gap, &point, &normal, &tangent, &velocity, &force, &moment, &impulse, &work};
}

void ContactTables::append(int index, const ContactReport& report) {
  contact.append<std::int32_t>(index);
  status.append(static_cast<std::uint8_t>(report.status));
  gap.append(report.view.gap);
  point.append(report.view.point.data(), 3);
  normal.append(report.view.normal.data(), 3);
  tangent.append(report.view.tangent.data(), 3);
  velocity.append(report.view.velocity.data(), 3);
  force.append(report.force.data(), 3);
  moment.append(report.moment.data(), 3);
  impulse.append(report.impulse.data(), 3);
  work.append(report.work);
}

namespace {

/// The longest first or second name, and all of them.
std::size_t longest(const Interactions& interactions, std::string ContactName::*side) {
  std::size_t most = 1;
  for (const ContactName& name : interactions.names) most = std::max(most, (name.*side).size());
  if (interactions.things)
    for (const Thing& thing : interactions.things->all) most = std::max(most, thing.name.size());
  return most;
}
std::string together(const Interactions& interactions, std::string ContactName::*side) {
  std::string all;
  for (const ContactName& name : interactions.names) all += name.*side;
  if (interactions.things)
    for (const Thing& thing : interactions.things->all) all += thing.name;
  return all;
}

}  // namespace

ContactPairTables::ContactPairTables(const SeriesMaker& make, const Interactions& interactions)
    : body(make.texts("body", longest(interactions, &ContactName::first),
                      together(interactions, &ContactName::first))),
      obstacle(make.texts("obstacle", longest(interactions, &ContactName::second),
                          together(interactions, &ContactName::second))),
      id(make.ids("id")) {}

void ContactPairTables::append(const ContactName& name, const ContactId& contact) {
  body.append_text(name.first);
  obstacle.append_text(name.second);
  const std::array<std::int64_t, 4> numbers = {contact.interaction, static_cast<std::int64_t>(contact.kind),
                                               contact.a, contact.b};
  id.append(numbers.data(), std::ssize(numbers));
}

ImpactTables::ImpactTables(const SeriesMaker& make)
    : time(make.numbers<double>("time", "s")),
      contact(make.numbers<std::int32_t>("contact", "1")),
      velocity_before(make.numbers<double>("velocity_before", "m/s")),
      velocity_after(make.numbers<double>("velocity_after", "m/s")),
      impulse(make.numbers<double>("impulse", "N s")),
      work(make.numbers<double>("work", "J")) {}

std::array<Hdf5Series*, 6> ImpactTables::all() {
  return {&time, &contact, &velocity_before, &velocity_after, &impulse, &work};
}

void ImpactTables::append(const Impact& impact) {
  time.append(impact.time);
  contact.append<std::int32_t>(impact.contact);
  velocity_before.append(impact.u_before);
  velocity_after.append(impact.u_after);
  impulse.append(impact.impulse);
  work.append(impact.work);
}

AcceptedTables::AcceptedTables(const SeriesMaker& make)
    : time(make.numbers<double>("time", "s")),
      step_size(make.numbers<double>("step_size", "s")),
      residual(make.numbers<double>("residual", "1")),
      displacement(make.numbers<double>("displacement", "m")),
      contact(make.numbers<std::int32_t>("contact", "1")) {}

void AcceptedTables::append(const AcceptedStep& step) {
  time.append(step.time);
  step_size.append(step.size);
  residual.append(step.residual);
  displacement.append(step.displacement);
  contact.append<std::int32_t>(step.contact);
}

ResultsTables::ResultsTables(Hdf5Writer& file, const Simulation& simulation,
                             const std::vector<DrawnShape>& shapes)
    : frames_({file, "/", expected_frames(simulation)}, {file, "/reports/", expected_frames(simulation)},
              simulation),
      poses_({file, "/bodies/", expected_frames(simulation)}, simulation.assembly().system, shapes),
      pairs_({file, "/contacts/pairs/", std::ssize(simulation.assembly().interactions.names)},
             simulation.assembly().interactions),
      contacts_({file, "/contacts/", expected_frames(simulation) * simulation.contact_count()}),
      impacts_({file, "/impacts/", expected_impacts(simulation)}),
      accepted_({file, "/accepted/", expected_accepted}) {
  const auto& flexibles = simulation.assembly().system.flexibles;
  if (!flexibles.empty()) file.make_group("/flexible");
  for (const FlexibleData& body : flexibles) {
    const std::string group = flexible_group(body.declared.name);
    file.make_group(group);
    const SeriesMaker make{file, group, expected_frames(simulation)};
    flexibles_.emplace_back(make, body, static_cast<int>(flexibles_.size()));
  }
}

void ResultsTables::append_frame(const Simulation& simulation, const std::vector<double>& probe_values) {
  frames_.append(simulation, probe_values, contacts_.contact.rows());
  poses_.append(simulation);
  append_new_contacts(simulation);
  for (const auto& [number, report] : simulation.contact_reports()) {
    contacts_.append(number, report);
    const int place = simulation.find_contact(simulation.contact_record()[static_cast<size_t>(number)].id);
    if (place < 0) continue;  // it carries no force any more
    for (FlexibleTables& flexible : flexibles_) flexible.add_force(simulation.contact_list()[place], report);
  }
  for (FlexibleTables& flexible : flexibles_) flexible.append(simulation);
}

void ResultsTables::append_impacts(const Simulation& simulation) {
  append_new_contacts(simulation);
  for (const Impact& impact : simulation.impacts()) impacts_.append(impact);
}

void ResultsTables::append_accepted(const Simulation& simulation) {
  append_new_contacts(simulation);
  for (const AcceptedStep& step : simulation.accepted()) accepted_.append(step);
}

void ResultsTables::append_new_contacts(const Simulation& simulation) {
  const auto& record = simulation.contact_record();
  for (auto number = static_cast<size_t>(pairs_.id.rows()); number < record.size(); ++number)
    pairs_.append(simulation.contact_name(record[number].id), record[number].id);
}

void ResultsTables::write_out() {
  for (Hdf5Series* series : pairs_.all()) series->write_out();
  for (Hdf5Series* series : frames_.all()) series->write_out();
  for (Hdf5Series* series : {&poses_.position, &poses_.rotation}) series->write_out();
  for (Hdf5Series* series : contacts_.all()) series->write_out();
  for (Hdf5Series* series : impacts_.all()) series->write_out();
  for (Hdf5Series* series : accepted_.all()) series->write_out();
  for (FlexibleTables& flexible : flexibles_)
    for (Hdf5Series* series : flexible.all()) series->write_out();
}

void ResultsTables::copy(const Hdf5Reader& source, const RowCounts& rows) {
  for (Hdf5Series* series : frames_.all()) series->copy(source, rows.frames);
  for (Hdf5Series* series : {&poses_.position, &poses_.rotation}) series->copy(source, rows.frames);
  for (Hdf5Series* series : contacts_.all()) series->copy(source, rows.contact_rows);
  for (Hdf5Series* series : impacts_.all()) series->copy(source, rows.impacts);
  for (Hdf5Series* series : accepted_.all()) series->copy(source, rows.accepted);
  for (FlexibleTables& flexible : flexibles_)
    for (Hdf5Series* series : flexible.all()) series->copy(source, rows.frames);
}

}  // namespace percuss
