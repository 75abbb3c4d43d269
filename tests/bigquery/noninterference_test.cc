// A token of one project gets the same answers whatever rows of others lie beside its own: BigQuery is always sent the project's
// condition, and never what may raise an error on a row that the condition leaves out.
#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <memory>
#include <string>
#include <vector>

#include "logquery/bigquery/bigquery_backend.h"
#include "tests/bigquery/bigquery_host.h"
#include "tests/bigquery/value_tables.h"
#include "tests/support/sandbox_service.h"

namespace logquery::testing {
namespace {

constexpr char kSchema[] =
    R"({"t": {"project": ["project"], "time": "timestamp", "columns": {"id": "STRING", "timestamp": "TIMESTAMP",
  "project": "STRING", "n": "INT64", "s": "STRING", "m": {"k": "STRING", "v": "INT64"}}}})";

using Row = std::vector<Value>;

Row MakeRow(const Table& table, int number, const std::string& project, int64_t n, const std::string& s) {
  Value record = Value::Struct(table.columns[5].type, {Value::String(s), Value::Int64(n)});
  return {Value::String("id" + std::to_string(number)),
          Value::TimestampMicros(1'772'600'000'000'000 + number),
          Value::String(project),
          Value::Int64(n),
          Value::String(s),
          std::move(record)};
}

// A service whose tables hold own rows, with those of others among them or without.
struct Twin {
  explicit Twin(bool with_others) {
    const Catalog declared = *Catalog::FromSchemaJson(kSchema);
    Table table = *declared.Find("t");
    std::vector<Row> rows;
    for (int i = 0; i < 40; ++i) {
      rows.push_back(MakeRow(table, 2 * i, "own", i % 7 + 1, std::to_string(i % 5)));
      if (!with_others) continue;
      const char* const nasty[] = {"no number", "{", "2026-13-45", "(", "\xF0\x9F\x98\x80"};
      rows.push_back(MakeRow(table, 2 * i + 1, i % 2 == 0 ? "other" : "Own", i % 2 == 0 ? 0 : INT64_MAX, nasty[i % 5]));
    }
    engine = OpenValueTables({{std::move(table), std::move(rows)}});
    host = std::make_unique<BigQueryHost>(engine.get(), std::map<std::string, std::string>{{"t", "t"}}, kSchema);
    service = std::make_unique<SandboxService>(
        OpenBigQuery(host->Options()), SandboxService::Options{.log = "t", .max_rows = 10'000, .authenticator = &own});
  }

  OneProject own{"own"};
  std::unique_ptr<QueryBackend> engine;
  std::unique_ptr<BigQueryHost> host;
  std::unique_ptr<SandboxService> service;
};

bool AsksForTheProject(const nlohmann::ordered_json& query) {
  const nlohmann::ordered_json parameters = query.value("queryParameters", nlohmann::ordered_json::array());
  return std::any_of(parameters.begin(), parameters.end(), [&](const auto& parameter) {
    const std::string name = "@" + parameter["name"].template get<std::string>();
    return parameter["parameterValue"].value("value", "") == "own" &&
           query["query"].get<std::string>().find(name) != std::string::npos;
  });
}

TEST_CASE("rows of other projects change no answer from BigQuery, and raise no error") {
  Twin alone(false);
  Twin among(true);
  const size_t checked_at_open = among.host->queries().size();
  int rows_seen = 0;
  for (const char* sql : {
           "SELECT id, 10 / n AS x FROM t ORDER BY id",
           "SELECT id FROM t WHERE 10 / n > 2 ORDER BY id",
           "SELECT SUM(CAST(s AS INT64)) AS x FROM t",
           "SELECT id FROM t WHERE CAST(s AS INT64) = 3 ORDER BY id LIMIT 3",
           "SELECT CAST(s AS INT64) AS x, COUNT(*) AS c FROM t GROUP BY 1 ORDER BY 1",
           "SELECT SUM(n) AS x, MAX(n) AS y, MIN(s) AS z FROM t",
           "SELECT n * n AS x FROM t ORDER BY 1 DESC LIMIT 2",
           "SELECT m.k, COUNT(*) AS c FROM t CROSS JOIN UNNEST(t.m) AS m GROUP BY 1 ORDER BY 1",
           "SELECT a.id FROM t AS a JOIN t AS b ON a.n = b.n AND 10 / b.n > 2 ORDER BY 1 LIMIT 5",
           "SELECT a.id FROM t AS a LEFT JOIN t AS b ON a.id = b.s WHERE b.id IS NULL ORDER BY 1",
           "SELECT id, ROW_NUMBER() OVER (PARTITION BY s ORDER BY n, id) AS r FROM t ORDER BY id",
           "SELECT id FROM t WHERE n = (SELECT MAX(n) FROM t) ORDER BY id",
           "SELECT id FROM t WHERE REGEXP_CONTAINS(s, '[0-2]') UNION ALL SELECT s FROM t ORDER BY 1",
           "SELECT COUNT(*) AS c, COUNT(DISTINCT s) AS d, COUNTIF(n > 3) AS e FROM t",
           "SELECT id FROM t ORDER BY timestamp DESC LIMIT 3",
           "SELECT PARSE_TIMESTAMP('%s', s) AS x FROM t ORDER BY 1 LIMIT 3",
           "SELECT ERROR(s) AS x FROM t WHERE s = 'no number'",
           "SELECT IF(s = '(', ERROR('seen'), id) AS x FROM t ORDER BY 1",
       }) {
    CAPTURE(sql);
    const std::string own = alone.service->Ask(sql);
    CHECK(own.starts_with(R"({"result":[)"));
    rows_seen += own.size() > 20 ? 1 : 0;
    CHECK(among.service->Ask(sql) == own);
  }
  CHECK(rows_seen > 14);
  const auto queries = among.host->queries();
  REQUIRE(queries.size() > checked_at_open);
  for (size_t i = checked_at_open; i < queries.size(); ++i) {
    CAPTURE(queries[i]["query"].get<std::string>());
    CHECK(AsksForTheProject(queries[i]));
  }
  CHECK(among.host->problems() == std::vector<std::string>());
}

}  // namespace
}  // namespace logquery::testing
