// What a call leaves in the log, and what its answer says of the caller's token.
#include "shim/http/endpoint_call.h"

#include <catch2/catch_test_macros.hpp>
#include <nlohmann/json.hpp>
#include <string>

#include "lib/base/strings.h"
#include "tests/shim/introspected_server.h"

namespace logquery::shim {
namespace {

using Json = nlohmann::json;
using base::StrCat;

std::string HeaderOf(const HttpResponse& response, std::string_view name) {
  for (const auto& [key, value] : response.headers) {
    if (key == name) return value;
  }
  return "";
}

// Routes over an IntrospectedServer's service, whose last line of the log is kept.
struct LoggedServer {
  explicit LoggedServer(double share) : log([this](std::string_view line) { last = line; }, true, Clock::Real()) {
    RoutesOptions options;
    options.service = server.service.get();
    options.queries = &server.queries;
    options.log = &log;
    options.log_parameters = share;
    routes = std::make_unique<Routes>(options);
  }
  ~LoggedServer() { server.queries.Shutdown(); }  // its threads use the routes
  Json Call(const std::string& target) {
    HttpRequest request;
    request.method = "GET";
    request.path = target.substr(0, target.find('?'));
    request.query = target.substr(std::min(target.find('?'), target.size() - 1) + 1);
    request.headers = {{"X-API-KEY", "good"}};
    routes->Handle(request);
    return Json::parse(last);
  }
  IntrospectedServer server;
  std::string last;
  RequestLog log;
  std::unique_ptr<Routes> routes;
};

constexpr char kLogs[] = "/api/endpoints/query/logs.all?project=abc";

TEST_CASE("equal SQL has an equal digest in the log, and its text is there only when it is asked for") {
  LoggedServer server(0);
  const Json one = server.Call(StrCat(kLogs, "&sql=select+1+as+a"));
  const Json same = server.Call(StrCat(kLogs, "&sql=select%201%20as%20a"));
  const Json other = server.Call(StrCat(kLogs, "&sql=select+2+as+a"));
  CHECK(one["sql_digest"].get<std::string>().size() == 16);
  CHECK(one["sql_digest"] == same["sql_digest"]);
  CHECK(one["sql_digest"] != other["sql_digest"]);
  CHECK(one["endpoint"] == "logs.all");
  CHECK_FALSE(one.contains("parameters"));
  CHECK_FALSE(server.Call(kLogs).contains("sql_digest"));
  CHECK(server.Call("/api/endpoints/query/usage.api-counts?project=a&interval=daily")["cache"] == "miss");
}

TEST_CASE("the log has a call's parameters as they were sent, but for dry runs and for very long ones") {
  LoggedServer server(1);
  CHECK(server.Call(StrCat(kLogs, "&format=csv&sql=select+1+as+a"))["parameters"] ==
        Json{{"project", "abc"}, {"sql", "select 1 as a"}});
  CHECK(server.Call(StrCat(kLogs, "&sql=selct"))["parameters"]["sql"] == "selct");  // failed calls too
  CHECK_FALSE(server.Call(StrCat(kLogs, "&dry_run=true&sql=select+1+as+a")).contains("parameters"));
  CHECK_FALSE(server.Call(StrCat(kLogs, "&x=", std::string(20'000, 'x'))).contains("parameters"));
  CHECK_FALSE(server.Call("/api/endpoints?x=1").contains("parameters"));
}

TEST_CASE("a token of one project that asks for another one is told whose rows it may read") {
  IntrospectedServer server;
  const auto header = [&server](const std::string& query, const std::string& token = "one") {
    const HttpResponse response = server.Get(StrCat("/api/endpoints/query/logs.all", query), token);
    CHECK(response.status == 200);
    return HeaderOf(response, "Logquery-Token-Project");
  };
  CHECK(header("?project=xyz") == "abc");
  CHECK(header("?project=xyz&dry_run=true&sql=select+1+as+a") == "abc");
  CHECK(header("?project=abc").empty());
  CHECK(header("?project=").empty());
  CHECK(header("").empty());
  CHECK(header("?project=xyz", "good").empty());
}

}  // namespace
}  // namespace logquery::shim
