#include "percuss/io/xdmf.h"

#include <array>
#include <string_view>

#include <fmt/format.h>

#include "percuss/io/xml_escape.h"
#include "percuss/simulation/probe.h"

namespace percuss {
std::string_view xdmf_topology(CellShape shape) {
  switch (shape) {
    case CellShape::line2: return "Polyline";
    case CellShape::tri3: return "Triangle";
    case CellShape::quad4: return "Quadrilateral";
    case CellShape::tet4: return "Tetrahedron";
    case CellShape::tet10: return "Tet_10";
    case CellShape::hex8: return "Hexahedron";
    case CellShape::hex20: return "Hex_20";
    case CellShape::line3:
    case CellShape::tri6:
    case CellShape::quad8: break;  // never a cell of a body
  }
  return "Polyvertex";
}

namespace {

/// The grids of one frame.
class XdmfFrame {
 public:
  XdmfFrame(const std::string& data, std::int64_t frames, std::int64_t frame)
      : data_(data), frames_(frames), frame_(frame) {}

  /// One grid for each kind of cells: stresses belong to the cells of all blocks, one after the other.
  void add(const FlexibleInfo& body) {
    std::int64_t first_cell = 0, all_cells = 0;
    for (const auto& block : body.blocks) all_cells += block.cells;
    for (const auto& block : body.blocks) {
      const std::string suffix = body.blocks.size() > 1 ? fmt::format(".{}", name_of(block.shape)) : "";
      print("      <Grid Name=\"{}{}\" GridType=\"Uniform\">\n", body.name, suffix);
      add_mesh(body, block);
      for (const char* name : {"displacement", "velocity", "contact_force"}) add_nodal(body, name);
      add_stress(body, {first_cell, block.cells, all_cells});
      print("      </Grid>\n");
      first_cell += block.cells;
    }
  }
  const std::string& text() const { return text_; }

 private:
  struct CellRange {
    std::int64_t first, count, all;
  };

  template <class... T>
  void print(fmt::format_string<T...> format, T&&... values) {
    fmt::format_to(std::back_inserter(text_), format, std::forward<T>(values)...);
  }

  void add_mesh(const FlexibleInfo& body, const FlexibleInfo::Block& block) {
    const int corners = node_count(block.shape);
    print(R"(        <Topology TopologyType="{}" NumberOfElements="{}" NodesPerElement="{}">
          <DataItem Format="HDF" NumberType="Int" Precision="4" Dimensions="{} {}">{}:{}</DataItem>
        </Topology>
        <Geometry GeometryType="XYZ">
          <DataItem Format="HDF" NumberType="Float" Precision="8" Dimensions="{} 3">{}:{}nodes</DataItem>
        </Geometry>
)",
          xdmf_topology(block.shape), block.cells, corners, block.cells, corners, data_, block.dataset,
          body.nodes, data_, body.group);
  }

  void add_nodal(const FlexibleInfo& body, const char* name) {
    print(R"(        <Attribute Name="{}" AttributeType="Vector" Center="Node">
          <DataItem ItemType="HyperSlab" Dimensions="{} 3">
            <DataItem Format="XML" NumberType="Int" Dimensions="3 3">{} 0 0 1 1 1 1 {} 3</DataItem>
            <DataItem Format="HDF" NumberType="Float" Precision="8" Dimensions="{} {} 3">{}:{}{}</DataItem>
          </DataItem>
        </Attribute>
)",
          name, body.nodes, frame_, body.nodes, frames_, body.nodes, data_, body.group, name);
  }

  void add_stress(const FlexibleInfo& body, const CellRange& cells) {
    print(R"(        <Attribute Name="stress" AttributeType="Scalar" Center="Cell">
          <DataItem ItemType="HyperSlab" Dimensions="{}">
            <DataItem Format="XML" NumberType="Int" Dimensions="3 2">{} {} 1 1 1 {}</DataItem>
            <DataItem Format="HDF" NumberType="Float" Precision="8" Dimensions="{} {}">{}:{}stress</DataItem>
          </DataItem>
        </Attribute>
)",
          cells.count, frame_, cells.first, cells.count, frames_, cells.all, data_, body.group);
  }

  const std::string& data_;
  std::int64_t frames_, frame_;
  std::string text_;
};

}  // namespace

void write_xdmf(const ResultsReader& results, const std::string& data_path, const XdmfShapes* shapes,
                const std::function<void(const std::string&)>& write) {
  if (results.flexibles().empty() && (shapes == nullptr || shapes->vertices == 0))
    throw ProbeError(
        fmt::format("{} has nothing that XDMF could show{}", results.path(),
                    shapes == nullptr ? "; rigid bodies need a file, not the standard output" : ""));
  if (results.frames() == 0) throw ProbeError(fmt::format("{} has no complete frame yet", results.path()));
  if (data_path.find(':') != data_path.npos)  // it ends the path in XDMF
    throw ProbeError(fmt::format("XDMF cannot refer to '{}': the path has a colon; rename it", data_path));
  const std::string data = xml_escape(data_path);
  const auto times = results.times();
  write(R"(<?xml version="1.0" encoding="UTF-8"?>
<Xdmf Version="3.0">
<Domain>
  <Grid Name="run" GridType="Collection" CollectionType="Temporal">
)");
  for (std::int64_t f = 0; f < results.frames(); ++f) {
    XdmfFrame frame(data, results.frames(), f);
    for (const FlexibleInfo& body : results.flexibles()) frame.add(body);
    const std::string rigid = shapes != nullptr ? xdmf_shape_grids(*shapes, results.frames(), f) : "";
    write(
        fmt::format("    <Grid Name=\"bodies\" GridType=\"Collection\" CollectionType=\"Spatial\">\n"
                    "      <Time Value=\"{}\"/>\n{}{}    </Grid>\n",
                    times[static_cast<std::size_t>(f)], frame.text(), rigid));
  }
  write("  </Grid>\n</Domain>\n</Xdmf>\n");
}

}  // namespace percuss
