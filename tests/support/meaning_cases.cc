// Values are those that engines differ on: cases of letters, empty text, ends of ranges, NULL, times before 1970.
#include "tests/support/meaning_cases.h"

#include "absl/strings/str_replace.h"
#include "lib/base/strings.h"

namespace logquery::testing {
namespace {

using base::StrCat;

// A column of each type that goes to engines, and two constants of it, of which the first is less.
struct Typed {
  const char* column;
  const char* less;
  const char* greater;
};

constexpr Typed kText = {"{s}", "'Z'", "'\u00e4'"};
constexpr Typed kNumber = {"{n}", "-1", "9007199254740993"};
constexpr Typed kBool = {"{b}", "false", "true"};
constexpr Typed kTime = {"{t}", "timestamp '1969-12-31 23:59:59.999999+00'",
                         "timestamp '2110-05-05 05:05:05.000001+00'"};
constexpr Typed kDate = {"{d}", "date '1969-12-31'", "date '2026-03-08'"};
constexpr Typed kDatetime = {"{dt}", "datetime '1969-12-31 23:59:59.999999'", "datetime '2110-05-05 05:05:05.000001'"};
constexpr Typed kFloat = {"{x}", "-0.0", "0.1"};

// Each operator that compares or chooses, over one column and two constants of its type. MORE are those of which engines have
// no FLOAT64.
constexpr const char* kForms[] = {"C = L",
                                  "C != L",
                                  "C < G",
                                  "C <= L",
                                  "C > L",
                                  "C >= G",
                                  "not (C <= G)",
                                  "C between L and G",
                                  "C not between L and G",
                                  "L between C and G",
                                  "C is null",
                                  "C is not null",
                                  "if({b}, C, L) = L",
                                  "if(C = G, C, null) is null",
                                  "ifnull(C, G) = G",
                                  "coalesce(C, null, L) <= L",
                                  "case when C > L then C else G end >= G"};
constexpr const char* kFormsOfSorted[] = {
    "C in (L, G)",          "C in (G, null)",          "C not in (L, G)",          "C not in (L, null)",
    "C is distinct from L", "C is distinct from null", "C is not distinct from G", "C is not distinct from null",
    "nullif(C, L) is null", "nullif(C, G) < G"};

template <size_t N>
void AddForms(const char* const (&forms)[N], const Typed& typed, std::vector<std::string>& out) {
  for (const char* const form : forms) {
    // Constants have no capitals but those in quotes.
    std::string text;
    for (const char c : std::string_view(form)) {
      if (c == 'C' || c == 'L' || c == 'G') {
        text += c == 'C' ? typed.column : c == 'L' ? typed.less : typed.greater;
      } else {
        text += c;
      }
    }
    out.push_back(std::move(text));
  }
}

void AddTexts(std::vector<std::string>& out) {
  for (const std::string& text : MeaningTexts()) {
    if (text.find('\\') != std::string::npos || text.find('\n') != std::string::npos ||
        text.find('\t') != std::string::npos)
      continue;
    for (const char* op : {"=", "<", "<=", ">="}) out.push_back(StrCat("{s} ", op, " '", text, "'"));
  }
}

void AddPatterns(std::vector<std::string>& out) {
  for (const char* const pattern :
       {"^a",       "b$",         "a.b",         "(?s)a.b",      "^.$",         "^$",           "",
        "(?i)B",    "(?i)\u00e4", "\\\\bco",     "co\\\\b",      "[[:alpha:]]", "\\\\d",        "\\\\D",
        "\\\\p{L}", "\\\\pL",     "\\\\w+",      "\\\\s",        "[^a]",        "a|b",          "(a)(b)?",
        "(?P<x>a)", "a*",         "x*",          "^a\\\\\\\\b$", "[\\\\[~]",    "\\\\x{1F600}", "\\\\Qa.b\\\\E",
        "(?m)^b",   "\\\\z",      "\\\\x{FFFD}", "it's",         "%",           "a{1,2}",       "(?U)a+",
        "\\\\pN",   "(?-s).",     "a\\\\tb"}) {
    out.push_back(StrCat("regexp_contains({s}, '", absl::StrReplaceAll(pattern, {{"'", "\\'"}}), "')"));
  }
}

// Conditions that all engines are asked.
std::vector<std::string> Conditions() {
  std::vector<std::string> conditions = {"{n} = 1",
                                         "{n} != 1",
                                         "{n} < 9223372036854775807",
                                         "{n} <= -9223372036854775808",
                                         "{n} between -1 and 1",
                                         "{n} in (0, 200, null)",
                                         "{n} not in (0, 200)",
                                         "{n} is distinct from 1",
                                         "not ({n} = 1)",
                                         "{n} = 1 or {s} = 'a'",
                                         "{n} is null and {s} is null",
                                         "({n} = 1) is true",
                                         "({n} = 1) is false",
                                         "({n} = 1) is not false",
                                         "{b} is true",
                                         "{b} is false",
                                         "{b} is not true",
                                         "{b}",
                                         "not {b}",
                                         "{b} and {n} is null",
                                         "{b} or {b} is null",
                                         "coalesce({n}, 5) = 5",
                                         "nullif({n}, 1) is null",
                                         "nullif({s}, 'a') is null",
                                         "if({n} > 0, {n}, -1) = -1",
                                         "if({b}, {n} is null, {b} is null)",
                                         "ifnull({s}, 'a') = 'a'",
                                         "case when {n} > 0 then 'p' when {n} < 0 then 'm' else 'o' end = 'o'",
                                         "case when {b} then 'x' when {n} = 1 then {s} end is null",
                                         "{t} < '1970-01-01'",
                                         "{t} >= timestamp '2026-03-08 07:00:00+00'",
                                         "{t} between timestamp '0001-01-01 00:00:00+00' and timestamp '9999-12-31 "
                                         "23:59:59.999999+00'",
                                         "timestamp_trunc({t}, day) = timestamp '2026-03-08 00:00:00+00'",
                                         "timestamp_trunc({t}, day) = timestamp '0001-01-01 00:00:00+00'",
                                         "timestamp_trunc({t}, hour) = timestamp '9999-12-31 23:00:00+00'",
                                         "timestamp_trunc({t}, hour) < '1970-01-01'",
                                         "timestamp_trunc({t}, minute) = '2110-05-05 05:05:00'",
                                         "timestamp_trunc({t}, second) = '1969-12-31 23:59:59'",
                                         "{d} = date '0001-01-01'",
                                         "{d} > date '1970-01-01'",
                                         "{d} < date '0001-01-02'",
                                         "{d} <= date '9999-12-31'",
                                         "length({s}) = 1",
                                         "char_length({s}) = 2",
                                         "character_length({s}) = 0",
                                         "character_length({s}) > char_length('\U0001F600')",
                                         "byte_length({s}) = 2",
                                         "byte_length({s}) = length({s})",
                                         "length({s}) > length({ms})",
                                         "starts_with({s}, 'a')",
                                         "starts_with({s}, '')",
                                         "starts_with({s}, 'e\u0301')",
                                         "starts_with({s}, 'e')",
                                         "starts_with({s}, {ms})",
                                         "strpos({s}, 'b') = 2",
                                         "strpos({s}, '') = 1",
                                         "strpos({s}, '\u00e4') = 1",
                                         "strpos({s}, '\u0301') = 2",
                                         "strpos({s}, '\U0001F600') = 1",
                                         "strpos({s}, {ms}) = 1",
                                         "strpos({s}, 'B') = 0",
                                         "{s} like 'a%'",
                                         "{s} like '_'",
                                         "{s} like '__'",
                                         "{s} like '\u00e4'",
                                         "{s} like '\u00e4%'",
                                         "{s} like '_\u0301'",
                                         "{s} like '%\U0001F600'",
                                         "{s} like '\uFFFD'",
                                         "{s} not like '%a%'",
                                         "{s} like '%\\\\%%'",
                                         "{s} like 'a\\\\_b'",
                                         "{s} like '%\\\\\\\\%'",
                                         "{s} like 'a\\\\\\\\b'",
                                         "{s} like '\\\\a'",
                                         "{s} like 'a\\nb'",
                                         "{s} like ''",
                                         "{s} in ('a', 'it\\'s', '\\\\')",
                                         "{ms} = 'a'",
                                         "{ms} is null",
                                         "{ms} in ('a', 'B', '')",
                                         "{ms} > 'a'",
                                         "{ms} like '%b'",
                                         "{mn} = 7",
                                         "{mn} in (7, 8)",
                                         "{mn} is not null",
                                         "{mn} < 9223372036854775807",
                                         "lower({s}) = 'a'",
                                         "lower({s}) != 'a'",
                                         "lower({s}) < 'k'",
                                         "lower({s}) <= 'i'",
                                         "lower({s}) > 'z'",
                                         "lower({s}) >= 'b'",
                                         "lower({s}) between 'a' and 'k'",
                                         "lower({s}) in ('i', 'k', 'a', 'b')",
                                         "lower({s}) like '%k%'",
                                         "lower({s}) like 'i%'",
                                         "lower({s}) like '_'",
                                         "lower({s}) like '%like _'",
                                         "lower({s}) not like '%a%'",
                                         "starts_with(lower({s}), 'i')",
                                         "ends_with(lower({s}), 'k')",
                                         "ends_with(lower({s}), 'i')",
                                         "strpos(lower({s}), 'i') = 2",
                                         "lower({ms}) = 'b'",
                                         "{s} ilike 'A%'",
                                         "{s} ilike '%K'",
                                         "{s} ilike 'I'",
                                         "{s} ilike '_\\\\_B'",
                                         "{s} not ilike '%I%'",
                                         "{n} in ({n}, 1)",
                                         "{n} in ({mn}, null)",
                                         "coalesce({n}, {mn}, 0) = 7",
                                         "ifnull({s}, {ms}) is null"};
  for (const Typed& typed : {kText, kNumber, kBool, kTime, kDate, kDatetime}) {
    AddForms(kForms, typed, conditions);
    AddForms(kFormsOfSorted, typed, conditions);
  }
  AddTexts(conditions);
  return conditions;
}

}  // namespace

const std::vector<std::string>& MeaningTexts() {
  static const auto& texts = *new std::vector<std::string>{
      "",       " ",      "a",     "A",    "b",  "B",  "ä", "Ä",      "z",       "ab",      "a b",        "a%b",
      "a_b",    "a\\b",   "%",     "_",    "İ",  "ß",  "ﬁ", "é",      "e\u0301", "o\u0308", "\U0001F600", "\uFFFD",
      "\uFFFF", "a\nb",   "a\tb",  "1",    "01", "10", "9", "-1",     "true",    "NULL",    "it''s",      "$1",
      "\u00A0", "\u200B", "co-op", "coop", "Z",  "[",  "~", "\u212A", "\u017F",  "\u0131",  "LIKE \u0130"};
  return texts;
}

std::string Here(const std::string& condition) {
  return absl::StrReplaceAll(condition, {{"{s}", "reverse(reverse(s))"},
                                         {"{n}", "(n * 1)"},
                                         {"{b}", "(b = (n is null or n * 1 = n))"},
                                         {"{t}", "timestamp_add(t, interval 0 day)"},
                                         {"{d}", "date_add(d, interval 0 day)"},
                                         {"{dt}", "datetime_add(dt, interval 0 day)"},
                                         {"{ms}", "reverse(reverse(r.ms))"},
                                         {"{mn}", "(r.mn * 1)"},
                                         {"{mb}", "(r.mb = (n is null or n * 1 = n))"},
                                         {"{x}", "ieee_divide(x, 1)"}});
}

std::string There(const std::string& condition) {
  return absl::StrReplaceAll(condition, {{"{s}", "s"},
                                         {"{n}", "n"},
                                         {"{b}", "b"},
                                         {"{t}", "t"},
                                         {"{d}", "d"},
                                         {"{dt}", "dt"},
                                         {"{x}", "x"},
                                         {"{ms}", "r.ms"},
                                         {"{mn}", "r.mn"},
                                         {"{mb}", "r.mb"}});
}

std::vector<std::string> PostgresConditions() {
  std::vector<std::string> conditions = Conditions();
  for (const char* const more : {"case {n} when 1 then true when -1 then false end",
                                 "case {s} when 'a' then {b} when {ms} then true end is null", "{mb}", "not {mb}",
                                 "{mb} is null", "if({mb}, {ms}, {s}) is null"}) {
    conditions.emplace_back(more);
  }
  for (const char* const pattern : {"^a",
                                    "b$",
                                    "a.b",
                                    "(?s)a.b",
                                    "^.$",
                                    "^$",
                                    "",
                                    "(?i)B",
                                    "(?i)[a-c]+$",
                                    "(?i)k",
                                    "(?is)A.B",
                                    "[[:alpha:]]",
                                    "\\\\d",
                                    "\\\\D",
                                    "\\\\w+",
                                    "\\\\W",
                                    "\\\\s",
                                    "\\\\S",
                                    "[^a]",
                                    "[^\\\\d]",
                                    "a|b",
                                    "^a|b$",
                                    "(a)(b)?",
                                    "(?P<x>a)",
                                    "(?:ab)+",
                                    "a*",
                                    "x*",
                                    "a+?",
                                    "a{1,2}",
                                    "a{2,}",
                                    "^a\\\\\\\\b$",
                                    "[\\\\[~]",
                                    "[]a]",
                                    "[a-]",
                                    "[^-a]",
                                    "it's",
                                    "%",
                                    "_",
                                    "\\\\.",
                                    "\\\\$",
                                    "\\\\n",
                                    "a\\\\tb",
                                    "\u00e4",
                                    "[\u00e4\u00c4]",
                                    "\U0001F600",
                                    "-",
                                    "[0-9]+",
                                    "^[A-Z]",
                                    "[_ ]",
                                    "\\\\/"}) {
    conditions.push_back(StrCat("regexp_contains({s}, '", absl::StrReplaceAll(pattern, {{"'", "\\'"}}), "')"));
  }
  return conditions;
}

std::vector<std::string> ClickHouseConditions() {
  std::vector<std::string> conditions = Conditions();
  for (const char* const more :
       {"{x} = 0.0", "{x} < 0.5", "{x} >= 0.1", "{x} != 1.5", "{x} between -1.0 and 1.5", "not ({x} < 1.5)",
        "{x} > 1e308", "{x} < 1.0 or {x} = 0.0 or {x} = 7.0 or {x} = 8.0 or {x} = 9.0", "{s} in ('a', null)",
        "{s} not in ('a', null)", "ends_with({s}, 'b')", "ends_with({s}, '')", "ends_with({s}, '\u0301')",
        "{d} between date '1899-12-31' and date '1970-01-01'", "{s} = 'a\\000b'", "{s} like '%\\\\'''"}) {
    conditions.emplace_back(more);
  }
  AddForms(kForms, kFloat, conditions);
  AddPatterns(conditions);
  return conditions;
}

}  // namespace logquery::testing
