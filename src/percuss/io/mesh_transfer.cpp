#include "percuss/io/mesh_transfer.h"

#include <cstring>
#include <string_view>
#include <utility>

#include "percuss/io/io_error.h"

namespace percuss {
namespace {

struct MeshPacker {
  std::string bytes;

  void add_bytes(const void* data, std::size_t count) { bytes.append(static_cast<const char*>(data), count); }
  template <class Values>
  void operator()(Values& values) {
    const std::size_t count = values.size();
    add_bytes(&count, sizeof count);
    if (count > 0) add_bytes(values.data(), count * sizeof(values[0]));
  }
  static std::size_t set_count(std::size_t count) { return count; }
};

/// Believes nothing: a damaged file may have damaged the process that packed.
struct MeshUnpacker {
  std::string_view rest;
  const std::string& path;

  void take_bytes(void* data, std::size_t count) {
    std::memcpy(data, rest.data(), count);
    rest.remove_prefix(count);
  }
  void require(std::size_t count, std::size_t size) const {
    if (count > rest.size() / size)
      throw IoError::cannot("read", path, "the process that read it was damaged by it");
  }
  template <class Values>
  void operator()(Values& values) {
    std::size_t count = 0;
    require(1, sizeof count);
    take_bytes(&count, sizeof count);
    require(count, sizeof(values[0]));
    values.resize(count);
    if (count > 0) take_bytes(static_cast<void*>(values.data()), count * sizeof(values[0]));
  }
  std::size_t set_count(std::size_t count) const {
    require(count, 2 * sizeof(std::size_t));  // each has a name and members
    return count;
  }
};

/// The parts of a description in the order of the bytes.
template <class Transfer>
void transfer_parts(Transfer& transfer, MeshDescription& description) {
  transfer(description.nodes.names);
  transfer(description.nodes.points);
  for (auto& elements : description.elements) {
    transfer(elements.names);
    transfer(elements.nodes);
  }
  for (auto* sets : {&description.node_sets, &description.element_sets}) {
    std::vector<std::size_t> size = {sets->size()};
    transfer(size);
    sets->resize(transfer.set_count(size.empty() ? 0 : size[0]));  // changes nothing when packing
    for (auto& set : *sets) {
      transfer(set.name);
      transfer(set.members);
    }
  }
}

}  // namespace

std::string pack_mesh(MeshDescription& description) {
  MeshPacker packer;
  transfer_parts(packer, description);
  return std::move(packer.bytes);
}

MeshDescription unpack_mesh(const std::string& bytes, const std::string& path) {
  MeshDescription description;
  description.path = path;
  MeshUnpacker unpacker{bytes, path};
  transfer_parts(unpacker, description);
  return description;
}

}  // namespace percuss
