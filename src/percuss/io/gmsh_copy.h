#pragma once

#include <memory>

#include "percuss/io/gmsh_library.h"

namespace percuss {

/// Copies what Gmsh holds into a description.
class GmshCopy {
 public:
  GmshCopy(const GmshSession& session, MeshDescription& target) : session_(session), target_(target) {}

  void copy_nodes();
  /// Cells are the elements of the largest dimension there is.
  void copy_cells();
  void copy_group(const std::string& name, const GmshEntity& group, const std::vector<GmshEntity>& entities);

 private:
  using References = std::vector<MeshDescription::Reference>;
  struct EntityElements {
    GmshEntity entity;
    References elements;
  };
  struct GmshElements {
    GmshArray<int> types;
    GmshArray<std::size_t*> tags, nodes;
    GmshArray<std::size_t> tag_counts, node_counts;
  };
  static const References* find(const std::vector<EntityElements>& known, const GmshEntity& entity);
  References elements_of(const GmshEntity& entity) const;
  /// An entity may belong to several groups.
  References copy_elements_once(const GmshEntity& entity);
  std::unique_ptr<GmshElements> get_elements(const GmshEntity& entity) const;
  References copy_elements(const GmshEntity& entity);
  References nodes_of(const GmshEntity& entity) const;

  const GmshSession& session_;
  MeshDescription& target_;
  int dimension_ = 0;
  bool has_cells_ = false;
  std::vector<EntityElements> cell_tags_, side_tags_;
};

}  // namespace percuss
