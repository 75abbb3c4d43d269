// The query kit, rewritten from BigQuery's SQL to ClickHouse's: both forms return the same rows, or the query is refused.
#include <catch2/catch_all.hpp>
#include <fstream>
#include <string>

#include "lib/base/strings.h"
#include "lib/tools/rewrite_sql/rewrite_sql.h"
#include "tests/clickhouse_sql/both_forms.h"

namespace logquery {
namespace {

TEST_CASE("the query kit's queries are rewritten in ClickHouse SQL and return the same rows", "[slow]") {
  KitRows rows;
  std::ifstream kit(testing::SourcePath("tests/engines/kit/queries.jsonl"));
  int rewritten = 0, valid = 0, invalid = 0;
  std::vector<std::string> refused;
  for (std::string line; std::getline(kit, line);) {
    const nlohmann::json query = nlohmann::json::parse(line);
    const std::string sql = query["sql"].get<std::string>();
    ParameterTexts parameters;
    for (const auto& [name, value] : query["params"].items()) {
      if (name != "sql") parameters.emplace_back(name, value.get<std::string>());
    }
    const std::string id = query["id"].get<std::string>();
    CAPTURE(id, sql);
    // These read sign-ins and connections, all of which have metadata in the kit's rows.
    tools::RewriteOptions options;
    options.rows_have_metadata =
        id == "safe-cast-duration" || id == "pg-casts" || id == "named-window" || id == "star-one";
    const absl::StatusOr<tools::RewrittenSql> made = tools::RewriteToClickHouse(sql, Catalog::DeclaredLogs(), options);
    if (query.contains("error")) {
      ++invalid;
      // What is found only while it runs is rewritten; it must not return rows that the original does not.
      if (!made.ok()) CHECK(made.status().code() != absl::StatusCode::kInternal);
      continue;
    }
    ++valid;
    if (!made.ok()) {
      INFO(made.status().ToString());
      CHECK(made.status().code() == absl::StatusCode::kUnimplemented);
      refused.push_back(id);
      continue;
    }
    CAPTURE(made->sql);
    parameters.emplace_back("sql", sql);
    const std::string bigquery = rows.Body("logs.all", parameters);
    parameters.back().second = made->sql;
    const std::string clickhouse = rows.Body("logs.all.otel", parameters);
    // Estimates of the two languages differ by their kinds.
    if (line.find("\"between\"") != std::string::npos && id == "count-distinct") continue;
    CHECK(Difference(bigquery, clickhouse, query.value("ordered", true)).empty());
    ++rewritten;
  }
  INFO(base::Join(refused, ", "));
  CHECK(valid == 80);
  CHECK(invalid == 19);
  CHECK(rewritten >= 77);
}

TEST_CASE("the ClickHouse kit's queries are rewritten in BigQuery SQL and return the same rows", "[slow]") {
  KitRows rows;
  std::ifstream kit(testing::SourcePath("tests/clickhouse_sql/kit/queries.jsonl"));
  int rewritten = 0, valid = 0;
  std::vector<std::string> refused;
  for (std::string line; std::getline(kit, line);) {
    const nlohmann::json query = nlohmann::json::parse(line);
    if (query.contains("error")) continue;
    ++valid;
    const std::string sql = query["sql"].get<std::string>();
    ParameterTexts parameters = {{"project", query["project"].get<std::string>()}, {"project_tier", "ENTERPRISE"}};
    for (const auto& [name, value] : query["params"].items()) parameters.emplace_back(name, value.get<std::string>());
    const std::string id = query["id"].get<std::string>();
    CAPTURE(id, sql);
    const absl::StatusOr<tools::RewrittenSql> made = tools::RewriteToBigQuery(sql, Catalog::DeclaredLogs());
    if (!made.ok()) {
      INFO(made.status().ToString());
      // A query that our own endpoint does not take is refused as the endpoint does it.
      parameters.emplace_back("sql", sql);
      const bool taken = rows.Body("logs.all.otel", parameters).starts_with("{\"result\"");
      CHECK(made.status().code() == (taken ? absl::StatusCode::kUnimplemented : absl::StatusCode::kInvalidArgument));
      refused.push_back(id);
      continue;
    }
    CAPTURE(made->sql);
    parameters.emplace_back("sql", sql);
    const std::string clickhouse = rows.Body("logs.all.otel", parameters);
    parameters.back().second = made->sql;
    const std::string bigquery = rows.Body("logs.all", parameters);
    CHECK(Difference(clickhouse, bigquery, query.value("ordered", true), false).empty());
    ++rewritten;
  }
  INFO(base::Join(refused, ", "));
  CHECK(valid == 154);
  CHECK(rewritten >= 130);
}

}  // namespace
}  // namespace logquery
