// Writes the checks and bounds of window frames.
#include "lib/engines/duckdb/dialect/ranges.h"

#include "lib/base/strings.h"
#include "lib/engines/duckdb/dialect/types.h"

namespace logquery::emit {
namespace {

using base::StrCat;
using Bound = sql::WindowBound::Kind;

constexpr std::string_view kInfinity = "'inf'::DOUBLE";
constexpr std::string_view kMinusInfinity = "'-inf'::DOUBLE";

// Converts to HUGEINT, in which no sum with an INT64 overflows.
void WidenIntegers(RangeTexts& range) {
  for (std::string* text : {&range.key, &range.start_offset, &range.end_offset}) {
    if (!text->empty()) *text = StrCat("CAST(", *text, " AS HUGEINT)");
  }
}

// Writes decimals as the integers that they are stored as, so that a sum may exceed the greatest decimal.
void WidenDecimals(RangeTexts& range) {
  for (std::string* text : {&range.key, &range.start_offset, &range.end_offset}) {
    if (!text->empty()) *text = StrCat("CAST(replace(CAST(", *text, " AS VARCHAR), '.', '') AS HUGEINT)");
  }
}

// Replaces numbers by their places among those that 128 bits have room for. A bound that lies between two of these goes to the
// one that is within it.
void RangeOfBigNumerics(RangeTexts& range) {
  const std::string place = StrCat("lq_big_place(", range.key, ")");
  const auto offset = [&](Bound kind, std::string& text, bool is_start) {
    if (kind != Bound::kPreceding && kind != Bound::kFollowing) return;
    const bool adds = (kind == Bound::kFollowing) != range.descending;
    const bool up = is_start != range.descending;
    const std::string bound =
        StrCat("lq_big_bound(", range.key, ", ", text, ", ", adds ? "TRUE" : "FALSE", ", ", up ? "TRUE" : "FALSE", ")");
    text = adds ? StrCat("(", bound, " - ", place, ")") : StrCat("(", place, " - ", bound, ")");
  };
  offset(range.start, range.start_offset, true);
  offset(range.end, range.end_offset, false);
  range.key = place;
}

// inf - inf has no value: such a frame is an error.
std::string UndefinedBounds(const RangeTexts& range) {
  std::string when;
  auto add = [&](Bound kind, const std::string& offset) {
    if (kind != Bound::kPreceding && kind != Bound::kFollowing) return;
    const bool adds = (kind == Bound::kFollowing) != range.descending;
    base::StrAppend(&when, "WHEN isinf(", offset, ") AND ", range.key, " = ", adds ? kMinusInfinity : kInfinity,
                    " THEN CAST(error('RANGE: an infinite offset from an infinite key has no value') AS INTEGER) ");
  };
  add(range.start, range.start_offset);
  add(range.end, range.end_offset);
  return when;
}

// To GoogleSQL NaN is the least number, and it and the infinities stay what they are whatever is added: their frames are
// their peers. Between two bounds these get a partition of their own, in which all are peers as their key is NULL; but
// where an offset may be infinite too, other rows' frames reach the infinities.
void RangeOfFloats(RangeTexts& range) {
  const std::string key = range.key;
  const std::string special = StrCat("(isnan(", key, ") OR isinf(", key, "))");
  const bool bounded = range.start != Bound::kUnboundedPreceding && range.end != Bound::kUnboundedFollowing;
  if (!bounded) {
    range.only_peers = special;
    // NaN below the least number, and that below all others.
    range.key = StrCat("CASE WHEN isnan(", key, ") THEN ", kMinusInfinity, " WHEN ", key, " = ", kMinusInfinity,
                       " THEN -1.7976931348623157e308 ELSE ", key, " END");
  } else if (range.fixed) {
    range.partition = StrCat("CASE WHEN isnan(", key, ") THEN 1 WHEN isinf(", key, ") THEN CASE WHEN ", key,
                             " > 0 THEN 2 ELSE 3 END ELSE 0 END");
    range.key = StrCat("CASE WHEN NOT ", special, " THEN ", key, " END");
  } else {
    range.partition = StrCat("CASE ", UndefinedBounds(range), "WHEN isnan(", key, ") THEN 1 ELSE 0 END");
    range.only_peers = special;
  }
}

}  // namespace

std::string DuckDbNotNegative(const Type& type, const std::string& number, std::string_view what) {
  if (type.is(TypeKind::kBigNumeric)) {
    return StrCat("(CASE WHEN ", number, " >= lq_big_of_int(0) THEN ", number, " ELSE error('", what,
                  " must not be NULL or negative') END)");
  }
  const std::string is_number = type.is(TypeKind::kFloat64) ? StrCat(" AND NOT isnan(", number, ")") : "";
  return StrCat("(CASE WHEN ", number, " >= 0", is_number, " THEN ", number, " ELSE error('", what,
                " must not be NULL or negative') END)");
}

void DuckDbRange(const Type& type, RangeTexts& range) {
  switch (type.kind()) {
    case TypeKind::kInt64:
      return WidenIntegers(range);
    case TypeKind::kFloat64:
      return RangeOfFloats(range);
    case TypeKind::kNumeric:
      return WidenDecimals(range);
    case TypeKind::kBigNumeric:
      return RangeOfBigNumerics(range);
    default:
      return;
  }
}

}  // namespace logquery::emit
