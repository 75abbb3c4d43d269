// ClickHouseOptions out of fields of JSON, for files that have more beside them.
#ifndef LOGQUERY_LIB_BACKEND_CLICKHOUSE_OPTIONS_JSON_H_
#define LOGQUERY_LIB_BACKEND_CLICKHOUSE_OPTIONS_JSON_H_

#include <string>

#include "lib/base/json_fields.h"
#include "logquery/clickhouse/clickhouse_backend.h"

namespace logquery::clickhouse {

// The fields that ClickHouseOptionsFromJson describes, without "engine"; relative names of files are taken from `folder`. What is
// wrong stands in `fields`; the options are of no use then.
ClickHouseOptions ReadOptions(base::JsonFields& fields, const std::string& folder);

}  // namespace logquery::clickhouse

#endif  // LOGQUERY_LIB_BACKEND_CLICKHOUSE_OPTIONS_JSON_H_
