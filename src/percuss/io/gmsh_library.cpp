#include "percuss/io/gmsh_library.h"

#include <array>
#include <string_view>
#include <utility>

#include <dlfcn.h>
#include <fmt/format.h>

namespace percuss {
namespace {

std::vector<GmshEntity> as_entities(const GmshArray<int>& pairs) {
  std::vector<GmshEntity> found;
  for (std::size_t i = 0; i + 1 < pairs.size; i += 2) found.push_back({pairs.data[i], pairs.data[i + 1]});
  return found;
}

}  // namespace

GmshFunctions::GmshFunctions() {
  const std::string file = fmt::format("libgmsh.so.{}.{}", GMSH_API_VERSION_MAJOR, GMSH_API_VERSION_MINOR);
  library = ::dlopen(file.c_str(), RTLD_LAZY | RTLD_LOCAL);  // never closed: it would not survive that
  if (library == nullptr) {
    problem = ::dlerror();
    return;
  }
  const auto load = [this](auto& function, const char* name) {
    function = reinterpret_cast<std::remove_reference_t<decltype(function)>>(::dlsym(library, name));
    if (function == nullptr && problem.empty()) problem = fmt::format("it has no function {}", name);
  };
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

const GmshFunctions& gmsh_functions() {
  static const GmshFunctions functions;
  return functions;
}

GmshSession::GmshSession(const MeshDescription& target, std::string advice)
    : target_(target), gmsh_(gmsh_functions()), advice_(std::move(advice)) {
  if (!gmsh_.problem.empty())
    target_.fail(0, fmt::format("the library of Gmsh cannot be used ({})", gmsh_.problem),
                 "install Debian's package libgmsh4.8");
  int error = 0;
  gmsh_.initialize(0, nullptr, 0, &error);
  gmsh_.set_number("General.Terminal", 0, &error);
  gmsh_.start_log(&error);
}

GmshSession::~GmshSession() {
  int error = 0;
  gmsh_.stop_log(&error);  // else the next session sees the messages of this one
  gmsh_.finalize(&error);
}

void GmshSession::throw_if(bool failed) const {
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

std::vector<GmshEntity> GmshSession::entities(int dimension) const {
  GmshArray<int> pairs;
  call(gmsh_.get_entities, &pairs.data, &pairs.size, dimension);
  return as_entities(pairs);
}

std::vector<GmshEntity> GmshSession::groups() const {
  GmshArray<int> pairs;
  call(gmsh_.get_groups, &pairs.data, &pairs.size, -1);
  return as_entities(pairs);
}

std::vector<GmshEntity> GmshSession::entities_of(const GmshEntity& group) const {
  GmshArray<int> tags;
  call(gmsh_.get_group_entities, group.dimension, group.tag, &tags.data, &tags.size);
  std::vector<GmshEntity> found;
  for (const int tag : tags.span()) found.push_back({group.dimension, tag});
  return found;
}

std::string GmshSession::name_of_group(const GmshEntity& group) const {
  constexpr std::array<const char*, 4> kinds = {"point", "curve", "surface", "volume"};
  GmshArray<char> name;
  call(gmsh_.get_group_name, group.dimension, group.tag, &name.data);
  if (name.data != nullptr && *name.data != '\0') return name.data;
  return fmt::format("{}_{}", kinds[group.dimension], group.tag);
}

}  // namespace percuss
