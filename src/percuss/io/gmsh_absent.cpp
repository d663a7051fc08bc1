#include "percuss/io/io_error.h"
#include "percuss/io/mesh_import.h"
#include "percuss/io/mesh_readers.h"

// Takes the place of gmsh_mesh.cpp in a build without Gmsh.
namespace percuss {
namespace {

[[noreturn]] void refuse_without_gmsh(const std::string& path) {
  throw IoError::cannot("read", path,
                        "this build of percuss is without Gmsh and reads only .inp, .unv, .bdf and .nas",
                        "build it with -DPERCUSS_GMSH=ON");
}

}  // namespace

bool reads_with_gmsh() { return false; }
MeshDescription read_gmsh_mesh(const std::string& path) { refuse_without_gmsh(path); }
MeshDescription mesh_geometry(const std::string& path, double, bool) { refuse_without_gmsh(path); }

}  // namespace percuss
