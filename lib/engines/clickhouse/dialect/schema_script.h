// Writes the script that creates the logs' tables in ClickHouse.
#ifndef LOGQUERY_LIB_ENGINES_CLICKHOUSE_DIALECT_SCHEMA_SCRIPT_H_
#define LOGQUERY_LIB_ENGINES_CLICKHOUSE_DIALECT_SCHEMA_SCRIPT_H_

#include <string>
#include <string_view>

#include "lib/emit/schema_script.h"

namespace logquery::emit {

SchemaScript ClickHouseSchema(const model::SchemaFile& file, const SchemaScriptOptions& options);

// The statements with which a script ends: they create the user that reads its tables.
std::string ClickHouseReader(const SchemaScriptOptions& options);

// The name of the table of all logs that ClickHouseOtelSchema creates.
inline constexpr std::string_view kOtelTable = "otel_logs";

// The same in Logflare's OTel layout: one table of all logs, ordered by project, log and time, with all fields as a map of texts,
// and a view for each log, which has its declared fields by their types. otel_script.cc
AllLogsScript ClickHouseOtelSchema(const model::SchemaFile& file, const SchemaScriptOptions& options);

}  // namespace logquery::emit

#endif  // LOGQUERY_LIB_ENGINES_CLICKHOUSE_DIALECT_SCHEMA_SCRIPT_H_
