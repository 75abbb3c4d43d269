// Supabase's stack: a server as the example's compose file starts it, requests as the stock collector makes them, and rows as the
// dashboard reads them.
#include <unistd.h>

#include <array>
#include <catch2/catch_test_macros.hpp>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "lib/base/strings.h"
#include "tests/ingest/ingest_server.h"
#include "tests/support/folders.h"

namespace logquery::ingest_tests {
namespace {

constexpr char kPublic[] = "f2b1c9d07a5e4836a1f0c5a7e9d3b4628c0d";
constexpr char kPrivate[] = "07d9e3b4628c0df2b1c9a5e4836a1f0c5a7e";

const std::string kEndpoints = testing::SourcePath("examples/supabase/endpoints");
const std::string kCompose = testing::SourcePath("examples/supabase/docker-compose.logquery.yml");

// The lines NAME: VALUE of the compose file's part of that name, which is a map of texts.
std::vector<std::pair<std::string, std::string>> MapOf(const std::string& part) {
  std::ifstream file(kCompose);
  std::vector<std::pair<std::string, std::string>> entries;
  size_t indent = 0;
  for (std::string line; std::getline(file, line);) {
    const size_t begin = line.find_first_not_of(' ');
    if (begin == std::string::npos || line[begin] == '#') continue;
    if (indent > 0 && begin <= indent) break;
    const std::string_view text = std::string_view(line).substr(begin);
    const size_t colon = text.find(": ");
    if (indent > 0) {
      std::string value(text.substr(colon + 2));
      if (value.starts_with('"')) value = value.substr(1, value.size() - 2);
      entries.emplace_back(text.substr(0, colon), value);
    } else if (text.starts_with(part + ":")) {
      indent = begin;
    }
  }
  return entries;
}

// A server with the environment that the compose file gives it, but for paths and the address, and the tokens of an .env file.
// Its output comes to Line.
class Stack {
 public:
  Stack(const std::string& folder, const std::string& public_token) {
    const std::map<std::string, std::string> here = {{"LOGQUERY_DATA", folder},
                                                     {"LOGQUERY_LISTEN", "127.0.0.1:0"},
                                                     {"LOGQUERY_ENDPOINTS", kEndpoints},
                                                     {"LOGFLARE_PUBLIC_ACCESS_TOKEN", public_token},
                                                     {"LOGFLARE_PRIVATE_ACCESS_TOKEN", kPrivate}};
    std::string command = "exec env PATH=" + testing::BuildPath("bin") + ":$PATH";
    const auto environment = MapOf("environment");
    REQUIRE(environment.size() > here.size());
    for (const auto& [name, value] : environment) {
      const auto other = here.find(name);
      base::StrAppend(&command, " ", name, "='", other == here.end() ? value : other->second, "'");
    }
    command += " sh -c 'echo $$; exec logquery serve' 2>&1";
    pipe_ = popen(command.c_str(), "r");
    REQUIRE(pipe_ != nullptr);
    process_ = std::stoi(Line());
  }
  ~Stack() {
    if (pipe_ != nullptr) End();
  }
  Stack(const Stack&) = delete;
  Stack& operator=(const Stack&) = delete;

  // Empty: it has ended.
  std::string Line() {
    std::array<char, 4'096> line;
    return fgets(line.data(), line.size(), pipe_) == nullptr ? std::string() : std::string(line.data());
  }
  // Lines up to one that has the text; that one. Empty: there is none.
  std::string Await(std::string_view text) {
    std::string line = Line();
    while (!line.empty() && line.find(text) == std::string::npos) line = Line();
    return line;
  }
  int End() {
    kill(process_, SIGTERM);
    const int status = pclose(pipe_);
    pipe_ = nullptr;
    return status;
  }

 private:
  FILE* pipe_ = nullptr;
  pid_t process_ = 0;
};

class Folder {
 public:
  Folder() {
    path_ = (std::filesystem::temp_directory_path() / "logquery-supabase-XXXXXX").string();
    REQUIRE(mkdtemp(path_.data()) != nullptr);
  }
  ~Folder() { std::filesystem::remove_all(path_); }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

// Asks as the dashboard's server does.
Response Ask(int port, const std::string& endpoint, const std::string& parameters) {
  const OpenConnection connection(port);
  connection.Send(base::StrCat("GET /api/endpoints/query/", endpoint, "?project=default&", parameters,
                               " HTTP/1.1\r\nhost: analytics:4000\r\nx-api-key: ", kPrivate,
                               "\r\nContent-Type: application/json\r\nAccept: application/json\r\n\r\n"));
  return connection.Receive();
}

int PortIn(const std::string& line) {
  const size_t colon = line.rfind(':');
  return colon == std::string::npos ? 0 : std::stoi(line.substr(colon + 1));
}

Response Send(int port, const std::string& request) {
  const OpenConnection connection(port);
  connection.Send(request);
  return connection.Receive();
}

// Sends a batch as Vector's http sink does with the codec json.
Response SendAsVector(int port, const std::string& source, const std::string& event) {
  const std::string body = base::StrCat("[", event, "]");
  return Send(port,
              base::StrCat("POST /api/logs?source_name=", source, " HTTP/1.1\r\ncontent-type: application/json\r\n",
                           "x-api-key: ", kPublic, "\r\nuser-agent: Vector/0.28.1\r\naccept-encoding: identity\r\n",
                           "host: analytics:4000\r\ncontent-length: ", body.size(), "\r\n\r\n", body));
}

TEST_CASE("the stack's collector writes to a server of the example's compose file, and its dashboard reads") {
  const Folder folder;
  Stack stack(folder.path(), kPublic);
  const int port = PortIn(stack.Await("listening on"));
  REQUIRE(port != 0);
  struct Sent {
    const char* source;
    const char* log;
    const char* event;
  };
  const Sent sent[] = {
      {"gotrue.logs.prod", "auth_logs",
       R"({"appname":"supabase-auth","event_message":"{\"level\":\"info\",\"msg\":\"request completed\"}","metadata":{"level":"info","msg":"request completed","path":"/token","duration":1234567,"timestamp":"2026-01-15T08:00:00Z"},"project":"default"})"},
      {"realtime.logs.prod", "realtime_logs",
       R"({"appname":"realtime-dev.supabase-realtime","event_message":"Billing metrics","metadata":{"external_id":"default","level":"info","project":"default"}})"},
      {"postgREST.logs.prod", "postgrest_logs",
       R"({"appname":"supabase-rest","event_message":"Schema cache loaded","metadata":{"host":"default"},"project":"default"})"},
      {"postgres.logs", "postgres_logs",
       R"({"appname":"supabase-db","event_message":"checkpoint starting: time","metadata":{"host":"db-default","parsed":{"error_severity":"LOG","timestamp":"2026-01-15T08:00:00.000Z"}},"project":"default"})"},
      {"deno-relay-logs", "function_edge_logs",
       R"({"appname":"supabase-edge-functions","event_message":"serving the request","metadata":{"project_ref":"default"}})"},
      {"storage.logs.prod.2", "storage_logs",
       R"({"appname":"supabase-storage","event_message":"GET | 200","metadata":{"context":[{"host":"storage","pid":1}],"level":"info","project":"default","tenantId":"default","timestamp":1768464000000}})"},
      {"cloudflare.logs.prod", "edge_logs",
       R"({"appname":"supabase-kong","event_message":"GET /rest/v1/ HTTP/1.1","metadata":{"request":{"headers":{"cf_connecting_ip":"192.0.2.1","user_agent":"curl"},"method":"GET","path":"/rest/v1/","protocol":"HTTP/1.1"},"response":{"status_code":200}},"project":"default"})"},
  };
  for (const Sent& one : sent) {
    CAPTURE(one.source);
    const Response response = SendAsVector(port, one.source, one.event);
    INFO(response.body);
    CHECK(response.status == 200);
    CHECK(response.body == R"({"message":"Logged!"})");
    const Response rows =
        Send(port, base::StrCat("GET /api/endpoints/query/logs.all?project=default&sql=select+count(*)+as+n+from+",
                                one.log, " HTTP/1.1\r\nHost: t\r\nx-api-key: ", kPrivate, "\r\n\r\n"));
    CHECK(rows.body == R"({"result":[{"n":1}]})");
  }
  // The collector's token reads nothing; the dashboard's writes nothing.
  CHECK(Send(port, base::StrCat("GET /api/endpoints/query/logs.all?project=default HTTP/1.1\r\nHost: t\r\nx-api-key: ",
                                kPublic, "\r\n\r\n"))
            .status == 404);
  CHECK(Send(port, base::StrCat("POST /api/logs?source_name=edge_logs HTTP/1.1\r\nHost: t\r\nx-api-key: ", kPrivate,
                                "\r\nContent-Length: 2\r\n\r\n[]"))
            .status == 403);
  CHECK(stack.End() == 0);
  // Another secret in .env ends the old one.
  Stack again(folder.path(), "4836a1f0c5a7e9d3b4628c0df2b1c9d07a5e");
  const int other = PortIn(again.Await("listening on"));
  REQUIRE(other != 0);
  CHECK(SendAsVector(other, sent[0].source, sent[0].event).status == 401);
}

TEST_CASE("each log and each endpoint that the dashboard names answers, without rows and with some") {
  const Folder folder;
  Stack stack(folder.path(), kPublic);
  const int port = PortIn(stack.Await("listening on"));
  REQUIRE(port != 0);
  for (const char* log :
       {"edge_logs", "postgres_logs", "function_logs", "function_edge_logs", "auth_logs", "auth_audit_logs",
        "realtime_logs", "storage_logs", "postgrest_logs", "supavisor_logs", "pgbouncer_logs", "pg_upgrade_logs",
        "pg_cron_logs", "etl_replication_logs", "multigres_logs"}) {
    CAPTURE(log);
    CHECK(Ask(port, "logs.all", base::StrCat("sql=select+id,+timestamp,+event_message,+metadata+from+", log)).body ==
          R"({"result":[]})");
  }
  const std::string function = "interval=7day&function_id=f";
  const std::string range = "iso_timestamp_start=2026-01-15T00:00:00.000Z&iso_timestamp_end=2026-01-16T00:00:00.000Z";
  CHECK(Ask(port, "usage.api-requests-count", "").body == R"({"result":[{"count":0}]})");
  CHECK(Ask(port, "usage.api-counts", "interval=1hr").body == R"({"result":[]})");
  CHECK(Ask(port, "service-health", range + "&granularity=hour").body == R"({"result":[]})");
  for (const char* endpoint : {"functions.combined-stats", "functions.req-stats", "functions.resource-usage"}) {
    CHECK(Ask(port, endpoint, function).status == 200);
  }
  // The collector brings fields that no built-in log has, to logs that are built in and to others.
  CHECK(SendAsVector(port, "storage.logs.prod.2",
                     R"({"event_message":"GET | 404","metadata":{"project":"default","level":"info",)"
                     R"("req":{"method":"GET","url":"/object/a"},"res":{"statusCode":404}}})")
            .status == 200);
  CHECK(SendAsVector(port, "supavisor_logs", R"({"event_message":"ready","metadata":{"level":"info"}})").status == 200);
  CHECK(SendAsVector(port, "cloudflare.logs.prod",
                     R"({"event_message":"GET /","metadata":{"request":{"path":"/rest/v1/"}},"unknown":1})")
            .status == 200);
  CHECK(
      Ask(port, "logs.all",
          "sql=select+q.url,+s.statusCode+from+storage_logs+cross+join+unnest(metadata)+as+m+cross+join+unnest(m.req)+"
          "as+q+cross+join+unnest(m.res)+as+s")
          .body == R"({"result":[{"url":"/object/a","statusCode":404}]})");
  CHECK(Ask(port, "logs.all", "sql=select+event_message+from+supavisor_logs").body ==
        R"({"result":[{"event_message":"ready"}]})");
  CHECK(stack.End() == 0);
}

TEST_CASE("the published secrets of the stack's example are rejected, with advice how to make one") {
  const Folder folder;
  Stack stack(folder.path(), "your-super-secret-and-long-logflare-key-public");
  const std::string told = stack.Await("openssl rand -hex 32");
  CHECK(told.find("LOGFLARE_PUBLIC_ACCESS_TOKEN: the token has \"your-super-secret\"") != std::string::npos);
  CHECK(stack.End() != 0);
}

}  // namespace
}  // namespace logquery::ingest_tests
