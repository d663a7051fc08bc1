#pragma once

#include <functional>
#include <string>

namespace percuss {

/// Runs `work` in a process of its own, a copy of this one, and returns what it returns. For libraries that
/// print, keep global state or crash: nothing of that reaches this process. Throws IoError with what() of an
/// exception of `work`; or, if the process dies, that `path` made `library` crash. A process that has used
/// more processor time than `limit` [s, rounded up] is ended: some damaged files keep a library busy for
/// ever.
std::string run_isolated(const std::string& path, const std::string& library, int limit,
                         const std::function<std::string()>& work);

}  // namespace percuss
