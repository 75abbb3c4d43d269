// BIGNUMERIC, which DuckDB stores as bytes that sort like the numbers. Our own functions do the arithmetic; sums add up
// the parts of the numbers with DuckDB's integer sums.
#include "lib/base/status_macros.h"
#include "lib/engines/duckdb/dialect/aggregate_texts.h"
#include "lib/engines/duckdb/dialect/function_texts.h"

namespace logquery::emit {
namespace {

using absl::StatusOr;
using rewrite::AggregateCall;
using rewrite::FunctionCall;

StatusOr<Sql> Round(const FunctionCall& call, const Texts& args) {
  const Sql places = args.size() > 1 ? args[1] : "0";
  if (NameOf(call) == "TRUNC") return Cat("lq_big_trunc(", args[0], ", ", places, ")");
  const Sql mode = args.size() > 2 ? args[2] : "'ROUND_HALF_AWAY_FROM_ZERO'";
  return Cat("lq_big_round(", args[0], ", ", places, ", ", mode, ")");
}

StatusOr<Sql> Generate(const FunctionCall&, const Texts& args) {
  return Cat("lq_big_generate(", args[0], ", ", args[1], ", ", args.size() > 2 ? args[2] : "lq_big_of_int(1)", ")");
}

// The number of parts of a number, and of its square.
constexpr int kParts = 5;
constexpr int kSquareParts = 10;

// Returns the sums of the numbers' parts as a list of texts. Sums of these integers do not overflow, whatever the frame.
// The parts of distinct values are not distinct, so these values are collected in a list first. Over a window each row
// would have such a list.
StatusOr<Sql> SumsOfParts(const AggregateCall& call, const AggregateTexts& texts, std::string_view part, int parts) {
  const auto sums = [&](const auto& sum) {
    Texts all;
    for (int i = 0; i < parts; ++i) all.push_back(Cat("CAST(", sum(i), " AS VARCHAR)"));
    return Cat("[", JoinTexts(all, ", "), "]");
  };
  if (!call.distinct) {
    return sums([&](int i) { return Fill(call, texts, StrCat("sum{", part, "($1, ", i, ")}")); });
  }
  if (!texts.over.empty()) {
    return absl::UnimplementedError(StrCat(NameOfAggregate(call), "(DISTINCT) of BIGNUMERIC over a window"));
  }
  return Once({Fill(call, WithoutNulls(texts), "list{$1}")}, [&](const Texts& a) {
    const Sql e = FreshName(a);
    return sums([&](int i) {
      return Cat("list_sum(list_transform(", a[0], ", lambda ", e, ": ", part, "(", e, ", ", i, ")))");
    });
  });
}

StatusOr<Sql> Sum(const AggregateCall& call, const AggregateTexts& texts) {
  LOGQUERY_ASSIGN_OR_RETURN(const Sql sums, SumsOfParts(call, texts, "lq_big_part", kParts));
  return Cat(call.safe ? "lq_or_null_big_sum(" : "lq_big_sum(", sums, ")");
}

StatusOr<Sql> Average(const AggregateCall& call, const AggregateTexts& texts) {
  LOGQUERY_ASSIGN_OR_RETURN(const Sql sums, SumsOfParts(call, texts, "lq_big_part", kParts));
  return Cat("lq_big_average(", sums, ", ", Fill(call, texts, "count{$1}"), ")");
}

StatusOr<Sql> Statistic(const AggregateCall& call, const AggregateTexts& texts) {
  LOGQUERY_ASSIGN_OR_RETURN(const Sql sums, SumsOfParts(call, texts, "lq_big_part", kParts));
  LOGQUERY_ASSIGN_OR_RETURN(const Sql squares, SumsOfParts(call, texts, "lq_big_square_part", kSquareParts));
  return Cat("lq_big_variance('", NameOfAggregate(call), "', ", sums, ", ", squares, ", ",
             Fill(call, texts, "count{$1}"), ")");
}

constexpr DuckDbFunctionEntry kFunctions[] = {
    {"big_round", Round},
    {"big_generate", Generate},
};

constexpr DuckDbAggregateEntry kAggregates[] = {
    {"big_sum", Sum},
    {"big_avg", Average},
    {"big_statistic", Statistic},
};

}  // namespace

DuckDbFunctionList DuckDbBigNumericFunctions() { return kFunctions; }
DuckDbAggregateList DuckDbBigNumericAggregates() { return kAggregates; }

}  // namespace logquery::emit
