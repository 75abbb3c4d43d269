// Readiness, and the routes of the folder's owner.
#include <catch2/catch_test_macros.hpp>
#include <nlohmann/json.hpp>
#include <string>

#include "shim/cli/folder/owner_actions.h"
#include "shim/http/calls/routes.h"
#include "tests/shim/route_requests.h"
#include "tests/shim/server_fixture.h"

namespace logquery::shim::route_tests {
namespace {

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

}  // namespace
}  // namespace logquery::shim::route_tests
