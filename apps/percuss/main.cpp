#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <new>
#include <system_error>

#include <fmt/format.h>

#include "commands.h"
#include "percuss/io/io_error.h"
#include "percuss/io/scene.h"
#include "percuss/simulation/probe.h"

int main(int argc, char** argv) {
  try {
    const int result = parse_and_run(argc, argv);
    if (std::fflush(stdout) != 0) throw std::system_error(errno, std::generic_category());
    return result;
  } catch (const percuss::SceneError& e) {
    for (const auto& fault : e.faults()) fmt::print(stderr, "{}\n", fault);
    return exit_code::bad_input;
  } catch (const percuss::ProbeError& e) {
    fmt::print(stderr, "error: {}\n", e.what());
    return exit_code::bad_input;
  } catch (const percuss::IoError& e) {
    fmt::print(stderr, "error: {}\n", e.what());
    return exit_code::io;
  } catch (const std::filesystem::filesystem_error& e) {
    fmt::print(stderr, "error: {}\n", e.what());
    return exit_code::io;
  } catch (const std::system_error& e) {  // from fmt::print and the flush above
    fmt::print(stderr, "error: cannot write to the standard output: {}\n", e.code().message());
    return exit_code::io;
  } catch (const std::bad_alloc&) {
    fmt::print(stderr, "error: not enough memory for this model\n");
    return exit_code::io;
  } catch (const std::exception& e) {
    fmt::print(stderr, "internal error: {}\nThis is a bug in percuss; please report it with the scene.\n",
               e.what());
    return exit_code::internal;
  }
}
