#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <new>
#include <system_error>

#include <fcntl.h>
#include <unistd.h>

#include "commands.h"
#include "percuss/io/io_error.h"
#include "percuss/io/scene.h"
#include "percuss/simulation/probe.h"
#include "say.h"

namespace {

/// Whoever closed one of them wants nothing from it. But the next file to be opened would get its number, and
/// every line of progress would go into the results.
void occupy_standard_descriptors() {
  int descriptor = 0;
  do descriptor = open("/dev/null", O_RDWR);
  while (descriptor >= 0 && descriptor <= STDERR_FILENO);
  if (descriptor >= 0) close(descriptor);
}

/// HDF5 tries at the exit to close what it could not close before. Of a file that another program has cut,
/// this crashes.
[[noreturn]] void leave_files_as_they_are(int code) {
  std::fflush(stdout);
  std::_Exit(code);
}

}  // namespace

int main(int argc, char** argv) {
  occupy_standard_descriptors();
  try {
    const int result = parse_and_run(argc, argv);
    if (std::fflush(stdout) != 0) throw std::system_error(errno, std::generic_category());
    return result;
  } catch (const percuss::SceneError& e) {
    for (const auto& fault : e.faults()) say(stderr, "{}\n", fault);
    return exit_code::bad_input;
  } catch (const percuss::ProbeError& e) {
    say(stderr, "error: {}\n", e.what());
    return exit_code::bad_input;
  } catch (const percuss::IoError& e) {
    say(stderr, "error: {}\n", e.what());
    leave_files_as_they_are(exit_code::io);
  } catch (const std::filesystem::filesystem_error& e) {
    say(stderr, "error: {}\n", e.what());
    return exit_code::io;
  } catch (const std::system_error& e) {  // from say() and the flush above
    say(stderr, "error: cannot write to the standard output: {}\n", e.code().message());
    return exit_code::io;
  } catch (const std::bad_alloc&) {
    say(stderr, "error: not enough memory for this model\n");
    return exit_code::io;
  } catch (const std::exception& e) {
    say(stderr, "internal error: {}\nThis is a bug in percuss; please report it with the scene.\n", e.what());
    return exit_code::internal;
  }
}
