#include "percuss/io/checkpoint_file.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <type_traits>
#include <utility>

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include "percuss/io/io_error.h"

namespace percuss {
namespace {

static_assert(std::endian::native == std::endian::little, "the file holds little-endian numbers");

constexpr std::string_view magic = "PERCUSSC";
constexpr std::uint32_t format_version = 1;
constexpr size_t header_size = 8 + sizeof(std::uint32_t) + sizeof(std::uint64_t);

/// FNV-1a, 64 bits.
std::uint64_t checksum(std::string_view bytes) {
  std::uint64_t hash = 14695981039346656037u;
  for (const char byte : bytes) hash = (hash ^ static_cast<unsigned char>(byte)) * 1099511628211u;
  return hash;
}

/// Appends what it is called with.
struct Encoder {
  std::string bytes;

  template <class T>
  requires std::is_arithmetic_v<T> || std::is_enum_v<T>
  void operator()(const T& value) { bytes.append(reinterpret_cast<const char*>(&value), sizeof value); }
  template <class Sequence>
  requires requires(Sequence s) { s.size(); }
  void operator()(const Sequence& items) {
    (*this)(static_cast<std::uint64_t>(items.size()));
    for (const auto& item : items) (*this)(item);
  }
  void operator()(const ContactSums& sums);
};

/// Fills what it is called with; throws std::out_of_range where the bytes end too early.
struct Decoder {
  std::string_view bytes;

  template <class T>
  requires std::is_arithmetic_v<T> || std::is_enum_v<T>
  void operator()(T& value) {
    if (bytes.size() < sizeof value) throw std::out_of_range("it ends too early");
    std::array<char, sizeof(T)> raw;
    std::copy_n(bytes.data(), sizeof value, raw.data());
    value = std::bit_cast<T>(raw);
    bytes.remove_prefix(sizeof value);
  }
  template <class Sequence>
  requires requires(Sequence s) { s.size(); }
  void operator()(Sequence& items) {
    std::uint64_t size = 0;
    (*this)(size);
    if (size > bytes.size()) throw std::out_of_range("it ends too early");  // before memory is asked for
    items.resize(size);
    for (auto& item : items) (*this)(item);
  }
  void operator()(ContactSums& sums);
};

/// The payload, listed once for both directions. Ledger columns follow ledger_columns.
template <class Stream, class Sums>
void transfer_sums(Stream& stream, Sums& sums) {
  stream(sums.impulse), stream(sums.interval_impulse), stream(sums.interval_work);
  stream(sums.interval_status);
}
void Encoder::operator()(const ContactSums& sums) { transfer_sums(*this, sums); }
void Decoder::operator()(ContactSums& sums) { transfer_sums(*this, sums); }

template <class Stream, class Statistics>
void transfer_statistics(Stream& stream, Statistics& s) {
  stream(s.steps), stream(s.iterations), stream(s.factorisations), stream(s.impacts);
  stream(s.max_iterations), stream(s.max_active_contacts);
  stream(s.max_residual), stream(s.max_penetration);
}
template <class Stream, class File>
void transfer(Stream& stream, File& file) {
  stream(file.frames), stream(file.contact_rows), stream(file.impacts);
  stream(file.fingerprint);
  auto& state = file.checkpoint.state;
  stream(state.step), stream(state.time), stream(state.q), stream(state.v);
  stream(state.reaction), stream(state.contact_status);
  for (const auto& column : ledger_columns) stream(file.checkpoint.energy.*column.member);
  stream(file.checkpoint.last_step);
  transfer_statistics(stream, file.checkpoint.total);
  transfer_statistics(stream, file.checkpoint.interval);
  stream(file.checkpoint.contacts);
}

/// What the decoder cannot see: numbers that no run can have written.
bool is_sane(const CheckpointFile& file) {
  const Checkpoint& c = file.checkpoint;
  bool sane = file.frames >= 0 && file.contact_rows >= 0 && file.impacts >= 0 && c.state.step >= 0 &&
              c.state.q.size() == c.state.v.size() && c.state.reaction.size() == c.contacts.size() &&
              c.state.contact_status.size() == c.contacts.size();
  for (const ContactStatus status : c.state.contact_status) sane = sane && status <= ContactStatus::impact;
  for (const ContactSums& sums : c.contacts) sane = sane && sums.interval_status <= ContactStatus::impact;
  return sane;
}

std::string encode(const CheckpointFile& file) {
  Encoder payload;
  transfer(payload, file);
  Encoder whole{std::string(magic)};
  whole(format_version);
  whole(static_cast<std::uint64_t>(payload.bytes.size()));
  whole.bytes += payload.bytes;
  whole(checksum(whole.bytes));
  return std::move(whole.bytes);
}

/// An open file that is written and made durable; failures become IoError.
class DurableFile {
 public:
  DurableFile(std::string part, std::string shown_path)
      : part_(std::move(part)), path_(std::move(shown_path)) {
    fd_ = ::open(part_.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    if (fd_ < 0) fail();
  }
  DurableFile(const DurableFile&) = delete;
  DurableFile& operator=(const DurableFile&) = delete;
  ~DurableFile() {
    if (fd_ >= 0) ::close(fd_);
    if (!renamed_) ::unlink(part_.c_str());
  }
  void write(std::string_view bytes) {
    while (!bytes.empty()) {
      const ssize_t written = ::write(fd_, bytes.data(), bytes.size());
      if (written < 0 && errno != EINTR) fail();
      if (written > 0) bytes.remove_prefix(static_cast<size_t>(written));
    }
  }
  void replace_target() {
    if (::fsync(fd_) != 0) fail();
    if (::close(std::exchange(fd_, -1)) != 0) fail();
    if (::rename(part_.c_str(), path_.c_str()) != 0) fail();
    renamed_ = true;
    // Without this the new name itself may be lost with the power. Some file systems cannot do it.
    const auto parent = std::filesystem::path(path_).parent_path();
    const int directory = ::open(parent.empty() ? "." : parent.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (directory < 0) return;
    ::fsync(directory);
    ::close(directory);
  }

 private:
  [[noreturn]] void fail() const {
    const int error = errno;
    throw IoError::cannot("write", path_, std::strerror(error));
  }
  std::string part_, path_;
  int fd_ = -1;
  bool renamed_ = false;
};

std::string read_bytes(const std::string& path) {
  errno = 0;
  try {
    std::ifstream in(path, std::ios::binary);
    if (in.is_open()) return {std::istreambuf_iterator<char>(in), {}};
  } catch (const std::ios_base::failure&) {  // the stream of a directory opens, but cannot be read
  }
  throw IoError::cannot("read", path, std::strerror(errno), "there is no checkpoint to resume from");
}

[[noreturn]] void damaged(const std::string& path, const std::string& reason) {
  throw IoError::cannot("read", path, "the checkpoint is damaged: " + reason, "run without --resume");
}

}  // namespace

void write_checkpoint(const std::string& path, const CheckpointFile& file) {
  const std::string bytes = encode(file);
  DurableFile out(path + ".part", path);
  out.write(bytes);
  out.replace_target();
}

CheckpointFile read_checkpoint(const std::string& path) {
  const std::string bytes = read_bytes(path);
  if (bytes.substr(0, magic.size()) != magic)
    throw IoError::cannot("read", path, "it is not a percuss checkpoint", "run without --resume");
  if (bytes.size() < header_size + sizeof(std::uint64_t)) damaged(path, "it ends too early");
  Decoder header{std::string_view(bytes).substr(magic.size())};
  std::uint32_t version = 0;
  std::uint64_t length = 0, stored_sum = 0;
  header(version);
  header(length);
  const size_t body = bytes.size() - sizeof stored_sum;
  std::memcpy(&stored_sum, bytes.data() + body, sizeof stored_sum);
  const bool intact = checksum(std::string_view(bytes).substr(0, body)) == stored_sum;
  if (version != format_version && intact)
    throw IoError::cannot("read", path,
                          fmt::format("its format version is {}, not {}", version, format_version),
                          "resume it with the version of percuss that wrote it");
  if (length != body - header_size) damaged(path, "its length is wrong");
  if (!intact) damaged(path, "its checksum is wrong");

  CheckpointFile file;
  Decoder payload{std::string_view(bytes).substr(header_size, length)};
  try {
    transfer(payload, file);
  } catch (const std::out_of_range& error) {
    damaged(path, error.what());
  }
  if (!payload.bytes.empty() || !is_sane(file)) damaged(path, "its content makes no sense");
  return file;
}

}  // namespace percuss
