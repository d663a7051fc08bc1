#include <algorithm>
#include <filesystem>

#include <fmt/format.h>

#include "commands.h"
#include "part_file.h"
#include "percuss/io/mesh_import.h"
#include "percuss/io/modes_file.h"
#include "percuss/io/scene.h"
#include "percuss/simulation/probe.h"
#include "say.h"
#include "text_file.h"

namespace {

namespace fs = std::filesystem;
using percuss::BodyMode;
using percuss::BodyModes;
using percuss::ProbeError;

bool is_scene(const std::string& file) {
  const std::string extension = fs::path(file).extension();
  return extension == ".yaml" || extension == ".yml" || extension == ".json";
}

/// A body of a mesh file and the options of the command line.
percuss::Model model_of_mesh(const ModesOptions& options, const std::string& name) {
  std::string missing;
  for (const auto& [option, is_given] :
       {std::pair{"--unit", !options.unit.empty()}, std::pair{"--young", options.young > 0},
        std::pair{"--density", options.density > 0}})
    if (!is_given) missing += fmt::format("{}{}", missing.empty() ? "" : ", ", option);
  if (!missing.empty()) throw ProbeError(fmt::format("{} is a mesh and needs {}", options.file, missing));
  const auto unit = percuss::length_unit(options.unit);
  if (!unit)
    throw ProbeError(fmt::format("--unit: '{}' is not allowed; it must be one of {}", options.unit,
                                 percuss::length_unit_names));
  if (percuss::has_only_surfaces(options.file) != (options.cell_size > 0))
    throw ProbeError(
        options.cell_size > 0
            ? fmt::format("--cell-size belongs to .stl and .step files; {} has its own cells", options.file)
            : fmt::format("{} has surfaces only; --cell-size says how large the cells are that fill them [m]",
                          options.file));
  percuss::Material material;
  material.young = options.young;
  material.density = options.density;
  material.poisson = options.poisson;
  percuss::Solid solid;
  solid.name = name;
  solid.material = "material";
  solid.formulation = percuss::SolidFormulation::small_strain;  // about rest all are, and this one bends best
  solid.mesh.file = options.file;
  solid.mesh.unit = options.unit;
  percuss::MeshImport import{*unit, {}, true};
  if (options.cell_size > 0) import.mesh_size = solid.mesh.cell_size = options.cell_size;
  auto mesh = percuss::read_mesh(options.file, import);
  for (const auto& note : mesh.notes) say(stderr, "note: {}: {}\n", options.file, note);
  solid.cells = std::make_shared<const percuss::Mesh>(std::move(mesh));
  percuss::Model model;
  model.materials = {{"material", material}};
  model.bodies.emplace_back(std::move(solid));
  return model;
}

percuss::Model model_of_scene(const ModesOptions& options) {
  if (!options.unit.empty() || options.young > 0 || options.density > 0 || options.cell_size > 0)
    throw ProbeError(
        "--unit, --young, --density, --poisson and --cell-size belong to a mesh file; a scene has its own");
  percuss::Scene scene = percuss::load_scene(options.file, options.overrides, options.plugin_path);
  for (const auto& note : scene.notes) say(stderr, "note: {}\n", note);
  return std::move(scene.model);
}

/// The body that is asked for, or the only one.
std::string body_name(const percuss::Model& model, const ModesOptions& options) {
  if (!options.body.empty()) return options.body;
  std::vector<std::string> names;
  for (const auto& body : model.bodies)
    if (percuss::flexible(body)) names.push_back(name_of(body));
  if (names.size() == 1) return names[0];
  if (names.empty())
    throw ProbeError(fmt::format("{} has no flexible body (bar, beam or solid)", options.file));
  throw ProbeError(fmt::format("{} has several flexible bodies; say which with --body: {}", options.file,
                               fmt::join(names, ", ")));
}

void print_table(const std::string& body, const BodyModes& modes) {
  say("'{}': {} nodes, {:.6g} kg\n", body, modes.mesh->nodes.size(), modes.mass);
  say("                                                            effective mass, part of the whole\n");
  say(" mode  frequency [Hz]   omega [rad/s]      period [s]        x        y        z\n");
  percuss::Vector3 sum = percuss::Vector3::Zero();
  for (size_t k = 0; k < modes.modes.size(); ++k) {
    const BodyMode& mode = modes.modes[k];
    sum += mode.effective_mass;
    say("{:5}", k + 1);
    if (mode.is_rigid)
      say("{:>16}{:>16}{:>16}", "rigid", "0", "-");
    else
      say("{:16.8g}{:16.8g}{:16.8g}", mode.frequency(), mode.omega(), 1 / mode.frequency());
    say("  {:7.4f}  {:7.4f}  {:7.4f}\n", mode.effective_mass[0], mode.effective_mass[1],
        mode.effective_mass[2]);
  }
  say("{:>53}  {:7.4f}  {:7.4f}  {:7.4f}\n", "sum", sum[0], sum[1], sum[2]);
}

void write_csv(const std::string& path, const BodyModes& modes) {
  TextFile file(path);
  file.write("# units: 1, Hz, rad/s, kg, 1, 1, 1, 1\n");
  file.write("mode,frequency,omega,modal_mass,effective_mass_x,effective_mass_y,effective_mass_z,rigid\n");
  for (size_t k = 0; k < modes.modes.size(); ++k) {
    const BodyMode& mode = modes.modes[k];
    file.write(fmt::format("{},{},{},{},{},{},{},{}\n", k + 1, mode.frequency(), mode.omega(),
                           mode.modal_mass, mode.effective_mass[0], mode.effective_mass[1],
                           mode.effective_mass[2], mode.is_rigid ? 1 : 0));
  }
  file.close();
  if (path != "-") say("wrote {}: {} modes\n", path, modes.modes.size());
}

std::string description_beside(const std::string& path) {
  const std::string xdmf = fs::path(path).replace_extension(".xdmf");
  if (xdmf == path)
    throw ProbeError(fmt::format(
        "-o {}: the shapes are written as HDF5, such as modes.h5, with a file .xdmf beside it", path));
  return xdmf;
}

void write_shapes(const std::string& path, const std::string& body, const BodyModes& modes) {
  const std::string target = behind_link(path);
  const std::string xdmf = description_beside(target);
  percuss::write_modes(target, body, modes);
  TextFile file(xdmf);
  percuss::write_modes_xdmf(body, modes, fs::path(target).filename().string(),
                            [&](const std::string& text) { file.write(text); });
  file.close();
  say("wrote {} and {}: open the latter in ParaView\n", path, xdmf);
}

/// The scene or mesh itself is not overwritten.
void refuse_to_replace_input(const ModesOptions& options) {
  std::error_code error;  // of files that do not exist yet
  for (const auto& [option, path] : {std::pair{"-o", options.output}, {"--csv", options.csv}})
    if (!path.empty() && fs::equivalent(path, options.file, error))
      throw ProbeError(fmt::format("{} {}: that is the file to be read; choose another name", option, path));
}

/// What is wrong with a body that is not a line of the scene is said without one.
BodyModes modes_of(const percuss::Model& model, const percuss::ModesRequest& request,
                   const std::string& file) {
  try {
    return percuss::body_modes(model, request);
  } catch (const percuss::ModelError& e) {
    std::vector<std::string> faults;
    for (const auto& complaint : e.complaints())
      faults.push_back(fmt::format("error: {}: {}", file, complaint.message));
    throw percuss::SceneError(std::move(faults));
  }
}

}  // namespace

void modes_command(const ModesOptions& options) {
  if (!options.output.empty()) description_beside(options.output);
  refuse_to_replace_input(options);
  const percuss::Model model = is_scene(options.file) ? model_of_scene(options)
                                                      : model_of_mesh(options, fs::path(options.file).stem());
  percuss::ModesRequest request;
  request.body = body_name(model, options);
  request.count = options.count;
  request.is_free = options.is_free;
  request.fixed = options.fixed;
  const BodyModes modes = modes_of(model, request, options.file);
  for (const auto& note : modes.notes) say(stderr, "note: {}\n", note);
  if (options.csv != "-") print_table(request.body, modes);
  if (!options.csv.empty()) write_csv(options.csv, modes);
  if (!options.output.empty()) write_shapes(options.output, request.body, modes);
}
