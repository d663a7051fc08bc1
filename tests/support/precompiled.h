// Headers that are parsed once for all tests; see tests/CMakeLists.txt.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <functional>
#include <map>
#include <random>
#include <string>
#include <vector>

#include <Eigen/Core>
#include <Eigen/Geometry>
#include <Eigen/SparseCore>
#include <gtest/gtest.h>

#include "percuss/io/scene.h"
#include "percuss/simulation/simulation.h"
