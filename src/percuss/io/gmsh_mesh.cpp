#include <functional>
#include <numbers>

#include <fmt/format.h>

#include "percuss/io/gmsh_copy.h"
#include "percuss/io/gmsh_files.h"
#include "percuss/io/isolated_process.h"
#include "percuss/io/mesh_import.h"
#include "percuss/io/mesh_transfer.h"
#include "percuss/io/private_copy.h"

// Mesh files and geometry that Gmsh reads.
namespace percuss {
namespace {

/// A mesh size in a wrong unit would keep Gmsh busy until the memory is full.
void require_sensible_size(const GmshSession& session, const MeshDescription& target, double mesh_size) {
  Vector3 lower, upper;
  session.call(session.functions().get_box, -1, -1, &lower.x(), &lower.y(), &lower.z(), &upper.x(),
               &upper.y(), &upper.z());
  constexpr double most_edges = 2000;
  const double edges = (upper - lower).maxCoeff() / mesh_size;
  if (!(edges <= most_edges))
    target.fail(0,
                fmt::format("its extent is {:.0f} times the mesh size; at most {} times is allowed", edges,
                            most_edges),
                "check the units");
}

/// Makes surfaces with edges out of loose triangles, and a volume inside them.
void make_volume_of_triangles(const GmshSession& session) {
  const GmshFunctions& gmsh = session.functions();
  constexpr double edge_angle = 40 * std::numbers::pi / 180;
  session.call(gmsh.classify_surfaces, edge_angle, 1, 1, std::numbers::pi, 0);
  session.call(gmsh.create_geometry, nullptr, std::size_t{0});
  std::vector<int> faces;
  for (const GmshEntity& face : session.entities(2)) faces.push_back(face.tag);
  int shell = session.call(gmsh.add_surface_loop, faces.data(), faces.size(), -1);
  session.call(gmsh.add_volume, &shell, std::size_t{1}, -1);
  session.call(gmsh.synchronize);
}

std::string open_mesh(const PrivateCopy& file) {
  MeshDescription target;
  target.path = file.original();
  const GmshSession session(target, "");
  session.call(session.functions().open, file.file().c_str());
  session.throw_if(false);
  GmshCopy copy(session, target);
  copy.copy_nodes();
  copy.copy_cells();
  for (const GmshEntity& group : session.groups())
    copy.copy_group(session.name_of_group(group), group, session.entities_of(group));
  return pack_mesh(target);
}

std::string fill_geometry(const PrivateCopy& file, double mesh_size, bool is_quadratic, GeometryFile kind) {
  MeshDescription target;
  target.path = file.original();
  const GmshSession session(target, "its surface must be closed and must not cut itself");
  const GmshFunctions& gmsh = session.functions();
  session.call(gmsh.set_string, "Geometry.OCCTargetUnit", "M");
  session.call(gmsh.set_number, "Mesh.MeshSizeMin", mesh_size);
  session.call(gmsh.set_number, "Mesh.MeshSizeMax", mesh_size);
  session.call(gmsh.set_number, "Mesh.ElementOrder", is_quadratic ? 2.0 : 1.0);
  session.call(gmsh.set_number, "Mesh.SecondOrderLinear", 1.0);  // curved edges may turn cells inside out
  session.call(gmsh.open, file.file().c_str());
  require_sensible_size(session, target, mesh_size);
  if (kind == GeometryFile::stl) make_volume_of_triangles(session);
  if (session.entities(3).empty()) target.fail(0, "it has no solid that could be filled with cells");
  session.call(gmsh.generate, 3);
  session.throw_if(false);
  GmshCopy copy(session, target);
  copy.copy_nodes();
  copy.copy_cells();
  for (const int dimension : {2, 3})
    for (const GmshEntity& entity : session.entities(dimension))
      copy.copy_group(fmt::format("{}_{}", dimension == 2 ? "face" : "solid", entity.tag), entity, {entity});
  return pack_mesh(target);
}

/// What `work` packs. Gmsh runs the options FILE.opt beside a file and those in the home of the user, which
/// may contain commands for the shell: it sees only a copy under a name of ours.
MeshDescription let_gmsh_read(const PrivateCopy& copy, const std::function<std::string()>& work) {
  const std::string& path = copy.original();
  const IsolatedAnswer answer =
      run_isolated({.path = path, .library = "Gmsh", .folder = copy.folder().string()}, work);
  MeshDescription description = unpack_mesh(answer.bytes, path);
  if (!answer.is_restricted)
    description.notes.push_back(
        "this system cannot filter the calls of a process: Gmsh could have started programs and changed "
        "files");
  return description;
}

}  // namespace

bool reads_with_gmsh() { return true; }

MeshDescription read_gmsh_mesh(const std::string& path) {
  const PrivateCopy copy(path, read_gmsh_mesh_file(path), "mesh.msh");
  return let_gmsh_read(copy, [&] { return open_mesh(copy); });
}

MeshDescription mesh_geometry(const std::string& path, double mesh_size, bool is_quadratic) {
  const GeometryFile kind = kind_of_geometry(path);
  const PrivateCopy copy(path, read_geometry_file(path),
                         kind == GeometryFile::stl ? "geometry.stl" : "geometry.step");
  return let_gmsh_read(copy, [&] { return fill_geometry(copy, mesh_size, is_quadratic, kind); });
}

}  // namespace percuss
