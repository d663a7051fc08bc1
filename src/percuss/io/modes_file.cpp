#include "percuss/io/modes_file.h"

#include <fmt/format.h>

#include "percuss/io/hdf5_writer.h"
#include "percuss/io/io_error.h"
#include "percuss/io/xdmf.h"
#include "percuss/io/xml_escape.h"

namespace percuss {
namespace {

std::vector<double> flat(const std::vector<Vector3>& vectors) {
  std::vector<double> numbers;
  for (const Vector3& vector : vectors) numbers.insert(numbers.end(), vector.begin(), vector.end());
  return numbers;
}

std::string shape_name(size_t mode) { return fmt::format("/modes/shape{}", mode + 1); }
std::string cells_name(size_t block) { return fmt::format("/mesh/cells{}", block); }

}  // namespace

void write_modes(const std::string& path, const std::string& body, const BodyModes& modes) {
  const auto file = Hdf5Writer::create(path);
  file->attach("/", "percuss_modes", std::int64_t{1});
  file->make_string("/body", body);
  file->make_group("/mesh");
  file->make_matrix("/mesh/nodes", flat(modes.mesh->nodes), 3);
  file->attach("/mesh/nodes", "unit", std::string("m"));
  std::vector<std::string> shapes;
  for (const CellBlock& block : modes.mesh->blocks) {
    file->make_matrix(cells_name(shapes.size()),
                      std::vector<std::int32_t>(block.nodes.begin(), block.nodes.end()),
                      node_count(block.shape));
    shapes.emplace_back(name_of(block.shape));
  }
  file->make_strings("/mesh/blocks", shapes);
  file->make_group("/modes");
  std::vector<double> frequency, modal_mass;
  std::vector<Vector3> effective_mass;
  std::vector<std::int32_t> is_rigid;
  for (size_t k = 0; k < modes.modes.size(); ++k) {
    const BodyMode& mode = modes.modes[k];
    frequency.push_back(mode.frequency());
    modal_mass.push_back(mode.modal_mass);
    effective_mass.push_back(mode.effective_mass);
    is_rigid.push_back(mode.is_rigid);
    file->make_matrix(shape_name(k), flat(mode.shape), 3);
  }
  file->make("/modes/frequency", frequency);
  file->attach("/modes/frequency", "unit", std::string("Hz"));
  file->make("/modes/modal_mass", modal_mass);
  file->attach("/modes/modal_mass", "unit", std::string("kg"));
  file->make_matrix("/modes/effective_mass", flat(effective_mass), 3);
  file->make("/modes/is_rigid", is_rigid);
  file->close();
  file->publish();
}

void write_modes_xdmf(const std::string& body, const BodyModes& modes, const std::string& data_path,
                      const std::function<void(const std::string&)>& write) {
  if (data_path.find(':') != data_path.npos)  // it ends the path in XDMF
    throw IoError(data_path,
                  fmt::format("XDMF cannot refer to '{}': the path has a colon; rename it", data_path));
  const std::string data = xml_escape(data_path);
  const size_t nodes = modes.mesh->nodes.size();
  write(R"(<?xml version="1.0" encoding="UTF-8"?>
<Xdmf Version="3.0">
<Domain>
  <Grid Name="modes" GridType="Collection" CollectionType="Temporal">
)");
  for (size_t k = 0; k < modes.modes.size(); ++k) {
    write(fmt::format(R"(    <Grid Name="mode {} at {:.6g} Hz" GridType="Collection" CollectionType="Spatial">
      <Time Value="{}"/>
)",
                      k + 1, modes.modes[k].frequency(), k + 1));
    for (size_t b = 0; b < modes.mesh->blocks.size(); ++b) {
      const CellBlock& block = modes.mesh->blocks[b];
      const int corners = node_count(block.shape);
      write(fmt::format(R"(      <Grid Name="{}{}" GridType="Uniform">
        <Topology TopologyType="{}" NumberOfElements="{}" NodesPerElement="{}">
          <DataItem Format="HDF" NumberType="Int" Precision="4" Dimensions="{} {}">{}:{}</DataItem>
        </Topology>
        <Geometry GeometryType="XYZ">
          <DataItem Format="HDF" NumberType="Float" Precision="8" Dimensions="{} 3">{}:/mesh/nodes</DataItem>
        </Geometry>
        <Attribute Name="shape" AttributeType="Vector" Center="Node">
          <DataItem Format="HDF" NumberType="Float" Precision="8" Dimensions="{} 3">{}:{}</DataItem>
        </Attribute>
      </Grid>
)",
                        xml_escape(body),
                        modes.mesh->blocks.size() > 1 ? fmt::format(".{}", name_of(block.shape)) : "",
                        xdmf_topology(block.shape), block.count(), corners, block.count(), corners, data,
                        cells_name(b), nodes, data, nodes, data, shape_name(k)));
    }
    write("    </Grid>\n");
  }
  write("  </Grid>\n</Domain>\n</Xdmf>\n");
}

}  // namespace percuss
