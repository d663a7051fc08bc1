#include <array>
#include <cstring>

#include "matrix/cell.h"
#include "percuss/io/io_error.h"
#include "percuss/io/isolated_process.h"

namespace percuss::matrix {
namespace {

constexpr int limit = 600;  ///< processor time of a cell [s]; all but those that hang need a few
using Numbers = std::array<double, 5>;

std::string packed(const Cell& cell) {
  const Numbers numbers = {static_cast<double>(cell.verdict), cell.error, cell.finer_error, cell.bound,
                           cell.order};
  std::string bytes(sizeof(Numbers), '\0');
  std::memcpy(bytes.data(), numbers.data(), sizeof(Numbers));
  return bytes + cell.message;
}

Cell unpacked(const std::string& bytes) {
  Numbers numbers;
  std::memcpy(numbers.data(), bytes.data(), sizeof(Numbers));
  return {static_cast<Verdict>(static_cast<int>(numbers[0])),
          numbers[1],
          numbers[2],
          numbers[3],
          numbers[4],
          bytes.substr(sizeof(Numbers))};
}

}  // namespace

Cell evaluate_isolated(Reference& reference, const Column& column) {
  const std::string file = scene_file(reference.feature());
  try {
    const IsolatedWork how{
        .path = file, .library = "percuss", .folder = ".", .limits = {.processor_seconds = limit}};
    return unpacked(run_isolated(how, [&] { return packed(evaluate(reference, column)); }).bytes);
  } catch (const IoError& e) {
    Cell cell;
    cell.verdict = Verdict::fails;
    const std::string message = e.what();
    cell.message = message.find("crashed") != message.npos ? "the program crashes" : message;
    return cell;
  }
}

}  // namespace percuss::matrix
