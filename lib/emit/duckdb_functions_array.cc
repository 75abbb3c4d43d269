#include "lib/emit/duckdb_function_texts.h"

namespace logquery::emit {
namespace {

using absl::StatusOr;
using rewrite::FunctionCall;

// arr[i] with `first` for the place of the first element; `safe`: NULL outside of the array, else an error.
std::string Element(const FunctionCall& call, const Texts& args, int64_t first, bool safe) {
  const std::optional<int64_t> constant = ConstantInt64(call, 1);
  const auto place = [&](const std::string& index) {
    if (constant.has_value()) return StrCat(*constant - first + 1);
    return first == 1 ? index : StrCat(index, " + 1");
  };
  if (safe && constant.has_value()) {
    // DuckDB counts negative places from the end; there is none at 0.
    return StrCat("list_extract(", args[0], ", ", *constant < first ? "0" : place(args[1]), ")");
  }
  return Once(args, [&](const Texts& a) {
    const std::string element = StrCat("list_extract(", a[0], ", ", place(a[1]), ")");
    if (safe) return StrCat("(CASE WHEN ", a[1], " >= ", first, " THEN ", element, " END)");
    return StrCat("(CASE WHEN ", a[1], " < ", first, " OR ", a[1], " >= len(", a[0], ") + ", first, " THEN ",
                  ErrorText(StrCat("'Array index ' || ", a[1], " || ' is out of bounds'")), " ELSE ", element, " END)");
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
    return StrCat("(CASE WHEN ", Balanced(present, "AND"), " THEN ", joined, " END)");
  });
}

StatusOr<std::string> GenerateTimestampArray(const FunctionCall&, const Texts& args) {
  return Once(args, [](const Texts& a) {
    return StrCat("(CASE WHEN ", a[2], " = to_days(0) AND ", a[0], " IS NOT NULL AND ", a[1], " IS NOT NULL THEN ",
                  ErrorText("'GENERATE_TIMESTAMP_ARRAY: the step is 0'"), " ELSE generate_series(", a[0], ", ", a[1],
                  ", ", a[2], ") END)");
  });
}

constexpr DuckDbFunctionEntry kEntries[] = {
    {"at_offset", AtOffset},
    {"at_ordinal", AtOrdinal},
    {"safe_at_offset", SafeAtOffset},
    {"safe_at_ordinal", SafeAtOrdinal},
    {"array_concat", ArrayConcat},
    {"generate_timestamp_array", GenerateTimestampArray},
};

}  // namespace

DuckDbFunctionList DuckDbArrayFunctions() { return kEntries; }

}  // namespace logquery::emit
