// Headers that are parsed once for all tests; see tests/CMakeLists.txt. Only those of other projects: ccache
// may return what was precompiled for another clone at the same place, in which `#pragma once` of our own
// headers knows other files.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <random>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include <Eigen/Core>
#include <Eigen/Geometry>
#include <Eigen/SparseCore>
#include <fmt/format.h>
#include <gtest/gtest.h>
