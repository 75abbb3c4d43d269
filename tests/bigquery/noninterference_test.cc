// A token of one project gets the same answers whatever rows of others lie beside its own: BigQuery is always sent the project's
// condition, and never what may raise an error on a row that the condition leaves out.
#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <iterator>
#include <memory>
#include <string>
#include <vector>

#include "logquery/bigquery/bigquery_backend.h"
#include "tests/bigquery/value_tables.h"
#include "tests/engines/neighbour_queries.h"
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
    host = std::make_unique<ValueHost>(ValueTable{std::move(table), std::move(rows)}, kSchema);
    service = std::make_unique<SandboxService>(
        OpenBigQuery(host->Options()), SandboxService::Options{.log = "t", .max_rows = 10'000, .authenticator = &own});
  }

  OneProject own{"own"};
  std::unique_ptr<ValueHost> host;
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
  std::vector<const char*> queries(std::begin(kNeighbourQueries), std::end(kNeighbourQueries));
  queries.push_back("SELECT m.k, COUNT(*) AS c FROM t CROSS JOIN UNNEST(t.m) AS m GROUP BY 1 ORDER BY 1");
  for (const char* const sql : queries) {
    CAPTURE(sql);
    const std::string own = alone.service->Ask(sql);
    CHECK(own.starts_with(R"({"result":[)"));
    rows_seen += own.size() > 20 ? 1 : 0;
    CHECK(among.service->Ask(sql) == own);
  }
  CHECK(rows_seen > 14);
  const auto asked = among.host->queries();
  REQUIRE(asked.size() > checked_at_open);
  for (size_t i = checked_at_open; i < asked.size(); ++i) {
    CAPTURE(asked[i]["query"].get<std::string>());
    CHECK(AsksForTheProject(asked[i]));
  }
  CHECK(among.host->problems() == std::vector<std::string>());
}

}  // namespace
}  // namespace logquery::testing
