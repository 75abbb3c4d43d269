// Records in JSONB: what a declared path leads to, with the meaning that it has when such a row is loaded (docs/postgres.md).
//
// A record is an object, or an array of one object; anything else in its place is no record, and so NULL. A field's value is that
// of its declared type, or NULL. All guards are part of one path of the server's own language, so that nothing is evaluated
// twice and nothing raises an error:
//
//     (jsonb_path_query_first(t1."metadata", '$ ? (@."request"[0].type() == "object" && … )."request"[0]."method"') #>> '{}')
#ifndef LOGQUERY_LIB_EMIT_POSTGRES_JSON_PATHS_H_
#define LOGQUERY_LIB_EMIT_POSTGRES_JSON_PATHS_H_

#include <string>
#include <string_view>
#include <vector>

#include "lib/emit/record_text.h"
#include "logquery/type.h"

namespace logquery::emit {

// A record below another: which records lead to it.
struct PostgresRecord : RecordText {
  std::string base;                  // SQL of jsonb: an object, or NULL
  std::vector<std::string> records;  // names, from the base down
};

// SQL of the record: an object, or NULL.
std::string PostgresRecordSql(const PostgresRecord& record);

// Whether a field of the type can be read from JSONB.
bool PostgresReadsField(const Type& type);

// SQL of a field of `record` that is no record itself: BOOL, INT64 and STRING as such; other types as jsonb, to be read by their
// type when they have come.
std::string PostgresFieldSql(const PostgresRecord& record, std::string_view name, const Type& type);

// SQL of a record that stands in a jsonb column, of any value: an object, or NULL.
std::string PostgresTopRecordSql(const std::string& column);

}  // namespace logquery::emit

#endif  // LOGQUERY_LIB_EMIT_POSTGRES_JSON_PATHS_H_
