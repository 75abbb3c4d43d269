// Parses PostgresOptions strictly; the JSON only names the places of secrets.
#include "lib/backend/postgres/options_json.h"

#include <limits>

#include "lib/backend/engine_options.h"
#include "lib/base/quoted_text.h"
#include "lib/base/status_macros.h"
#include "lib/base/strings.h"

namespace logquery {
namespace postgres {
namespace {

using base::JsonFields;
using base::StrCat;

constexpr int64_t kMost = std::numeric_limits<int64_t>::max();

PostgresTable ReadTable(JsonFields& fields, const std::string& name) {
  PostgresTable table;
  table.name = name;
  table.table = fields.Text("table");
  table.schema = fields.Text("schema", table.schema);
  table.body = fields.Text("body", table.body);
  table.columns = fields.TextMap("columns");
  const std::string layout = fields.Text("layout", "columns");
  if (layout == "logflare") table.layout = PostgresTable::Layout::kLogflare;
  if (layout != "logflare" && layout != "columns") {
    fields.Fail("layout", StrCat("must be columns or logflare, is ", base::QuotedText(layout)));
  }
  return table;
}

}  // namespace

PostgresOptions ReadOptions(JsonFields& fields, const std::string& folder) {
  PostgresOptions options;
  options.host = fields.Text("host");
  options.port = static_cast<int>(fields.Integer("port", {1, 65'535}, options.port));
  options.database = fields.Text("database");
  options.user = fields.Text("user");
  options.password = backend::ReadSecret(fields, "password", folder);
  options.tls = fields.Text("tls", options.tls);
  options.ca_file = backend::ReadPath(fields, "ca_file", folder);
  options.certificate_file = backend::ReadPath(fields, "certificate_file", folder);
  options.key_file = backend::ReadPath(fields, "key_file", folder);
  options.max_connections = static_cast<int>(fields.Integer("connections", {1, 1'000}, options.max_connections));
  options.connect_timeout = backend::ReadMilliseconds(fields, "connect_timeout_ms", options.connect_timeout);
  options.statement_timeout = backend::ReadMilliseconds(fields, "statement_timeout_ms", options.statement_timeout);
  options.max_fragment_rows = fields.Integer("fragment_rows", {1, kMost}, options.max_fragment_rows);
  options.max_fragment_bytes = fields.Integer("fragment_bytes", {1, kMost}, options.max_fragment_bytes);
  options.memory_limit_bytes =
      fields.Integer("memory_limit_mb", backend::kMemoryLimitMb, options.memory_limit_bytes / 1'000'000) * 1'000'000;
  options.threads = static_cast<int>(fields.Integer("threads", backend::kEngineThreads, options.threads));
  options.schema_json = backend::ReadNamedFile(fields, "schema_file", folder);
  backend::ReadTables(fields, [&options](JsonFields& table, const std::string& name) {
    options.tables.push_back(ReadTable(table, name));
  });
  return options;
}

}  // namespace postgres

absl::StatusOr<PostgresOptions> PostgresOptionsFromJson(std::string_view text, const std::string& folder) {
  PostgresOptions options;
  LOGQUERY_RETURN_IF_ERROR(base::ReadFields("PostgreSQL's options", text, [&](base::JsonFields& fields) {
    if (fields.Text("engine", "postgres") != "postgres") fields.Fail("engine", "must be \"postgres\"");
    options = postgres::ReadOptions(fields, folder);
  }));
  return options;
}

}  // namespace logquery
