#include "viewer_pages.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <memory>
#include <optional>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include "http_request.h"
#include "percuss/io/io_error.h"
#include "percuss/io/xml_escape.h"

namespace {

/// The page brings all it needs; it may ask this server alone, no other page may put it into a frame, and its
/// address is told to nobody.
constexpr std::string_view common_headers =
    "Content-Security-Policy: default-src 'none'; script-src 'unsafe-inline' 'wasm-unsafe-eval' blob:; "
    "worker-src blob:; style-src 'unsafe-inline'; img-src data: blob:; connect-src 'self'; base-uri 'none'; "
    "form-action 'none'; frame-ancestors 'none'\r\n"
    "X-Content-Type-Options: nosniff\r\n"
    "Cross-Origin-Resource-Policy: same-origin\r\n"
    "Referrer-Policy: no-referrer\r\n"
    "Cache-Control: no-store\r\n";

/// 128 bits that nobody can guess.
std::string make_token() {
  std::array<unsigned char, 16> bytes{};
  if (getrandom(bytes.data(), bytes.size(), 0) != static_cast<ssize_t>(bytes.size()))
    throw percuss::IoError::cannot("read", "random numbers", std::strerror(errno));
  return fmt::format("{:02x}", fmt::join(bytes, ""));
}

/// Takes the same time wherever the texts differ.
bool is_equal(std::string_view a, std::string_view b) {
  if (a.size() != b.size()) return false;
  unsigned difference = 0;
  for (std::size_t i = 0; i < a.size(); ++i)
    difference |= static_cast<unsigned char>(a[i]) ^ static_cast<unsigned char>(b[i]);
  return difference == 0;
}

/// Tells the page which file it shows.
std::string name_results(std::string page, const std::string& path) {
  const std::string name = std::filesystem::path(path).filename().string();
  const auto place = page.find("<head>");
  if (place != page.npos)
    page.insert(place + 6,
                fmt::format("<meta name=\"percuss-results\" content=\"{}\">", percuss::xml_escape(name)));
  return page;
}

/// The results file, open as long as a request needs it: a run that is resumed replaces it.
class OpenFile {
 public:
  explicit OpenFile(const std::string& path)
      : descriptor_(open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK)) {}
  ~OpenFile() {
    if (descriptor_ >= 0) close(descriptor_);
  }
  OpenFile(const OpenFile&) = delete;
  OpenFile& operator=(const OpenFile&) = delete;

  /// Negative if it cannot be read.
  std::int64_t size() const {
    struct stat status = {};
    const bool is_file = descriptor_ >= 0 && fstat(descriptor_, &status) == 0 && S_ISREG(status.st_mode);
    return is_file ? status.st_size : -1;
  }
  std::size_t read(std::int64_t offset, char* to, std::size_t count) const {
    return static_cast<std::size_t>(std::max<ssize_t>(0, pread(descriptor_, to, count, offset)));
  }

 private:
  int descriptor_;
};

HttpAnswer refusal(int status, std::string_view why, std::string_view more_headers = "") {
  const std::string text = fmt::format("{}\n", why);
  HttpAnswer answer;
  answer.head =
      http_head(status, fmt::format("{}{}Content-Type: text/plain\r\n", common_headers, more_headers),
                std::ssize(text), false) +
      text;
  return answer;
}

/// All of something, or the piece that was asked for.
HttpAnswer piece_of(const HttpRequest& request, std::string_view type, std::int64_t size,
                    HttpAnswer::Fetch fetch) {
  const bool is_head = request.method == "HEAD";
  const auto range = parse_byte_range(is_head ? "" : request.range, size);
  if (!range)
    return refusal(416, "there is no such range", fmt::format("Content-Range: bytes */{}\r\n", size));
  const bool is_part = !is_head && !request.range.empty();
  std::string headers = fmt::format("{}Content-Type: {}\r\nAccept-Ranges: bytes\r\n", common_headers, type);
  if (is_part)
    headers +=
        fmt::format("Content-Range: bytes {}-{}/{}\r\n", range->first, range->first + range->count - 1, size);
  HttpAnswer answer;
  answer.head = http_head(is_part ? 206 : 200, headers, range->count, request.keeps_alive);
  answer.keeps_alive = request.keeps_alive;
  if (is_head) return answer;
  answer.offset = range->first;
  answer.count = range->count;
  answer.fetch = std::move(fetch);
  return answer;
}

}  // namespace

ViewerPages::ViewerPages(std::string page, std::string results, int port)
    : page_(name_results(std::move(page), results)),
      results_(std::move(results)),
      token_(make_token()),
      port_(port) {}

/// Pages of other sites can reach 127.0.0.1 under a name of their own; their Host gives them away.
bool ViewerPages::is_our_host(const std::string& host) const {
  return host == fmt::format("127.0.0.1:{}", port_) || host == fmt::format("localhost:{}", port_);
}
/// Other users of this computer can reach 127.0.0.1 as well.
bool ViewerPages::has_token(const std::string& query) const { return is_equal(query, "token=" + token_); }

HttpAnswer ViewerPages::answer(std::string_view head) const {
  const auto parsed = parse_http_request(head);
  if (const auto* fault = std::get_if<HttpFault>(&parsed)) return refusal(fault->status, fault->why);
  const auto& request = std::get<HttpRequest>(parsed);
  if (!is_our_host(request.host)) return refusal(403, "this server answers only to its own address");
  if (!has_token(request.query))
    return refusal(403, "the token is missing: use the whole address that percuss view has printed");
  if (request.method != "GET" && request.method != "HEAD")
    return refusal(405, "only GET and HEAD", "Allow: GET, HEAD\r\n");
  if (request.has_body) return refusal(413, "requests have no body here");
  if (request.path == "/")
    return piece_of(request, "text/html; charset=utf-8", std::ssize(page_),
                    [this](std::int64_t offset, char* to, std::size_t count) {
                      return page_.copy(to, count, static_cast<std::size_t>(offset));
                    });
  if (request.path != "/results.h5") return refusal(404, "there is no such page");
  const auto file = std::make_shared<OpenFile>(results_);
  if (file->size() < 0) return refusal(404, "the results file is not there any more");
  return piece_of(
      request, "application/x-hdf5", file->size(),
      [file](std::int64_t offset, char* to, std::size_t count) { return file->read(offset, to, count); });
}
