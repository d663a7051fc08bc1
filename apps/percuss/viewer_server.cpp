#include "viewer_server.h"

#include <algorithm>
#include <cerrno>
#include <list>
#include <vector>

#include <fmt/format.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>

#include "http_connection.h"
#include "loopback_listener.h"
#include "percuss/io/io_error.h"
#include "viewer_pages.h"

using percuss::IoError;

// One thread and no waiting for anybody: a client that says nothing, or slowly, costs a place in a list. When
// all places are taken, the client that has made no progress for longest gives way to a new one.

namespace {

constexpr std::size_t most_connections = 128;
/// In a round: few enough that a client who takes an answer makes progress before a crowd has taken all
/// places.
constexpr int most_accepted = 16;
constexpr int poll_interval = 100;  ///< ms

}  // namespace

struct ViewerServer::Implementation {
  LoopbackListener listener;
  ViewerPages pages;
  std::list<HttpConnection> connections;

  Implementation(std::string page, const std::string& results)
      : pages(std::move(page), results, listener.port()) {
    if (listener.port() == 0) throw IoError::cannot("serve", results, "there is no free port on 127.0.0.1");
  }

  /// A request that is not complete is no progress, and an answer that nobody takes is none.
  void drop_slowest() {
    const auto slowest =
        std::ranges::min_element(connections, {}, [](const HttpConnection& c) { return c.since(); });
    if (slowest != connections.end()) connections.erase(slowest);
  }

  void accept_all() {
    for (int i = 0; i < most_accepted; ++i) {
      const int socket = accept4(listener.socket(), nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK);
      if (socket < 0 && errno == EMFILE && !connections.empty()) {
        drop_slowest();  // the next try has a descriptor
        continue;
      }
      if (socket < 0) return;
      const int at_once = 1;
      setsockopt(socket, IPPROTO_TCP, TCP_NODELAY, &at_once, sizeof at_once);
      connections.emplace_back(socket);
      if (connections.size() > most_connections) drop_slowest();
    }
  }

  /// One round: everybody who can go on does so by one piece.
  void serve_once() {
    std::vector<pollfd> entries = {{listener.socket(), POLLIN, 0}};
    for (const auto& connection : connections)
      entries.push_back(
          {connection.socket(), static_cast<short>(connection.is_answering() ? POLLOUT : POLLIN), 0});
    if (poll(entries.data(), entries.size(), poll_interval) < 0) return;
    const auto handler = [this](std::string_view head) { return pages.answer(head); };
    const auto now = HttpConnection::Clock::now();
    auto entry = entries.begin() + 1;
    std::erase_if(connections, [&](HttpConnection& connection) {
      const bool is_ready = (entry++)->revents != 0;
      if (!is_ready) return connection.is_late(now);
      return !(connection.is_answering() ? connection.send(handler) : connection.receive(handler));
    });
    if (entries.front().revents != 0) accept_all();
  }
};

ViewerServer::ViewerServer(std::string page, std::string results)
    : implementation_(std::make_unique<Implementation>(std::move(page), results)) {}
ViewerServer::~ViewerServer() = default;

std::string ViewerServer::address() const {
  return fmt::format("http://127.0.0.1:{}/?token={}", implementation_->listener.port(),
                     implementation_->pages.token());
}

void ViewerServer::serve(const std::function<bool()>& should_stop) {
  while (!should_stop()) implementation_->serve_once();
}
