#include "logquery/sandbox_verdict.h"

#include <algorithm>
#include <catch2/catch_test_macros.hpp>

#include "lib/base/strings.h"
#include "logquery/error.h"
#include "logquery/query_service.h"
#include "logquery/testing/fake_backend.h"
#include "logquery/testing/fake_clock.h"

namespace logquery {
namespace {

using Names = std::vector<std::string>;

std::shared_ptr<const EndpointRegistry> Registry() {
  return EndpointRegistry::Create(Endpoint::BuiltIn(), Catalog::DeclaredLogs()).value();
}

SandboxVerdict Check(std::string_view sql, std::string_view endpoint = "logs.all") {
  const auto registry = Registry();
  return CheckSandbox(*registry, *registry->Find(endpoint), sql).value();
}

TEST_CASE("a verdict reports that SQL is allowed, and lists what it reads") {
  const SandboxVerdict verdict = Check(
      "select count(*) as n, upper(r.method) as method from edge_logs\n"
      "cross join unnest(metadata) as m cross join unnest(m.request) as r\n"
      "where timestamp > @iso_timestamp_start and id in (select id from auth_logs) group by 2");
  CHECK(verdict.allowed);
  CHECK(verdict.reason.ok());
  CHECK(verdict.tables == Names{"edge_logs", "auth_logs"});
  CHECK(verdict.columns ==
        Names{"auth_logs.id", "edge_logs.id", "edge_logs.metadata.request.method", "edge_logs.timestamp"});
  CHECK(verdict.functions == Names{"COUNT", "UPPER"});
  CHECK(verdict.parameters == Names{"iso_timestamp_start"});
  REQUIRE(verdict.result.size() == 2);
  CHECK(verdict.result[1].name == "method");
  CHECK(verdict.result[1].type == Type::String());
}

TEST_CASE("a verdict reports why SQL is rejected, and the position") {
  const SandboxVerdict verdict = Check("select id,\n  idd from edge_logs");
  CHECK_FALSE(verdict.allowed);
  CHECK(absl::IsInvalidArgument(verdict.reason));
  const ErrorDetails details = GetErrorDetails(verdict.reason);
  CHECK(details.line == 2);
  CHECK(details.column == 3);
  CHECK(details.snippet == "  idd from edge_logs\n  ^");
  CHECK(details.nearest == Names{"id"});
  CHECK(verdict.tables.empty());
  CHECK(verdict.result.empty());
}

TEST_CASE("callers' SQL may read the entries that are not private") {
  const auto registry = Registry();
  const Names logs = TablesForCallers(*registry->Find("logs.all"));
  CHECK(logs.size() == 9);
  CHECK(logs.front() == "edge_logs");
  for (const std::string& log : logs) CHECK(Check(base::StrCat("select 1 as one from ", log)).allowed);
  for (const RegisteredEndpoint* endpoint : registry->All()) {
    const Names tables = TablesForCallers(*endpoint);
    for (const std::string& hidden : endpoint->definition().private_ctes) {
      CHECK(std::find(tables.begin(), tables.end(), hidden) == tables.end());
    }
    if (!endpoint->definition().query_sandboxing) CHECK(tables.empty());
  }
}

TEST_CASE("the columns are those that are read, however the query passes them on") {
  const struct {
    const char* sql;
    Names columns;
  } kCases[] = {
      {"select 1 as one", {}},
      {"select count(*) as n from edge_logs", {}},
      {"select * from edge_logs",
       {"edge_logs.event_message", "edge_logs.id", "edge_logs.metadata", "edge_logs.timestamp"}},
      {"select id from (select * from edge_logs)", {"edge_logs.id"}},
      {"select b.x from (select id as x, timestamp as y from edge_logs) as b", {"edge_logs.id"}},
      {"with a as (select id, timestamp as t from edge_logs) select t from a", {"edge_logs.timestamp"}},
      {"select 1 as one from edge_logs order by id", {"edge_logs.id"}},
      {"select (select max(id) from auth_logs) as m", {"auth_logs.id"}},
      {"select exists (select 1 from auth_logs where auth_logs.id = e.id) as x from edge_logs as e",
       {"auth_logs.id", "edge_logs.id"}},
      {"select id from edge_logs union all select event_message from auth_logs",
       {"auth_logs.event_message", "edge_logs.id"}},
      {"select array_length(m.request) as n from edge_logs, unnest(metadata) as m", {"edge_logs.metadata.request"}},
      {"select row_number() over (partition by id order by timestamp) as n from edge_logs",
       {"edge_logs.id", "edge_logs.timestamp"}},
      {"with recursive t as (select id from edge_logs union all select concat(id, 'x') from t) select id from t",
       {"edge_logs.id"}},
      {"select a.id from edge_logs as a join auth_logs as b using (id)", {"auth_logs.id", "edge_logs.id"}},
  };
  for (const auto& c : kCases) {
    const SandboxVerdict verdict = Check(c.sql);
    INFO(c.sql << "\n" << verdict.reason.ToString());
    CHECK(verdict.allowed);
    CHECK(verdict.columns == c.columns);
  }
}

TEST_CASE("a verdict rejects the same SQL as a call") {
  const struct {
    const char* sql;
    const char* message;
  } kCases[] = {
      {"", "expected"},
      {"select 1; select 2", "only one statement is allowed"},
      {"select * from retention", "can't be read here"},
      {"select * from `cloudflare.logs.prod`",
       "the table cloudflare.logs.prod can't be read here at line 1, column 15; its rows are those of edge_logs"},
      {"select generate_uuid() as x", "is not allowed in a sandboxed query"},
      {"select @password as x", "unknown parameter @password"},
      {"select net.reg_domain('a.b') as x", "NET.REG_DOMAIN"},
  };
  for (const auto& c : kCases) {
    const SandboxVerdict verdict = Check(c.sql);
    INFO(c.sql << "\n" << verdict.reason.ToString());
    CHECK_FALSE(verdict.allowed);
    CHECK(base::Message(verdict.reason).find(c.message) != std::string_view::npos);
  }
  std::vector<Endpoint> closed = Endpoint::BuiltIn();
  for (Endpoint& endpoint : closed) endpoint.query_sandboxing = false;
  const auto registry = EndpointRegistry::Create(closed, Catalog::DeclaredLogs()).value();
  const auto verdict = CheckSandbox(*registry, *registry->Find("logs.all"), "select 1 as one");
  REQUIRE(verdict.ok());
  CHECK_FALSE(verdict->allowed);
  CHECK(base::Message(verdict->reason) == "the endpoint logs.all takes no SQL of the caller's");
}

TEST_CASE("a verdict as JSON") {
  CHECK(VerdictJson(Check("select lower(id) as x from edge_logs where id = @project")) ==
        R"({"allowed":true,"tables":["edge_logs"],"columns":["edge_logs.id"],"functions":["LOWER"],)"
        R"("parameters":["project"],"result":[{"name":"x","type":"STRING"}]})");
  CHECK(VerdictJson(Check("select idd from edge_logs")) ==
        R"({"allowed":false,"status":"INVALID_ARGUMENT",)"
        R"("message":"unknown name idd at line 1, column 8; did you mean id?","line":1,"column":8,)"
        R"("snippet":"select idd from edge_logs\n       ^","nearest":["id"]})");
}

TEST_CASE("a service checks a call's SQL and runs nothing") {
  testing::FakeClock clock(absl::FromUnixSeconds(1'772'600'767));
  testing::FakeBackend backend(Catalog::DeclaredLogs(), &clock);
  QueryServiceOptions options;
  options.backend = &backend;
  options.clock = &clock;
  const auto service = QueryService::Create(options).value();
  QueryRequest request;
  request.endpoint = "logs.all";
  CHECK(absl::IsInvalidArgument(service->Check(request).status()));
  request.parameters = {{"sql", "select id from edge_logs"}};  // the project may be missing: no value is looked at
  auto verdict = service->Check(request);
  REQUIRE(verdict.ok());
  CHECK(verdict->allowed);
  CHECK(verdict->columns == Names{"edge_logs.id"});

  request.parameters = {{"sql", "select id from `192.0.2.1`"}};
  request.redact_pii = true;
  verdict = service->Check(request);
  REQUIRE(verdict.ok());
  CHECK_FALSE(verdict->allowed);
  CHECK(VerdictJson(*verdict).find("192.0.2.1") == std::string::npos);
  CHECK(VerdictJson(*verdict).find("REDACTED") != std::string::npos);
  CHECK(backend.calls().empty());

  request.endpoint = "logs.al";
  CHECK(absl::IsNotFound(service->Check(request).status()));
}

TEST_CASE("a query that reads no log is allowed, and names no columns") {
  for (const char* endpoint : {"logs.all", "logs.all.otel"}) {
    for (const char* sql : {"select 1 as a", "select a from (select 1 as a) as t",
                            "select 1 as a union all select 2 as a", "with x as (select 1 as a) select a from x"}) {
      CAPTURE(endpoint, sql);
      const SandboxVerdict verdict = Check(sql, endpoint);
      CHECK(verdict.allowed);
      CHECK(verdict.tables.empty());
      CHECK(verdict.columns.empty());
    }
  }
}

}  // namespace
}  // namespace logquery
