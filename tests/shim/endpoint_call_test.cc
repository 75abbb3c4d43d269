// The log's record of a call, and what its answer says of the caller's token.
#include "shim/http/calls/endpoint_call.h"

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
  return std::string(response.headers.Find(name).value_or(""));
}

// Routes over an IntrospectedServer's service, whose last line of the log is kept.
struct LoggedServer {
  explicit LoggedServer(double share, bool api_key_in_query = false)
      : log([this](std::string_view line) { last = line; }, true, Clock::Real()) {
    HttpServerOptions options;
    options.api_key_in_query = api_key_in_query;
    options.service = server.service.get();
    options.queue = server.queue.get();
    options.observer = &log;
    options.log_parameters = share;
    routes = std::make_unique<Routes>(options);
  }
  ~LoggedServer() { server.queue->Stop(); }  // its threads use the routes
  Json Call(const std::string& target, const std::string& token = "good") {
    HttpRequest request;
    request.method = "GET";
    request.path = target.substr(0, target.find('?'));
    request.query = target.substr(std::min(target.find('?'), target.size() - 1) + 1);
    if (!token.empty()) request.headers = {{"X-API-KEY", token}};
    response = routes->Handle(request);
    return Json::parse(last);
  }
  IntrospectedServer server;
  HttpResponse response;
  std::string last;
  RequestLog log;
  std::unique_ptr<Routes> routes;
};

constexpr char kLogs[] = "/api/endpoints/query/logs.all?project=abc";

TEST_CASE("a token in the URL is read on request only, and nothing that the server writes contains it") {
  LoggedServer with(1, true);
  for (const char* query : {"&api_key=good", "&api_key=%67ood&sql=select+1+as+a", "&api_key=&api_key=good"}) {
    CAPTURE(query);
    Json line = with.Call(StrCat(kLogs, query), "");
    CHECK(with.response.status == 200);
    CHECK(HeaderOf(with.response, "Logquery-Ignored-Parameters").empty());
    CHECK(line["client"] == "good");  // the label is the token here
    line.erase("client");
    CHECK(line["path"] == "/api/endpoints/query/logs.all");
    CHECK_FALSE(line["parameters"].contains("api_key"));
    CHECK(line.dump().find("good") == std::string::npos);
  }
  with.Call("/api/endpoints?api_key=good", "");
  CHECK(with.response.status == 200);
  with.Call(StrCat(kLogs, "&api_key=good"), "good");  // the same in both places
  CHECK(with.response.status == 200);
  // The result is that of two headers.
  with.Call(StrCat(kLogs, "&api_key=one"), "good");
  CHECK(with.response.status == 400);
  with.Call(StrCat(kLogs, "&api_key=one&api_key=good"), "");
  CHECK(with.response.status == 400);
  // A wrong one, and one that no percent-decoding reads.
  for (const char* wrong : {"&api_key=secret", "&api_key=%zz"}) {
    const Json line = with.Call(StrCat(kLogs, wrong), "");
    CHECK(with.response.status == 401);
    CHECK(line.dump().find("secret") == std::string::npos);
  }
  // Other names are parameters.
  with.Call(StrCat(kLogs, "&xapi_key=good&api_keys=good"), "");
  CHECK(with.response.status == 401);
}

TEST_CASE("without the option a token in the URL is a parameter whose value the log hides, and the error says so") {
  LoggedServer without(1);
  without.Call(StrCat(kLogs, "&api_key=good"), "");
  CHECK(without.response.status == 401);
  CHECK(without.response.body.find("started with --api-key-in-query") != std::string::npos);
  without.Call(kLogs, "");
  CHECK(without.response.body.find("--api-key-in-query") == std::string::npos);
  for (const char* query : {"&api_key=secret", "&api%5Fkey=secret"}) {
    const Json line = without.Call(StrCat(kLogs, query));
    CHECK(without.response.status == 200);
    CHECK(HeaderOf(without.response, "Logquery-Ignored-Parameters") == "api_key");
    CHECK(line["parameters"]["api_key"] == "REDACTED");
  }
}

TEST_CASE("equal SQL has an equal digest in the log, and its text is logged only on request") {
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

TEST_CASE("the log has a call's parameters as they were sent, except for dry runs and very long ones") {
  LoggedServer server(1);
  CHECK(server.Call(StrCat(kLogs, "&format=csv&sql=select+1+as+a"))["parameters"] ==
        Json{{"project", "abc"}, {"sql", "select 1 as a"}});
  CHECK(server.Call(StrCat(kLogs, "&sql=selct"))["parameters"]["sql"] == "selct");  // failed calls too
  CHECK_FALSE(server.Call(StrCat(kLogs, "&dry_run=true&sql=select+1+as+a")).contains("parameters"));
  CHECK_FALSE(server.Call(StrCat(kLogs, "&x=", std::string(20'000, 'x'))).contains("parameters"));
  CHECK_FALSE(server.Call("/api/endpoints?x=1").contains("parameters"));
}

TEST_CASE("the log quotes nothing that a rejected call sent, unless parameters are logged") {
  for (const char* query : {"&sql=select+error('my+secret')", "&sql=select+my_secret+from+edge_logs",
                            "&sql=select+'my+secret", "&iso_timestamp_start=my-secret", "&my-secret=1&my-secret=2",
                            "&int64=my-secret", "&sql=select+1&dry_run=my-secret"}) {
    CAPTURE(query);
    LoggedServer server(0);
    const Json quiet = server.Call(StrCat(kLogs, query));
    if (quiet["status"] == 200) continue;  // this backend evaluates nothing
    CHECK(quiet["status"] == 400);
    CHECK(quiet.dump().find("secret") == std::string::npos);
    CHECK(quiet["error"].get<std::string>().find("INVALID_ARGUMENT") == 0);
  }
  LoggedServer with(1);
  CHECK(with.Call(StrCat(kLogs, "&sql=selct"))["error"].get<std::string>().find("selct") != std::string::npos);
  LoggedServer without(0);
  CHECK(without.Call(StrCat(kLogs, "&sql=select+1+as+a+from+nothing"))["error"] ==
        "INVALID_ARGUMENT at line 1, column 20 of the SQL");
  CHECK(without.Call(StrCat(kLogs, "&iso_timestamp_start=x"))["error"] == "INVALID_ARGUMENT for iso_timestamp_start");
}

TEST_CASE("a forbidden endpoint is answered like one that does not exist, and marked in the log") {
  IntrospectedServer server;
  const auto body = [&server](const std::string& path, const std::string& name) {
    const HttpResponse response = server.Get(StrCat(path, name), "one");
    CHECK(response.status == 404);
    std::string text = Json::parse(response.body)["error"]["message"];
    if (const size_t at = text.find(name); at != text.npos) text.replace(at, name.size(), "NAME");
    return text + Json::parse(response.body)["error"]["details"].value("nearest", Json::array()).dump();
  };
  for (const char* path : {"/api/endpoints/query/", "/api/endpoints/"}) {
    CAPTURE(path);
    const std::string nothing = body(path, "zzzzz.zzz-zzzzzz");
    CHECK(body(path, "usage.api-counts") == nothing);
    CHECK(body(path, "e2f6c1d8-7b35-4c9e-8d21-5a0e4b9d3f03") == body(path, "00000000-7b35-4c9e-8d21-5a0e4b9d3f03"));
    CHECK(body(path, "usage.api-count") == nothing);
    CHECK(body(path, "logs.al") == "there is no endpoint \"NAME\"; did you mean logs.all?[\"logs.all\"]");
  }
  LoggedServer logged(0);
  CHECK(logged.Call("/api/endpoints/query/usage.api-counts", "one")["audit"] == "denied");
  CHECK(logged.Call("/api/endpoints/query/nothing", "one")["audit"] == "denied");
  CHECK_FALSE(logged.Call("/api/endpoints/query/nothing").contains("audit"));
}

TEST_CASE("lists of a caller's names in headers have a limit") {
  IntrospectedServer server;
  const auto ignored = [&server](const std::string& query) {
    const HttpResponse response = server.Get(StrCat(kLogs, query));
    CHECK(response.status == 200);
    return HeaderOf(response, "Logquery-Ignored-Parameters");
  };
  CHECK(ignored("&a=1&b=2") == "a,b");
  CHECK(ignored(StrCat("&a=1&", std::string(60'000, '~'), "=1&b=2")) == "a,...");
  CHECK(ignored(StrCat("&", std::string(900, 'x'), "=1&", std::string(900, 'y'), "=1")) ==
        StrCat(std::string(900, 'x'), ",..."));
  std::string many;
  for (int i = 0; i < 900; ++i) many += StrCat("&name", i, "=1");
  CHECK(ignored(many).size() < 1'010);
}

TEST_CASE("a token of one project that asks for another one is told which project it may read") {
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
