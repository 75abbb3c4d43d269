// The statements that load an export into ClickHouse.
#ifndef LOGQUERY_LIB_ENGINES_CLICKHOUSE_DIALECT_LOAD_SCRIPT_H_
#define LOGQUERY_LIB_ENGINES_CLICKHOUSE_DIALECT_LOAD_SCRIPT_H_

#include <string>
#include <string_view>

#include "lib/emit/load_script.h"

namespace logquery::emit {

std::string ClickHouseLoad(const LoadScriptOptions& options);

// The same for the one table of ClickHouseOtelSchema, whose files are in a folder of its name.
std::string ClickHouseOtelLoad(std::string_view database);

}  // namespace logquery::emit

#endif  // LOGQUERY_LIB_ENGINES_CLICKHOUSE_DIALECT_LOAD_SCRIPT_H_
