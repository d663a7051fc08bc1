#pragma once

#include <span>
#include <string>
#include <type_traits>
#include <vector>

#include <gmshc.h>

#include "percuss/io/mesh_readers.h"

// Gmsh brings some ninety libraries with it, down to those of graphics; keeps global state; prints; and
// crashes on damaged files. So it is loaded only when a file asks for it, by its C interface, whose functions
// can be looked up by name, and works in a process of its own.
namespace percuss {

/// The functions of the library that are used; `problem` says why there are none.
struct GmshFunctions {
  GmshFunctions();

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
};

const GmshFunctions& gmsh_functions();

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
  GmshSession(const MeshDescription& target, std::string advice);
  ~GmshSession();
  GmshSession(const GmshSession&) = delete;
  GmshSession& operator=(const GmshSession&) = delete;

  const GmshFunctions& functions() const { return gmsh_; }

  /// Throws what Gmsh has complained about.
  void throw_if(bool failed) const;

  std::vector<GmshEntity> entities(int dimension) const;
  std::vector<GmshEntity> groups() const;
  std::vector<GmshEntity> entities_of(const GmshEntity& group) const;
  std::string name_of_group(const GmshEntity& group) const;

 private:
  const MeshDescription& target_;
  const GmshFunctions& gmsh_;
  std::string advice_;
};

}  // namespace percuss
