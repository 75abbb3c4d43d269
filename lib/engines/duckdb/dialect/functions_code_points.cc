// Functions on code points.
#include "lib/engines/duckdb/dialect/function_texts.h"

namespace logquery::emit {
namespace {

using absl::StatusOr;
using rewrite::FunctionCall;

StatusOr<Sql> Unicode(const FunctionCall&, const Texts& args) {
  return Once(args, [](const Texts& a) {
    return Cat("CAST(CASE WHEN ", a[0], " = '' THEN 0 ELSE unicode(", a[0], ") END AS BIGINT)");
  });
}

StatusOr<Sql> Ascii(const FunctionCall&, const Texts& args) {
  return Once(args, [](const Texts& a) {
    return Cat("CAST(CASE WHEN ", a[0], " = '' THEN 0 WHEN unicode(", a[0], ") > 127 THEN ",
               ErrorText("'ASCII: the first character is not ASCII'"), " ELSE unicode(", a[0], ") END AS BIGINT)");
  });
}

Sql IsCodePoint(const Sql& text) {
  return Cat("(", text, " BETWEEN 0 AND 55295 OR ", text, " BETWEEN 57344 AND 1114111)");
}

Sql ChrText(const Sql& text) {
  return Cat("CASE WHEN ", IsCodePoint(text), " THEN chr(CAST(", text, " AS INTEGER)) WHEN ", text,
             " IS NOT NULL THEN ", ErrorText(Cat("'Invalid codepoint ' || ", text)), " END");
}

StatusOr<Sql> Chr(const FunctionCall&, const Texts& args) {
  return Once(args, [](const Texts& a) { return Cat("(", ChrText(a[0]), ")"); });
}

// NULL when one of them is.
StatusOr<Sql> CodePointsToString(const FunctionCall&, const Texts& args) {
  return Once(args, [](const Texts& a) {
    const Sql name = FreshName(a);
    return Cat("(CASE WHEN len(", a[0], ") = 0 THEN '' WHEN list_position(", a[0],
               ", NULL) IS NULL THEN array_to_string(list_transform(", a[0], ", lambda ", name, ": ", ChrText(name),
               "), '') END)");
  });
}

StatusOr<Sql> CodePointsToBytes(const FunctionCall&, const Texts& args) {
  return Once(args, [](const Texts& a) {
    const Sql name = FreshName(a);
    return Cat("unhex(CASE WHEN len(", a[0], ") = 0 THEN '' WHEN list_position(", a[0],
               ", NULL) IS NULL THEN array_to_string(list_transform(", a[0], ", lambda ", name, ": CASE WHEN ", name,
               " BETWEEN 0 AND 255 THEN printf('%02x', ", name, ") ELSE ",
               ErrorText(Cat("'Invalid extended ASCII code point ' || ", name)), " END), '') END)");
  });
}

constexpr DuckDbFunctionEntry kEntries[] = {
    {"unicode", Unicode},
    {"ascii", Ascii},
    {"chr", Chr},
    {"code_points_to_string", CodePointsToString},
    {"code_points_to_bytes", CodePointsToBytes},
};

}  // namespace

DuckDbFunctionList DuckDbCodePointFunctions() { return kEntries; }

}  // namespace logquery::emit
