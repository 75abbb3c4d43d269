// Writes aggregates and window functions from spellings, in which braces mark DuckDB's own calls.
#include <algorithm>

#include "lib/base/status_macros.h"
#include "lib/engines/duckdb/dialect/aggregate_texts.h"
#include "lib/engines/duckdb/dialect/function_texts.h"
#include "lib/engines/duckdb/dialect/safe.h"
#include "lib/engines/duckdb/dialect/spellings.h"
#include "lib/engines/duckdb/dialect/types.h"
#include "lib/model/big_numeric.h"
#include "lib/model/decimal_text.h"
#include "lib/rewrite/plan_walk.h"
#include "lib/rewrite/scalars.h"

namespace logquery::emit {
namespace {

using absl::StatusOr;
using rewrite::AggregateCall;
using rewrite::FunctionKind;

// HAVING MAX y: among the rows whose y is greatest.
StatusOr<Sql> AnyValue(const AggregateCall& call, const AggregateTexts& texts) {
  if (texts.having.empty()) return Fill(call, texts, "any_value{$1}");
  AggregateTexts with_key = texts;
  with_key.args.push_back(texts.having);
  return Fill(call, with_key, call.having_max ? "arg_max_null{$1, $2}" : "arg_min_null{$1, $2}");
}

// The first elements that the call's LIMIT keeps. Without any the result is NULL, as of no rows.
Sql FirstElements(const AggregateCall& call, const AggregateTexts& texts, const Sql& list) {
  if (texts.limit.empty()) return list;
  const Sql first = Cat("list_slice(", list, ", 1, ", texts.limit, ")");
  const auto* constant = rewrite::If<rewrite::Constant>(call.limit.get());
  if (constant != nullptr && !constant->value.is_null() && constant->value.int64_value() > 0) return first;
  return Cat("(CASE WHEN ", texts.limit, " > 0 THEN ", first, " END)");
}

StatusOr<Sql> ArrayAgg(const AggregateCall& call, const AggregateTexts& texts) {
  return FirstElements(call, texts, Fill(call, call.ignore_nulls ? WithoutNulls(texts) : texts, "list{$1}"));
}

// NULL arrays add nothing.
StatusOr<Sql> ArrayConcatAgg(const AggregateCall& call, const AggregateTexts& texts) {
  return Cat("flatten(", FirstElements(call, texts, Fill(call, WithoutNulls(texts), "list{$1}")), ")");
}

// The text of all values with the separator between them, which must not be NULL.
StatusOr<Sql> Separated(const AggregateCall& call, const AggregateTexts& texts, Sql text) {
  if (call.arguments.size() < 2) return text;
  const std::string refusal = StrCat(NameOfAggregate(call), ": the separator must not be NULL");
  const auto* constant = rewrite::If<rewrite::Constant>(call.arguments[1].get());
  if (constant == nullptr) {
    return Cat("(CASE WHEN ", texts.args[1], " IS NULL THEN ", ErrorText(Quote(refusal)), " ELSE ", text, " END)");
  }
  if (constant->value.is_null()) return absl::InvalidArgumentError(refusal);
  return text;
}

StatusOr<Sql> StringAgg(const AggregateCall& call, const AggregateTexts& texts) {
  const bool has_separator = texts.args.size() > 1;
  if (texts.limit.empty()) {
    return Separated(call, texts, Fill(call, texts, has_separator ? "string_agg{$1, $2}" : "string_agg{$1, ','}"));
  }
  const Sql list = FirstElements(call, texts, Fill(call, WithoutNulls(texts), "list{$1}"));
  return Separated(call, texts, Cat("array_to_string(", list, ", ", has_separator ? texts.args[1] : "','", ")"));
}

// A filter costs less than a value for each row: a sixth less in a query with four of them. Over a window, count(*) with a
// filter takes DuckDB the square of the partition's rows.
StatusOr<Sql> CountIf(const AggregateCall& call, const AggregateTexts& texts) {
  if (call.distinct || !texts.over.empty()) return Fill(call, texts, "count{NULLIF($1, FALSE)}");
  return Fill(call, Without(texts, texts.args[0]), "count{*}");
}

// The spelling filled in; of a SAFE. call with NULL in place of the spelling's errors.
StatusOr<Sql> FillSafely(const AggregateCall& call, const AggregateTexts& texts, std::string_view spelling) {
  if (!call.safe) return Fill(call, texts, spelling);
  const auto made = [&](const Texts&) -> StatusOr<Sql> { return Sql(spelling); };
  LOGQUERY_ASSIGN_OR_RETURN(const Sql safe, DuckDbSafe(NameOfAggregate(call), {}, made));
  return Fill(call, texts, safe.text());
}

// The sums of the whole parts and of the fractions, as texts: neither runs out of DuckDB's 38 digits, whatever the order of rows.
constexpr std::string_view kNumericSums =
    "CAST(sum{trunc($1)} AS VARCHAR), CAST(sum{$1 - CAST(trunc($1) AS DECIMAL(38, 9))} AS VARCHAR)";

// With DISTINCT the sum is not split into parts, because the parts of distinct values are not distinct. DuckDB lets a
// sum have one digit more than its type.
StatusOr<Sql> NumericSum(const AggregateCall& call, const AggregateTexts& texts) {
  if (!call.distinct) return FillSafely(call, texts, StrCat("lq_numeric_sum(", kNumericSums, ")"));
  return FillSafely(call, texts,
                    "CAST((CASE WHEN abs(sum{$1}) > '99999999999999999999999999999.999999999'::DECIMAL(38, 9)"
                    " THEN error('NUMERIC overflow: SUM') ELSE sum{$1} END) AS DECIMAL(38, 9))");
}

StatusOr<Sql> NumericAvg(const AggregateCall& call, const AggregateTexts& texts) {
  if (!call.distinct) return Fill(call, texts, StrCat("lq_numeric_average(", kNumericSums, ", count{$1})"));
  return Fill(call, texts, "lq_numeric_divide(sum{$1}, CAST(NULLIF(count{$1}, 0) AS DECIMAL(38, 9)))");
}

// An error where the sum of numbers is beyond the range. Where the running total is and the sum is not, the sum of the numbers
// scaled down by a power of two has it exactly.
StatusOr<Sql> FloatSum(const AggregateCall& call, const AggregateTexts& texts) {
  const std::string scaled = StrCat("sum{$1 * ", kScaleDown, "}");
  const std::string sum = StrCat(scaled, " * ", kScaleUp);
  return FillSafely(call, texts,
                    StrCat("(CASE WHEN isfinite(sum{$1}) THEN sum{$1} WHEN isfinite(", scaled, ") AND isinf(", sum,
                           ") THEN error('FLOAT64 overflow: SUM') ELSE ", sum, " END)"));
}

Sql UncheckedSum(const AggregateCall& call, const AggregateTexts& texts) {
  return SumOfIntervals(
      [&](const Sql& part) {
        AggregateTexts of_part = texts;
        of_part.args = {part};
        return Fill(call, of_part, "sum{$1}");
      },
      texts.args[0]);
}

StatusOr<Sql> IntervalSum(const AggregateCall& call, const AggregateTexts& texts) {
  if (call.distinct) return absl::UnimplementedError("SUM(DISTINCT) of INTERVAL");
  return Cat(call.safe ? "lq_or_null_interval_in_range(" : "lq_interval_in_range(", UncheckedSum(call, texts), ")");
}

StatusOr<Sql> IntervalAvg(const AggregateCall& call, const AggregateTexts& texts) {
  if (call.distinct) return absl::UnimplementedError("AVG(DISTINCT) of INTERVAL");
  return Once({UncheckedSum(call, texts), Fill(call, texts, "count{$1}")}, [](const Texts& a) {
    return Cat("(CASE WHEN ", a[1], " > 0 THEN ", IntervalQuotient(a[0], a[1]), " END)");
  });
}

StatusOr<Sql> BytesAgg(const AggregateCall& call, const AggregateTexts& texts) {
  AggregateTexts of_hex = WithoutNulls(texts);
  const Sql separator = texts.args.size() > 1 ? Cat("hex(", texts.args[1], ")") : "'2C'";
  const Sql list = FirstElements(call, texts, Fill(call, of_hex, "list{hex($1)}"));
  return Separated(call, texts, Cat("unhex(array_to_string(", list, ", ", separator, "))"));
}

StatusOr<Sql> ApproxCountDistinct(const AggregateCall& call, const AggregateTexts& texts) {
  AggregateCall distinct;
  distinct.overload = call.overload;
  distinct.distinct = true;
  return Fill(distinct, texts, "count{$1}");
}

// A value as a text that is another one for each other value. -0 is 0.
Sql KeyOf(const Type& type, const Sql& value) {
  if (type.is(TypeKind::kString)) return value;
  if (type.is(TypeKind::kBytes) || type.is(TypeKind::kBigNumeric)) return Cat("hex(", value, ")");
  if (type.is_array() || type.is_struct()) {
    return Cat("(CASE WHEN ", value, " IS NOT NULL THEN CAST(to_json(", value, ") AS VARCHAR) END)");
  }
  return Cat("CAST(", value, type.is(TypeKind::kFloat64) ? " + 0.0" : "", " AS VARCHAR)");
}

// Each value with its number of rows, NULL apart, as a map's entries. Of a window's rows by DuckDB's histogram, whose memory nobody
// counts: their number is bounded (bound_windows.h).
Sql CountedInWindow(const AggregateCall& call, const AggregateTexts& texts) {
  // The engine can't be interrupted while it compares the texts of many rows.
  const Type type = ArgumentType(call);
  const char* const histogram = type.is(TypeKind::kString) ? "histogram{CASE WHEN lq_fits(strlen($1)) THEN $1 END}"
                                : type.is(TypeKind::kBytes)
                                    ? "histogram{CASE WHEN lq_fits(octet_length($1)) THEN $1 END}"
                                    : "histogram{$1}";
  return Cat("map_entries(", Fill(call, texts, histogram), ")");
}

// The same where the pass group_top_counts leaves the call as it is, from a list of the values: memory for each row, but counted.
Sql CountedInList(const AggregateCall& call, const AggregateTexts& texts) {
  AggregateTexts values = WithoutNulls(texts);
  values.args.resize(1);
  return Once({Fill(call, values, "list{$1}")}, [&](const Texts& a) {
    const Sql e = FreshName(a);
    const Sql keys = Cat("list_transform(", a[0], ", lambda ", e, ": ", KeyOf(ArgumentType(call), e), ")");
    return Once({Cat("lq_value_counts(", keys, ")"), a[0]}, [&](const Texts& counts) {
      const Sql i = FreshName(counts);
      return Cat("list_transform(range(1, len(", counts[0], ") + 1, 2), lambda ", i,
                 ": struct_pack(\"key\" := ", counts[1], "[", counts[0], "[", i, "]], \"value\" := ", counts[0], "[", i,
                 " + 1]))");
    });
  });
}

// Exact: each value with its count, NULL too, the most frequent first, of equals the least value.
StatusOr<Sql> ApproxTopCount(const AggregateCall& call, const AggregateTexts& texts) {
  // The engine takes intervals of equal length for several values.
  if (HasInterval(ArgumentType(call))) {
    return absl::UnimplementedError("APPROX_TOP_COUNT of INTERVAL is not supported; count CAST(x AS STRING)");
  }
  AggregateTexts nulls = Without(texts, Cat(texts.args[0], " IS NULL"));
  const Sql entries = texts.over.empty() ? CountedInList(call, texts) : CountedInWindow(call, texts);
  return Once({entries, Fill(call, nulls, "count{*}"), texts.args[1]}, [&](const Texts& a) {
    const Sql e = FreshName(a);
    const Sql value = Cat("CAST(NULL AS ", DuckDbType(ArgumentType(call)), ")");
    const Sql all = Cat("list_concat(list_transform(COALESCE(", a[0], ", []), lambda ", e, ": struct_pack(c := -CAST(",
                        e, ".value AS BIGINT), v := ", e, ".key)), CASE WHEN ", a[1], " > 0 THEN [struct_pack(c := -",
                        a[1], ", v := ", value, ")] ELSE [] END)");
    return Cat("(CASE WHEN ", a[2], " < 1 OR ", a[2], " IS NULL THEN ",
               ErrorText("'APPROX_TOP_COUNT: the number of values must be positive'"), " WHEN len(", all,
               ") > 0 THEN list_transform(list_slice(list_sort(", all, "), 1, ", a[2], "), lambda ", e,
               ": struct_pack(\"value\" := ", e, ".v, \"count\" := -", e, ".c)) END)");
  });
}

// The weights as texts with so many places after the point; negative: floating point.
int PlacesOf(const Type& weight) {
  if (weight.is(TypeKind::kFloat64)) return -1;
  return weight.is(TypeKind::kBigNumeric) ? model::kBigNumericScale
                                          : (weight.is(TypeKind::kNumeric) ? model::kNumericScale : 0);
}

Sql WeightText(const Type& weight, const Sql& value) {
  if (weight.is(TypeKind::kBigNumeric)) return Cat("lq_big_to_text(", value, ")");
  // The text has as many decimal places as the type, which the function relies on.
  return Cat("CAST(CAST(", value, " AS ", DuckDbType(weight), ") AS VARCHAR)");
}

Sql WeightOf(const Type& weight, const Sql& text) {
  if (weight.is(TypeKind::kBigNumeric)) return Cat("lq_big_of_text(", text, ")");
  return Cat("CAST(", text, " AS ", DuckDbType(weight), ")");
}

// Returns each value with the sum of its weights, including NULL, the greatest sum first. The sums are added by a
// function of ours, because DuckDB cannot group inside an aggregate. It returns the row in which a value occurs first.
StatusOr<Sql> ApproxTopSum(const AggregateCall& call, const AggregateTexts& texts) {
  if (call.distinct) return absl::InvalidArgumentError("APPROX_TOP_SUM does not take DISTINCT");
  const Type value = ArgumentType(call), weight = call.arguments[1]->type;
  const bool is_nested = value.is_array() || value.is_struct();
  const std::string kept = is_nested ? "$1" : StrCat("CAST($1 AS ", DuckDbType(value), ")");
  const Sql rows =
      Fill(call, texts,
           StrCat("list{row(", KeyOf(value, "$1").text(), ", ", WeightText(weight, "$2").text(), ", ", kept, ")}"));
  return Once({rows, texts.args[2]}, [&](const Texts& a) {
    const Sql e = FreshName(a);
    const auto part = [&](int i) { return Cat("list_transform(", a[0], ", lambda ", e, ": ", e, "[", i, "])"); };
    const Sql sums = Cat("lq_top_sums(", part(1), ", ", part(2), ", ", a[1], ", ", PlacesOf(weight), ")");
    return Once({sums, a[0]}, [&](const Texts& s) {
      const Sql i = FreshName(s);
      return Cat("list_transform(range(1, len(", s[0], ") + 1, 2), lambda ", i, ": struct_pack(\"value\" := ", s[1],
                 "[CAST(", s[0], "[", i, "] AS BIGINT)][3], \"sum\" := ", WeightOf(weight, Cat(s[0], "[", i, " + 1]")),
                 "))");
    });
  });
}

absl::Status NoLiteral(const AggregateCall& call, std::string_view what) {
  return absl::InvalidArgumentError(StrCat(NameOfAggregate(call), ": ", what));
}

StatusOr<Sql> NTile(const AggregateCall& call, const AggregateTexts& texts) {
  const Value* buckets = rewrite::ConstantArgument(call, 0);
  if (buckets != nullptr && buckets->int64_value() < 1) return NoLiteral(call, "the number of buckets is positive");
  if (buckets != nullptr) return Fill(call, texts, "ntile{$1}");
  return Fill(call, texts,
              "ntile{CASE WHEN $1 > 0 THEN $1 ELSE error('NTILE: the number of buckets must be positive') END}");
}

StatusOr<Sql> Lag(const AggregateCall& call, const AggregateTexts& texts) {
  const std::string function = base::ToLower(NameOfAggregate(call));
  if (texts.args.size() == 1) return Fill(call, texts, StrCat(function, "{$1}"));
  const std::string more = texts.args.size() > 2 ? ", $3}" : "}";
  const Value* offset = rewrite::ConstantArgument(call, 1);
  if (offset != nullptr && offset->int64_value() < 0) return NoLiteral(call, "the offset is negative");
  if (offset != nullptr) return Fill(call, texts, StrCat(function, "{$1, $2", more));
  return Fill(call, texts,
              StrCat(function, "{$1, CASE WHEN $2 >= 0 THEN $2 ELSE error('", NameOfAggregate(call),
                     ": the offset must not be NULL or negative') END", more));
}

StatusOr<Sql> NthValue(const AggregateCall& call, const AggregateTexts& texts) {
  const Value* place = rewrite::ConstantArgument(call, 1);
  if (place != nullptr && place->int64_value() < 1) return NoLiteral(call, "places begin at 1");
  if (place != nullptr) return Fill(call, texts, "nth_value{$1, $2}");
  return Fill(call, texts, "nth_value{$1, CASE WHEN $2 > 0 THEN $2 ELSE error('NTH_VALUE: places begin at 1') END}");
}

constexpr DuckDbAggregateEntry kEntries[] = {
    {"any_value", AnyValue},
    {"array_agg", ArrayAgg},
    {"array_concat_agg", ArrayConcatAgg},
    {"string_agg", StringAgg},
    {"count_if", CountIf},
    {"numeric_avg", NumericAvg},
    {"numeric_sum", NumericSum},
    {"float_sum", FloatSum},
    {"interval_sum", IntervalSum},
    {"interval_avg", IntervalAvg},
    {"bytes_agg", BytesAgg},
    {"approx_top_count", ApproxTopCount},
    {"approx_top_sum", ApproxTopSum},
    {"ntile", NTile},
    {"lag", Lag},
    {"nth_value", NthValue},
    {"approx_count_distinct", ApproxCountDistinct},
};

// Rejects call modifiers that a spelling without code of its own can't express.
absl::Status CheckPlain(const AggregateCall& call, const AggregateTexts& texts) {
  if (!texts.limit.empty()) {
    return absl::InvalidArgumentError(StrCat(NameOfAggregate(call), " does not take LIMIT"));
  }
  if (call.ignore_nulls && call.overload->row->kind == FunctionKind::kAggregate) {
    return absl::UnimplementedError(StrCat(NameOfAggregate(call), " with IGNORE NULLS"));
  }
  return absl::OkStatus();
}

// Arguments with one value for all rows: literals, parameters, and expressions of these.
struct FixedArgument {
  std::string_view function;
  size_t index;
  std::string_view what;
};

constexpr FixedArgument kFixedArguments[] = {
    {"APPROX_TOP_COUNT", 1, "the number of values"},
    {"APPROX_TOP_SUM", 2, "the number of values"},
    {"STRING_AGG", 1, "the separator"},
};

bool IsFixed(const rewrite::Scalar& scalar) {
  bool fixed = true;
  rewrite::VisitScalars(scalar, [&](const rewrite::Scalar& part) {
    if (part.kind == rewrite::ScalarKind::kColumn || part.kind == rewrite::ScalarKind::kSubquery) fixed = false;
  });
  return fixed;
}

absl::Status CheckFixedArguments(const AggregateCall& call) {
  for (const FixedArgument& argument : kFixedArguments) {
    if (argument.function != NameOfAggregate(call) || argument.index >= call.arguments.size()) continue;
    if (IsFixed(*call.arguments[argument.index])) continue;
    return absl::InvalidArgumentError(
        StrCat(argument.function, ": ", argument.what, " must be a literal or a parameter"));
  }
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<Sql> DuckDbAggregate(const AggregateCall& call, const AggregateTexts& texts) {
  if (absl::Status status = CheckFixedArguments(call); !status.ok()) return status;
  const std::string_view spelling = DuckDbSpellings().Of(*call.overload);
  if (spelling.empty()) return absl::UnimplementedError(SignatureText(*call.overload));
  if (!texts.having.empty() && spelling != "@any_value") {
    return absl::UnimplementedError(StrCat(NameOfAggregate(call), " with HAVING MAX or MIN"));
  }
  if (spelling[0] != '@') {
    if (absl::Status status = CheckPlain(call, texts); !status.ok()) return status;
    return FillSafely(call, texts, spelling);
  }
  for (const DuckDbAggregateList entries :
       {DuckDbAggregateList(kEntries), DuckDbQuantiles(), DuckDbStatistics(), DuckDbBigNumericAggregates()}) {
    for (const DuckDbAggregateEntry& entry : entries) {
      if (entry.name == spelling.substr(1)) return entry.function(call, texts);
    }
  }
  return absl::InternalError(StrCat("no code for ", spelling));
}

}  // namespace logquery::emit
