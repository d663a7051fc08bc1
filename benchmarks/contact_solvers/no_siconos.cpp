#include "contender.h"

namespace contact_benchmark {

std::vector<Contender> siconos_contenders() { return {}; }

}  // namespace contact_benchmark
