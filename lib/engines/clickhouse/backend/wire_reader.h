// Parses values in ClickHouse's RowBinary format: finds their ends, and converts them.
#ifndef LOGQUERY_LIB_ENGINES_CLICKHOUSE_BACKEND_WIRE_READER_H_
#define LOGQUERY_LIB_ENGINES_CLICKHOUSE_BACKEND_WIRE_READER_H_

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "absl/status/status.h"
#include "lib/backend/column_builder.h"
#include "lib/engines/clickhouse/backend/wire_type.h"

namespace logquery::clickhouse {

// A position in bytes. Numbers are little-endian.
class WireCursor {
 public:
  explicit WireCursor(std::string_view bytes) : bytes_(bytes) {}

  size_t at() const { return at_; }
  // The number of bytes that the last failed step needs.
  size_t wanted() const { return wanted_; }

  // These return false if bytes are missing. For an impossible length, broken() is true as well.
  bool Skip(uint64_t count);
  bool Take(uint64_t count, std::string_view* out);
  bool TakeVarint(uint64_t* out);
  bool SkipValue(const WireType& type);
  bool broken() const { return broken_; }

 private:
  std::string_view bytes_;
  size_t at_ = 0;
  size_t wanted_ = 0;
  bool broken_ = false;
};

// Adds the value at the cursor as a row of `column`. All of its bytes must be present, and IsReadFrom must hold.
// Internal: the value does not fit the type; the message ends a sentence: "holds 18446744073709551615, which INT64 does
// not".
absl::Status AppendWireValue(const WireType& type, WireCursor& cursor, backend::ColumnBuilder& column,
                             backend::TextBlocks& texts);

}  // namespace logquery::clickhouse

#endif  // LOGQUERY_LIB_ENGINES_CLICKHOUSE_BACKEND_WIRE_READER_H_
