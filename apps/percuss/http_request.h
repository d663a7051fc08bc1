#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

// As much of HTTP/1.1 as a page and a file in pieces need: requests without a body, at most one range.

struct HttpRequest {
  std::string method, path, query;
  std::string host;   ///< empty if there is none or more than one
  std::string range;  ///< value of the header Range
  bool has_body = false, keeps_alive = false;
};

/// Why a request was not understood.
struct HttpFault {
  int status = 400;
  std::string_view why;
};

/// Reads the lines of a request up to the empty one.
std::variant<HttpRequest, HttpFault> parse_http_request(std::string_view head);

/// Bytes of something: `first` and how many.
struct ByteRange {
  std::int64_t first = 0, count = 0;
};
/// The one range that `text` (bytes=FIRST-LAST, bytes=FIRST- or bytes=-COUNT) asks of `size` bytes; nothing
/// if there is not all of it, or it asks for several. The whole if the text is empty.
std::optional<ByteRange> parse_byte_range(std::string_view text, std::int64_t size);

/// The beginning of an answer, up to the empty line.
std::string http_head(int status, std::string_view headers, std::int64_t content_length, bool keeps_alive);
