// Exports rows by Arrow's C data interface, for libraries that read Arrow arrays: pyarrow, Polars, DuckDB, DataFusion.
//
//     ArrowSchema schema;
//     ArrowArray rows;
//     absl::Status status = ExportArrow(batch, reader->schema(), &schema, &rows);   // batch and names: row_reader.h
//     … // hand both to a library, which takes them over, or:
//     rows.release(&rows), schema.release(&schema);
//
// Needs no Arrow library. Thread-safe. The exported structs own copies of everything, and may be released on any thread.
//
//   BOOL, INT64, FLOAT64     bool; int64; float64
//   NUMERIC, BIGNUMERIC      decimal128(38, 9); decimal256(76, 38)
//   STRING, BYTES            utf8, with U+FFFD in place of invalid UTF-8; binary
//   JSON                     utf8 with the extension type arrow.json
//   DATE, TIME               date32; time64 in microseconds
//   DATETIME, TIMESTAMP      timestamp in microseconds, without a zone; with the zone UTC
//   INTERVAL                 month_day_nano_interval
//   ARRAY, STRUCT            list; struct
//   record                   list of struct, of length 0 or 1, as queries see it
#ifndef LOGQUERY_ARROW_H_
#define LOGQUERY_ARROW_H_

#include <cstdint>

#include "absl/status/status.h"
#include "logquery/batch.h"
#include "logquery/type.h"

// The structs as https://arrow.apache.org/docs/format/CDataInterface.html defines them; every library that uses the interface
// has the same ones under this guard.
#ifndef ARROW_C_DATA_INTERFACE
#define ARROW_C_DATA_INTERFACE

#define ARROW_FLAG_DICTIONARY_ORDERED 1
#define ARROW_FLAG_NULLABLE 2
#define ARROW_FLAG_MAP_KEYS_SORTED 4

extern "C" {

struct ArrowSchema {
  const char* format;
  const char* name;
  const char* metadata;
  int64_t flags;
  int64_t n_children;
  struct ArrowSchema** children;
  struct ArrowSchema* dictionary;
  void (*release)(struct ArrowSchema*);
  void* private_data;
};

struct ArrowArray {
  int64_t length;
  int64_t null_count;
  int64_t offset;
  int64_t n_buffers;
  int64_t n_children;
  const void** buffers;
  struct ArrowArray** children;
  struct ArrowArray* dictionary;
  void (*release)(struct ArrowArray*);
  void* private_data;
};

}  // extern "C"

#endif  // ARROW_C_DATA_INTERFACE

namespace logquery {

// The most memory that one exported batch may take. Arrow repeats elements that lists share.
inline constexpr int64_t kMaxArrowBytes = 1 << 30;

// Sets `*out_schema` to a struct with a field for each column, and `*out_rows` to an array of such structs, one for each
// row. Either may be nullptr, and is then not exported; what they held before is overwritten. The caller releases them,
// or passes them on. After an error both `release` are nullptr.
//   InvalidArgument    the batch's columns are not those of `schema`
//   OutOfRange         an INTERVAL's time exceeds 64 bits of nanoseconds, or a BIGNUMERIC has more than 76 digits
//   ResourceExhausted  the batch would take more than kMaxArrowBytes; export fewer rows at a time
absl::Status ExportArrow(const Batch& batch, const Schema& schema, ArrowSchema* out_schema, ArrowArray* out_rows);

}  // namespace logquery

#endif  // LOGQUERY_ARROW_H_
