// Logs in over HTTP: a real server and real sockets, from a collector's request to a row in an answer.
#include <catch2/catch_test_macros.hpp>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "absl/time/clock.h"
#include "lib/base/strings.h"
#include "tests/ingest/ingest_server.h"
#include "tests/ingest/shared_server.h"

namespace logquery::ingest_tests {
namespace {

TEST_CASE("events that a collector posts are in the next answer") {
  const IngestServer server;
  const Response response = server.Post(
      kEdge,
      R"([{"event_message":"GET /","project":"abc","metadata":{"request":{"method":"GET"}}},{"message":"second","project":"abc"}])",
      "Content-Type: application/json\r\n");
  CHECK(response.status == 200);
  CHECK(response.body == kLogged);
  CHECK(server.Query("select r.method from edge_logs cross join unnest(metadata) m cross join unnest(m.request) r") ==
        R"([{"method":"GET"}])");
  CHECK(CountOf(server, "second") == 1);
  CHECK(server.Metric("logquery_ingest_rows_total") == 2);
  CHECK(server.Metric("logquery_ingest_held_bytes") == 0);
}

TEST_CASE("all forms of a body, paths, and ways to send a token are accepted") {
  const IngestServer& server = Shared();
  const std::string event = R"({"event_message":"forms","project":"abc"})";
  const std::string bearer = base::StrCat("Authorization: Bearer ", server.writer(), "\r\n");
  int64_t expected = 0;
  const auto check = [&](const Response& response, int64_t rows) {
    INFO(response.body);
    CHECK(response.status == 200);
    CHECK(response.body == kLogged);
    expected += rows;
    CHECK(CountOf(server, "forms") == expected);
  };
  check(server.Post(kEdge, event), 1);
  check(server.Post(kEdge, "[" + event + "," + event + "]", "Content-Type: application/json; charset=utf-8\r\n"), 2);
  check(server.Post(kEdge, R"({"batch":[)" + event + "]}", bearer), 1);
  check(server.Post(kEdge, event + "\n" + event + "\n", "Content-Type: application/x-ndjson\r\n"), 2);
  check(server.Post(kEdge, event + "\n" + event), 2);
  check(server.Post(kEdge, Pack(ContentCoding::kGzip, event), "Content-Encoding: gzip\r\n"), 1);
  check(server.Post(kEdge, Pack(ContentCoding::kZstd, event), "Content-Encoding: zstd\r\n"), 1);
  for (const char* path : {"/logs?source_name=edge_logs", "/api/events?source=edge_logs", "/logs?source=EDGE_LOGS",
                           "/api/logs/cloudflare?source_name=cloudflare.logs.prod"}) {
    CAPTURE(path);
    check(server.Post(path, event), 1);
  }
  check(server.Post("/api/logs", event, "X-Source: edge_logs\r\n"), 1);
  check(server.Send(base::StrCat("POST ", kEdge, " HTTP/1.1\r\nHost: t\r\nX-API-KEY: ", server.writer(),
                                 "\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n29\r\n", event,
                                 "\r\n0\r\n\r\n")),
        1);
  CHECK(server.Post(kEdge, "[]").body == kLogged);
}

TEST_CASE("objects of any kind and events of Vector's become metadata") {
  const IngestServer& server = Shared();
  CHECK(server.Post("/api/logs/json?source_name=auth_logs", R"([{"level":"json form","project":"abc"}])").body ==
        kLogged);
  CHECK(server
            .Post("/logs/vector?source_name=auth_logs",
                  R"([{"message":"by vector","project":"abc","level":"vector form"}])")
            .body == kLogged);
  CHECK(server.Query("select m.level from auth_logs cross join unnest(metadata) m order by m.level") ==
        R"([{"level":"json form"},{"level":"vector form"}])");
  CHECK(CountOf(server, "by vector", "auth_logs") == 1);
}

TEST_CASE("CloudEvents in binary, structured and batched mode are rows") {
  const IngestServer& server = Shared();
  Principal principal;
  principal.ingest = IngestRights{.may_learn = true};
  const std::string token = server.Token(principal);
  constexpr char kPath[] = "/api/logs/cloud-event?source=auth_logs";
  const absl::Time first = absl::FromUnixMillis(absl::ToUnixMillis(absl::Now() - absl::Minutes(2)));
  const absl::Time second = first + absl::Minutes(1);
  const auto text = [](absl::Time time) { return absl::FormatTime("%Y-%m-%dT%H:%M:%E3SZ", time, absl::UTCTimeZone()); };
  const std::string binary = base::StrCat(
      "ce-specversion: 1.0\r\nce-id: one\r\nce-source: flyd\r\nCE-Type: io.fly.machine.start\r\nce-time: ", text(first),
      "\r\nContent-Type: application/json\r\n");
  CHECK(server.Post(kPath, R"({"machine_id":"148e","message":"cloud","project":"abc"})", binary, token).body ==
        kLogged);
  const std::string structured =
      base::StrCat(R"({"specversion":"1.0","id":"two","source":"flyd","type":"io.fly.machine.stop","time":")",
                   text(second), R"(","data":{"machine_id":"148e","message":"cloud","project":"abc"}})");
  CHECK(server.Post(kPath, structured, "Content-Type: application/cloudevents+json; charset=utf-8\r\n", token).body ==
        kLogged);
  const std::string batch = base::StrCat("[", structured, R"(,{"specversion":"1.0","id":"three"}])");
  const Json answer = Json::parse(
      server.Post(kPath, batch, "Content-Type: application/cloudevents-batch+json\r\n", token).body, nullptr, false);
  REQUIRE(answer["rejected"].size() == 1);
  CHECK(answer["rejected"][0]["index"] == 1);
  CHECK(answer["rejected"][0]["reason"].get<std::string>().starts_with("source is missing; each CloudEvent has"));
  const auto row = [](std::string_view id, std::string_view type, absl::Time time) {
    return base::StrCat(R"({"id":")", id, R"(","machine_id":"148e","type":")", type, R"(","timestamp":)",
                        absl::ToUnixMicros(time), "}");
  };
  const std::string stop = row("two", "io.fly.machine.stop", second);
  CHECK(server.Query("select t.id, m.machine_id, c.type, t.timestamp from auth_logs as t cross join "
                     "unnest(t.metadata) as m cross join unnest(m.cloud_event) as c where event_message = 'cloud' "
                     "order by t.timestamp, t.id") ==
        base::StrCat("[", row("one", "io.fly.machine.start", first), ",", stop, ",", stop, "]"));

  const Response without = server.Post(kPath, R"({"machine_id":"148e"})", "Content-Type: application/json\r\n");
  CHECK(without.status == 400);
  CHECK(
      MessageOf(without).find("specversion is missing; each CloudEvent has specversion, id, source and type as texts, "
                              "in binary mode as the headers ce-specversion") != std::string::npos);
  const Response twice = server.Post(kPath, "{}", base::StrCat(binary, "ce-id: two\r\n"));
  CHECK(twice.status == 400);
  CHECK(MessageOf(twice) == "the header \"ce-id\" stands twice");
  CHECK(server.Post(kPath, "x", "Content-Type: application/cloudevents+avro\r\n").status == 415);
}

TEST_CASE("invalid rows are reported, and the others are stored") {
  const IngestServer& server = Shared();
  const Response some = server.Post(
      kEdge,
      R"([{"message":"some","project":"abc"},{"timestamp":"yesterday"},[{}],{"message":"some","project":"abc"}])");
  CHECK(some.status == 200);
  const Json json = Json::parse(some.body);
  CHECK(json["message"] == "Logged!");
  REQUIRE(json["rejected"].size() == 2);
  CHECK(json["rejected"][0] == Json{{"index", 1}, {"reason", "timestamp is yesterday, which is no TIMESTAMP"}});
  CHECK(json["rejected"][1]["index"] == 2);
  CHECK(CountOf(server, "some") == 2);
  const Response none = server.Post(kEdge, R"([[{"message":"in an array"}]])");
  CHECK(none.status == 400);
  CHECK(MessageOf(none).starts_with("the event could not be taken: event 0: "));
}

TEST_CASE("only a token with the right to ingest writes, and only into its own logs and project") {
  const IngestServer& server = Shared();
  const std::string event = R"([{"message":"rights"}])";
  Principal principal;
  const std::string reader = server.Token(principal);
  principal.ingest = IngestRights{.logs = std::vector<std::string>{"auth_logs"}};
  const std::string auth = server.Token(principal);
  principal.ingest = IngestRights();
  principal.project_scope = "abc";
  const std::string abc = server.Token(principal);

  CHECK(server.Post(kEdge, event, "", "lq_unknown").status == 401);
  CHECK(server.Send(base::StrCat("POST ", kEdge, " HTTP/1.1\r\nHost: t\r\nContent-Length: 2\r\n\r\n[]")).status == 401);
  CHECK(server.Post(kEdge, event, "", reader).status == 403);
  CHECK(MessageOf(server.Post(kEdge, event, "", reader)).find("--may-ingest") != std::string::npos);
  CHECK(server.Post(kEdge, event, "", auth).status == 403);
  CHECK(server.Post("/logs?source_name=auth_logs", event, "", auth).status == 200);

  const Response own = server.Post(kEdge, R"([{"message":"own"},{"message":"own","project":"other"}])", "", abc);
  CHECK(own.status == 200);
  CHECK(Json::parse(own.body)["rejected"][0]["reason"] == "project is other, but the token may write only abc");
  CHECK(CountOf(server, "own") == 1);  // the query sees the project abc alone
  CHECK(Json::parse(server
                        .Send(base::StrCat("GET /api/sources HTTP/1.1\r\nHost: t\r\nX-API-KEY: ", auth,
                                           "\r\nConnection: close\r\n\r\n"))
                        .body)[0]["name"] == "gotrue.logs.prod");
  CHECK(server.Get("/api/backends").body == "[]");
}

TEST_CASE("a source has to be named, once, and to exist") {
  const IngestServer& server = Shared();
  const auto status = [&](const char* path) { return server.Post(path, "[]").status; };
  CHECK(status("/api/logs") == 400);
  CHECK(status("/api/logs?source_name=") == 400);
  CHECK(status("/api/logs?source_name=edge_logs&source=auth_logs") == 400);
  CHECK(status("/api/logs?source_name=edge_logs&source_name=edge_logs") == 400);
  for (const char* path : {"/api/logs?source_name=../../etc/passwd", "/api/logs?source_name=edge_logs%2F..%2Fauth_logs",
                           "/api/logs?source_name=edge_logs%00", "/api/logs?source_name=%22%3B%20drop%20table",
                           "/api/logs?source=b658a216-0aef-427e-bae8-9dfc68aad6dd"}) {
    CAPTURE(path);
    CHECK(status(path) == 404);
  }
  CHECK(MessageOf(server.Post("/api/logs?source_name=egde_logs", "[]")) ==
        "there is no log of the name \"egde_logs\"; did you mean edge_logs?");
}

TEST_CASE("a request with a key is stored once, and other events with the same key are rejected") {
  const IngestServer& server = Shared();
  const std::string event = R"([{"message":"once","project":"abc"},{"i'm":"no row","timestamp":false}])";
  const std::string key = "Idempotency-Key: batch-7\r\n";
  const Response first = server.Post(kEdge, event, key);
  CHECK(first.Header("Idempotent-Replayed").empty());
  const Response again = server.Post(kEdge, event, key);
  CHECK(again.status == 200);
  CHECK(again.body == first.body);
  CHECK(again.Header("Idempotent-Replayed") == "true");
  CHECK(CountOf(server, "once") == 1);
  const Response other = server.Post(kEdge, R"([{"message":"other"}])", key);
  CHECK(other.status == 422);
  CHECK(MessageOf(other).starts_with("the Idempotency-Key batch-7 came with other events"));
  // A key is its token's own.
  Principal principal;
  principal.ingest = IngestRights();
  CHECK(server.Post(kEdge, event, key, server.Token(principal)).Header("Idempotent-Replayed").empty());
  CHECK(CountOf(server, "once") == 2);
}

TEST_CASE("an invalid body is rejected with the reason, and nothing of it is stored") {
  struct Case {
    std::string name;
    std::string body;
    std::string headers;
    int status;
    std::string message;
  };
  const std::string event = R"({"message":"bad bodies","project":"abc"})";
  const std::string gzip = "Content-Encoding: gzip\r\n";
  const std::vector<Case> cases = {
      {"empty", "", "", 400, "the body is empty"},
      {"broken", "[" + event + ",", "", 400, "the body is not JSON: character 43"},
      {"no JSON", "hello", "", 400, "wanted an array of events"},
      {"deep", std::string(1 << 20, '['), "", 400, "the array does not end"},
      {"a form", "a=b", "Content-Type: application/x-www-form-urlencoded\r\n", 415, "application/json"},
      {"an unknown coding", event, "Content-Encoding: br\r\n", 415, "gzip"},
      {"two codings", event, "Content-Encoding: gzip, gzip\r\n", 415, "gzip"},
      {"not packed", event, gzip, 400, "no whole gzip"},
      {"cut", Pack(ContentCoding::kGzip, event).substr(0, 20), gzip, 400, "no whole gzip"},
      {"a bomb", Pack(ContentCoding::kGzip, "[" + event + "]" + std::string(70 << 20, ' ')), gzip, 413,
       "longer than 64 MiB when it is unpacked"},
      {"a bomb of zstd", Pack(ContentCoding::kZstd, "[" + event + "]" + std::string(70 << 20, ' ')),
       "Content-Encoding: zstd\r\n", 413, "longer than 64 MiB"},
      {"long", std::string((12 << 20) + 1, ' '), "", 413, "longer than 12 MiB"},
      {"many",
       "[" +
           std::string(400'000, '1')
               .replace(1, 399'998,
                        [] {
                          std::string list;
                          for (int i = 0; i < 200'000; ++i) list += ",1";
                          return list;
                        }()) +
           "]",
       "", 400, "more than 200000 events"},
      {"a key of spaces", event, "Idempotency-Key: a b\r\n", 400, "visible ASCII"},
  };
  const IngestServer server(/*memory_mb=*/128);
  for (const Case& c : cases) {
    CAPTURE(c.name);
    const Response response = server.Post(kEdge, c.body, c.headers);
    CHECK(response.status == c.status);
    INFO(response.body.substr(0, 300));
    CHECK(MessageOf(response).find(c.message) != std::string::npos);
  }
  CHECK(CountOf(server, "bad bodies") == 0);
  CHECK(server.Metric("logquery_ingest_held_bytes") == 0);
  CHECK(server.Get("/health").status == 200);
}

TEST_CASE("undeclared fields are kept as JSON, and become columns for tokens that may teach them") {
  const IngestServer server;
  CHECK(server.Post(kEdge, R"([{"message":"a","project":"abc","metadata":{"secret":1}}])").status == 200);
  CHECK(server.Query("select m.secret from edge_logs cross join unnest(metadata) m").find("\"code\":400") !=
        std::string::npos);
  Principal principal;
  principal.ingest = IngestRights{.may_learn = true};
  CHECK(server.Post(kEdge, R"([{"message":"b","project":"abc","metadata":{"learned":2}}])", "", server.Token(principal))
            .status == 200);
  CHECK(server.Query("select m.learned from edge_logs cross join unnest(metadata) m where event_message = 'b'") ==
        R"([{"learned":2}])");
}

TEST_CASE("the answer names fields whose values do not fit their column, also when a request is repeated") {
  const IngestServer server;
  Principal principal;
  principal.ingest = IngestRights{.may_learn = true};
  const std::string token = server.Token(principal);
  const auto event = [](const std::string& count) {
    return R"({"message":"m","project":"abc","metadata":{"count":)" + count + "}}";
  };
  CHECK(server.Post(kEdge, "[" + event("1") + "]", "", token).body == R"({"message":"Logged!"})");
  const std::string body = "[" + event("2") + "," + event(R"("many")") + "," + event(R"({"a":1})") + "]";
  const std::string named =
      R"({"message":"Logged!","stored_as_json":[{"field":"metadata.count","type":"INT64","values":2}]})";
  for (int i = 0; i < 2; ++i) CHECK(server.Post(kEdge, body, "Idempotency-Key: k\r\n", token).body == named);
  const auto otlp = [&](const std::string& count) {
    return server
        .Post("/v1/logs?source_name=edge_logs",
              R"({"resourceLogs":[{"scopeLogs":[{"logRecords":[{"body":{"stringValue":"m"},"attributes":[)"
              R"({"key":"project","value":{"stringValue":"abc"}},{"key":"count","value":)" +
                  count + "}]}]}]}]}",
              "Content-Type: application/json\r\n", token)
        .body;
  };
  CHECK(otlp(R"({"intValue":"1"})") == R"({"partialSuccess":{}})");
  const std::string warning = otlp(R"({"stringValue":"many"})");
  INFO(warning);
  CHECK(warning == R"({"partialSuccess":{"rejectedLogRecords":"0","errorMessage":"stored as JSON, as the column of )"
                   R"(attributes.count takes INT64: 1 value"}})");
  CHECK(server.Metric("logquery_ingest_misfit_values_total") == 3);
  CHECK(server.Query("select count(m.count) as c from edge_logs cross join unnest(metadata) m") == R"([{"c":2}])");
}

TEST_CASE("OpenTelemetry log records are stored, and rejected ones are counted") {
  const IngestServer& server = Shared();
  const auto body = [](const std::string& records) {
    return R"({"resourceLogs":[{"resource":{"attributes":[{"key":"project","value":{"stringValue":"abc"}}]},"scopeLogs":[{"logRecords":[)" +
           records + "]}]}]}";
  };
  const std::string record = base::StrCat(R"({"timeUnixNano":")", absl::ToUnixNanos(absl::Now() - absl::Minutes(1)),
                                          R"(","body":{"stringValue":"otlp"}})");
  const Response all =
      server.Post("/v1/logs?source_name=edge_logs", body(record), "Content-Type: application/json\r\n");
  CHECK(all.status == 200);
  CHECK(all.body == R"({"partialSuccess":{}})");
  const Response some =
      server.Post("/v1/logs", body(record + ",7"), "Content-Type: application/json\r\nX-Source: edge_logs\r\n");
  CHECK(some.status == 200);
  const Json partial = Json::parse(some.body)["partialSuccess"];
  CHECK(partial["rejectedLogRecords"] == "1");
  CHECK(partial["errorMessage"].get<std::string>().starts_with("event 1: "));
  CHECK(server.Post("/v1/logs?source_name=edge_logs", "\n\x01", "Content-Type: application/x-protobuf\r\n").status ==
        400);
  CHECK(server.Post("/v1/logs?source_name=edge_logs", "a=b", "Content-Type: application/x-www-form-urlencoded\r\n")
            .status == 415);
  CHECK(server.Post("/v1/logs?source_name=edge_logs", "[]", "Content-Type: application/json\r\n").status == 400);
  CHECK(CountOf(server, "otlp") == 2);
}

TEST_CASE("records that repeat a long resource are rejected before they take memory") {
  const IngestServer server;  // 16 MiB for bodies
  std::string body = R"({"resourceLogs":[{"resource":{"attributes":[{"key":"a","value":{"stringValue":")" +
                     std::string(1 << 20, 'x') + R"("}}]},"scopeLogs":[{"logRecords":[{})";
  for (int i = 1; i < 100'000; ++i) body += ",{}";
  body += "]}]}]}";
  const Response response = server.Post("/v1/logs?source_name=edge_logs", body, "Content-Type: application/json\r\n");
  CHECK(response.status == 413);
  CHECK(MessageOf(response) == "the rows of the body take more than 8 MiB; send its events in several requests");
  CHECK(server.Metric("logquery_ingest_held_bytes") == 0);
  CHECK(server.Query("select count(*) as n from edge_logs") == R"([{"n":0}])");
}

}  // namespace
}  // namespace logquery::ingest_tests
