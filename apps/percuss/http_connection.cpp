#include "http_connection.h"

#include <algorithm>
#include <array>
#include <cerrno>

#include <sys/socket.h>
#include <unistd.h>

#include "http_request.h"

namespace {

constexpr std::size_t longest_head = 16384;
constexpr std::size_t longest_piece = std::size_t{1} << 18;
constexpr auto head_limit = std::chrono::seconds(10);  ///< until a request is there
constexpr auto ending_limit = std::chrono::seconds(2);
constexpr auto answer_limit = std::chrono::seconds(20);  ///< without any progress
constexpr std::string_view end_of_head = "\r\n\r\n";

bool would_wait() { return errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR; }

}  // namespace

HttpConnection::HttpConnection(int socket) : socket_(socket) {}
HttpConnection::~HttpConnection() { close(socket_); }

bool HttpConnection::is_late(Clock::time_point now) const {
  return now - since_ > (is_ending_ ? ending_limit : is_answering_ ? answer_limit : head_limit);
}

bool HttpConnection::receive(const Handler& handler) {
  std::array<char, 4096> buffer;
  const ssize_t count = recv(socket_, buffer.data(), buffer.size(), MSG_DONTWAIT);
  if (count < 0) return would_wait();
  if (count == 0) return false;
  if (is_ending_) return true;
  input_.append(buffer.data(), static_cast<std::size_t>(count));
  return answer_next(handler);
}

/// Begins with the next request, if all of it is there.
bool HttpConnection::answer_next(const Handler& handler) {
  const auto end = input_.find(end_of_head);
  if (end == input_.npos && input_.size() <= longest_head) return true;
  const bool is_too_long = std::min(end, input_.size()) > longest_head;
  if (is_too_long) {
    answer_ = {};
    piece_ = http_head(431, "", 0, false);
  } else {
    answer_ = handler(std::string_view(input_).substr(0, end + end_of_head.size()));
    input_.erase(0, end + end_of_head.size());
    piece_ = std::move(answer_.head);
  }
  sent_ = 0;
  is_answering_ = true;
  since_ = Clock::now();
  return send(handler);
}

/// False if a piece that was promised is not there: a file became shorter.
bool HttpConnection::refill() {
  piece_.resize(static_cast<std::size_t>(std::min<std::int64_t>(answer_.count, longest_piece)));
  const std::size_t got = answer_.fetch(answer_.offset, piece_.data(), piece_.size());
  piece_.resize(got);
  sent_ = 0;
  answer_.offset += static_cast<std::int64_t>(got);
  answer_.count -= static_cast<std::int64_t>(got);
  return got > 0;
}

bool HttpConnection::send(const Handler& handler) {
  if (sent_ == piece_.size() && answer_.count > 0 && !refill()) return false;
  const ssize_t count =
      ::send(socket_, piece_.data() + sent_, piece_.size() - sent_, MSG_DONTWAIT | MSG_NOSIGNAL);
  if (count < 0) return would_wait();
  sent_ += static_cast<std::size_t>(count);
  since_ = Clock::now();
  return sent_ < piece_.size() || answer_.count > 0 || finish(handler);
}

/// Goes on with the next request, or ends. A socket that is closed with something unread takes the answer
/// away from a client that has not seen it yet.
bool HttpConnection::finish(const Handler& handler) {
  is_answering_ = false;
  piece_.clear();
  sent_ = 0;
  if (answer_.keeps_alive) return answer_next(handler);
  is_ending_ = true;
  input_.clear();
  return shutdown(socket_, SHUT_WR) == 0;
}
