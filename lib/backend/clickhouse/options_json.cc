// Parses ClickHouseOptions strictly; the JSON only names the places of secrets.
#include "lib/backend/clickhouse/options_json.h"

#include <limits>

#include "lib/backend/engine_options.h"
#include "lib/base/status_macros.h"

namespace logquery {
namespace clickhouse {
namespace {

using base::JsonFields;

constexpr int64_t kMost = std::numeric_limits<int64_t>::max();

ClickHouseTable ReadTable(JsonFields& fields, const std::string& name) {
  ClickHouseTable table;
  table.name = name;
  table.table = fields.Text("table");
  table.database = fields.Text("database", "");
  table.columns = fields.TextMap("columns");
  table.fields = fields.TextMap("fields");
  table.presence = fields.TextMap("presence");
  return table;
}

void ReadLimits(JsonFields& fields, ClickHouseOptions& options) {
  options.max_connections = static_cast<int>(fields.Integer("connections", {1, 1'000}, options.max_connections));
  options.connect_timeout = backend::ReadMilliseconds(fields, "connect_timeout_ms", options.connect_timeout);
  options.statement_timeout = backend::ReadMilliseconds(fields, "statement_timeout_ms", options.statement_timeout);
  options.max_server_memory_bytes =
      fields.Integer("server_memory_bytes", {1 << 20, kMost}, options.max_server_memory_bytes);
  options.max_rows_to_read = fields.Integer("rows_to_read", {1, kMost}, options.max_rows_to_read);
  options.max_fragment_rows = fields.Integer("fragment_rows", {1, kMost}, options.max_fragment_rows);
  options.max_fragment_bytes = fields.Integer("fragment_bytes", {1, kMost}, options.max_fragment_bytes);
  options.memory_limit_bytes =
      fields.Integer("memory_limit_mb", backend::kMemoryLimitMb, options.memory_limit_bytes / 1'000'000) * 1'000'000;
  options.threads = static_cast<int>(fields.Integer("threads", backend::kEngineThreads, options.threads));
}

}  // namespace

ClickHouseOptions ReadOptions(JsonFields& fields, const std::string& folder) {
  ClickHouseOptions options;
  options.hosts = fields.OptionalTexts("hosts").value_or(std::vector<std::string>());
  if (options.hosts.empty()) fields.Fail("hosts", "must be a list of at least one URL");
  options.database = fields.Text("database", options.database);
  options.user = fields.Text("user");
  options.password = backend::ReadSecret(fields, "password", folder);
  options.ca_file = backend::ReadPath(fields, "ca_file", folder);
  options.certificate_file = backend::ReadPath(fields, "certificate_file", folder);
  options.key_file = backend::ReadPath(fields, "key_file", folder);
  options.proxy = fields.Text("proxy", "");
  options.compression = fields.Flag("compression", options.compression);
  options.allow_sources = fields.Flag("allow_sources", options.allow_sources);
  options.schema_json = backend::ReadNamedFile(fields, "schema_file", folder);
  ReadLimits(fields, options);
  backend::ReadTables(fields, [&options](JsonFields& table, const std::string& name) {
    options.tables.push_back(ReadTable(table, name));
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
