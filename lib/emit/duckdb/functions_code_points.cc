// Characters as numbers, and hosts and addresses in text.
#include "lib/emit/duckdb/function_texts.h"

namespace logquery::emit {
namespace {

using absl::StatusOr;
using rewrite::FunctionCall;

StatusOr<std::string> Unicode(const FunctionCall&, const Texts& args) {
  return Once(args, [](const Texts& a) {
    return StrCat("CAST(CASE WHEN ", a[0], " = '' THEN 0 ELSE unicode(", a[0], ") END AS BIGINT)");
  });
}

StatusOr<std::string> Ascii(const FunctionCall&, const Texts& args) {
  return Once(args, [](const Texts& a) {
    return StrCat("CAST(CASE WHEN ", a[0], " = '' THEN 0 WHEN unicode(", a[0], ") > 127 THEN ",
                  ErrorText("'ASCII: the first character is not ASCII'"), " ELSE unicode(", a[0], ") END AS BIGINT)");
  });
}

std::string IsCodePoint(const std::string& text) {
  return StrCat("(", text, " BETWEEN 0 AND 55295 OR ", text, " BETWEEN 57344 AND 1114111)");
}

std::string ChrText(const std::string& text) {
  return StrCat("CASE WHEN ", text, " = 0 THEN '' WHEN ", IsCodePoint(text), " THEN chr(CAST(", text,
                " AS INTEGER)) WHEN ", text, " IS NOT NULL THEN ", ErrorText(StrCat("'Invalid codepoint ' || ", text)),
                " END");
}

StatusOr<std::string> Chr(const FunctionCall&, const Texts& args) {
  return Once(args, [](const Texts& a) { return StrCat("(", ChrText(a[0]), ")"); });
}

StatusOr<std::string> ToCodePoints(const FunctionCall&, const Texts& args) {
  const std::string name = FreshName(args);
  return StrCat("list_transform(regexp_extract_all(", args[0], ", '(?s).'), lambda ", name, ": CAST(unicode(", name,
                ") AS BIGINT))");
}

// NULL when one of them is.
StatusOr<std::string> CodePointsToString(const FunctionCall&, const Texts& args) {
  return Once(args, [](const Texts& a) {
    const std::string name = FreshName(a);
    return StrCat("(CASE WHEN len(", a[0], ") = 0 THEN '' WHEN list_position(", a[0],
                  ", NULL) IS NULL THEN array_to_string(list_transform(", a[0], ", lambda ", name, ": ", ChrText(name),
                  "), '') END)");
  });
}

StatusOr<std::string> CodePointsToBytes(const FunctionCall&, const Texts& args) {
  return Once(args, [](const Texts& a) {
    const std::string name = FreshName(a);
    return StrCat("unhex(CASE WHEN len(", a[0], ") = 0 THEN '' WHEN list_position(", a[0],
                  ", NULL) IS NULL THEN array_to_string(list_transform(", a[0], ", lambda ", name, ": CASE WHEN ", name,
                  " BETWEEN 0 AND 255 THEN printf('%02x', ", name, ") ELSE ",
                  ErrorText(StrCat("'Invalid extended ASCII code point ' || ", name)), " END), '') END)");
  });
}

// The host in a URL: behind the scheme and the last @, up to a slash, ?, # or colon, without dots before it.
StatusOr<std::string> NetHost(const FunctionCall&, const Texts& args) {
  std::string text = StrCat("trim(", args[0], ", '\t\n\v\f\r ')");
  text = StrCat("regexp_replace(", text, ", '^(?:[/\\\\]{2}|[^:/?#\\\\]*:[/\\\\]{2})', '')");
  text = StrCat("regexp_extract(", text, ", '^[^/?#\\\\]*')");
  text = StrCat("regexp_replace(", text, ", '^(?s:.*)@', '')");
  text = StrCat("regexp_extract(", text, ", '^(?:\\[[^\\[\\]]*[\\[\\]]?)?[^:]*')");
  return StrCat("NULLIF(regexp_replace(ltrim(", text, ", '.'), '\\.+$', '.'), '')");
}

constexpr DuckDbFunctionEntry kEntries[] = {
    {"unicode", Unicode},
    {"ascii", Ascii},
    {"chr", Chr},
    {"to_code_points", ToCodePoints},
    {"code_points_to_string", CodePointsToString},
    {"code_points_to_bytes", CodePointsToBytes},
    {"net_host", NetHost},
};

}  // namespace

DuckDbFunctionList DuckDbCodePointFunctions() { return kEntries; }

}  // namespace logquery::emit
