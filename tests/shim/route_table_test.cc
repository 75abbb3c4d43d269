#include "shim/http/calls/route_table.h"

#include <catch2/catch_test_macros.hpp>
#include <fstream>
#include <iterator>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "lib/base/strings.h"
#include "logquery/serving/mcp_server.h"
#include "logquery/serving/saved_queries.h"
#include "shim/cli/folder/owner_actions.h"
#include "shim/http/calls/routes.h"
#include "tests/shim/server_fixture.h"
#include "tests/support/folders.h"

namespace logquery::shim {
namespace {

HttpRequest Request(std::string method, std::string path) {
  HttpRequest request;
  request.method = std::move(method);
  request.path = std::move(path);
  request.headers = {{"X-API-KEY", "good"}};
  return request;
}

std::string Header(const HttpResponse& response, std::string_view name) {
  return std::string(response.headers.Find(name).value_or(""));
}

// The pattern with a name of an endpoint in its braces.
std::string PathOf(const Route& route) {
  const std::string pattern(route.pattern);
  return base::StrCat(pattern.substr(0, pattern.find('{')), pattern.find('{') == std::string::npos ? "" : "logs.all");
}

// Knows no source.
class NoLogs : public LogReceiver {
 public:
  absl::StatusOr<std::unique_ptr<LogAdmission>> Admit(const Principal&, std::string_view, int64_t) override {
    return absl::PermissionDeniedError("there is no source");
  }
  absl::StatusOr<ReceivedLogs> Append(LogAdmission&, const LogBody&) override {
    return absl::PermissionDeniedError("no source");
  }
  std::vector<std::string> Sources(const Principal&) const override { return {}; }
  LogReceiverState state() const override { return {}; }
  void Stop() override {}
};

// Lets nobody see or save a query.
class NoQueries : public SavedQueries {
 public:
  absl::StatusOr<std::vector<SavedQuery>> List(const Principal&, const std::optional<std::string>&) override {
    return absl::PermissionDeniedError("no queries");
  }
  absl::StatusOr<SavedQuery> Get(const Principal&, const SavedQueryId&, std::optional<int64_t>) override {
    return absl::PermissionDeniedError("no queries");
  }
  absl::StatusOr<SavedQuery> Save(const Principal&, const SavedQueryId&, const SavedDraft&,
                                  std::optional<int64_t>) override {
    return absl::PermissionDeniedError("no queries");
  }
  absl::Status Delete(const Principal&, const SavedQueryId&, std::optional<int64_t>) override {
    return absl::PermissionDeniedError("no queries");
  }
};

// Routes of each listener, as serve makes them.
struct Listeners {
  Listeners() : world(Options()), admin(Options(), {}, /*admin=*/true), owner(Owner()) {}
  ~Listeners() { fixture.queue->Stop(); }

  HttpServerOptions Options() {
    HttpServerOptions options = {&fixture.service, fixture.queue.get(), &fixture.log};
    options.metrics = [] { return std::string("# nothing\n"); };
    options.receiver = &receiver;
    options.mcp = mcp.get();
    options.saved = &saved;
    options.projects = [](const Principal&, const QueryRequest&, const std::function<bool()>&) {
      return std::string("{}");
    };
    return options;
  }
  HttpServerOptions Owner() {
    HttpServerOptions options = Options();
    FolderActions actions;
    actions.stats = [] { return std::string("{}"); };
    actions.backup = [](const std::string&, const GiveUp&) { return std::string("{}"); };
    actions.erase = [](const ProjectToErase&) { return std::string("{}"); };
    actions.check = [](bool) { return std::string("{}"); };
    options.actions = OwnerActions(actions);
    return options;
  }
  Routes& For(Audience audience) {
    return audience == Audience::kAdmin ? admin : audience == Audience::kOwner ? owner : world;
  }

  RoutesFixture fixture;
  NoLogs receiver;
  NoQueries saved;
  const std::unique_ptr<McpServer> mcp =
      McpServer::Create({.service = &fixture.service, .queue = fixture.queue.get()}).value();
  Routes world;
  Routes admin;
  Routes owner;
};

TEST_CASE("each route of the table is answered on its listener, by each of its methods and by no other") {
  Listeners listeners;
  for (const Route& route : Routes::Table()) {
    const std::string path = PathOf(route);
    Routes& routes = listeners.For(route.audience);
    for (const char* method : {"GET", "HEAD", "POST", "PUT", "DELETE", "OPTIONS", "get"}) {
      CAPTURE(route.pattern, method);
      const HttpResponse response = routes.Handle(Request(method, path));
      const bool takes = (route.methods & MethodNamed(method)) != 0;
      CHECK((response.status == 405) == !takes);
      CHECK(response.status != 404);
      if (!takes) CHECK(Header(response, "Allow") == MethodNames(route.methods));
    }
  }
}

TEST_CASE("a route is available only to its audience") {
  Listeners listeners;
  for (const Route& route : Routes::Table()) {
    CAPTURE(route.pattern);
    HttpRequest request = Request(MethodNames(route.methods).substr(0, 4) == "POST" ? "POST" : "GET", PathOf(route));
    request.headers.clear();
    const int status = listeners.For(route.audience).Handle(request).status;
    CHECK((status == 401) == (route.audience == Audience::kToken));
    if (route.audience == Audience::kOwner) CHECK(listeners.world.Handle(request).status == 404);
    const bool on_both = request.path == "/health" || request.path == "/ready" || request.path == "/metrics";
    if (route.audience != Audience::kAdmin && !on_both) {
      CHECK(listeners.admin.Handle(request).status == 404);
    }
  }
}

TEST_CASE("an action is available only on the listener that has it, by its methods and without a token") {
  Listeners listeners;
  const std::pair<const char*, bool> actions[] = {
      {"/stats", false}, {"/backup", true}, {"/check", true}, {"/erase", true}};
  for (const auto& [path, posts] : actions) {
    for (const char* method : {"GET", "HEAD", "POST", "PUT", "DELETE", "OPTIONS", "get"}) {
      CAPTURE(path, method);
      HttpRequest request = Request(method, path);
      request.headers.clear();
      const HttpResponse response = listeners.owner.Handle(request);
      const Methods methods = posts ? kPost : kGet | kHead;
      const bool takes = (methods & MethodNamed(method)) != 0;
      CHECK((response.status == 405) == !takes);
      CHECK(response.status != 404);
      CHECK(response.status != 401);
      if (!takes) CHECK(Header(response, "Allow") == MethodNames(methods));
      CHECK(listeners.world.Handle(request).status == 404);
      CHECK(listeners.admin.Handle(request).status == 404);
    }
  }
}

TEST_CASE("the table describes each route completely") {
  std::set<std::pair<std::string_view, Audience>> seen;
  for (const Route& route : Routes::Table()) {
    CAPTURE(route.pattern);
    CHECK(seen.emplace(route.pattern, route.audience).second);
    CHECK(route.what.ends_with("."));
    CHECK_FALSE(route.answers.empty());
    bool has_body = false;
    for (const RouteParameter& parameter : route.parameters) {
      CAPTURE(parameter.name);
      CHECK_FALSE(parameter.what.empty());
      CHECK((parameter.type == "string" || parameter.type == "boolean" || parameter.type == "integer"));
      const bool in_pattern = route.pattern.find(base::StrCat("{", parameter.name, "}")) != std::string_view::npos;
      CHECK(in_pattern == (parameter.in == RouteParameter::In::kPath));
      has_body = has_body || parameter.in == RouteParameter::In::kBody;
    }
    if (has_body) CHECK((route.methods & (kPost | kPut)) != 0);
  }
}

TEST_CASE("docs/http.md has each route that is not only for the folder's owner") {
  std::ifstream file(testing::SourcePath("docs/http.md"));
  const std::string page(std::istreambuf_iterator<char>(file), {});
  REQUIRE_FALSE(page.empty());
  for (const Route& route : Routes::Table()) {
    if (route.audience == Audience::kOwner) continue;
    CAPTURE(route.pattern);
    CHECK(page.find(base::StrCat("`", route.pattern, "`")) != std::string::npos);
    for (const RouteParameter& parameter : route.parameters) {
      CAPTURE(parameter.name);
      CHECK(page.find(parameter.name) != std::string::npos);
    }
  }
}

TEST_CASE("ingest routes exist only if the server accepts logs") {
  RoutesFixture fixture;
  int ingesting = 0;
  for (const Route& route : Routes::Table()) {
    if (route.needs != RouteNeeds::kIngest) continue;
    CAPTURE(route.pattern);
    ++ingesting;
    CHECK(
        fixture.routes.Handle(Request(MethodNames(route.methods).substr(0, 3) == "GET" ? "GET" : "POST", PathOf(route)))
            .status == 404);
  }
  CHECK(ingesting > 0);
}

TEST_CASE("a pattern's name matches one segment of a path") {
  struct Case {
    const char* pattern;
    const char* path;
    const char* argument;  // nullptr: no match
  };
  const Case cases[] = {
      {"/a/{x}", "/a/b", "b"},
      {"/a/{x}", "/a/b%2Fc", "b%2Fc"},
      {"/a/{x}", "/a/", nullptr},
      {"/a/{x}", "/a", nullptr},
      {"/a/{x}", "/a/b/c", nullptr},
      {"/a/{x}", "/A/b", nullptr},
      {"/a/{x}", "//a/b", nullptr},
      {"/a", "/a", ""},
      {"/a", "/a/", nullptr},
      {"/a", "/", nullptr},
      {"/", "/", ""},
      {"/", "", nullptr},
  };
  for (const Case& c : cases) {
    CAPTURE(c.pattern, c.path);
    const auto argument = MatchPath(c.pattern, c.path);
    CHECK(argument.has_value() == (c.argument != nullptr));
    if (argument && c.argument != nullptr) CHECK(*argument == c.argument);
  }
}

TEST_CASE("an unknown path is answered with similar ones of the same listener") {
  Listeners listeners;
  const auto message = [](Routes& routes, const char* path) {
    const HttpResponse response = routes.Handle(Request("GET", path));
    CHECK(response.status == 404);
    return nlohmann::json::parse(response.body)["error"]["message"].get<std::string>();
  };
  CHECK(message(listeners.world, "/helth") == "there is nothing at this path; did you mean /health?");
  CHECK(message(listeners.world, "/api/endpoint/query/logs.all").find("/api/endpoints/query/{endpoint}") !=
        std::string::npos);
  CHECK(message(listeners.world, "/stat") == "there is nothing at this path");
  CHECK(message(listeners.owner, "/stat") == "there is nothing at this path; did you mean /stats?");
  CHECK(message(listeners.admin, "/stats") ==
        "there is nothing at this path; the admin listener has /health and /ready and /metrics");
  CHECK(message(listeners.world, "/10.1.2.3/private") == "there is nothing at this path");
}

TEST_CASE("a preflight is answered with the methods of its path") {
  RoutesFixture fixture;
  HttpServerOptions options{&fixture.service, fixture.queue.get(), &fixture.log};
  Routes routes(options, *Cors::Create({"https://dashboard.example"}));
  const auto ask = [&routes](const char* path) {
    HttpRequest request = Request("OPTIONS", path);
    request.headers = {{"Origin", "https://dashboard.example"}, {"Access-Control-Request-Method", "GET"}};
    return routes.Handle(request);
  };
  CHECK(Header(ask("/api/endpoints/query/logs.all"), "Access-Control-Allow-Methods") == "GET, HEAD, POST");
  CHECK(Header(ask("/api/endpoints"), "Access-Control-Allow-Methods") == "GET, HEAD");
  CHECK(ask("/nothing/here").status == 404);
  fixture.queue->Stop();  // its threads use the routes
}

}  // namespace
}  // namespace logquery::shim
