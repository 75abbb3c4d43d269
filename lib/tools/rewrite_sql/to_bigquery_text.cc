// Functions on texts, and JSON in texts.
#include <algorithm>

#include "absl/strings/ascii.h"
#include "lib/base/status_macros.h"
#include "lib/base/strings.h"
#include "lib/clickhouse_sql/pattern_groups.h"
#include "lib/sql/printer.h"
#include "lib/tools/rewrite_sql/to_bigquery.h"

namespace logquery::tools {

using base::StrCat;

namespace {

struct Template {
  std::string_view name;
  size_t arguments;
  std::string_view text;  // $1, $2 … are the arguments
};

// Functions on texts and numbers whose meaning is the same for all arguments that their types allow.
constexpr Template kTemplates[] = {{"startsWith", 2, "STARTS_WITH($1, $2)"},
                                   {"endsWith", 2, "ENDS_WITH($1, $2)"},
                                   {"lowerUTF8", 1, "LOWER($1)"},
                                   {"upperUTF8", 1, "UPPER($1)"},
                                   {"length", 1, "BYTE_LENGTH($1)"},
                                   {"lengthUTF8", 1, "CHAR_LENGTH($1)"},
                                   {"positionUTF8", 2, "STRPOS($1, $2)"},
                                   {"reverseUTF8", 1, "REVERSE($1)"},
                                   {"replaceAll", 3, "REPLACE($1, $2, $3)"},
                                   {"trim", 1, "TRIM($1, ' ')"},
                                   {"ltrim", 1, "LTRIM($1, ' ')"},
                                   {"rtrim", 1, "RTRIM($1, ' ')"},
                                   {"trimBoth", 1, "TRIM($1, ' ')"},
                                   {"trimLeft", 1, "LTRIM($1, ' ')"},
                                   {"trimRight", 1, "RTRIM($1, ' ')"},
                                   {"isNaN", 1, "IS_NAN($1)"},
                                   {"isInfinite", 1, "IS_INF($1)"},
                                   {"abs", 1, "ABS($1)"}};

std::string Fill(std::string_view text, const std::vector<BqValue>& args) {
  std::string made;
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '$' && i + 1 < text.size()) {
      made += args[static_cast<size_t>(text[++i] - '1')].text;
    } else {
      made += text[i];
    }
  }
  return made;
}

bool AnyNullable(const std::vector<BqValue>& args) {
  return std::any_of(args.begin(), args.end(), [](const BqValue& arg) { return arg.nullable; });
}

bool IsAscii(std::string_view text) {
  return std::all_of(text.begin(), text.end(), [](char c) { return static_cast<unsigned char>(c) < 0x80; });
}

// The text with ASCII letters in the other case.
std::string AsciiCase(const std::string& text, bool to_lower) {
  constexpr std::string_view kLower = "abcdefghijklmnopqrstuvwxyz";
  constexpr std::string_view kUpper = "ABCDEFGHIJKLMNOPQRSTUVWXYZ";
  return StrCat("TRANSLATE(", text, ", '", to_lower ? kUpper : kLower, "', '", to_lower ? kLower : kUpper, "')");
}

bool IsPlainKey(std::string_view key) {
  return !key.empty() && !absl::ascii_isdigit(static_cast<unsigned char>(key.front())) &&
         std::all_of(key.begin(), key.end(), [](unsigned char c) { return absl::ascii_isalnum(c) || c == '_'; });
}

}  // namespace

// Regular expressions are RE2's in both languages. ClickHouse reads the first group only, where GoogleSQL takes one at most.
absl::StatusOr<BqValue> ToBigQuery::PatternCall(const ch::Expr& call, const std::string& name, Scope& scope,
                                                bool& handled) {
  const bool replaces = name == "replaceRegexpAll" || name == "replaceRegexpOne";
  const bool lists = name == "extractAll" || name == "countMatches";
  if ((name != "match" && name != "extract" && !replaces && !lists) || call.args.size() != (replaces ? 3 : 2))
    return handled = false, BqValue();
  if (call.args[1]->kind != ch::ExprKind::kString)
    return Unsupported(call.args[1]->span, "a pattern that is no literal");
  std::string pattern = call.args[1]->text;
  // At the beginning a pattern matches once.
  const bool once =
      pattern.starts_with("^") && pattern.find('|') == std::string::npos && pattern.find("(?") == std::string::npos;
  const bool first_only = name == "replaceRegexpOne" && !once;
  if (first_only) {
    Note(call.span, "REGEXP_REPLACE replaces all matches; what is before the first one is a group of its own");
    pattern = StrCat("(?s)\\A(.*?)(", pattern, ")");
  } else if (pattern.find('.') != std::string::npos) {
    Note(call.args[1]->span, "the dot of a pattern also matches a line's end in ClickHouse; (?s) says so");
    pattern = StrCat("(?s)", pattern);
  }
  if (name == "countMatches") pattern = ch::WithGroups(pattern, 0);
  if (name == "extract" || name == "extractAll") pattern = ch::WithGroups(pattern, 1);
  LOGQUERY_ASSIGN_OR_RETURN(const BqValue value, Value(*call.args[0], scope));
  const std::string by = sql::QuoteString(pattern);
  if (name == "match")
    return BqValue{StrCat("REGEXP_CONTAINS(", value.text, ", ", by, ")"), Binds::kPrimary, true, value.nullable};
  if (value.nullable) return Unsupported(call.span, StrCat(name, " of a text that may be NULL"));
  if (name == "extract") return BqValue{StrCat("IFNULL(REGEXP_EXTRACT(", value.text, ", ", by, "), '')")};
  if (lists) {
    std::string all = StrCat("REGEXP_EXTRACT_ALL(", value.text, ", ", by, ")");
    return BqValue{name == "extractAll" ? std::move(all) : StrCat("ARRAY_LENGTH(", all, ")")};
  }
  if (call.args[2]->kind != ch::ExprKind::kString)
    return Unsupported(call.args[2]->span, "a replacement that is no literal");
  std::string with = call.args[2]->text;
  if (first_only) with = ch::ReplacementAfterPrefix(with);
  return BqValue{StrCat("REGEXP_REPLACE(", value.text, ", ", by, ", ", sql::QuoteString(with), ")")};
}

// JSONExtractString(text, 'key' …): the text at this path, and '' for other values.
absl::StatusOr<BqValue> ToBigQuery::JsonText(const ch::Expr& call, Scope& scope) {
  std::string path = "$";
  for (size_t i = 1; i < call.args.size(); ++i) {
    if (call.args[i]->kind != ch::ExprKind::kString || !IsPlainKey(call.args[i]->text))
      return Unsupported(call.args[i]->span, "a part of a path that is no literal name");
    path += StrCat(".", call.args[i]->text);
  }
  LOGQUERY_ASSIGN_OR_RETURN(const BqValue text, Value(*call.args[0], scope));
  if (text.nullable) return Unsupported(call.span, "JSONExtractString of a text that may be NULL");
  const std::string json = StrCat("SAFE.PARSE_JSON(", text.text, ", wide_number_mode => 'round')");
  const std::string place = sql::QuoteString(path);
  Note(call.span, "JSONExtractString is '' for other values than texts; JSON_TYPE tells which they are");
  return BqValue{
      StrCat("IF(JSON_TYPE(JSON_QUERY(", json, ", ", place, ")) = 'string', JSON_VALUE(", json, ", ", place, "), '')")};
}

// position and substring count bytes.
absl::StatusOr<BqValue> ToBigQuery::ByteCall(const ch::Expr& call, const std::string& name, Scope& scope,
                                             bool& handled) {
  if ((name == "position" || name == "positionCaseInsensitive") && call.args.size() == 2) {
    const ch::Expr& wanted = *call.args[1];
    if (wanted.kind != ch::ExprKind::kString || wanted.text.empty() || !TypeOf(*call.args[0]).Is(ch::ChKind::kString))
      return Unsupported(call.span, StrCat(name, " of another text than a literal"));
    const bool any_case = name == "positionCaseInsensitive";
    if (any_case && !IsAscii(wanted.text))
      return Unsupported(call.args[1]->span, StrCat(name, " of other letters than those of ASCII"));
    LOGQUERY_ASSIGN_OR_RETURN(const BqValue text, Value(*call.args[0], scope));
    Note(call.span, "position counts bytes in ClickHouse, and STRPOS of BYTES does");
    const std::string searched = any_case ? AsciiCase(text.text, /*to_lower=*/true) : text.text;
    const std::string found = sql::QuoteString(any_case ? base::ToLower(wanted.text) : wanted.text);
    return BqValue{StrCat("STRPOS(CAST(", searched, " AS BYTES), CAST(", found, " AS BYTES))"), Binds::kPrimary, false,
                   text.nullable};
  }
  const bool cuts = (name == "substring" || name == "substr" || name == "mid") && call.args.size() >= 2;
  if (!cuts && !(name == "left" && call.args.size() == 2)) return handled = false, BqValue();
  const ch::Expr& length = *call.args.back();
  const bool from_begin =
      !cuts || (call.args.size() == 3 && call.args[1]->kind == ch::ExprKind::kNumber && call.args[1]->text == "1");
  const bool literal =
      length.kind == ch::ExprKind::kNumber && length.text.find_first_not_of("0123456789") == std::string::npos;
  if (!from_begin || !literal || !TypeOf(*call.args[0]).Is(ch::ChKind::kString)) {
    return Unsupported(call.span,
                       StrCat(name, ", but for the first bytes: it may cut a character; write substringUTF8"));
  }
  LOGQUERY_ASSIGN_OR_RETURN(const BqValue text, Value(*call.args[0], scope));
  Note(call.span, StrCat(name, " counts bytes in ClickHouse; a character that is cut is U+FFFD in BigQuery"));
  return BqValue{StrCat("SAFE_CONVERT_BYTES_TO_STRING(SUBSTR(CAST(", text.text, " AS BYTES), 1, ", length.text, "))"),
                 Binds::kPrimary, false, text.nullable};
}

absl::StatusOr<BqValue> ToBigQuery::TextCall(const ch::Expr& call, const std::string& name, Scope& scope,
                                             bool& handled) {
  if (absl::StatusOr<BqValue> pattern = PatternCall(call, name, scope, handled); handled || !pattern.ok())
    return pattern;
  handled = true;
  if (absl::StatusOr<BqValue> url = UrlCall(call, name, scope, handled); handled || !url.ok()) return url;
  handled = true;
  if (name == "JSONExtractString" && call.args.size() >= 2) return JsonText(call, scope);
  if ((name == "lower" || name == "upper") && call.args.size() == 1) {
    LOGQUERY_ASSIGN_OR_RETURN(BqValue value, Value(*call.args[0], scope));
    Note(call.span, "lower and upper change ASCII letters only in ClickHouse; TRANSLATE does the same");
    return BqValue{AsciiCase(value.text, name == "lower"), Binds::kPrimary, false, value.nullable};
  }
  if (absl::StatusOr<BqValue> bytes = ByteCall(call, name, scope, handled); handled || !bytes.ok()) return bytes;
  handled = true;
  if (name == "substringUTF8" && (call.args.size() == 2 || call.args.size() == 3)) {
    for (size_t i = 1; i < call.args.size(); ++i) {
      const std::string& text = call.args[i]->text;
      const bool counts = call.args[i]->kind == ch::ExprKind::kNumber &&
                          text.find_first_not_of("0123456789") == std::string::npos && (i == 2 || text != "0");
      if (!counts)
        return Unsupported(call.args[i]->span, "substringUTF8 with a place or length that is no positive literal");
    }
    LOGQUERY_ASSIGN_OR_RETURN(const BqValue value, Value(*call.args[0], scope));
    const std::string length = call.args.size() == 3 ? StrCat(", ", call.args[2]->text) : "";
    return BqValue{StrCat("SUBSTR(", value.text, ", ", call.args[1]->text, length, ")"), Binds::kPrimary, false,
                   value.nullable};
  }
  if (name == "concat" && !call.args.empty()) {
    std::vector<std::string> parts;
    bool nullable = false;
    for (const ch::ExprPtr& arg : call.args) {
      const ch::ChType type = TypeOf(*arg);
      if (!type.Is(ch::ChKind::kString) && !type.Is(ch::ChKind::kNothing))
        return Unsupported(arg->span, "concat of other values than texts");
      LOGQUERY_ASSIGN_OR_RETURN(BqValue value, Value(*arg, scope));
      nullable = nullable || value.nullable;
      parts.push_back(value.text);
    }
    return BqValue{StrCat("CONCAT(", base::Join(parts, ", "), ")"), Binds::kPrimary, false, nullable};
  }
  for (const Template& row : kTemplates) {
    if (row.name != name || row.arguments != call.args.size()) continue;
    std::vector<BqValue> args;
    for (const ch::ExprPtr& arg : call.args) {
      if (TypeOf(*arg).Is(ch::ChKind::kArray) || TypeOf(*arg).Is(ch::ChKind::kMap))
        return Unsupported(arg->span, StrCat(name, " of a list or map"));
      LOGQUERY_ASSIGN_OR_RETURN(BqValue value, Value(*arg, scope));
      args.push_back(std::move(value));
    }
    const bool condition = name == "startsWith" || name == "endsWith" || name == "isNaN" || name == "isInfinite";
    return BqValue{Fill(row.text, args), Binds::kPrimary, condition, AnyNullable(args)};
  }
  handled = false;
  return BqValue();
}

}  // namespace logquery::tools
