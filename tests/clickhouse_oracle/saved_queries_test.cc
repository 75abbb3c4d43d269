// Generated queries such as dashboards save: nearly all are rewritten in ClickHouse SQL, and both forms have the same rows, also
// in ClickHouse's own engine.
#include <catch2/catch_test_macros.hpp>
#include <cstdlib>
#include <filesystem>
#include <random>
#include <string>
#include <vector>

#include "absl/strings/str_replace.h"
#include "lib/tools/rewrite_sql/rewrite_sql.h"
#include "tests/clickhouse_oracle/rewritten_logs.h"
#include "tests/support/folders.h"

namespace logquery::clickhouse_oracle {
namespace {

namespace fs = std::filesystem;
using base::StrCat;

constexpr int kQueries = 200;
constexpr int kMostRefused = kQueries / 20;

struct Log {
  const char* name;
  std::vector<const char*> unnests;  // behind that of the metadata
  std::vector<const char*> texts;
  std::vector<const char*> numbers;
};

const std::vector<Log>& Logs() {
  static const auto& logs = *new std::vector<Log>{
      {"edge_logs",
       {"m.request) AS r", "m.response) AS s"},
       {"r.method", "r.path", "r.search", "t.event_message"},
       {"s.status_code", "s.origin_time"}},
      {"function_edge_logs",
       {"m.request) AS r", "m.response) AS s"},
       {"m.function_id", "m.deployment_id", "r.method", "r.pathname"},
       {"m.execution_time_ms", "s.status_code"}},
      {"postgres_logs",
       {"m.parsed) AS p"},
       {"p.error_severity", "p.command_tag", "p.database_name", "p.sql_state_code", "t.event_message"},
       {"p.process_id", "p.session_line_num"}},
      {"auth_logs", {}, {"m.level", "m.path", "m.msg", "t.event_message"}, {"LENGTH(t.event_message)"}},
  };
  return logs;
}

class SavedQueries {
 public:
  explicit SavedQueries(uint64_t seed) : random_(seed) {}

  std::string Make() {
    log_ = &Logs()[Below(Logs().size())];
    switch (Below(5)) {
      case 0:
        return Newest();
      case 1:
        return Chart();
      case 2:
        return Top();
      case 3:
        return StrCat("SELECT COUNT(*) AS n, ", Aggregate(), " AS a, ", Aggregate(), " AS b ", From(), Where());
      default:
        return StrCat("WITH counts AS (", Groups(), ") SELECT bucket, SUM(n) AS total, MAX(n) AS most FROM counts ",
                      Chance(50) ? "WHERE n > 1 " : "", "GROUP BY bucket ORDER BY bucket");
    }
  }

 private:
  size_t Below(size_t end) { return static_cast<size_t>(random_() % end); }
  bool Chance(size_t percent) { return Below(100) < percent; }
  std::string Of(const std::vector<const char*>& list) { return list[Below(list.size())]; }
  std::string Text() { return Of(log_->texts); }
  std::string Number() { return Of(log_->numbers); }

  std::string From() {
    const char* const join = Chance(70) ? " CROSS JOIN UNNEST(" : " LEFT JOIN UNNEST(";
    std::string from = StrCat("FROM ", log_->name, " AS t", join, "t.metadata) AS m");
    for (const char* unnest : log_->unnests) base::StrAppend(&from, join, unnest);
    return from;
  }

  std::string Condition(int depth) {
    if (depth > 0 && Chance(35))
      return StrCat("(", Condition(depth - 1), Chance(60) ? " AND " : " OR ", Condition(depth - 1), ")");
    switch (Below(8)) {
      case 0:
        return StrCat(Text(), " = '", Of({"GET", "POST", "ERROR", "error", "/token", ""}), "'");
      case 1:
        return StrCat(Text(), Chance(70) ? " IN (" : " NOT IN (", "'GET', 'LOG', 'info')");
      case 2:
        return StrCat(Text(), " LIKE '", Of({"/rest%", "%auth%", "%e%", "G_T"}), "'");
      case 3:
        return StrCat("REGEXP_CONTAINS(", Text(), ", r'", Of({"^/", "rest|auth", "[0-9]+", "(?i)error"}), "')");
      case 4:
        return StrCat(Number(), Of({" >= ", " < ", " = ", " != "}), Of({"200", "400", "500", "31"}));
      case 5:
        return StrCat(Number(), " BETWEEN 200 AND ", Of({"299", "404", "5000"}));
      case 6:
        return StrCat(Chance(50) ? Text() : Number(), Chance(50) ? " IS NULL" : " IS NOT NULL");
      default:
        return StrCat("t.timestamp ", Of({">", ">=", "<"}), " TIMESTAMP '2026-03-0", Of({"1", "2", "3"}), " 12:00:00'");
    }
  }
  std::string Where() { return Chance(75) ? StrCat(" WHERE ", Condition(2)) : ""; }

  std::string Aggregate() {
    switch (Below(6)) {
      case 0:
        return StrCat("COUNTIF(", Condition(1), ")");
      case 1:
        return StrCat(Of({"MIN(", "MAX("}), Chance(50) ? Number() : Text(), ")");
      case 2:
        return StrCat("AVG(", Number(), ")");
      case 3:
        return StrCat("SUM(", Number(), ")");
      case 4:
        return StrCat("COUNT(DISTINCT ", Text(), ")");
      default:
        return StrCat("COUNT(", Chance(50) ? Number() : Text(), ")");
    }
  }

  std::string Newest() {
    return StrCat("SELECT t.id, t.timestamp, t.event_message, ", Text(), " AS a, ", Number(), " AS b ", From(), Where(),
                  " ORDER BY t.timestamp DESC, t.id LIMIT ", Of({"5", "50", "100"}));
  }
  std::string Groups() {
    return StrCat("SELECT TIMESTAMP_TRUNC(t.timestamp, ", Of({"MINUTE", "HOUR", "DAY"}), ") AS bucket, ", Text(),
                  " AS k, COUNT(*) AS n, ", Aggregate(), " AS a ", From(), Where(), " GROUP BY bucket, k");
  }
  std::string Chart() { return StrCat(Groups(), Chance(30) ? " HAVING n > 1" : "", " ORDER BY bucket, k, n"); }
  std::string Top() {
    return StrCat("SELECT ", Text(), " AS k, COUNT(*) AS n, ", Aggregate(), " AS a ", From(), Where(),
                  " GROUP BY k ORDER BY n DESC, k LIMIT ", Of({"3", "20"}));
  }

  std::mt19937_64 random_;
  const Log* log_ = nullptr;
};

TEST_CASE("nearly all of two hundred generated dashboard queries are rewritten, with the same rows") {
  const fs::path folder = fs::temp_directory_path() / StrCat("logquery-saved-queries-", getpid());
  const std::string make = StrCat("python3 ", testing::SourcePath("tests/engines/kit/gen.py"),
                                  " --rows 6000 --days 7 --projects 20 --seed 4242 --end 2026-03-04T05:06:07Z --out ",
                                  (folder / "rows").string(), " >/dev/null");
  REQUIRE(std::system(make.c_str()) == 0);
  const bool has_clickhouse = testing::ClickHouse::WhyNot().empty();
  auto logs = RewrittenLogs::Make(folder / "rows", has_clickhouse);
  INFO(logs.status());
  REQUIRE(logs.ok());
  const char* const given = std::getenv("LOGQUERY_SEED");
  const uint64_t seed = given == nullptr ? 33 : std::strtoull(given, nullptr, 10);
  SavedQueries queries(seed);
  tools::RewriteOptions options;
  options.rows_have_metadata = true;
  const ParameterTexts call = {{"project", "qezklcgaadtqfksmhuwt"}, {"project_tier", "ENTERPRISE"}};
  int failed = 0, planted = 0, found = 0;
  std::vector<std::string> refused;
  for (int number = 0; number < kQueries; ++number) {
    const std::string sql = queries.Make();
    const auto made = tools::RewriteToClickHouse(sql, Catalog::DeclaredLogs(), options);
    CAPTURE(seed, number, sql, made.status());
    if (!made.ok()) {
      CHECK(absl::IsUnimplemented(made.status()));
      refused.push_back(StrCat(sql, ": ", made.status().message()));
      continue;
    }
    CAPTURE(made->sql);
    bool fails = false;
    CHECK((*logs)->FormsDiffer(sql, made->sql, call, fails) == "");
    failed += fails ? 1 : 0;
    if (!fails && has_clickhouse) CHECK((*logs)->EnginesDiffer(made->sql, call, false) == "");
    // Otherwise the rows say nothing.
    const std::string wrong = absl::StrReplaceAll(made->sql, {{"count()", "(count() + 1)"}});
    if (wrong == made->sql) continue;
    ++planted;
    found += (*logs)->FormsDiffer(sql, wrong, call, fails).empty() ? 0 : 1;
  }
  CAPTURE(base::Join(refused, "\n"));
  CHECK(static_cast<int>(refused.size()) <= kMostRefused);
  CHECK(failed == 0);
  CHECK(planted > kQueries / 4);
  CHECK(found > planted / 2);
  fs::remove_all(folder);
}

}  // namespace
}  // namespace logquery::clickhouse_oracle
