// Rows of one project in two places: a folder that logs.all.otel answers over, and a table of ClickHouse's own engine in
// Logflare's layout (one table of all sources, attributes as Map(String, String)).
//
//     absl::StatusOr<std::unique_ptr<BothLogs>> logs = BothLogs::Make();
//     Verdict verdict = (*logs)->Check(MakeQuery(1, 7));      // verdict.kind == Verdict::Kind::kSame
//
// The table is filled with what the view `logs` shows, so that only the meaning of queries is compared here; how rows become
// the view is tested by itself.
#ifndef LOGQUERY_TESTS_CLICKHOUSE_ORACLE_BOTH_LOGS_H_
#define LOGQUERY_TESTS_CLICKHOUSE_ORACLE_BOTH_LOGS_H_

#include <filesystem>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "logquery/query_service.h"
#include "logquery/store/duckdb_backend.h"
#include "logquery/testing/fake_clock.h"
#include "tests/clickhouse/click_house.h"
#include "tests/clickhouse_oracle/answer.h"
#include "tests/clickhouse_oracle/query_maker.h"

namespace logquery::clickhouse_oracle {

struct Verdict {
  enum class Kind {
    kSame,
    kBothFail,
    kRefused,  // we say that we don't support it, or that a number exceeds our integers
    kDiffers,
  };
  Kind kind = Kind::kSame;
  std::string text;  // how they differ, or why it is refused
};

class BothLogs {
 public:
  // Why there can be none on this machine; empty: there can.
  static std::string WhyNot() { return testing::ClickHouse::WhyNot(); }

  static absl::StatusOr<std::unique_ptr<BothLogs>> Make();
  ~BothLogs();
  BothLogs(const BothLogs&) = delete;
  BothLogs& operator=(const BothLogs&) = delete;

  // Compares rows, and the types of columns.
  Verdict Check(const Query& query);
  Answer Ours(const std::string& sql);
  Answer Right(const std::string& sql);

  // Plants a difference: our side is asked with each `from` of the query's text replaced by `to`. Empty: none.
  void Distort(std::string from, std::string to) { distorted_ = {std::move(from), std::move(to)}; }
  // Runs a statement on the other side: to plant a difference in its rows.
  void Change(const std::string& sql) { server_->Sql(sql); }

 private:
  explicit BothLogs(std::filesystem::path folder) : folder_(std::move(folder)) {}
  absl::Status Fill();
  absl::Status Copy();
  Verdict Compare(const Query& query);
  // Returns ClickHouse's EXPLAIN QUERY TREE, which has a type for each part of the query; empty where the query is an error.
  std::string QueryTree(const std::string& sql);

  const std::filesystem::path folder_;
  testing::FakeClock clock_{absl::FromUnixSeconds(1'772'600'767)};  // 2026-03-04 05:06:07
  std::unique_ptr<DuckDbBackend> backend_;
  std::unique_ptr<QueryService> service_;
  std::unique_ptr<testing::ClickHouse> server_;
  std::pair<std::string, std::string> distorted_;
};

}  // namespace logquery::clickhouse_oracle

#endif  // LOGQUERY_TESTS_CLICKHOUSE_ORACLE_BOTH_LOGS_H_
