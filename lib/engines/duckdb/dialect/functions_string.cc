// String functions whose DuckDB text depends on their arguments.
#include <algorithm>

#include "lib/engines/duckdb/dialect/function_texts.h"
#include "lib/rewrite/scalars.h"

namespace logquery::emit {

std::string_view WhiteSpaceLiteral() {
  // Unicode's White_Space.
  return "'\t\n\v\f\r \u0085\u00A0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200A\u2028\u2029"
         "\u202F\u205F\u3000'";
}

namespace {

using absl::StatusOr;
using rewrite::FunctionCall;

// The limit for a position or length in DuckDB's substr; no text is longer.
constexpr int64_t kMaxPosition = 4'000'000'000;

// `text` is a name or a literal.
Sql Clamp(const FunctionCall& call, size_t index, const Sql& text) {
  if (const std::optional<int64_t> value = ConstantInt64(call, index)) {
    return Cat(std::clamp(*value, -kMaxPosition, kMaxPosition));
  }
  return Cat("CASE WHEN ", text, " > ", kMaxPosition, " THEN ", kMaxPosition, " WHEN ", text, " < -", kMaxPosition,
             " THEN -", kMaxPosition, " ELSE ", text, " END");
}

// Position 0, and one left of the text, mean 1; a negative length is an error.
StatusOr<Sql> Substr(const FunctionCall& call, const Texts& args) {
  const std::optional<int64_t> position = ConstantInt64(call, 1);
  const std::optional<int64_t> length = ConstantInt64(call, 2);
  Sql rest;
  if (args.size() > 2) rest = Cat(", ", Clamp(call, 2, args[2]));
  const bool length_fits = args.size() < 3 || (length.has_value() && *length >= 0);
  if (length_fits && position.has_value() && *position >= 0) {
    return Cat("substr(", args[0], ", ", Clamp(call, 1, args[1]) == "0" ? "1" : Clamp(call, 1, args[1]), rest, ")");
  }
  return Once(args, [&](const Texts& a) {
    const Sql at = Cat("(", Clamp(call, 1, a[1]), ")");
    Sql tail = a.size() > 2 ? Cat(", ", Clamp(call, 2, a[2])) : "";
    Sql text = Cat("substr(", a[0], ", CASE WHEN ", at, " = 0 OR ", at, " < -length(", a[0], ") THEN 1 ELSE ", at,
                   " END", tail, ")");
    if (length_fits) return text;
    return Cat("(CASE WHEN ", a[2], " < 0 AND ", a[0], " IS NOT NULL AND ", a[1], " IS NOT NULL THEN ",
               ErrorText(Cat("'", NameOf(call), ": length is negative'")), " ELSE ", text, " END)");
  });
}

StatusOr<Sql> Trim(const FunctionCall& call, const Texts& args) {
  const Sql characters = args.size() > 1 ? args[1] : Sql(WhiteSpaceLiteral());
  return Cat("lq_", base::ToLower(NameOf(call)), "(", args[0], ", ", characters, ")");
}

// A function of ours for STRINGs, or that for BYTES.
Sql OurFunction(const FunctionCall& call, std::string_view name, const Texts& args) {
  const bool bytes = call.arguments[0]->type.is(TypeKind::kBytes);
  return Cat(bytes ? "lq_bytes_" : "lq_", name, "(", JoinTexts(args, ", "), ")");
}

StatusOr<Sql> Pad(const FunctionCall& call, const Texts& args) {
  Texts all = args;
  if (all.size() < 3) all.push_back(call.type.is(TypeKind::kBytes) ? "'\\x20'::BLOB" : "' '");
  return OurFunction(call, base::ToLower(NameOf(call)), all);
}

// Returns whether DuckDB searches for this constant in bounded time: it compares from the beginning at each place.
bool IsQuicklyFound(const FunctionCall& call, size_t index) {
  constexpr size_t kShort = 64;
  const std::optional<std::string> part = ConstantString(call, index);
  return part.has_value() && !part->empty() && part->size() <= kShort;
}

// DuckDB's own is faster, and takes as much memory as the texts have parts.
StatusOr<Sql> Split(const FunctionCall& call, const Texts& args) {
  const Sql delimiter = args.size() > 1 ? args[1] : Sql("','");
  if (args.size() > 1 && !IsQuicklyFound(call, 1)) return Cat("lq_split(", args[0], ", ", delimiter, ")");
  const bool is_bounded = rewrite::IsCallOf(*call.arguments[0], "$bounded");
  return Cat("string_split(", is_bounded ? args[0] : Cat("lq_bounded(", args[0], ")"), ", ", delimiter, ")");
}

// An argument that may not be negative.
Sql UnlessNegative(const FunctionCall& call, const Texts& args, size_t index,
                   absl::FunctionRef<Sql(const Texts&)> make) {
  const std::optional<int64_t> constant = ConstantInt64(call, index);
  if (constant.has_value() && *constant >= 0) return make(args);
  return Once(args, [&](const Texts& a) {
    return Cat("(CASE WHEN ", a[index], " < 0 AND ", a[0], " IS NOT NULL THEN ",
               ErrorText(Cat("'", NameOf(call), ": the second argument is negative'")), " ELSE ", make(a), " END)");
  });
}

StatusOr<Sql> Left(const FunctionCall& call, const Texts& args) {
  const std::string function = base::ToLower(NameOf(call));
  return UnlessNegative(
      call, args, 1, [&](const Texts& a) { return Cat("\"", function, "\"(", a[0], ", ", Clamp(call, 1, a[1]), ")"); });
}

// DuckDB makes ß the capital ẞ.
StatusOr<Sql> Upper(const FunctionCall&, const Texts& args) {
  return Cat("upper(lq_replace(", args[0], ", 'ß', 'ss'))");
}

// The first character of each word in capitals, the others small.
StatusOr<Sql> InitCap(const FunctionCall&, const Texts& args) {
  const std::string_view white = WhiteSpaceLiteral();
  const Sql delimiters = args.size() > 1 ? args[1] : Cat("'[](){}/|\\<>!?@\"#$&~_,.:;*%+-^", white.substr(1));
  const Sql piece = FreshName(args);
  const Sql place = NameBeside(piece, "i");
  return Cat("array_to_string(list_transform(lq_words(", args[0], ", ", delimiters, "), lambda ", piece, ", ", place,
             ": CASE WHEN ", place, " % 2 = 1 THEN upper(", piece, ") ELSE lower(", piece, ") END), '')");
}

// Places count from 1, from the end when negative. The n-th place where the text holds the other; 0 when there is none.
StatusOr<Sql> InStr(const FunctionCall& call, const Texts& args) {
  Texts all = args;
  while (all.size() < 4) all.push_back("1");
  return OurFunction(call, "instr", all);
}

StatusOr<Sql> StrPos(const FunctionCall& call, const Texts& args) {
  return Cat(IsQuicklyFound(call, 1) ? "strpos(" : "lq_strpos(", args[0], ", ", args[1], ")");
}

StatusOr<Sql> EditDistance(const FunctionCall& call, const Texts& args) {
  Texts all = args;
  if (all.size() < 3) all.push_back(Cat(INT64_MAX));
  return OurFunction(call, "edit_distance", all);
}

constexpr DuckDbFunctionEntry kEntries[] = {
    {"substr", Substr},   {"trim", Trim},   {"pad", Pad},
    {"split", Split},     {"left", Left},   {"upper", Upper},
    {"initcap", InitCap}, {"instr", InStr}, {"edit_distance", EditDistance},
    {"strpos", StrPos},
};

}  // namespace

DuckDbFunctionList DuckDbStringFunctions() { return kEntries; }

}  // namespace logquery::emit
