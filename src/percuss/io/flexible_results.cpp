#include "percuss/io/flexible_results.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "percuss/io/flexible_tables.h"
#include "percuss/io/hdf5_reader.h"
#include "percuss/io/io_error.h"

namespace percuss {
namespace {

constexpr std::array recorded_shapes = {CellShape::line2, CellShape::tri3, CellShape::quad4, CellShape::tet4,
                                        CellShape::tet10, CellShape::hex8, CellShape::hex20};

/// Reads one body and checks that its datasets belong together.
class FlexibleReader {
 public:
  FlexibleReader(const Hdf5Reader& file, const std::string& name) : file_(file) {
    info_.name = name;
    info_.group = flexible_group(name);
  }

  FlexibleInfo read(std::int64_t& frames) {
    info_.nodes = shape_of("nodes", 3, 0).rows;
    std::int64_t cells = 0;
    for (const std::string& shape : file_.read_strings(info_.group + "blocks"))
      cells += read_block(shape).cells;
    for (const char* name : {"displacement", "velocity", "contact_force"})
      frames = std::min(frames, shape_of(name, 3 * info_.nodes, 3).rows);
    frames = std::min(frames, shape_of("stress", cells, 0).rows);
    return std::move(info_);
  }

 private:
  const FlexibleInfo::Block& read_block(const std::string& name) {
    const auto* shape =
        std::ranges::find_if(recorded_shapes, [&](CellShape s) { return name_of(s) == name; });
    if (shape == recorded_shapes.end()) damaged("blocks");
    const std::string dataset = fmt::format("cells{}", info_.blocks.size());
    const std::int64_t cells = shape_of(dataset, node_count(*shape), 0).rows;
    return info_.blocks.emplace_back(FlexibleInfo::Block{*shape, info_.group + dataset, cells});
  }

  Hdf5Shape shape_of(const std::string& dataset, std::int64_t width, std::int64_t vector) const {
    const Hdf5Shape shape = file_.shape(info_.group + dataset);
    if (shape.rows < 0 || !shape.is_matrix || shape.width != width || shape.vector != vector)
      damaged(dataset);
    return shape;
  }

  [[noreturn]] void damaged(const std::string& dataset) const {
    throw IoError::cannot("read", file_.path(),
                          fmt::format("the file is damaged ({}{})", info_.group, dataset));
  }

  const Hdf5Reader& file_;
  FlexibleInfo info_;
};

}  // namespace

std::vector<FlexibleInfo> read_flexibles(const Hdf5Reader& file, std::int64_t& frames) {
  std::vector<FlexibleInfo> flexibles;
  if (!file.contains("/flexible")) return flexibles;
  for (const std::string& name : file.members("/flexible"))
    flexibles.push_back(FlexibleReader(file, name).read(frames));
  return flexibles;
}

}  // namespace percuss
