// ClickHouse as a dialect of fragments: what it does with exactly GoogleSQL's meaning, and in which words.
//
// Its texts count on the settings of lib/backend/clickhouse/settings.cc. Table::storage_name is a ready item of FROM: a query in
// parentheses over the server's own table that names its columns as the catalog does. There a column is
//
//   BOOL, INT64, STRING, FLOAT64, BYTES   Bool, Int64, String or LowCardinality(String), Float64, String
//   DATE                                  Int32, the days since 1970: ClickHouse's own dates end in 2299
//   TIMESTAMP                             DateTime64(6)
//   a record, ARRAY, JSON                 anything that lib/backend/clickhouse/row_reader.h reads
//
// each also as Nullable. Fields of records are columns of their own, or are not asked for.
#ifndef LOGQUERY_LIB_EMIT_CLICKHOUSE_CLICKHOUSE_DIALECT_H_
#define LOGQUERY_LIB_EMIT_CLICKHOUSE_CLICKHOUSE_DIALECT_H_

#include "lib/emit/dialect.h"

namespace logquery::emit {

const SqlDialect& ClickHouseSql();

}  // namespace logquery::emit

#endif  // LOGQUERY_LIB_EMIT_CLICKHOUSE_CLICKHOUSE_DIALECT_H_
