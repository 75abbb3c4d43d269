// Parses BigQueryOptions strictly; the JSON only names the place of the account's key.
#include "lib/backend/bigquery/options_json.h"

#include <limits>

#include "lib/backend/engine_options.h"
#include "lib/base/status_macros.h"

namespace logquery {
namespace bigquery {
namespace {

using base::JsonFields;

constexpr int64_t kMost = std::numeric_limits<int64_t>::max();

BigQueryTable ReadTable(JsonFields& fields, const std::string& name) {
  BigQueryTable table;
  table.name = name;
  table.table = fields.Text("table");
  table.dataset = fields.Text("dataset", "");
  table.project = fields.Text("project", "");
  table.columns = fields.TextMap("columns");
  return table;
}

void ReadLimits(JsonFields& fields, BigQueryOptions& options) {
  options.max_bytes_billed = fields.Integer("bytes_billed", {0, kMost}, options.max_bytes_billed);
  options.page_rows = static_cast<int>(fields.Integer("page_rows", {1, 100'000}, options.page_rows));
  options.max_connections = static_cast<int>(fields.Integer("connections", {1, 1'000}, options.max_connections));
  options.connect_timeout = backend::ReadMilliseconds(fields, "connect_timeout_ms", options.connect_timeout);
  options.statement_timeout = backend::ReadMilliseconds(fields, "statement_timeout_ms", options.statement_timeout);
  options.retry_wait = backend::ReadMilliseconds(fields, "retry_wait_ms", options.retry_wait);
  options.retry_time = absl::Milliseconds(
      fields.Integer("retry_time_ms", {0, 86'400'000}, absl::ToInt64Milliseconds(options.retry_time)));
  options.max_fragment_rows = fields.Integer("fragment_rows", {1, kMost}, options.max_fragment_rows);
  options.max_fragment_bytes = fields.Integer("fragment_bytes", {1, kMost}, options.max_fragment_bytes);
  options.memory_limit_bytes =
      fields.Integer("memory_limit_mb", backend::kMemoryLimitMb, options.memory_limit_bytes / 1'000'000) * 1'000'000;
  options.threads = static_cast<int>(fields.Integer("threads", backend::kEngineThreads, options.threads));
}

}  // namespace

BigQueryOptions ReadOptions(JsonFields& fields, const std::string& folder) {
  BigQueryOptions options;
  options.project = fields.Text("project");
  options.dataset = fields.Text("dataset", "");
  options.location = fields.Text("location", "");
  options.service_account_key = backend::ReadSecret(fields, "service_account", folder);
  options.api_url = fields.Text("api_url", options.api_url);
  options.metadata_url = fields.Text("metadata_url", options.metadata_url);
  options.ca_file = backend::ReadPath(fields, "ca_file", folder);
  options.proxy = fields.Text("proxy", "");
  options.schema_json = backend::ReadNamedFile(fields, "schema_file", folder);
  options.labels = fields.TextMap("labels");
  ReadLimits(fields, options);
  backend::ReadTables(fields, [&options](JsonFields& table, const std::string& name) {
    options.tables.push_back(ReadTable(table, name));
  });
  return options;
}

}  // namespace bigquery

absl::StatusOr<BigQueryOptions> BigQueryOptionsFromJson(std::string_view text, const std::string& folder) {
  BigQueryOptions options;
  LOGQUERY_RETURN_IF_ERROR(base::ReadFields("BigQuery's options", text, [&](base::JsonFields& fields) {
    if (fields.Text("engine", "bigquery") != "bigquery") fields.Fail("engine", "must be \"bigquery\"");
    options = bigquery::ReadOptions(fields, folder);
  }));
  return options;
}

}  // namespace logquery
