// A folder with a log whose rows are known, the engine over it, and the evaluator over the same rows.
//
//     absl::StatusOr<std::unique_ptr<StoredLogs>> logs = StoredLogs::Make(2'000);
//     std::string difference = (*logs)->Check(MakeQuery(1, 7, 10'000));      // empty: both gave the same rows
//
// The folder's table `oracle.logs` has the rows of several projects of kProjectRows rows each, among those of other projects, in
// several row groups where these are many. A query reads one project of it, or the table that has that project's rows alone:
// where nothing is filtered, engines know the rows' statistics, and plan otherwise.
#ifndef LOGQUERY_TESTS_ORACLE_STORED_LOGS_H_
#define LOGQUERY_TESTS_ORACLE_STORED_LOGS_H_

#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <set>
#include <string>

#include "absl/status/statusor.h"
#include "logquery/store/duckdb_backend.h"
#include "tests/oracle/evaluator.h"
#include "tests/oracle/query_maker.h"

namespace logquery::oracle {

inline constexpr int64_t kProjectRows[] = {10, 20, 60, 200, 1'000, 5'000};

// The table with the rows alone of the project that has so many.
std::string TableOf(int64_t rows);

struct Answer {
  absl::Status status;
  std::vector<std::string> rows;  // sorted, as text
};

class StoredLogs {
 public:
  // `neighbours`: the rows of another project.
  static absl::StatusOr<std::unique_ptr<StoredLogs>> Make(int64_t neighbours);
  ~StoredLogs();
  StoredLogs(const StoredLogs&) = delete;
  StoredLogs& operator=(const StoredLogs&) = delete;

  // Leaves passes out, to see that their defects are found.
  void LeaveOut(std::set<std::string> passes) { left_out_ = std::move(passes); }

  // Returns how the engine's answer differs from the evaluator's. Both may fail on a query: that is no difference.
  std::string Check(const Query& query);
  Answer Engine(const Query& query);
  Answer Evaluated(const Query& query);
  // The engine's text, for people.
  std::string EngineText(const Query& query);

 private:
  explicit StoredLogs(std::filesystem::path folder) : folder_(std::move(folder)) {}
  absl::Status Fill(int64_t neighbours);
  absl::Status Load(const std::string& table, const std::vector<std::string>& lines);
  absl::StatusOr<rewrite::QueryPlan> Plan(const Query& query) const;
  absl::Status RunPasses(rewrite::QueryPlan& plan) const;

  const std::filesystem::path folder_;
  std::unique_ptr<DuckDbBackend> backend_;
  Catalog catalog_;
  std::map<int64_t, StoredTable> tables_;  // by the project's rows
  std::set<std::string> left_out_;
};

}  // namespace logquery::oracle

#endif  // LOGQUERY_TESTS_ORACLE_STORED_LOGS_H_
