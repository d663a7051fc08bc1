#pragma once

namespace percuss {

/// The version of the library, such as "0.1.0".
const char* version();

}  // namespace percuss
