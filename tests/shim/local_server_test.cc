// The server in a data folder: a socket for the folder's owner, with the routes of HTTP.
#include <sys/stat.h>

#include <catch2/catch_test_macros.hpp>
#include <filesystem>
#include <fstream>
#include <memory>
#include <sstream>
#include <string>
#include <thread>

#include "shim/cli/folder/local_client.h"
#include "shim/cli/query/run_by_server.h"
#include "tests/shim/server_fixture.h"

namespace logquery::shim {
namespace {

namespace fs = std::filesystem;

// A data folder with a server, which answers as `service` does. Its path is longer than a socket's address may be.
struct LocalServerFixture : RoutesFixture {
  LocalServerFixture() {
    service.allow_all = true;
    std::string name = (fs::temp_directory_path() / "logquery-test-XXXXXX").string();
    REQUIRE(mkdtemp(name.data()) != nullptr);
    root = name;
    folder = root + "/" + std::string(120, 'd');
    fs::create_directory(folder);
  }
  ~LocalServerFixture() {
    Stop();
    fs::remove_all(root);
  }
  void Serve() {
    TransportOptions options;
    options.unix_path = SocketIn(folder);
    auto bound = Transport::Bind(options, &routes);
    INFO(bound.status().ToString());
    REQUIRE(bound.ok());
    server = *std::move(bound);
    serving = std::thread([this] { server->Serve(); });
  }
  void Stop() {
    if (!serving.joinable()) return;
    server->Stop(absl::Seconds(5));
    serving.join();
    server.reset();
  }
  // Returns the output of `run`, then its exit code; "none" if no server has the folder.
  std::string Run(QueryRequest request, RunArguments arguments = {}) {
    arguments.service.data = folder;
    std::istringstream in;
    std::ostringstream out;
    std::ostringstream err;
    request.endpoint = request.endpoint.empty() ? "logs.all" : request.endpoint;
    const std::optional<int> code = RunByServer(arguments, request, {in, out, err});
    return code.has_value() ? out.str() + err.str() + "=" + std::to_string(*code) : "none";
  }

  std::string root;
  std::string folder;
  std::unique_ptr<Transport> server;
  std::thread serving;
};

TEST_CASE("a request through the socket is answered as by HTTP") {
  LocalServerFixture at;
  at.Serve();
  HttpRequest request;
  request.method = "GET";
  request.path = "/health";
  const auto response = AskServer(at.folder, request);
  INFO(response.status().ToString());
  REQUIRE(response.ok());
  CHECK(response->status == 200);
  CHECK(response->body == R"({"status":"ok"})");
  request.path = "/nothing";
  CHECK(AskServer(at.folder, request)->status == 404);
  struct stat info;
  REQUIRE(stat(SocketIn(at.folder).c_str(), &info) == 0);
  CHECK((info.st_mode & 0777) == 0600);
}

TEST_CASE("an owner's request returns the body or the error of the server, and nothing without a server") {
  LocalServerFixture at;
  HttpRequest request;
  request.method = "GET";
  request.path = "/stats";
  CHECK_FALSE(AskOwner(at.folder, request).has_value());
  at.Serve();
  // These routes are the world's.
  const auto answer = AskOwner(at.folder, request);
  REQUIRE(answer.has_value());
  CHECK(answer->status().code() == absl::StatusCode::kNotFound);
  CHECK(answer->status().message() == "there is nothing at this path");
}

TEST_CASE("a stale socket is not taken for a server, and the next server replaces it") {
  LocalServerFixture at;
  CHECK_FALSE(HasServer(at.folder));
  at.Serve();
  CHECK(HasServer(at.folder));
  at.Stop();
  CHECK(fs::exists(SocketIn(at.folder)));
  CHECK_FALSE(HasServer(at.folder));
  CHECK(AskServer(at.folder, {}).status().code() == absl::StatusCode::kNotFound);
  CHECK(at.Run({}) == "none");
  at.Serve();
  CHECK(HasServer(at.folder));
}

TEST_CASE("run prints what the server answers") {
  LocalServerFixture at;
  QueryAnswer answer = AnswerWith(R"({"result":[{"n":1,"t":1772600767000000,"s":"x","m":[{"a":null}]},)"
                                  R"({"n":20,"t":null,"s":"it's","m":[]}]})");
  answer.schema = {{"n", Type::Int64()},
                   {"t", Type::Timestamp()},
                   {"s", Type::String()},
                   {"m", Type::Record({{"a", Type::Int64()}})}};
  answer.truncated = true;
  answer.ignored_parameters = {"nope"};
  at.service.on_run = [&](const QueryRequest&) { return answer; };
  at.Serve();
  QueryRequest request;
  request.parameters = {{"project", "a b&\"c"}, {"sql", "select 1"}};
  request.redact_pii = true;
  request.int64_as_string = true;
  const std::string notes =
      "logquery: there are more rows than the endpoint's max rows\n"
      "logquery: the endpoint has no parameter nope; ignored\n=0";
  CHECK(at.Run(request) == answer.body.text() + notes);
  REQUIRE(at.service.requests().size() == 1);
  const QueryRequest got = at.service.requests()[0];
  CHECK(got.parameters == request.parameters);
  CHECK(got.redact_pii);
  CHECK(got.int64_as_string);

  RunArguments as_table;
  as_table.format = "table";
  CHECK(at.Run({}, as_table) ==
        " n  t                     s     m           \n"
        "──  ────────────────────  ────  ────────────\n"
        " 1  2026-03-04T05:06:07Z  x     [{\"a\":null}]\n"
        "20  NULL                  it's  []          \n"
        "(2 rows)\n" +
            notes);

  request.endpoint = "none";
  const std::string error = at.Run(request);
  CHECK(error.find(R"({"error":{"code":404)") == 0);
  CHECK(error.substr(error.size() - 2) == "=1");
  const std::string told = at.Run(request, as_table);
  INFO(told);
  CHECK(told.starts_with("logquery: "));
  CHECK(told.find("{\"error\"") == std::string::npos);
}

TEST_CASE("run asks the server for the requested format") {
  LocalServerFixture at;
  at.service.on_run = [](const QueryRequest& request) {
    return AnswerWith(request.format == RowFormat::kCsv ? "n\r\n1\r\n" : "{\"n\":1}\n");
  };
  at.Serve();
  QueryRequest request;
  request.format = RowFormat::kNdjson;
  CHECK(at.Run(request) == "{\"n\":1}\n=0");
  request.format = RowFormat::kCsv;
  request.csv_safe = true;
  CHECK(at.Run(request) == "n\r\n1\r\n=0");
  const auto requests = at.service.requests();
  REQUIRE(requests.size() == 2);
  CHECK(requests[0].format == RowFormat::kNdjson);
  CHECK_FALSE(requests[0].csv_safe);
  CHECK(requests[1].csv_safe);
}

TEST_CASE("options that a running server cannot apply to one call are rejected") {
  LocalServerFixture at;
  at.Serve();
  RunArguments arguments;
  arguments.service.now = "2026-01-15T08:00:00Z";
  CHECK(at.Run({}, arguments) == "logquery: a server has " + at.folder +
                                     " open and runs this query with its own settings: leave --now out, or give it "
                                     "to the server\n=2");
  QueryRequest twice;
  twice.parameters = {{"a", "1"}, {"a", "2"}};
  CHECK(at.Run(twice) == "logquery: parameter a is given twice\n=2");
  CHECK(at.service.requests().empty());
}

}  // namespace
}  // namespace logquery::shim
