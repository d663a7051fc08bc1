#include "percuss/io/checkpoint_file.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <stdexcept>
#include <string_view>
#include <type_traits>

#include <fmt/format.h>

#include "percuss/io/disk_file.h"
#include "percuss/io/io_error.h"

namespace percuss {
namespace {

static_assert(std::endian::native == std::endian::little, "the file holds little-endian numbers");

constexpr std::string_view magic = "PERCUSSC";
constexpr std::uint32_t format_version = 12;
constexpr std::size_t header_size = 8 + sizeof(std::uint32_t) + sizeof(std::uint64_t);
constexpr std::size_t checksum_size = sizeof(std::uint64_t);

/// FNV-1a, 64 bits.
constexpr std::uint64_t checksum_start = 14695981039346656037u;
std::uint64_t checksum(std::string_view bytes, std::uint64_t hash = checksum_start) {
  for (const char byte : bytes) hash = (hash ^ static_cast<unsigned char>(byte)) * 1099511628211u;
  return hash;
}

template <class T>
concept Number = std::is_arithmetic_v<T> || std::is_enum_v<T>;
template <class T>
concept Sequence = requires(T items) {
  items.size();
};

/// The payload, listed once for both directions. Ledger columns follow ledger_columns.
template <class Stream, class Id>
void transfer_id(Stream& stream, Id& id) {
  stream(id.interaction), stream(id.kind), stream(id.a), stream(id.b);
}
template <class Stream, class Entry>
void transfer_entry(Stream& stream, Entry& entry) {
  transfer_id(stream, entry.id);
  stream(entry.row);
}
template <class Stream, class Contact>
void transfer_departed(Stream& stream, Contact& contact) {
  stream(contact.number), stream(contact.gap);
  for (auto* vector : {&contact.point, &contact.normal, &contact.tangent, &contact.velocity})
    for (int axis = 0; axis < 3; ++axis) stream((*vector)[axis]);
}
template <class Stream, class Sums>
void transfer_sums(Stream& stream, Sums& sums) {
  transfer_id(stream, sums.id);
  stream(sums.impulse), stream(sums.interval_work);
  for (auto& part : sums.interval_impulse) stream(part);
  stream(sums.interval_status), stream(sums.interval_impacts), stream(sums.interval_impact_impulse);
}

/// Passes what it is called with on to `put(bytes)`, in pieces of numbers and texts.
template <class Put>
struct Encoder {
  Put put;

  void operator()(const Number auto& value) {
    put(std::string_view(reinterpret_cast<const char*>(&value), sizeof value));
  }
  void operator()(const std::string& text) {
    (*this)(static_cast<std::uint64_t>(text.size()));
    put(text);
  }
  void operator()(const Sequence auto& items) {
    (*this)(static_cast<std::uint64_t>(items.size()));
    for (const auto& item : items) (*this)(item);
  }
  void operator()(const ContactSums& sums) { transfer_sums(*this, sums); }
  void operator()(const ContactState::Entry& entry) { transfer_entry(*this, entry); }
  void operator()(const DepartedContact& contact) { transfer_departed(*this, contact); }
};

template <class Put>
Encoder(Put) -> Encoder<Put>;

/// Writes a file from its beginning to its end with a small buffer, and sums up what it writes: a large model
/// has tens of megabytes, and memory of that size is fetched from the system each time.
class ChecksummedFile {
 public:
  explicit ChecksummedFile(DiskFile& disk) : disk_(disk) { buffer_.reserve(buffer_size); }

  void put(std::string_view bytes) {
    if (buffer_.size() + bytes.size() > buffer_size) write_out();
    if (bytes.size() > buffer_size)
      write(bytes);
    else
      buffer_ += bytes;
  }
  /// Ends the file with the checksum of all before.
  void finish() {
    write_out();
    const std::uint64_t sum = checksum_;
    write(std::string_view(reinterpret_cast<const char*>(&sum), sizeof sum));
  }

 private:
  static constexpr std::size_t buffer_size = 1 << 16;

  void write_out() {
    write(buffer_);
    buffer_.clear();
  }
  void write(std::string_view bytes) {
    disk_.write(size_, bytes.data(), bytes.size());
    size_ += static_cast<std::int64_t>(bytes.size());
    checksum_ = checksum(bytes, checksum_);
  }

  DiskFile& disk_;
  std::string buffer_;
  std::int64_t size_ = 0;
  std::uint64_t checksum_ = checksum_start;
};

/// Fills what it is called with; throws std::out_of_range where the bytes end too early.
struct Decoder {
  std::string_view bytes;

  template <Number T>
  T take() {
    std::array<char, sizeof(T)> raw{};
    if (bytes.size() < raw.size()) throw std::out_of_range("it ends too early");
    bytes.copy(raw.data(), raw.size());
    bytes.remove_prefix(raw.size());
    return std::bit_cast<T>(raw);
  }
  template <Number T>
  void operator()(T& value) {
    value = take<T>();
  }
  void operator()(Sequence auto& items) {
    const auto size = take<std::uint64_t>();
    if (size > bytes.size()) throw std::out_of_range("it ends too early");  // before memory is asked for
    items.resize(size);
    for (auto& item : items) (*this)(item);
  }
  void operator()(ContactSums& sums);
  void operator()(ContactState::Entry& entry);
  void operator()(DepartedContact& contact);
};

void Decoder::operator()(ContactSums& sums) { transfer_sums(*this, sums); }
void Decoder::operator()(ContactState::Entry& entry) { transfer_entry(*this, entry); }
void Decoder::operator()(DepartedContact& contact) { transfer_departed(*this, contact); }

template <class Put>
void transfer_listed(Encoder<Put>& stream, const ContactState& contacts) {
  stream(contacts.entries());
}
void transfer_listed(Decoder& stream, ContactState& contacts) {
  ContactState::Entries entries;
  stream(entries);
  contacts.listed = std::make_shared<const ContactState::Entries>(std::move(entries));
}

template <class Stream, class Statistics>
void transfer_statistics(Stream& stream, Statistics& s) {
  stream(s.steps), stream(s.iterations), stream(s.factorisations), stream(s.impacts);
  stream(s.max_iterations), stream(s.max_active_contacts);
  for (size_t level = 0; level < s.by_level.size(); ++level)
    stream(s.by_level[level]), stream(s.max_by_level[level]);
  stream(s.fallbacks), stream(s.accumulations), stream(s.last_accumulation), stream(s.parts),
      stream(s.impulsive);
  stream(s.max_residual), stream(s.max_displacement), stream(s.max_force_error), stream(s.max_penetration);
  stream(s.smallest_step), stream(s.largest_step);
  stream(s.rejected), stream(s.inaccurate), stream(s.accepted), stream(s.shortened), stream(s.halved),
      stream(s.computed), stream(s.max_error);
}
template <class Stream, class File>
void transfer(Stream& stream, File& file) {
  stream(file.frames), stream(file.contact_rows), stream(file.impacts), stream(file.accepted);
  stream(file.fingerprint);
  auto& state = file.checkpoint.state;
  stream(state.step), stream(state.time), stream(state.last_step);
  stream(state.q), stream(state.v), stream(state.memory);
  stream(state.angles), stream(state.joint_impulse);
  transfer_listed(stream, state.contacts);
  stream(state.contacts.reaction), stream(state.contacts.status);
  stream(state.contacts.memory);
  for (const auto& column : ledger_columns) stream(file.checkpoint.energy.*column.member);
  stream(file.checkpoint.intervals), stream(file.checkpoint.step_start);
  auto& control = file.checkpoint.control;
  stream(control.smooth_step), stream(control.recovery_step), stream(control.speed);
  stream(control.gap_acceleration);
  transfer_statistics(stream, file.checkpoint.total);
  transfer_statistics(stream, file.checkpoint.interval);
  auto& extremes = file.checkpoint.extremes;
  stream(extremes.start_motion), stream(extremes.start_potential), stream(extremes.kinetic),
      stream(extremes.entered);
  stream(extremes.joint_violation), stream(extremes.overlap), transfer_id(stream, extremes.overlapping);
  stream(extremes.fast_steps), transfer_id(stream, extremes.fast_contact), stream(extremes.fast_speed);
  stream(extremes.fast_ratio), stream(extremes.fast_time);
  stream(file.checkpoint.contacts), stream(file.checkpoint.departed), stream(file.checkpoint.peaks);
}

bool all_finite(const auto& numbers) {
  return std::ranges::all_of(numbers, [](double x) { return std::isfinite(x); });
}

/// What the decoder cannot see: numbers that no run can have written.
bool is_sane(const CheckpointFile& file) {
  const Checkpoint& c = file.checkpoint;
  bool sane = file.frames >= 0 && file.contact_rows >= 0 && file.impacts >= 0 && file.accepted >= 0 &&
              c.state.step >= 0 && c.intervals >= 0 && c.state.last_step >= 0 &&
              c.state.q.size() >= c.state.v.size() &&
              c.state.contacts.status.size() == c.state.contacts.entries().size() &&
              std::isfinite(c.state.time) && std::isfinite(c.state.last_step) &&
              std::isfinite(c.step_start) && all_finite(c.state.q) && all_finite(c.state.v) &&
              all_finite(c.state.contacts.reaction);
  sane = sane && std::ranges::is_sorted(c.state.contacts.entries(), {}, &ContactState::Entry::id);
  for (const DepartedContact& contact : c.departed)
    sane = sane && contact.number >= 0 && contact.number < std::ssize(c.contacts);
  for (const ContactStatus status : c.state.contacts.status) sane = sane && status <= ContactStatus::impact;
  for (const ContactSums& sums : c.contacts) sane = sane && sums.interval_status <= ContactStatus::impact;
  return sane;
}

/// What a CheckpointFile has, where it is: texts and vectors of a large model are not copied.
struct CheckpointParts {
  const std::int64_t frames, contact_rows, impacts, accepted;
  const Checkpoint& checkpoint;
  const std::string& fingerprint;
};

std::uint64_t payload_size(const CheckpointParts& file) {
  std::uint64_t size = 0;
  Encoder count{[&](std::string_view bytes) { size += bytes.size(); }};
  transfer(count, file);
  return size;
}

[[noreturn]] void damaged(const std::string& path, const std::string& reason) {
  throw IoError::cannot("read", path, "the checkpoint is damaged: " + reason, "run without --resume");
}

/// Of a file that begins as a checkpoint does; so no other file is read into memory, however large it is.
std::string read_bytes(const std::string& path) {
  const auto disk = DiskFile::open(path, "there is no checkpoint to resume from; run without --resume");
  std::string bytes(magic.size(), '\0');
  disk->read(0, bytes.data(), bytes.size());
  disk->throw_if_failed();
  if (bytes != magic)
    throw IoError::cannot("read", path, "it is not a percuss checkpoint", "run without --resume");
  bytes.resize(static_cast<std::size_t>(disk->size()));
  bytes.resize(disk->read(0, bytes.data(), bytes.size()));
  disk->throw_if_failed();
  return bytes;
}

/// The payload, after the header and the checksum were found right.
std::string_view unwrap(const std::string& path, std::string_view bytes) {
  if (bytes.size() < header_size + checksum_size) damaged(path, "it ends too early");
  const std::string_view summed = bytes.substr(0, bytes.size() - checksum_size);
  Decoder header{summed.substr(magic.size())}, tail{bytes.substr(summed.size())};
  const auto version = header.take<std::uint32_t>();
  const auto length = header.take<std::uint64_t>();
  const bool intact = tail.take<std::uint64_t>() == checksum(summed);
  if (version != format_version && intact)
    throw IoError::cannot("read", path,
                          fmt::format("its format version is {}, not {}", version, format_version),
                          "resume it with the version of percuss that wrote it");
  if (length != header.bytes.size()) damaged(path, "its length is wrong");
  if (!intact) damaged(path, "its checksum is wrong");
  return header.bytes;
}

}  // namespace

void write_checkpoint(const std::string& path, const RowCounts& rows, const Checkpoint& checkpoint,
                      const std::string& fingerprint) {
  const CheckpointParts file{rows.frames,   rows.contact_rows, rows.impacts,
                             rows.accepted, checkpoint,        fingerprint};
  const auto disk = DiskFile::create(path);
  ChecksummedFile out(*disk);
  Encoder encode{[&](std::string_view bytes) { out.put(bytes); }};
  encode.put(magic);
  encode(format_version);
  encode(payload_size(file));
  transfer(encode, file);
  out.finish();
  disk->sync();
  disk->publish();
  disk->throw_if_failed();
}

CheckpointFile read_checkpoint(const std::string& path) {
  const std::string bytes = read_bytes(path);
  Decoder payload{unwrap(path, bytes)};
  CheckpointFile file;
  try {
    transfer(payload, file);
  } catch (const std::out_of_range& error) {
    damaged(path, error.what());
  }
  if (!payload.bytes.empty() || !is_sane(file)) damaged(path, "its content makes no sense");
  return file;
}

}  // namespace percuss
