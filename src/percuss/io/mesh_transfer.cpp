#include "percuss/io/mesh_transfer.h"

#include <cstring>
#include <utility>

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
};

struct MeshUnpacker {
  const char* next;

  void take_bytes(void* data, std::size_t count) {
    std::memcpy(data, next, count);
    next += count;
  }
  template <class Values>
  void operator()(Values& values) {
    std::size_t count = 0;
    take_bytes(&count, sizeof count);
    values.resize(count);
    if (count > 0) take_bytes(static_cast<void*>(values.data()), count * sizeof(values[0]));
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
    sets->resize(size[0]);  // changes nothing when packing
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
  MeshUnpacker unpacker{bytes.data()};
  transfer_parts(unpacker, description);
  return description;
}

}  // namespace percuss
