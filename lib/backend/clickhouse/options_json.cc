// ClickHouseOptions from a file's text: strict, and with secrets by name alone.
#include <limits>
#include <nlohmann/json.hpp>
#include <utility>

#include "lib/backend/engine_options.h"
#include "lib/base/json.h"
#include "lib/base/json_fields.h"
#include "lib/base/status_macros.h"
#include "lib/base/strings.h"
#include "logquery/clickhouse/clickhouse_backend.h"

namespace logquery {
namespace {

using base::JsonFields;
using base::StrCat;
using Json = nlohmann::ordered_json;

constexpr int64_t kMost = std::numeric_limits<int64_t>::max();
constexpr int64_t kDayMs = 86'400'000;
constexpr char kPlace[] = "ClickHouse's options: ";

ClickHouseTable ReadTable(const std::string& name, const Json& json, absl::Status& status) {
  JsonFields fields(json, StrCat(kPlace, "tables.", name, "."), status);
  ClickHouseTable table;
  table.name = name;
  table.table = fields.Text("table");
  table.database = fields.Text("database", "");
  table.columns = fields.TextMap("columns");
  table.fields = fields.TextMap("fields");
  table.presence = fields.TextMap("presence");
  fields.RefuseOthers();
  return table;
}

void ReadTables(JsonFields& fields, ClickHouseOptions& options, absl::Status& status) {
  const Json* const tables = fields.Find("tables");
  if (tables == nullptr || !tables->is_object() || tables->empty()) {
    return fields.Fail("tables", "must be an object with at least one table");
  }
  for (const auto& [name, json] : tables->items()) options.tables.push_back(ReadTable(name, json, status));
}

absl::Duration ReadMs(JsonFields& fields, const char* key, absl::Duration fallback) {
  return absl::Milliseconds(fields.Integer(key, {1, kDayMs}, absl::ToInt64Milliseconds(fallback)));
}

void ReadLimits(JsonFields& fields, ClickHouseOptions& options) {
  options.max_connections = static_cast<int>(fields.Integer("connections", {1, 1'000}, options.max_connections));
  options.connect_timeout = ReadMs(fields, "connect_timeout_ms", options.connect_timeout);
  options.statement_timeout = ReadMs(fields, "statement_timeout_ms", options.statement_timeout);
  options.max_server_memory_bytes =
      fields.Integer("server_memory_bytes", {1 << 20, kMost}, options.max_server_memory_bytes);
  options.max_rows_to_read = fields.Integer("rows_to_read", {1, kMost}, options.max_rows_to_read);
  options.max_fragment_rows = fields.Integer("fragment_rows", {1, kMost}, options.max_fragment_rows);
  options.max_fragment_bytes = fields.Integer("fragment_bytes", {1, kMost}, options.max_fragment_bytes);
  options.memory_limit_bytes = fields.Integer("memory_limit_bytes", {64 << 20, kMost}, options.memory_limit_bytes);
  options.threads = static_cast<int>(fields.Integer("threads", {0, 1'024}, options.threads));
}

}  // namespace

absl::StatusOr<ClickHouseOptions> ClickHouseOptionsFromJson(std::string_view text) {
  LOGQUERY_ASSIGN_OR_RETURN(const Json json, base::ParseJson("ClickHouse's options", text));
  absl::Status status;
  JsonFields fields(json, kPlace, status);
  ClickHouseOptions options;
  if (fields.Text("engine", "clickhouse") != "clickhouse") fields.Fail("engine", "must be \"clickhouse\"");
  options.hosts = fields.OptionalTexts("hosts").value_or(std::vector<std::string>());
  if (options.hosts.empty()) fields.Fail("hosts", "must be a list of at least one URL");
  options.database = fields.Text("database", options.database);
  options.user = fields.Text("user");
  options.ca_file = fields.Text("ca_file", "");
  options.certificate_file = fields.Text("certificate_file", "");
  options.key_file = fields.Text("key_file", "");
  options.proxy = fields.Text("proxy", "");
  options.compression = fields.Flag("compression", options.compression);
  options.allow_sources = fields.Flag("allow_sources", options.allow_sources);
  ReadLimits(fields, options);
  ReadTables(fields, options, status);
  const Json* const password = fields.Find("password");
  const std::string schema_file = fields.Text("schema_file", "");
  fields.RefuseOthers();
  LOGQUERY_RETURN_IF_ERROR(status);
  if (password != nullptr) {
    LOGQUERY_ASSIGN_OR_RETURN(options.password, backend::ReadSecret(*password, StrCat(kPlace, "password")));
  }
  if (!schema_file.empty()) {
    LOGQUERY_ASSIGN_OR_RETURN(options.schema_json, backend::ReadOptionFile(StrCat(kPlace, "schema_file"), schema_file));
  }
  return options;
}

}  // namespace logquery
