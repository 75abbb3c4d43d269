// Requests byte for byte as collectors make them. The framing was read from their sources: Vector 0.49 (sinks/http, http.rs, and
// hyper's order of headers) and Fluent Bit 4.1 (out_http, out_opentelemetry, flb_http_client, flb_gzip). So was what they accept
// as an answer: Fluent Bit reads at most 4,095 bytes of one, head and all, and sends a batch again of which it could not read the
// answer.
#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>

#include "absl/time/clock.h"
#include "absl/time/time.h"
#include "lib/base/strings.h"
#include "lib/result/packer.h"
#include "tests/ingest/ingest_server.h"
#include "tests/support/wire_message.h"

namespace logquery::ingest_tests {
namespace {

using Json = nlohmann::json;
using testing::WireMessage;

constexpr char kLogged[] = R"({"message":"Logged!"})";
// The most of an answer that Fluent Bit reads.
constexpr size_t kFluentBitBytes = 4'095;

// A time that queries show, a minute ago, as RFC 3339 with so many digits of a second.
const absl::Time kThen = absl::FromUnixMicros(absl::ToUnixMicros(absl::Now() - absl::Minutes(1)));
std::string Then(std::string_view digits) {
  return absl::FormatTime(base::StrCat("%Y-%m-%dT%H:%M:%E", digits, "SZ"), kThen, absl::UTCTimeZone());
}

std::string Pack(ContentCoding coding, const std::string& text) {
  std::string packed;
  auto packer = result::MakePacker(coding, static_cast<int64_t>(text.size()));
  REQUIRE(packer.ok());
  REQUIRE((*packer)->Add(text, packed).ok());
  REQUIRE((*packer)->Finish(packed).ok());
  return packed;
}

// hyper writes names in lower case, in the order in which they were set; host and content-length come last.
std::string AsVector(const IngestServer& server, const std::string& path, const std::string& more,
                     const std::string& body) {
  return base::StrCat(
      "POST ", path, " HTTP/1.1\r\ncontent-type: application/json\r\n", more, "x-api-key: ", server.writer(),
      "\r\nuser-agent: Vector/0.49.0 (x86_64-unknown-linux-gnu 0000000 2025-08-12)\r\naccept-encoding: identity\r\n",
      "host: 127.0.0.1:", server.port(), "\r\ncontent-length: ", body.size(), "\r\n\r\n", body);
}

// Names as they are written in the program, Host and Content-Length first, then what the configuration has.
std::string AsFluentBit(const IngestServer& server, const std::string& path, const std::string& type,
                        const std::string& more, const std::string& body) {
  return base::StrCat("POST ", path, " HTTP/1.1\r\nHost: 127.0.0.1:", server.port(),
                      "\r\nContent-Length: ", body.size(), "\r\nContent-Type: ", type, "\r\n", more,
                      "User-Agent: Fluent-Bit\r\nX-API-KEY: ", server.writer(), "\r\n\r\n", body);
}

TEST_CASE("Vector's http sink: a batch as an array, plain and packed, on a connection that stays open") {
  const IngestServer server;
  const std::string path = "/api/logs?source_name=gotrue.logs.prod";
  // The body is as the codec json writes it: an array without blanks, its members in the order of their names.
  const std::string body =
      R"([{"appname":"supabase-auth","event_message":"{\"level\":\"info\"}","metadata":{"level":"info","msg":"request completed"},"project":"abc"},)"
      R"({"appname":"supabase-auth","event_message":"second","project":"abc","timestamp":")" +
      Then("9") + "\"}]";
  const OpenConnection connection(server.port());
  for (const auto& [more, packed] : {std::pair<std::string, std::string>{"", body},
                                     {"content-encoding: gzip\r\n", Pack(ContentCoding::kGzip, body)},
                                     {"content-encoding: zstd\r\n", Pack(ContentCoding::kZstd, body)}}) {
    CAPTURE(more);
    REQUIRE(connection.Send(AsVector(server, path, more, packed)));
    CHECK(connection.Receive().body == kLogged);
  }
  // Its codec for lines leaves the last line's end away.
  REQUIRE(connection.Send(
      AsVector(server, path, "",
               "{\"event_message\":\"a\",\"project\":\"abc\"}\n{\"event_message\":\"b\",\"project\":\"abc\"}")));
  CHECK(connection.Receive().body == kLogged);
  CHECK(server.Query("select count(*) as n, countif(event_message = 'second') as seconds from auth_logs") ==
        R"([{"n":8,"seconds":3}])");
}

TEST_CASE("Fluent Bit's http output: an array, lines and a stream of objects, packed by its own gzip") {
  const IngestServer server;
  const std::string path = "/api/logs?source_name=edge_logs";
  const std::string event =
      R"({"timestamp":")" + Then("6") + R"(","event_message":"GET /","project":"abc","kubernetes":{"pod":"a"}})";
  // Its gzip writes its own header and footer around a raw deflate stream: ours with other bytes for time and system.
  std::string packed = Pack(ContentCoding::kGzip, "[" + event + "," + event + "]");
  packed.replace(3, 7, std::string("\0\0\0\0\0\0\xff", 7));
  const OpenConnection connection(server.port());
  const auto send = [&](const std::string& type, const std::string& more, const std::string& body) {
    REQUIRE(connection.Send(AsFluentBit(server, path, type, more, body)));
    return connection.Receive();
  };
  CHECK(send("application/json", "", "[" + event + "]").body == kLogged);
  CHECK(send("application/json", "Content-Encoding: gzip\r\n", packed).body == kLogged);
  CHECK(send("application/json", "Content-Encoding: zstd\r\n", Pack(ContentCoding::kZstd, "[" + event + "]")).body ==
        kLogged);
  CHECK(send("application/x-ndjson", "", event + "\n" + event + "\n").body == kLogged);
  CHECK(send("application/json", "", event + event).status == 200);  // Format json_stream
  CHECK(send("application/msgpack", "", "\x91\x80").status == 415);
  CHECK(server.Query("select count(*) as n from edge_logs") == R"([{"n":8}])");
}

TEST_CASE(
    "an answer with many rejected events is short enough for Fluent Bit to read, so that it does not send them again") {
  const IngestServer server;
  std::string body = "[{\"event_message\":\"fine\",\"project\":\"abc\"}";
  for (int i = 0; i < 2'000; ++i) body += R"(,{"timestamp":")" + std::string(200, 'x') + "\"}";
  const Response some = server.Post("/api/logs?source_name=edge_logs", body + "]");
  CHECK(some.status == 200);
  CHECK(some.head.size() + some.body.size() < kFluentBitBytes);
  const Json json = Json::parse(some.body);
  CHECK(json["rejected_rows"] == 2'000);
  CHECK(json["rejected_by_reason"] == Json{{{"reason", "timestamp is no TIMESTAMP"}, {"rows", 2'000}}});
  CHECK(json["rejected"].size() > 1);
  CHECK(json["rejected"][0]["index"] == 1);
  const Response none =
      server.Post("/api/logs?source_name=edge_logs", "[{\"timestamp\":\"" + std::string(100'000, 'x') + "\"}]");
  CHECK(none.status == 400);
  CHECK(none.head.size() + none.body.size() < kFluentBitBytes);
  std::string all;
  for (int i = 0; i < 2'000; ++i)
    all += R"({"timestamp":"yesterday"})"
           "\n";
  const Response counted = server.Post("/api/logs?source_name=edge_logs", all);
  CHECK(counted.status == 400);
  CHECK(counted.body.find("none of the 2,000 events could be taken: event 0: ") != std::string::npos);
  CHECK(counted.body.find("; in all 2,000 events: timestamp is no TIMESTAMP") != std::string::npos);
}

TEST_CASE("Fluent Bit's and the Collector's log records in protobuf, and the answers that they read") {
  const IngestServer server(/*memory_mb=*/128);
  const auto record = [](const std::string& text) {
    return WireMessage()
        .Fixed64(1, static_cast<uint64_t>(absl::ToUnixNanos(kThen)))
        .Message(5, WireMessage().Text(1, text));
  };
  const WireMessage resource =
      WireMessage().Message(1, WireMessage().Text(1, "project").Message(2, WireMessage().Text(1, "abc")));
  const auto request = [&](const WireMessage& first, const WireMessage& second) {
    return WireMessage()
        .Message(1, WireMessage()
                        .Message(1, resource)
                        .Message(2, WireMessage().Message(1, WireMessage()).Message(2, first).Message(2, second)))
        .bytes();
  };
  const std::string body = request(record("by protobuf"), record("by protobuf"));
  const OpenConnection connection(server.port());
  const auto send = [&](const std::string& more, const std::string& bytes) {
    REQUIRE(connection.Send(
        AsFluentBit(server, "/v1/logs", "application/x-protobuf", "X-Source: edge_logs\r\n" + more, bytes)));
    return connection.Receive();
  };
  for (const Response& response : {send("", body), send("Content-Encoding: gzip\r\n", Pack(ContentCoding::kGzip, body)),
                                   send("Content-Encoding: zstd\r\n", Pack(ContentCoding::kZstd, body))}) {
    CHECK(response.status == 200);
    CHECK(response.Header("Content-Type") == "application/x-protobuf");
    CHECK(response.body.empty());
  }
  CHECK(server.Query("select event_message, timestamp from edge_logs group by 1, 2") ==
        base::StrCat(R"([{"event_message":"by protobuf","timestamp":)", absl::ToUnixMicros(kThen), "}]"));
  CHECK(server.Query("select count(*) as n from edge_logs") == R"([{"n":6}])");

  // One record of two is refused: its time is none.
  const Response some = send("", request(record("fine"), WireMessage().Fixed64(1, 7)));
  CHECK(some.status == 200);
  CHECK(some.body.starts_with("\x0a"));
  CHECK(some.body.substr(2, 2) == "\x08\x01");
  CHECK(some.body.find("event 1: timestamp is 7") != std::string::npos);

  // An error is a google.rpc.Status, whose field 2 is the message.
  const auto message_of = [](const Response& response) {
    CHECK(response.Header("Content-Type") == "application/x-protobuf");
    REQUIRE(response.body.size() > 2);
    CHECK(response.body[0] == '\x12');
    return response.body.substr(2);
  };
  const Response malformed = send("",
                                  "\x0a\x05"
                                  "abc");
  CHECK(malformed.status == 400);
  CHECK(
      message_of(malformed).ends_with("the body is not OTLP in protobuf: byte 2: a field is longer than its message; "
                                      "nothing of it is stored, and it is kept "
                                      "with the rejected events"));
  const Response stranger = server.Send(
      base::StrCat("POST /v1/logs HTTP/1.1\r\nHost: t\r\nX-API-KEY: lq_x\r\nX-Source: edge_logs\r\n",
                   "Content-Type: application/x-protobuf\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"));
  CHECK(stranger.status == 401);
  CHECK(message_of(stranger).find("token") != std::string::npos);
  CHECK(server.Post("/v1/logs?source_name=edge_logs", "", "Content-Type: application/x-protobuf\r\n").status == 200);
  CHECK(server
            .Post("/v1/logs?source_name=edge_logs", Pack(ContentCoding::kGzip, std::string(70 << 20, '\0')),
                  "Content-Type: application/x-protobuf\r\nContent-Encoding: gzip\r\n")
            .status == 413);
  CHECK(server.Metric("logquery_ingest_held_bytes") == 0);
}

}  // namespace
}  // namespace logquery::ingest_tests
