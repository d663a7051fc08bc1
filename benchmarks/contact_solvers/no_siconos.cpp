#include "contender.h"

namespace contact_benchmark {

std::vector<Contender> siconos_contenders(Reduction) { return {}; }

}  // namespace contact_benchmark
