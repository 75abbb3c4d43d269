// Values are those that engines differ on: cases of letters, empty text, ends of ranges, NULL, times before 1970.
#include "tests/support/meaning_cases.h"

#include "absl/strings/str_replace.h"
#include "lib/base/strings.h"

namespace logquery::testing {

using base::StrCat;

const std::vector<std::string>& MeaningTexts() {
  static const auto& texts = *new std::vector<std::string>{
      "",           " ",      "a",      "A",      "b",      "B",     "ä",    "Ä",  "z", "ab",      "a b",
      "a%b",        "a_b",    "a\\b",   "%",      "_",      "İ",     "ß",    "ﬁ",  "é", "e\u0301", "o\u0308",
      "\U0001F600", "\uFFFD", "\uFFFF", "a\nb",   "a\tb",   "1",     "01",   "10", "9", "-1",      "true",
      "NULL",       "it''s",  "$1",     "\u00A0", "\u200B", "co-op", "coop", "Z",  "[", "~"};
  return texts;
}

std::string Here(const std::string& condition) {
  return absl::StrReplaceAll(condition, {{"{s}", "reverse(reverse(s))"},
                                         {"{n}", "(n * 1)"},
                                         {"{b}", "(b = (n is null or n * 1 = n))"},
                                         {"{t}", "timestamp_add(t, interval 0 day)"},
                                         {"{d}", "date_add(d, interval 0 day)"},
                                         {"{ms}", "reverse(reverse(r.ms))"},
                                         {"{mn}", "(r.mn * 1)"},
                                         {"{x}", "(x * 1)"}});
}

std::string There(const std::string& condition) {
  return absl::StrReplaceAll(condition, {{"{s}", "s"},
                                         {"{n}", "n"},
                                         {"{b}", "b"},
                                         {"{t}", "t"},
                                         {"{d}", "d"},
                                         {"{x}", "x"},
                                         {"{ms}", "r.ms"},
                                         {"{mn}", "r.mn"}});
}

std::vector<std::string> MeaningConditions() {
  std::vector<std::string> conditions = {"{n} = 1",
                                         "{n} != 1",
                                         "{n} < 9223372036854775807",
                                         "{n} between -1 and 1",
                                         "{n} in (0, 200, null)",
                                         "{n} not in (0, 200)",
                                         "{n} is null",
                                         "{n} is not distinct from null",
                                         "{n} is distinct from 1",
                                         "not ({n} = 1)",
                                         "{n} = 1 or {s} = 'a'",
                                         "{n} is null and {s} is null",
                                         "({n} = 1) is true",
                                         "({n} = 1) is false",
                                         "coalesce({n}, 5) = 5",
                                         "nullif({n}, 1) is null",
                                         "if({n} > 0, {n}, -1) = -1",
                                         "ifnull({s}, 'a') = 'a'",
                                         "case when {n} > 0 then 'p' when {n} < 0 then 'm' else 'o' end = 'o'",
                                         "case {n} when 1 then true when -1 then false end",
                                         "{t} < '1970-01-01'",
                                         "{t} >= timestamp '2026-03-08 07:00:00+00'",
                                         "timestamp_trunc({t}, day) = timestamp '2026-03-08 00:00:00+00'",
                                         "timestamp_trunc({t}, hour) < '1970-01-01'",
                                         "timestamp_trunc({t}, minute) = '2110-05-05 05:05:00'",
                                         "timestamp_trunc({t}, second) = '1969-12-31 23:59:59'",
                                         "{d} = date '0001-01-01'",
                                         "{d} > date '1970-01-01'",
                                         "length({s}) = 1",
                                         "byte_length({s}) = 2",
                                         "starts_with({s}, 'a')",
                                         "starts_with({s}, '')",
                                         "strpos({s}, 'b') = 2",
                                         "strpos({s}, '') = 1",
                                         "{s} like 'a%'",
                                         "{s} like '_'",
                                         "{s} like '%\\\\%%'",
                                         "{s} like 'a\\\\_b'",
                                         "{s} like '%\\\\\\\\%'",
                                         "{s} like ''"};
  for (const std::string& text : MeaningTexts()) {
    if (text.find('\\') != std::string::npos || text.find('\n') != std::string::npos ||
        text.find('\t') != std::string::npos)
      continue;
    for (const char* op : {"=", "<", ">="}) conditions.push_back(StrCat("{s} ", op, " '", text, "'"));
  }
  return conditions;
}

}  // namespace logquery::testing
