// APPROX_TOP_SUM on the lists of an aggregate's values and weights: sums by value, the greatest first; and the counts of values in
// a list, for APPROX_TOP_COUNT.
//
// Source: GoogleSQL's "APPROX_TOP_SUM". NULL is a value of its own; NULL weights add nothing, and a sum of only NULL
// weights is NULL; negative weights are errors. The sums are exact.
#include <algorithm>
#include <charconv>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/numeric/int128.h"
#include "absl/strings/numbers.h"
#include "lib/base/big_integer.h"
#include "lib/base/status_macros.h"
#include "lib/base/strings.h"
#include "lib/functions/function.h"
#include "lib/functions/function_lists.h"
#include "lib/model/big_numeric.h"
#include "lib/model/decimal_text.h"

namespace logquery::functions {
namespace {

using base::StrCat;

// 10^38, the first integer that a NUMERIC's 38 digits don't hold.
constexpr absl::int128 kDecimalEnd = absl::MakeInt128(0x4B3B4CA85A86C47A, 0x098A224000000000);

absl::Status SumOutOfRange(std::string_view type) {
  return absl::OutOfRangeError(StrCat("APPROX_TOP_SUM: a sum is out of the range of ", type));
}

absl::Status NoWeight(std::string_view weight) {
  return absl::OutOfRangeError(StrCat("APPROX_TOP_SUM: a weight can't be negative or NaN, as ", weight, " is"));
}

absl::Status NoNumber(std::string_view weight) {
  return absl::InternalError(StrCat("APPROX_TOP_SUM: no number: ", weight));
}

// An INT64, or a NUMERIC with its places, as an integer of units.
absl::Status Add(std::string_view weight, int places, absl::int128& sum) {
  if (weight.starts_with('-')) return NoWeight(weight);
  const std::optional<Int128> units = model::ParseDecimal(weight, places);
  if (!units) return NoNumber(weight);
  const absl::int128 more = absl::MakeInt128(units->upper, units->lower);
  if (sum >= kDecimalEnd - more) return SumOutOfRange("NUMERIC");
  sum += more;
  return absl::OkStatus();
}

absl::Status Add(std::string_view weight, int /*places*/, double& sum) {
  double number = 0;
  if (!absl::SimpleAtod(base::ToAbsl(weight), &number)) return NoNumber(weight);
  if (!(number >= 0)) return NoWeight(weight);
  sum += number;
  return absl::OkStatus();
}

absl::Status Add(std::string_view weight, int places, base::BigInteger& sum) {
  if (weight.starts_with('-')) return NoWeight(weight);
  const std::optional<base::BigInteger> units = model::ParseScaled(weight, places, model::ExtraDigits::kRefused);
  if (!units) return NoNumber(weight);
  sum += *units;
  return absl::OkStatus();
}

absl::StatusOr<std::string> TextOf(const base::BigInteger& sum, int /*places*/) {
  if (!model::PackBigNumeric(sum).has_value()) return SumOutOfRange("BIGNUMERIC");
  std::string digits;
  model::AppendBigNumeric(sum, digits);
  return digits;
}

absl::StatusOr<std::string> TextOf(absl::int128 sum, int places) {
  if (places == 0 && sum > std::numeric_limits<int64_t>::max()) return SumOutOfRange("INT64");
  std::string digits;
  model::AppendDecimal(Int128{absl::Int128Low64(sum), absl::Int128High64(sum)}, places, digits);
  return digits;
}

absl::StatusOr<std::string> TextOf(double sum, int /*places*/) {
  char digits[32];
  const auto end = std::to_chars(digits, digits + sizeof(digits), sum).ptr;
  return std::string(digits, end);
}

template <typename Number>
absl::Status TopSumsOf(const Row& in, Output& out) {
  struct Sum {
    std::optional<std::string_view> value;
    size_t row = 0;  // the first one that has the value, from 1
    Number number = 0;
    bool is_null = true;
  };
  const TextElements values = in.Elements(0), weights = in.Elements(1);
  const int places = static_cast<int>(in.Int(3));
  std::vector<Sum> sums;
  absl::flat_hash_map<std::string_view, size_t, base::StringHash, base::StringEqual> found;
  std::optional<size_t> of_null;
  for (size_t i = 0; i < values.size(); ++i) {
    const size_t next = sums.size();
    const std::optional<std::string_view> value = values[i], weight = weights[i];
    if (!value && !of_null) of_null = next;
    const size_t place = value ? found.try_emplace(*value, next).first->second : *of_null;
    if (place == next) sums.push_back({value, i + 1});
    if (!weight) continue;
    sums[place].is_null = false;
    LOGQUERY_RETURN_IF_ERROR(Add(*weight, places, sums[place].number));
  }
  const size_t count = std::min(sums.size(), static_cast<size_t>(in.Int(2)));
  std::partial_sort(sums.begin(), sums.begin() + static_cast<std::ptrdiff_t>(count), sums.end(),
                    [](const Sum& a, const Sum& b) {
                      if (a.is_null != b.is_null) return b.is_null;
                      if (a.number > b.number || a.number < b.number) return a.number > b.number;
                      return a.value < b.value;
                    });
  std::vector<std::optional<std::string>> texts;
  for (size_t i = 0; i < count; ++i) {
    texts.emplace_back(std::to_string(sums[i].row));
    if (sums[i].is_null) {
      texts.emplace_back(std::nullopt);
      continue;
    }
    LOGQUERY_ASSIGN_OR_RETURN(texts.emplace_back(), TextOf(sums[i].number, places));
  }
  return out.Texts(texts);
}

// Values, weights and how many there are to be: [row, sum, row, sum …], as texts, where a row is the place from 1 at which
// the value stands first. The last argument is of how many decimal places a weight is; negative: it is floating point.
absl::Status TopSums(const Row& in, Output& out) {
  if (in.Int(2) < 1) return absl::InvalidArgumentError("APPROX_TOP_SUM: the number of values must be positive");
  if (in.Int(3) == model::kBigNumericScale) return TopSumsOf<base::BigInteger>(in, out);
  return in.Int(3) < 0 ? TopSumsOf<double>(in, out) : TopSumsOf<absl::int128>(in, out);
}

// The values of a list, without NULLs: [place, count, place, count …], where a place, from 1, is the first one of a value.
absl::Status ValueCounts(const Row& in, Output& out) {
  const TextElements values = in.Elements(0);
  absl::flat_hash_map<std::string_view, size_t, base::StringHash, base::StringEqual> found;
  std::vector<int64_t> counts;
  for (size_t i = 0; i < values.size(); ++i) {
    const std::optional<std::string_view> value = values[i];
    if (!value) continue;
    const auto [entry, is_new] = found.try_emplace(*value, counts.size());
    if (is_new) {
      counts.push_back(static_cast<int64_t>(i) + 1);
      counts.push_back(0);
    }
    ++counts[entry->second + 1];
  }
  return out.Ints(counts);
}

constexpr FunctionEntry kEntries[] = {
    {"lq_value_counts", "(ARRAY<STRING>) -> ARRAY<INT64>", ValueCounts},
    {"lq_top_sums", "(ARRAY<STRING>, ARRAY<STRING>, INT64, INT64) -> ARRAY<STRING>", TopSums},
};

}  // namespace

FunctionEntries TopSumFunctions() { return kEntries; }

}  // namespace logquery::functions
