// PostgreSQL as a dialect of fragments: what it runs with exactly GoogleSQL's meaning, and how that is written.
//
// The texts require a UTF8 session with the time zone UTC and standard_conforming_strings on. Table::storage_name is a
// complete FROM item: a query in parentheses on the server's own table with the catalog's column names. Its columns
// have these types:
//
//   BOOL, INT64, STRING, DATE, FLOAT64, BYTES   boolean, bigint, text, date, double precision, bytea
//   TIMESTAMP                                   timestamp with time zone, or without one in UTC
//   a record                                    jsonb: an object, or NULL
//   ARRAY, JSON                                 jsonb
#ifndef LOGQUERY_LIB_ENGINES_POSTGRES_DIALECT_POSTGRES_DIALECT_H_
#define LOGQUERY_LIB_ENGINES_POSTGRES_DIALECT_POSTGRES_DIALECT_H_

#include "lib/emit/dialect.h"

namespace logquery::emit {

const SqlDialect& PostgresSql();

}  // namespace logquery::emit

#endif  // LOGQUERY_LIB_ENGINES_POSTGRES_DIALECT_POSTGRES_DIALECT_H_
