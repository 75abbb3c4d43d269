// Reads records from JSONB: what a declared path refers to has the same meaning as when such a row is loaded
// (docs/postgres.md).
//
// A record is an object, or an array of one object; any other value counts as NULL. A field's value has its declared
// type, or is NULL. All checks are part of one path in the server's own path language, so that nothing is evaluated
// twice and nothing raises an error:
//
//     (jsonb_path_query_first(t1."metadata", '$ ? (@."request"[0].type() == "object" && … )."request"[0]."method"') #>> '{}')
#ifndef LOGQUERY_LIB_ENGINES_POSTGRES_DIALECT_JSON_PATHS_H_
#define LOGQUERY_LIB_ENGINES_POSTGRES_DIALECT_JSON_PATHS_H_

#include <string>
#include <string_view>
#include <vector>

#include "lib/emit/record_text.h"
#include "logquery/type.h"

namespace logquery::emit {

// A record nested in another one: the path of records that leads to it.
struct PostgresRecord : RecordText {
  std::string base;                  // SQL of jsonb: an object, or NULL
  std::vector<std::string> records;  // names, from the base downwards
};

// Returns SQL of the record: an object, or NULL.
std::string PostgresRecordSql(const PostgresRecord& record);

// Returns whether a field of this type can be read from JSONB.
bool PostgresReadsField(const Type& type);

// Returns SQL of a field of `record` that is not itself a record: BOOL, INT64 and STRING as such; other types as jsonb,
// which the reader of the results converts.
std::string PostgresFieldSql(const PostgresRecord& record, std::string_view name, const Type& type);

// Returns SQL of a record in a jsonb column, which may have any value: an object, or NULL.
std::string PostgresTopRecordSql(const std::string& column);

}  // namespace logquery::emit

#endif  // LOGQUERY_LIB_ENGINES_POSTGRES_DIALECT_JSON_PATHS_H_
