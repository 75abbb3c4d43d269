// The engine against the evaluator: generated queries have the rows that a straightforward evaluation gives.
#include <catch2/catch_test_macros.hpp>
#include <cstdlib>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/strings/str_replace.h"
#include "lib/base/strings.h"
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

// Checks an expression in a query for rows t1 of the project.
void CheckBesideRows(const std::string& sql) {
  CAPTURE(sql);
  CHECK(Logs().Check({"WITH logs AS (SELECT t.n, t.k, t.v FROM `oracle.logs` AS t WHERE t.project = @project) SELECT "
                      "t1.n AS c0, " +
                          sql + " AS c1 FROM logs AS t1",
                      20}) == "");
}

// The engine loses the row of an aggregate over no rows where the subquery's result is not the aggregate's.
TEST_CASE("an aggregate over no rows has a row in a correlated subquery, whatever the subquery's result is") {
  const std::string most = "(SELECT MAX(t2.k) AS k FROM logs AS t2 WHERE t1.k = t2.v) AS t3 ";
  const std::string none = "WHERE t3.k IS NULL";
  CheckBesideRows("(SELECT 1 FROM " + most + none + ")");
  CheckBesideRows("(SELECT 1 FROM " + most + none + " ORDER BY t3.k LIMIT 1)");
  CheckBesideRows(
      "(SELECT t4.x FROM (SELECT 2 AS x, MAX(t2.k) AS k FROM logs AS t2 WHERE t1.k = t2.v) AS t4 WHERE t4.k IS NULL)");
  CheckBesideRows("(SELECT t4.v FROM " + most + "CROSS JOIN (SELECT MIN(v) AS v FROM logs) AS t4 " + none + ")");
  CheckBesideRows("(SELECT SUM(2) FROM " + most + none + ")");
  CheckBesideRows("(SELECT MAX(t4.v) FROM " + most + "JOIN logs AS t4 ON t3.k IS NULL)");
  CheckBesideRows("(SELECT 1 FROM " + most + none + " UNION ALL SELECT 1 FROM logs WHERE n < 0)");
  CheckBesideRows("(SELECT ROW_NUMBER() OVER (ORDER BY t3.k) FROM " + most + none + ")");
  CheckBesideRows("(SELECT COUNT(*) FROM " + most + none + ")");
  CheckBesideRows("(SELECT MAX(t2.k) FROM logs AS t2 WHERE t1.k = t2.v HAVING COUNT(*) = 0)");
  CheckBesideRows("(SELECT 3 FROM logs AS t2 WHERE t1.k = t2.v HAVING COUNT(*) = 0)");
  CheckBesideRows("1 IN (SELECT 1 FROM " + most + none + ")");
  CheckBesideRows("EXISTS (SELECT 1 FROM " + most + none + ")");
  CheckBesideRows("ARRAY_LENGTH(ARRAY(SELECT 1 FROM " + most + none + "))");
}

// The engine takes only constants there.
TEST_CASE("a correlated subquery has a LIMIT and an OFFSET that are computed") {
  const std::string rows = "SELECT t2.n FROM logs AS t2 WHERE t2.k = t1.k ORDER BY t2.n ";
  CheckBesideRows("(" + rows + "LIMIT CAST('1' AS INT64))");
  CheckBesideRows("(" + rows + "DESC LIMIT 1 OFFSET CAST('2' AS INT64))");
  CheckBesideRows("(SELECT SUM(t3.n) FROM (" + rows + "LIMIT CAST('3' AS INT64) OFFSET CAST('1' AS INT64)) AS t3)");
  CheckBesideRows("(SELECT COUNT(*) FROM (" + rows + "LIMIT CAST('0' AS INT64)) AS t3)");
  CheckBesideRows("t1.n IN (" + rows + "LIMIT CAST('2' AS INT64))");
}

TEST_CASE("a frame over no rows between the current row and those before or behind it is empty") {
  const auto check = [](const std::string& frame) {
    CheckBesideRows("SUM(t1.v) OVER (PARTITION BY t1.k ORDER BY t1.n " + frame + ")");
  };
  for (const std::string unit : {"ROWS", "RANGE"}) {
    check(unit + " BETWEEN 0 PRECEDING AND 2 PRECEDING");
    check(unit + " BETWEEN 1 FOLLOWING AND 0 FOLLOWING");
    check(unit + " BETWEEN 0 PRECEDING AND 0 FOLLOWING");
    check(unit + " BETWEEN 0 FOLLOWING AND 0 FOLLOWING");
    check(unit + " BETWEEN 2 PRECEDING AND 0 PRECEDING");
  }
}

// Functions over each kind of ROWS frame, with $ for the window's keys. Their values do not depend on the order of the rows:
// those of 7 show which frames are empty, and those of n that the frame moves with the current row.
std::vector<std::string> ValuesOverFrames() {
  std::vector<std::string> values;
  const auto add = [&](const std::string& frame, const std::string& value) {
    for (const char* const nulls : {"", " IGNORE NULLS"}) {
      values.push_back(base::StrCat("FIRST_VALUE(", value, nulls, ") OVER ($ ROWS BETWEEN ", frame, ")"));
      values.push_back(base::StrCat("LAST_VALUE(", value, nulls, ") OVER ($ ROWS BETWEEN ", frame, ")"));
    }
    values.push_back(base::StrCat("NTH_VALUE(", value, ", 1) OVER ($ ROWS BETWEEN ", frame, ")"));
    values.push_back(base::StrCat("NTH_VALUE(", value, ", 2) OVER ($ ROWS BETWEEN ", frame, ")"));
  };
  for (const char* const frame :
       {"UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING", "UNBOUNDED PRECEDING AND 1 FOLLOWING",
        "UNBOUNDED PRECEDING AND CURRENT ROW", "UNBOUNDED PRECEDING AND 1 PRECEDING", "2 PRECEDING AND 1 PRECEDING",
        "1 PRECEDING AND 1 PRECEDING", "1 PRECEDING AND 2 PRECEDING", "1 PRECEDING AND CURRENT ROW",
        "1 PRECEDING AND 1 FOLLOWING", "1 PRECEDING AND UNBOUNDED FOLLOWING", "CURRENT ROW AND CURRENT ROW",
        "CURRENT ROW AND 1 FOLLOWING", "CURRENT ROW AND UNBOUNDED FOLLOWING", "1 FOLLOWING AND 2 FOLLOWING",
        "2 FOLLOWING AND 3 FOLLOWING", "2 FOLLOWING AND 1 FOLLOWING", "1000 FOLLOWING AND 1000 FOLLOWING",
        "1 FOLLOWING AND UNBOUNDED FOLLOWING"}) {
    add(frame, "t1.n * 0 + 7");
  }
  add("CURRENT ROW AND CURRENT ROW", "t1.n");
  return values;
}

// The engine drops constant keys, and without keys ignores the frame of FIRST_VALUE.
TEST_CASE("a ROWS frame is kept where the keys of ORDER BY are constants") {
  const std::string rows = "FROM (SELECT t.n, 5 AS a FROM `oracle.logs` AS t WHERE t.project = @project";
  for (const std::string order :
       {"", "ORDER BY 1", "ORDER BY NULL", "ORDER BY 1, 'x' DESC", "ORDER BY (SELECT 1)", "ORDER BY @project",
        "ORDER BY t1.a", "PARTITION BY TRUE ORDER BY 1", "PARTITION BY t1.a"}) {
    for (const std::string& value : ValuesOverFrames()) {
      const std::string sql = absl::StrReplaceAll(value, {{"$", order}});
      CAPTURE(sql);
      CHECK(Logs().Check({base::StrCat("SELECT ", sql, " AS c0 ", rows, ") AS t1"), 20}) == "");
    }
  }
}

// The engine reads bits that nobody has set, and crashes now and then.
TEST_CASE("DENSE_RANK by a constant gives 1 to each row of a join") {
  const Query query{
      "WITH logs AS (SELECT t.n, t.k, t.v, t.s, t.b FROM `oracle.logs` AS t WHERE t.project = @project) SELECT t2.k AS "
      "c0, "
      "t4.k AS c1, DENSE_RANK() OVER (ORDER BY FALSE) AS c2 FROM (SELECT t1.v AS k, MIN(t1.s) AS s FROM logs AS t1 "
      "GROUP BY "
      "1) AS t2 FULL JOIN (SELECT t3.v AS k, COUNT(*) AS v FROM logs AS t3 WHERE t3.b != t3.b GROUP BY 1) AS t4 ON "
      "t2.k = "
      "t4.v",
      200};
  for (int i = 0; i < 5; ++i) CHECK(Logs().Check(query) == "");
}

TEST_CASE("several conditions of a subquery read one column of the query around it") {
  // The engine's deliminator loses the column if one of the comparisons holds for NULLs.
  const std::vector<std::string> repeated = {
      "t2.n IS NOT DISTINCT FROM t1.k AND t2.n IS NOT DISTINCT FROM t1.k",
      "t2.n IS NOT DISTINCT FROM t1.k AND t2.v IS NOT DISTINCT FROM t1.k",
      "t2.n IS NOT DISTINCT FROM t1.k AND t2.v = t1.k",
      "t2.n = t1.k AND (t2.v = t1.k OR (t2.v IS NULL AND t1.k IS NULL))",
      "t2.n = t1.k AND t2.v = t1.k",
  };
  for (const std::string& condition : repeated) {
    const Query query{
        "WITH logs AS (SELECT t.n, t.k, t.v FROM `oracle.logs` AS t WHERE t.project = @project), few AS (SELECT n, k, "
        "v FROM "
        "logs WHERE n < 5 UNION ALL SELECT n, k, v FROM logs WHERE n > 6 AND n < 10) SELECT t1.n, (WITH t3 AS (SELECT "
        "t2.* "
        "FROM few AS t2 WHERE " +
            condition +
            " AND t1.n + 1 >= t2.k) SELECT MAX(t4.v) FROM t3 AS t4 WHERE NOT EXISTS (SELECT 1 FROM t3 AS t5 WHERE t4.v "
            ">= "
            "t5.n)) AS c1 FROM logs AS t1",
        200};
    CAPTURE(condition);
    CHECK(Logs().Check(query) == "");
  }
}

// Each operator between columns that may be NULL, alone and beside each other one: the engine's deliminator rewrites the
// comparisons where the rows are those of an entry that is computed once, and EXISTS as a value found rows for NULL by !=.
TEST_CASE("a subquery compares columns with those around it by any two operators, in each form and place") {
  const std::string_view operators[] = {"=", "!=", "<", "IS DISTINCT FROM", "IS NOT DISTINCT FROM"};
  std::vector<std::string> conditions;
  for (const std::string_view first : operators) {
    conditions.push_back(base::StrCat("t2.v ", first, " t1.k"));
    for (const std::string_view second : operators) {
      conditions.push_back(base::StrCat("t2.v ", first, " t1.k AND t2.k ", second, " t1.v"));
    }
  }
  const std::string_view forms[] = {"EXISTS (SELECT 1 FROM $)",     "NOT EXISTS (SELECT 1 FROM $)",
                                    "t1.n IN (SELECT t2.n FROM $)", "t1.v NOT IN (SELECT t2.k FROM $)",
                                    "(SELECT COUNT(*) FROM $) > 1", "(SELECT MAX(t2.n) FROM $) > 8"};
  const std::string_view places[] = {"SELECT t1.n, $ FROM few AS t1", "SELECT t1.n FROM few AS t1 WHERE $",
                                     "SELECT t1.n FROM few AS t1 WHERE t1.n < 3 OR $"};
  const std::string entries =
      "WITH logs AS (SELECT t.n, t.k, t.v FROM `oracle.logs` AS t WHERE t.project = @project), few AS (SELECT n, k, v "
      "FROM "
      "logs WHERE n < 9 UNION ALL SELECT n, k, v FROM logs WHERE n > 10) ";
  for (const std::string& condition : conditions) {
    for (const std::string_view form : forms) {
      const std::string test = absl::StrReplaceAll(std::string(form), {{"$", "few AS t2 WHERE " + condition}});
      for (const std::string_view place : places) {
        const std::string sql = entries + absl::StrReplaceAll(std::string(place), {{"$", test}});
        const std::string difference = Logs().Check({sql, 20});
        if (!difference.empty()) FAIL_CHECK(sql << "\n" << difference);
      }
    }
  }
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
