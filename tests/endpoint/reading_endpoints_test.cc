// Endpoints that read other endpoints' rows, over a real engine with rows of two projects.
#include <catch2/catch_test_macros.hpp>

#include "lib/endpoint/definitions/definition_compiler.h"
#include "logquery/error.h"
#include "tests/endpoint/served_rows.h"

namespace logquery {
namespace {

// The requests of a project, which has to be named.
Endpoint Requests() {
  Endpoint endpoint = MakeEndpoint("web.requests",
                                   "with own as (select id, event_message, project, metadata from "
                                   "`cloudflare.logs.prod` where project = @project) select own.id, own.event_message, "
                                   "own.project, r.method, own.metadata from own cross join unnest(own.metadata) as m "
                                   "cross join unnest(m.request) as r",
                                   1);
  Parameter project;
  project.name = "project";
  project.required = true;
  endpoint.parameters.push_back(project);
  return endpoint;
}

Endpoint Counts() {
  return MakeEndpoint("web.counts", "select method, count(*) as n from `web.requests` group by 1", 2);
}

absl::Status CreateError(std::vector<Endpoint> endpoints) {
  return EndpointRegistry::Create(std::move(endpoints), Catalog::DeclaredLogs()).status();
}

TEST_CASE("an endpoint's name is a table in another one's SQL, and its parameters are passed on") {
  ServedRows rows({Requests(), Counts()});
  CHECK(rows.Body("web.counts", {{"project", "abc"}}) == R"({"result":[{"method":"GET","n":2}]})");
  CHECK(rows.Body("web.counts", {{"project", "xyz"}}) == R"({"result":[{"method":"GET","n":3}]})");
  CHECK(rows.Body("web.counts").find("parameter project") != std::string::npos);
  const RegisteredEndpoint* counts = rows.service->registry()->Find("web.counts");
  REQUIRE(counts->definition().FindParameter("project") != nullptr);
  CHECK(counts->definition().FindParameter("project")->required);
}

TEST_CASE("names of the reading endpoint are not visible in the endpoint that it reads") {
  // The reader has an entry and an alias of the names that the other one's query uses.
  Endpoint reader = MakeEndpoint("reader",
                                 "with own as (select 'x' as id, 'y' as project) select own.id, r.id as other from own "
                                 "cross join `web.requests` as r order by 2 limit 1",
                                 3);
  ServedRows rows({Requests(), reader});
  CHECK(rows.Body("reader", {{"project", "xyz"}}) == R"({"result":[{"id":"x","other":"id2"}]})");
}

TEST_CASE("an endpoint read by another is restricted to the caller's scope, whatever the SQL says") {
  Endpoint all = MakeEndpoint("all", "select id, project from `cloudflare.logs.prod`", 4);
  Endpoint reader = MakeEndpoint("reader",
                                 "with a as (select * from `all`) select project, count(*) as n from a "
                                 "group by 1 order by 1",
                                 5);
  reader.query_sandboxing = true;
  ServedRows rows({all, reader});
  CHECK(rows.Body("reader") == R"({"result":[{"project":"abc","n":2},{"project":"xyz","n":3}]})");
  rows.authenticator.principal.project_scope = "abc";
  CHECK(rows.Body("reader") == R"({"result":[{"project":"abc","n":2}]})");
  CHECK(rows.Body("reader", {{"sql", "select count(*) as n from a where project <> 'abc'"}}) ==
        R"({"result":[{"n":0}]})");
  // No right to the inner one is needed, and it is nothing that a caller's SQL could name.
  rows.authenticator.principal.endpoints = std::vector<std::string>{"reader"};
  CHECK(rows.Body("reader", {{"sql", "select count(*) as n from a"}}) == R"({"result":[{"n":2}]})");
  CHECK(rows.Body("reader", {{"sql", "select count(*) as n from `all`"}}).find("can't be read here") !=
        std::string::npos);
  CHECK(rows.Body("all").find("NOT_FOUND") != std::string::npos);
}

TEST_CASE("redaction that an endpoint mandates holds before its reader's SQL, and for the reader's answers") {
  Endpoint inner = Requests();
  inner.redact_pii = true;
  Endpoint outer = MakeEndpoint("outer",
                                "select reverse(event_message) as r, length(event_message) as n, m.url from "
                                "`web.requests` as w cross join unnest(w.metadata) as d cross join unnest(d.request) "
                                "as m limit 1",
                                6);
  Endpoint further = MakeEndpoint("further", "select r, n, url, '5.6.7.8' as own from `outer`", 7);
  ServedRows rows({inner, outer, further});
  CHECK(rows.Body("outer", {{"project", "abc"}}) ==
        R"({"result":[{"r":"DETCADER morf","n":13,"url":"https://REDACTED/a"}]})");
  CHECK(rows.Body("further", {{"project", "abc"}}) ==
        R"({"result":[{"r":"DETCADER morf","n":13,"url":"https://REDACTED/a","own":"REDACTED"}]})");
}

TEST_CASE("a column that an endpoint sorts by but does not select is not visible above its redaction") {
  Endpoint inner = MakeEndpoint("inner",
                                "select id, id as again, length(event_message) as n from `cloudflare.logs.prod` order "
                                "by event_message, timestamp",
                                6);
  inner.redact_pii = true;
  const Endpoint outer = MakeEndpoint("outer", "select * from `inner` where id = 'id1'", 7);
  ServedRows rows({inner, outer});
  CHECK(rows.Body("outer").find(R"({"result":[{"id":"id1","again":"id1","n":)") == 0);
}

TEST_CASE("a parameter is passed on as the endpoint between declares it, whatever the names sort like") {
  Parameter floor;
  floor.name = "floor";
  floor.default_text = "id1";
  Endpoint base = MakeEndpoint("base", "select id from `cloudflare.logs.prod` where id >= @floor", 6);
  base.parameters = {floor};
  Endpoint between = MakeEndpoint("more", "select id from `base`", 7);
  floor.default_text = "id3";
  between.parameters = {floor};
  const Endpoint top = MakeEndpoint("top", "select min(id) as least from `more`", 8);
  ServedRows rows({base, between, top});
  CHECK(rows.Body("top") == R"({"result":[{"least":"id3"}]})");
  const RegisteredEndpoint* made = rows.service->registry()->Find("top");
  REQUIRE(made->definition().FindParameter("floor") != nullptr);
  CHECK(made->definition().FindParameter("floor")->default_text == "id3");
}

TEST_CASE("the revision changes when an endpoint that is read changes") {
  ServedRows rows({Requests(), Counts()});
  const std::string before = rows.service->registry()->Find("web.counts")->definition().revision;
  rows.source.endpoints[0].revision = "another";
  const auto changed = rows.service->registry()->With(rows.source.endpoints);
  REQUIRE(changed.ok());
  CHECK((*changed)->Find("web.counts")->definition().revision != before);
}

TEST_CASE("the length of a chain does not depend on which end is compiled first") {
  std::vector<Endpoint> chain = {MakeEndpoint("e00", "select 1 as one", 1)};
  for (int i = 1; i < 17; ++i) {
    const auto name = [](int n) { return (n < 10 ? "e0" : "e") + std::to_string(n); };
    chain.push_back(MakeEndpoint(name(i), "select * from " + name(i - 1), i + 1));
  }
  const std::vector<Endpoint> allowed(chain.begin(), chain.end() - 1);
  CHECK(CreateError(allowed).ok());
  CHECK(CreateError({allowed.rbegin(), allowed.rend()}).ok());
  CHECK(CreateError(chain).message().find("more than 16 endpoints read one another in a row") != std::string::npos);
  CHECK(
      CreateError({chain.rbegin(), chain.rend()}).message().find("more than 16 endpoints read one another in a row") !=
      std::string::npos);
}

// Each text is as deep as a text may be: the stack holds one at a time.
TEST_CASE("a chain of endpoints that read the next one deep in their texts is compiled") {
  std::vector<Endpoint> chain = {MakeEndpoint("d00", "select 1 as one", 1)};
  for (int i = 1; i < 16; ++i) {
    const auto name = [](int n) { return (n < 10 ? "d0" : "d") + std::to_string(n); };
    std::string sql = "select one from " + name(i - 1);
    for (int depth = 0; depth < 60; ++depth) sql = "select one from (" + sql + ")";
    chain.push_back(MakeEndpoint(name(i), sql, i + 1));
  }
  const absl::Status status = CreateError({chain.rbegin(), chain.rend()});
  INFO(status);
  CHECK((status.ok() || absl::IsInvalidArgument(status)));
}

TEST_CASE("max rows and the cache are those of the reader, not of the endpoint that it reads") {
  Endpoint inner = Requests();
  inner.max_rows = 1;
  inner.caching = absl::Seconds(900);
  ServedRows rows({inner, Counts()});
  CHECK(rows.Body("web.requests", {{"project", "xyz"}}).find("id3") == std::string::npos);
  CHECK(rows.Body("web.counts", {{"project", "xyz"}}) == R"({"result":[{"method":"GET","n":3}]})");
  QueryRequest request;
  request.endpoint = "web.counts";
  request.parameters = {{"project", "xyz"}};
  // Kept since the first call, as no row came in between; a cached answer would be kHit.
  CHECK(rows.service->Run(request)->cache == CacheUse::kCurrent);
}

TEST_CASE("a reader is planned again, and its cached answers expire, when an endpoint that it reads changes") {
  Endpoint counts = Counts();
  counts.caching = absl::Seconds(900);
  Endpoint other = MakeEndpoint("other", "select 1 as one", 8);
  ServedRows rows({Requests(), counts, other});
  CHECK(rows.Body("web.counts", {{"project", "xyz"}}) == R"({"result":[{"method":"GET","n":3}]})");
  const uint64_t before = rows.service->registry()->Find("web.counts")->revision();
  const uint64_t others = rows.service->registry()->Find("other")->revision();
  rows.source.endpoints[0].query += " where own.id > 'id2'";
  const auto changed = rows.service->registry()->With(rows.source.endpoints);
  REQUIRE(changed.ok());
  CHECK((*changed)->Find("web.counts")->revision() != before);
  CHECK((*changed)->Find("other")->revision() == others);
  rows.source.revision = 1;
  REQUIRE(rows.service->Reload().ok());
  CHECK(rows.Body("web.counts", {{"project", "xyz"}}) == R"({"result":[{"method":"GET","n":2}]})");
  // Without what it reads it can't be served.
  rows.source.endpoints.erase(rows.source.endpoints.begin());
  rows.source.revision = 2;
  CHECK(rows.service->Reload().message().find("unknown table web.requests") != std::string::npos);
}

TEST_CASE("endpoints that read each other in a cycle are rejected, with the whole cycle") {
  const Endpoint a = MakeEndpoint("a", "select x from `b`", 1), b = MakeEndpoint("b", "select x\nfrom `c`", 2),
                 c = MakeEndpoint("c", "select x from `a`", 3);
  const absl::Status error = CreateError({a, b, c});
  CHECK(absl::IsInvalidArgument(error));
  CHECK(std::string(error.message()).find("the endpoint reads its own rows: a → b → c → a") != std::string::npos);
  CHECK(GetErrorDetails(error).source == "c");
  CHECK(GetErrorDetails(error).line == 1);
  const absl::Status itself = CreateError({MakeEndpoint("a", "select 1 as x\nfrom `a`", 1)});
  CHECK(std::string(itself.message()).find("a → a at line 2, column 6") != std::string::npos);
}

TEST_CASE("a chain of sixteen endpoints is read, one of seventeen is rejected, and so are too many reads") {
  std::vector<Endpoint> chain = {MakeEndpoint("e0", "select 1 as x", 100)};
  for (int i = 1; i < 16; ++i) {
    chain.push_back(MakeEndpoint(base::StrCat("e", i), base::StrCat("select x from `e", i - 1, "`"), 100 + i));
  }
  std::reverse(chain.begin(), chain.end());
  CHECK(CreateError(chain).ok());
  chain.insert(chain.begin(), MakeEndpoint("e16", "select x from `e15`", 116));
  CHECK(std::string(CreateError(chain).message()).find("more than 16 endpoints read one another in a row: e16 → ") !=
        std::string::npos);
  // Each reads the one before twice: 2 + 4 + … of one.
  std::vector<Endpoint> doubling = {MakeEndpoint("e0", "select 1 as x", 100)};
  for (int i = 1; i < 9; ++i) {
    const std::string before = base::StrCat("`e", i - 1, "`");
    doubling.push_back(MakeEndpoint(
        base::StrCat("e", i), base::StrCat("select a.x from ", before, " as a cross join ", before, " as b"), 100 + i));
  }
  CHECK(std::string(CreateError(doubling).message()).find("reads more than 100 other queries by their names") !=
        std::string::npos);
}

TEST_CASE("a parameter that both declare has to be one that the endpoint that is read can work with") {
  const auto error_of = [](Parameter own) {
    Endpoint reader = Counts();
    reader.query = "select @project as p, method from `web.requests`";
    reader.parameters = {std::move(own)};
    return std::string(CreateError({Requests(), reader}).message());
  };
  Parameter project;
  project.name = "project";
  project.required = true;
  CHECK(error_of(project).empty());
  project.required = false;
  CHECK(error_of(project) ==
        "endpoint web.counts: parameters: project is passed on to the endpoint web.requests, in which it is required; "
        "declare it as there, or leave it out");
  project.default_text = "abc";
  CHECK(error_of(project).empty());
  project.type = Type::Int64();
  CHECK(error_of(project).find("in which it is STRING, not INT64") != std::string::npos);
}

TEST_CASE("the reader rejects numbers that the endpoint that it reads would reject") {
  const auto error_of = [](std::optional<std::string> least, std::optional<std::string> most) {
    Endpoint read = Requests();
    Parameter number;
    number.name = "level";
    number.type = Type::Int64();
    number.minimum = "1";
    number.maximum = "9";
    read.parameters.push_back(number);
    Endpoint reader = Counts();
    reader.query = "select @level as l, method from `web.requests`";
    number.minimum = std::move(least);
    number.maximum = std::move(most);
    reader.parameters = {read.parameters.front(), number};
    return std::string(CreateError({read, reader}).message());
  };
  CHECK(error_of("1", "9").empty());
  CHECK(error_of("2", "2").empty());
  for (const std::optional<std::string>& least : {std::optional<std::string>("0"), std::optional<std::string>()}) {
    CHECK(error_of(least, "9")
              .find("level is passed on to the endpoint web.requests, in which it takes only numbers "
                    "from 1 to 9") != std::string::npos);
  }
  CHECK(error_of("1", std::nullopt).find("takes only numbers from 1 to 9") != std::string::npos);
}

TEST_CASE("an error of an endpoint that is read names that one, with its line") {
  Endpoint wrong = Requests();
  wrong.query = "select id,\n  nothing from `cloudflare.logs.prod`";
  const absl::Status error = CreateError({Counts(), wrong});
  CHECK(GetErrorDetails(error).source == "web.requests");
  CHECK(GetErrorDetails(error).line == 2);
  CHECK(std::string(error.message()).find("endpoint web.requests: ") == 0);
}

}  // namespace
}  // namespace logquery
