// The table of BigQuery's options in JSON, which only names the place of the account's key.
#include "lib/engines/bigquery/backend/options_json.h"

#include "lib/backend/engine_options.h"
#include "lib/backend/option_table.h"
#include "lib/base/status_macros.h"

namespace logquery {
namespace bigquery {
namespace {

using backend::Written;
using base::JsonFields;

constexpr backend::OptionRow<BigQueryTable> kTable[] = {
    {"table", &BigQueryTable::table, Written::kRequired},
    {"dataset", &BigQueryTable::dataset},
    {"project", &BigQueryTable::project},
    {"columns", &BigQueryTable::columns},
};

constexpr backend::OptionRow<BigQueryOptions> kOptions[] = {
    {"project", &BigQueryOptions::project, Written::kRequired},
    {"dataset", &BigQueryOptions::dataset},
    {"location", &BigQueryOptions::location},
    {"service_account", &BigQueryOptions::service_account_key, Written::kSecret},
    {"api_url", &BigQueryOptions::api_url},
    {"metadata_url", &BigQueryOptions::metadata_url},
    {"ca_file", &BigQueryOptions::ca_file, Written::kPath},
    {"proxy", &BigQueryOptions::proxy},
    {"schema_file", &BigQueryOptions::schema_json, Written::kFile},
    {"labels", &BigQueryOptions::labels},
    {"bytes_billed", &BigQueryOptions::max_bytes_billed, Written::kValue, {0, backend::kMostInteger}},
    {"page_rows", &BigQueryOptions::page_rows, Written::kValue, {1, 100'000}},
    {"connections", &BigQueryOptions::max_connections, Written::kValue, {1, 1'000}},
    {"connect_timeout_ms", &BigQueryOptions::connect_timeout, Written::kValue, backend::kMilliseconds},
    {"statement_timeout_ms", &BigQueryOptions::statement_timeout, Written::kValue, backend::kMilliseconds},
    {"retry_wait_ms", &BigQueryOptions::retry_wait, Written::kValue, backend::kMilliseconds},
    {"retry_time_ms", &BigQueryOptions::retry_time, Written::kValue, {0, backend::kMilliseconds.most}},
    {"fragment_rows", &BigQueryOptions::max_fragment_rows, Written::kValue, backend::kFromOne},
    {"fragment_bytes", &BigQueryOptions::max_fragment_bytes, Written::kValue, backend::kFromOne},
    {"memory_limit_mb", &BigQueryOptions::memory_limit_bytes, Written::kMegabytes, backend::kMemoryLimitMb},
    {"threads", &BigQueryOptions::threads, Written::kValue, backend::kEngineThreads},
};

}  // namespace

BigQueryOptions ReadOptions(JsonFields& fields, const std::string& folder) {
  BigQueryOptions options;
  backend::ReadOptions<BigQueryOptions>(kOptions, fields, folder, options);
  backend::ReadTables(fields, [&options](JsonFields& table, const std::string& name) {
    BigQueryTable& added = options.tables.emplace_back();
    added.name = name;
    backend::ReadOptions<BigQueryTable>(kTable, table, "", added);
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
