// Bounds of a server that takes logs: memory, connections, quotas, and routes without --ingest.
#include <catch2/catch_test_macros.hpp>
#include <string>
#include <thread>

#include "lib/base/strings.h"
#include "tests/ingest/ingest_server.h"
#include "tests/ingest/shared_server.h"

namespace logquery::ingest_tests {
namespace {

TEST_CASE("bodies that never arrive hold only their declared size, and beyond the limit requests are told to wait") {
  const IngestServer server;  // 16 MiB for bodies
  Principal principal;
  principal.ingest = IngestRights();
  const std::string other = server.Token(principal);
  const auto head = [](const std::string& token) {
    return base::StrCat("POST ", kEdge, " HTTP/1.1\r\nHost: t\r\nX-API-KEY: ", token,
                        "\r\nContent-Length: 8388608\r\n\r\n[");
  };
  {
    const OpenConnection first(server.port());
    const OpenConnection second(server.port());
    REQUIRE(first.Send(head(server.writer())));
    while (server.Metric("logquery_ingest_held_bytes") < (8 << 20)) std::this_thread::yield();
    // The first token has more than its share, and the other one is served.
    const Response more = server.Post(kEdge, R"([{"message":"more","project":"abc"}])");
    CHECK(more.status == 429);
    CHECK(MessageOf(more) ==
          "logs of this token take all of the 4096 KiB that one token may have under way; send them again later");
    CHECK(server.Post(kEdge, R"([{"message":"more","project":"abc"}])", "", other).status == 200);
    REQUIRE(second.Send(head(other)));
    while (server.Metric("logquery_ingest_held_bytes") < (16 << 20)) std::this_thread::yield();
    const Response third = server.Post(kEdge, R"([{"message":"waits","project":"abc"}])");
    CHECK(third.status == 429);
    CHECK(third.Header("Retry-After") == "1");
    CHECK(server.Metric("logquery_ingest_refused_requests_total") == 2);
  }
  while (server.Metric("logquery_ingest_held_bytes") > 0) std::this_thread::yield();
  CHECK(server.Post(kEdge, R"([{"message":"waits","project":"abc"}])").status == 200);
  CHECK(CountOf(server, "waits") == 1);
}

TEST_CASE("a chunked body takes memory as it arrives") {
  const IngestServer server;
  const OpenConnection slow(server.port());
  const std::string filler(100'000, 'x');
  REQUIRE(slow.Send(base::StrCat("POST ", kEdge, " HTTP/1.1\r\nHost: t\r\nX-API-KEY: ", server.writer(),
                                 "\r\nTransfer-Encoding: chunked\r\n\r\n")));
  while (server.Metric("logquery_ingest_held_bytes") < 1) std::this_thread::yield();
  CHECK(server.Metric("logquery_ingest_held_bytes") == (64 << 10));
  const std::string begin = R"([{"message":"in chunks","project":"abc"},{"message":")";
  REQUIRE(slow.Send(base::StrCat("35\r\n", begin, "\r\n186A0\r\n", filler, "\r\n")));
  while (server.Metric("logquery_ingest_held_bytes") < 100'000) std::this_thread::yield();
  CHECK(server.Metric("logquery_ingest_held_bytes") == (128 << 10));
  REQUIRE(slow.Send("3\r\n\"}]\r\n0\r\n\r\n"));
  CHECK(slow.Receive().status == 200);
  CHECK(CountOf(server, "in chunks") == 1);
  while (server.Metric("logquery_ingest_held_bytes") > 0) std::this_thread::yield();
}

TEST_CASE("requests with logs take at most a quarter of the connections, and queries continue") {
  const IngestServer server(/*memory_mb=*/16, /*max_connections=*/8);
  const std::string head = base::StrCat("POST ", kEdge, " HTTP/1.1\r\nHost: t\r\nX-API-KEY: ", server.writer(),
                                        "\r\nContent-Length: 64\r\n\r\n[");
  {
    const OpenConnection first(server.port());
    const OpenConnection second(server.port());
    REQUIRE((first.Send(head) && second.Send(head)));
    while (server.Metric("logquery_ingest_held_bytes") < 128) std::this_thread::yield();
    const Response third = server.Post(kEdge, R"([{"message":"beside","project":"abc"}])");
    CHECK(third.status == 429);
    CHECK(third.Header("Retry-After") == "1");
    CHECK(MessageOf(third) == "2 requests with logs are under way, which is the limit; send them again later");
    CHECK(CountOf(server, "beside") == 0);
  }
  while (server.Metric("logquery_ingest_held_bytes") > 0) std::this_thread::yield();
  CHECK(server.Post(kEdge, R"([{"message":"beside","project":"abc"}])").status == 200);
  CHECK(CountOf(server, "beside") == 1);
}

TEST_CASE("a token's rows a second and bytes a day are bounded") {
  const IngestServer& server = Shared();
  Principal principal;
  principal.ingest = IngestRights{.rows_per_second = 1};
  const std::string rows = server.Token(principal);
  const std::string three = R"([{"message":"quota"},{"message":"quota"},{"message":"quota"}])";
  CHECK(server.Post(kEdge, three, "", rows).status == 200);
  const Response more = server.Post(kEdge, three, "", rows);
  CHECK(more.status == 429);
  CHECK_FALSE(more.Header("Retry-After").empty());
  principal.ingest = IngestRights{.bytes_per_day = 100};
  const std::string bytes = server.Token(principal);
  CHECK(server.Post(kEdge, three, "", bytes).status == 200);
  CHECK(server.Post(kEdge, three, "", bytes).status == 429);
}

TEST_CASE("a request without new events does not count against the token's quota") {
  const IngestServer& server = Shared();
  const std::string event = R"([{"message":"counted once"}])";
  Principal principal;
  principal.ingest = IngestRights{.bytes_per_day = static_cast<int64_t>(2 * event.size())};
  const std::string token = server.Token(principal);
  const std::string key = "Idempotency-Key: counted\r\n";
  CHECK(server.Post(kEdge, event, key, token).status == 200);
  for (int i = 0; i < 3; ++i) {
    CHECK(server.Post(kEdge, event, key, token).Header("Idempotent-Replayed") == "true");
    CHECK(server.Post(kEdge, R"([{"message":"another"}])", key, token).status == 422);
  }
  CHECK(server.Post(kEdge, event, "", token).status == 200);
  CHECK(server.Post(kEdge, event, "", token).status == 429);
}

TEST_CASE("without --ingest no route writes, and calls take no packed body") {
  const IngestServer server(/*memory_mb=*/0);
  for (const char* path : {"/api/logs?source_name=edge_logs", "/logs", "/api/events", "/v1/logs", "/api/logs/json"}) {
    CAPTURE(path);
    CHECK(server.Post(path, "[]", "Content-Type: application/json\r\n").status == 404);
  }
  CHECK(server.Get("/api/sources").status == 404);
  const Response packed = server.Post("/api/endpoints/query/logs.all", Pack(ContentCoding::kGzip, "{}"),
                                      "Content-Type: application/json\r\nContent-Encoding: gzip\r\n");
  CHECK(packed.status == 415);
  const Response long_body = server.Post("/api/endpoints/query/logs.all", std::string((1 << 20) + 1, ' '),
                                         "Content-Type: application/json\r\n");
  CHECK(long_body.status == 413);
  CHECK(MessageOf(long_body) == "the request's body is longer than 1 MiB");
}

TEST_CASE("with --ingest calls still take no packed body and none beyond 1 MiB") {
  const IngestServer& server = Shared();
  CHECK(server
            .Post("/api/endpoints/query/logs.all", Pack(ContentCoding::kGzip, "{}"),
                  "Content-Type: application/json\r\nContent-Encoding: gzip\r\n")
            .status == 415);
  CHECK(
      server
          .Post("/api/endpoints/query/logs.all", std::string((1 << 20) + 1, ' '), "Content-Type: application/json\r\n")
          .status == 413);
}

}  // namespace
}  // namespace logquery::ingest_tests
