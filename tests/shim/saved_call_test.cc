// Saved queries over a socket, with a real service, engine and folder: rights, projects, conflicts, and hostile requests.
#include <catch2/catch_test_macros.hpp>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <thread>

#include "lib/base/percent_encoding.h"
#include "lib/base/strings.h"
#include "logquery/serving/saved_queries.h"
#include "logquery/store/duckdb_backend.h"
#include "tests/shim/server_fixture.h"

namespace logquery::shim {
namespace {

using Json = nlohmann::json;
using base::StrCat;

constexpr char kCount[] = "select count(*) as n from edge_logs";

// "ann" and "bob" may save for the project abc, "reader" may not, "eve" saves for xyz, "root" for all; "metrics" reads metrics
// alone.
class Tokens : public Authenticator {
 public:
  absl::StatusOr<Principal> Authenticate(std::string_view token) override {
    Principal principal;
    principal.label = principal.token_id = token;
    principal.may_save = token != "reader" && token != "metrics";
    if (token == "metrics") {
      principal.endpoints.emplace();
      principal.may_read_metrics = true;
    } else if (token == "ann" || token == "bob" || token == "reader") {
      principal.project_scope = "abc";
    } else if (token == "eve") {
      principal.project_scope = "xyz";
    } else if (token != "root") {
      return absl::UnauthenticatedError("the token is not known");
    }
    return principal;
  }
};

struct Server {
  explicit Server(bool with_saved = true) : log(log_lines.writer(), true, Clock::Real()) {
    folder = (std::filesystem::temp_directory_path() / "logquery-saved-XXXXXX").string();
    REQUIRE(mkdtemp(folder.data()) != nullptr);
    backend = OpenDuckDb({.folder = folder + "/data"}).value();
    Append("a", "abc");
    Append("b", "abc");
    Append("c", "xyz");
    QueryServiceOptions of_service;
    of_service.backend = backend.get();
    of_service.clock = &clock;
    of_service.authenticator = &tokens;
    of_service.warming_threads = 0;
    service = QueryService::Create(of_service).value();
    queue = QueryQueue::Create({.service = service.get(), .threads = 2}).value();
    saved = SavedQueries::Open({.folder = folder + "/saved", .service = service.get()}).value();
    HttpServerOptions options;
    options.service = service.get();
    options.queue = queue.get();
    options.observer = &log;
    options.cors_origins = {"https://known.example"};
    if (with_saved) options.saved = saved.get();
    routes = std::make_unique<Routes>(options, Cors::Create(options.cors_origins).value());
    server = Transport::Bind({}, routes.get()).value();
    serving = std::thread([this] { server->Serve(); });
  }
  ~Server() {
    server->Stop(absl::ZeroDuration());
    serving.join();
    queue->Stop();
    server = nullptr;
    routes = nullptr;
    saved = nullptr;
    queue = nullptr;
    service = nullptr;
    backend = nullptr;
    std::filesystem::remove_all(folder);
  }

  void Append(const std::string& id, const std::string& project) {
    const std::string row = Json{{"id", id}, {"timestamp", 1'772'600'000'000'000}, {"project", project}}.dump();
    REQUIRE(backend->store().Append({.table = "edge_logs", .rows = {row}}).ok());
  }

  std::string Send(const std::string& method, const std::string& target, const std::string& token,
                   const std::string& body = "", const std::string& headers = "") {
    RawClient client(server->port());
    const std::string content =
        body.empty() ? "" : StrCat("Content-Type: application/json\r\nContent-Length: ", body.size(), "\r\n");
    client.Send(StrCat(method, " ", target, " HTTP/1.1\r\nHost: localhost\r\nX-API-KEY: ", token, "\r\n", content,
                       headers, "\r\n", body));
    return client.Receive();
  }
  std::string Put(const std::string& name, const std::string& token, const std::string& sql = kCount,
                  const std::string& headers = "") {
    return Send("PUT", "/api/saved/" + name, token, Json{{"endpoint", "logs.all"}, {"sql", sql}}.dump(), headers);
  }
  Json Listed(const std::string& token, const std::string& query = "") {
    const std::string response = Send("GET", "/api/saved" + query, token);
    CHECK(StatusOf(response) == 200);
    return Json::parse(BodyOf(response));
  }

  FixedClock clock{absl::FromUnixSeconds(1'772'600'700)};
  Tokens tokens;
  LogLines log_lines;
  RequestLog log;
  std::string folder;
  std::unique_ptr<DuckDbBackend> backend;
  std::unique_ptr<QueryService> service;
  std::unique_ptr<QueryQueue> queue;
  std::unique_ptr<SavedQueries> saved;
  std::unique_ptr<Routes> routes;
  std::unique_ptr<Transport> server;
  std::thread serving;
};

Json ErrorOf(const std::string& response) { return Json::parse(BodyOf(response))["error"]; }

TEST_CASE("a query is saved, listed, read, run by others with their own rights, changed and deleted") {
  Server server;
  const std::string made = server.Send(
      "PUT", "/api/saved/Rows%20of%20edge", "root",
      Json{{"endpoint", "logs.all"}, {"sql", kCount}, {"description", "All rows"}, {"language", "bigquery"}}.dump());
  INFO(made);
  CHECK(StatusOf(made) == 200);
  CHECK(HeaderOf(made, "ETag") == "\"1\"");
  CHECK(Json::parse(BodyOf(made))["name"] == "Rows of edge");

  const Json list = server.Listed("reader");
  CHECK(list["may_save"] == false);
  REQUIRE(list["queries"].size() == 1);
  CHECK(list["queries"][0]["saved_by"] == "root");
  CHECK_FALSE(list["queries"][0].contains("sql"));
  CHECK_FALSE(list["queries"][0].contains("project"));

  const std::string got = server.Send("GET", "/api/saved/Rows%20of%20edge", "reader");
  CHECK(HeaderOf(got, "ETag") == "\"1\"");
  const Json query = Json::parse(BodyOf(got));
  CHECK(query["sql"] == kCount);
  CHECK(query["description"] == "All rows");
  CHECK(query["revisions"].size() == 1);

  // Running it is a call of whoever runs it, and reads the rows of that one alone.
  const auto rows = [&](const std::string& token) {
    const std::string target =
        StrCat("/api/endpoints/query/", query["endpoint"].get<std::string>(),
               "?project=", token == "eve" ? "xyz" : "abc", "&sql=", base::PercentEncode(kCount));
    return Json::parse(BodyOf(server.Send("GET", target, token)))["result"][0]["n"].get<int>();
  };
  CHECK(rows("reader") == 2);
  CHECK(rows("eve") == 1);

  const std::string changed = server.Put("Rows%20of%20edge", "root", "select id from edge_logs", "If-Match: \"1\"\r\n");
  CHECK(HeaderOf(changed, "ETag") == "\"2\"");
  CHECK(Json::parse(BodyOf(server.Send("GET", "/api/saved/Rows%20of%20edge?revision=1", "reader")))["sql"] == kCount);
  CHECK(StatusOf(server.Send("DELETE", "/api/saved/Rows%20of%20edge", "root", "", "If-Match: \"2\"\r\n")) == 200);
  CHECK(StatusOf(server.Send("GET", "/api/saved/Rows%20of%20edge", "reader")) == 404);
  CHECK(server.Listed("root")["queries"].empty());
}

TEST_CASE("a lost update is a 409 with the query that is there") {
  Server server;
  CHECK(StatusOf(server.Put("q", "ann")) == 200);
  CHECK(StatusOf(server.Put("q", "bob", "select id from edge_logs", "If-Match: \"1\"\r\n")) == 200);
  for (const char* headers : {"If-Match: \"1\"\r\n", "If-Match: 7\r\n", ""}) {
    CAPTURE(headers);
    const std::string lost = server.Put("q", "ann", kCount, headers);
    CHECK(StatusOf(lost) == 409);
    CHECK(ErrorOf(lost)["status"] == "ABORTED");
    CHECK(ErrorOf(lost)["message"].get<std::string>().find("is at revision 2, saved by \"bob\"") != std::string::npos);
    const Json present = Json::parse(BodyOf(lost))["present"];
    CHECK(present["sql"] == "select id from edge_logs");
    CHECK(present["revision"] == 2);
  }
  CHECK(StatusOf(server.Send("DELETE", "/api/saved/q", "ann", "", "If-Match: \"1\"\r\n")) == 409);
  // The revision may be in the body, too, but not be another one there.
  const Json body = {{"endpoint", "logs.all"}, {"sql", kCount}, {"revision", 2}};
  CHECK(StatusOf(server.Send("PUT", "/api/saved/q", "ann", body.dump(), "If-Match: \"1\"\r\n")) == 400);
  CHECK(StatusOf(server.Send("PUT", "/api/saved/q", "ann", body.dump())) == 200);
}

TEST_CASE("tokens see and change what belongs to their project, and say so where they may not") {
  Server server;
  CHECK(StatusOf(server.Put("q", "ann")) == 200);
  CHECK(StatusOf(server.Put("q", "eve", "select id from edge_logs")) == 200);
  CHECK(StatusOf(server.Put("all", "root")) == 200);
  CHECK(server.Listed("ann")["queries"].size() == 2);
  CHECK(server.Listed("eve")["queries"].size() == 2);
  CHECK(server.Listed("root")["queries"].size() == 3);
  CHECK(server.Listed("root", "?project=xyz")["queries"].size() == 2);
  CHECK(server.Listed("metrics")["queries"].empty());

  CHECK(Json::parse(BodyOf(server.Send("GET", "/api/saved/q", "eve")))["sql"] == "select id from edge_logs");
  CHECK(StatusOf(server.Send("GET", "/api/saved/q", "root")) == 404);  // there is no shared one
  CHECK(StatusOf(server.Send("GET", "/api/saved/q?project=abc", "root")) == 200);
  CHECK(StatusOf(server.Send("GET", "/api/saved/q?project=abc", "eve")) == 403);
  CHECK(StatusOf(server.Send("GET", "/api/saved?project=abc", "eve")) == 403);
  CHECK(StatusOf(server.Put("q?project=abc", "eve")) == 403);
  CHECK(StatusOf(server.Put("new?shared=true", "ann")) == 403);
  CHECK(StatusOf(server.Send("DELETE", "/api/saved/all?shared=true", "ann")) == 403);
  CHECK(StatusOf(server.Send("DELETE", "/api/saved/all", "ann")) == 404);

  const std::string refused = server.Put("q", "reader", kCount, "If-Match: \"1\"\r\n");
  CHECK(StatusOf(refused) == 403);
  CHECK(ErrorOf(refused)["message"] == "this token may not save queries: that takes one created with --may-save");
  CHECK(StatusOf(server.Send("DELETE", "/api/saved/q", "reader")) == 403);
  CHECK(StatusOf(server.Send("GET", "/api/saved/q", "metrics")) == 404);
  CHECK(StatusOf(server.Put("q", "metrics")) == 403);
  for (const char* method : {"GET", "PUT", "DELETE"})
    CHECK(StatusOf(server.Send(method, "/api/saved/q", "none")) == 401);
}

TEST_CASE("SQL is refused when it is saved as it would be when it is called") {
  Server server;
  for (const char* sql : {"selct", "select nothing from edge_logs", "select * from pg_catalog.pg_tables",
                          "copy edge_logs to '/tmp/x'", "select 1; drop table edge_logs"}) {
    CAPTURE(sql);
    const std::string refused = server.Put("q", "ann", sql);
    const std::string called =
        server.Send("POST", "/api/endpoints/query/logs.all", "ann", Json{{"sql", sql}, {"project", "abc"}}.dump());
    CHECK(StatusOf(refused) == StatusOf(called));
    Json was = ErrorOf(refused), is = ErrorOf(called);
    was["details"].erase("request_id");
    is["details"].erase("request_id");
    CHECK(was == is);
  }
  CHECK(server.Listed("ann")["queries"].empty());
  // The log has no SQL.
  const std::string log = base::Join(server.log_lines.lines(), "\n");
  CHECK(log.find("selct") == std::string::npos);
  CHECK(log.find("INVALID_ARGUMENT; the answer says why") != std::string::npos);
}

TEST_CASE("a query whose endpoint is gone is listed with the reason and refused when it is run") {
  Server server;
  CHECK(StatusOf(server.Put("gone", "ann")) == 200);
  CHECK(StatusOf(server.Put("there", "ann")) == 200);
  const std::string path = server.folder + "/saved/projects/abc/gone.json";
  Json file = Json::parse(std::ifstream(path));
  file["endpoint"] = "logs.old";
  std::ofstream(path) << file;
  const Json queries = server.Listed("ann")["queries"];
  REQUIRE(queries.size() == 2);
  CHECK(queries[0]["problem"] == "the endpoint logs.old is not on this server any more");
  CHECK_FALSE(queries[1].contains("problem"));
  CHECK(StatusOf(server.Send("GET", "/api/endpoints/query/logs.old?project=abc&sql=select%201", "ann")) == 404);
}

TEST_CASE("names that lead elsewhere, and other requests that are wrong, are refused") {
  Server server;
  for (const char* name : {"..", "%2e%2e", "..%2F..%2Ftokens", "a%2Fb", "a%5Cb", "%00", "q%00.json", ".hidden", "q.",
                           "%20q", "caf%C3%A9", "a%0Ab", "%3Cscript%3E", "q%FF", "q%zz"}) {
    CAPTURE(name);
    for (const char* method : {"GET", "PUT", "DELETE"}) {
      const std::string response =
          server.Send(method, StrCat("/api/saved/", name), "root",
                      std::string_view(method) == "PUT" ? Json{{"endpoint", "logs.all"}, {"sql", kCount}}.dump() : "");
      CHECK(StatusOf(response) == 400);
    }
  }
  CHECK(StatusOf(server.Put("a/b", "root")) == 404);
  CHECK(StatusOf(server.Put(std::string(65, 'q'), "root")) == 400);
  CHECK(StatusOf(server.Put("q?project=..%2F..", "root")) == 200);
  CHECK(std::filesystem::exists(server.folder + "/saved/projects/%2E%2E%2F%2E%2E/q.json"));
  CHECK(std::distance(std::filesystem::directory_iterator(server.folder), {}) == 2);

  const auto status = [&](const std::string& target, const std::string& body, const std::string& headers = "") {
    return StatusOf(server.Send("PUT", "/api/saved/" + target, "root", body, headers));
  };
  CHECK(status("q", "{") == 400);
  CHECK(status("q", "[]") == 400);
  CHECK(status("q", R"({"sql":"select 1"})") == 400);
  CHECK(status("q", R"({"endpoint":"logs.all","sql":7})") == 400);
  CHECK(status("q", R"({"endpoint":"logs.all","sql":"select 1","saved_by":"eve"})") == 400);
  CHECK(status("q", R"({"endpoint":"logs.all","sql":"select 1","revision":-1})") == 400);
  CHECK(status("q", R"({"endpoint":"logs.none","sql":"select 1"})") == 404);
  const std::string good = Json{{"endpoint", "logs.all"}, {"sql", kCount}}.dump();
  for (const char* query : {"?shared=1", "?revision=1", "?project=", "?limit=3", "?project=a&shared=true"}) {
    CAPTURE(query);
    CHECK(status(StrCat("r", query), good) == 400);
  }
  for (const char* tag : {"*", "\"\"", "W/\"1\"", "\"1\", \"2\"", "-1", "99999999999999999999"}) {
    CAPTURE(tag);
    CHECK(status("q", good, StrCat("If-Match: ", tag, "\r\n")) == 400);
  }
  CHECK(StatusOf(server.Send("GET", "/api/saved/q?revision=x", "root")) == 400);
  CHECK(StatusOf(server.Send("POST", "/api/saved/q", "root", good)) == 405);
  CHECK(HeaderOf(server.Send("POST", "/api/saved/q", "root", good), "Allow") == "GET, HEAD, PUT, DELETE");
  CHECK(StatusOf(server.Send("PUT", "/api/saved", "root", good)) == 405);
  // Only JSON, uncompressed, and of a length that fits.
  RawClient plain(server.server->port());
  plain.Send(
      "PUT /api/saved/q HTTP/1.1\r\nHost: localhost\r\nX-API-KEY: root\r\nContent-Type: text/plain\r\n"
      "Content-Length: 2\r\n\r\n{}");
  CHECK(StatusOf(plain.Receive()) == 415);
  CHECK(status("q", good, "Content-Encoding: gzip\r\n") == 415);
  CHECK(status("q", Json{{"endpoint", "logs.all"}, {"sql", std::string(70'000, ' ')}}.dump()) == 400);
  RawClient huge(server.server->port());
  huge.Send(
      "PUT /api/saved/q HTTP/1.1\r\nHost: localhost\r\nX-API-KEY: root\r\nContent-Type: application/json\r\n"
      "Content-Length: 99999999\r\n\r\n");
  CHECK(StatusOf(huge.Receive()) == 413);
  // No body is waited for that no valid token sends.
  RawClient stranger(server.server->port());
  stranger.Send(
      "PUT /api/saved/q HTTP/1.1\r\nHost: localhost\r\nX-API-KEY: none\r\nContent-Type: application/json\r\n"
      "Content-Length: 500\r\n\r\n");
  CHECK(StatusOf(stranger.Receive()) == 401);
}

TEST_CASE("pages of known sites may save, and those of others may not ask") {
  Server server;
  const auto preflight = [&](const std::string& origin) {
    return server.Send("OPTIONS", "/api/saved/q", "", "",
                       StrCat("Origin: ", origin, "\r\nAccess-Control-Request-Method: PUT\r\n"));
  };
  const std::string known = preflight("https://known.example");
  CHECK(StatusOf(known) == 204);
  CHECK(HeaderOf(known, "Access-Control-Allow-Methods") == "GET, HEAD, PUT, DELETE");
  CHECK(HeaderOf(known, "Access-Control-Allow-Headers").find("If-Match") != std::string::npos);
  CHECK(HeaderOf(preflight("https://other.example"), "Access-Control-Allow-Methods").empty());
}

TEST_CASE("a server without a folder for queries has no such routes, and lists of endpoints say which have") {
  Server with, without(false);
  CHECK(StatusOf(without.Send("GET", "/api/saved", "root")) == 404);
  CHECK(StatusOf(without.Put("q", "root")) == 404);
  CHECK(Json::parse(BodyOf(with.Send("GET", "/api/endpoints", "ann")))["saves_queries"] == true);
  CHECK_FALSE(Json::parse(BodyOf(without.Send("GET", "/api/endpoints", "ann"))).contains("saves_queries"));
  const auto paths = [](Server& server) {
    return Json::parse(BodyOf(server.Send("GET", "/api/openapi.json", "ann")))["paths"];
  };
  const Json described = paths(with);
  CHECK(described["/api/saved/{name}"].contains("put"));
  CHECK(described["/api/saved/{name}"].contains("delete"));
  CHECK(described["/api/saved/{name}"]["put"]["requestBody"]["content"]["application/json"]["schema"]["required"] ==
        Json({"endpoint", "sql"}));
  CHECK_FALSE(paths(without).contains("/api/saved"));
}

}  // namespace
}  // namespace logquery::shim
