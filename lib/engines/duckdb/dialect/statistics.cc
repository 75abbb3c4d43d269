// Writes variances, standard deviations, covariances and correlations.
#include "lib/base/status_macros.h"
#include "lib/engines/duckdb/dialect/aggregate_texts.h"
#include "lib/engines/duckdb/dialect/function_texts.h"
#include "lib/rewrite/plan_walk.h"

namespace logquery::emit {
namespace {

using absl::StatusOr;
using rewrite::AggregateCall;

struct Statistic {
  std::string_view name;
  std::string_view duckdb;
  bool of_pairs;
  bool of_sample;  // NULL for fewer than two values
};

constexpr Statistic kStatistics[] = {
    {"CORR", "corr", true, true},
    {"COVAR_POP", "covar_pop", true, false},
    {"COVAR_SAMP", "covar_samp", true, true},
    {"STDDEV", "stddev_samp", false, true},
    {"STDDEV_POP", "stddev_pop", false, false},
    {"STDDEV_SAMP", "stddev_samp", false, true},
    {"VARIANCE", "var_samp", false, true},
    {"VAR_POP", "var_pop", false, false},
    {"VAR_SAMP", "var_samp", false, true},
};

// The arguments of an aggregate of FLOAT64s: one text for each, and the power of two by which its result is multiplied.
struct Variant {
  std::string condition;  // that the group is one for this variant
  std::vector<std::string> args;
  std::vector<std::string> factors;
};

// Numbers above this have squares whose sums leave the range of FLOAT64, and are scaled down.
constexpr std::string_view kLargest = "1e145";

bool IsNeverLarge(const rewrite::Scalar& scalar) {
  const auto* cast = rewrite::If<rewrite::Cast>(&scalar);
  return cast != nullptr && cast->operand->type.is(TypeKind::kInt64);
}

// Returns the ways to read the arguments: each unscaled if the group has no large values of it, else scaled. Values of
// another variant are NULL, so that no variant raises an error.
std::vector<Variant> VariantsOf(const AggregateCall& call, size_t arguments) {
  std::vector<Variant> variants = {{}};
  for (size_t i = 0; i < arguments; ++i) {
    const std::string x = StrCat("$", i + 1);
    if (IsNeverLarge(*call.arguments[i])) {
      for (Variant& variant : variants) variant.args.push_back(x);
      continue;
    }
    std::vector<Variant> more;
    for (const Variant& variant : variants) {
      Variant plain = variant, scaled = variant;
      const std::string is_large = StrCat("max{CASE WHEN isfinite(", x, ") THEN abs(", x, ") END} > ", kLargest);
      const std::string_view also = variant.condition.empty() ? "" : " AND ";
      plain.condition += StrCat(also, "NOT ", is_large);
      plain.args.push_back(StrCat("CASE WHEN abs(", x, ") <= ", kLargest, " THEN ", x, " END"));
      scaled.condition += StrCat(also, is_large);
      scaled.args.push_back(StrCat("CASE WHEN isfinite(", x, ") THEN ", x, " * ", kScaleDown, " END"));
      scaled.factors.emplace_back(kScaleUp);
      more.push_back(std::move(plain));
      more.push_back(std::move(scaled));
    }
    variants = std::move(more);
  }
  return variants;
}

// Applies the arguments' scales to the result as often as they occur in it: CORR has none, a variance of one argument
// has it twice.
std::string Rescaled(const Statistic& statistic, std::string value, const Variant& variant) {
  const bool squares = statistic.duckdb.starts_with("var");
  for (const std::string& factor : variant.factors) {
    if (statistic.name == "CORR") break;
    value = StrCat(value, " * ", factor);
    if (squares) value = StrCat(value, " * ", factor);
  }
  return value;
}

// DuckDB refuses infinities, NaN, and numbers whose squares are beyond the range. GoogleSQL gives NaN for the first two; for the
// last, the statistic or an infinity.
StatusOr<Sql> StatisticOf(const AggregateCall& call, const AggregateTexts& texts) {
  for (const Statistic& statistic : kStatistics) {
    if (statistic.name != NameOfAggregate(call)) continue;
    if (statistic.of_pairs && call.distinct) return absl::UnimplementedError(StrCat(statistic.name, " with DISTINCT"));
    const std::string finite = statistic.of_pairs ? "isfinite($1) AND isfinite($2)" : "isfinite($1)";
    const std::string count = statistic.of_pairs ? "regr_count{$1, $2}" : "count{$1}";
    std::string text = StrCat("(CASE WHEN ", count, " < ", statistic.of_sample ? 2 : 1, " THEN NULL WHEN NOT bool_and{",
                              finite, "} THEN CAST('nan' AS DOUBLE)");
    const std::vector<Variant> variants = VariantsOf(call, statistic.of_pairs ? 2 : 1);
    for (const Variant& variant : variants) {
      const std::string value =
          Rescaled(statistic, StrCat(statistic.duckdb, "{", base::Join(variant.args, ", "), "}"), variant);
      const bool is_last = &variant == &variants.back();
      text += is_last ? StrCat(" ELSE ", value, " END)") : StrCat(" WHEN ", variant.condition, " THEN ", value);
    }
    return Fill(call, texts, text);
  }
  return absl::InternalError(StrCat("no formula for ", NameOfAggregate(call)));
}

// Over a window each row would have a list of its frame, so the statistic is computed in floating point, unless that would not
// tell the numbers apart. An aggregate of ours could not serve: where a window has one frame, DuckDB's C API hands it a single
// state as if there were one for each row.
Sql NumericStatisticOfWindow(const AggregateCall& call, const AggregateTexts& texts, std::string_view statistic) {
  const std::string apart = "CAST(max{$1} AS DOUBLE) - CAST(min{$1} AS DOUBLE)";
  const std::string most = "greatest(abs(CAST(max{$1} AS DOUBLE)), abs(CAST(min{$1} AS DOUBLE)))";
  const std::string too_near = StrCat("'", NameOfAggregate(call),
                                      " over a window can''t tell numbers apart that differ by less than a millionth'");
  return Fill(call, texts,
              StrCat("(CASE WHEN max{$1} > min{$1} AND ", apart, " < 1e-6 * ", most, " THEN CAST(",
                     ErrorText(Sql(too_near)).text(), " AS DOUBLE) ELSE ", statistic, "{CAST($1 AS DOUBLE)} END)"));
}

// DuckDB computes in floating point from the start, which finds no difference between numbers of 30 digits that differ in the
// last. Differences from the first number are exact where they fit into the type, and only these become floating point.
StatusOr<Sql> NumericStatisticOf(const AggregateCall& call, const AggregateTexts& texts) {
  const std::string_view name = NameOfAggregate(call);
  const std::string statistic =
      StrCat(name.starts_with("STDDEV") ? "stddev" : "var", name.ends_with("_POP") ? "_pop" : "_samp");
  if (!texts.over.empty()) return NumericStatisticOfWindow(call, texts, statistic);
  return Once({Fill(call, WithoutNulls(texts), "list{$1}")}, [&](const Texts& a) {
    const Sql e = FreshName(a);
    const Sql first = Cat(a[0], "[1]");
    const Sql about = Cat("CAST(", e, " AS DOUBLE) - CAST(", first, " AS DOUBLE)");
    return Cat("list_aggregate(list_transform(", a[0], ", lambda ", e, ": (CASE WHEN abs(", about,
               ") < 9e28 THEN CAST(", e, " - ", first, " AS DOUBLE) ELSE ", about, " END)), '", statistic, "')");
  });
}

constexpr DuckDbAggregateEntry kEntries[] = {
    {"statistic", StatisticOf},
    {"numeric_statistic", NumericStatisticOf},
};

}  // namespace

DuckDbAggregateList DuckDbStatistics() { return kEntries; }

}  // namespace logquery::emit
