#include "fuzz_target.h"
#include "percuss/io/csv.h"
#include "percuss/math/expression.h"

/// A table for an expression, and the same file as columns of results.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace percuss;
  const std::string path = fuzzing::write_input("table.csv", data, size);
  try {
    read_table(path);
  } catch (const ExpressionError&) {
  }
  try {
    read_columns(path);
  } catch (const ExpressionError&) {
  }
  return 0;
}
