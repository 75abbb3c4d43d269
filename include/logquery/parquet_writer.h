// Writes the rows of an answer as a Parquet file, for QueryServiceOptions::parquet. The library itself has no encoder of Parquet;
// duckdb/parquet_writer.h has one that uses DuckDB.
//
//     absl::StatusOr<std::unique_ptr<logquery::ParquetFile>> file = writer->Begin(schema, path);
//     absl::Status status = backend.Execute(query, bindings, limits, cancellation, **file);
//     if (status.ok()) status = (*file)->Finish();
//
// A ParquetWriter is thread-safe; a ParquetFile is not, and must not outlive its writer.
#ifndef LOGQUERY_PARQUET_WRITER_H_
#define LOGQUERY_PARQUET_WRITER_H_

#include <memory>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "logquery/batch.h"
#include "logquery/type.h"

namespace logquery {

// One file that is being written, in memory that does not depend on the number of rows. Destroying it before Finish ends the
// writing and leaves a file without a footer, which no reader takes for a whole one.
class ParquetFile : public BatchSink {
 public:
  // ResourceExhausted: the rows need more memory than the writer has. Unavailable: the file can't be written, for example
  // because the disk is full; messages have no path. The file can't be used after an error.
  absl::Status Append(const Batch& batch) override = 0;
  // Completes the file. Statuses: those of Append.
  virtual absl::Status Finish() = 0;
};

class ParquetWriter {
 public:
  virtual ~ParquetWriter() = default;
  // Begins to write into the file at `path`, which exists and is empty.
  //   BOOL, INT64, FLOAT64      BOOLEAN; INT64; DOUBLE
  //   NUMERIC                   DECIMAL(38, 9)
  //   BIGNUMERIC, INTERVAL      STRING: their text as in JSON
  //   STRING, BYTES             STRING, with U+FFFD in place of invalid UTF-8; BYTE_ARRAY
  //   JSON                      JSON
  //   DATE, TIME                DATE; TIME in microseconds
  //   DATETIME, TIMESTAMP       TIMESTAMP in microseconds, in local time; adjusted to UTC
  //   ARRAY, STRUCT             LIST; group
  //   record                    group, which is NULL if the row does not have the record
  // A column or field whose name is empty or repeats an earlier one, also in another case, gets a name by its number.
  // Unavailable: there is no thread or memory for the file.
  virtual absl::StatusOr<std::unique_ptr<ParquetFile>> Begin(const Schema& schema, const std::string& path) = 0;
};

}  // namespace logquery

#endif  // LOGQUERY_PARQUET_WRITER_H_
