// Bad days of a server that receives logs: long bodies, slow and many clients, the same batch twice, odd clocks, a full disk.
#include <sys/mount.h>
#include <unistd.h>

#include <atomic>
#include <catch2/catch_test_macros.hpp>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <thread>
#include <vector>

#include "absl/cleanup/cleanup.h"
#include "absl/time/clock.h"
#include "lib/base/strings.h"
#include "logquery/clock.h"
#include "tests/ingest/ingest_server.h"

namespace logquery::ingest_tests {
namespace {

using Json = nlohmann::json;

constexpr char kEdge[] = "/api/logs?source_name=edge_logs";
constexpr char kLogged[] = R"({"message":"Logged!"})";

int64_t CountOf(const IngestServer& server, const std::string& expression = "*", const std::string& where = "true") {
  const std::string rows =
      server.Query(base::StrCat("select count(", expression, ") as n from edge_logs where ", where));
  const Json json = Json::parse(rows, nullptr, false);
  INFO(rows);
  REQUIRE((json.is_array() && json.size() == 1));
  return json[0]["n"].get<int64_t>();
}

TEST_CASE("a body of 12 MiB is taken, and one byte more is not") {
  const IngestServer server(/*memory_mb=*/128);
  const std::string begin = R"([{"project":"abc","message":")";
  const std::string end = "\"}]";
  const size_t most = 12 << 20;
  const std::string body = begin + std::string(most - begin.size() - end.size(), 'x') + end;
  CHECK(server.Post(kEdge, body).body == kLogged);
  CHECK(server.Post(kEdge, body + " ").status == 413);
  // The length of a body in chunks is found out on the way.
  const std::string chunked =
      base::StrCat("POST ", kEdge, " HTTP/1.1\r\nHost: t\r\nX-API-KEY: ", server.writer(),
                   "\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\nC00001\r\n", body, " \r\n0\r\n\r\n");
  CHECK(server.Send(chunked).status == 413);
  CHECK(CountOf(server, "*", "length(event_message) > 12000000") == 1);
  CHECK(server.Metric("logquery_ingest_held_bytes") == 0);
}

TEST_CASE("times of this century are kept even if a sender's clock is far off, others are rejected") {
  const IngestServer server;
  const Response response = server.Post(
      kEdge,
      R"([{"message":"old","project":"abc","timestamp":"2000-01-01T00:00:00Z"},{"message":"late","project":"abc","timestamp":"2099-12-31T23:59:59.999999Z"},)"
      R"({"message":"x","timestamp":"1970-01-01T00:00:00Z"},{"message":"x","timestamp":4133980800},{"message":"x","timestamp":0},)"
      R"({"message":"x","timestamp":-1},{"message":"x","timestamp":"9999-12-31T23:59:59Z"},{"message":"x","timestamp":"+292277026596-12-04T15:30:07Z"},)"
      R"({"message":"x","timestamp":1e300}])");
  CHECK(response.status == 200);
  const Json rejected = Json::parse(response.body)["rejected"];
  REQUIRE(rejected.size() == 7);
  for (size_t i = 0; i < rejected.size(); ++i) {
    CHECK(rejected[i]["index"] == i + 2);
    CHECK(rejected[i]["reason"].get<std::string>().find("timestamp") != std::string::npos);
  }
  CHECK(server.Metric("logquery_ingest_rows_total") == 2);
  // Older rows than a tier shows are kept, but not shown.
  CHECK(server.Query("select event_message, timestamp from edge_logs") ==
        R"([{"event_message":"late","timestamp":4102444799999999}])");
}

TEST_CASE("the same batch from two clients is stored once under one token's key, and twice without") {
  const IngestServer server;
  constexpr int kClients = 8;
  const auto send = [&](const std::string& message, const std::string& headers) {
    std::atomic<int> answered{0}, repeated{0};
    std::vector<std::thread> clients;
    for (int i = 0; i < kClients; ++i) {
      clients.emplace_back([&] {
        const Response response = server.Post(kEdge, R"([{"project":"abc","message":")" + message + "\"}]", headers);
        answered += response.status == 200;
        repeated += response.Header("Idempotent-Replayed") == "true";
      });
    }
    for (std::thread& client : clients) client.join();
    CHECK(answered == kClients);
    return repeated.load();
  };
  CHECK(send("keyed", "Idempotency-Key: the-batch\r\n") == kClients - 1);
  CHECK(CountOf(server, "*", "event_message = 'keyed'") == 1);
  CHECK(send("plain", "") == 0);
  CHECK(CountOf(server, "*", "event_message = 'plain'") == kClients);
}

TEST_CASE("a client that sends byte by byte delays no other client") {
  const IngestServer server;
  const OpenConnection slow(server.port());
  const std::string body = R"([{"message":"slow","project":"abc"}])";
  const std::string request = base::StrCat("POST ", kEdge, " HTTP/1.1\r\nHost: t\r\nX-API-KEY: ", server.writer(),
                                           "\r\nContent-Length: ", body.size(), "\r\n\r\n", body);
  for (size_t i = 0; i < request.size(); ++i) {
    REQUIRE(slow.Send(request.substr(i, 1)));
    if (i % 20 == 0) CHECK(server.Post(kEdge, R"([{"message":"fast","project":"abc"}])").status == 200);
  }
  CHECK(slow.Receive().body == kLogged);
  CHECK(CountOf(server, "*", "event_message = 'slow'") == 1);
}

TEST_CASE("clients that send a byte per second are disconnected and their memory freed, while others are served",
          "[nightly]") {
  const IngestServer server(/*memory_mb=*/128);
  Principal principal;
  principal.ingest = IngestRights();
  const std::string other = server.Token(principal);
  std::vector<std::unique_ptr<OpenConnection>> slow;
  for (int i = 0; i < 10; ++i) {
    slow.push_back(std::make_unique<OpenConnection>(server.port()));
    REQUIRE(slow.back()->Send(base::StrCat("POST ", kEdge, " HTTP/1.1\r\nHost: t\r\nX-API-KEY: ", server.writer(),
                                           "\r\nContent-Length: 1000000\r\n\r\n[")));
  }
  while (server.Metric("logquery_ingest_held_bytes") < 10'000'000) std::this_thread::yield();
  int fast = 0;
  bool open = true;
  while (open) {
    open = server.Metric("logquery_ingest_held_bytes") > 0;
    for (const auto& connection : slow) [[maybe_unused]] const bool sent = connection->Send(" ");
    CHECK(server.Post(kEdge, R"([{"message":"fast","project":"abc"}])", "", other).status == 200);
    ++fast;
    absl::SleepFor(absl::Seconds(1));
  }
  for (const auto& connection : slow) {
    const int status = connection->Receive().status;
    CHECK((status == 408 || status == 0));
  }
  CHECK(fast > 5);
  CHECK(CountOf(server) == fast);
}

TEST_CASE("ten concurrent clients send a million rows, and each row is stored once", "[nightly]") {
  const IngestServer server(/*memory_mb=*/128);
  constexpr int kClients = 10;
  constexpr int kRequests = 100;
  constexpr int kRows = 1'000;
  std::atomic<int> waited{0}, failed{0};
  std::vector<std::thread> clients;
  for (int client = 0; client < kClients; ++client) {
    clients.emplace_back([&, client] {
      for (int request = 0; request < kRequests;) {
        std::string body = "[";
        for (int row = 0; row < kRows; ++row) {
          base::StrAppend(&body, row > 0 ? "," : "", R"({"project":"abc","id":")", client, "-", request, "-", row,
                          R"(","message":"GET /","metadata":{"request":{"method":"GET","path":"/)", row,
                          R"("},"response":{"status_code":200}}})");
        }
        const Response response =
            server.Post(kEdge, body + "]", base::StrCat("Idempotency-Key: ", client, "-", request, "\r\n"));
        if (response.status == 200) {
          ++request;
        } else if (response.status == 429 && !response.Header("Retry-After").empty()) {
          ++waited;
          absl::SleepFor(absl::Milliseconds(50));
        } else {
          ++failed;
          return;
        }
      }
    });
  }
  for (std::thread& client : clients) client.join();
  CHECK(failed == 0);
  CHECK(CountOf(server) == kClients * kRequests * kRows);
  CHECK(CountOf(server, "distinct id") == kClients * kRequests * kRows);
  CHECK(server.Metric("logquery_ingest_held_bytes") == 0);
}

// A file system of so many MiB on a folder, for as long as it lives.
class SmallDisk {
 public:
  SmallDisk(std::filesystem::path folder, int mebibytes) : folder_(std::move(folder)) {
    const std::string size = base::StrCat("size=", mebibytes, "m");
    is_there_ = mount("tmpfs", folder_.c_str(), "tmpfs", 0, size.c_str()) == 0;
    problem_ = is_there_ ? "" : std::strerror(errno);
  }
  ~SmallDisk() {
    if (is_there_) umount2(folder_.c_str(), MNT_DETACH);
  }
  SmallDisk(const SmallDisk&) = delete;
  SmallDisk& operator=(const SmallDisk&) = delete;
  // Empty: it is there.
  const std::string& problem() const { return problem_; }

 private:
  const std::filesystem::path folder_;
  bool is_there_ = false;
  std::string problem_;
};

TEST_CASE("when the disk fills, acknowledged rows are stored and the other requests are told to retry") {
  std::unique_ptr<SmallDisk> disk;
  IngestServer server(/*memory_mb=*/128, /*max_connections=*/512, [&disk](const std::filesystem::path& data) {
    disk = std::make_unique<SmallDisk>(data, 160);
    if (!disk->problem().empty()) return;
    std::ofstream(data / "filler") << std::string(60 << 20, 'x');
  });
  const absl::Cleanup unmount = [&disk] { disk = nullptr; };  // before the folder is removed
  if (!disk->problem().empty()) SKIP("no file system can be mounted here: " << disk->problem());
  const auto body = [](int request) {
    std::string rows = "[";
    for (int row = 0; row < 500; ++row) {
      base::StrAppend(&rows, row > 0 ? "," : "", R"({"project":"abc","id":")", request, "-", row, R"(","message":")",
                      std::string(8'000, 'x'), "\"}");
    }
    return rows + "]";
  };
  int answered = 0;
  Response response;
  while (answered < 100) {
    response = server.Post(kEdge, body(answered));
    if (response.status != 200) break;
    ++answered;
  }
  INFO(response.body);
  CHECK(answered > 1);
  REQUIRE(response.status == 503);
  CHECK(response.Header("Retry-After") == "5");
  CHECK(response.body.find("the disk is full") != std::string::npos);
  // The disk stays full, and queries go on.
  CHECK(server.Post(kEdge, body(answered)).status == 503);
  CHECK(CountOf(server) == answered * 500);
  CHECK(server.Get("/health").status == 200);
  std::filesystem::remove(server.data() / "filler");
  CHECK(server.Post(kEdge, body(answered)).status == 200);
  ++answered;
  CHECK(CountOf(server, "distinct id") == answered * 500);
  CHECK(server.End(SIGKILL) == -SIGKILL);
  server.Start();
  CHECK(CountOf(server) == answered * 500);
  CHECK(CountOf(server, "distinct id") == answered * 500);
  CHECK(server.End(SIGTERM) == 0);
}

}  // namespace
}  // namespace logquery::ingest_tests
