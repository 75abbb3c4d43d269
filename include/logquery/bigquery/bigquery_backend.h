// Logs that stand in BigQuery: it is asked for what it documents, and DuckDB, in memory in this process, does the rest. Link
// logquery::bigquery.
//
//     logquery::BigQueryOptions options;
//     options.project = "my-project";
//     options.dataset = "logs";
//     options.service_account_key = …;   // the text of the key's file; empty: the metadata server of the machine
//     options.tables = {{.name = "cloudflare.logs.prod", .table = "edge_logs"}};
//     auto backend = logquery::OpenBigQuery(options);
//
// Only queries are sent, over REST. docs/bigquery.md has the account and its roles, the layout of tables, and what travels.
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

// Where a declared table stands. A record of the schema is a REPEATED RECORD there, which holds one element or none.
struct BigQueryTable {
  std::string name;          // as queries name it and the schema declares it: "cloudflare.logs.prod"
  std::string project = {};  // that the table is in; empty: that of the options
  std::string dataset = {};  // empty: that of the options
  std::string table = {};    // in that dataset: a table or a view
  std::map<std::string, std::string> columns = {};  // our column → BigQuery's, where the names differ
};

struct BigQueryOptions {
  std::string project;                   // whose jobs the queries are, and who pays for them
  std::string dataset = {};              // of tables that name none
  std::string location = {};             // of the jobs: "EU", "europe-west1"; empty: BigQuery finds it
  std::string service_account_key = {};  // JSON text; empty: tokens come from the metadata server
  std::string api_url = "https://bigquery.googleapis.com";
  std::string metadata_url = "http://metadata.google.internal";
  std::string ca_file = {};  // of the authorities that are trusted; empty: the system's
  std::string proxy = {};    // "http://proxy:3128"; empty: none

  std::vector<BigQueryTable> tables;  // at least one
  std::string schema_json = {};  // declares the tables (lib/model/log_schema.json is one); empty: the built-in logs

  std::map<std::string, std::string> labels = {};  // of each job, for the bill
  int64_t max_bytes_billed = 100LL << 30;  // of each statement: beyond, BigQuery refuses it at no cost; 0: no bound
  int page_rows = 10'000;                  // of one answer
  int max_connections = 16;                // requests at one time
  absl::Duration connect_timeout = absl::Seconds(10);   // also how long a query waits for its turn
  absl::Duration statement_timeout = absl::Minutes(5);  // of each statement; a call's own limit cancels it earlier
  // A request that failed for a moment is sent again: after the first wait, then after twice as long each time, with jitter.
  absl::Duration retry_wait = absl::Milliseconds(500);
  absl::Duration retry_time = absl::Seconds(30);  // from its first try on; 0: it is not sent again
  int64_t max_fragment_rows = 10'000'000;         // that one part of a query may send; beyond: ResourceExhausted
  int64_t max_fragment_bytes = 4LL << 30;
  int64_t memory_limit_bytes = 2'048'000'000;  // of DuckDB
  int threads = 0;                             // of DuckDB; 0: as many as the machine has
  const Clock* clock = Clock::Real();          // that tokens expire by; borrowed
};

// Strict: every key that is not known is an error. The key is named, not written:
//
//     {"engine": "bigquery", "project": "my-project", "dataset": "logs", "location": "EU",
//      "service_account": {"file": "/run/secrets/bigquery.json"},      or {"env": "BQ_KEY"}; absent: the metadata server
//      "api_url": …, "metadata_url": …, "ca_file": "/etc/ssl/proxy.pem", "proxy": …,
//      "schema_file": "/etc/logquery/schema.json",                     absent: the built-in logs
//      "labels": {"service": "logquery"}, "bytes_billed": 107374182400, "page_rows": 10000,
//      "connections": 16, "connect_timeout_ms": 10000, "statement_timeout_ms": 300000, "retry_wait_ms": 500,
//      "retry_time_ms": 30000, "fragment_rows": 10000000, "fragment_bytes": 4294967296, "memory_limit_mb": 2048, "threads": 0,
//      "tables": {"cloudflare.logs.prod": {"table": "edge_logs", "dataset": "logs", "project": "their-project",
//                                          "columns": {"project": "tenant"}}}}
//
// Needed: project, tables, and of each table its table. Relative names of files are taken from `folder`; empty: from the working
// directory. InvalidArgument: not JSON, an unknown key or value, with line and column; a secret or file that can't be read.
absl::StatusOr<BigQueryOptions> BigQueryOptionsFromJson(std::string_view text, const std::string& folder = "");

// Asks for a token, compares the tables with their declaration, and has a query of each checked without running it. Thread-safe.
//   InvalidArgument      options that can't be used, naming the one
//   FailedPrecondition   the account is refused, or may not start queries; a certificate is not trusted; a table or column is
//                        missing, is of another type, or may not be read: all of them, by name
//   Unavailable          BigQuery, or who gives tokens, can't be reached
// Calls answer Execute's statuses; what the service says is in Internal alone, whose message is for the log.
absl::StatusOr<std::unique_ptr<RemoteBackend>> OpenBigQuery(const BigQueryOptions& options);

// What an operator should know of the tables, a sentence each: that one is not partitioned by time. Empty: nothing. OpenBigQuery's
// statuses.
absl::StatusOr<std::vector<std::string>> CheckBigQuery(const BigQueryOptions& options);

}  // namespace logquery

#endif  // LOGQUERY_BIGQUERY_BIGQUERY_BACKEND_H_
