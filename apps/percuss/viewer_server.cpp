#include "viewer_server.h"

#include <array>
#include <chrono>
#include <filesystem>
#include <thread>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

// All of cpp-httplib stays in this file: its header takes long to compile.
#include <httplib.h>

#include "percuss/io/io_error.h"
#include "percuss/io/xml_escape.h"

using percuss::IoError;

namespace {

constexpr size_t max_request_body = 1024;  // none is needed
constexpr size_t thread_count = 16;        // an open connection holds one, and a browser opens six
/// Connections that wait for a thread. cpp-httplib lets five wait, and the kernel drops the others after a
/// minute.
constexpr int waiting_connections = 128;
constexpr size_t piece_size = size_t{1} << 18;
/// The page brings all it needs; it may ask this server alone, and no other page may put it into a frame.
constexpr const char* content_policy =
    "default-src 'none'; script-src 'unsafe-inline' 'wasm-unsafe-eval' blob:; worker-src blob:; style-src "
    "'unsafe-inline'; img-src data: blob:; connect-src 'self'; base-uri 'none'; form-action 'none'; "
    "frame-ancestors 'none'";

void refuse(httplib::Response& response, int status, const char* why) {
  response.status = status;
  response.set_content(std::string(why) + "\n", "text/plain");
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
  explicit OpenFile(const std::string& path) : descriptor_(open(path.c_str(), O_RDONLY | O_CLOEXEC)) {}
  ~OpenFile() {
    if (descriptor_ >= 0) close(descriptor_);
  }
  OpenFile(const OpenFile&) = delete;
  OpenFile& operator=(const OpenFile&) = delete;

  /// Negative if it cannot be read.
  std::int64_t size() const {
    struct stat status = {};
    return descriptor_ >= 0 && fstat(descriptor_, &status) == 0 ? status.st_size : -1;
  }
  bool send(size_t offset, size_t length, httplib::DataSink& sink) const {
    std::array<char, piece_size> piece;
    const ssize_t count =
        pread(descriptor_, piece.data(), std::min(length, piece.size()), static_cast<off_t>(offset));
    return count > 0 && sink.write(piece.data(), static_cast<size_t>(count));
  }

 private:
  int descriptor_;
};

}  // namespace

struct ViewerServer::Implementation {
  httplib::Server server;
  std::string page, results;
  int port = 0;
  socket_t listener = INVALID_SOCKET;

  /// Pages of other sites can reach 127.0.0.1 under a name of their own; their Host gives them away.
  bool is_ours(const httplib::Request& request) const {
    const std::string host = request.get_header_value("Host");
    return request.get_header_value_count("Host") == 1 &&
           (host == fmt::format("127.0.0.1:{}", port) || host == fmt::format("localhost:{}", port));
  }

  using Handled = httplib::Server::HandlerResponse;
  Handled check(const httplib::Request& request, httplib::Response& response) const {
    if (!is_ours(request))
      refuse(response, 403, "this server answers only to its own address");
    else if (request.method != "GET" && request.method != "HEAD")
      refuse(response, 405, "only GET and HEAD");
    else if (request.ranges.size() > 1)
      response.status = 416;  // one at a time; without words, to which the ranges would be applied
    else
      return Handled::Unhandled;
    return Handled::Handled;
  }

  /// In pieces, which cpp-httplib leaves as they are: to compress the page takes it twenty seconds.
  void send_page(httplib::Response& response) const {
    response.set_content_provider(page.size(), "text/html; charset=utf-8",
                                  [this](size_t offset, size_t length, httplib::DataSink& sink) {
                                    return sink.write(page.data() + offset, std::min(length, piece_size));
                                  });
  }

  void send_results(const httplib::Request& request, httplib::Response& response) const {
    const auto file = std::make_shared<OpenFile>(results);
    const std::int64_t size = file->size();
    if (size < 0) return refuse(response, 404, "the results file is not there any more");
    for (const auto& [first, last] : request.ranges)
      if (first >= size || last >= size || (first < 0 ? last <= 0 : last >= 0 && first > last))
        return void(response.status = 416);
    response.set_content_provider(static_cast<size_t>(size), "application/x-hdf5",
                                  [file](size_t offset, size_t length, httplib::DataSink& sink) {
                                    return file->send(offset, length, sink);
                                  });
  }
};

ViewerServer::ViewerServer(std::string page, std::string results)
    : implementation_(std::make_unique<Implementation>()) {
  Implementation& self = *implementation_;
  self.page = name_results(std::move(page), results);
  self.results = std::move(results);
  self.server.new_task_queue = [] { return new httplib::ThreadPool(thread_count); };
  self.server.set_keep_alive_timeout(2);
  self.server.set_payload_max_length(max_request_body);
  self.server.set_read_timeout(5);
  self.server.set_write_timeout(10);
  self.server.set_tcp_nodelay(true);
  self.server.set_default_headers({{"Content-Security-Policy", content_policy},
                                   {"X-Content-Type-Options", "nosniff"},
                                   {"Cross-Origin-Resource-Policy", "same-origin"},
                                   {"Cache-Control", "no-store"}});
  self.server.set_pre_routing_handler(
      [&self](const auto& request, auto& response) { return self.check(request, response); });
  self.server.Get("/", [&self](const auto&, auto& response) { self.send_page(response); });
  self.server.Get("/results.h5",
                  [&self](const auto& request, auto& response) { self.send_results(request, response); });
  self.server.set_socket_options([&self](socket_t socket) { self.listener = socket; });
  self.port = self.server.bind_to_any_port("127.0.0.1");
  if (self.port > 0 && listen(self.listener, waiting_connections) != 0) self.port = 0;
  if (self.port <= 0) throw IoError::cannot("serve", self.results, "there is no free port on 127.0.0.1");
}
ViewerServer::~ViewerServer() = default;

std::string ViewerServer::address() const {
  return fmt::format("http://127.0.0.1:{}/", implementation_->port);
}

void ViewerServer::serve(const std::function<bool()>& should_stop) {
  httplib::Server& server = implementation_->server;
  std::thread watcher([&] {
    while (!should_stop()) std::this_thread::sleep_for(std::chrono::milliseconds(50));
    server.stop();
  });
  server.listen_after_bind();
  watcher.join();
}
