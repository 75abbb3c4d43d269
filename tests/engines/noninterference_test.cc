// A token of one project gets the same answers whatever rows of others lie beside its own in an engine elsewhere: the engine is
// always sent the project's condition, and an error that it raises on others' rows is none of the call's.
#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>
#include <limits>
#include <string>
#include <vector>

#include "tests/engines/engine_tables.h"
#include "tests/support/sandbox_service.h"

namespace logquery::testing {
namespace {

GivenTable TableOf(bool with_others) {
  GivenTable table{"t",
                   {{"id", Type::String()},
                    {"timestamp", Type::Timestamp()},
                    {"project", Type::String()},
                    {"n", Type::Int64()},
                    {"s", Type::String()},
                    {"d", Type::Date()}},
                   {}};
  table.time_column = "timestamp";
  table.project_column = "project";
  const auto add = [&](int number, const char* project, int64_t n, const std::string& s, int64_t micros) {
    table.rows.push_back({Value::String("id" + std::to_string(number)), Value::TimestampMicros(micros),
                          Value::String(project), Value::Int64(n), Value::String(s), Value::Date(n % 100)});
  };
  for (int i = 0; i < 40; ++i) {
    add(2 * i, "own", i % 7 + 1, std::to_string(i % 5), 1'772'600'000'000'000 + i);
    if (!with_others) continue;
    const char* const nasty[] = {"no number", "{", "2026-13-45", "(", "\xF0\x9F\x98\x80zqx"};
    // Times at the ends of our range, and numbers whose sum has none.
    add(2 * i + 1, i % 2 == 0 ? "other" : "Own", i % 3 == 0 ? 0 : std::numeric_limits<int64_t>::max(), nasty[i % 5],
        i % 2 == 0 ? -62'135'596'800'000'000 : 253'402'300'799'999'999);
  }
  return table;
}

constexpr const char* kQueries[] = {
    "SELECT id, 10 / n AS x FROM t ORDER BY id",
    "SELECT id FROM t WHERE 10 / n > 2 ORDER BY id",
    "SELECT SUM(CAST(s AS INT64)) AS x FROM t",
    "SELECT id FROM t WHERE CAST(s AS INT64) = 3 ORDER BY id LIMIT 3",
    "SELECT CAST(s AS INT64) AS x, COUNT(*) AS c FROM t GROUP BY 1 ORDER BY 1",
    "SELECT SUM(n) AS x, AVG(n) AS a, MAX(n) AS y, MIN(s) AS z FROM t",
    "SELECT s, SUM(n) AS x FROM t GROUP BY s ORDER BY x, s LIMIT 2",
    "SELECT n * n AS x FROM t ORDER BY 1 DESC LIMIT 2",
    "SELECT APPROX_QUANTILES(n, 4)[OFFSET(3)] AS q FROM t",
    "SELECT a.id FROM t AS a JOIN t AS b ON a.n = b.n AND 10 / b.n > 2 ORDER BY 1 LIMIT 5",
    "SELECT a.id FROM t AS a LEFT JOIN t AS b ON a.id = b.s WHERE b.id IS NULL ORDER BY 1",
    "SELECT id, ROW_NUMBER() OVER (PARTITION BY s ORDER BY n, id) AS r FROM t ORDER BY id",
    "SELECT id FROM t WHERE n = (SELECT MAX(n) FROM t) ORDER BY id",
    "SELECT id FROM t WHERE REGEXP_CONTAINS(s, '[0-2]') UNION ALL SELECT s FROM t ORDER BY 1",
    "SELECT REGEXP_EXTRACT(s, '([0-3])') AS x, COUNT(*) AS c FROM t GROUP BY 1 ORDER BY 1",
    "SELECT COUNT(*) AS c, COUNT(DISTINCT s) AS d, COUNTIF(n > 3) AS e FROM t",
    "SELECT id FROM t ORDER BY timestamp DESC LIMIT 3",
    "SELECT TIMESTAMP_TRUNC(timestamp, WEEK) AS w, EXTRACT(HOUR FROM timestamp) AS h, COUNT(*) AS c FROM t GROUP BY 1, "
    "2 "
    "ORDER BY 1, 2",
    "SELECT DATE(timestamp) AS d, FORMAT_TIMESTAMP('%H:%M', timestamp) AS f, COUNT(*) AS c FROM t GROUP BY 1, 2 ORDER "
    "BY 1, 2",
    "SELECT TIMESTAMP_ADD(timestamp, INTERVAL 1 DAY) AS x FROM t ORDER BY 1 LIMIT 3",
    "SELECT UNIX_MICROS(timestamp) AS u, TIMESTAMP_DIFF(timestamp, TIMESTAMP '2000-01-01', SECOND) AS x FROM t ORDER "
    "BY 1 "
    "LIMIT 3",
    "SELECT DIV(n, 3) AS x, MOD(n, 3) AS y, SUBSTR(s, 1, 1) AS z, COUNT(*) AS c FROM t GROUP BY 1, 2, 3 ORDER BY 1, 2, "
    "3",
    "SELECT PARSE_TIMESTAMP('%s', s) AS x FROM t ORDER BY 1 LIMIT 3",
    "SELECT ERROR(s) AS x FROM t WHERE s = 'no number'",
    "SELECT IF(s = '(', ERROR('seen'), id) AS x FROM t ORDER BY 1"};

TEST_CASE("rows of other projects in an engine change no answer of a token's, and raise no error",
          "[postgres][clickhouse]") {
  const char* const name = GENERATE("postgres", "clickhouse", "bigquery");
  CAPTURE(name);
  const auto engine = StartEngine(name);
  if (absl::IsNotFound(engine.status())) SKIP(engine.status().ToString());
  REQUIRE(engine.ok());
  OneProject own("own");
  const SandboxService::Options options = {.log = "t", .max_rows = 10'000, .authenticator = &own};
  std::vector<std::string> alone;
  {
    SandboxService service((*engine)->Put({TableOf(false)}), options);
    for (const char* const sql : kQueries) alone.push_back(service.Ask(sql));
  }
  SandboxService among((*engine)->Put({TableOf(true)}), options);
  for (size_t i = 0; i < alone.size(); ++i) {
    CAPTURE(kQueries[i]);
    CHECK(alone[i].starts_with(R"({"result":[)"));
    CHECK(among.Ask(kQueries[i]) == alone[i]);
  }
}

}  // namespace
}  // namespace logquery::testing
