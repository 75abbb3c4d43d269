// ClickHouse's types as its headers and catalog write them: "Nullable(DateTime64(6, 'UTC'))".
#ifndef LOGQUERY_LIB_BACKEND_CLICKHOUSE_WIRE_TYPE_H_
#define LOGQUERY_LIB_BACKEND_CLICKHOUSE_WIRE_TYPE_H_

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"

namespace logquery::clickhouse {

struct WireType {
  enum class Kind {
    kBool,
    kInt,  // of `width` bytes, with a sign or without
    kUint,
    kFloat,
    kString,
    kFixedString,  // of `width` bytes
    kDate,         // 16 bits of days
    kDate32,
    kDateTime,    // 32 bits of seconds
    kDateTime64,  // of `scale` digits after the point of a second
    kUuid,
    kEnum,  // of `width` bytes
    kJson,  // as text: output_format_binary_write_json_as_string
    kNothing,
    kNullable,  // of children[0]
    kLowCardinality,
    kArray,
    kMap,    // of children[0] to children[1]
    kTuple,  // of children, whose names are `names` or empty
    kOther,  // is not read
  };
  Kind kind = Kind::kOther;
  int width = 0;
  int scale = 0;
  std::vector<WireType> children;
  std::vector<std::string> names;
  std::string text;  // as it was written

  // Without LowCardinality and Nullable around it, in whatever order they stand.
  const WireType& plain() const;
  bool is_nullable() const;
};

// InvalidArgument: it is not written like a type, or is nested more than 100 deep. A type that is not known is kOther.
absl::StatusOr<WireType> ParseWireType(std::string_view text);

}  // namespace logquery::clickhouse

#endif  // LOGQUERY_LIB_BACKEND_CLICKHOUSE_WIRE_TYPE_H_
