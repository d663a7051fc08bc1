#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "percuss/geometry/mesh.h"

namespace percuss {

/// A mesh as a file describes it: things have numbers of the user's choice, in any order and with holes, and
/// a line where they are (0: unknown).
struct MeshDescription {
  struct Reference {
    std::int64_t id;
    int line;
  };
  struct Nodes {
    std::vector<Reference> names;
    std::vector<Vector3> points;
  };
  struct Elements {
    std::vector<Reference> names;
    std::vector<std::int64_t> nodes;  ///< element after element, in the order of CellShape
  };
  struct Set {
    std::string name;
    int line;
    std::vector<Reference> members;
  };
  struct Side {
    Reference element;
    int side;  ///< place in cell_facets()
  };
  struct Surface {
    std::string name;
    int line;
    std::vector<Side> sides;
  };

  std::string path;
  Nodes nodes;
  std::array<Elements, 10> elements;  ///< by CellShape
  std::vector<Set> node_sets, element_sets;
  std::vector<Surface> surfaces;
  std::vector<std::string> notes;

  Elements& of(CellShape shape) { return elements[static_cast<std::size_t>(shape)]; }
  Set& node_set(const std::string& name, int line) { return find_or_add(node_sets, name, line); }
  Set& element_set(const std::string& name, int line) { return find_or_add(element_sets, name, line); }

  /// Throws IoError; line 0: unknown.
  [[noreturn]] void fail(int line, const std::string& reason, const std::string& advice = "") const;

 private:
  static Set& find_or_add(std::vector<Set>& sets, const std::string& name, int line);
};

/// Replaces numbers of the file by places, checks them, and scales the coordinates.
Mesh make_mesh(const MeshDescription& description, double unit_in_metres);

MeshDescription read_abaqus_mesh(const std::string& path);
MeshDescription read_nastran_mesh(const std::string& path);
MeshDescription read_unv_mesh(const std::string& path);
/// `mesh_size` in the unit of the file.
MeshDescription read_gmsh_mesh(const std::string& path);
MeshDescription mesh_geometry(const std::string& path, double mesh_size, bool is_quadratic);

}  // namespace percuss
