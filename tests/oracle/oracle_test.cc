// The engine against the evaluator: generated queries have the rows that a straightforward evaluation gives.
#include <catch2/catch_test_macros.hpp>
#include <cstdlib>
#include <optional>

#include "tests/oracle/query_maker.h"
#include "tests/oracle/stored_logs.h"
#include "tests/support/end_of_run.h"

namespace logquery::oracle {
namespace {

StoredLogs& Logs() {
  static std::unique_ptr<StoredLogs> logs;
  if (logs == nullptr) {
    testing::AtEnd([] { logs.reset(); });
    absl::StatusOr<std::unique_ptr<StoredLogs>> made = StoredLogs::Make(2'000);
    INFO(made.status());
    REQUIRE(made.ok());
    logs = *std::move(made);
  }
  return *logs;
}

constexpr uint64_t kSeed = 29;
constexpr int64_t kQueries = 300;
constexpr int64_t kWork = 600;

uint64_t NumberOf(const char* variable, uint64_t otherwise) {
  const char* const text = std::getenv(variable);
  return text == nullptr ? otherwise : std::strtoull(text, nullptr, 10);
}

TEST_CASE("the engine gives the rows of a straightforward evaluation") {
  const uint64_t seed = NumberOf("LOGQUERY_SEED", kSeed);
  const auto queries = static_cast<int64_t>(NumberOf("LOGQUERY_QUERIES", kQueries));
  for (int64_t number = 0; number < queries; ++number) {
    const Query query = MakeQuery(seed, number, kWork);
    CAPTURE(seed, number, query.rows, query.sql);
    const std::string difference = Logs().Check(query);
    CHECK(difference == "");
  }
}

// The engine loses the keys of the groups if it compresses what it joins.
TEST_CASE("a correlated subquery with a join finds the columns of the groups around it") {
  const Query query{
      "WITH logs AS (SELECT t.n, t.k, t.v, t.s, t.ts FROM `oracle.logs` AS t WHERE t.project = @project) "
      "SELECT (SELECT MIN(t4.ts) FROM logs AS t3 JOIN logs AS t4 ON t3.n = t4.v AND t4.v != t3.k WHERE (t3.n > t2.k) "
      "IS "
      "FALSE AND t3.s IS NOT DISTINCT FROM t2.s) AS first, t2.k AS k FROM (SELECT t1.k AS k, MIN(t1.s) AS s FROM logs "
      "AS "
      "t1 GROUP BY 1) AS t2",
      20};
  CHECK(Logs().Check(query) == "");
}

// Returns how many queries it takes to find a difference; nullopt: none of them differs.
std::optional<int64_t> FirstDifference(int64_t queries) {
  for (int64_t number = 0; number < queries; ++number) {
    if (!Logs().Check(MakeQuery(kSeed, number, kWork)).empty()) return number;
  }
  return std::nullopt;
}

TEST_CASE("the queries detect the engine defects that passes work around") {
  for (const char* const pass : {"hide_outer_inequalities", "inline_correlated_entries", "plain_frames"}) {
    CAPTURE(pass);
    Logs().LeaveOut({pass});
    CHECK(FirstDifference(kQueries).has_value());
    Logs().LeaveOut({});
  }
}

}  // namespace
}  // namespace logquery::oracle
