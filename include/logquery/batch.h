// A batch of result rows in columns: a view of the engine's own memory, without a copy.
//
//     absl::Status Append(const Batch& batch) override {
//       const ColumnView& count = batch.column(0);
//       for (int64_t row = 0; row < batch.rows(); ++row) {
//         if (!count.IsNull(row)) total_ += count.Int64At(row);
//       }
//       return absl::OkStatus();
//     }
//
// Everything in a batch is borrowed, and valid only during the call that passes it to a BatchSink; a batch from RowReader::Next is
// valid until the next call of Next. The memory layout of each type:
//
//   BOOL, INT64, FLOAT64     uint8_t, 0 or 1; int64_t; double
//   NUMERIC                  Int128, the value times 10^scale(), which is 9
//   BIGNUMERIC               StringRef of 32 bytes: value times 10^38, big-endian two's complement, sign bit flipped
//   STRING, BYTES, JSON      StringRef (STRING may hold invalid UTF-8 from hostile data: encoders replace it)
//   DATE                     int32_t days since 1970-01-01
//   TIME                     int64_t microseconds since midnight
//   DATETIME, TIMESTAMP      int64_t microseconds since 1970
//   INTERVAL                 PackedInterval
//   ARRAY                    ListSlice into child(0)
//   STRUCT, record           one child for each field; a NULL record has no element
#ifndef LOGQUERY_BATCH_H_
#define LOGQUERY_BATCH_H_

#include <cstdint>
#include <cstring>
#include <memory>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/time/time.h"
#include "logquery/type.h"
#include "logquery/value.h"

namespace logquery {

// A string of up to 12 bytes is stored inline, a longer one by pointer (the layout that DuckDB and Velox use).
struct alignas(8) StringRef {
  uint32_t length = 0;
  char bytes[12] = {};  // the string; if it is longer, its first 4 bytes and a pointer
  StringRef() = default;
  // Borrows `text` when it is longer than 12 bytes.
  explicit StringRef(std::string_view text);
  std::string_view view() const {
    if (length <= sizeof(bytes)) return {bytes, length};
    const char* pointer;
    std::memcpy(&pointer, bytes + 4, sizeof(pointer));
    return {pointer, length};
  }
};
static_assert(sizeof(StringRef) == 16);

struct ListSlice {
  uint64_t offset = 0;
  uint64_t length = 0;
};

struct Int128 {
  uint64_t lower = 0;
  int64_t upper = 0;
};

struct PackedInterval {
  int32_t months = 0;
  int32_t days = 0;
  int64_t micros = 0;
};

class ColumnView {
 public:
  ColumnView() = default;
  // `validity`: bit i % 64 of word i / 64 is set if row i is not NULL; nullptr: no row is NULL. `data`: in the layout
  // of the table above; nullptr for STRUCT and record. `children` are borrowed.
  ColumnView(const Type* type, const uint64_t* validity, const void* data, const ColumnView* children = nullptr,
             int scale = 0)
      : type_(type), validity_(validity), data_(data), children_(children), scale_(scale) {}

  const Type& type() const { return *type_; }
  bool IsNull(int64_t row) const { return validity_ != nullptr && ((validity_[row >> 6] >> (row & 63)) & 1) == 0; }

  // The value in a row. The row must not be NULL, and the column must have this layout.
  bool BoolAt(int64_t row) const { return At<uint8_t>(row) != 0; }
  int64_t Int64At(int64_t row) const { return At<int64_t>(row); }
  int32_t Int32At(int64_t row) const { return At<int32_t>(row); }
  double Float64At(int64_t row) const { return At<double>(row); }
  std::string_view StringAt(int64_t row) const { return static_cast<const StringRef*>(data_)[row].view(); }
  ListSlice ListAt(int64_t row) const { return At<ListSlice>(row); }
  Int128 Int128At(int64_t row) const { return At<Int128>(row); }
  PackedInterval IntervalAt(int64_t row) const { return At<PackedInterval>(row); }
  // Returns the element column of an ARRAY (i = 0), or a field column of a STRUCT or record.
  const ColumnView& child(size_t i) const { return children_[i]; }
  // Returns the same column with other data of the same layout, or with other children. For sinks that transform rows.
  ColumnView WithData(const void* data) const { return {type_, validity_, data, children_, scale_}; }
  ColumnView WithChildren(const ColumnView* children) const { return {type_, validity_, data_, children, scale_}; }
  // Returns the number of digits after the decimal point of a NUMERIC.
  int scale() const { return scale_; }

  // Returns a copy of the value, which may be NULL. For tests and small results; the encoder does not use it.
  Value ValueAt(int64_t row) const;

 private:
  template <typename T>
  T At(int64_t row) const {
    return static_cast<const T*>(data_)[row];
  }

  const Type* type_ = nullptr;
  const uint64_t* validity_ = nullptr;
  const void* data_ = nullptr;
  const ColumnView* children_ = nullptr;
  int scale_ = 0;
};

class Batch {
 public:
  Batch(const ColumnView* columns, size_t column_count, int64_t rows)
      : columns_(columns), column_count_(column_count), rows_(rows) {}

  int64_t rows() const { return rows_; }
  size_t column_count() const { return column_count_; }
  const ColumnView& column(size_t i) const { return columns_[i]; }

 private:
  const ColumnView* columns_;
  size_t column_count_;
  int64_t rows_;
};

// Identifies a state of a table's rows: equal marks of a table mean equal rows.
struct TableMark {
  std::string table;  // name in the catalog
  std::string mark;   // any non-empty text
};

// The facts about an execution that are known before its first row.
struct RowsStart {
  const Schema& schema;       // the names and types of the columns
  absl::Duration time_limit;  // for the execution, from now; also for the time that the sink takes
};

// Receives the rows of one execution in batches, from one thread at a time.
class BatchSink {
 public:
  virtual ~BatchSink() = default;
  // Called by QueryService::Run before the first batch, also if there is no row, and once more if it plans the call
  // again. Backends do not call it.
  virtual void Begin(const RowsStart& /*start*/) {}
  // An error ends the execution, which then returns the same status.
  virtual absl::Status Append(const Batch& batch) = 0;
  // Receives the state of each table of the query. A backend calls it only if it can read the state from the same
  // snapshot as the rows, at most once, after the last row. A sink that forwards rows need not forward this call.
  virtual void SetMarks(std::vector<TableMark> /*marks*/) {}  // NOLINT(performance-unnecessary-value-param)
};

// A batch that owns its rows and is built from values, for tests and small backends.
class ValueBatch {
 public:
  // Each row has one value of the type of each column of `schema`; otherwise throws std::invalid_argument with the place.
  ValueBatch(const Schema& schema, const std::vector<std::vector<Value>>& rows);
  ~ValueBatch();
  ValueBatch(ValueBatch&&) noexcept;
  ValueBatch& operator=(ValueBatch&&) noexcept;

  // Valid while this object lives.
  Batch batch() const;

 private:
  struct Storage;
  std::unique_ptr<Storage> storage_;
};

// Collects all rows as values, for tests and small results.
class CollectingSink : public BatchSink {
 public:
  absl::Status Append(const Batch& batch) override;
  const std::vector<std::vector<Value>>& rows() const { return rows_; }

 private:
  std::vector<std::vector<Value>> rows_;
};

}  // namespace logquery

#endif  // LOGQUERY_BATCH_H_
