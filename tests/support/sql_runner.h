// Queries from text to rows, by way of a plan and DuckDB in memory: what tests of the emitter and of functions run on.
//
//     SqlRunner runner;
//     runner.AddTable("t", {{"a", Type::Int64()}}, {{Value::Int64(1)}});
//     absl::StatusOr<SqlRun> run = runner.Run("SELECT a + 1 FROM t");
//     run->rows[0][0];      // 2
//     run->duckdb;          // the text that gave it
#ifndef LOGQUERY_TESTS_SUPPORT_SQL_RUNNER_H_
#define LOGQUERY_TESTS_SUPPORT_SQL_RUNNER_H_

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "lib/rewrite/plan.h"
#include "logquery/prepared_query.h"
#include "logquery/store/duckdb_backend.h"
#include "logquery/value.h"

namespace logquery::testing {

struct SqlRun {
  std::string duckdb;
  std::string googlesql;  // of the same plan
  Schema schema;
  std::vector<std::vector<Value>> rows;
  absl::StatusOr<std::string> bigquery;  // of the query with the passes of that dialect
};

class SqlRunner {
 public:
  using Parameters = std::vector<std::pair<std::string, Value>>;

  SqlRunner();

  void AddTable(const std::string& name, const Schema& columns, const std::vector<std::vector<Value>>& rows);
  // Has queries go to the engine with no pass but those that always run.
  void LeaveOutPasses() { without_passes_ = true; }

  absl::StatusOr<SqlRun> Run(const std::string& sql, const Parameters& parameters = {});
  // The first row's first value, as Value::DebugString() writes it; an error's message in its place.
  std::string Evaluate(const std::string& expression, const Parameters& parameters = {});

 private:
  absl::StatusOr<rewrite::QueryPlan> Plan(const std::string& sql, const Parameters& parameters, Dialect dialect);
  absl::StatusOr<std::string> BigQueryText(const std::string& sql, const Parameters& parameters);

  std::unique_ptr<DuckDbBackend> backend_;
  Catalog catalog_;
  bool without_passes_ = false;
};

// One line for each row: "1, \"a\", NULL".
std::string RowsText(const std::vector<std::vector<Value>>& rows);

}  // namespace logquery::testing

#endif  // LOGQUERY_TESTS_SUPPORT_SQL_RUNNER_H_
