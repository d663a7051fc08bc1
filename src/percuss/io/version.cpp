#include "percuss/io/version.h"

namespace percuss {

const char* version() { return PERCUSS_VERSION; }

}  // namespace percuss
