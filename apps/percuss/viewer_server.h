#pragma once

#include <functional>
#include <memory>
#include <string>

/// Shows one results file to browsers on this computer: nothing but the page, and the file in pieces, and
/// only to those who know the address with its token.
class ViewerServer {
 public:
  /// Listens on 127.0.0.1, on a free port. Throws IoError if there is none.
  ViewerServer(std::string page, std::string results);
  ~ViewerServer();
  ViewerServer(const ViewerServer&) = delete;
  ViewerServer& operator=(const ViewerServer&) = delete;

  std::string address() const;  ///< http://127.0.0.1:PORT/?token=TOKEN
  /// Answers requests until `should_stop` says so.
  void serve(const std::function<bool()>& should_stop);

 private:
  struct Implementation;
  std::unique_ptr<Implementation> implementation_;
};
