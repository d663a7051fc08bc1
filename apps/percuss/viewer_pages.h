#pragma once

#include <string>
#include <string_view>

#include "http_connection.h"

/// What `percuss view` answers: who may ask, for what, and what is sent.
class ViewerPages {
 public:
  ViewerPages(std::string page, std::string results, int port);

  const std::string& token() const { return token_; }
  HttpAnswer answer(std::string_view head) const;

 private:
  bool is_our_host(const std::string& host) const;
  bool has_token(const std::string& query) const;

  std::string page_, results_, token_;
  int port_;
};
