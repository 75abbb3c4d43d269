// Parses ClickHouse's types as written in headers and its catalog: "Nullable(DateTime64(6, 'UTC'))".
#ifndef LOGQUERY_LIB_ENGINES_CLICKHOUSE_BACKEND_WIRE_TYPE_H_
#define LOGQUERY_LIB_ENGINES_CLICKHOUSE_BACKEND_WIRE_TYPE_H_

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"

namespace logquery::clickhouse {

struct WireType {
  enum class Kind {
    kBool,
    kInt,  // of `width` bytes, signed or unsigned
    kUint,
    kFloat,
    kString,
    kFixedString,  // of `width` bytes
    kDate,         // 16-bit days
    kDate32,
    kDateTime,    // 32-bit seconds
    kDateTime64,  // with `scale` fractional digits of a second
    kUuid,
    kEnum,  // of `width` bytes
    kJson,  // sent as text: output_format_binary_write_json_as_string
    kNothing,
    kNullable,  // of children[0]
    kLowCardinality,
    kArray,
    kMap,    // from children[0] to children[1]
    kTuple,  // of children with the names `names`, or without names
    kOther,  // not supported
  };
  Kind kind = Kind::kOther;
  int width = 0;
  int scale = 0;
  std::vector<WireType> children;
  std::vector<std::string> names;
  std::string text;  // as written

  // Returns the type without the LowCardinality and Nullable around it, in any order.
  const WireType& plain() const;
  bool is_nullable() const;
};

// InvalidArgument: the text is not a type, or is nested more than 100 levels deep. Unknown types become kOther.
absl::StatusOr<WireType> ParseWireType(std::string_view text);

}  // namespace logquery::clickhouse

#endif  // LOGQUERY_LIB_ENGINES_CLICKHOUSE_BACKEND_WIRE_TYPE_H_
