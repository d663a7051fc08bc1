#include "percuss/io/results_writer.h"

#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>

#include "percuss/io/hdf5_file.h"
#include "percuss/io/io_error.h"

namespace percuss {
namespace {

constexpr std::int64_t format_version = 1;
constexpr size_t message_size = 1024;

std::int64_t expected_frames(const Simulation& simulation) {
  const auto steps = static_cast<double>(simulation.grid().step_count());
  const TimeOptions& time = simulation.config().time;
  const auto& every = simulation.config().record.every;
  const double intervals = every ? std::min(steps, (time.end - time.start) / *every) : steps;
  return static_cast<std::int64_t>(intervals) + 2;
}

/// Makes growing datasets of one group that get rows at the same moments.
struct SeriesMaker {
  Hdf5File& file;
  std::string group;
  std::int64_t expected_rows;

  template <class T>
  Hdf5Series numbers(const char* name, std::string_view unit) const {
    return {file, group + name, element_of<T>, {expected_rows, 1}, false, unit};
  }
  Hdf5Series rows(const char* name, size_t width, std::string_view unit) const {
    return {file, group + name, Element::float64, {expected_rows, static_cast<std::int64_t>(width)},
            true, unit};
  }
};

/// One row for each frame.
struct FrameTables {
  Hdf5Series time, step, q, v, energy, probes, first_row;
  Hdf5Series steps, iterations, max_iterations, active_contacts, residual, penetration, impacts;

  FrameTables(const SeriesMaker& make, const SeriesMaker& report, const Simulation& simulation)
      : time(make.numbers<double>("time", "s")),
        step(make.numbers<std::int64_t>("step", "1")),
        q(make.rows("states/q", simulation.state().q.size(), "m")),
        v(make.rows("states/v", simulation.state().v.size(), "m/s")),
        energy(make.rows("energy/values", ledger_columns.size() + 1, "J")),
        probes(make.rows("probes/values", simulation.config().record.probes.size(), "see /probes/units")),
        first_row(make.numbers<std::int64_t>("contacts/first_row", "1")),
        steps(report.numbers<std::int64_t>("steps", "1")),
        iterations(report.numbers<std::int64_t>("iterations", "1")),
        max_iterations(report.numbers<std::int32_t>("max_iterations", "1")),
        active_contacts(report.numbers<std::int32_t>("active_contacts", "1")),
        residual(report.numbers<double>("residual", "1")),
        penetration(report.numbers<double>("penetration", "m")),
        impacts(report.numbers<std::int64_t>("impacts", "1")) {}
  std::array<Hdf5Series*, 14> all() {
    return {&time,
            &step,
            &q,
            &v,
            &energy,
            &probes,
            &first_row,
            &steps,
            &iterations,
            &max_iterations,
            &active_contacts,
            &residual,
            &penetration,
            &impacts};
  }
  void append(const StepStatistics& interval) {
    steps.append(interval.steps);
    iterations.append(interval.iterations);
    max_iterations.append<std::int32_t>(interval.max_iterations);
    active_contacts.append<std::int32_t>(interval.max_active_contacts);
    residual.append(interval.max_residual);
    penetration.append(interval.max_penetration);
    impacts.append(interval.impacts);
  }
};

/// One row for each contact of a frame that is not open.
struct ContactTables {
  Hdf5Series contact, status, gap, point, normal, velocity, force, impulse, work;

  explicit ContactTables(const SeriesMaker& make)
      : contact(make.numbers<std::int32_t>("contact", "1")),
        status(make.numbers<std::uint8_t>("status", "1")),
        gap(make.numbers<double>("gap", "m")),
        point(make.rows("point", 3, "m")),
        normal(make.rows("normal", 3, "1")),
        velocity(make.rows("velocity", 3, "m/s")),
        force(make.numbers<double>("force", "N")),
        impulse(make.numbers<double>("impulse", "N s")),
        work(make.numbers<double>("work", "J")) {
    make.file.attach("/contacts/status", "values", "0 open, 1 stick, 2 slip, 3 impact");
  }
  std::array<Hdf5Series*, 9> all() {
    return {&contact, &status, &gap, &point, &normal, &velocity, &force, &impulse, &work};
  }
  void append(int index, const ContactReport& report) {
    contact.append<std::int32_t>(index);
    status.append(static_cast<std::uint8_t>(report.status));
    gap.append(report.view.gap);
    point.append(report.view.point.data(), 3);
    normal.append(report.view.normal.data(), 3);
    velocity.append(report.view.velocity.data(), 3);
    force.append(report.force);
    impulse.append(report.impulse);
    work.append(report.work);
  }
};

struct ImpactTables {
  Hdf5Series time, contact, velocity_before, velocity_after, impulse, work;

  explicit ImpactTables(const SeriesMaker& make)
      : time(make.numbers<double>("time", "s")),
        contact(make.numbers<std::int32_t>("contact", "1")),
        velocity_before(make.numbers<double>("velocity_before", "m/s")),
        velocity_after(make.numbers<double>("velocity_after", "m/s")),
        impulse(make.numbers<double>("impulse", "N s")),
        work(make.numbers<double>("work", "J")) {}
  std::array<Hdf5Series*, 6> all() {
    return {&time, &contact, &velocity_before, &velocity_after, &impulse, &work};
  }
};

/// At most `size` bytes, not ending within a character, padded with zeros.
std::vector<std::uint8_t> fixed_text(std::string text, size_t size) {
  if (text.size() >= size) {
    size_t end = size - 1;
    while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0) == 0x80) --end;
    text.resize(end);
  }
  std::vector<std::uint8_t> bytes(text.begin(), text.end());
  bytes.resize(size);
  return bytes;
}

}  // namespace

struct ResultsWriter::Tables {
  FrameTables frames;
  ContactTables contacts;
  ImpactTables impacts;

  Tables(Hdf5File& file, const Simulation& simulation)
      : frames({file, "/", expected_frames(simulation)}, {file, "/reports/", expected_frames(simulation)},
               simulation),
        contacts({file, "/contacts/", expected_frames(simulation) * simulation.contact_count()}),
        impacts({file, "/impacts/", 1024}) {}
  void write_out() {
    for (Hdf5Series* series : frames.all()) series->write_out();
    for (Hdf5Series* series : contacts.all()) series->write_out();
    for (Hdf5Series* series : impacts.all()) series->write_out();
  }
  void copy(const Hdf5File& source, const CheckpointFile& position) {
    for (Hdf5Series* series : frames.all()) series->copy(source, position.frames);
    for (Hdf5Series* series : contacts.all()) series->copy(source, position.contact_rows);
    for (Hdf5Series* series : impacts.all()) series->copy(source, position.impacts);
  }
};

ResultsWriter::ResultsWriter(const Header& header, const Simulation& simulation)
    : ResultsWriter(header, simulation, nullptr) {}

std::unique_ptr<ResultsWriter> ResultsWriter::resume(const Header& header, const Simulation& simulation,
                                                     const CheckpointFile& position) {
  if (position.fingerprint != header.fingerprint)
    throw IoError::cannot("resume", header.path, "it was made from another scene",
                          "only the end time may differ; run without --resume");
  // A run that was killed before its first flush starts anew, whatever the file holds.
  const bool from_start = position.frames == 0;
  return std::unique_ptr<ResultsWriter>(
      new ResultsWriter(header, simulation, from_start ? nullptr : &position));
}

ResultsWriter::ResultsWriter(const Header& header, const Simulation& simulation,
                             const CheckpointFile* position)
    : path_(header.path), fingerprint_(header.fingerprint) {
  for (const auto& [name, text] : simulation.config().record.probes)
    probes_.push_back(Probe::parse(text, simulation.assembly()));
  probe_values_.resize(probes_.size());
  const auto source = position != nullptr ? Hdf5File::open(path_) : nullptr;
  file_ = Hdf5File::create(path_);
  make_header(header, simulation);
  make_run();
  tables_ = std::make_unique<Tables>(*file_, simulation);
  if (source) {
    before_.seconds = source->read<double>("/run/wall_seconds", 0, 1)[0];
    std::ranges::copy(source->read<double>("/run/phases", 0, 5), before_.phases.begin());
    tables_->copy(*source, *position);
  }
  file_->start_appending();
  write_tables();
  file_->sync();
  // The checkpoint goes first: a kill before publish() leaves the old file with the checkpoint of an empty
  // one, from which a resumed run starts anew. The other order could pair the new file with an old
  // checkpoint.
  if (!source) write_checkpoint(checkpoint_path(path_), this->position(simulation.checkpoint()));
  file_->publish();
}

ResultsWriter::~ResultsWriter() {
  try {
    if (file_ && tables_) write_tables();
  } catch (...) {  // it was reported when it happened first
  }
}

void ResultsWriter::make_header(const Header& header, const Simulation& simulation) {
  for (const char* group : {"/scene", "/states", "/energy", "/probes", "/contacts", "/contacts/pairs",
                            "/impacts", "/reports", "/bodies", "/run", "/run/totals"})
    file_->make_group(group);
  const TimeOptions& time = simulation.config().time;
  file_->attach("/", "format", "percuss-results");
  file_->attach("/", "format_version", format_version);
  file_->attach("/", "percuss_version", header.version);
  file_->attach("/", "title", header.title);
  file_->attach("/", "scheme", std::string(scheme_name(simulation.config().integrator)));
  file_->attach("/", "time_step", time.step);
  file_->attach("/", "time_start", time.start);
  file_->attach("/", "time_end", time.end);
  file_->make_text("/scene/path", header.scene_path);
  file_->make_text("/scene/text", header.scene_text);
  file_->make_text("/scene/resolved", header.scene_resolved);
  file_->make_text("/scene/overrides", header.overrides);

  std::vector<std::string> names, units, texts;
  for (const auto& column : ledger_columns) names.emplace_back(column.name);
  names.emplace_back("total");
  file_->make_strings("/energy/names", names);
  names.clear();
  for (size_t i = 0; i < probes_.size(); ++i) {
    const auto& [name, text] = simulation.config().record.probes[i];
    names.push_back(name);
    texts.push_back(text);
    units.emplace_back(probes_[i].unit());
  }
  file_->make_strings("/probes/names", names);
  file_->make_strings("/probes/units", units);
  file_->make_strings("/probes/texts", texts);
  make_bodies(simulation.assembly());
}

void ResultsWriter::make_bodies(const Assembly& assembly) {
  std::vector<std::string> names, coordinate_names(assembly.system.dof_count());
  std::vector<double> mass, radius, fixed;
  std::vector<std::int32_t> coordinates;
  for (const BodyData& body : assembly.system.bodies) {
    names.push_back(body.name);
    mass.push_back(body.mass);
    radius.push_back(body.radius);
    for (int axis = 0; axis < 3; ++axis) {
      const int dof = body.point.dof[axis];
      coordinates.push_back(dof);
      fixed.push_back(body.point.fixed[axis]);
      if (dof >= 0) coordinate_names[dof] = fmt::format("{}.{}", body.name, "xyz"[axis]);
    }
  }
  const Hdf5Shape triples = {static_cast<std::int64_t>(names.size()), 3};
  file_->make_strings("/states/names", coordinate_names);
  file_->attach("/states/names", "unit", "m");
  file_->make_strings("/bodies/names", names);
  file_->make("/bodies/mass", mass);
  file_->attach("/bodies/mass", "unit", "kg");
  file_->make("/bodies/radius", radius);
  file_->attach("/bodies/radius", "unit", "m");
  file_->make("/bodies/coordinates", Element::int32, coordinates.data(), triples, true);
  file_->make("/bodies/fixed", Element::float64, fixed.data(), triples, true);
  file_->attach("/bodies/fixed", "unit", "m");

  std::vector<std::string> bodies, obstacles;
  for (const Contact& contact : assembly.contacts.contacts) {
    bodies.push_back(assembly.system.bodies[contact.body].name);
    obstacles.push_back(assembly.contacts.walls[contact.wall].name);
  }
  file_->make_strings("/contacts/pairs/body", bodies);
  file_->make_strings("/contacts/pairs/obstacle", obstacles);
}

void ResultsWriter::make_run() {
  file_->make("/run/status", std::vector<std::int32_t>{0});
  file_->attach("/run/status", "values", "0 running, 1 finished, 2 stopped, 3 failed");
  file_->make("/run/message", fixed_text("", message_size));
  file_->make("/run/saved", std::vector<std::int64_t>(3));
  file_->attach("/run/saved", "names", "frames, contact rows, impacts");
  file_->make("/run/wall_seconds", std::vector<double>(1));
  file_->attach("/run/wall_seconds", "unit", "s");
  file_->make("/run/phases", std::vector<double>(5));
  file_->attach("/run/phases", "unit", "s");
  file_->attach("/run/phases", "names", "forces, contacts, solver, ledger, recording");
  for (const char* name :
       {"steps", "iterations", "factorisations", "impacts", "max_iterations", "active_contacts"})
    file_->make(fmt::format("/run/totals/{}", name), std::vector<std::int64_t>(1));
  for (const char* name : {"residual", "penetration"})
    file_->make(fmt::format("/run/totals/{}", name), std::vector<double>(1));
  file_->attach("/run/totals/penetration", "unit", "m");
}

void ResultsWriter::on_frame(const Simulation& simulation) {
  const State& state = simulation.state();
  FrameTables& frame = tables_->frames;
  frame.time.append(state.time);
  frame.step.append(state.step);
  frame.q.append(state.q.data(), state.q.size());
  frame.v.append(state.v.data(), state.v.size());
  std::array<double, ledger_columns.size() + 1> energy{};
  for (size_t i = 0; i < ledger_columns.size(); ++i)
    energy[i] = simulation.energy().*ledger_columns[i].member;
  energy.back() = simulation.energy().total();
  frame.energy.append(energy);
  for (size_t i = 0; i < probes_.size(); ++i) probe_values_[i] = probes_[i].value(simulation);
  frame.probes.append(probe_values_.data(), static_cast<std::int64_t>(probes_.size()));
  frame.first_row.append(tables_->contacts.contact.rows());
  frame.append(simulation.interval_statistics());
  append_contacts(simulation);
}

void ResultsWriter::append_contacts(const Simulation& simulation) {
  for (int c = 0; c < simulation.contact_count(); ++c) {
    const bool was_open = simulation.contact_sums(c).interval_status == ContactStatus::open;
    if (was_open && simulation.gap(c) > 0) continue;
    tables_->contacts.append(c, simulation.contact_report(c));
  }
}

void ResultsWriter::on_impact(const Impact& impact) {
  ImpactTables& table = tables_->impacts;
  table.time.append(impact.time);
  table.contact.append<std::int32_t>(impact.contact);
  table.velocity_before.append(impact.u_before);
  table.velocity_after.append(impact.u_after);
  table.impulse.append(impact.impulse);
  table.work.append(impact.work);
}

CheckpointFile ResultsWriter::position(const Checkpoint& checkpoint) const {
  return {checkpoint, tables_->frames.time.rows(), tables_->contacts.contact.rows(),
          tables_->impacts.time.rows(), fingerprint_};
}

void ResultsWriter::write_tables() {
  tables_->write_out();
  file_->flush();
  // Only now, so that a reader who believes these numbers finds all datasets at least as long.
  const std::array<std::int64_t, 3> saved = {tables_->frames.time.rows(), tables_->contacts.contact.rows(),
                                             tables_->impacts.time.rows()};
  file_->overwrite<std::int64_t>("/run/saved", saved);
}

void ResultsWriter::write_run(const Simulation& simulation, double seconds, double recording_seconds) {
  const auto write = [&](const char* name, auto value) {
    file_->overwrite(name, std::span<const decltype(value)>(&value, 1));
  };
  const auto& wall = simulation.wall_times();
  WallTime sum = before_;
  const std::array<double, 5> phases = {wall.step.forces, wall.step.contacts, wall.step.solver, wall.ledger,
                                        recording_seconds};
  for (size_t i = 0; i < phases.size(); ++i) sum.phases[i] += phases[i];
  write("/run/wall_seconds", before_.seconds + seconds);
  file_->overwrite<double>("/run/phases", sum.phases);
  const StepStatistics& total = simulation.statistics();
  write("/run/totals/steps", total.steps);
  write("/run/totals/iterations", total.iterations);
  write("/run/totals/factorisations", total.factorisations);
  write("/run/totals/impacts", total.impacts);
  write("/run/totals/max_iterations", std::int64_t{total.max_iterations});
  write("/run/totals/active_contacts", std::int64_t{total.max_active_contacts});
  write("/run/totals/residual", total.max_residual);
  write("/run/totals/penetration", total.max_penetration);
}

void ResultsWriter::flush(const Simulation& simulation) {
  const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - start_;
  write_run(simulation, elapsed.count(), 0);
  write_tables();
  file_->sync();
  // A run with a later end passes neither through a shorter last step nor through a frame that is only there
  // because the run ends; it must go on from an earlier moment.
  const bool on_the_way = is_frame_time(simulation) && !simulation.grid().last_step_is_shorter();
  if (simulation.finished() && !on_the_way) return;
  write_checkpoint(checkpoint_path(path_), position(simulation.checkpoint()));
}

void ResultsWriter::finish(const Simulation& simulation, const RunOutcome& outcome) {
  write_run(simulation, outcome.wall_seconds, outcome.recording_seconds);
  file_->overwrite<std::uint8_t>("/run/message", fixed_text(outcome.message, message_size));
  const std::array<std::int32_t, 1> status = {static_cast<std::int32_t>(outcome.end) + 1};
  file_->overwrite<std::int32_t>("/run/status", status);
  write_tables();
  tables_.reset();
  file_->close();
}

}  // namespace percuss
