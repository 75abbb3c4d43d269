// Arrays: elements by their place, GENERATE_ARRAY and its like, and what works on whole arrays.
#include <algorithm>
#include <limits>

#include "lib/base/limits.h"
#include "lib/emit/duckdb/function_texts.h"
#include "lib/emit/duckdb/types.h"
#include "lib/rewrite/plan_walk.h"

namespace logquery::emit {
namespace {

using absl::StatusOr;
using rewrite::FunctionCall;

// Where DuckDB finds a list or a place to be NULL while it plans, it gives a NULL of no type.
std::string Extract(const FunctionCall& call, const std::string& list, const std::string& place, bool typed) {
  const std::string element = StrCat("list_extract(", list, ", ", place, ")");
  return typed ? element : StrCat("CAST(", element, " AS ", DuckDbType(call.type), ")");
}

// What is read from a row is not known while a query is planned.
bool IsStored(const rewrite::Scalar& scalar) {
  return scalar.kind == rewrite::ScalarKind::kColumn || scalar.kind == rewrite::ScalarKind::kField;
}

// arr[i] with `first` for the place of the first element; `safe`: NULL outside of the array, else an error.
std::string Element(const FunctionCall& call, const Texts& args, int64_t first, bool safe) {
  const std::optional<int64_t> constant = ConstantInt64(call, 1);
  // No array is so long that its last places matter.
  constexpr int64_t kLast = std::numeric_limits<int64_t>::max() - 1;
  const auto place = [&](const std::string& index) {
    if (constant.has_value()) return StrCat(std::min(*constant, kLast) + (first == 1 ? 0 : 1));
    if (first == 1) return index;
    return safe ? StrCat("LEAST(", index, ", ", kLast, ") + 1") : StrCat(index, " + 1");
  };
  const bool typed = constant.has_value() && IsStored(*call.arguments[0]);
  if (safe && constant.has_value()) {
    // DuckDB counts negative places from the end; there is none at 0.
    return Extract(call, args[0], *constant < first ? "0" : place(args[1]), typed);
  }
  return Once(args, [&](const Texts& a) {
    const std::string element = Extract(call, a[0], place(a[1]), typed);
    if (safe) return StrCat("(CASE WHEN ", a[1], " >= ", first, " THEN ", element, " END)");
    return StrCat("(CASE WHEN (", a[1], " < ", first, " AND ", a[0], " IS NOT NULL) OR ", a[1], " >= len(", a[0],
                  ") + ", first, " THEN ", ErrorText(StrCat("'Array index ' || ", a[1], " || ' is out of bounds'")),
                  " ELSE ", element, " END)");
  });
}

StatusOr<std::string> AtOffset(const FunctionCall& c, const Texts& args) { return Element(c, args, 0, false); }
StatusOr<std::string> AtOrdinal(const FunctionCall& c, const Texts& args) { return Element(c, args, 1, false); }
StatusOr<std::string> SafeAtOffset(const FunctionCall& c, const Texts& args) { return Element(c, args, 0, true); }
StatusOr<std::string> SafeAtOrdinal(const FunctionCall& c, const Texts& args) { return Element(c, args, 1, true); }

// NULL when one of them is, where DuckDB takes a NULL list for an empty one.
StatusOr<std::string> ArrayConcat(const FunctionCall&, const Texts& args) {
  if (args.size() == 1) return args[0];
  return Once(args, [](const Texts& a) {
    Texts present;
    for (const std::string& list : a) present.push_back(StrCat("(", list, " IS NOT NULL)"));
    std::string joined = a[0];
    for (size_t i = 1; i < a.size(); ++i) joined = StrCat("list_concat(", joined, ", ", a[i], ")");
    Texts lengths;
    for (const std::string& list : a) lengths.push_back(StrCat("len(", list, ")"));
    present.push_back(StrCat("lq_fits(", Balanced(lengths, "+"), " * 16)"));
    return StrCat("(CASE WHEN ", Balanced(present, "AND"), " THEN ", joined, " END)");
  });
}

StatusOr<std::string> ArrayFirst(const FunctionCall& call, const Texts& args) {
  const bool first = NameOf(call) == "ARRAY_FIRST";
  return Once(args, [&](const Texts& a) {
    return StrCat("(CASE WHEN len(", a[0], ") = 0 THEN ",
                  ErrorText(StrCat("'", NameOf(call), " cannot get an element of an empty array'")), " ELSE ",
                  Extract(call, a[0], first ? "1" : "-1", IsStored(*call.arguments[0])), " END)");
  });
}

// Both ends belong to it; negative ones count from the end, and those beyond it stand for it.
StatusOr<std::string> ArraySlice(const FunctionCall&, const Texts& args) {
  return Once(args, [](const Texts& a) {
    const auto place = [&](const std::string& index) {
      return StrCat("CASE WHEN ", index, " < 0 THEN ", index, " + len(", a[0], ") ELSE ", index, " END + 1");
    };
    return StrCat("(CASE WHEN ", a[1], " IS NOT NULL AND ", a[2], " IS NOT NULL THEN CASE WHEN ", place(a[2]),
                  " < 1 THEN list_slice(", a[0], ", 1, 0) ELSE list_slice(", a[0], ", greatest(", place(a[1]), ", 1), ",
                  place(a[2]), ") END END)");
  });
}

// NULLs are left out, unless there is a text for them.
StatusOr<std::string> ArrayToString(const FunctionCall& call, const Texts& args) {
  const std::string_view function = call.type.is(TypeKind::kBytes) ? "lq_bytes_join" : "lq_join";
  return StrCat(function, args.size() > 2 ? "_nulls(" : "(", base::Join(args, ", "), ")");
}

StatusOr<std::string> ArrayIsDistinct(const FunctionCall&, const Texts& args) {
  return Once(args, [](const Texts& a) {
    const std::string x = FreshName(a);
    return StrCat("(list_unique(", a[0], ") + least(len(list_filter(", a[0], ", lambda ", x, ": ", x,
                  " IS NULL)), 1) = len(", a[0], "))");
  });
}

StatusOr<std::string> ArrayIncludes(const FunctionCall&, const Texts& args) {
  return StrCat("list_contains(", args[0], ", ", args[1], ")");
}

// "lambda x, i: body" with GoogleSQL's offset, where DuckDB's counts from 1.
std::string WithOffset(const std::string& lambda) {
  const size_t colon = lambda.find(':');
  const size_t comma = lambda.find(',');
  if (comma == std::string::npos || comma > colon) return lambda;
  const std::string index = FreshName({lambda});
  return StrCat(lambda.substr(0, comma + 1), " ", index, ": list_transform([", index, " - 1], lambda",
                lambda.substr(comma + 1, colon - comma), lambda.substr(colon + 1), ")[1]");
}

StatusOr<std::string> ArrayFilter(const FunctionCall&, const Texts& args) {
  return StrCat("list_filter(", args[0], ", ", WithOffset(args[1]), ")");
}
StatusOr<std::string> ArrayTransform(const FunctionCall&, const Texts& args) {
  return StrCat("list_transform(", args[0], ", ", WithOffset(args[1]), ")");
}
StatusOr<std::string> ArrayIncludesLambda(const FunctionCall&, const Texts& args) {
  return StrCat("(len(list_filter(", args[0], ", ", WithOffset(args[1]), ")) > 0)");
}

static_assert(base::kMaxGeneratedElements == 100'000, "the message of Bounded names it");

std::string UnlessStepIsZero(const FunctionCall& call, const Texts& a, std::string_view zero, std::string_view series) {
  return StrCat("(CASE WHEN ", a[2], " = ", zero, " AND ", a[0], " IS NOT NULL AND ", a[1], " IS NOT NULL THEN ",
                ErrorText(StrCat("'", NameOf(call), ": the step is 0'")), " ELSE ", series, " END)");
}

bool IsConstant(const FunctionCall& call) {
  bool constant = true;
  rewrite::VisitScalars(call, [&](const rewrite::Scalar& part) {
    constant = constant && part.kind != rewrite::ScalarKind::kColumn && part.kind != rewrite::ScalarKind::kSubquery;
  });
  return constant;
}

// `last`, unless there would be too many elements: `count` is about how many, a DOUBLE. The check stands within an argument,
// so that DuckDB can't make the array while it plans. Where each row, or each element that a lambda gets, has an array of its
// own, all that the engine makes in one step have a budget.
std::string Bounded(const FunctionCall& call, const std::string& last, const std::string& count) {
  const std::string budget = IsConstant(call)
                                 ? std::string()
                                 : StrCat(" WHEN NOT lq_fits(CAST(greatest(", count, ", 0) * 8 AS BIGINT)) THEN NULL");
  return StrCat("(CASE WHEN ", count, " > ", base::kMaxGeneratedElements, " THEN ",
                ErrorText(StrCat("'", NameOf(call), ": more than 100,000 elements'")), budget, " ELSE ", last, " END)");
}

StatusOr<std::string> GenerateArray(const FunctionCall& call, const Texts& args) {
  Texts all = args;
  if (all.size() < 3) all.push_back("1");
  return Once(all, [&](const Texts& a) {
    const std::string last = Bounded(call, a[1], FillTemplate("((CAST($2 AS DOUBLE) - $1) / CAST($3 AS DOUBLE))", a));
    const std::string series = StrCat("generate_series(", a[0], ", ", last, ", ", a[2], ")");
    const std::optional<int64_t> step = args.size() < 3 ? 1 : ConstantInt64(call, 2);
    return step.has_value() && *step != 0 ? series : UnlessStepIsZero(call, a, "0", series);
  });
}

// Each element from the first by a multiple of the step, of decimals or FLOAT64s.
StatusOr<std::string> GenerateNumbers(const FunctionCall& call, const Texts& args) {
  const bool decimal = call.arguments[0]->type.is(TypeKind::kNumeric);
  Texts all = args;
  if (all.size() < 3) all.push_back(decimal ? "CAST(1 AS DECIMAL(38, 9))" : "CAST(1 AS DOUBLE)");
  return Once(all, [&](const Texts& a) {
    const std::string i = FreshName(a);
    const std::string_view type = decimal ? "DECIMAL(38, 9)" : "DOUBLE";
    const std::string steps = FillTemplate("((CAST($2 AS DOUBLE) - CAST($1 AS DOUBLE)) / CAST($3 AS DOUBLE))", a);
    const std::string count = Bounded(call, StrCat("CAST(floor(", steps, ") AS BIGINT)"), steps);
    return UnlessStepIsZero(
        call, a, "0",
        StrCat("CASE WHEN ", a[2], " IS NOT NULL THEN list_transform(range(0, ", count, " + 1), lambda ", i, ": CAST(",
               a[0], " + ", i, " * ", a[2], " AS ", type, ")) END"));
  });
}

// Each date from the first by a multiple of the step, so that a month's end does not wander.
StatusOr<std::string> GenerateDateArray(const FunctionCall& call, const Texts& args) {
  Texts all = args;
  if (all.size() < 3) all.push_back("to_days(1)");
  return Once(all, [&](const Texts& a) {
    const std::string i = FreshName(a);
    const std::string steps =
        FillTemplate("(abs($2 - $1) // greatest(CAST(abs(date_part('epoch', $3)) / 86400 * 0.9 AS BIGINT), 1))", a);
    const std::string count = Bounded(call, steps, steps);
    const std::string all_dates = StrCat("list_transform(range(0, ", count, " + 2), lambda ", i, ": CAST(", a[0], " + ",
                                         i, " * ", a[2], " AS DATE))");
    const std::string dates = StrCat("CASE WHEN ", a[2], " > to_days(0) THEN list_filter(", all_dates, ", lambda ", i,
                                     ": ", i, " <= ", a[1], ") WHEN ", a[2], " < to_days(0) THEN list_filter(",
                                     all_dates, ", lambda ", i, ": ", i, " >= ", a[1], ") END");
    return UnlessStepIsZero(call, a, "to_days(0)", dates);
  });
}

StatusOr<std::string> GenerateTimestampArray(const FunctionCall& call, const Texts& args) {
  return Once(args, [&](const Texts& a) {
    const std::string steps =
        FillTemplate("(CAST(epoch_us($2) - epoch_us($1) AS DOUBLE) / (date_part('epoch', $3) * 1000000))", a);
    const std::string series = StrCat("generate_series(", a[0], ", ", Bounded(call, a[1], steps), ", ", a[2], ")");
    return UnlessStepIsZero(call, a, "to_days(0)", series);
  });
}

constexpr DuckDbFunctionEntry kEntries[] = {
    {"at_offset", AtOffset},
    {"at_ordinal", AtOrdinal},
    {"safe_at_offset", SafeAtOffset},
    {"safe_at_ordinal", SafeAtOrdinal},
    {"array_concat", ArrayConcat},
    {"array_first", ArrayFirst},
    {"array_slice", ArraySlice},
    {"array_to_string", ArrayToString},
    {"array_is_distinct", ArrayIsDistinct},
    {"array_includes", ArrayIncludes},
    {"array_includes_lambda", ArrayIncludesLambda},
    {"array_filter", ArrayFilter},
    {"array_transform", ArrayTransform},
    {"generate_array", GenerateArray},
    {"generate_numbers", GenerateNumbers},
    {"generate_date_array", GenerateDateArray},
    {"generate_timestamp_array", GenerateTimestampArray},
};

}  // namespace

DuckDbFunctionList DuckDbArrayFunctions() { return kEntries; }

}  // namespace logquery::emit
