#include "percuss/io/hdf5_pieces.h"

#include <algorithm>
#include <vector>

#include <hdf5.h>
#if H5_VERSION_GE(1, 13, 0)
#include <H5Ddevelop.h>
#endif
#include <zlib.h>

#include "percuss/io/hdf5_library.h"

namespace percuss {
namespace {

constexpr hsize_t largest_piece = 256 << 20;  ///< HDF5 takes the memory of a whole one [bytes]
constexpr hsize_t most_pieces = 4096;

enum class Compression { none, deflate, unknown };

/// The order of bytes may be changed before they are compressed; deflate comes last.
Compression compression_of(const Hdf5Id& creation) {
  const int filters = H5Pget_nfilters(creation.get());
  if (filters == 0) return Compression::none;
  const auto filter = [&](int i) {
    unsigned flags = 0, configuration = 0;
    std::size_t values = 0;
    return H5Pget_filter2(creation.get(), static_cast<unsigned>(i), &flags, &values, nullptr, 0, nullptr,
                          &configuration);
  };
  const bool known = filter(filters - 1) == H5Z_FILTER_DEFLATE &&
                     (filters == 1 || (filters == 2 && filter(0) == H5Z_FILTER_SHUFFLE));
  return known ? Compression::deflate : Compression::unknown;
}

/// Only the oldest index of pieces says how long each is; in the others a piece without compression has the
/// size that it must have.
bool sizes_are_implied(const Hdf5Id& dataset) {
  H5D_chunk_index_t index = H5D_CHUNK_IDX_BTREE;
  return H5Dget_chunk_index_type(dataset.get(), &index) >= 0 && index != H5D_CHUNK_IDX_BTREE;
}

/// Whether `stored` is a complete stream of deflate for exactly `size` bytes.
bool inflates_to(std::vector<Bytef>& stored, hsize_t size) {
  z_stream stream{};
  if (inflateInit(&stream) != Z_OK) return false;
  std::vector<Bytef> part(1 << 16);
  stream.next_in = stored.data();
  stream.avail_in = static_cast<uInt>(stored.size());
  int state = Z_OK;
  hsize_t total = 0;
  while (state == Z_OK && total <= size) {
    stream.next_out = part.data();
    stream.avail_out = static_cast<uInt>(part.size());
    state = inflate(&stream, Z_NO_FLUSH);
    total += part.size() - stream.avail_out;
  }
  inflateEnd(&stream);
  return state == Z_STREAM_END && total == size;
}

class Pieces {
 public:
  explicit Pieces(const Hdf5Id& dataset)
      : dataset_(dataset),
        creation_(H5Dget_create_plist(dataset.get()), H5Pclose),
        space_(H5Dget_space(dataset.get()), H5Sclose) {}

  std::string defect() {
    if (H5Pget_layout(creation_.get()) != H5D_CHUNKED) return {};
    compression_ = compression_of(creation_);
    if (compression_ == Compression::unknown) return "its compression is not known: only deflate is read";
    if (!measure()) return "its pieces are empty or too large";
    if (compression_ == Compression::none && sizes_are_implied(dataset_)) return {};
    return defect_of_stored();
  }

 private:
  /// The size of a piece, and how many there must be.
  bool measure() {
    const Hdf5Id type(H5Dget_type(dataset_.get()), H5Tclose);
    Sizes whole = {0, 1, 1}, piece = {1, 1, 1};
    const int rank = H5Sget_simple_extent_ndims(space_.get());
    if (rank < 1 || rank > 3 || H5Sget_simple_extent_dims(space_.get(), whole.data(), nullptr) != rank ||
        H5Pget_chunk(creation_.get(), rank, piece.data()) != rank)
      return false;
    bytes_ = H5Tget_size(type.get());
    for (std::size_t i = 0; i < piece.size(); ++i) {
      if (piece[i] == 0 || bytes_ > largest_piece / piece[i]) return false;
      bytes_ *= piece[i];
      const hsize_t along = whole[i] / piece[i] + (whole[i] % piece[i] > 0 ? 1 : 0);
      needed_ = along == 0 ? 0 : needed_ > most_pieces / along ? most_pieces + 1 : needed_ * along;
    }
    return true;
  }

  std::string defect_of_stored() {
    if (needed_ > most_pieces) return "it has too many pieces";
    hsize_t count = 0;
    if (H5Dget_num_chunks(dataset_.get(), space_.get(), &count) < 0 || count != needed_)
      return "a piece of it is missing";
    for (hsize_t i = 0; i < count; ++i)
      if (!is_whole(i)) return "a piece of it has another size";
    return {};
  }

  bool is_whole(hsize_t index) {
    Sizes offset = {};
    unsigned skipped = 0;
    haddr_t address = 0;
    hsize_t stored = 0;
    if (H5Dget_chunk_info(dataset_.get(), space_.get(), index, offset.data(), &skipped, &address, &stored) <
            0 ||
        skipped != 0)
      return false;
    if (compression_ == Compression::none) return stored == bytes_;
    if (stored > 2 * bytes_ + 1024) return false;  // deflate adds little to what it cannot compress
    piece_.resize(stored);
    return H5Dread_chunk(dataset_.get(), H5P_DEFAULT, offset.data(), &skipped, piece_.data()) >= 0 &&
           inflates_to(piece_, bytes_);
  }

  const Hdf5Id& dataset_;
  Hdf5Id creation_, space_;
  Compression compression_ = Compression::none;
  hsize_t bytes_ = 0, needed_ = 1;
  std::vector<Bytef> piece_;
};

}  // namespace

std::string defect_of_pieces(const Hdf5Id& dataset) { return Pieces(dataset).defect(); }

}  // namespace percuss
