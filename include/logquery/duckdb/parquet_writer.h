// Writes answers as Parquet by DuckDB. Link logquery::duckdb.
//
//     const std::unique_ptr<logquery::ParquetWriter> parquet = logquery::MakeDuckDbParquetWriter({});
//     auto service = logquery::QueryService::Create({.backend = backend->get(), .parquet = parquet.get()});
#ifndef LOGQUERY_DUCKDB_PARQUET_WRITER_H_
#define LOGQUERY_DUCKDB_PARQUET_WRITER_H_

#include <cstdint>
#include <memory>

#include "logquery/parquet_writer.h"

namespace logquery {

struct DuckDbParquetOptions {
  // For all files that are written at one time. A file takes about 16 MiB, and more if rows are long.
  int64_t memory_limit_bytes = 128 << 20;
};

// Opens its engine, which can reach no other file, when the first file begins. Files are compressed by zstd and have row groups of
// about 4 MB. Each file that is being written has a thread.
std::unique_ptr<ParquetWriter> MakeDuckDbParquetWriter(const DuckDbParquetOptions& options);

}  // namespace logquery

#endif  // LOGQUERY_DUCKDB_PARQUET_WRITER_H_
