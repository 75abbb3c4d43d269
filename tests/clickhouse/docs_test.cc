// Makes the table and reads the options that docs/clickhouse.md shows.
#include <catch2/catch_test_macros.hpp>
#include <nlohmann/json.hpp>
#include <regex>
#include <string>

#include "lib/base/strings.h"
#include "lib/engines/clickhouse/backend/clickhouse_source.h"
#include "lib/engines/duckdb/backend/source/fragment_backend.h"
#include "tests/clickhouse/click_house_or_skip.h"
#include "tests/support/counting_source.h"
#include "tests/support/read_file.h"
#include "tests/support/sandbox_service.h"

namespace logquery {
namespace {

using base::StrCat;
using testing::ClickHouseOrSkip;

constexpr char kPage[] = "docs/clickhouse.md";

TEST_CASE("the table and options of the documentation work, and their order is used", "[clickhouse]") {
  ClickHouseOrSkip server;
  server.Sql(testing::CodeBlocks(kPage, "sql", "CREATE TABLE").at(0));
  server.Sql(
      "INSERT INTO logs.edge_logs (id, timestamp, project, event_message, metadata, method, has_metadata, has_request) "
      "SELECT "
      "concat('a', toString(number)), fromUnixTimestamp64Micro(toInt64(1768464000000000 + number * 1000000)), "
      "concat('p', "
      "toString(number % 50)), '', '{\"request\":{\"method\":\"GET\"}}', 'GET', true, true FROM numbers(500000)");
  auto json = nlohmann::ordered_json::parse(testing::CodeBlocks(kPage, "json", "{\"engine\": \"clickhouse\"").at(0));
  const ClickHouseOptions right = server.Options({});
  json.erase("password");
  json.erase("ca_file");
  json["hosts"] = right.hosts;
  auto options = ClickHouseOptionsFromJson(json.dump());
  INFO(options.status().ToString());
  REQUIRE(options.ok());
  options->password = right.password;
  options->allow_sources = true;
  const auto source = std::make_shared<testing::CountingSource>(
      std::make_shared<clickhouse::ClickHouseSource>(*options, Catalog::DeclaredLogs()));
  testing::SandboxService service(
      duckdb::OpenOverFragments(source, {}),
      {.log = "edge",
       .query =
           "SELECT id, r.method FROM `cloudflare.logs.prod` AS t CROSS JOIN UNNEST(t.metadata) AS m CROSS JOIN "
           "UNNEST(m.request) AS r WHERE t.project = @project AND t.timestamp < TIMESTAMP '2026-01-15 08:20:00+00' "
           "AND r.method = 'GET' ORDER BY t.timestamp DESC LIMIT 2",
       .declared = {"project"},
       .takes_sql = false});
  CHECK(service.Ask("", {{"project", "p7"}}) ==
        R"({"result":[{"id":"a1157","method":"GET"},{"id":"a1107","method":"GET"}]})");

  const auto asked = source->Take();
  REQUIRE(asked.size() == 1);
  CHECK(asked[0].rows == 2);
  std::string sql =
      std::regex_replace(asked[0].text, std::regex(R"(\{p\d+:Nullable\(String\)\})"), "CAST('p7' AS Nullable(String))");
  sql = std::regex_replace(sql, std::regex(R"(\{p\d+:Nullable\(Int64\)\})"), "CAST(0 AS Nullable(Int64))");
  const std::string plan = server.Ask(StrCat("EXPLAIN indexes = 1 ", sql));
  CAPTURE(plan);
  std::smatch granules;
  REQUIRE(std::regex_search(plan, granules, std::regex(R"(PrimaryKey[^]*?Granules: (\d+)/(\d+))")));
  CHECK(std::stoi(granules[1]) * 5 < std::stoi(granules[2]));
}

}  // namespace
}  // namespace logquery
