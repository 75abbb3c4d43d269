// Reads ClickHouseOptions from JSON fields, for files that also have other fields.
#ifndef LOGQUERY_LIB_ENGINES_CLICKHOUSE_BACKEND_OPTIONS_JSON_H_
#define LOGQUERY_LIB_ENGINES_CLICKHOUSE_BACKEND_OPTIONS_JSON_H_

#include <string>

#include "lib/base/json_fields.h"
#include "logquery/clickhouse/clickhouse_backend.h"

namespace logquery::clickhouse {

// Reads the fields that ClickHouseOptionsFromJson describes, except "engine". Relative file names are resolved against
// `folder`. Errors are added to `fields`; the options can't be used then.
ClickHouseOptions ReadOptions(base::JsonFields& fields, const std::string& folder);

}  // namespace logquery::clickhouse

#endif  // LOGQUERY_LIB_ENGINES_CLICKHOUSE_BACKEND_OPTIONS_JSON_H_
