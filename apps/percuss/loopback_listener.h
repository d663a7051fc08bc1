#pragma once

/// A socket on a free port of 127.0.0.1, which other computers cannot reach.
class LoopbackListener {
 public:
  static constexpr int waiting_connections = 128;  ///< of which the kernel knows and we do not yet
  LoopbackListener();
  ~LoopbackListener();
  LoopbackListener(const LoopbackListener&) = delete;
  LoopbackListener& operator=(const LoopbackListener&) = delete;

  int socket() const { return socket_; }  ///< never waits
  int port() const { return port_; }      ///< 0 if there is none

 private:
  int socket_, port_ = 0;
};
