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

// Adds `form` with each of the parts in the place of P.
void AddParts(const char* form, const std::vector<std::string>& parts, std::vector<std::string>& out) {
  for (const std::string& part : parts) out.push_back(absl::StrReplaceAll(form, {{"P", part}}));
}

const std::vector<std::string>& FineParts() {
  static const auto& parts = *new std::vector<std::string>{"microsecond", "millisecond", "second", "minute", "hour"};
  return parts;
}

// Expressions that all engines are asked, whose values are compared row by row.
std::vector<std::string> Values() {
  std::vector<std::string> values = {
      "timestamp_trunc({t}, hour, 'UTC')",
      "datetime_trunc({t}, minute, 'UTC')",
      "date_trunc({t}, hour, 'UTC')",
      "extract(hour from {t} at time zone 'UTC')",
      "extract(date from {t})",
      "extract(date from {t} at time zone 'UTC')",
      "extract(date from {dt})",
      "extract(datetime from {t})",
      "extract(datetime from {t} at time zone 'UTC')",
      "date({t})",
      "date({t}, 'UTC')",
      "date({d})",
      "date({dt})",
      "datetime({t})",
      "datetime({t}, 'UTC')",
      "datetime({dt})",
      "timestamp({t})",
      "unix_seconds({t})",
      "unix_millis({t})",
      "unix_micros({t})",
      "unix_date({d})",
      "date_diff({d}, date '2000-02-29', day)",
      "date_diff(date '2000-02-29', {d}, day)",
      "cast({n} as string)",
      "cast({b} as string)",
      "cast({n} > 1 as string)",
      "cast({b} as int64)",
      "cast({n} as bool)",
      "safe_cast({n} as string)",
      "cast({t} as date)",
      "cast({t} as datetime)",
      "cast({dt} as date)",
      "cast({dt} as timestamp)",
      "cast({d} as datetime)",
      "cast({d} as timestamp)",
      "ends_with({s}, 'b')",
      "ends_with({s}, '')",
      "ends_with({ms}, 'b')",
      "ends_with({s}, '\u0301')",
      "octet_length({s})",
      "substr({s}, 1)",
      "substr({s}, 2)",
      "substr({s}, 2, 1)",
      "substr({s}, 1, 0)",
      "substr({s}, 100)",
      "substring({s}, 1, 9223372036854775807)",
      "substring({s}, 3)",
      "left({s}, 0)",
      "left({s}, 2)",
      "left({s}, 9223372036854775807)",
      "right({s}, 0)",
      "right({s}, 2)",
      "right({s}, 100)",
      "replace({s}, 'a', '')",
      "replace({s}, '', '')",
      "replace({s}, '\u00e4', 'a')",
      "replace({s}, 'ab', 'b')",
      "replace({s}, '\\\\', '/')",
      "trim({s}, 'a')",
      "trim({s}, ' b')",
      "ltrim({s}, 'ab')",
      "rtrim({s}, 'ab~')",
      "greatest({n}, 5)",
      "greatest({n})",
      "greatest({s}, 'b')",
      "greatest({t}, timestamp '2000-01-01 00:00:00+00')",
      "greatest({dt}, datetime '2000-01-01 00:00:00')",
      "least({n}, -1, {n})",
      "least({s}, 'b', null)",
      "least({t}, timestamp '2000-01-01 00:00:00+00')",
      "least({dt}, datetime '2000-01-01 00:00:00', null)",
      "nullifzero({n})",
      "zeroifnull({n})",
      "div({n}, 3)",
      "div({n}, 1)",
      "mod({n}, 3)",
      "mod({n}, 9223372036854775807)",
      "case {n} when 1 then 'x' when null then 'y' when 0 then cast({n} as string) else 'z' end",
      "case {s} when 'a' then {s} when {ms} then 'y' end"};
  for (const char* const form : {"timestamp_trunc({t}, P)", "timestamp_trunc({dt}, P)", "datetime_trunc({t}, P)",
                                 "datetime_trunc({dt}, P)", "date_trunc({t}, P)", "date_trunc({dt}, P)",
                                 "timestamp_diff({t}, timestamp '2000-02-29 12:00:00.000001+00', P)",
                                 "timestamp_diff(timestamp '1969-12-31 23:59:59.999999+00', {t}, P)"}) {
    AddParts(form, FineParts(), values);
    AddParts(form, {"day"}, values);
  }
  for (const char* const form : {"timestamp_trunc({t}, P)", "datetime_trunc({dt}, P)"})
    AddParts(form, {"isoweek"}, values);
  for (const char* const form : {"extract(P from {t})", "extract(P from {dt})"}) {
    AddParts(form, FineParts(), values);
    AddParts(form, {"dayofweek"}, values);
  }
  return values;
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

// The table, joined with the record if the key or condition is of the record.
std::string Table(std::string_view text, std::string_view join) {
  return text.find("{m") == std::string::npos ? "v" : StrCat("v ", join, " join unnest(m) as r");
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

std::vector<std::string> PostgresValues() {
  std::vector<std::string> values = Values();
  for (const char* const more : {"greatest({d}, date '2000-01-01')", "least({d}, date '2000-01-01')",
                                 "greatest({b}, false)", "least({b}, true)", "datetime({d})", "cast({mb} as string)"}) {
    values.emplace_back(more);
  }
  const std::vector<std::string> coarse = {"day", "dayofyear", "month", "quarter", "year", "isoyear", "isoweek"};
  for (const char* const form : {"extract(P from {t})", "extract(P from {dt})", "extract(P from {d})"}) {
    AddParts(form, coarse, values);
  }
  for (const char* const form : {"timestamp_trunc({t}, P)", "datetime_trunc({dt}, P)", "date_trunc({d}, P)"}) {
    AddParts(form, {"month", "quarter", "year", "isoweek"}, values);
  }
  AddParts("date_trunc({d}, P)", {"day"}, values);
  AddParts("extract(P from {d})", {"dayofweek"}, values);
  for (const char* const format :
       {"%Y",     "%m",         "%d",     "%H", "%M", "%S", "%T", "%F", "%R",    "%D",    "%y",      "%j",
        "%a",     "%p",         "%I",     "%u", "%V", "%G", "%b", "%B", "%F %T", "%H:%M", "x%%y %Y", "it's %H \u00e4",
        "%Y-W%V", "[%d/%b/%Y]", "HH24 %H"}) {
    for (const char* const form : {"format_timestamp('@', {t})", "format_datetime('@', {dt})"}) {
      values.push_back(absl::StrReplaceAll(form, {{"@", absl::StrReplaceAll(format, {{"'", "\\'"}})}}));
    }
  }
  for (const char* const format : {"%Y", "%F", "%y%m%d", "%j %a %B", "%G %V %u"}) {
    values.push_back(StrCat("format_date('", format, "', {d})"));
  }
  return values;
}

std::vector<std::string> ClickHouseValues() {
  std::vector<std::string> values = Values();
  for (const char* const more :
       {"{x} + 0.5", "{x} - {x}", "{x} * 1e308", "- {x}", "{n} / 3", "{n} / 9007199254740993", "cast({n} as float64)",
        "{n} + 0.5", "zeroifnull({x})", "nullifzero({x})", "nullif({x}, 0.0)", "nullif({x}, {x})", "substr({s}, 0)",
        "substr({s}, 0, 1)", "substring({s}, 0, 2)", "ends_with({s}, {ms})", "greatest({s}, {ms})",
        "least({n}, -1, {mn})", "if({x} > 1, {x}, -1.5)"}) {
    values.emplace_back(more);
  }
  for (const char* const form : {"timestamp_trunc({t}, P)", "timestamp_trunc({dt}, P)", "datetime_trunc({dt}, P)"}) {
    AddParts(form, {"week(monday)", "isoweek"}, values);
  }
  for (const char* const pattern :
       {"a", "(a)", "^a(.*)$", "a.b", "(.)b", "x(.)", "", "()", "(?i)(A)", "[a-z]+", "(?:a)(b?)", "\\\\w+", "(\\\\d+)",
        "(?P<x>.)", "\\\\\\\\(.)", "[](]", "(\u00e4)", "a(.*?)b"}) {
    values.push_back(StrCat("regexp_extract({s}, '", pattern, "')"));
  }
  values.emplace_back("regexp_substr({s}, '[b-z]')");
  return values;
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

namespace {

// Sorted and limited rows, groups and aggregates, numbers of rows, and joins. K stands for one of the keys; {v} for the table, with the record m as r
// where the key is of it.
const std::vector<std::string>& MeaningQueries() {
  static const auto& queries = *new std::vector<std::string>{
      "select i from {v} order by K, i limit 30",
      "select i from {v} order by K desc, i desc limit 30",
      "select i from {v} order by K desc, i limit 5 offset 3",
      "select K as k, count(*) as c, count(s) as cs, countif(n > 0) as p, max(i) as m from {v} group by 1 order by m",
      "select min(K) as a, max(K) as b, count(K) as c, count(distinct K) as d from {v}",
      "select count(K) as a, count(distinct K) as b, countif(K is null) as c from {v}",
      "select min(K) as a, max(K) as b, count(K) as c, count(distinct K) as d, countif(K is null) as e from {v} "
      "where i < 0",
      "select min(K) as a, count(*) as c from {v} where i < 0 group by s",
      "select approx_count_distinct(K) as c from {v}",
      "select distinct K as k from {v} order by k limit 100",
      "select K as k, count(*) as c from {v} group by 1 having count(*) > 1 order by k limit 9",
      "select K as k, if(count(*) > 1, count(*), -1) as c from {v} group by 1 order by c, k limit 9",
      "select i from {v} qualify row_number() over (partition by K order by i desc) = 1 order by i",
      "select i, rank() over (order by K, s) as a, dense_rank() over (partition by s order by K desc) as b from {v} "
      "order by i",
      "select i from {v} qualify rank() over (order by K desc nulls first) <= 5 order by i",
      "select p.i as a, q.c as b from (select i, K as k from {v}) as p join (select K as k, count(*) as c from {v} "
      "group "
      "by 1) as q on p.k = q.k order by a",
      "select p.i as a, q.k as b, q.c as c from (select i, K as k from {v}) as p left join (select K as k, max(i) as c "
      "from {v} where i > 9 group by 1) as q on p.k = q.k order by a",
      "select q.k as k, count(*) as c, max(q.c) as d from (select i, K as k from {v} where i < 20) as p join (select K "
      "as k, min(i) as c from {v} group by 1) as q on p.k = q.k group by 1 order by c, d limit 9"};
  return queries;
}

// A query of `form` with that key.
std::string MeaningQuery(const std::string& form, const std::string& key) {
  return absl::StrReplaceAll(form, {{"K", key}, {"{v}", Table(key, "cross")}});
}

}  // namespace

namespace {

// Aggregates of numbers, whose range is checked here in part, and of BOOL.
const std::vector<std::string>& NumberQueries() {
  static const auto& queries = *new std::vector<std::string>{
      "select sum(K) as s, avg(K) as a, sum(distinct K) as sd, avg(distinct K) as ad, count(*) as c from {v} where K < "
      "9007199254740993",
      "select avg(K) as a from {v}",
      "select s, sum(K) as t, avg(K) as a, min(K) as m from {v} group by s order by s nulls first",
      "select sum(K) as t, avg(K) as a from {v} where i < 0",
      "select sum(K) as t from {v} where i < 0 group by s",
      "select sum(K) as t from {v} where K > 5 or K < -5",
      "select s, sum(K) as t from {v} where K > 5 group by s having sum(K) > 1 order by t limit 1",
      "select bit_and(K) as a, bit_or(K) as o from {v} where K < 1000",
      "select bit_and(K) as a, bit_or(K) as o from {v} where i < 0"};
  return queries;
}

const std::vector<std::string>& BoolQueries() {
  static const auto& queries =
      *new std::vector<std::string>{"select logical_and(K) as a, logical_or(K) as o from {v}",
                                    "select logical_and(K) as a, logical_or(K) as o from {v} where i < 0",
                                    "select s, logical_and(K) as a, logical_or(K) as o from {v} group by s order by s"};
  return queries;
}

const std::vector<std::string>& QuantileQueries() {
  static const auto& queries = *new std::vector<std::string>{
      "select approx_quantiles(K, 4)[offset(0)] as q from {v}",
      "select approx_quantiles(K, 4)[offset(1)] as q, approx_quantiles(K, 4)[offset(4)] as r from {v}",
      "select approx_quantiles(K, 100)[offset(7)] as q, approx_quantiles(K, 100)[offset(95)] as r from {v}",
      "select approx_quantiles(K, 7)[safe_ordinal(3)] as q, count(K) as c from {v} where i < 0",
      "select s, approx_quantiles(K, 2)[offset(1)] as q from {v} group by s order by s"};
  return queries;
}

void AddQueries(const std::vector<std::string>& forms, const std::vector<std::string>& keys,
                std::vector<std::string>& out) {
  for (const std::string& key : keys) {
    for (const std::string& form : forms) out.push_back(MeaningQuery(form, key));
  }
}

void AddValues(const std::vector<std::string>& values, std::vector<std::string>& out) {
  for (const std::string& value : values) {
    out.push_back(StrCat("select i, ", value, " as x from ", Table(value, "left"), " order by i"));
  }
}

}  // namespace

std::vector<std::string> PostgresQueries() {
  const std::vector<std::string> keys = {"{s}", "{n}",  "{t}",  "{d}",  "{dt}",
                                         "{b}", "{ms}", "{mn}", "{mb}", "timestamp_trunc({t}, hour)"};
  std::vector<std::string> queries;
  AddQueries(MeaningQueries(), keys, queries);
  AddQueries(QuantileQueries(), keys, queries);
  AddQueries(NumberQueries(), {"{n}", "{mn}"}, queries);
  AddQueries(BoolQueries(), {"{b}", "{mb}"}, queries);
  AddValues(PostgresValues(), queries);
  return queries;
}

std::vector<std::string> ClickHouseQueries() {
  std::vector<std::string> queries;
  AddQueries(MeaningQueries(),
             {"{s}", "{n}", "{t}", "{d}", "{dt}", "{ms}", "{mn}", "{b}", "timestamp_trunc({t}, hour)"}, queries);
  AddQueries(QuantileQueries(), {"{n}", "{t}", "{dt}", "{mn}"}, queries);
  AddQueries(NumberQueries(), {"{n}", "{mn}"}, queries);
  AddQueries({"select bit_xor(K) as x, count(*) as c from {v}", "select bit_xor(K) as x from {v} where i < 0"}, {"{n}"},
             queries);
  AddQueries(BoolQueries(), {"{b}"}, queries);
  AddValues(ClickHouseValues(), queries);
  return queries;
}

std::string MeaningQuery(const std::string& condition) {
  return StrCat("select i from ", Table(condition, "left"), " where ", condition, " order by i");
}

}  // namespace logquery::testing
