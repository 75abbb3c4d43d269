// PostgreSQL as a dialect of fragments: what it does with exactly GoogleSQL's meaning, and in which words.
//
// Its texts count on a session of UTF8, with the time zone UTC and standard_conforming_strings on. Table::storage_name is a
// ready item of FROM: a query in parentheses over the server's own table that names its columns as the catalog does. There a
// column is
//
//   BOOL, INT64, STRING, DATE, FLOAT64, BYTES   boolean, bigint, text, date, double precision, bytea
//   TIMESTAMP                                   timestamp with time zone, or without one in UTC
//   a record                                    jsonb: an object, or NULL
//   ARRAY, JSON                                 jsonb
#ifndef LOGQUERY_LIB_EMIT_POSTGRES_POSTGRES_DIALECT_H_
#define LOGQUERY_LIB_EMIT_POSTGRES_POSTGRES_DIALECT_H_

#include "lib/emit/dialect.h"

namespace logquery::emit {

const SqlDialect& PostgresSql();

}  // namespace logquery::emit

#endif  // LOGQUERY_LIB_EMIT_POSTGRES_POSTGRES_DIALECT_H_
