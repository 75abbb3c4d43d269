#include "shim/http/calls/routes.h"

#include <catch2/catch_test_macros.hpp>
#include <nlohmann/json.hpp>
#include <set>
#include <string>

#include "absl/synchronization/notification.h"
#include "lib/base/strings.h"
#include "logquery/testing/fake_clock.h"
#include "shim/cli/folder/owner_actions.h"
#include "tests/shim/server_fixture.h"

namespace logquery::shim {
namespace {

using Json = nlohmann::json;

HttpRequest Request(std::string method, std::string path, std::string query = "") {
  HttpRequest request;
  request.method = std::move(method);
  request.path = std::move(path);
  request.query = std::move(query);
  request.headers = {{"X-API-KEY", "good"}};
  request.remote_address = "192.0.2.1";
  return request;
}

HttpRequest Call(std::string query = "") { return Request("GET", "/api/endpoints/query/logs.all", std::move(query)); }

std::string Header(const HttpResponse& response, std::string_view name) {
  return std::string(response.headers.Find(name).value_or(""));
}

std::string ErrorMessage(const HttpResponse& response) { return Json::parse(response.body)["error"]["message"]; }

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

TEST_CASE("the token comes in one of two headers, never in the URL") {
  RoutesFixture fixture;
  struct Case {
    HttpHeaders headers;
    int status;
  };
  const Case cases[] = {
      {{{"x-api-key", "good"}}, 200},
      {{{"Authorization", "Bearer good"}}, 200},
      {{{"authorization", "bearer  good"}}, 200},
      {{{"X-API-KEY", "good"}, {"Authorization", "Bearer good"}}, 200},
      {{{"X-API-KEY", "good"}, {"Authorization", "Basic Zm9v"}}, 200},
      {{{"X-API-KEY", "good"}, {"Authorization", "Bearer other"}}, 400},
      {{{"X-API-KEY", "good"}, {"X-API-KEY", "other"}}, 400},
      {{{"X-API-KEY", "bad"}}, 401},
      {{{"X-API-KEY", ""}}, 401},
      {{}, 401},
  };
  for (const Case& c : cases) {
    HttpRequest request = Call("api_key=good&token=good");
    request.headers = c.headers;
    CAPTURE(c.headers.size(), c.status);
    CHECK(fixture.routes.Handle(request).status == c.status);
  }
}

TEST_CASE("a request without a token does not reveal which endpoints exist") {
  RoutesFixture fixture;
  for (const char* path : {"/api/endpoints/query/logs.all", "/api/endpoints/query/nothing", "/api/endpoints"}) {
    HttpRequest request = Request("GET", path, "bad=%");
    request.headers.clear();
    const HttpResponse response = fixture.routes.Handle(request);
    CHECK(response.status == 401);
    CHECK_FALSE(Header(response, "WWW-Authenticate").empty());
  }
  CHECK(fixture.service.requests().empty());
  CHECK(fixture.routes.Handle(Request("GET", "/api/endpoints/query/nothing")).status == 404);
}

TEST_CASE("guessing tokens is throttled by address") {
  testing::FakeClock clock(absl::FromUnixSeconds(1'700'000'000));
  RoutesFixture fixture(2, 8, &clock);
  HttpRequest guess = Call();
  guess.headers = {{"X-API-KEY", "bad"}};
  for (int i = 0; i < base::AttemptLimiter::kAtOnce; ++i) CHECK(fixture.routes.Handle(guess).status == 401);

  const HttpResponse refused = fixture.routes.Handle(guess);
  CHECK(refused.status == 429);
  CHECK(Header(refused, "Retry-After") == "6");
  HttpRequest elsewhere = guess;
  elsewhere.remote_address = "192.0.2.2";
  CHECK(fixture.routes.Handle(elsewhere).status == 401);
  clock.Advance(base::AttemptLimiter::kOneEvery);
  CHECK(fixture.routes.Handle(guess).status == 401);
  CHECK(fixture.routes.Handle(guess).status == 429);
}

TEST_CASE("wrong tokens do not lock out a right one, and all get the same answer") {
  testing::FakeClock clock(absl::FromUnixSeconds(1'700'000'000));
  RoutesFixture fixture(2, 8, &clock);
  HttpRequest guess = Call();
  std::string told;
  for (int i = 0; i < 5 * base::AttemptLimiter::kAtOnce; ++i) {
    guess.headers = {{"X-API-KEY", base::StrCat("bad", i)}, {"X-Request-Id", "same"}};
    const HttpResponse response = fixture.routes.Handle(guess);
    CHECK(response.status == (i < base::AttemptLimiter::kAtOnce ? 401 : 429));
    if (i == base::AttemptLimiter::kAtOnce) told = response.body;
    if (i > base::AttemptLimiter::kAtOnce) CHECK(response.body == told);
    CHECK(fixture.routes.Handle(Call()).status == 200);  // from the same address
  }
  // Guessing while one has to wait does not make the time shorter.
  clock.Advance(base::AttemptLimiter::kOneEvery - absl::Seconds(1));
  CHECK(fixture.routes.Handle(guess).status == 429);
}

TEST_CASE("a request without a token does not count as a guess") {
  RoutesFixture fixture;
  HttpRequest request = Call();
  request.headers.clear();
  for (int i = 0; i < 3 * base::AttemptLimiter::kAtOnce; ++i) CHECK(fixture.routes.Handle(request).status == 401);
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

TEST_CASE("redaction is asked for by a header whose value is true") {
  for (const auto& [value, redact] :
       {std::pair{"true", true}, {"TRUE", true}, {"1", false}, {"false", false}, {"", false}}) {
    RoutesFixture fixture;
    HttpRequest request = Call();
    request.headers.emplace_back("lf-endpoint-redact-pii", value);
    CHECK(fixture.routes.Handle(request).status == 200);
    CHECK(fixture.service.requests().at(0).redact_pii == redact);
  }
}

TEST_CASE("one true among several redaction headers turns redaction on, in any order") {
  for (const std::vector<std::string>& values : std::vector<std::vector<std::string>>{
           {"true", "false"}, {"false", "true"}, {"", "TRUE"}, {"true, false"}, {"false,True"}, {"0", "x, true"}}) {
    RoutesFixture fixture;
    HttpRequest request = Call();
    for (const std::string& value : values) request.headers.emplace_back("LF-ENDPOINT-REDACT-PII", value);
    CHECK(fixture.routes.Handle(request).status == 200);
    CHECK(fixture.service.requests().at(0).redact_pii);
  }
}

TEST_CASE("addresses in an error's text are redacted with the call") {
  RoutesFixture fixture;
  fixture.service.on_run = [](const QueryRequest&) { return absl::InvalidArgumentError("can't cast 10.1.2.3"); };
  HttpRequest request = Call();
  CHECK(ErrorMessage(fixture.routes.Handle(request)) == "can't cast 10.1.2.3");
  request.headers.emplace_back("LF-ENDPOINT-REDACT-PII", "true");
  CHECK(ErrorMessage(fixture.routes.Handle(request)) == "can't cast REDACTED");
  for (const std::string& line : fixture.log_lines.lines()) CHECK(line.find("10.1.2.3") == std::string::npos);
}

TEST_CASE("an error before the service is called is redacted if the call or the token requires it") {
  for (const char* query : {"192.0.2.7=a&192.0.2.7=b", "ip=%zz192.0.2.7", "192.0.2.7=%zz", "192%2E0%2E2%2E7=%zz"}) {
    CAPTURE(query);
    RoutesFixture fixture;
    HttpRequest request = Call(query);
    CHECK(fixture.routes.Handle(request).status == 400);
    request.headers.emplace_back("LF-ENDPOINT-REDACT-PII", "true");
    CHECK(fixture.routes.Handle(request).body.find("192.0.2.7") == std::string::npos);
    request.headers = {{"X-API-KEY", "redacted"}};
    const HttpResponse response = fixture.routes.Handle(request);
    CHECK(response.status == 400);
    CHECK(response.body.find("192.0.2.7") == std::string::npos);
    for (const std::string& line : fixture.log_lines.lines()) CHECK(line.find("192.0.2.7") == std::string::npos);
  }
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
  // One that few clients would take is left out.
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

TEST_CASE("an error of the service has its status, and an internal one no internals") {
  RoutesFixture fixture;
  fixture.service.on_run = [](const QueryRequest&) { return absl::InternalError("secret 0x7f"); };
  HttpRequest request = Call();
  request.headers.emplace_back("X-Request-Id", "my-id.1");

  const HttpResponse response = fixture.routes.Handle(request);

  CHECK(response.status == 500);
  CHECK(response.body.find("secret") == std::string::npos);
  CHECK(ErrorMessage(response).find("my-id.1") != std::string::npos);
  CHECK(fixture.log_lines.Await("secret").find("my-id.1") != std::string::npos);
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

TEST_CASE("health and readiness need no token and reveal no details") {
  RoutesFixture fixture;
  HttpRequest request = Request("GET", "/ready");
  request.headers.clear();
  CHECK(fixture.routes.Handle(request).status == 200);
  fixture.routes.Drain();
  CHECK(fixture.routes.Handle(request).status == 503);
  request.path = "/health";
  CHECK(fixture.routes.Handle(request).status == 200);
}

TEST_CASE("readiness reports whether logs are accepted, without a reason") {
  RoutesFixture fixture;
  absl::Status loading;
  HttpServerOptions options;
  options.service = &fixture.service;
  options.queue = fixture.queue.get();
  options.observer = &fixture.log;
  options.loading = [&] { return loading; };
  Routes routes(options);
  const HttpRequest request = Request("GET", "/ready");
  CHECK(routes.Handle(request).body == R"({"status":"ready"})");
  loading = absl::ResourceExhaustedError("the disk is full");
  const HttpResponse stopped = routes.Handle(request);
  CHECK(stopped.status == 200);
  CHECK(stopped.body == R"({"status":"ready","loading":"stopped"})");
}

TEST_CASE("readiness reports whether the definitions are current, and tells the reason to the operator only") {
  RoutesFixture fixture;
  absl::Status definitions;
  HttpServerOptions options;
  options.service = &fixture.service;
  options.queue = fixture.queue.get();
  options.observer = &fixture.log;
  options.definitions = [&] { return definitions; };
  Routes world(options);
  Routes admin(options, {}, /*admin=*/true);
  const HttpRequest request = Request("GET", "/ready");
  CHECK(world.Handle(request).body == R"({"status":"ready"})");
  CHECK_FALSE(Json::parse(admin.Handle(request).body).contains("definitions"));
  definitions = absl::InvalidArgumentError("endpoint own: wrong");
  CHECK(world.Handle(request).status == 200);
  CHECK(world.Handle(request).body == R"({"status":"ready","definitions":"outdated"})");
  CHECK(Json::parse(admin.Handle(request).body)["definitions"] ==
        Json({{"state", "outdated"}, {"reason", "endpoint own: wrong"}}));
}

TEST_CASE("readiness follows a remote engine") {
  RoutesFixture fixture;
  absl::Status engine;
  HttpServerOptions options;
  options.service = &fixture.service;
  options.queue = fixture.queue.get();
  options.observer = &fixture.log;
  options.engine = [&] { return engine; };
  Routes world(options);
  Routes admin(options, {}, /*admin=*/true);
  const HttpRequest request = Request("GET", "/ready");
  CHECK(world.Handle(request).body == R"({"status":"ready"})");
  CHECK(Json::parse(admin.Handle(request).body)["engine"] == Json({{"state", "ready"}}));
  engine = absl::UnavailableError("PostgreSQL cannot be reached");
  CHECK(world.Handle(request).status == 503);
  CHECK(world.Handle(request).body == R"({"status":"unavailable","reason":"PostgreSQL cannot be reached"})");
  CHECK(world.Handle(Request("GET", "/health")).status == 200);
  const HttpResponse detail = admin.Handle(request);
  CHECK(detail.status == 503);
  CHECK(Json::parse(detail.body)["status"] == "unavailable");
  CHECK(Json::parse(detail.body)["engine"] ==
        Json({{"state", "unavailable"}, {"reason", "PostgreSQL cannot be reached"}}));
  engine = absl::OkStatus();
  CHECK(world.Handle(request).status == 200);
}

TEST_CASE("readiness reports whether the tokens are those of their file, and tells the reason to the operator only") {
  RoutesFixture fixture(2, 8);
  absl::Status tokens;
  HttpServerOptions options;
  options.service = &fixture.service;
  options.queue = fixture.queue.get();
  options.observer = &fixture.log;
  options.tokens = [&] { return tokens; };
  Routes world(options);
  Routes admin(options, {}, /*admin=*/true);
  const HttpRequest request = Request("GET", "/ready");
  CHECK(world.Handle(request).body == R"({"status":"ready"})");
  tokens = absl::FailedPreconditionError("tokens.json is open to others");
  CHECK(world.Handle(request).body == R"({"status":"ready","tokens":"outdated"})");
  CHECK(Json::parse(admin.Handle(request).body)["tokens"] ==
        Json({{"state", "outdated"}, {"reason", "tokens.json is open to others"}}));
}

TEST_CASE("the admin listener reports readiness in detail, and nothing else") {
  RoutesFixture fixture(2, 8);
  HttpServerOptions options;
  options.service = &fixture.service;
  options.queue = fixture.queue.get();
  options.observer = &fixture.log;
  absl::Status loading = absl::OkStatus();
  options.loading = [&] { return loading; };
  Routes routes(options, {}, /*admin=*/true);
  HttpRequest request = Request("GET", "/ready");
  request.headers.clear();
  const HttpResponse ready = routes.Handle(request);
  CHECK(ready.status == 200);
  CHECK(Json::parse(ready.body) == Json::parse(R"({"status":"ready","stopping":false,
      "queries":{"running":0,"threads":2,"waiting":0,"max_waiting":8},"loading":{"state":"running"},"endpoints":4})"));
  loading = absl::UnavailableError("the disk is full \xff");
  CHECK(Json::parse(routes.Handle(request).body)["loading"] ==
        Json({{"state", "stopped"}, {"reason", "the disk is full \uFFFD"}}));
  routes.Drain();
  CHECK(routes.Handle(request).status == 503);
  CHECK(Json::parse(routes.Handle(request).body)["stopping"] == true);

  CHECK(routes.Handle(Request("GET", "/health")).body == R"({"status":"ok"})");
  CHECK(routes.Handle(Request("POST", "/ready")).status == 405);
  for (const char* path : {"/", "/api/endpoints", "/api/endpoints/query/logs.all", "/stats", "/console.js"}) {
    CAPTURE(path);
    CHECK(routes.Handle(Request("GET", path)).status == 404);
  }
  CHECK(fixture.service.requests().empty());
}

TEST_CASE("statistics are available only to the folder's owner") {
  RoutesFixture fixture;
  CHECK(fixture.routes.Handle(Request("GET", "/stats")).status == 404);
  absl::StatusOr<std::string> stats = R"({"tables":[]})";
  HttpServerOptions options;
  options.service = &fixture.service;
  options.queue = fixture.queue.get();
  options.observer = &fixture.log;
  FolderActions actions;
  actions.stats = [&] { return stats; };
  options.actions = OwnerActions(actions);
  Routes routes(options);
  CHECK(routes.Handle(Request("GET", "/stats")).body == R"({"tables":[]})");
  CHECK(routes.Handle(Request("POST", "/stats")).status == 405);
  stats = absl::UnavailableError("the log database is being opened again after an error");
  CHECK(routes.Handle(Request("GET", "/stats")).status == 503);
}

TEST_CASE("only the folder's owner can erase a project") {
  RoutesFixture fixture;
  HttpRequest request = Request("POST", "/erase");
  request.headers.emplace_back("Content-Type", "application/json");
  request.body = R"({"project":"abc","dry_run":true})";
  CHECK(fixture.routes.Handle(request).status == 404);
  HttpServerOptions options;
  options.service = &fixture.service;
  options.queue = fixture.queue.get();
  options.observer = &fixture.log;
  ProjectToErase asked;
  FolderActions actions;
  actions.erase = [&](const ProjectToErase& erased) {
    asked = erased;
    return absl::StatusOr<std::string>(R"({"rows":1})");
  };
  options.actions = OwnerActions(actions);
  Routes routes(options);
  CHECK(routes.Handle(request).body == R"({"rows":1})");
  CHECK(asked.project == "abc");
  CHECK(asked.dry_run);
  CHECK_FALSE(asked.cancellation.IsCancelled());
  routes.CancelAll();
  CHECK(asked.cancellation.IsCancelled());
  asked.project.clear();
  for (const char* body : {"{}", "[]", R"({"project":"abc"})", R"({"project":1,"dry_run":false})", "{"}) {
    CAPTURE(body);
    request.body = body;
    CHECK(routes.Handle(request).status == 400);
  }
  CHECK(asked.project.empty());
  CHECK(routes.Handle(Request("GET", "/erase")).status == 405);
}

TEST_CASE("only the folder's owner can make a backup") {
  RoutesFixture fixture;
  HttpRequest request = Request("POST", "/backup");
  request.headers.emplace_back("Content-Type", "application/json");
  request.body = R"({"target":"/backups/monday"})";
  CHECK(fixture.routes.Handle(request).status == 404);
  HttpServerOptions options;
  options.service = &fixture.service;
  options.queue = fixture.queue.get();
  options.observer = &fixture.log;
  std::string asked;
  absl::StatusOr<std::string> outcome = R"({"rows":1})";
  bool gave_up = false;
  FolderActions actions;
  actions.backup = [&](const std::string& target, const GiveUp& give_up) {
    asked = target;
    gave_up = give_up();
    return outcome;
  };
  options.actions = OwnerActions(actions);
  Routes routes(options);
  CHECK(routes.Handle(request).body == R"({"rows":1})");
  CHECK(asked == "/backups/monday");
  CHECK_FALSE(gave_up);
  request.client_left = [] { return true; };
  routes.Handle(request);
  CHECK(gave_up);
  // The owner is told what it is, also where others would not be.
  outcome = absl::FailedPreconditionError("/backups/monday holds a backup already");
  const HttpResponse refused = routes.Handle(request);
  CHECK(refused.status == 500);
  CHECK(refused.body ==
        R"({"error":{"status":"FAILED_PRECONDITION","message":"/backups/monday holds a backup already"}})");
  asked.clear();
  for (const char* body : {"", "{", "[]", "{}", R"({"target":1})", R"({"target":""})", R"({"target":"monday"})"}) {
    CAPTURE(body);
    request.body = body;
    CHECK(routes.Handle(request).status == 400);
  }
  CHECK(asked.empty());
  CHECK(routes.Handle(Request("GET", "/backup")).status == 405);
  request.client_left = [] { return false; };
  request.body = R"({"target":"/x"})";
  routes.CancelAll();
  routes.Handle(request);
  CHECK(gave_up);
}

TEST_CASE("only the folder's owner can check the folder") {
  RoutesFixture fixture;
  HttpRequest request = Request("POST", "/check");
  request.headers.emplace_back("Content-Type", "application/json");
  request.body = R"({"read_rows":true})";
  CHECK(fixture.routes.Handle(request).status == 404);
  HttpServerOptions options;
  options.service = &fixture.service;
  options.queue = fixture.queue.get();
  options.observer = &fixture.log;
  FolderActions actions;
  actions.check = [](bool read_rows) { return std::string(read_rows ? "all" : "counts"); };
  options.actions = OwnerActions(actions);
  Routes routes(options);
  CHECK(routes.Handle(request).body == "all");
  request.body = R"({"read_rows":false})";
  CHECK(routes.Handle(request).body == "counts");
  for (const char* body : {"", "[]", "{}", R"({"read_rows":1})"}) {
    CAPTURE(body);
    request.body = body;
    CHECK(routes.Handle(request).status == 400);
  }
  CHECK(routes.Handle(Request("GET", "/check")).status == 405);
}

TEST_CASE("the console is served under a policy that lets nothing else in") {
  RoutesFixture fixture;
  HttpRequest request = Request("GET", "/");
  request.headers.clear();
  const HttpResponse page = fixture.routes.Handle(request);
  CHECK(page.status == 200);
  CHECK(page.content_type == "text/html; charset=utf-8");
  CHECK(page.body.find("<title>logquery</title>") != std::string::npos);
  const std::string policy = Header(page, "Content-Security-Policy");
  CHECK(policy.find("default-src 'none'") == 0);
  CHECK(policy.find("unsafe") == std::string::npos);
  for (const char* banned : {"<style", "style=", "onclick", "<script>", "http://", "https://"}) {
    CAPTURE(banned);
    CHECK(page.body.find(banned) == std::string::npos);
  }
  CHECK(fixture.routes.Handle(Request("GET", "/console.js")).content_type == "text/javascript; charset=utf-8");
  CHECK(fixture.routes.Handle(Request("GET", "/console.css")).status == 200);
}

TEST_CASE("a token is in no answer and no line of the log") {
  RoutesFixture fixture;
  HttpRequest request = Call("project=good");
  request.headers = {{"X-API-KEY", "lq_secretsecret"}};
  const HttpResponse response = fixture.routes.Handle(request);
  CHECK(response.body.find("lq_secret") == std::string::npos);
  REQUIRE(fixture.log_lines.lines().size() == 1);
  CHECK(fixture.log_lines.lines()[0].find("lq_secret") == std::string::npos);
  CHECK(fixture.log_lines.lines()[0].find("project") == std::string::npos);
}

TEST_CASE("queries beyond threads and queue are 503 at once") {
  RoutesFixture fixture(1, 1);
  absl::Notification begun;
  absl::Notification go;
  fixture.service.on_run = [&](const QueryRequest&) {
    if (!begun.HasBeenNotified()) begun.Notify();
    go.WaitForNotification();
    return AnswerWith("{}");
  };
  int first = 0;
  int second = 0;
  std::thread running([&] { first = fixture.routes.Handle(Call()).status; });
  begun.WaitForNotification();
  std::thread waiting([&] { second = fixture.routes.Handle(Call()).status; });
  while (!fixture.queue->IsFull()) std::this_thread::yield();

  const HttpResponse refused = fixture.routes.Handle(Call());
  CHECK(refused.status == 503);
  CHECK(Header(refused, "Retry-After") == "1");
  go.Notify();
  running.join();
  waiting.join();
  CHECK(first == 200);
  CHECK(second == 200);
}

TEST_CASE("a query that waits too long for a thread is rejected, and never runs") {
  RoutesFixture fixture(1, 1, Clock::Real(), absl::Milliseconds(1));
  absl::Notification begun;
  absl::Notification go;
  std::atomic<int> runs{0};
  fixture.service.on_run = [&](const QueryRequest&) {
    ++runs;
    begun.Notify();
    go.WaitForNotification();
    return AnswerWith("{}");
  };
  int first = 503;
  std::thread running([&] {
    // On a busy machine its thread may come too late for the first one, too.
    while (first == 503) first = fixture.routes.Handle(Call()).status;
  });
  begun.WaitForNotification();
  CHECK(fixture.routes.Handle(Call()).status == 503);
  go.Notify();
  running.join();
  CHECK(first == 200);
  fixture.queue->Stop();
  CHECK(runs == 1);
}

TEST_CASE("the query of a client that disconnects is cancelled") {
  RoutesFixture fixture;
  fixture.HoldQuery();
  HttpRequest request = Call();
  request.client_left = [] { return true; };
  CHECK(fixture.routes.Handle(request).status == 499);
  fixture.cancelled.WaitForNotification();
}

TEST_CASE("stopping cancels running queries and starts no new ones") {
  RoutesFixture fixture;
  fixture.HoldQuery();
  int status = 0;
  std::thread running([&] { status = fixture.routes.Handle(Call()).status; });
  fixture.begun.WaitForNotification();
  fixture.routes.CancelAll();
  running.join();
  CHECK(status == 503);
  CHECK(fixture.routes.Handle(Call()).status == 503);
}

TEST_CASE("the observer is notified of calls that get no thread, because the service never sees them") {
  class Codes : public ServiceObserver {
   public:
    void OnCall(const CallEvent& event) noexcept override {
      absl::MutexLock lock(&mutex);
      calls.push_back(base::StrCat(event.origin.endpoint, " ", event.origin.client, " ",
                                   absl::StatusCodeToString(event.code), event.admitted ? " admitted" : ""));
    }
    absl::Mutex mutex;
    std::vector<std::string> calls ABSL_GUARDED_BY(mutex);
  } codes;
  RoutesFixture fixture(1, 0, Clock::Real(), absl::Seconds(10), &codes);
  Routes& routes = fixture.routes;
  fixture.HoldQuery();
  std::thread running([&] { routes.Handle(Call()); });
  fixture.begun.WaitForNotification();
  CHECK(routes.Handle(Call()).status == 503);  // too many wait
  routes.CancelAll();
  running.join();
  CHECK(routes.Handle(Call()).status == 503);  // the server stops
  fixture.queue->Stop();
  absl::MutexLock lock(&codes.mutex);
  CHECK(codes.calls == std::vector<std::string>(2, "logs.all tester UNAVAILABLE"));
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
}  // namespace logquery::shim
