// ClickHouse as a dialect of fragments: what it runs with exactly GoogleSQL's meaning, and how that is written.
//
// The texts require the settings of lib/engines/clickhouse/backend/settings.cc. Table::storage_name is a complete FROM item: a
// query in parentheses on the server's own table with the catalog's column names. Its columns have these types:
//
//   BOOL, INT64, STRING, FLOAT64, BYTES   Bool, Int64, String or LowCardinality(String), Float64, String
//   DATE                                  Int32, the days since 1970: ClickHouse's own dates end in 2299
//   TIMESTAMP                             DateTime64(6)
//   a record, ARRAY, JSON                 anything that lib/engines/clickhouse/backend/row_reader.h reads
//
// Each may also be Nullable. Fields of records must be columns of their own to be used in ClickHouse.
#ifndef LOGQUERY_LIB_ENGINES_CLICKHOUSE_DIALECT_CLICKHOUSE_DIALECT_H_
#define LOGQUERY_LIB_ENGINES_CLICKHOUSE_DIALECT_CLICKHOUSE_DIALECT_H_

#include "lib/emit/dialect.h"

namespace logquery::emit {

const SqlDialect& ClickHouseSql();

}  // namespace logquery::emit

#endif  // LOGQUERY_LIB_ENGINES_CLICKHOUSE_DIALECT_CLICKHOUSE_DIALECT_H_
