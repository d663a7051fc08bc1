#include "http_request.h"

#include <algorithm>
#include <charconv>

#include <fmt/format.h>

namespace {

constexpr int most_headers = 100;

/// Takes the text up to `mark` away from `rest`.
std::optional<std::string_view> take_until(std::string_view& rest, std::string_view mark) {
  const auto end = rest.find(mark);
  if (end == rest.npos) return std::nullopt;
  const auto taken = rest.substr(0, end);
  rest.remove_prefix(end + mark.size());
  return taken;
}

std::string_view without_blanks(std::string_view text) {
  const auto first = text.find_first_not_of(" \t");
  return first == text.npos ? "" : text.substr(first, text.find_last_not_of(" \t") - first + 1);
}

bool is_same_word(std::string_view a, std::string_view b) {
  const auto lower = [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; };
  return std::ranges::equal(a, b, {}, lower, lower);
}

bool read_request_line(std::string_view line, HttpRequest& request) {
  const auto method = take_until(line, " "), target = take_until(line, " ");
  if (!method || !target || !target->starts_with('/') || (line != "HTTP/1.1" && line != "HTTP/1.0"))
    return false;
  const auto question = target->find('?');
  request.method = *method;
  request.path = target->substr(0, question);
  request.query = question == target->npos ? "" : target->substr(question + 1);
  request.keeps_alive = line == "HTTP/1.1";
  return true;
}

/// What the headers say that matters to us.
class HeaderReader {
 public:
  explicit HeaderReader(HttpRequest& request) : request_(request) {}

  /// False if the line is no header.
  bool read(std::string_view line) {
    const auto name = take_until(line, ":");
    if (!name || name->empty() || name->find_first_of(" \t") != name->npos) return false;
    const auto value = without_blanks(line);
    if (is_same_word(*name, "host")) {
      request_.host = ++hosts_ == 1 ? value : "";
    } else if (is_same_word(*name, "range")) {
      if (++ranges_ > 1) return false;
      request_.range = value;
    } else if (is_same_word(*name, "connection")) {
      if (is_same_word(value, "close")) request_.keeps_alive = false;
    } else if (is_same_word(*name, "transfer-encoding")) {
      request_.has_body = true;
    } else if (is_same_word(*name, "content-length")) {
      request_.has_body = request_.has_body || value != "0";
    }
    return true;
  }

 private:
  HttpRequest& request_;
  int hosts_ = 0, ranges_ = 0;
};

std::optional<std::int64_t> whole_number(std::string_view text) {
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (text.empty() || text[0] == '-' || error != std::errc{} || end != text.data() + text.size())
    return std::nullopt;
  return value;
}

std::string_view reason_of(int status) {
  switch (status) {
    case 200: return "OK";
    case 206: return "Partial Content";
    case 403: return "Forbidden";
    case 404: return "Not Found";
    case 405: return "Method Not Allowed";
    case 413: return "Content Too Large";
    case 416: return "Range Not Satisfiable";
    case 431: return "Request Header Fields Too Large";
    default: return "Bad Request";
  }
}

}  // namespace

std::variant<HttpRequest, HttpFault> parse_http_request(std::string_view head) {
  HttpRequest request;
  const auto first = take_until(head, "\r\n");
  if (!first || !read_request_line(*first, request)) return HttpFault{400, "this is no request"};
  HeaderReader headers(request);
  for (int count = 0; auto line = take_until(head, "\r\n"); ++count) {
    if (line->empty()) break;
    if (count == most_headers) return HttpFault{431, "too many headers"};
    if (!headers.read(*line)) return HttpFault{400, "this is no header"};
  }
  if (request.has_body) request.keeps_alive = false;  // what follows is not the next request
  return request;
}

std::optional<ByteRange> parse_byte_range(std::string_view text, std::int64_t size) {
  if (text.empty()) return ByteRange{0, size};
  constexpr std::string_view unit = "bytes=";
  if (!text.starts_with(unit)) return std::nullopt;
  text.remove_prefix(unit.size());
  const auto before = take_until(text, "-");
  if (!before) return std::nullopt;
  if (before->empty()) {
    const auto count = whole_number(text);
    if (!count || *count == 0 || *count > size) return std::nullopt;
    return ByteRange{size - *count, *count};
  }
  const auto first = whole_number(*before);
  const auto last = text.empty() ? std::optional(size - 1) : whole_number(text);
  if (!first || !last || *first > *last || *last >= size) return std::nullopt;
  return ByteRange{*first, *last - *first + 1};
}

std::string http_head(int status, std::string_view headers, std::int64_t content_length, bool keeps_alive) {
  return fmt::format("HTTP/1.1 {} {}\r\n{}Content-Length: {}\r\nConnection: {}\r\n\r\n", status,
                     reason_of(status), headers, content_length, keeps_alive ? "keep-alive" : "close");
}
