#include "percuss/io/scene.h"

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <sstream>

#include <fmt/format.h>

#include "percuss/contacts/assembly.h"
#include "percuss/dynamics/checked_model.h"
#include "percuss/io/io_error.h"
#include "percuss/io/mesh_import.h"
#include "percuss/io/plugin.h"
#include "percuss/io/scene_parts.h"
#include "percuss/io/surface_loader.h"

namespace percuss {

void read_parameters(SourceNode& root, Environment& environment, Faults& faults) {
  const std::vector<std::string> name = {"parameters"};
  const bool is_missing = !root.find(name[0]);
  for (size_t i = 0; is_missing && i < root.keys.size(); ++i)
    if (nearest_name(root.keys[i], name))
      faults.add(root.key_locations[i], root.keys[i], "unknown key; did you mean 'parameters'?");
  if (const SourceNode* parameters = root.find(name[0])) environment.read_parameters(*parameters, faults);
  root.remove(name[0]);
  if (!faults.empty()) throw SceneError(faults.lines());
}

std::string read_scene_text(const std::string& path) {
  namespace fs = std::filesystem;
  std::error_code error;
  const auto status = fs::status(path, error);
  if (!fs::exists(status)) throw IoError::cannot("read", path, "there is no such file");
  if (fs::is_directory(status)) throw IoError::cannot("read", path, "it is a directory");
  if (fs::is_regular_file(status) &&
      fs::file_size(path, error) > static_cast<std::uintmax_t>(SourceLimits::bytes))
    throw SceneError({fmt::format(
        "{}: the file has {} bytes; a scene may have at most {} (use `repeat:` for large models)", path,
        fs::file_size(path, error), SourceLimits::bytes)});
  errno = 0;
  std::ifstream stream(path, std::ios::binary);
  if (!stream) throw IoError::cannot("read", path, std::strerror(errno));
  std::string text;
  std::vector<char> buffer(1 << 16);
  while (stream.read(buffer.data(), static_cast<std::streamsize>(buffer.size())) || stream.gcount() > 0) {
    text.append(buffer.data(), static_cast<size_t>(stream.gcount()));
    if (static_cast<long>(text.size()) > SourceLimits::bytes)
      throw SceneError(
          {fmt::format("{}: more than {} bytes; a scene may not be larger", path, SourceLimits::bytes)});
  }
  if (stream.bad()) throw IoError::cannot("read", path, std::strerror(errno));
  return text;
}

namespace {

/// The list `bodies` of `bodies`, `bodies[3]` and `bodies[3].sphere`: faults there are faults of a name.
std::string list_of_name(const std::string& path) {
  const auto open = path.find('['), close = path.find(']');
  if (open == path.npos || close == path.npos) return path;
  const std::string field = path.substr(close + 1);
  if (path.starts_with("bodies[") && field == ".mesh") return {};  // the kind of an obstacle
  const bool is_name = field.empty() || std::ranges::any_of(kind_keys(), [&](const std::string& kind) {
                         return field == "." + kind;
                       });
  return is_name ? path.substr(0, open) : std::string();
}

/// Adds what is not a mere consequence of another fault.
void add_complaints(const std::vector<Complaint>& complaints, const ReadContext& context, Faults& faults) {
  auto doubtful = context.unreadable;
  for (const auto& path : context.unreadable) doubtful.insert(list_of_name(path));
  for (const auto& complaint : complaints) doubtful.insert(list_of_name(complaint.path));
  doubtful.erase("");
  if (doubtful.contains("frames")) doubtful.insert("bodies");  // joints and springs name both alike
  if (doubtful.contains("bodies") || doubtful.contains("obstacles")) doubtful.insert("things");
  const auto is_unreadable = [&](std::string path) {
    while (!path.empty() && !context.unreadable.contains(path)) path = enclosing(path);
    return !path.empty();
  };
  // A single thing, such as the mesh that nodes belong to; lists are in `doubtful` if a name is.
  const auto had_faults = [&faults](const std::string& path) {
    return path.find('.') != path.npos && faults.covers(path);
  };
  for (const auto& complaint : complaints)
    if (!faults.covers(complaint.path) && !is_unreadable(complaint.path) &&
        !doubtful.contains(complaint.depends_on) && !had_faults(complaint.depends_on))
      faults.add(context.places.find(complaint.path), complaint.path, complaint.message);
}

void load_plugins(Scene& scene, const std::string& directory, const std::vector<std::string>& plugin_path,
                  ReadContext& context, Faults& faults) {
  for (size_t i = 0; i < scene.model.systems.size(); ++i) {
    UserSystem& system = scene.model.systems[i];
    const std::string path = fmt::format("systems[{}]", i);
    context.unreadable.insert(path + ".plugin");  // until it is loaded
    if (faults.covers(path)) continue;
    try {
      system.equations = load_plugin(system.name, system.parameters, directory, plugin_path);
      context.unreadable.erase(path + ".plugin");
    } catch (const PluginError& e) {
      faults.add(context.places.find(path + ".plugin"), path + ".plugin", e.what());
    } catch (const std::invalid_argument& e) {
      faults.add(context.places.find(path + ".parameters"), path + ".parameters", e.what());
    }
  }
}

/// `contacts: all`, and `- all` in the list, as they are written in full.
void expand_all_contacts(SourceNode& root, Faults& faults) {
  SourceNode* contacts = root.find("contacts");
  if (!contacts) return;
  if (contacts->kind == SourceNode::Kind::scalar) {
    SourceNode list;
    list.kind = SourceNode::Kind::list;
    list.location = contacts->location;
    list.items = {std::move(*contacts)};
    *contacts = std::move(list);
  }
  for (size_t i = 0; i < contacts->items.size(); ++i) {
    SourceNode& item = contacts->items[i];
    if (item.kind != SourceNode::Kind::scalar) continue;
    SourceNode clause;
    clause.location = item.location;
    clause.kind = item.scalar == "all" ? SourceNode::Kind::map : SourceNode::Kind::broken;
    if (item.scalar == "all") {
      SourceNode& sides = clause.add("between", item.location);
      sides.kind = SourceNode::Kind::list;
      sides.location = item.location;
      sides.items = {item, item};
    } else {
      faults.add(item.location, fmt::format("contacts[{}]", i),
                 fmt::format("'{}' is not allowed; a word alone can only be `all`", shorten(item.scalar)));
    }
    item = std::move(clause);
  }
}

/// `cell: 2` of a heightmap as `cell: [2, 2]`.
void expand_cells(SourceNode& root) {
  SourceNode* obstacles = root.find("obstacles");
  if (!obstacles || obstacles->kind != SourceNode::Kind::list) return;
  for (SourceNode& item : obstacles->items) {
    const SourceNode* given = item.content().find("cell");
    if (!given || given->kind != SourceNode::Kind::scalar) continue;
    item.detach();
    SourceNode& cell = *item.find("cell");
    SourceNode list;
    list.kind = SourceNode::Kind::list;
    list.location = cell.location;
    list.items = {cell, cell};
    cell = std::move(list);
  }
}

/// Reads the meshes that scenes name; they lie next to the scene.
void load_meshes(Scene& scene, const std::string& directory, ReadContext& context, Faults& faults) {
  for (size_t i = 0; i < scene.model.bodies.size(); ++i) {
    auto* solid = std::get_if<Solid>(&scene.model.bodies[i]);
    const std::string path = fmt::format("bodies[{}].mesh", i);
    if (!solid || !solid->mesh.file || !solid->mesh.unit || faults.covers(path)) continue;
    const auto unit = length_unit(*solid->mesh.unit);
    if (!unit) {
      faults.add(context.places.find(path + ".unit"), path + ".unit",
                 fmt::format("'{}' is not allowed; it must be one of {}", shorten(*solid->mesh.unit),
                             length_unit_names));
      continue;
    }
    const auto file = std::filesystem::path(directory) / *solid->mesh.file;
    if (const bool only_surfaces = has_only_surfaces(file);
        only_surfaces != solid->mesh.cell_size.has_value()) {
      const std::string where = path + (only_surfaces ? "" : ".cell_size");
      faults.add(context.places.find(where), where,
                 only_surfaces
                     ? "the key 'cell_size' is missing: the file has surfaces only, which are filled "
                       "with cells of this size"
                     : "it belongs to .stl and .step files; this file has its own cells: leave it out");
      continue;
    }
    if (solid->mesh.cells && !has_only_surfaces(file)) {
      faults.add(context.places.find(path + ".cells"), path + ".cells",
                 "it belongs to .stl and .step files; this file has its own cells: leave it out");
      continue;
    }
    try {
      Mesh mesh = read_mesh(file, {*unit, solid->mesh.cell_size, solid->mesh.cells == MeshCell::tet10});
      const Matrix3 rotation = solid->orientation.matrix();
      if (!rotation.isIdentity(0) || !solid->position.isZero(0))
        for (Vector3& node : mesh.nodes) node = solid->position + rotation * node;
      for (const auto& note : mesh.notes) scene.notes.push_back(fmt::format("{}: {}", file.string(), note));
      solid->cells = std::make_shared<const Mesh>(std::move(mesh));
    } catch (const IoError& e) {
      faults.add(context.places.find(path + ".file"), path + ".file", e.what());
      context.unreadable.insert(path);
    }
  }
}

}  // namespace

SceneError::SceneError(std::vector<std::string> faults)
    : std::runtime_error(fmt::format("{}", fmt::join(faults, "\n"))), faults_(std::move(faults)) {}

LoadedScene parse_simulation(const std::string& text, const std::string& name,
                             const std::vector<std::string>& overrides, const std::string& directory,
                             const std::vector<std::string>& plugin_path, int threads) {
  Faults faults(name);
  Scene scene;
  scene.path = name;
  scene.text = text;
  scene.overrides = overrides;

  SourceNode root;
  try {
    root = parse_source(text);
  } catch (const SourceError& e) {
    faults.add(e.location, "", e.what());
    throw SceneError(faults.lines());
  }
  if (root.kind != SourceNode::Kind::map) {
    faults.add(
        root.location, "",
        fmt::format("expected a scene (a mapping that begins with `percuss: 1`), found {}", describe(root)));
    throw SceneError(faults.lines());
  }
  Environment environment(directory);
  apply_overrides(root, overrides, true, faults, scene.notes);
  read_parameters(root, environment, faults);
  expand_repeats(root, environment, faults);
  apply_overrides(root, overrides, false, faults, scene.notes);
  expand_all_contacts(root, faults);
  expand_cells(root);

  ReadContext context{environment, faults, PlaceFinder(root)};
  SceneReader reader(context, root);
  Scene::fields(scene, reader);
  reader.finish({"parameters"});
  if (scene.format != 1 && !faults.covers("percuss"))
    faults.add(context.places.find("percuss"), "percuss",
               fmt::format("version {} is not known; this program reads version 1", scene.format));
  load_plugins(scene, directory, plugin_path, context, faults);
  load_meshes(scene, directory, context, faults);
  load_surfaces(scene.model, directory, context);
  std::vector<Complaint> complaints;
  const CheckedModel model(scene.model, scene.run.time.start, complaints);
  add_complaints(complaints, context, faults);
  add_complaints(validate(scene.run), context, faults);
  if (!faults.empty()) throw SceneError(faults.lines());
  scene.run.threads = threads;
  try {
    Simulation simulation(build_assembly(model), scene.run);
    return {std::move(scene), std::move(simulation)};
  } catch (const ModelError& e) {
    add_complaints(e.complaints(), context, faults);
    throw SceneError(faults.lines());
  }
}

Scene parse_scene(const std::string& text, const std::string& name, const std::vector<std::string>& overrides,
                  const std::string& directory, const std::vector<std::string>& plugin_path) {
  return parse_simulation(text, name, overrides, directory, plugin_path).scene;
}

LoadedScene load_simulation(const std::string& path, const std::vector<std::string>& overrides,
                            const std::vector<std::string>& plugin_path, int threads) {
  const auto directory = std::filesystem::path(path).parent_path();
  return parse_simulation(read_scene_text(path), path, overrides,
                          directory.empty() ? "." : directory.string(), plugin_path, threads);
}

Scene load_scene(const std::string& path, const std::vector<std::string>& overrides,
                 const std::vector<std::string>& plugin_path) {
  return load_simulation(path, overrides, plugin_path).scene;
}

}  // namespace percuss
