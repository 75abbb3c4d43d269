#include <algorithm>

#include "lib/emit/duckdb_function_texts.h"

namespace logquery::emit {
namespace {

using absl::StatusOr;
using rewrite::FunctionCall;

// Unicode's White_Space, which GoogleSQL's TRIM takes off and DuckDB's does not.
constexpr char kWhiteSpace[] =
    "'\t\n\v\f\r \u0085\u00A0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200A\u2028\u2029\u202F"
    "\u205F\u3000'";

// DuckDB's substr takes no larger position or length, and no text is longer.
constexpr int64_t kMaxPosition = 4'000'000'000;

std::string Clamp(const FunctionCall& call, size_t index, const std::string& text) {
  if (const std::optional<int64_t> value = ConstantInt64(call, index)) {
    return StrCat(std::clamp(*value, -kMaxPosition, kMaxPosition));
  }
  return StrCat("LEAST(GREATEST(", text, ", -", kMaxPosition, "), ", kMaxPosition, ")");
}

// Position 0, and one left of the text, mean 1; a negative length is an error.
StatusOr<std::string> Substr(const FunctionCall& call, const Texts& args) {
  const std::optional<int64_t> position = ConstantInt64(call, 1);
  const std::optional<int64_t> length = ConstantInt64(call, 2);
  std::string rest;
  if (args.size() > 2) rest = StrCat(", ", Clamp(call, 2, args[2]));
  const bool length_fits = args.size() < 3 || (length.has_value() && *length >= 0);
  if (length_fits && position.has_value() && *position >= 0) {
    return StrCat("substr(", args[0], ", ", Clamp(call, 1, args[1]) == "0" ? "1" : Clamp(call, 1, args[1]), rest, ")");
  }
  return Once(args, [&](const Texts& a) {
    const std::string at = Clamp(call, 1, a[1]);
    std::string tail = a.size() > 2 ? StrCat(", ", Clamp(call, 2, a[2])) : "";
    std::string text = StrCat("substr(", a[0], ", CASE WHEN ", at, " = 0 OR ", at, " < -length(", a[0],
                              ") THEN 1 ELSE ", at, " END", tail, ")");
    if (length_fits) return text;
    return StrCat("(CASE WHEN ", a[2], " < 0 AND ", a[0], " IS NOT NULL AND ", a[1], " IS NOT NULL THEN ",
                  ErrorText(StrCat("'", NameOf(call), ": length is negative'")), " ELSE ", text, " END)");
  });
}

std::string TrimText(std::string_view function, const Texts& args) {
  return StrCat(function, "(", args[0], ", ", args.size() > 1 ? args[1] : kWhiteSpace, ")");
}

StatusOr<std::string> Trim(const FunctionCall&, const Texts& args) { return TrimText("trim", args); }
StatusOr<std::string> LTrim(const FunctionCall&, const Texts& args) { return TrimText("ltrim", args); }
StatusOr<std::string> RTrim(const FunctionCall&, const Texts& args) { return TrimText("rtrim", args); }

StatusOr<std::string> Pad(const FunctionCall& call, const Texts& args, std::string_view function) {
  Texts all = args;
  if (all.size() < 3) all.push_back("' '");
  const std::optional<int64_t> length = ConstantInt64(call, 1);
  const std::optional<std::string> pattern = args.size() < 3 ? " " : ConstantString(call, 2);
  if (length.has_value() && *length >= 0 && pattern.has_value() && !pattern->empty()) {
    return StrCat(function, "(", all[0], ", CAST(", all[1], " AS INTEGER), ", all[2], ")");
  }
  return Once(all, [&](const Texts& a) {
    return StrCat("(CASE WHEN (", a[1], " < 0 OR ", a[2], " = '') AND ", a[0], " IS NOT NULL AND ", a[1],
                  " IS NOT NULL AND ", a[2], " IS NOT NULL THEN ",
                  ErrorText(StrCat("'", NameOf(call), ": the length is negative or the pattern empty'")), " ELSE ",
                  function, "(", a[0], ", CAST(", a[1], " AS INTEGER), ", a[2], ") END)");
  });
}

StatusOr<std::string> LPad(const FunctionCall& call, const Texts& args) { return Pad(call, args, "lpad"); }
StatusOr<std::string> RPad(const FunctionCall& call, const Texts& args) { return Pad(call, args, "rpad"); }

// By code points, where DuckDB's reverse goes by graphemes.
StatusOr<std::string> Reverse(const FunctionCall&, const Texts& args) {
  return StrCat("array_to_string(list_reverse(string_split(", args[0], ", '')), '')");
}

StatusOr<std::string> Split(const FunctionCall& call, const Texts& args) {
  if (args.size() == 1) return StrCat("string_split(", args[0], ", ',')");
  if (ConstantOf(call, 1) != nullptr) return StrCat("string_split(", args[0], ", ", args[1], ")");
  return Once(args, [](const Texts& a) {
    return StrCat("(CASE WHEN ", a[1], " IS NOT NULL THEN string_split(", a[0], ", ", a[1], ") END)");
  });
}

constexpr DuckDbFunctionEntry kEntries[] = {
    {"substr", Substr}, {"trim", Trim}, {"ltrim", LTrim},     {"rtrim", RTrim},
    {"lpad", LPad},     {"rpad", RPad}, {"reverse", Reverse}, {"split", Split},
};

}  // namespace

DuckDbFunctionList DuckDbStringFunctions() { return kEntries; }

}  // namespace logquery::emit
