// Rows behind both endpoints of callers' SQL, and in a table of ClickHouse's own engine in Logflare's layout: a query in
// BigQuery SQL, its rewrite as logquery answers it, and the rewrite as ClickHouse answers it.
//
//     absl::StatusOr<std::unique_ptr<RewrittenLogs>> logs = RewrittenLogs::Make(folders_of_ndjson, with_clickhouse);
//     std::string difference = (*logs)->Difference(bigquery_sql, clickhouse_sql, {{"project", "abc"}});
#ifndef LOGQUERY_TESTS_CLICKHOUSE_ORACLE_REWRITTEN_LOGS_H_
#define LOGQUERY_TESTS_CLICKHOUSE_ORACLE_REWRITTEN_LOGS_H_

#include <filesystem>
#include <memory>
#include <set>
#include <string>
#include <string_view>

#include "absl/status/statusor.h"
#include "logquery/parameter_binder.h"
#include "logquery/query_service.h"
#include "logquery/store/duckdb_backend.h"
#include "logquery/testing/fake_clock.h"
#include "tests/clickhouse/click_house.h"

namespace logquery::clickhouse_oracle {

class RewrittenLogs {
 public:
  // `rows` is a folder of NAME.ndjson. Without `with_clickhouse` ClickHouse is not asked.
  static absl::StatusOr<std::unique_ptr<RewrittenLogs>> Make(const std::filesystem::path& rows, bool with_clickhouse);
  ~RewrittenLogs();
  RewrittenLogs(const RewrittenLogs&) = delete;
  RewrittenLogs& operator=(const RewrittenLogs&) = delete;

  // Returns how the rows of the two forms differ over logs.all and logs.all.otel; empty: they are the same, or the original
  // fails, which `failed` then says.
  std::string FormsDiffer(const std::string& bigquery, const std::string& clickhouse, const ParameterTexts& call,
                          bool& failed);
  // Returns how the rows of ClickHouse's own engine differ from ours for the rewritten query; empty: they are the same.
  // `ordered`: the order of rows counts.
  std::string EnginesDiffer(const std::string& clickhouse, const ParameterTexts& call, bool ordered);

 private:
  explicit RewrittenLogs(std::filesystem::path folder) : folder_(std::move(folder)) {}
  absl::Status Fill(const std::filesystem::path& rows);
  // Puts the rows of the project that the view `logs` shows into ClickHouse's table, unless they are there.
  absl::Status CopyProject(const std::string& project, const std::string& tier);
  // Lets ClickHouse's `logs` have the rows that the call sees.
  absl::Status Restrict(const ParameterTexts& call);
  absl::StatusOr<QueryAnswer> Ask(std::string_view endpoint, ParameterTexts call, const std::string& sql);

  const std::filesystem::path folder_;
  testing::FakeClock clock_{absl::FromUnixSeconds(1'772'600'767)};  // 2026-03-04 05:06:07
  std::unique_ptr<DuckDbBackend> backend_;
  std::unique_ptr<QueryService> service_;
  std::unique_ptr<testing::ClickHouse> server_;
  std::set<std::string> copied_;  // projects
  ParameterTexts shown_;
};

}  // namespace logquery::clickhouse_oracle

#endif  // LOGQUERY_TESTS_CLICKHOUSE_ORACLE_REWRITTEN_LOGS_H_
