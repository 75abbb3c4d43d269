// Writes whole numbers as integers where a double represents them exactly.
#include "shim/cli/query/row_key.h"

#include <cmath>
#include <cstdint>
#include <optional>

#include "lib/base/json/read.h"
#include "lib/base/json/value.h"

namespace logquery::shim {
namespace {

using base::SortedJson;

void MakeNumbersPlain(SortedJson& value) {
  if (value.is_structured()) {
    for (SortedJson& part : value) MakeNumbersPlain(part);
    return;
  }
  if (!value.is_number_float()) return;
  constexpr double kExact = 9'007'199'254'740'992;
  const double number = value.get<double>();
  if (std::trunc(number) == number && std::abs(number) <= kExact) value = static_cast<int64_t>(number);
}

}  // namespace

std::string RowKey(std::string_view row) {
  std::optional<SortedJson> value = base::TryReadSortedJson(row);
  if (!value.has_value()) return std::string(row);
  MakeNumbersPlain(*value);
  return value->ToString();
}

}  // namespace logquery::shim
