// Callers' ClickHouse SQL through the service, over stored rows of two projects.
#include <catch2/catch_all.hpp>
#include <filesystem>
#include <fstream>
#include <string>

#include "absl/strings/match.h"
#include "lib/base/strings.h"
#include "logquery/sandbox_verdict.h"
#include "tests/endpoint/served_rows.h"

namespace logquery {
namespace {

std::vector<Endpoint> OtelAlone() {
  std::vector<Endpoint> endpoints;
  for (Endpoint& endpoint : Endpoint::BuiltIn()) {
    if (endpoint.name == "logs.all.otel") endpoints.push_back(std::move(endpoint));
  }
  return endpoints;
}

// Also sign-ins of both projects: one with a level, a status and a list, one without metadata.
struct OtelRows : ServedRows {
  OtelRows() : ServedRows(OtelAlone()) {
    const std::string file = (folder / "auth").string();
    std::ofstream out(file);
    for (const char* project : {"abc", "xyz"}) {
      out << R"({"id":"a1","timestamp":"2026-03-04T04:00:00.5Z","event_message":"signed in","project":")" << project
          << R"(","metadata":{"level":"warning","status":422,"msg":"täb 100%","path":"/token"}})"
          << "\n";
      out << R"({"id":"a2","timestamp":"2026-03-04T03:00:00Z","event_message":"{\"n\":1,\"s\":\"x\"}","project":")"
          << project << R"("})"
          << "\n";
    }
    out.close();
    const auto report = backend->store().Load({.table = "auth_logs", .files = {file}}, nullptr);
    INFO(report.status().ToString());
    REQUIRE(report.ok());
  }

  // The rows as JSON, or the error.
  std::string Rows(const std::string& sql, const std::string& endpoint = "logs.all.otel") {
    ParameterTexts parameters = {{"project", "abc"}, {"project_tier", "ENTERPRISE"}};
    if (!sql.empty()) parameters.emplace_back("sql", sql);
    const std::string body = Body(endpoint, parameters);
    constexpr std::string_view kBegin = "{\"result\":[";
    if (!body.starts_with(kBegin)) return body;
    return body.substr(kBegin.size(), body.rfind("]}") - kBegin.size());
  }
};

TEST_CASE("logs.all.otel answers a SELECT over all logs of the project, also by its second name") {
  OtelRows rows;
  const std::string counts = R"({"source":"auth_logs","n":2},{"source":"edge_logs","n":2})";
  const std::string sql = "select source, count() n from logs group by source order by source";
  CHECK(rows.Rows(sql) == counts);
  CHECK(rows.Rows(sql, "logs") == counts);
  const std::string newest = rows.Rows("");
  CHECK(absl::StrContains(newest, R"("id":"id1","timestamp":"2026-03-04T05:00:01.000000")"));
  CHECK(absl::StrContains(newest, R"("request.method":"GET")"));
  CHECK_FALSE(absl::StrContains(newest, "xyz"));
}

TEST_CASE("answers have ClickHouse's meaning") {
  OtelRows rows;
  struct Case {
    const char* sql;
    const char* rows;
  };
  const Case cases[] = {
      // An alias wins over the column, in WHERE too.
      {"select 'x' as source, count() n from logs where source = 'edge_logs'", R"({"source":"x","n":0})"},
      {"select 'x' as source, count() n from logs where logs.source = 'edge_logs'", R"({"source":"x","n":2})"},
      {"select toStartOfDay(timestamp) as timestamp, count() n from logs group by timestamp",
       R"({"timestamp":"2026-03-04T00:00:00","n":4})"},
      // Absent keys are ''.
      {"select count() n from logs where log_attributes['status'] != '422'", R"({"n":3})"},
      {"select count() n from logs where log_attributes['status'] = ''", R"({"n":3})"},
      {"select count() n from logs where log_attributes['status'] in ('422', 'x')", R"({"n":1})"},
      {"select count() n from logs where log_attributes['status'] = '0422'", R"({"n":0})"},
      {"select countIf(log_attributes['level'] is not null) n from logs", R"({"n":4})"},
      {"select mapContains(log_attributes, 'status') c, count() n from logs group by c order by c",
       R"({"c":0,"n":3},{"c":1,"n":1})"},
      {"select max(toInt32OrZero(log_attributes['status'])) s from logs", R"({"s":422})"},
      // A literal key is the same as one of the whole map.
      {"select log_attributes['status'] = log_attributes[concat('sta', 'tus')] as same, count() n from logs group by "
       "same",
       R"({"same":1,"n":4})"},
      {"select arrayJoin(mapKeys(log_attributes)) as k from logs where id = 'a1' order by k",
       R"({"k":"level"},{"k":"msg"},{"k":"path"},{"k":"project"},{"k":"status"})"},
      {"select severity_text s, count() n from logs group by s order by s",
       R"({"s":"INFO","n":3},{"s":"WARNING","n":1})"},
      // Defaults of nothing.
      {"select sum(length(id)) a, avg(length(id)) b, min(id) c, max(timestamp) d from logs where source = 'nothing'",
       R"({"a":0,"b":null,"c":"","d":"1970-01-01T00:00:00.000000"})"},
      {"select 7 / 2 a, 1 / 0 b, intDiv(-7, 2) c, round(2.5) d, toUInt8(300) e",
       R"({"a":3.5,"b":null,"c":-3,"d":2.0,"e":44})"},
      {"select toInt64(9223372036854775807) + 1 a, toInt32OrZero(' 1') b, toInt64OrZero('0x1') c, toInt32OrNull('x') d",
       R"({"a":-9223372036854775808,"b":0,"c":0,"d":null})"},
      {"select 2 not in (1, null) a, coalesce(null, 'x') b, if(null, 1, 2) c", R"({"a":1,"b":"x","c":2})"},
      {"select 1 as x union all select 2 limit 1", R"({"x":1},{"x":2})"},
      {"select id from logs where timestamp > '2026-03-04 04:30:00' order by id limit 1 offset 1", R"({"id":"id1"})"},
      {"select JSONExtractInt(event_message, 'n') n, JSONExtractString(event_message, 's') s from logs where id = 'a2'",
       R"({"n":1,"s":"x"})"},
      {"select count() from logs where event_message ilike 'SIGNED%' and match(event_message, 'signed.in')",
       R"x({"count()":1})x"},
      {"select log_attributes['msg'] m from logs where m like '%100\\%'", R"({"m":"täb 100%"})"},
      {"with s as (select source, count() n from logs group by source) select a.n + b.n as n from s a join s b on "
       "a.source = "
       "b.source order by n limit 1",
       R"({"n":4})"},
      {"select id, log_attributes from logs where id = 'a2'", R"({"id":"a2","log_attributes":{"project":"abc"}})"},
      {"select source, id from logs order by source, id limit 1 by source",
       R"({"source":"auth_logs","id":"a1"},{"source":"edge_logs","id":"id0"})"},
  };
  for (const Case& c : cases) {
    CAPTURE(c.sql);
    CHECK(rows.Rows(c.sql) == c.rows);
  }
}

TEST_CASE("whatever a caller writes reads rows of the project only") {
  OtelRows rows;
  for (const char* sql : {"select count() n from logs where project = 'xyz' or 1",
                          "select count() n from logs where project != 'abc' or project = 'abc'",
                          "select count() n from (select 'xyz' as project, id from logs)",
                          "select count() n from logs a where logs_all = 1 or 1 = 1"}) {
    CAPTURE(sql);
    const std::string answer = rows.Rows(sql);
    CHECK((answer == R"({"n":4})" || absl::StrContains(answer, "INVALID_ARGUMENT")));
  }
}

TEST_CASE("a caller's SQL that is not allowed is refused with the name and its place") {
  OtelRows rows;
  struct Case {
    const char* sql;
    const char* message;
  };
  const Case cases[] = {
      {"select id from edge_logs",
       "can't be read here at line 1, column 16; write FROM logs WHERE source = 'edge_logs'"},
      {"select id\nfrom nothing", "the table nothing does not exist here at line 2, column 6; there is logs"},
      {"select x from system.one", "system.one"},
      {"select c1 from url('http://127.0.0.1/', 'CSV')", "the table function url is not allowed"},
      {"select hostName()", "the function hostName is unknown or not allowed here"},
      {"select rand()", "the function rand is unknown or not allowed here"},
      {"select lq_ch_add(1, 2)", "the function lq_ch_add is unknown"},
      {"select countif(1) from logs", "the function countif is unknown"},
      {"select level from logs", "log_attributes['level']"},
      {"select id from logs where source = \"edge_logs\"", "the column edge_logs does not exist"},
      {"with logs as (select 1 as x) select x from logs", "WITH can't define logs"},
      {"select count() n from logs where n > 1", "the aggregate count is not allowed here"},
      {"select sum(count()) from logs", "inside of another one"},
      {"select id, count() from logs", "neither in GROUP BY nor inside of an aggregate"},
      {"select countIf(log_attributes['status'] >= 500) from logs", "can't compare String with UInt16"},
      {"select toInt32OrZero(42)", "wants a text"},
      {"select range(1000000000)", "more than 100000 elements"},
      {"select b as a, a as b", "is defined by itself"},
      {"select id as x, project as x from logs", "the alias x is given to two expressions"},
      {"select {p:String}", "not allowed here"},
  };
  for (const Case& c : cases) {
    CAPTURE(c.sql);
    const std::string answer = rows.Rows(c.sql);
    INFO(answer);
    CHECK(absl::StartsWith(answer, "INVALID_ARGUMENT"));
    CHECK(absl::StrContains(answer, c.message));
  }
}

TEST_CASE("aliases that double each other do not grow without limit") {
  OtelRows rows;
  std::string sql = "select length(id) as a0";
  for (int i = 1; i < 60; ++i) sql += base::StrCat(", a", i - 1, " + a", i - 1, " as a", i);
  CHECK(absl::StrContains(rows.Rows(sql + " from logs"), "too large"));
}

TEST_CASE("mandated redaction covers callers' ClickHouse SQL") {
  std::vector<Endpoint> endpoints = OtelAlone();
  endpoints[0].redact_pii = true;
  OtelRows rows;
  rows.source.endpoints = endpoints;
  ++rows.source.revision;
  REQUIRE(rows.service->Reload().ok());
  const std::string answer =
      rows.Rows("select event_message m, log_attributes['request.url'] u, log_attributes from logs where id = 'id0'");
  INFO(answer);
  CHECK(absl::StrContains(answer, "REDACTED"));
  CHECK_FALSE(absl::StrContains(answer, "1.2.3.4"));
  CHECK(rows.Rows("select count() n from logs where event_message like '%1.2.3%'") == R"({"n":0})");
  CHECK(rows.Rows("select count() n from logs where log_attributes['request.url'] = 'https://1.2.3.4/a'") ==
        R"({"n":0})");
}

TEST_CASE("an endpoint of one's own is written in ClickHouse SQL, with typed parameters") {
  Endpoint own = MakeEndpoint("busy",
                              "select source, count() as n from logs where project = {project:String} and "
                              "log_attributes['status'] = {status:String} group by source",
                              7);
  own.language = QueryLanguage::kClickHouse;
  own.parameters.resize(2);
  own.parameters[0].name = "project";
  own.parameters[1].name = "status";
  OtelRows rows;
  rows.source.endpoints = {own};
  ++rows.source.revision;
  REQUIRE(rows.service->Reload().ok());
  CHECK(rows.Body("busy", {{"project", "abc"}, {"status", "422"}}) == R"({"result":[{"source":"auth_logs","n":1}]})");
}

TEST_CASE("a definition in ClickHouse SQL has its errors where they are") {
  const auto message = [](const std::string& query) {
    Endpoint own = MakeEndpoint("own", query, 8);
    own.language = QueryLanguage::kClickHouse;
    const auto registry = EndpointRegistry::Create({own}, Catalog::DeclaredLogs());
    return registry.ok() ? "ok" : registry.status().ToString();
  };
  CHECK(message("select id from logs") == "ok");
  CHECK(absl::StrContains(message("select id from logs where id = {x:String}"), "the parameter x is not declared"));
  CHECK(absl::StrContains(message("select id\nfrom `cloudflare.logs.prod`"),
                          "at line 2, column 6; write FROM logs WHERE source = 'edge_logs'"));
  Endpoint reader = MakeEndpoint("reader", "SELECT id FROM own", 9);
  Endpoint own = MakeEndpoint("own", "select id from logs", 8);
  own.language = QueryLanguage::kClickHouse;
  const auto registry = EndpointRegistry::Create({own, reader}, Catalog::DeclaredLogs());
  REQUIRE_FALSE(registry.ok());
  CHECK(absl::StrContains(registry.status().message(), "the endpoint own is written in ClickHouse SQL"));
}

}  // namespace
}  // namespace logquery
