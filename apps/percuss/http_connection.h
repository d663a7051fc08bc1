#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

/// What is sent to a request: a head, and bytes that are fetched as they are needed.
struct HttpAnswer {
  /// Copies at most `count` bytes from `offset` on to `to`; returns how many, 0 if there are no more.
  using Fetch = std::function<std::size_t(std::int64_t offset, char* to, std::size_t count)>;
  std::string head;
  Fetch fetch;  ///< none: nothing but the head
  std::int64_t offset = 0, count = 0;
  bool keeps_alive = false;
};

/// One client. It never waits: what cannot be read or written now is left for later.
class HttpConnection {
 public:
  using Clock = std::chrono::steady_clock;
  using Handler = std::function<HttpAnswer(std::string_view head)>;
  /// Takes over the socket.
  explicit HttpConnection(int socket);
  ~HttpConnection();
  HttpConnection(const HttpConnection&) = delete;
  HttpConnection& operator=(const HttpConnection&) = delete;

  int socket() const { return socket_; }
  bool is_answering() const { return is_answering_; }
  Clock::time_point since() const { return since_; }  ///< of the last answer, or of progress with this one
  /// Nobody has the right to hold a connection for long without a request, or without taking the answer.
  bool is_late(Clock::time_point now) const;

  /// What poll() has announced. False if the connection is to be closed.
  bool receive(const Handler& handler);
  bool send(const Handler& handler);

 private:
  bool answer_next(const Handler& handler);
  bool refill();
  bool finish(const Handler& handler);

  int socket_;
  Clock::time_point since_ = Clock::now();
  bool is_answering_ = false;
  bool is_ending_ = false;  ///< all is sent; whatever still comes is thrown away until the client closes
  std::string input_;
  HttpAnswer answer_;
  std::string piece_;  ///< to be sent next
  std::size_t sent_ = 0;
};
