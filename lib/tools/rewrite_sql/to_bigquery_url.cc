// Parts of URLs, as regular expressions that find the same text as ClickHouse's functions for every text, also for one that is
// no URL.
#include <algorithm>
#include <array>

#include "lib/base/status_macros.h"
#include "lib/base/strings.h"
#include "lib/sql/printer.h"
#include "lib/tools/rewrite_sql/to_bigquery.h"

namespace logquery::tools {

using base::StrCat;

namespace {

// A character class with all that ends the host, or with which a text is no URL; `also` are further characters of it.
std::string InHost(std::string_view also) { return StrCat("[^ \\t<>%{}|\\\\^~\\[\\];=&:/?#", also, "]"); }

// A raw text literal where the pattern has a backslash, so that it stands as it is written in a pattern's documentation.
std::string Pattern(const std::string& pattern) {
  const bool raw = pattern.find('\\') != std::string::npos && pattern.find('\'') == std::string::npos &&
                   pattern.find('\n') == std::string::npos;
  return raw ? StrCat("r'", pattern, "'") : sql::QuoteString(pattern);
}

std::string Extracted(const std::string& text, const std::string& pattern) {
  return StrCat("REGEXP_EXTRACT(", text, ", ", Pattern(pattern), ")");
}

std::string Replaced(const std::string& text, const std::string& pattern, std::string_view with) {
  return StrCat("REGEXP_REPLACE(", text, ", ", Pattern(pattern), ", ", Pattern(std::string(with)), ")");
}

std::string OrEmpty(const std::string& text) { return StrCat("IFNULL(", text, ", '')"); }

// A letter, then letters, digits and `+-.`, up to a colon behind which there are at least three bytes of UTF-8.
constexpr char kScheme[] = "^([A-Za-z][0-9A-Za-z.+-]*):(?s:...|.[^\\x00-\\x7f]|[^\\x00-\\x7f].|[^\\x00-\\x{7ff}])";

// The first slash, or where another follows at once, the next one behind both; and what follows up to the query.
std::string PathOf(const std::string& url) { return OrEmpty(Extracted(Replaced(url, "^[^/]*//", ""), "/[^?#]*")); }

// The host behind `scheme://` or `//`: it has a dot, before or behind an @, and does not end with one.
std::string HostOf(const std::string& url) {
  const std::string rest = Replaced(url, "^(?://|[\\x00-\\x7f][0-9A-Za-z.+-]*://)", "");
  constexpr std::string_view kEnd = "(?:[:/?#]|$)";
  const std::string in_user = InHost(""), in_host = InHost("@"), last = InHost("@.");
  const std::string dotted = StrCat("^(?:", in_user, "*@)?(", in_host, "*\\.", in_host, "*", last, ")", kEnd);
  const std::string after_dotted = StrCat("^", in_user, "*\\.", in_user, "*@(", in_host, "*", last, ")", kEnd);
  return StrCat("COALESCE(", Extracted(rest, dotted), ", ", Extracted(rest, after_dotted), ", '')");
}

// %XX is the byte; another % stays with the two bytes behind it. The bytes together are read as UTF-8.
std::string Decoded(const std::string& text) {
  return OrEmpty(StrCat(
      "(SELECT SAFE_CONVERT_BYTES_TO_STRING(STRING_AGG(IF(REGEXP_CONTAINS(part, r'^%[0-9A-Fa-f]{2}$'), "
      "FROM_HEX(SUBSTR(part, 2)), CAST(part AS BYTES)), b'' ORDER BY place)) FROM UNNEST(REGEXP_EXTRACT_ALL(",
      text, ", r'%[0-9A-Fa-f]{2}|%[^\\x00-\\x7f]|%[\\x00-\\x7f](?s:.)|%|[^%]+')) AS part WITH OFFSET AS place)"));
}

// The name as a pattern that matches it alone; empty: no parameter of a query has it.
std::string NamePattern(std::string_view name) {
  std::string pattern;
  for (const char c : name) {
    const bool plain = (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' ||
                       static_cast<unsigned char>(c) >= 0x80;
    if (static_cast<unsigned char>(c) < ' ' || c == '&' || c == '#' || c == '?' || c == '\'') return "";
    pattern += plain ? std::string(1, c) : StrCat("\\", std::string(1, c));
  }
  return pattern;
}

}  // namespace

absl::StatusOr<BqValue> ToBigQuery::UrlCall(const ch::Expr& call, const std::string& name, Scope& scope,
                                            bool& handled) {
  constexpr std::array<std::string_view, 8> kNames = {
      "path",        "domain",         "domainWithoutWWW",    "protocol",
      "queryString", "cutQueryString", "extractURLParameter", "decodeURLComponent"};
  if (std::find(kNames.begin(), kNames.end(), name) == kNames.end() || call.args.empty())
    return handled = false, BqValue();
  LOGQUERY_ASSIGN_OR_RETURN(const BqValue value, Value(*call.args[0], scope));
  if (value.nullable) return Unsupported(call.span, StrCat(name, " of a text that may be NULL"));
  const std::string& url = value.text;
  Note(call.span, StrCat(name, " is written with regular expressions, which find the same part of every text"));
  if (name == "path") return BqValue{PathOf(url)};
  if (name == "domain") return BqValue{HostOf(url)};
  if (name == "domainWithoutWWW") return BqValue{Replaced(HostOf(url), "^www\\.", "")};
  if (name == "protocol") return BqValue{OrEmpty(Extracted(url, kScheme))};
  if (name == "queryString") return BqValue{OrEmpty(Extracted(url, "\\?([^#]*)"))};
  if (name == "cutQueryString") return BqValue{Replaced(url, "^([^?]*)\\?[^#]*", "\\1")};
  if (name == "decodeURLComponent") return BqValue{Decoded(url)};
  const bool literal = call.args.size() == 2 && call.args[1]->kind == ch::ExprKind::kString;
  const std::string parameter = literal ? NamePattern(call.args[1]->text) : "";
  if (parameter.empty()) return Unsupported(call.span, "extractURLParameter of a name that is no plain literal");
  return BqValue{OrEmpty(Extracted(url, StrCat("^[^?#]*[?#](?:|(?s:.*?)[?#&])", parameter, "=([^&#]*)")))};
}

}  // namespace logquery::tools
