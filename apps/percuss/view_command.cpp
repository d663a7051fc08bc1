#include <cstdlib>

#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>

#include "commands.h"
#include "interrupt.h"
#include "percuss/io/results_reader.h"
#include "say.h"
#include "viewer_bundle.h"
#include "viewer_server.h"

namespace {

/// In a grandchild, so that nobody waits for the browser. Whether there is one is not our business: the
/// address is printed.
void open_browser(const std::string& address) {
  const pid_t child = fork();
  if (child == 0) {
    if (fork() == 0) {
      setsid();
      execlp("xdg-open", "xdg-open", address.c_str(), static_cast<char*>(nullptr));
      _exit(127);
    }
    _exit(0);
  }
  if (child > 0) waitpid(child, nullptr, 0);
}

}  // namespace

void view_command(const ViewOptions& options) {
  { const percuss::ResultsReader check(options.file); }  // says what is wrong before a browser opens
  ViewerServer server(read_viewer_page(), options.file);
  interrupt::install();
  say("{}: {}\nCtrl-C ends it.\n", options.file, server.address());
  std::fflush(stdout);
  if (!options.no_browser) open_browser(server.address());
  server.serve([] { return interrupt::received_signal() != 0; });
  say("\n");
}
