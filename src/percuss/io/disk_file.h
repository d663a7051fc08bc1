#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

namespace percuss {

/// The bytes of a results file or a checkpoint. Opening throws IoError. Later failures are kept instead,
/// because HDF5 stands between this class and those who can do something about them. After a failure nothing
/// is written any more: what is on the disk is then as if the process had been killed at that moment.
class DiskFile {
 public:
  /// A new file under the name `path`.part. The file `path` stays as it is until publish().
  static std::shared_ptr<DiskFile> create(const std::string& path);
  /// For reading. `advice` goes into the message if there is no such file.
  static std::shared_ptr<DiskFile> open(const std::string& path, const std::string& advice = "");
  ~DiskFile();
  DiskFile(const DiskFile&) = delete;
  DiskFile& operator=(const DiskFile&) = delete;

  const std::string& path() const { return path_; }
  bool is_writable() const { return writable_; }
  bool has_failed() const { return error_ != 0; }
  void throw_if_failed() const;  ///< IoError with the path and the reason

  std::int64_t size() const noexcept;
  void resize(std::int64_t size) noexcept;
  void write(std::int64_t address, const char* bytes, std::size_t count) noexcept;
  /// The number of bytes read: fewer at the end of the file or after a failure.
  std::size_t read(std::int64_t address, char* bytes, std::size_t count) noexcept;
  /// Waits until everything is on the disk. A failure, too, if the file is not there any more.
  void sync() noexcept;
  void publish();         ///< gives the new file its name, in one stroke
  void close() noexcept;  ///< a file that was not published disappears

 private:
  explicit DiskFile(const std::string& path) : path_(path) {}
  bool open_part();
  void fail_if(bool failed) noexcept;
  void lose(const char* reason) noexcept;
  void look_for_losses() noexcept;

  std::string path_;    ///< as the user gave it
  std::string target_;  ///< where a link leads
  std::string part_;    ///< temporary name; empty before it is ours and after publish()
  int descriptor_ = -1;
  bool writable_ = false;
  int error_ = 0;                 ///< errno of the first failure
  const char* reason_ = nullptr;  ///< of a failure that is not one of the system
  std::int64_t end_ = 0;          ///< how long the file must be, if nobody else has changed it
};

/// The whole file. Throws IoError if it cannot be read or is empty.
std::string read_whole_file(const std::string& path);

}  // namespace percuss
