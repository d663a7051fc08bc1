#pragma once

#include <functional>
#include <string>

#include "percuss/io/process_limits.h"

namespace percuss {

struct IsolatedWork {
  std::string path;     ///< the file that is worked on, for messages
  std::string library;  ///< what does the work, for messages
  std::string folder;   ///< the process works here, and has no other home
  ProcessLimits limits = {};
};

struct IsolatedAnswer {
  std::string bytes;
  bool is_restricted = false;  ///< the process could start no programs and change no files
};

/// Runs `work` in a process of its own, a copy of this one, and returns what it returns. For libraries that
/// print, keep global state, crash, or run what they find in files: nothing of that reaches this process, the
/// other one has no environment, no open files of this one and the limits of IsolatedWork, and
/// restrict_system_calls() binds it where it can. Throws IoError with what() of an exception of `work`; or,
/// if the process dies, that the file made the library crash.
IsolatedAnswer run_isolated(const IsolatedWork& how, const std::function<std::string()>& work);

}  // namespace percuss
