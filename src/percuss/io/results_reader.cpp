#include "percuss/io/results_reader.h"

#include <algorithm>
#include <unordered_set>

#include <fmt/format.h>

#include "percuss/io/flexible_results.h"
#include "percuss/io/hdf5_reader.h"
#include "percuss/io/io_error.h"
#include "percuss/io/old_poses.h"
#include "percuss/io/poses.h"
#include "percuss/io/shape_table.h"
#include "percuss/math/nearest_name.h"
#include "percuss/simulation/probe.h"

namespace percuss {
namespace {

constexpr std::array frame_datasets = {"/time",
                                       "/step",
                                       "/states/q",
                                       "/states/v",
                                       "/joints/impulse",
                                       "/energy/values",
                                       "/probes/values",
                                       "/reports/steps",
                                       "/reports/iterations",
                                       "/reports/residual",
                                       "/reports/max_iterations",
                                       "/reports/active_contacts",
                                       "/reports/penetration",
                                       "/reports/drift",
                                       "/reports/impacts",
                                       "/reports/smallest_step",
                                       "/reports/largest_step",
                                       "/reports/rejected",
                                       "/reports/error",
                                       "/contacts/first_row"};
constexpr std::array pose_datasets = {"/bodies/position", "/bodies/rotation"};
constexpr std::array moment_datasets = {"/contacts/moment"};
constexpr std::array contact_datasets = {
    "/contacts/contact", "/contacts/status",   "/contacts/gap",   "/contacts/point",   "/contacts/normal",
    "/contacts/tangent", "/contacts/velocity", "/contacts/force", "/contacts/impulse", "/contacts/work"};
constexpr std::array impact_datasets = {
    "/impacts/time",           "/impacts/contact", "/impacts/velocity_before",
    "/impacts/velocity_after", "/impacts/impulse", "/impacts/work"};
constexpr std::array accepted_datasets = {"/accepted/time", "/accepted/step_size", "/accepted/residual",
                                          "/accepted/displacement", "/accepted/contact"};

bool has_results(const Hdf5Reader& file) {
  return file.has_attribute("format") && file.text_attribute("format") == results_format;
}

}  // namespace

bool is_results_file(const std::string& path) {
  try {
    return has_results(*Hdf5Reader::open(path));
  } catch (const IoError&) {
    return false;
  }
}

ResultsReader::ResultsReader(const std::string& path) : file_(Hdf5Reader::open(path)) {
  read_info();
  read_sizes();
  read_bodies();
  list_columns();
}
ResultsReader::~ResultsReader() = default;

const std::string& ResultsReader::path() const { return file_->path(); }

void ResultsReader::damaged(const std::string& what) const {
  throw IoError::cannot("read", path(), fmt::format("the file is damaged ({})", what));
}

void ResultsReader::read_info() {
  if (!has_results(*file_))
    throw IoError::cannot("read", path(), "it is an HDF5 file, but not a results file of percuss");
  const double version = file_->number_attribute("format_version");
  info_.percuss_version = file_->text_attribute("percuss_version");
  if (version > results_format_version)
    throw IoError::cannot(
        "read", path(),
        fmt::format("its format version is {}, this program knows {}", version, results_format_version),
        fmt::format("use percuss {} or later", info_.percuss_version));
  if (version < oldest_results_version)
    throw IoError::cannot(
        "read", path(),
        fmt::format("its format version is {}, the oldest that this program knows is {}", version,
                    oldest_results_version),
        fmt::format("use percuss {} for it, or run the scene again", info_.percuss_version));
  has_poses_ = version >= first_version_with_poses;
  info_.title = file_->text_attribute("title");
  info_.scheme = file_->text_attribute("scheme");
  if (file_->has_attribute("blas_kernel")) info_.blas_kernel = file_->text_attribute("blas_kernel");
  info_.time_step = file_->number_attribute("time_step");
  info_.time_start = file_->number_attribute("time_start");
  info_.time_end = file_->number_attribute("time_end");
}

/// /run/saved comes first: while a run goes on, the datasets can only be longer than it says.
void ResultsReader::read_sizes() {
  const auto saved = file_->read<std::int64_t>("/run/saved", 0, has_poses_ ? 4 : 3);
  const auto shortest = [&](std::int64_t rows, const auto& names) {
    for (const char* name : names) rows = std::min(rows, file_->shape(name).rows);
    return rows;
  };
  rows_ = {shortest(saved[0], frame_datasets), shortest(saved[1], contact_datasets),
           shortest(saved[2], impact_datasets), 0};
  if (has_poses_) {
    rows_.frames = shortest(rows_.frames, pose_datasets);
    rows_.contact_rows = shortest(rows_.contact_rows, moment_datasets);
    rows_.accepted = shortest(saved[3], accepted_datasets);
  }
  flexibles_ = read_flexibles(*file_, rows_.frames);
  if (rows_.frames < 0 || rows_.contact_rows < 0 || rows_.impacts < 0 || rows_.accepted < 0)
    damaged("negative number of rows");
}

void ResultsReader::read_bodies() {
  const auto names = file_->read_strings("/bodies/names");
  const auto count = static_cast<std::int64_t>(names.size());
  const auto mass = file_->read<double>("/bodies/mass", 0, count);
  const auto radius = file_->read<double>("/bodies/radius", 0, count);
  const auto coordinates = file_->read<std::int32_t>("/bodies/coordinates", 0, count, max_body_coordinates);
  const auto velocities = file_->read<std::int32_t>("/bodies/velocities", 0, count, max_body_coordinates);
  const auto fixed = file_->read<double>("/bodies/fixed", 0, count, 3);
  const auto dofs = file_->shape("/states/v").width;
  for (size_t b = 0; b < names.size(); ++b) {
    BodyInfo body{names[b], mass[b], radius[b], {}, Vector3(&fixed[3 * b])};
    for (size_t axis = 0; axis < 3; ++axis) {
      body.coordinate[axis] = coordinates[max_body_coordinates * b + axis];
      // The translations of q and v stand at the same places.
      if (body.coordinate[axis] < -1 || body.coordinate[axis] >= dofs ||
          body.coordinate[axis] != velocities[max_body_coordinates * b + axis])
        damaged("/bodies/coordinates");
    }
    bodies_.push_back(std::move(body));
  }
  if (has_poses_) poses_ = std::make_unique<StoredPoses>(*file_, count);
  const auto first = file_->read_strings("/contacts/pairs/body");
  const auto second = file_->read_strings("/contacts/pairs/obstacle");
  // While a run goes on the second list may be longer: it is written later.
  if (first.size() > second.size()) damaged("/contacts/pairs");
  for (size_t c = 0; c < first.size(); ++c) contacts_.push_back({first[c], second[c]});
}

void ResultsReader::add_column(Column column) {
  if (column_index_.try_emplace(column.name, columns_.size()).second) columns_.push_back(std::move(column));
}

/// Not from coordinates: those of nodes in floating frames are no positions.
void ResultsReader::list_node_columns(const FlexibleInfo& body) {
  const auto places = file_->read<double>(body.group + "nodes", 0, body.nodes, 3);
  for (std::int64_t i = 0; i < 3 * body.nodes; ++i) {
    const std::string node = fmt::format("{}.{}", body.name, i / 3);
    add_column({fmt::format("{}.position.{}", node, "xyz"[i % 3]), "m", body.group + "displacement", i,
                places[static_cast<size_t>(i)]});
    add_column({fmt::format("{}.velocity.{}", node, "xyz"[i % 3]), "m/s", body.group + "velocity", i});
  }
}

void ResultsReader::list_columns() {
  const auto names = file_->read_strings("/probes/names"), units = file_->read_strings("/probes/units");
  if (names.size() != units.size()) damaged("/probes");
  probe_names_ = names;
  for (size_t i = 0; i < names.size(); ++i)
    add_column({names[i], units[i], "/probes/values", static_cast<std::int64_t>(i)});
  add_column({"time", "s", "/time"});
  const auto energies = file_->read_strings("/energy/names");
  for (size_t i = energies.size(); i-- > 0;)
    if (energies[i] == "total") add_column({"energy", "J", "/energy/values", static_cast<std::int64_t>(i)});
  for (size_t i = 0; i < energies.size(); ++i)
    add_column({"energy." + energies[i], "J", "/energy/values", static_cast<std::int64_t>(i)});
  const auto kinds = file_->read_strings("/bodies/kind");
  if (kinds.size() != bodies_.size()) damaged("/bodies/kind");
  std::unordered_set<std::string> nodes;
  for (const FlexibleInfo& body : flexibles_)
    for (std::int64_t i = 0; i < body.nodes; ++i) nodes.insert(fmt::format("{}.{}", body.name, i));
  for (size_t b = 0; b < bodies_.size(); ++b) {
    const BodyInfo& body = bodies_[b];
    if (nodes.contains(body.name)) continue;
    const std::int64_t position = poses_ ? poses_->position_column(b) : -1;
    for (int axis = 0; axis < 3; ++axis) {
      const bool moves = body.coordinate[axis] >= 0;
      const std::string name = fmt::format("{}.position.{}", body.name, "xyz"[axis]);
      if (position >= 0)
        add_column({name, "m", "/bodies/position", position + axis});
      else
        add_column(
            {name, "m", moves ? "/states/q" : "", body.coordinate[axis], moves ? 0.0 : body.fixed[axis]});
      // How a prescribed frame moves is not among the states.
      if (kinds[b] != "frame")
        add_column({fmt::format("{}.velocity.{}", body.name, "xyz"[axis]), "m/s", moves ? "/states/v" : "",
                    body.coordinate[axis]});
    }
  }
  for (const FlexibleInfo& body : flexibles_) list_node_columns(body);
}

const ResultsReader::Column& ResultsReader::find(const std::string& name) const {
  if (const auto found = column_index_.find(name); found != column_index_.end())
    return columns_[found->second];
  const auto known = columns();
  if (const auto nearest = nearest_name(name, known))
    throw ProbeError(fmt::format("{} has no column '{}'; did you mean '{}'?", path(), name, *nearest));
  std::vector<std::string> some(known.begin(),
                                known.begin() + std::min<std::ptrdiff_t>(12, std::ssize(known)));
  throw ProbeError(fmt::format("{} has no column '{}'; it has {}{}", path(), name, fmt::join(some, ", "),
                               some.size() < known.size() ? ", ..." : ""));
}

std::vector<std::string> ResultsReader::columns() const {
  std::vector<std::string> names;
  for (const Column& column : columns_) names.push_back(column.name);
  return names;
}

std::vector<double> ResultsReader::times() const { return file_->read<double>("/time", 0, rows_.frames); }

std::vector<double> ResultsReader::column(const std::string& name) const {
  const Column& found = find(name);
  if (found.dataset == "/time") return times();
  // Reading the times proves that the file has so many frames, whatever it says.
  if (found.dataset.empty()) {
    auto values = times();
    std::ranges::fill(values, found.value);
    return values;
  }
  auto values = file_->read_column(found.dataset, found.index, rows_.frames);
  if (found.value != 0)
    for (double& value : values) value += found.value;
  return values;
}

std::vector<double> ResultsReader::report(const std::string& name) const {
  return file_->read<double>("/reports/" + name, 0, rows_.frames);
}

std::vector<DrawnShape> ResultsReader::shapes() const {
  std::vector<std::string> names;
  for (const BodyInfo& body : bodies_) names.push_back(body.name);
  return read_shapes(*file_, names);
}

std::vector<PoseAndVelocity> ResultsReader::poses(std::int64_t frame) const {
  if (!poses_) return OldPoses(*file_).at(*file_, frame);
  auto poses = poses_->at(*file_, frame);
  for (const FlexibleInfo& body : flexibles_) {
    const auto first = std::ranges::find(bodies_, body.name + ".0", &BodyInfo::name) - bodies_.begin();
    if (first + body.nodes > std::ssize(bodies_)) continue;
    const auto places = file_->read<double>(body.group + "nodes", 0, body.nodes, 3);
    const auto moved = displacements(body, frame);
    for (std::size_t i = 0; i < moved.size(); ++i)
      poses[static_cast<std::size_t>(first) + i].x = Vector3(&places[3 * i]) + moved[i];
  }
  return poses;
}

Mesh ResultsReader::mesh(const FlexibleInfo& body) const {
  Mesh mesh;
  const auto nodes = file_->read<double>(body.group + "nodes", 0, body.nodes, 3);
  for (size_t i = 0; i < nodes.size(); i += 3) mesh.nodes.emplace_back(&nodes[i]);
  for (const auto& block : body.blocks) {
    const auto cells = file_->read<std::int32_t>(block.dataset, 0, block.cells, node_count(block.shape));
    if (std::ranges::any_of(cells, [&](int node) { return node < 0 || node >= body.nodes; }))
      damaged(block.dataset);
    mesh.blocks.push_back({block.shape, {cells.begin(), cells.end()}});
  }
  return mesh;
}

std::vector<Vector3> ResultsReader::displacements(const FlexibleInfo& body, std::int64_t frame) const {
  const auto values = file_->read<double>(body.group + "displacement", frame, 1, 3 * body.nodes);
  std::vector<Vector3> displacements;
  for (size_t i = 0; i < values.size(); i += 3) displacements.emplace_back(&values[i]);
  return displacements;
}

std::string ResultsReader::unit(const std::string& name) const { return find(name).unit; }

std::vector<AcceptedStep> ResultsReader::accepted() const {
  std::vector<AcceptedStep> steps;
  if (rows_.accepted == 0) return steps;
  const auto numbers = [&](const char* name) { return file_->read<double>(name, 0, rows_.accepted); };
  const auto contact = file_->read<std::int32_t>("/accepted/contact", 0, rows_.accepted);
  const auto time = numbers("/accepted/time"), size = numbers("/accepted/step_size"),
             residual = numbers("/accepted/residual"), displacement = numbers("/accepted/displacement");
  for (std::size_t i = 0; i < time.size(); ++i) {
    if (contact[i] < 0 || contact[i] >= std::ssize(contacts_)) damaged("/accepted/contact");
    steps.push_back({time[i], size[i], residual[i], displacement[i], contact[i]});
  }
  return steps;
}

std::vector<Impact> ResultsReader::impacts() const {
  const auto numbers = [&](const char* name) { return file_->read<double>(name, 0, rows_.impacts); };
  const auto contact = file_->read<std::int32_t>("/impacts/contact", 0, rows_.impacts);
  const auto time = numbers("/impacts/time"), before = numbers("/impacts/velocity_before"),
             after = numbers("/impacts/velocity_after"), impulse = numbers("/impacts/impulse"),
             work = numbers("/impacts/work");
  std::vector<Impact> impacts;
  for (size_t i = 0; i < contact.size(); ++i) {
    if (contact[i] < 0 || contact[i] >= std::ssize(contacts_)) damaged("/impacts/contact");
    impacts.push_back({time[i], contact[i], before[i], after[i], impulse[i], work[i]});
  }
  return impacts;
}

std::vector<ResultsReader::ContactRow> ResultsReader::contact_rows(std::int64_t frame) const {
  const bool is_last = frame + 1 == rows_.frames;
  const auto first_row = file_->read<std::int64_t>("/contacts/first_row", frame, is_last ? 1 : 2);
  const std::int64_t first = first_row[0], end = is_last ? rows_.contact_rows : first_row[1];
  if (first < 0 || end < first || end > rows_.contact_rows) damaged("/contacts/first_row");
  const auto numbers = [&](const char* name, int width = 1) {
    return file_->read<double>(name, first, end - first, width);
  };
  const auto contact = file_->read<std::int32_t>("/contacts/contact", first, end - first);
  const auto status = file_->read<std::uint8_t>("/contacts/status", first, end - first);
  const auto point = numbers("/contacts/point", 3), normal = numbers("/contacts/normal", 3),
             tangent = numbers("/contacts/tangent", 3), velocity = numbers("/contacts/velocity", 3),
             force = numbers("/contacts/force", 3), impulse = numbers("/contacts/impulse", 3),
             gap = numbers("/contacts/gap"), work = numbers("/contacts/work"),
             moment =
                 !has_poses_ ? std::vector<double>(3 * contact.size(), 0.0) : numbers("/contacts/moment", 3);
  std::vector<ContactRow> rows;
  for (size_t i = 0; i < contact.size(); ++i) {
    if (contact[i] < 0 || contact[i] >= std::ssize(contacts_) || status[i] > 3) damaged("/contacts/contact");
    rows.push_back({contact[i], static_cast<ContactStatus>(status[i]), gap[i], Vector3(&point[3 * i]),
                    Vector3(&normal[3 * i]), Vector3(&tangent[3 * i]), Vector3(&velocity[3 * i]),
                    Vector3(&force[3 * i]), Vector3(&impulse[3 * i]), work[i], Vector3(&moment[3 * i])});
  }
  return rows;
}

ResultsReader::Run ResultsReader::run() const {
  Run run;
  const auto status = file_->read<std::int32_t>("/run/status", 0, 1)[0];
  if (status < 0 || status > 3) damaged("/run/status");
  run.status = static_cast<RunStatus>(status);
  const auto fixed_text = [&](const char* name) {
    std::string text = file_->read_text(name);
    text.resize(std::min(text.find('\0'), text.size()));
    return text;
  };
  run.message = fixed_text("/run/message");
  run.verdict = fixed_text("/run/verdict");
  run.wall_seconds = file_->read<double>("/run/wall_seconds", 0, 1)[0];
  const auto phases = file_->read<double>("/run/phases", 0, 5);
  std::copy_n(phases.begin(), run.phases.size(), run.phases.begin());
  const auto count = [&](const char* name) {
    return file_->read<std::int64_t>(fmt::format("/run/totals/{}", name), 0, 1)[0];
  };
  run.total.steps = count("steps");
  run.total.iterations = count("iterations");
  run.total.factorisations = count("factorisations");
  run.total.impacts = count("impacts");
  run.total.max_iterations = static_cast<int>(count("max_iterations"));
  run.total.max_active_contacts = static_cast<int>(count("active_contacts"));
  run.total.fallbacks = count("fallbacks");
  run.total.accumulations = count("accumulations");
  run.total.last_accumulation = file_->read<double>("/run/totals/last_accumulation", 0, 1)[0];
  run.total.rejected = count("rejected");
  run.total.inaccurate = count("inaccurate");
  if (has_poses_) {  // files of version 7 have none of these
    run.total.accepted = count("accepted");
    run.total.max_displacement = file_->read<double>("/run/totals/displacement", 0, 1)[0];
    run.total.max_force_error = file_->read<double>("/run/totals/force_error", 0, 1)[0];
    run.total.shortened = count("shortened");
    run.total.halved = count("halved");
  }
  run.total.computed = count("computed");
  const auto by_level = file_->read<std::int64_t>("/run/totals/by_level", 0, 3);
  const auto most = file_->read<std::int64_t>("/run/totals/max_by_level", 0, 3);
  for (size_t level = 0; level < 3; ++level) {
    run.total.by_level[level] = by_level[level];
    run.total.max_by_level[level] = static_cast<int>(most[level]);
  }
  run.total.max_residual = file_->read<double>("/run/totals/residual", 0, 1)[0];
  run.total.max_penetration = file_->read<double>("/run/totals/penetration", 0, 1)[0];
  run.total.smallest_step = file_->read<double>("/run/totals/smallest_step", 0, 1)[0];
  run.total.largest_step = file_->read<double>("/run/totals/largest_step", 0, 1)[0];
  run.total.max_error = file_->read<double>("/run/totals/error", 0, 1)[0];
  return run;
}

std::string ResultsReader::scene_path() const { return file_->read_text("/scene/path"); }
std::string ResultsReader::scene_text() const { return file_->read_text("/scene/text"); }
std::string ResultsReader::scene_resolved() const { return file_->read_text("/scene/resolved"); }
std::string ResultsReader::overrides() const { return file_->read_text("/scene/overrides"); }

}  // namespace percuss
