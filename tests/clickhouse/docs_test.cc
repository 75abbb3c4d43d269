// Makes the table and reads the options that docs/clickhouse.md shows.
#include <catch2/catch_test_macros.hpp>
#include <nlohmann/json.hpp>
#include <regex>
#include <string>

#include "lib/base/strings.h"
#include "lib/engines/clickhouse/backend/clickhouse_source.h"
#include "lib/engines/duckdb/backend/source/fragment_backend.h"
#include "logquery/query_service.h"
#include "tests/clickhouse/click_house.h"
#include "tests/support/counting_source.h"
#include "tests/support/read_file.h"

namespace logquery {
namespace {

using base::StrCat;
using testing::ClickHouse;

constexpr char kPage[] = "docs/clickhouse.md";

TEST_CASE("the table and options of the documentation work, and their order is used", "[clickhouse]") {
  if (const std::string why = ClickHouse::WhyNot(); !why.empty()) SKIP(why);
  ClickHouse server;
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
  const auto backend = duckdb::OpenOverFragments(source, {});
  INFO(backend.status().ToString());
  REQUIRE(backend.ok());
  Endpoint endpoint;
  endpoint.id = "5e0c2f57-5d0e-4b1b-9a53-0a6f4f0f4c14";
  endpoint.name = "edge";
  endpoint.query =
      "SELECT id, r.method FROM `cloudflare.logs.prod` AS t CROSS JOIN UNNEST(t.metadata) AS m CROSS JOIN "
      "UNNEST(m.request) "
      "AS r WHERE t.project = @project AND t.timestamp < TIMESTAMP '2026-01-15 08:20:00+00' AND r.method = 'GET' ORDER "
      "BY "
      "t.timestamp DESC LIMIT 2";
  endpoint.parameters.emplace_back().name = "project";
  QueryServiceOptions made;
  made.backend = backend->get();
  made.endpoints = {endpoint};
  const auto service = QueryService::Create(made);
  INFO(service.status().ToString());
  REQUIRE(service.ok());
  QueryRequest request;
  request.endpoint = "edge";
  request.parameters = {{"project", "p7"}};
  const auto answer = (*service)->Run(request);
  INFO(answer.status().ToString());
  REQUIRE(answer.ok());
  CHECK(answer->body == R"({"result":[{"id":"a1157","method":"GET"},{"id":"a1107","method":"GET"}]})");

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
