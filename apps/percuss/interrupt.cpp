#include "interrupt.h"

#include <atomic>
#include <csignal>

namespace interrupt {
namespace {

std::atomic<int> received = 0;
static_assert(std::atomic<int>::is_always_lock_free, "a signal handler may only touch lock-free atomics");

void on_signal(int signal) {
  received = signal;
  std::signal(signal, SIG_DFL);
}

}  // namespace

void install() {
  std::signal(SIGINT, on_signal);
  std::signal(SIGTERM, on_signal);
}

int received_signal() { return received; }

}  // namespace interrupt
