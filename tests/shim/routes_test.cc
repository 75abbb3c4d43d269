#include "shim/http/calls/routes.h"

#include <catch2/catch_test_macros.hpp>
#include <nlohmann/json.hpp>
#include <set>
#include <string>

#include "logquery/testing/fake_clock.h"
#include "tests/shim/route_requests.h"
#include "tests/shim/server_fixture.h"

namespace logquery::shim::route_tests {
namespace {

TEST_CASE("a call becomes a request to the service, and its rows the body") {
  RoutesFixture fixture;
  fixture.service.on_run = [](const QueryRequest&) {
    QueryAnswer answer = AnswerWith(R"({"result":[{"a":1}]})");
    answer.rows = 1;
    answer.parse_time = absl::Microseconds(125);
    answer.plan_time = absl::Microseconds(250);
    answer.execute_time = absl::Milliseconds(3);
    answer.redact_time = absl::Microseconds(500);
    answer.receipt = "query=1; values=2";
    answer.revision = "2026-01";
    return answer;
  };

  const HttpResponse response =
      fixture.routes.Handle(Call("project=abc&iso_timestamp_end=2026-01-01T00:00:00%2B02:00"));

  CHECK(response.status == 200);
  CHECK(response.body == R"({"result":[{"a":1}]})");
  CHECK(response.content_type == "application/json; charset=utf-8");
  CHECK(Header(response, "Server-Timing").starts_with("parse;dur=0.125, plan;dur=0.250, queue;dur="));
  CHECK(Header(response, "Server-Timing").find(", execute;dur=3.000, redact;dur=0.500, encode;dur=") !=
        std::string::npos);
  CHECK(Header(response, "Logquery-Receipt") == "query=1; values=2");
  CHECK(Header(response, "Logquery-Revision") == "2026-01");
  CHECK(Header(response, "Logquery-Window").empty());
  CHECK(Header(response, "Cache-Control") == "private, no-cache");
  CHECK(Header(response, "X-Content-Type-Options") == "nosniff");
  CHECK(Header(response, "Logquery-Truncated").empty());
  const QueryRequest request = fixture.service.requests().at(0);
  CHECK(fixture.service.authenticated() == 1);
  CHECK(fixture.service.found() == 1);
  CHECK(request.token.empty());  // what it stands for goes down, the token does not
  CHECK(request.call_id == Header(response, "X-Request-Id"));
  CHECK_FALSE(request.redact_pii);
  CHECK(request.parameters == ParameterTexts{{"project", "abc"}, {"iso_timestamp_end", "2026-01-01T00:00:00+02:00"}});
}

TEST_CASE("all paths of an endpoint reach it") {
  for (const char* path :
       {"/api/endpoints/query/logs.all", "/endpoints/query/logs.all", "/api/endpoints/query/name/logs.all",
        "/endpoints/query/name/logs.all", "/api/endpoints/query/logs%2Eall"}) {
    CAPTURE(path);
    RoutesFixture fixture;
    CHECK(fixture.routes.Handle(Request("GET", path)).status == 200);
    CHECK(fixture.routes.Handle(Request("HEAD", path)).status == 200);
    CHECK(fixture.routes.Handle(Request("POST", path)).status == 200);
  }
}

TEST_CASE("unknown paths are 404") {
  RoutesFixture fixture;
  for (const char* path : {"/api", "/api/endpoints/", "/api/endpoints/query/", "/api/endpoints/query/name/",
                           "/api/endpoints/query/a/b", "/API/endpoints/query/logs.all", "//", "/health/"}) {
    CAPTURE(path);
    CHECK(fixture.routes.Handle(Request("GET", path)).status == 404);
  }
  CHECK(fixture.routes.Handle(Request("GET", "/api/endpoints/query/LOGS.ALL")).status == 404);
  CHECK(fixture.routes.Handle(Request("GET", "/api/endpoints/query/logs%2")).status == 400);
  CHECK(fixture.routes.Handle(Request("GET", "/api/endpoints/query/logs+all")).status == 404);
}

TEST_CASE("a method that a path does not support is 405") {
  RoutesFixture fixture;
  struct Case {
    const char* method;
    const char* path;
    const char* allow;
  };
  const Case cases[] = {
      {"PUT", "/api/endpoints/query/logs.all", "GET, HEAD, POST"},
      {"DELETE", "/api/endpoints/query/x", "GET, HEAD, POST"},
      {"OPTIONS", "/endpoints/query/logs.all", "GET, HEAD, POST"},
      {"POST", "/api/endpoints", "GET, HEAD"},
      {"POST", "/health", "GET, HEAD"},
      {"POST", "/", "GET, HEAD"},
  };
  for (const Case& c : cases) {
    CAPTURE(c.method, c.path);
    const HttpResponse response = fixture.routes.Handle(Request(c.method, c.path));
    CHECK(response.status == 405);
    CHECK(Header(response, "Allow") == c.allow);
    CHECK(Json::parse(response.body)["error"]["status"] == "METHOD_NOT_ALLOWED");
  }
}

TEST_CASE("malformed parameters are an error of the caller") {
  RoutesFixture fixture;
  CHECK(fixture.routes.Handle(Call("project=a&project=b")).status == 400);
  CHECK(fixture.routes.Handle(Call("project=%zz")).status == 400);
  CHECK(fixture.routes.Handle(Call("int64=maybe")).status == 400);
  CHECK(fixture.routes.Handle(Call("csv_safe=maybe")).status == 400);
  CHECK(fixture.service.requests().empty());
}

TEST_CASE("a POST's body joins the URL's parameters") {
  RoutesFixture fixture;
  HttpRequest request = Request("POST", "/api/endpoints/query/logs.all", "project=abc");
  request.headers.emplace_back("Content-Type", "application/json");
  request.body = R"({"sql":"select 1","limit":5})";

  CHECK(fixture.routes.Handle(request).status == 200);
  CHECK(fixture.service.requests().at(0).parameters ==
        ParameterTexts{{"project", "abc"}, {"sql", "select 1"}, {"limit", "5"}});
  request.body = R"({"project":"abc"})";
  CHECK(fixture.routes.Handle(request).status == 400);
  request.body = "not JSON";
  CHECK(fixture.routes.Handle(request).status == 400);
  request.headers.back().second = "text/plain";
  CHECK(fixture.routes.Handle(request).status == 415);
}

TEST_CASE("the answer's form") {
  RoutesFixture fixture;
  CHECK(fixture.routes.Handle(Call("int64=string&format=json")).status == 200);
  CHECK(fixture.service.requests().at(0).int64_as_string);
  CHECK(fixture.service.requests().at(0).parameters.empty());
  const HttpResponse csv = fixture.routes.Handle(Call("format=csv&csv_safe=true"));
  CHECK(csv.status == 200);
  CHECK(csv.content_type == "text/csv; charset=utf-8; header=present");
  CHECK(fixture.service.requests().at(1).csv_safe);
  CHECK((fixture.service.requests().at(1).format == RowFormat::kCsv));
  CHECK(fixture.routes.Handle(Call("format=ndjson")).content_type == "application/x-ndjson");
  CHECK(fixture.routes.Handle(Call("format=arrow")).content_type == "application/vnd.apache.arrow.stream");
  CHECK(fixture.routes.Handle(Call("format=parquet")).content_type == "application/vnd.apache.parquet");
  CHECK(fixture.routes.Handle(Call("format=json-rows")).content_type == "application/vnd.logquery.rows+json");
  CHECK((fixture.service.requests().back().format == RowFormat::kJsonRows));
  CHECK(fixture.routes.Handle(Call("format=xml")).status == 406);
  HttpRequest request = Call();
  request.headers.emplace_back("Accept", "image/png");
  CHECK(fixture.routes.Handle(request).status == 406);
}

TEST_CASE("a window cut by retention is reported in RFC 3339 with the requested one, open ends as two dots") {
  RoutesFixture fixture;
  CutWindow window;
  window.start = absl::FromUnixMicros(1'772'600'767'000'001);
  window.asked_start = absl::FromUnixSeconds(1'771'977'600);
  fixture.service.on_run = [&window](const QueryRequest&) {
    QueryAnswer answer = AnswerWith("{}");
    answer.window = window;
    return answer;
  };
  CHECK(Header(fixture.routes.Handle(Call()), "Logquery-Window") ==
        "2026-03-04T05:06:07.000001Z/..; asked=2026-02-25T00:00:00Z/..");
  window.end = window.asked_end = absl::FromUnixSeconds(1'772'668'800);
  CHECK(Header(fixture.routes.Handle(Call()), "Logquery-Window") ==
        "2026-03-04T05:06:07.000001Z/2026-03-05T00:00:00Z; asked=2026-02-25T00:00:00Z/2026-03-05T00:00:00Z");
}

TEST_CASE("a truncated result and ignored parameters are reported in headers, whatever their names") {
  RoutesFixture fixture;
  fixture.service.on_run = [](const QueryRequest&) {
    QueryAnswer answer = AnswerWith("{}");
    answer.truncated = true;
    answer.ignored_parameters = {"page", "a\r\nSet-Cookie: x", "größe", std::string(5'000, 'x'), "more"};
    return answer;
  };
  const HttpResponse response = fixture.routes.Handle(Call());
  CHECK(Header(response, "Logquery-Truncated") == "true");
  const std::string ignored = Header(response, "Logquery-Ignored-Parameters");
  CHECK(ignored.substr(0, 36) == "page,a%0D%0ASet-Cookie%3A%20x,gr%C3%");
  CHECK(ignored.size() < 7'000);
}

TEST_CASE("a token of one project that asks for another one gets a header, and a note in the list of endpoints") {
  RoutesFixture fixture;
  const auto scope_of = [&](const char* token, const char* query) {
    HttpRequest request = Call(query);
    request.headers = {{"X-API-KEY", token}};
    const HttpResponse response = fixture.routes.Handle(request);
    CHECK(response.status == 200);
    return Header(response, "Logquery-Token-Project");
  };
  CHECK(scope_of("scoped", "project=other") == "its%20own");
  CHECK(scope_of("scoped", "project=its+own") == "");
  CHECK(scope_of("scoped", "project=") == "");
  CHECK(scope_of("scoped", "") == "");
  CHECK(scope_of("good", "project=other") == "");

  const auto list_of = [&](const char* token) {
    HttpRequest request = Request("GET", "/api/endpoints");
    request.headers = {{"X-API-KEY", token}};
    return Json::parse(fixture.routes.Handle(request).body);
  };
  const auto project_of = [](const Json& list, const std::string& endpoint) {
    for (const Json& one : list["endpoints"]) {
      for (const Json& parameter : one["parameters"]) {
        if (one["name"] == endpoint && parameter["name"] == "project") return parameter;
      }
    }
    return Json();
  };
  const Json scoped = list_of("scoped"), all = list_of("good");
  CHECK(scoped["project"] == "its own");
  CHECK_FALSE(all.contains("project"));
  CHECK(project_of(scoped, "logs.all")["default"] == "its own");
  CHECK(project_of(scoped, "logs.all")["required"] == false);
  CHECK(project_of(all, "logs.all")["required"] == true);
  // A pattern is not filled in.
  CHECK(project_of(scoped, "usage.api-counts")["required"] == true);
}

TEST_CASE("a full page links to the next one, and nothing in the URL can break out of the link") {
  RoutesFixture fixture;
  fixture.service.on_run = [](const QueryRequest&) {
    QueryAnswer answer = AnswerWith(R"({"result":[]})");
    answer.next_cursor = "next";
    return answer;
  };
  const HttpResponse response = fixture.routes.Handle(Call("project=a>b&&cursor=before&sql=select%201"));
  CHECK(Header(response, "Logquery-Cursor") == "next");
  CHECK(Header(response, "Link") ==
        R"(</api/endpoints/query/logs.all?project=a%3Eb&sql=select%201&cursor=next>; rel="next")");
  // A link that few clients would accept is left out.
  const HttpResponse longer = fixture.routes.Handle(Call("project=" + std::string(5'000, 'a')));
  CHECK(Header(longer, "Logquery-Cursor") == "next");
  CHECK(Header(longer, "Link").empty());
  fixture.service.on_run = [](const QueryRequest&) { return AnswerWith(R"({"result":[]})"); };
  CHECK(Header(fixture.routes.Handle(Call("project=a")), "Link").empty());
}

TEST_CASE("a cached answer has headers with its age and its origin") {
  RoutesFixture fixture;
  QueryAnswer answer = AnswerWith("{}");
  answer.age = absl::Seconds(61.9);
  fixture.service.on_run = [&](const QueryRequest&) { return answer; };
  CHECK(Header(fixture.routes.Handle(Call()), "Logquery-Cache").empty());
  for (const auto& [use, name] :
       {std::pair{CacheUse::kHit, "hit"}, {CacheUse::kMiss, "miss"}, {CacheUse::kShared, "shared"}}) {
    answer.cache = use;
    const HttpResponse response = fixture.routes.Handle(Call());
    CHECK(Header(response, "Logquery-Cache") == name);
    CHECK(Header(response, "Age") == "61");
  }
}

TEST_CASE("harmless request ids are kept, and others are replaced") {
  RoutesFixture fixture;
  std::set<std::string> made;
  for (const std::string& id :
       {std::string("abc_1.2-3"), std::string("bad id"), std::string("a\r\nb"), std::string(129, 'a'), std::string()}) {
    HttpRequest request = Call();
    request.headers.emplace_back("X-Request-Id", id);
    const std::string answered = Header(fixture.routes.Handle(request), "X-Request-Id");
    if (id == "abc_1.2-3") {
      CHECK(answered == id);
    } else {
      CHECK(answered.size() == 32);
      CHECK(made.insert(answered).second);
    }
  }
}

TEST_CASE("dry_run=true answers with a verdict, and nothing runs") {
  RoutesFixture fixture;
  std::string sql;
  fixture.service.on_check = [&](const QueryRequest& request) -> absl::StatusOr<SandboxVerdict> {
    sql = request.parameters.at(0).second;
    if (request.parameters.size() > 1) return absl::PermissionDeniedError("not with this token");
    SandboxVerdict verdict;
    verdict.allowed = true;
    verdict.tables = {"edge_logs"};
    return verdict;
  };
  const HttpResponse response = fixture.routes.Handle(Call("sql=select+1&dry_run=true"));
  CHECK(response.status == 200);
  CHECK(Json::parse(response.body)["tables"] == Json::array({"edge_logs"}));
  CHECK(sql == "select 1");
  CHECK(fixture.routes.Handle(Call("sql=select+1&dry_run=true&project=x")).status == 403);
  CHECK(fixture.service.requests().empty());

  CHECK(fixture.routes.Handle(Call("sql=select+1&dry_run=false")).status == 200);
  CHECK(fixture.service.requests().size() == 1);
  const HttpResponse wrong = fixture.routes.Handle(Call("sql=select+1&dry_run=yes"));
  CHECK(wrong.status == 400);
  CHECK(ErrorMessage(wrong) == "parameter dry_run must be true or false");
}

}  // namespace
}  // namespace logquery::shim::route_tests
