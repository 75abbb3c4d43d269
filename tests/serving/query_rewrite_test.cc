// Rewriting a query between the two languages with a principal's rights, limits and fields.
#include "logquery/serving/query_rewrite.h"

#include <catch2/catch_test_macros.hpp>
#include <nlohmann/json.hpp>
#include <string>

#include "logquery/error.h"
#include "tests/serving/mcp_fixture.h"

namespace logquery::testing {
namespace {

using Json = nlohmann::json;

QueryRewrite ToClickHouse(std::string sql) {
  QueryRewrite wanted;
  wanted.sql = std::move(sql);
  return wanted;
}

QueryRewrite ToBigQuery(std::string sql) {
  QueryRewrite wanted = ToClickHouse(std::move(sql));
  wanted.to = QueryLanguage::kBigQuery;
  return wanted;
}

std::string TextOf(const absl::Status& status) { return std::string(status.message()); }

Principal Of(const std::string& project) {
  Principal principal;
  principal.project_scope = project;
  return principal;
}

std::string RowsOf(McpFixture& server, const std::string& endpoint, const std::string& sql) {
  QueryRequest request;
  request.endpoint = endpoint;
  request.parameters = {{"project", "abc"}, {"project_tier", "ENTERPRISE"}, {"sql", sql}};
  const auto answer = server.service->Run(request);
  INFO(answer.status().ToString());
  REQUIRE(answer.ok());
  return answer->body;
}

TEST_CASE("a query is rewritten in the other language and back, with the same rows") {
  McpFixture server;
  server.AddMessages({"a", "b", "c"});
  const std::string original = "select event_message, count(*) as n from edge_logs group by event_message order by 1";
  const auto there = RewriteQuery(*server.service, {}, ToClickHouse(original));
  INFO(there.status().ToString());
  REQUIRE(there.ok());
  CHECK(there->endpoint == "logs.all.otel");
  CHECK(there->sql.find("source = 'edge_logs'") != std::string::npos);
  const auto back = RewriteQuery(*server.service, {}, ToBigQuery(there->sql));
  REQUIRE(back.ok());
  CHECK(back->endpoint == "logs.all");
  const std::string rows = RowsOf(server, "logs.all", original);
  CHECK(rows.find(R"({"event_message":"a","n":1})") != std::string::npos);
  CHECK(RowsOf(server, "logs.all.otel", there->sql) == rows);
  CHECK(RowsOf(server, "logs.all", back->sql) == rows);
}

TEST_CASE("notes and errors of a rewrite have their places in the original") {
  McpFixture server;
  const auto noted = RewriteQuery(
      *server.service, {},
      ToClickHouse("select t.id\nfrom edge_logs t\ncross join unnest(metadata) m\ncross join unnest(m.request) r"));
  REQUIRE(noted.ok());
  REQUIRE_FALSE(noted->notes.empty());
  CHECK(noted->notes[0].line == 4);
  CHECK(noted->notes[0].text.find("drops rows without the record") != std::string::npos);

  const auto without_equal =
      RewriteQuery(*server.service, {}, ToClickHouse("select id,\n  soundex(event_message) as s from edge_logs"));
  CHECK(absl::IsUnimplemented(without_equal.status()));
  CHECK(GetErrorDetails(without_equal.status()).line == 2);
  CHECK(GetErrorDetails(without_equal.status()).column == 3);

  const auto wrong = RewriteQuery(*server.service, {}, ToBigQuery("select nothing from logs"));
  CHECK(absl::IsInvalidArgument(wrong.status()));
  CHECK(GetErrorDetails(wrong.status()).column == 8);
  CHECK(absl::IsInvalidArgument(RewriteQuery(*server.service, {}, ToClickHouse("")).status()));
  CHECK(absl::IsInvalidArgument(RewriteQuery(*server.service, {}, ToClickHouse(std::string(70'000, ' '))).status()));
}

TEST_CASE("rows without metadata are in the way of a rewrite until the caller says that there are none") {
  McpFixture server;
  QueryRewrite wanted = ToClickHouse("select t.id from edge_logs t cross join unnest(metadata) m");
  const auto refused = RewriteQuery(*server.service, {}, wanted);
  CHECK(absl::IsUnimplemented(refused.status()));
  wanted.rows_have_metadata = true;
  const auto taken = RewriteQuery(*server.service, {}, wanted);
  REQUIRE(taken.ok());
  REQUIRE(taken->notes.size() == 1);
  CHECK(taken->notes[0].text.find("every row is taken to have metadata") != std::string::npos);
}

TEST_CASE("a token for a project is told of no field that only other projects have") {
  McpFixture server;
  server.AddRow({{"id", "1"},
                 {"timestamp", 1'772'600'000'000'000},
                 {"project", "xyz"},
                 {"metadata", {{"zqx_secret", 5}, {"request", {{"path", "/"}}}}}});
  server.AddMessages({"a"});
  const std::string named = "select m.zqx_secret from edge_logs left join unnest(metadata) m";
  CHECK(RewriteQuery(*server.service, Of("xyz"), ToClickHouse(named)).ok());
  CHECK(RewriteQuery(*server.service, {}, ToClickHouse(named)).ok());
  const auto hidden = RewriteQuery(*server.service, Of("abc"), ToClickHouse(named));
  CHECK(absl::IsInvalidArgument(hidden.status()));
  // Nor by a name that is nearly right, by all names, or by what is written about an unknown key.
  for (const char* sql : {"select m.zqx_secre from edge_logs left join unnest(metadata) m",
                          "select m.* from edge_logs left join unnest(metadata) m", "select * from edge_logs"}) {
    CAPTURE(sql);
    QueryRewrite wanted = ToClickHouse(sql);
    wanted.rows_have_metadata = true;
    const auto answer = RewriteQuery(*server.service, Of("abc"), wanted);
    CHECK(TextOf(answer.status()).find("zqx_secret") == std::string::npos);
    for (const std::string& near : GetErrorDetails(answer.status()).nearest) CHECK(near != "zqx_secret");
    if (answer.ok()) CHECK(answer->sql.find("zqx") == std::string::npos);
  }
  for (const char* sql : {"select log_attributes['zqx_secret'] as s from logs where source = 'edge_logs'",
                          "select arrayJoin(mapKeys(log_attributes)) as k from logs where source = 'edge_logs'"}) {
    CAPTURE(sql);
    const auto here = RewriteQuery(*server.service, Of("abc"), ToBigQuery(sql));
    const auto unknown = RewriteQuery(*server.service, Of("none"),
                                      ToBigQuery(sql));  // a project without rows, which has the declared fields alone
    CHECK(here.ok() == unknown.ok());
    if (here.ok() && unknown.ok()) CHECK(here->sql == unknown->sql);
    CHECK(here.status() == unknown.status());
  }
}

TEST_CASE("a rewrite takes the right to call both endpoints, and counts as a call") {
  McpFixture server;
  Principal one;
  one.endpoints = {"logs.all"};
  const QueryRewrite wanted = ToClickHouse("select id from edge_logs");
  CHECK(absl::IsNotFound(RewriteQuery(*server.service, one, wanted).status()));
  one.endpoints = {"logs.all", "logs.all.otel"};
  CHECK(RewriteQuery(*server.service, one, wanted).ok());

  Principal limited;
  limited.token_id = "limited";
  limited.limits.calls_per_minute = 2;
  CHECK(RewriteQuery(*server.service, limited, wanted).ok());
  CHECK(RewriteQuery(*server.service, limited, wanted).ok());
  CHECK(absl::IsResourceExhausted(RewriteQuery(*server.service, limited, wanted).status()));
}

TEST_CASE("errors of a rewrite are redacted where the token or the call says so") {
  McpFixture server;
  const QueryRewrite plain = ToClickHouse("select id from edge_logs where soundex('10.1.2.3') = event_message");
  const auto shown = RewriteQuery(*server.service, {}, plain);
  CHECK(GetErrorDetails(shown.status()).snippet.find("10.1.2.3") != std::string::npos);
  QueryRewrite asked = plain;
  asked.redact_pii = true;
  Principal mandated;
  mandated.redact_pii = true;
  for (const auto& hidden :
       {RewriteQuery(*server.service, {}, asked), RewriteQuery(*server.service, mandated, plain)}) {
    CHECK(absl::IsUnimplemented(hidden.status()));
    CHECK(GetErrorDetails(hidden.status()).snippet.find("10.1.2.3") == std::string::npos);
    CHECK(GetErrorDetails(hidden.status()).snippet.find("REDACTED") != std::string::npos);
  }
}

TEST_CASE("a definition of one's own with a built-in endpoint's name is not rewritten over") {
  constexpr char kSettings[] =
      R"({"id": "b0a9a6e8-6a0e-4a63-9f0b-6d4c4a1f8f02", "name": "logs.own", "query_sandboxing": true, "parameters": []})";
  const Endpoint own =
      Endpoint::FromJson("logs.own", kSettings, "with edge_logs as (select 1 as id) select 1 as one").value();
  std::vector<Endpoint> endpoints = Endpoint::BuiltIn();
  for (Endpoint& endpoint : endpoints) {
    if (endpoint.name == "logs.all") endpoint.query = own.query, endpoint.parameters.clear();
  }
  McpFixture server;
  QueryServiceOptions options;
  options.backend = server.backend.get();
  options.endpoints = endpoints;
  options.warming_threads = 0;
  const auto service = QueryService::Create(std::move(options));
  INFO(service.status().ToString());
  REQUIRE(service.ok());
  const auto refused = RewriteQuery(**service, {}, ToClickHouse("select id from edge_logs"));
  CHECK(absl::IsUnimplemented(refused.status()));
  CHECK(TextOf(refused.status()).find("replaced by another definition") != std::string::npos);
}

TEST_CASE("a rewrite is read from and written as JSON, and a wrong body is refused") {
  McpFixture server;
  const auto answer = AnswerRewrite(*server.service, {},
                                    R"({"sql": "select count(*) as n from edge_logs", "to": "clickhouse"})", false);
  REQUIRE(answer.ok());
  CHECK(Json::parse(*answer) == Json{{"language", "clickhouse"},
                                     {"endpoint", "logs.all.otel"},
                                     {"sql", "SELECT count() AS n\nFROM logs\nWHERE source = 'edge_logs'"},
                                     {"notes", Json::array()}});
  const auto back =
      AnswerRewrite(*server.service, {},
                    R"({"sql": "select count() as n from logs where source = 'edge_logs'", "to": "bigquery"})", false);
  REQUIRE(back.ok());
  CHECK(Json::parse(*back)["language"] == "bigquery");
  for (const char* body :
       {"", "[]", "{}", R"({"sql": "select 1"})", R"({"to": "clickhouse"})", R"({"sql": 1, "to": "clickhouse"})",
        R"({"sql": "select 1", "to": "postgres"})", R"({"sql": "select 1 as n", "to": "clickhouse", "other": 1})"}) {
    CAPTURE(body);
    CHECK(absl::IsInvalidArgument(AnswerRewrite(*server.service, {}, body, false).status()));
  }
}

}  // namespace
}  // namespace logquery::testing
