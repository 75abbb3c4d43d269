// The table of ClickHouse's options in JSON, which only names the places of secrets.
#include "lib/engines/clickhouse/backend/options_json.h"

#include "lib/backend/engine_options.h"
#include "lib/backend/option_table.h"
#include "lib/base/status_macros.h"

namespace logquery {
namespace clickhouse {
namespace {

using backend::Written;
using base::JsonFields;

constexpr backend::OptionRow<ClickHouseTable> kTable[] = {
    {"table", &ClickHouseTable::table, Written::kRequired},
    {"database", &ClickHouseTable::database},
    {"columns", &ClickHouseTable::columns},
    {"fields", &ClickHouseTable::fields},
    {"presence", &ClickHouseTable::presence},
    {"layout", &ClickHouseTable::layout},
};

constexpr backend::OptionRow<ClickHouseOptions> kOptions[] = {
    {"hosts", &ClickHouseOptions::hosts, Written::kRequired},
    {"database", &ClickHouseOptions::database},
    {"user", &ClickHouseOptions::user, Written::kRequired},
    {"password", &ClickHouseOptions::password, Written::kSecret},
    {"ca_file", &ClickHouseOptions::ca_file, Written::kPath},
    {"certificate_file", &ClickHouseOptions::certificate_file, Written::kPath},
    {"key_file", &ClickHouseOptions::key_file, Written::kPath},
    {"proxy", &ClickHouseOptions::proxy},
    {"compression", &ClickHouseOptions::compression},
    {"allow_sources", &ClickHouseOptions::allow_sources},
    {"schema_file", &ClickHouseOptions::schema_json, Written::kFile},
    {"connections", &ClickHouseOptions::max_connections, Written::kValue, {1, 1'000}},
    {"connect_timeout_ms", &ClickHouseOptions::connect_timeout, Written::kValue, backend::kMilliseconds},
    {"statement_timeout_ms", &ClickHouseOptions::statement_timeout, Written::kValue, backend::kMilliseconds},
    {"server_memory_bytes",
     &ClickHouseOptions::max_server_memory_bytes,
     Written::kValue,
     {1 << 20, backend::kMostInteger}},
    {"rows_to_read", &ClickHouseOptions::max_rows_to_read, Written::kValue, backend::kFromOne},
    {"fragment_rows", &ClickHouseOptions::max_fragment_rows, Written::kValue, backend::kFromOne},
    {"fragment_bytes", &ClickHouseOptions::max_fragment_bytes, Written::kValue, backend::kFromOne},
    {"memory_limit_mb", &ClickHouseOptions::memory_limit_bytes, Written::kMegabytes, backend::kMemoryLimitMb},
    {"threads", &ClickHouseOptions::threads, Written::kValue, backend::kEngineThreads},
};

}  // namespace

ClickHouseOptions ReadOptions(JsonFields& fields, const std::string& folder) {
  ClickHouseOptions options;
  backend::ReadOptions<ClickHouseOptions>(kOptions, fields, folder, options);
  backend::ReadTables(fields, [&options](JsonFields& table, const std::string& name) {
    ClickHouseTable& added = options.tables.emplace_back();
    added.name = name;
    backend::ReadOptions<ClickHouseTable>(kTable, table, "", added);
  });
  return options;
}

}  // namespace clickhouse

absl::StatusOr<ClickHouseOptions> ClickHouseOptionsFromJson(std::string_view text, const std::string& folder) {
  ClickHouseOptions options;
  LOGQUERY_RETURN_IF_ERROR(base::ReadFields("ClickHouse's options", text, [&](base::JsonFields& fields) {
    if (fields.Text("engine", "clickhouse") != "clickhouse") fields.Fail("engine", "must be \"clickhouse\"");
    options = clickhouse::ReadOptions(fields, folder);
  }));
  return options;
}

}  // namespace logquery
