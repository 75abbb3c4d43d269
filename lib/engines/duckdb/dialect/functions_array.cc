// Arrays: element access, GENERATE_ARRAY and similar functions, and functions on whole arrays.
#include <algorithm>
#include <limits>

#include "lib/base/limits.h"
#include "lib/engines/duckdb/dialect/function_texts.h"
#include "lib/engines/duckdb/dialect/types.h"
#include "lib/rewrite/plan_walk.h"

namespace logquery::emit {
namespace {

using absl::StatusOr;
using rewrite::FunctionCall;

// If DuckDB finds a list or a position to be NULL while it plans, it returns a NULL without a type.
Sql Extract(const FunctionCall& call, const Sql& list, const Sql& place, bool typed) {
  const Sql element = ListElement(list, place);
  return typed ? element : CastText(element, DuckDbType(call.type));
}

// Returns whether the value is read from a row, and so unknown while a query is planned.
bool IsStored(const rewrite::Scalar& scalar) {
  return scalar.kind == rewrite::ScalarKind::kColumn || scalar.kind == rewrite::ScalarKind::kField;
}

// arr[i] with `first` for the place of the first element; `safe`: NULL outside of the array, else an error.
Sql Element(const FunctionCall& call, const Texts& args, int64_t first, bool safe) {
  const std::optional<int64_t> constant = ConstantInt64(call, 1);
  // No array is so long that its last places matter.
  constexpr int64_t kLast = std::numeric_limits<int64_t>::max() - 1;
  const auto place = [&](const Sql& index) {
    if (constant.has_value()) return Cat(std::min(*constant, kLast) + (first == 1 ? 0 : 1));
    if (first == 1) return index;
    return safe ? Cat("LEAST(", index, ", ", kLast, ") + 1") : Cat(index, " + 1");
  };
  const bool typed = constant.has_value() && IsStored(*call.arguments[0]);
  if (safe && constant.has_value()) {
    // DuckDB counts negative places from the end; there is none at 0.
    return Extract(call, args[0], *constant < first ? "0" : place(args[1]), typed);
  }
  return Once(args, [&](const Texts& a) {
    const Sql element = Extract(call, a[0], place(a[1]), typed);
    if (safe) return Cat("(CASE WHEN ", a[1], " >= ", first, " THEN ", element, " END)");
    return Cat("(CASE WHEN (", a[1], " < ", first, " AND ", a[0], " IS NOT NULL) OR ", a[1], " >= len(", a[0], ") + ",
               first, " THEN ", ErrorText(Cat("'Array index ' || ", a[1], " || ' is out of bounds'")), " ELSE ",
               element, " END)");
  });
}

StatusOr<Sql> AtOffset(const FunctionCall& c, const Texts& args) { return Element(c, args, 0, false); }
StatusOr<Sql> AtOrdinal(const FunctionCall& c, const Texts& args) { return Element(c, args, 1, false); }
StatusOr<Sql> SafeAtOffset(const FunctionCall& c, const Texts& args) { return Element(c, args, 0, true); }
StatusOr<Sql> SafeAtOrdinal(const FunctionCall& c, const Texts& args) { return Element(c, args, 1, true); }

// NULL when one of them is, where DuckDB takes a NULL list for an empty one.
StatusOr<Sql> ArrayConcat(const FunctionCall&, const Texts& args) {
  if (args.size() == 1) return args[0];
  return Once(args, [](const Texts& a) {
    Texts present;
    for (const Sql& list : a) present.push_back(Cat("(", list, " IS NOT NULL)"));
    const Sql joined = Cat("list_concat(", JoinTexts(a, ", "), ")");
    Texts lengths;
    for (const Sql& list : a) lengths.push_back(Cat("len(", list, ")"));
    present.push_back(Cat("lq_fits(", Balanced(lengths, "+"), " * 16)"));
    return Cat("(CASE WHEN ", Balanced(present, "AND"), " THEN ", joined, " END)");
  });
}

StatusOr<Sql> ArrayFirst(const FunctionCall& call, const Texts& args) {
  const bool first = NameOf(call) == "ARRAY_FIRST";
  return Once(args, [&](const Texts& a) {
    return Cat("(CASE WHEN len(", a[0], ") = 0 THEN ",
               ErrorText(Cat("'", NameOf(call), " cannot get an element of an empty array'")), " ELSE ",
               Extract(call, a[0], first ? "1" : "-1", IsStored(*call.arguments[0])), " END)");
  });
}

// Both ends are included. Negative ends count from the end of the array, and ends outside of it are moved to it.
StatusOr<Sql> ArraySlice(const FunctionCall&, const Texts& args) {
  return Once(args, [](const Texts& a) {
    const auto place = [&](const Sql& index) {
      return Cat("CASE WHEN ", index, " < 0 THEN ", index, " + len(", a[0], ") ELSE ", index, " END + 1");
    };
    return Cat("(CASE WHEN ", a[1], " IS NOT NULL AND ", a[2], " IS NOT NULL THEN CASE WHEN ", place(a[2]),
               " < 1 THEN list_slice(", a[0], ", 1, 0) ELSE list_slice(", a[0], ", greatest(", place(a[1]), ", 1), ",
               place(a[2]), ") END END)");
  });
}

// NULLs are left out, unless there is a text for them.
StatusOr<Sql> ArrayToString(const FunctionCall& call, const Texts& args) {
  const std::string_view function = call.type.is(TypeKind::kBytes) ? "lq_bytes_join" : "lq_join";
  return Cat(function, args.size() > 2 ? "_nulls(" : "(", JoinTexts(args, ", "), ")");
}

StatusOr<Sql> ArrayIsDistinct(const FunctionCall&, const Texts& args) {
  return Once(args, [](const Texts& a) {
    const Sql x = FreshName(a);
    return Cat("(list_unique(", a[0], ") + least(len(list_filter(", a[0], ", lambda ", x, ": ", x,
               " IS NULL)), 1) = len(", a[0], "))");
  });
}

StatusOr<Sql> ArrayIncludes(const FunctionCall&, const Texts& args) {
  return Cat("list_contains(", args[0], ", ", args[1], ")");
}

StatusOr<Sql> ArrayFilter(const FunctionCall&, const Texts& args) {
  return Cat("list_filter(", args[0], ", ", args[1], ")");
}
StatusOr<Sql> ArrayTransform(const FunctionCall&, const Texts& args) {
  return Cat("list_transform(", args[0], ", ", args[1], ")");
}
StatusOr<Sql> ArrayIncludesLambda(const FunctionCall&, const Texts& args) {
  return Cat("(len(list_filter(", args[0], ", ", args[1], ")) > 0)");
}

static_assert(base::kMaxGeneratedElements == 100'000, "the message of Bounded names it");

Sql UnlessStepIsZero(const FunctionCall& call, const Texts& a, std::string_view zero, const Sql& series) {
  return Cat("(CASE WHEN ", a[2], " = ", zero, " AND ", a[0], " IS NOT NULL AND ", a[1], " IS NOT NULL THEN ",
             ErrorText(Cat("'", NameOf(call), ": the step is 0'")), " ELSE ", series, " END)");
}

bool IsConstant(const FunctionCall& call) {
  bool constant = true;
  rewrite::VisitScalars(call, [&](const rewrite::Scalar& part) {
    constant = constant && part.kind != rewrite::ScalarKind::kColumn && part.kind != rewrite::ScalarKind::kSubquery;
  });
  return constant;
}

bool ReadsParameter(const FunctionCall& call) {
  bool reads = false;
  rewrite::VisitScalars(
      call, [&](const rewrite::Scalar& part) { reads = reads || part.kind == rewrite::ScalarKind::kParameter; });
  return reads;
}

// `last`, unless there would be too many elements: `count` is about how many, a DOUBLE. The check stands within an argument,
// so that DuckDB can't make the array while it plans. All arrays that the engine makes in one step, of a row or of an element
// that a lambda gets, have a budget, and so have all arrays of a query. An array of literals is made while the engine
// plans, which keeps each element as a value of its own. One of parameters is made once for each step.
Sql Bounded(const FunctionCall& call, const Sql& last, const Sql& count) {
  const Sql charge = Cat("lq_fits(CAST(greatest(", count, ", 0) * ", IsConstant(call) ? "32" : "8", " AS BIGINT))");
  const Sql budget = IsConstant(call) && ReadsParameter(call) ? Sql() : Cat(" WHEN NOT ", charge, " THEN NULL");
  return Cat("(CASE WHEN ", count, " > ", base::kMaxGeneratedElements, " THEN ",
             ErrorText(Cat("'", NameOf(call), ": more than 100,000 elements'")), budget, " ELSE ", last, " END)");
}

StatusOr<Sql> GenerateArray(const FunctionCall& call, const Texts& args) {
  Texts all = args;
  if (all.size() < 3) all.push_back(Sql::Simple("1"));
  return Once(all, [&](const Texts& a) {
    const Sql last = Bounded(call, a[1], FillTemplate("((CAST($2 AS DOUBLE) - $1) / CAST($3 AS DOUBLE))", a));
    const Sql series = Cat("generate_series(", a[0], ", ", last, ", ", a[2], ")");
    const std::optional<int64_t> step = args.size() < 3 ? 1 : ConstantInt64(call, 2);
    return step.has_value() && *step != 0 ? series : UnlessStepIsZero(call, a, "0", series);
  });
}

// Computes each element as the first plus a multiple of the step, for decimals and FLOAT64s.
StatusOr<Sql> GenerateNumbers(const FunctionCall& call, const Texts& args) {
  const bool decimal = call.arguments[0]->type.is(TypeKind::kNumeric);
  Texts all = args;
  if (all.size() < 3) all.push_back(Sql::Simple(decimal ? "CAST(1 AS DECIMAL(38, 9))" : "CAST(1 AS DOUBLE)"));
  return Once(all, [&](const Texts& a) {
    const Sql i = FreshName(a);
    const std::string_view type = decimal ? "DECIMAL(38, 9)" : "DOUBLE";
    const Sql steps = FillTemplate("((CAST($2 AS DOUBLE) - CAST($1 AS DOUBLE)) / CAST($3 AS DOUBLE))", a);
    const Sql count = Bounded(call, Cat("CAST(floor(", steps, ") AS BIGINT)"), steps);
    return UnlessStepIsZero(call, a, "0",
                            Cat("CASE WHEN ", a[2], " IS NOT NULL THEN list_transform(range(0, ", count,
                                " + 1), lambda ", i, ": CAST(", a[0], " + ", i, " * ", a[2], " AS ", type, ")) END"));
  });
}

// Computes each date as the first plus a multiple of the step, so that the end of a month does not drift.
StatusOr<Sql> GenerateDateArray(const FunctionCall& call, const Texts& args) {
  Texts all = args;
  if (all.size() < 3) all.push_back("to_days(1)");
  return Once(all, [&](const Texts& a) {
    const Sql i = FreshName(a);
    const Sql steps =
        FillTemplate("(abs($2 - $1) // greatest(CAST(abs(date_part('epoch', $3)) / 86400 * 0.9 AS BIGINT), 1))", a);
    const Sql count = Bounded(call, steps, steps);
    const Sql all_dates = Cat("list_transform(range(0, ", count, " + 2), lambda ", i, ": CAST(", a[0], " + ", i, " * ",
                              a[2], " AS DATE))");
    const Sql dates = Cat("CASE WHEN ", a[2], " > to_days(0) THEN list_filter(", all_dates, ", lambda ", i, ": ", i,
                          " <= ", a[1], ") WHEN ", a[2], " < to_days(0) THEN list_filter(", all_dates, ", lambda ", i,
                          ": ", i, " >= ", a[1], ") END");
    return UnlessStepIsZero(call, a, "to_days(0)", dates);
  });
}

StatusOr<Sql> GenerateTimestampArray(const FunctionCall& call, const Texts& args) {
  return Once(args, [&](const Texts& a) {
    const Sql steps =
        FillTemplate("(CAST(epoch_us($2) - epoch_us($1) AS DOUBLE) / (date_part('epoch', $3) * 1000000))", a);
    const Sql series = Cat("generate_series(", a[0], ", ", Bounded(call, a[1], steps), ", ", a[2], ")");
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
