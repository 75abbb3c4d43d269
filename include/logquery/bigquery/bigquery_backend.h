// A backend for logs that are stored in BigQuery. BigQuery runs the parts of a query whose meaning it documents;
// DuckDB, in memory in this process, runs the rest. Link logquery::bigquery.
//
//     logquery::BigQueryOptions options;
//     options.project = "my-project";
//     options.dataset = "logs";
//     options.service_account_key = …;   // the text of the key file; empty: the machine's metadata server
//     options.tables = {{.name = "cloudflare.logs.prod", .table = "edge_logs"}};
//     auto backend = logquery::OpenBigQuery(options);
//
// The backend sends only queries, over REST. docs/bigquery.md describes the account and its roles, the layout of
// tables, and which data is transferred.
#ifndef LOGQUERY_BIGQUERY_BIGQUERY_BACKEND_H_
#define LOGQUERY_BIGQUERY_BIGQUERY_BACKEND_H_

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "logquery/clock.h"
#include "logquery/remote_backend.h"

namespace logquery {

// The place of a declared table in BigQuery. A record of the schema is a REPEATED RECORD in BigQuery, with at most one
// element.
struct BigQueryTable {
  std::string name;                                 // name in queries and in the schema: "cloudflare.logs.prod"
  std::string project = {};                         // the project of the table; empty: BigQueryOptions::project
  std::string dataset = {};                         // empty: BigQueryOptions::dataset
  std::string table = {};                           // a table or a view in that dataset
  std::map<std::string, std::string> columns = {};  // our column → BigQuery's column, where the names differ
};

struct BigQueryOptions {
  std::string project;                   // runs the query jobs and is billed for them
  std::string dataset = {};              // for tables that name none
  std::string location = {};             // of the jobs: "EU", "europe-west1"; empty: BigQuery determines it
  std::string service_account_key = {};  // JSON text; empty: tokens come from the metadata server
  std::string api_url = "https://bigquery.googleapis.com";
  std::string metadata_url = "http://metadata.google.internal";
  std::string ca_file = {};  // trusted certificate authorities; empty: the system's
  std::string proxy = {};    // "http://proxy:3128"; empty: none

  std::vector<BigQueryTable> tables;  // at least one
  std::string schema_json = {};       // declares the tables (see lib/model/log_schema.json); empty: the built-in logs

  std::map<std::string, std::string> labels = {};  // attached to each job, for billing
  int64_t max_bytes_billed = 100LL << 30;  // per statement; BigQuery rejects larger ones at no cost; 0: no limit
  int page_rows = 10'000;                  // per response
  int max_connections = 16;                // concurrent requests
  absl::Duration connect_timeout = absl::Seconds(10);   // also limits how long a query waits for a connection
  absl::Duration statement_timeout = absl::Minutes(5);  // per statement; a call's own limit cancels it earlier
  // A request that fails with a temporary error is retried: first after retry_wait, then after twice the previous wait,
  // with jitter.
  absl::Duration retry_wait = absl::Milliseconds(500);
  absl::Duration retry_time = absl::Seconds(30);  // measured from the first attempt; 0: no retries
  int64_t max_fragment_rows = 10'000'000;         // from one part of a query; beyond: ResourceExhausted
  int64_t max_fragment_bytes = 4LL << 30;
  int64_t memory_limit_bytes = 2'048'000'000;  // of DuckDB
  int threads = 0;                             // of DuckDB; 0: as many as the machine has
  const Clock* clock = Clock::Real();          // decides when tokens expire; borrowed
};

// Parses options from JSON. Unknown keys are errors. The JSON names the place of the key instead of containing it:
//
//     {"engine": "bigquery", "project": "my-project", "dataset": "logs", "location": "EU",
//      "service_account": {"file": "/run/secrets/bigquery.json"},    or {"env": "BQ_KEY"}; absent: the metadata server
//      "api_url": …, "metadata_url": …, "ca_file": "/etc/ssl/proxy.pem", "proxy": …,
//      "schema_file": "/etc/logquery/schema.json",                   absent: the built-in logs
//      "labels": {"service": "logquery"}, "bytes_billed": 107374182400, "page_rows": 10000,
//      "connections": 16, "connect_timeout_ms": 10000, "statement_timeout_ms": 300000, "retry_wait_ms": 500,
//      "retry_time_ms": 30000, "fragment_rows": 10000000, "fragment_bytes": 4294967296, "memory_limit_mb": 2048,
//      "threads": 0,
//      "tables": {"cloudflare.logs.prod": {"table": "edge_logs", "dataset": "logs", "project": "their-project",
//                                          "columns": {"project": "tenant"}}}}
//
// Required: project, tables, and `table` in each table. Relative file names are resolved against `folder`; empty: the
// working directory. InvalidArgument: text that is not JSON, an unknown key or value (with line and column), or a
// secret or file that can't be read.
absl::StatusOr<BigQueryOptions> BigQueryOptionsFromJson(std::string_view text, const std::string& folder = "");

// Requests a token, compares the tables with their declaration, and validates a query of each table with a dry run.
// Returns a thread-safe backend.
//   InvalidArgument      the options can't be used; the message names the option
//   FailedPrecondition   the account is rejected or may not start queries; a certificate is not trusted; tables or
//                        columns are missing, have another type or are not readable (the message lists all of them)
//   Unavailable          BigQuery or the token server can't be reached
// Queries return Execute's statuses. The service's own messages appear only in Internal, whose message is for the log.
absl::StatusOr<std::unique_ptr<RemoteBackend>> OpenBigQuery(const BigQueryOptions& options);

// Returns remarks for operators on the tables, one sentence each, for example that a table is not partitioned by time.
// Statuses: those of OpenBigQuery.
absl::StatusOr<std::vector<std::string>> CheckBigQuery(const BigQueryOptions& options);

}  // namespace logquery

#endif  // LOGQUERY_BIGQUERY_BIGQUERY_BACKEND_H_
