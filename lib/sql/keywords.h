// The words that GoogleSQL gives a meaning.
#ifndef LOGQUERY_LIB_SQL_KEYWORDS_H_
#define LOGQUERY_LIB_SQL_KEYWORDS_H_

#include <cstdint>
#include <string_view>

namespace logquery::sql {

enum class Keyword : uint8_t {
  kNone,
  // Reserved: no names unless in back-quotes.
  kAll, kAnd, kAny, kArray, kAs, kAsc, kAssertRowsModified, kAt, kBetween, kBy, kCase, kCast, kCollate, kContains,
  kCreate, kCross, kCube, kCurrent, kDefault, kDefine, kDesc, kDistinct, kElse, kEnd, kEnum, kEscape, kExcept,
  kExclude, kExists, kExtract, kFalse, kFetch, kFollowing, kFor, kFrom, kFull, kGroup, kGrouping, kGroups, kHash,
  kHaving, kIf, kIgnore, kIn, kInner, kIntersect, kInterval, kInto, kIs, kJoin, kLateral, kLeft, kLike, kLimit,
  kLookup, kMerge, kNatural, kNew, kNo, kNot, kNull, kNulls, kOf, kOn, kOr, kOrder, kOuter, kOver, kPartition,
  kPreceding, kProto, kQualify, kRange, kRecursive, kRespect, kRight, kRollup, kRows, kSelect, kSet, kSome, kStruct,
  kTablesample, kThen, kTo, kTreat, kTrue, kUnbounded, kUnion, kUnnest, kUsing, kWhen, kWhere, kWindow, kWith,
  kWithin,
  // Names everywhere but where the grammar looks for them.
  kAggregate, kAssert, kBigdecimal, kBignumeric, kCall, kCorresponding, kDate, kDatetime, kDecimal, kDrop, kExtend,
  kFirst, kFormat, kIlike, kInclude, kJson, kKey, kLast, kMatchRecognize, kMax, kMin, kModel, kName, kNumeric,
  kOffset, kOrdinal, kPivot, kRename, kReplace, kRow, kSafe, kSafeCast, kSafeKey, kSafeOffset, kSafeOrdinal, kSets,
  kStrict, kSystemTime, kTable, kTime, kTimestamp, kUnknown, kUnpivot, kValue, kWeek, kZone,
};

// The keyword that `word` is, in any letter case; kNone when it is none.
Keyword FindKeyword(std::string_view word);

// In upper case; empty for kNone.
std::string_view KeywordText(Keyword keyword);

inline bool IsReserved(Keyword keyword) {
  return keyword != Keyword::kNone && keyword <= Keyword::kWithin;
}

}  // namespace logquery::sql

#endif  // LOGQUERY_LIB_SQL_KEYWORDS_H_
