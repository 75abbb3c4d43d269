// A sorted table of keywords with an index by first letter and length, because most names are not keywords.
#include "lib/sql/keywords.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <iterator>

#include "absl/strings/ascii.h"
#include "lib/base/strings.h"

namespace logquery::sql {
namespace {

struct Entry {
  std::string_view text;
  Keyword keyword;
};

// Sorted by text.
constexpr Entry kEntries[] = {
    {"AGGREGATE", Keyword::kAggregate},
    {"ALL", Keyword::kAll},
    {"AND", Keyword::kAnd},
    {"ANY", Keyword::kAny},
    {"ARRAY", Keyword::kArray},
    {"AS", Keyword::kAs},
    {"ASC", Keyword::kAsc},
    {"ASSERT", Keyword::kAssert},
    {"ASSERT_ROWS_MODIFIED", Keyword::kAssertRowsModified},
    {"AT", Keyword::kAt},
    {"BETWEEN", Keyword::kBetween},
    {"BIGDECIMAL", Keyword::kBigdecimal},
    {"BIGNUMERIC", Keyword::kBignumeric},
    {"BY", Keyword::kBy},
    {"CALL", Keyword::kCall},
    {"CASE", Keyword::kCase},
    {"CAST", Keyword::kCast},
    {"COLLATE", Keyword::kCollate},
    {"CONTAINS", Keyword::kContains},
    {"CORRESPONDING", Keyword::kCorresponding},
    {"CREATE", Keyword::kCreate},
    {"CROSS", Keyword::kCross},
    {"CUBE", Keyword::kCube},
    {"CURRENT", Keyword::kCurrent},
    {"DATE", Keyword::kDate},
    {"DATETIME", Keyword::kDatetime},
    {"DECIMAL", Keyword::kDecimal},
    {"DEFAULT", Keyword::kDefault},
    {"DEFINE", Keyword::kDefine},
    {"DESC", Keyword::kDesc},
    {"DISTINCT", Keyword::kDistinct},
    {"DROP", Keyword::kDrop},
    {"ELSE", Keyword::kElse},
    {"END", Keyword::kEnd},
    {"ENUM", Keyword::kEnum},
    {"ESCAPE", Keyword::kEscape},
    {"EXCEPT", Keyword::kExcept},
    {"EXCLUDE", Keyword::kExclude},
    {"EXISTS", Keyword::kExists},
    {"EXTEND", Keyword::kExtend},
    {"EXTRACT", Keyword::kExtract},
    {"FALSE", Keyword::kFalse},
    {"FETCH", Keyword::kFetch},
    {"FIRST", Keyword::kFirst},
    {"FOLLOWING", Keyword::kFollowing},
    {"FOR", Keyword::kFor},
    {"FORMAT", Keyword::kFormat},
    {"FROM", Keyword::kFrom},
    {"FULL", Keyword::kFull},
    {"GROUP", Keyword::kGroup},
    {"GROUPING", Keyword::kGrouping},
    {"GROUPS", Keyword::kGroups},
    {"HASH", Keyword::kHash},
    {"HAVING", Keyword::kHaving},
    {"IF", Keyword::kIf},
    {"IGNORE", Keyword::kIgnore},
    {"ILIKE", Keyword::kIlike},
    {"IN", Keyword::kIn},
    {"INCLUDE", Keyword::kInclude},
    {"INNER", Keyword::kInner},
    {"INTERSECT", Keyword::kIntersect},
    {"INTERVAL", Keyword::kInterval},
    {"INTO", Keyword::kInto},
    {"IS", Keyword::kIs},
    {"JOIN", Keyword::kJoin},
    {"JSON", Keyword::kJson},
    {"KEY", Keyword::kKey},
    {"LAST", Keyword::kLast},
    {"LATERAL", Keyword::kLateral},
    {"LEFT", Keyword::kLeft},
    {"LIKE", Keyword::kLike},
    {"LIMIT", Keyword::kLimit},
    {"LOOKUP", Keyword::kLookup},
    {"MATCH_RECOGNIZE", Keyword::kMatchRecognize},
    {"MAX", Keyword::kMax},
    {"MERGE", Keyword::kMerge},
    {"MIN", Keyword::kMin},
    {"MODEL", Keyword::kModel},
    {"NAME", Keyword::kName},
    {"NATURAL", Keyword::kNatural},
    {"NEW", Keyword::kNew},
    {"NO", Keyword::kNo},
    {"NOT", Keyword::kNot},
    {"NULL", Keyword::kNull},
    {"NULLS", Keyword::kNulls},
    {"NUMERIC", Keyword::kNumeric},
    {"OF", Keyword::kOf},
    {"OFFSET", Keyword::kOffset},
    {"ON", Keyword::kOn},
    {"OR", Keyword::kOr},
    {"ORDER", Keyword::kOrder},
    {"ORDINAL", Keyword::kOrdinal},
    {"OUTER", Keyword::kOuter},
    {"OVER", Keyword::kOver},
    {"PARTITION", Keyword::kPartition},
    {"PIVOT", Keyword::kPivot},
    {"PRECEDING", Keyword::kPreceding},
    {"PROTO", Keyword::kProto},
    {"QUALIFY", Keyword::kQualify},
    {"RANGE", Keyword::kRange},
    {"RECURSIVE", Keyword::kRecursive},
    {"RENAME", Keyword::kRename},
    {"REPLACE", Keyword::kReplace},
    {"RESPECT", Keyword::kRespect},
    {"RIGHT", Keyword::kRight},
    {"ROLLUP", Keyword::kRollup},
    {"ROW", Keyword::kRow},
    {"ROWS", Keyword::kRows},
    {"SAFE", Keyword::kSafe},
    {"SAFE_CAST", Keyword::kSafeCast},
    {"SAFE_KEY", Keyword::kSafeKey},
    {"SAFE_OFFSET", Keyword::kSafeOffset},
    {"SAFE_ORDINAL", Keyword::kSafeOrdinal},
    {"SELECT", Keyword::kSelect},
    {"SET", Keyword::kSet},
    {"SETS", Keyword::kSets},
    {"SOME", Keyword::kSome},
    {"STRICT", Keyword::kStrict},
    {"STRUCT", Keyword::kStruct},
    {"SYSTEM_TIME", Keyword::kSystemTime},
    {"TABLE", Keyword::kTable},
    {"TABLESAMPLE", Keyword::kTablesample},
    {"THEN", Keyword::kThen},
    {"TIME", Keyword::kTime},
    {"TIMESTAMP", Keyword::kTimestamp},
    {"TO", Keyword::kTo},
    {"TREAT", Keyword::kTreat},
    {"TRUE", Keyword::kTrue},
    {"UNBOUNDED", Keyword::kUnbounded},
    {"UNION", Keyword::kUnion},
    {"UNKNOWN", Keyword::kUnknown},
    {"UNNEST", Keyword::kUnnest},
    {"UNPIVOT", Keyword::kUnpivot},
    {"USING", Keyword::kUsing},
    {"VALUE", Keyword::kValue},
    {"WEEK", Keyword::kWeek},
    {"WHEN", Keyword::kWhen},
    {"WHERE", Keyword::kWhere},
    {"WINDOW", Keyword::kWindow},
    {"WITH", Keyword::kWith},
    {"WITHIN", Keyword::kWithin},
    {"ZONE", Keyword::kZone},
};

constexpr size_t kLongest = 20;

constexpr bool IsSorted() {
  for (size_t i = 1; i < std::size(kEntries); ++i) {
    if (!(kEntries[i - 1].text < kEntries[i].text) || kEntries[i].text.size() > kLongest) return false;
  }
  return true;
}
static_assert(IsSorted());

// For each letter, the index of the first entry that begins with it, and the index behind the last entry.
constexpr auto kFirst = [] {
  std::array<uint8_t, 'Z' - 'A' + 2> first{};
  static_assert(std::size(kEntries) < 256);
  for (size_t letter = 0; letter < first.size(); ++letter) {
    size_t at = 0;
    while (at < std::size(kEntries) && kEntries[at].text[0] < static_cast<char>('A' + letter)) ++at;
    first[letter] = static_cast<uint8_t>(at);
  }
  return first;
}();

// For each letter, the lengths of its entries, one bit each: most names have the length of none.
constexpr auto kLengths = [] {
  std::array<uint32_t, 'Z' - 'A' + 1> lengths{};
  for (const Entry& entry : kEntries) lengths[static_cast<size_t>(entry.text[0] - 'A')] |= 1U << entry.text.size();
  return lengths;
}();

// Texts by keyword, so that a message can name one.
constexpr auto kTexts = [] {
  std::array<std::string_view, std::size(kEntries) + 1> texts{};
  for (const Entry& entry : kEntries) texts[static_cast<size_t>(entry.keyword)] = entry.text;
  return texts;
}();

}  // namespace

Keyword FindKeyword(std::string_view word) {
  if (word.empty() || word.size() > kLongest || !absl::ascii_isalpha(static_cast<unsigned char>(word[0]))) {
    return Keyword::kNone;
  }
  const auto letter = static_cast<size_t>(absl::ascii_toupper(static_cast<unsigned char>(word[0])) - 'A');
  if ((kLengths[letter] >> word.size() & 1U) == 0) return Keyword::kNone;
  for (size_t at = kFirst[letter]; at < kFirst[letter + 1]; ++at) {
    if (base::EqualsIgnoreCase(kEntries[at].text, word)) return kEntries[at].keyword;
  }
  return Keyword::kNone;
}

std::string_view KeywordText(Keyword keyword) { return kTexts[static_cast<size_t>(keyword)]; }

bool IsFunctionKeyword(Keyword keyword) {
  return keyword == Keyword::kIf || keyword == Keyword::kLeft || keyword == Keyword::kRight ||
         keyword == Keyword::kGrouping || keyword == Keyword::kCollate;
}

}  // namespace logquery::sql
