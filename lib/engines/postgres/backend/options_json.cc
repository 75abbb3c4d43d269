// The table of PostgreSQL's options in JSON, which only names the place of the password.
#include "lib/engines/postgres/backend/options_json.h"

#include "lib/backend/engine_options.h"
#include "lib/backend/option_table.h"
#include "lib/base/quoted_text.h"
#include "lib/base/status_macros.h"
#include "lib/base/strings.h"

namespace logquery {
namespace postgres {
namespace {

using backend::Written;
using base::JsonFields;

constexpr backend::OptionRow<PostgresTable> kTable[] = {
    {"table", &PostgresTable::table, Written::kRequired},
    {"schema", &PostgresTable::schema},
    {"body", &PostgresTable::body},
    {"columns", &PostgresTable::columns},
};

constexpr backend::OptionRow<PostgresOptions> kOptions[] = {
    {"host", &PostgresOptions::host, Written::kRequired},
    {"port", &PostgresOptions::port, Written::kValue, {1, 65'535}},
    {"database", &PostgresOptions::database, Written::kRequired},
    {"user", &PostgresOptions::user, Written::kRequired},
    {"password", &PostgresOptions::password, Written::kSecret},
    {"tls", &PostgresOptions::tls},
    {"ca_file", &PostgresOptions::ca_file, Written::kPath},
    {"certificate_file", &PostgresOptions::certificate_file, Written::kPath},
    {"key_file", &PostgresOptions::key_file, Written::kPath},
    {"connections", &PostgresOptions::max_connections, Written::kValue, {1, 1'000}},
    {"connect_timeout_ms", &PostgresOptions::connect_timeout, Written::kValue, backend::kMilliseconds},
    {"statement_timeout_ms", &PostgresOptions::statement_timeout, Written::kValue, backend::kMilliseconds},
    {"fragment_rows", &PostgresOptions::max_fragment_rows, Written::kValue, backend::kFromOne},
    {"fragment_bytes", &PostgresOptions::max_fragment_bytes, Written::kValue, backend::kFromOne},
    {"memory_limit_mb", &PostgresOptions::memory_limit_bytes, Written::kMegabytes, backend::kMemoryLimitMb},
    {"threads", &PostgresOptions::threads, Written::kValue, backend::kEngineThreads},
    {"schema_file", &PostgresOptions::schema_json, Written::kFile},
};

PostgresTable ReadTable(JsonFields& fields, const std::string& name) {
  PostgresTable table;
  table.name = name;
  backend::ReadOptions<PostgresTable>(kTable, fields, "", table);
  const std::string layout = fields.Text("layout", "columns");
  if (layout == "logflare") table.layout = PostgresTable::Layout::kLogflare;
  if (layout != "logflare" && layout != "columns") {
    fields.Fail("layout", base::StrCat("must be columns or logflare, is ", base::QuotedText(layout)));
  }
  return table;
}

}  // namespace

PostgresOptions ReadOptions(JsonFields& fields, const std::string& folder) {
  PostgresOptions options;
  backend::ReadOptions<PostgresOptions>(kOptions, fields, folder, options);
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
