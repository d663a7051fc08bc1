#include <algorithm>
#include <memory>
#include <numbers>
#include <optional>
#include <string_view>
#include <utility>

#include <dlfcn.h>
#include <fmt/format.h>
#include <gmshc.h>

#include "percuss/io/disk_file.h"
#include "percuss/io/gmsh_files.h"
#include "percuss/io/io_error.h"
#include "percuss/io/isolated_process.h"
#include "percuss/io/mesh_import.h"
#include "percuss/io/mesh_readers.h"
#include "percuss/io/mesh_transfer.h"

// Gmsh brings some ninety libraries with it, down to those of graphics; keeps global state; prints; and
// crashes on damaged files. So it is loaded only when a file asks for it, by its C interface, whose functions
// can be looked up by name, and works in a process of its own.
namespace percuss {
namespace {

struct GmshFunctions {
  GmshFunctions() {
    const std::string file = fmt::format("libgmsh.so.{}.{}", GMSH_API_VERSION_MAJOR, GMSH_API_VERSION_MINOR);
    library = ::dlopen(file.c_str(), RTLD_LAZY | RTLD_LOCAL);  // never closed: it would not survive that
    if (library == nullptr) {
      problem = ::dlerror();
      return;
    }
    load(initialize, "gmshInitialize");
    load(finalize, "gmshFinalize");
    load(release, "gmshFree");
    load(set_number, "gmshOptionSetNumber");
    load(set_string, "gmshOptionSetString");
    load(start_log, "gmshLoggerStart");
    load(get_log, "gmshLoggerGet");
    load(stop_log, "gmshLoggerStop");
    load(open, "gmshOpen");
    load(get_entities, "gmshModelGetEntities");
    load(get_groups, "gmshModelGetPhysicalGroups");
    load(get_group_entities, "gmshModelGetEntitiesForPhysicalGroup");
    load(get_group_name, "gmshModelGetPhysicalName");
    load(get_box, "gmshModelGetBoundingBox");
    load(get_nodes, "gmshModelMeshGetNodes");
    load(get_elements, "gmshModelMeshGetElements");
    load(classify_surfaces, "gmshModelMeshClassifySurfaces");
    load(create_geometry, "gmshModelMeshCreateGeometry");
    load(add_surface_loop, "gmshModelGeoAddSurfaceLoop");
    load(add_volume, "gmshModelGeoAddVolume");
    load(synchronize, "gmshModelGeoSynchronize");
    load(generate, "gmshModelMeshGenerate");
  }

  void* library = nullptr;
  std::string problem;
  decltype(&gmshInitialize) initialize = nullptr;
  decltype(&gmshFinalize) finalize = nullptr;
  decltype(&gmshFree) release = nullptr;
  decltype(&gmshOptionSetNumber) set_number = nullptr;
  decltype(&gmshOptionSetString) set_string = nullptr;
  decltype(&gmshLoggerStart) start_log = nullptr;
  decltype(&gmshLoggerGet) get_log = nullptr;
  decltype(&gmshLoggerStop) stop_log = nullptr;
  decltype(&gmshOpen) open = nullptr;
  decltype(&gmshModelGetEntities) get_entities = nullptr;
  decltype(&gmshModelGetPhysicalGroups) get_groups = nullptr;
  decltype(&gmshModelGetEntitiesForPhysicalGroup) get_group_entities = nullptr;
  decltype(&gmshModelGetPhysicalName) get_group_name = nullptr;
  decltype(&gmshModelGetBoundingBox) get_box = nullptr;
  decltype(&gmshModelMeshGetNodes) get_nodes = nullptr;
  decltype(&gmshModelMeshGetElements) get_elements = nullptr;
  decltype(&gmshModelMeshClassifySurfaces) classify_surfaces = nullptr;
  decltype(&gmshModelMeshCreateGeometry) create_geometry = nullptr;
  decltype(&gmshModelGeoAddSurfaceLoop) add_surface_loop = nullptr;
  decltype(&gmshModelGeoAddVolume) add_volume = nullptr;
  decltype(&gmshModelGeoSynchronize) synchronize = nullptr;
  decltype(&gmshModelMeshGenerate) generate = nullptr;

 private:
  template <class Function>
  void load(Function& function, const char* name) {
    function = reinterpret_cast<Function>(::dlsym(library, name));
    if (function == nullptr && problem.empty()) problem = fmt::format("it has no function {}", name);
  }
};

const GmshFunctions& gmsh_functions() {
  static const GmshFunctions functions;
  return functions;
}

/// An array that Gmsh has allocated.
template <class T>
struct GmshArray {
  T* data = nullptr;
  std::size_t size = 0;

  GmshArray() = default;
  GmshArray(const GmshArray&) = delete;
  GmshArray& operator=(const GmshArray&) = delete;
  ~GmshArray() {
    if constexpr (std::is_pointer_v<T>)
      for (std::size_t i = 0; i < size; ++i) gmsh_functions().release(data[i]);
    gmsh_functions().release(data);
  }
  std::span<const T> span() const { return {data, size}; }
};

struct GmshEntity {
  int dimension, tag;
};

/// Gmsh between initialisation and its end.
class GmshSession {
 public:
  /// Calls a function of Gmsh, which tells by its last argument whether it failed.
  template <class Function, class... Arguments>
  auto call(Function function, Arguments... arguments) const {
    int error = 0;
    if constexpr (std::is_void_v<decltype(function(arguments..., &error))>) {
      function(arguments..., &error);
      throw_if(error != 0);
    } else {
      const auto result = function(arguments..., &error);
      throw_if(error != 0);
      return result;
    }
  }

  /// `advice` goes into the message of a failure.
  GmshSession(const MeshDescription& target, std::string advice)
      : target_(target), gmsh_(gmsh_functions()), advice_(std::move(advice)) {
    if (!gmsh_.problem.empty())
      target_.fail(0, fmt::format("the library of Gmsh cannot be used ({})", gmsh_.problem),
                   "install Debian's package libgmsh4.8");
    int error = 0;
    gmsh_.initialize(0, nullptr, 0, &error);
    gmsh_.set_number("General.Terminal", 0, &error);
    gmsh_.start_log(&error);
  }
  ~GmshSession() {
    int error = 0;
    gmsh_.stop_log(&error);  // else the next session sees the messages of this one
    gmsh_.finalize(&error);
  }
  GmshSession(const GmshSession&) = delete;
  GmshSession& operator=(const GmshSession&) = delete;

  const GmshFunctions& functions() const { return gmsh_; }

  /// Throws what Gmsh has complained about.
  void throw_if(bool failed) const {
    constexpr std::string_view error_mark = "Error: ", duplicate_mark = "Skipping duplicate node ";
    GmshArray<char*> log;
    int error = 0;
    gmsh_.get_log(&log.data, &log.size, &error);
    std::string complaint;
    for (const std::string_view message : log.span()) {
      if (const auto at = message.find(duplicate_mark); at != message.npos)
        target_.fail(0, fmt::format("node {} is there twice", message.substr(at + duplicate_mark.size())));
      if (message.starts_with(error_mark) && complaint.empty()) {
        complaint = message.substr(error_mark.size());
        while (complaint.ends_with(' ')) complaint.pop_back();
      }
    }
    if (failed || !complaint.empty())
      target_.fail(0, complaint.empty() ? "Gmsh cannot read it" : fmt::format("Gmsh says: {}", complaint),
                   advice_);
  }

  std::vector<GmshEntity> entities(int dimension) const {
    GmshArray<int> pairs;
    call(gmsh_.get_entities, &pairs.data, &pairs.size, dimension);
    return as_entities(pairs);
  }
  std::vector<GmshEntity> groups() const {
    GmshArray<int> pairs;
    call(gmsh_.get_groups, &pairs.data, &pairs.size, -1);
    return as_entities(pairs);
  }
  std::vector<GmshEntity> entities_of(const GmshEntity& group) const {
    GmshArray<int> tags;
    call(gmsh_.get_group_entities, group.dimension, group.tag, &tags.data, &tags.size);
    std::vector<GmshEntity> found;
    for (const int tag : tags.span()) found.push_back({group.dimension, tag});
    return found;
  }
  std::string name_of_group(const GmshEntity& group) const {
    constexpr std::array<const char*, 4> kinds = {"point", "curve", "surface", "volume"};
    GmshArray<char> name;
    call(gmsh_.get_group_name, group.dimension, group.tag, &name.data);
    if (name.data != nullptr && *name.data != '\0') return name.data;
    return fmt::format("{}_{}", kinds[group.dimension], group.tag);
  }

 private:
  static std::vector<GmshEntity> as_entities(const GmshArray<int>& pairs) {
    std::vector<GmshEntity> found;
    for (std::size_t i = 0; i + 1 < pairs.size; i += 2) found.push_back({pairs.data[i], pairs.data[i + 1]});
    return found;
  }

  const MeshDescription& target_;
  const GmshFunctions& gmsh_;
  std::string advice_;
};

/// The number of Gmsh's node that stands at each place of ours.
struct GmshShape {
  CellShape shape;
  std::vector<int> place;
};

std::optional<GmshShape> gmsh_shape(int type) {
  using enum CellShape;
  switch (type) {
    case 1: return GmshShape{line2, {0, 1}};
    case 2: return GmshShape{tri3, {0, 1, 2}};
    case 3: return GmshShape{quad4, {0, 1, 2, 3}};
    case 4: return GmshShape{tet4, {0, 1, 2, 3}};
    case 5: return GmshShape{hex8, {0, 1, 2, 3, 4, 5, 6, 7}};
    case 8: return GmshShape{line3, {0, 1, 2}};
    case 9: return GmshShape{tri6, {0, 1, 2, 3, 4, 5}};
    case 11: return GmshShape{tet10, {0, 1, 2, 3, 4, 5, 6, 7, 9, 8}};
    case 16: return GmshShape{quad8, {0, 1, 2, 3, 4, 5, 6, 7}};
    case 17: return GmshShape{hex20, {0, 1, 2, 3, 4, 5, 6, 7, 8, 11, 13, 9, 16, 18, 19, 17, 10, 12, 14, 15}};
    default: return std::nullopt;
  }
}

/// Copies what Gmsh holds into a description.
class GmshCopy {
 public:
  GmshCopy(const GmshSession& session, MeshDescription& target) : session_(session), target_(target) {}

  void copy_nodes() {
    GmshArray<std::size_t> tags;
    GmshArray<double> points, unused;
    session_.call(session_.functions().get_nodes, &tags.data, &tags.size, &points.data, &points.size,
                  &unused.data, &unused.size, -1, -1, 0, 0);
    for (std::size_t i = 0; i < tags.size; ++i) {
      target_.nodes.names.push_back({static_cast<std::int64_t>(tags.data[i]), 0});
      target_.nodes.points.emplace_back(points.data[3 * i], points.data[3 * i + 1], points.data[3 * i + 2]);
    }
  }

  /// Cells are the elements of the largest dimension there is.
  void copy_cells() {
    for (dimension_ = 3; dimension_ > 0; --dimension_) {
      for (const GmshEntity& entity : session_.entities(dimension_)) {
        cell_tags_.push_back({entity, copy_elements(entity)});
        has_cells_ |= !cell_tags_.back().elements.empty();
      }
      if (has_cells_) return;
      cell_tags_.clear();
    }
  }

  void copy_group(const std::string& name, const GmshEntity& group, const std::vector<GmshEntity>& entities) {
    const bool as_nodes = group.dimension < dimension_ - 1;
    auto& set = as_nodes ? target_.node_set(name, 0) : target_.element_set(name, 0);
    for (const GmshEntity& entity : entities) {
      std::vector<MeshDescription::Reference> members;
      if (group.dimension == dimension_)
        members = elements_of(entity);
      else
        members = as_nodes ? nodes_of(entity) : copy_elements_once(entity);
      set.members.insert(set.members.end(), members.begin(), members.end());
    }
  }

 private:
  using References = std::vector<MeshDescription::Reference>;
  struct EntityElements {
    GmshEntity entity;
    References elements;
  };

  static const References* find(const std::vector<EntityElements>& known, const GmshEntity& entity) {
    const auto found =
        std::ranges::find_if(known, [&](const EntityElements& one) { return one.entity.tag == entity.tag; });
    return found == known.end() ? nullptr : &found->elements;
  }
  References elements_of(const GmshEntity& entity) const {
    const References* known = find(cell_tags_, entity);
    return known == nullptr ? References() : *known;
  }
  /// An entity may belong to several groups.
  References copy_elements_once(const GmshEntity& entity) {
    if (const References* known = find(side_tags_, entity)) return *known;
    side_tags_.push_back({entity, copy_elements(entity)});
    return side_tags_.back().elements;
  }

  struct GmshElements {
    GmshArray<int> types;
    GmshArray<std::size_t*> tags, nodes;
    GmshArray<std::size_t> tag_counts, node_counts;
  };
  std::unique_ptr<GmshElements> get_elements(const GmshEntity& entity) const {
    auto found = std::make_unique<GmshElements>();
    session_.call(session_.functions().get_elements, &found->types.data, &found->types.size,
                  &found->tags.data, &found->tag_counts.data, &found->tags.size, &found->nodes.data,
                  &found->node_counts.data, &found->nodes.size, entity.dimension, entity.tag);
    return found;
  }

  References copy_elements(const GmshEntity& entity) {
    References members;
    const auto found = get_elements(entity);
    for (std::size_t block = 0; block < found->types.size; ++block) {
      const auto kind = gmsh_shape(found->types.data[block]);
      if (!kind)
        target_.fail(0,
                     fmt::format("element {} is of Gmsh's type {}", found->tags.data[block][0],
                                 found->types.data[block]),
                     "line2, tri3, quad4, tet4, tet10, hex8 and hex20 are read (second order: set "
                     "Mesh.SecondOrderIncomplete=1 in Gmsh)");
      auto& elements = target_.of(kind->shape);
      const std::size_t* nodes = found->nodes.data[block];
      for (std::size_t i = 0; i < found->tag_counts.data[block]; ++i, nodes += kind->place.size()) {
        members.push_back({static_cast<std::int64_t>(found->tags.data[block][i]), 0});
        elements.names.push_back(members.back());
        for (const int place : kind->place) elements.nodes.push_back(static_cast<std::int64_t>(nodes[place]));
      }
    }
    return members;
  }

  References nodes_of(const GmshEntity& entity) const {
    References members;
    const auto found = get_elements(entity);
    for (std::size_t block = 0; block < found->types.size; ++block)
      for (std::size_t i = 0; i < found->node_counts.data[block]; ++i)
        members.push_back({static_cast<std::int64_t>(found->nodes.data[block][i]), 0});
    return members;
  }

  const GmshSession& session_;
  MeshDescription& target_;
  int dimension_ = 0;
  bool has_cells_ = false;
  std::vector<EntityElements> cell_tags_, side_tags_;
};

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

std::string open_mesh(const std::string& path) {
  MeshDescription target;
  target.path = path;
  const GmshSession session(target, "");
  session.call(session.functions().open, path.c_str());
  session.throw_if(false);
  GmshCopy copy(session, target);
  copy.copy_nodes();
  copy.copy_cells();
  for (const GmshEntity& group : session.groups())
    copy.copy_group(session.name_of_group(group), group, session.entities_of(group));
  return pack_mesh(target);
}

std::string fill_geometry(const std::string& path, double mesh_size, GeometryFile kind) {
  MeshDescription target;
  target.path = path;
  const GmshSession session(target, "its surface must be closed and must not cut itself");
  const GmshFunctions& gmsh = session.functions();
  session.call(gmsh.set_string, "Geometry.OCCTargetUnit", "M");
  session.call(gmsh.set_number, "Mesh.MeshSizeMin", mesh_size);
  session.call(gmsh.set_number, "Mesh.MeshSizeMax", mesh_size);
  session.call(gmsh.open, path.c_str());
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

}  // namespace

bool reads_with_gmsh() { return true; }

MeshDescription read_gmsh_mesh(const std::string& path) {
  require_gmsh_mesh_file(path);
  return unpack_mesh(run_isolated(path, "Gmsh", [&] { return open_mesh(path); }), path);
}

MeshDescription mesh_geometry(const std::string& path, double mesh_size) {
  const GeometryFile kind = require_geometry_file(path);
  return unpack_mesh(run_isolated(path, "Gmsh", [&] { return fill_geometry(path, mesh_size, kind); }), path);
}

}  // namespace percuss
