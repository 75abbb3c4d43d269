// Writes quantiles and percentiles.
#include "lib/base/status_macros.h"
#include "lib/engines/duckdb/dialect/aggregate_texts.h"
#include "lib/engines/duckdb/dialect/function_texts.h"
#include "lib/model/big_numeric.h"
#include "lib/rewrite/scalars.h"

namespace logquery::emit {
namespace {

using absl::StatusOr;
using rewrite::AggregateCall;

constexpr int64_t kMaxQuantiles = 10'000;

// Element i is sorted[max(1, ceil(i * count / n))], counted from 1. DuckDB's quantile_disc takes sorted[ceil(q * count)] and
// computes exactly when q is a decimal. Where i / n has no end its first 18 digits are as good: a whole i * count / n is missed
// by less than 1, and any other is further than that from the whole number below.
std::string QuantileFraction(int64_t i, int64_t n) {
  if (i == n) return "1.0";
  std::string digits;
  int64_t rest = i;
  for (int place = 0; place < 18 && rest != 0; ++place) {
    rest *= 10;
    digits += static_cast<char>('0' + rest / n);
    rest %= n;
  }
  return StrCat("0.", digits.empty() ? "0" : digits);
}

// The same for any number of quantiles, and with NULLs as the least values: from all values, sorted.
Sql QuantilesOfList(const AggregateCall& call, const AggregateTexts& texts) {
  const AggregateTexts values = call.respect_nulls ? texts : WithoutNulls(texts);
  AggregateTexts only = values;
  only.args.resize(1);
  return Once({Cat("list_sort(", Fill(call, only, "list{$1}"), ", 'ASC', 'NULLS FIRST')"), texts.args[1]},
              [&](const Texts& a) {
                const Sql i = FreshName(a);
                // A literal has been looked at. DuckDB was seen to reach the error beside a literal that is in range.
                const Sql check =
                    rewrite::ConstantArgument(call, 1) != nullptr
                        ? ""
                        : Cat("WHEN ", a[1], " < 1 OR ", a[1], " > ", kMaxQuantiles, " OR ", a[1], " IS NULL THEN ",
                              ErrorText("'APPROX_QUANTILES: the number of quantiles must be positive'"), " ");
                return Cat("(CASE ", check, "WHEN ", a[0], " IS NOT NULL THEN list_transform(range(0, ", a[1],
                           " + 1), lambda ", i, ": list_extract(", a[0], ", greatest(1, (", i, " * len(", a[0], ") + ",
                           a[1], " - 1) // ", a[1], "))) END)");
              });
}

// One of them, in memory that is counted.
Sql QuantileOfList(const AggregateCall& call, const AggregateTexts& texts, int64_t i, int64_t n) {
  return Once({Cat("list_sort(", Fill(call, WithoutNulls(texts), "list{$1}"), ")")}, [&](const Texts& a) {
    return Cat("list_extract(", a[0], ", greatest(1, (", i, " * len(", a[0], ") + ", n - 1, ") // ", n, "))");
  });
}

StatusOr<Sql> ApproxQuantiles(const AggregateCall& call, const AggregateTexts& texts) {
  const Value* number = rewrite::ConstantArgument(call, 1);
  if (number == nullptr && call.arguments[1]->kind != rewrite::ScalarKind::kParameter) {
    return absl::InvalidArgumentError("APPROX_QUANTILES: the number of quantiles must be a literal or a parameter");
  }
  if (number == nullptr) return QuantilesOfList(call, texts);
  const int64_t n = number->int64_value();
  if (n < 1 || n > kMaxQuantiles) {
    return absl::InvalidArgumentError(StrCat("APPROX_QUANTILES: the number of quantiles is from 1 to ", kMaxQuantiles));
  }
  if (call.respect_nulls || texts.counted) return QuantilesOfList(call, texts);
  std::vector<std::string> fractions;
  for (int64_t i = 0; i <= n; ++i) fractions.push_back(QuantileFraction(i, n));
  return Fill(call, texts, StrCat("quantile_disc{$1, [", base::Join(fractions, ", "), "]}"));
}

// One of them: $quantile(x, n, i, …), which the pass narrow_quantiles makes of APPROX_QUANTILES(x, n)[OFFSET(i)]. Calls for
// several of the same values have one text but for the place, and DuckDB works that out once.
StatusOr<Sql> Quantile(const AggregateCall& call, const AggregateTexts& texts) {
  const Value* n = rewrite::ConstantArgument(call, 1);
  const Value* i = rewrite::ConstantArgument(call, 2);
  if (n == nullptr || i == nullptr) return absl::InternalError("$quantile wants constants");
  if (n->int64_value() > kMaxQuantiles) {
    return absl::InvalidArgumentError(StrCat("APPROX_QUANTILES: the number of quantiles is from 1 to ", kMaxQuantiles));
  }
  if (texts.counted) return QuantileOfList(call, texts, i->int64_value(), n->int64_value());
  if (call.arguments.size() == 3) {
    return Fill(call, texts, StrCat("quantile_disc{$1, ", QuantileFraction(i->int64_value(), n->int64_value()), "}"));
  }
  std::vector<std::string> fractions;
  size_t place = 0;
  for (size_t argument = 3; argument < call.arguments.size(); ++argument) {
    const Value* const each = rewrite::ConstantArgument(call, argument);
    if (each == nullptr) return absl::InternalError("$quantile wants constants");
    fractions.push_back(QuantileFraction(each->int64_value(), n->int64_value()));
    if (each->int64_value() == i->int64_value()) place = fractions.size();
  }
  return Fill(call, texts, StrCat("list_extract(quantile_disc{$1, [", base::Join(fractions, ", "), "]}, ", place, ")"));
}

// GoogleSQL's NaN is the least of numbers, DuckDB's the greatest: they are counted, and stand as infinities where they are
// not what is found.
std::string PercentileOfFloats(std::string_view function, bool continuous, const std::string& fraction) {
  const std::string place =
      continuous ? StrCat("> floor(", fraction, " * (count{$1} - 1))") : StrCat(">= ceil(", fraction, " * count{$1})");
  return StrCat("(CASE WHEN count_if{isnan($1)} > 0 AND count_if{isnan($1)} ", place,
                " THEN CAST('nan' AS DOUBLE) ELSE ", function,
                "{CASE WHEN isnan($1) THEN CAST('-inf' AS DOUBLE) ELSE $1 END, ", fraction, "} END)");
}

bool LiesBetween0And1(const Value& fraction) {
  if (fraction.type().is(TypeKind::kFloat64)) return fraction.float64_value() >= 0 && fraction.float64_value() <= 1;
  const auto bytes = [](std::string_view digits) {
    return model::ParseBigNumeric(digits, model::ExtraDigits::kRefused).value_or("");
  };
  const std::string value = bytes(fraction.string_value());
  return value >= bytes("0") && value <= bytes("1");
}

// DuckDB multiplies a decimal fraction by the number of rows, and has 38 digits for that.
constexpr size_t kDigitsOfFractions = 18;

// The fraction of PERCENTILE_CONT and PERCENTILE_DISC, as it is or as a decimal of all its digits.
StatusOr<std::string> Fraction(const AggregateCall& call, const AggregateTexts& texts) {
  const Value* fraction = rewrite::ConstantArgument(call, 1);
  if (fraction == nullptr) {
    return absl::UnimplementedError(StrCat(NameOfAggregate(call), " with a fraction that is not a literal"));
  }
  if (call.respect_nulls) return absl::UnimplementedError(StrCat(NameOfAggregate(call), " with RESPECT NULLS"));
  if (!LiesBetween0And1(*fraction)) {
    return absl::InvalidArgumentError(StrCat(NameOfAggregate(call), ": the fraction lies between 0 and 1"));
  }
  if (fraction->type().is(TypeKind::kFloat64)) return texts.args[1].text();
  const std::string& digits = fraction->string_value();
  const size_t point = digits.find('.');
  if (point == std::string::npos || digits.front() == '1') return digits.substr(0, 1) + ".0";
  if (digits.size() - point > kDigitsOfFractions + 1) {
    return absl::UnimplementedError(
        StrCat(NameOfAggregate(call), " with a fraction of more than ", kDigitsOfFractions, " digits: ", digits));
  }
  return digits.substr(point);
}

StatusOr<Sql> Percentile(const AggregateCall& call, const AggregateTexts& texts) {
  LOGQUERY_ASSIGN_OR_RETURN(const std::string fraction, Fraction(call, texts));
  AggregateCall plain;
  plain.overload = call.overload;
  plain.distinct = call.distinct;
  const bool continuous = NameOfAggregate(call) == "PERCENTILE_CONT";
  const std::string_view function = continuous ? "quantile_cont" : "quantile_disc";
  if (!ArgumentType(call).is(TypeKind::kFloat64)) {
    return Fill(plain, texts, StrCat(function, "{$1, ", fraction, "}"));
  }
  return Fill(plain, texts, PercentileOfFloats(function, continuous, fraction));
}

constexpr DuckDbAggregateEntry kEntries[] = {
    {"percentile_cont", Percentile},
    {"percentile_disc", Percentile},
    {"approx_quantiles", ApproxQuantiles},
    {"quantile", Quantile},
};

}  // namespace

DuckDbAggregateList DuckDbQuantiles() { return kEntries; }

}  // namespace logquery::emit
