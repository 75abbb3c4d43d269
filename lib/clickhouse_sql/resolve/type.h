// ClickHouse's types, as far as the meaning of a query needs them, and their types in the plan.
//
// The plan has fewer types: integers are INT64, and NUMERIC where constants are greater, a Map is the JSON text of an object,
// DateTime and DateTime64 are TIMESTAMP. The differences (widths, zones, nullability) are known here only. An Int128 is the type of
// a few results, whose values are those of INT64.
#ifndef LOGQUERY_LIB_CLICKHOUSE_SQL_RESOLVE_TYPE_H_
#define LOGQUERY_LIB_CLICKHOUSE_SQL_RESOLVE_TYPE_H_

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "logquery/type.h"

namespace logquery::clickhouse_sql {

enum class ChKind {
  kNothing,  // of NULL
  kBool,
  kInt,
  kWideInt,  // a UInt64 that may be above the greatest INT64: of literals and constants alone
  kFloat,
  kString,
  kDate,
  kDateTime,
  kDateTime64,
  kDecimal,
  kArray,
  kMap,  // of texts to texts
  kTuple,
  kInterval,  // `zone` is its unit
};

struct ChType {
  ChKind kind = ChKind::kNothing;
  bool nullable = false;
  int bits = 64;           // kInt, kFloat
  bool is_signed = false;  // kInt
  int precision = 0;       // kDateTime64, kDecimal; kDate: 32 is a Date32
  int scale = 0;           // kDecimal
  std::string zone;        // kDateTime, kDateTime64: written in the type; empty: UTC
  std::vector<ChType> parts;
  std::vector<std::string> names;  // kTuple: of the parts; empty: they have none

  bool Is(ChKind k) const { return kind == k; }
  bool IsNumber() const {
    return kind == ChKind::kBool || kind == ChKind::kInt || kind == ChKind::kFloat || kind == ChKind::kDecimal;
  }
  // Also of a UInt64 that no integer of the plan holds, which few functions take.
  bool IsNumberOrWide() const { return IsNumber() || kind == ChKind::kWideInt; }
  bool IsTime() const { return kind == ChKind::kDate || kind == ChKind::kDateTime || kind == ChKind::kDateTime64; }
  // The zone that civil times are read in.
  std::string Zone() const { return zone.empty() ? "UTC" : zone; }
  ChType Nullable(bool is = true) const {
    ChType type = *this;
    type.nullable = type.nullable || is;
    return type;
  }
  ChType NotNull() const {
    ChType type = *this;
    type.nullable = false;
    return type;
  }
  // The type as messages print it: Nullable(UInt8), Array(String). With `indent` from 0 on it is the text of toTypeName, where
  // parts that have names stand on lines of their own.
  std::string ToString(int indent = -1) const;
  Type PlanType() const;
};

ChType Int(int bits, bool is_signed);
inline ChType UInt8() { return Int(8, false); }
inline ChType UInt64() { return Int(64, false); }
ChType WideInt();
ChType Float64();
ChType String();
ChType BoolType();
ChType DateType();
ChType Date32Type();
ChType DateTime(std::string zone = "");
ChType DateTime64(int precision, std::string zone = "");
ChType ArrayOf(ChType element);
ChType MapType();
ChType NothingType();

// Returns the type that both convert to; nullopt: there is none.
std::optional<ChType> CommonType(const ChType& a, const ChType& b);

// A part's name as the name of a Tuple has it: between back-quotes where it needs them.
std::string NameInType(std::string_view name);

// Parses the name of a type. InvalidArgument: unknown, or not supported.
absl::StatusOr<ChType> ParseType(std::string_view text);

}  // namespace logquery::clickhouse_sql

#endif  // LOGQUERY_LIB_CLICKHOUSE_SQL_RESOLVE_TYPE_H_
