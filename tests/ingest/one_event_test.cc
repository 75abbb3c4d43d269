// One bad event in a body costs this event and no other: in each form, over a real server, with what the answer says and what
// is kept. Also the forms that other senders have, as they send them.
#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "absl/time/clock.h"
#include "lib/base/strings.h"
#include "lib/result/packer.h"
#include "tests/ingest/ingest_server.h"
#include "tests/support/end_of_run.h"
#include "tests/support/wire_message.h"

namespace logquery::ingest_tests {
namespace {

using Json = nlohmann::json;
using testing::WireMessage;

constexpr char kLogged[] = R"({"message":"Logged!"})";
constexpr char kJsonType[] = "Content-Type: application/json\r\n";

IngestServer& Shared() {
  static std::unique_ptr<IngestServer>& server = *new auto(std::make_unique<IngestServer>(/*memory_mb=*/128));
  static const bool ends = [] {
    testing::AtEnd([] { server.reset(); });
    return true;
  }();
  CHECK(ends);
  return *server;
}

Json RowsOf(const IngestServer& server, const std::string& sql) {
  const std::string rows = server.Query(sql);
  Json json = Json::parse(rows, nullptr, false);
  INFO(rows);
  REQUIRE(json.is_array());
  return json;
}

int64_t CountOf(const IngestServer& server, std::string_view message, std::string_view log = "edge_logs") {
  return RowsOf(server,
                base::StrCat("select count(*) as n from ", log, " where event_message = '", message, "'"))[0]["n"]
      .get<int64_t>();
}

// All rejected events that are kept.
std::string Kept(const IngestServer& server) {
  std::string text;
  for (const auto& entry : std::filesystem::directory_iterator(server.data() / "rejected")) {
    std::ifstream file(entry.path(), std::ios::binary);
    text.append(std::istreambuf_iterator<char>(file), {});
  }
  return text;
}

// Texts as programs send them; `bad` is within a JSON string.
struct BadText {
  std::string_view name;
  std::string_view value;  // JSON
};

TEST_CASE("an invalid text in a batch only rejects its own event, in each form of body") {
  const IngestServer& server = Shared();
  const std::string deep = std::string(300, '[') + std::string(300, ']');
  const BadText bad_texts[] = {{"latin-1", "\"caf\xe9\""}, {"control", "\"a\x1d\""}, {"NaN", "NaN"}, {"deep", deep}};
  struct Form {
    std::string_view path;
    std::string_view begin;
    std::string_view between;
    std::string_view end;
    std::string_view type;
  };
  const Form forms[] = {
      {"/api/logs", "[", ",", "]", "application/json"},
      {"/logs", R"({"batch":[)", ",", "]}", "application/json"},
      {"/api/logs/json", "[", ",", "]", "application/json"},
      {"/api/logs/vector", "[", ",", "]", "application/json"},
      {"/api/events/cloudflare", "[", ",", "]", "application/json"},
      {"/api/logs", "", "\n", "\n", "application/x-ndjson"},
      {"/api/logs", "", "", "", "application/json"},
  };
  int number = 0;
  for (const Form& form : forms) {
    for (const BadText& bad : bad_texts) {
      CAPTURE(form.path, form.begin, bad.name);
      const std::string good = base::StrCat(R"({"message":"good )", ++number, R"(","project":"abc"})");
      const std::string id = base::StrCat("bad-", number);
      const std::string body =
          base::StrCat(form.begin, good, form.between, R"({"id":")", id, R"(","project":"abc","message":)", bad.value,
                       "}", form.between, good, form.end);
      const Response response = server.Post(base::StrCat(form.path, "?source_name=edge_logs"), body,
                                            base::StrCat("Content-Type: ", form.type, "\r\n"));
      INFO(response.body);
      REQUIRE(response.status == 200);
      const Json rejected = Json::parse(response.body)["rejected"];
      REQUIRE(rejected.size() == 1);
      CHECK(rejected[0]["index"] == 1);
      CHECK_FALSE(rejected[0]["reason"].get<std::string>().empty());
      const std::string message = form.path.ends_with("/json") ? good : base::StrCat("good ", number);
      CHECK(CountOf(server, message) == 2);
      CHECK(Kept(server).find(base::StrCat(R"({"id":")", id, R"(","project":"abc","message":)", bad.value, "}")) !=
            std::string::npos);
    }
  }
  CHECK(server.Metric("logquery_ingest_held_bytes") == 0);
}

TEST_CASE("an unpaired surrogate becomes U+FFFD in each form of body") {
  const IngestServer& server = Shared();
  const std::string body = R"([{"message":"whole","project":"abc"},{"message":"cut \ud83d","project":"abc"}])";
  const std::string batch = R"({"batch":)" + body + "}";
  int64_t rows = 0;
  for (const char* path : {"/api/logs", "/api/logs/vector", "/logs/cloudflare"}) {
    for (const std::string& sent : {body, batch}) {
      CHECK(server.Post(base::StrCat(path, "?source_name=postgres_logs"), sent).body == kLogged);
      CHECK(CountOf(server, "cut \xEF\xBF\xBD", "postgres_logs") == ++rows);
    }
  }
  CHECK(server.Post("/api/logs/json?source_name=postgres_logs", body).body == kLogged);
  CHECK(CountOf(server, R"({"message":"cut \\ufffd","project":"abc"})", "postgres_logs") == 1);
  const std::string otlp =
      R"({"resourceLogs":[{"resource":{"attributes":[{"key":"project","value":{"stringValue":"abc"}}]},"scopeLogs":[{"logRecords":[)"
      R"({"body":{"stringValue":"whole"}},{"body":{"stringValue":"cut \ud83d"}}]}]}]})";
  CHECK(server.Post("/v1/logs?source_name=postgres_logs", otlp, kJsonType).body == R"({"partialSuccess":{}})");
  CHECK(CountOf(server, "cut \xEF\xBF\xBD", "postgres_logs") == ++rows);
}

TEST_CASE("an invalid OpenTelemetry record is reported in partialSuccess, in both encodings") {
  const IngestServer& server = Shared();
  const auto message = [](int number) { return base::StrCat("record ", number); };
  const auto body = [&](const std::string& bad) {
    return base::StrCat(
        R"({"resourceLogs":[{"resource":{"attributes":[{"key":"project","value":{"stringValue":"abc"}}]},)",
        R"("scopeLogs":[{"logRecords":[{"body":{"stringValue":")", message(1), R"("}},)", bad,
        R"(,{"body":{"stringValue":")", message(2), R"("}}]}]}]})");
  };
  int64_t rows = 0;
  const auto check = [&](const Json& partial, std::string_view reason) {
    INFO(partial.dump());
    CHECK(partial["rejectedLogRecords"] == "1");
    CHECK(partial["errorMessage"].get<std::string>().find(reason) != std::string::npos);
    CHECK(CountOf(server, message(1)) == ++rows);
    CHECK(CountOf(server, message(2)) == rows);
  };
  for (const auto& [bad, reason] : std::vector<std::pair<std::string, std::string>>{
           {"{\"body\":{\"stringValue\":\"\xff\xfe\"}}", "event 1: column 24: text that is not valid UTF-8"},
           {R"({"body":NaN})", "wanted a value, found 'N'"},
           {R"({"attributes":"x"})", "attributes are \"x\""},
           {R"({"timeUnixNano":"soon"})", "timestamp is soon, which is no TIMESTAMP"}}) {
    CAPTURE(bad);
    const Response response = server.Post("/v1/logs?source_name=edge_logs", body(bad), kJsonType);
    REQUIRE(response.status == 200);
    check(Json::parse(response.body)["partialSuccess"], reason);
  }
  const auto record = [](std::string_view text) { return WireMessage().Message(5, WireMessage().Text(1, text)); };
  const WireMessage scope_logs =
      WireMessage().Message(2, record(message(1))).Message(2, record("\xff")).Message(2, record(message(2)));
  const WireMessage resource =
      WireMessage().Message(1, WireMessage().Text(1, "project").Message(2, WireMessage().Text(1, "abc")));
  const std::string request =
      WireMessage().Message(1, WireMessage().Message(1, resource).Message(2, scope_logs)).bytes();
  const Response response =
      server.Post("/v1/logs?source_name=edge_logs", request, "Content-Type: application/x-protobuf\r\n");
  REQUIRE(response.status == 200);
  // partial_success {rejected_log_records: 1, error_message: "event 1: …"}
  CHECK(response.body.find("\x08\x01") != std::string::npos);
  CHECK(response.body.find("event 1: column 24: text that is not valid UTF-8") != std::string::npos);
  CHECK(CountOf(server, message(1)) == ++rows);
  CHECK(CountOf(server, message(2)) == rows);
}

TEST_CASE("an OpenTelemetry request without logs is not reported as a success") {
  const IngestServer& server = Shared();
  const auto partial = [&](const std::string& body) {
    const Response response = server.Post("/v1/logs?source_name=edge_logs", body, kJsonType);
    CHECK(response.status == 200);
    return Json::parse(response.body)["partialSuccess"].dump();
  };
  CHECK(partial(R"({"resourceLogs":[]})") == "{}");
  CHECK(partial(R"({"resourceSpans":[{}]})").find("which are traces") != std::string::npos);
  CHECK(partial(R"({"anything":1})").find(R"(wanted resourceLogs)") != std::string::npos);
  const std::string warned =
      partial(R"({"resourceLogs":[{"scopeLogs":[{"logRecords":[{"body":"warned","project":"abc"}]}]}]})");
  CHECK(warned ==
        R"({"errorMessage":"a record's member \"project\" is unknown and was not stored","rejectedLogRecords":"0"})");
}

TEST_CASE("a body in which no events are found is a 400, and kept once") {
  const IngestServer& server = Shared();
  const std::string body = R"([{"message":"of a broken body","project":"abc"},{"message":"cut)";
  for (int i = 0; i < 3; ++i) {
    const Response response = server.Post("/api/logs?source_name=edge_logs", body);
    CHECK(response.status == 400);
    CHECK(Json::parse(response.body)["error"]["message"] ==
          "the body is not JSON: character 49: the array does not end behind this event; nothing of it is stored, and "
          "it is "
          "kept with the rejected events");
  }
  CHECK(CountOf(server, "of a broken body") == 0);
  const std::string kept = Kept(server);
  const size_t at = kept.find(body);
  REQUIRE(at != std::string::npos);
  CHECK(kept.find(body, at + 1) == std::string::npos);
}

TEST_CASE("10 MB in one request, as Vector and rsyslog send it, with one bad event") {
  const IngestServer& server = Shared();
  std::string body = "[";
  int events = 0;
  while (body.size() < 10'000'000) {
    base::StrAppend(&body, R"({"message":"of ten","project":"abc","metadata":{"request":{"path":"/)", ++events, "/",
                    std::string(900, 'p'), "\"}}},");
  }
  body += "{\"message\":\"\xff\",\"project\":\"abc\"}]";
  const Response response = server.Post("/api/logs?source_name=edge_logs", body);
  CHECK(response.status == 200);
  CHECK(Json::parse(response.body)["rejected"][0]["index"] == events);
  CHECK(CountOf(server, "of ten") == events);
}

TEST_CASE("a project at the top or in the resource reaches logs that have it in their metadata") {
  const IngestServer& server = Shared();
  const std::string otlp =
      R"({"resourceLogs":[{"resource":{"attributes":[{"key":"project","value":{"stringValue":"abc"}}]},"scopeLogs":[{"logRecords":[)"
      R"({"body":{"stringValue":"owned"}}]}]}]})";
  for (const char* log : {"function_logs", "function_edge_logs", "realtime_logs", "storage_logs"}) {
    CAPTURE(log);
    CHECK(server.Post(base::StrCat("/v1/logs?source_name=", log), otlp, kJsonType).body == R"({"partialSuccess":{}})");
    CHECK(server.Post(base::StrCat("/api/logs/vector?source_name=", log), R"([{"message":"owned","project":"abc"}])")
              .body == kLogged);
    CHECK(server.Post(base::StrCat("/api/logs?source_name=", log), R"({"message":"owned","project":"abc"})").body ==
          kLogged);
    CHECK(CountOf(server, "owned", log) == 3);  // the query sees the project abc alone
  }
}

TEST_CASE("entries of Cloudflare's Logpush have their time and their text") {
  const IngestServer& server = Shared();
  const int64_t now = absl::ToUnixNanos(absl::Now() - absl::Minutes(5));
  const std::string first =
      base::StrCat(R"({"EdgeStartTimestamp":)", now, R"(,"ClientIP":"192.0.2.1","project":"abc"})");
  const std::string second = base::StrCat(
      R"({"EdgeStartTimestamp":")",
      absl::FormatTime("%Y-%m-%dT%H:%M:%SZ", absl::FromUnixNanos(now), absl::UTCTimeZone()), R"(","project":"abc"})");
  const std::string lines = first + "\n" + second + "\n{\"broken\n";
  std::string packed;
  auto packer = result::MakePacker(ContentCoding::kGzip, static_cast<int64_t>(lines.size()));
  REQUIRE(packer.ok());
  REQUIRE((*packer)->Add(lines, packed).ok());
  REQUIRE((*packer)->Finish(packed).ok());
  packed += std::string(512, '\0');  // a filled block
  const Response response = server.Post("/api/logs/cloudflare?source_name=pgbouncer_logs", packed,
                                        "Content-Type: text/plain; charset=utf-8\r\nContent-Encoding: gzip\r\n");
  INFO(response.body);
  REQUIRE(response.status == 200);
  CHECK(Json::parse(response.body)["rejected"].size() == 1);
  const Json rows = RowsOf(server, "select event_message, timestamp from pgbouncer_logs order by timestamp desc");
  REQUIRE(rows.size() == 2);
  CHECK(rows[0]["event_message"] == first);
  CHECK(rows[0]["timestamp"] == now / 1'000);
  CHECK(rows[1]["event_message"] == second);
  CHECK(rows[1]["timestamp"] == now / 1'000'000'000 * 1'000'000);
}

TEST_CASE("Logflare's other paths accept their senders' formats") {
  const IngestServer& server = Shared();
  struct Case {
    std::string_view path;
    std::string body;
    std::string message;
    std::string type = "application/json";
  };
  const int64_t now = absl::ToUnixMillis(absl::Now() - absl::Minutes(5));
  const std::string report = R"({"age":10,"type":"csp-violation","project":"abc"})";
  const std::string hook = R"({"action":"opened","project":"abc"})";
  const std::string netlify = R"({"log_type":"traffic","status_code":200})";
  const Case cases[] = {
      {"vercel",
       base::StrCat(R"([{"id":"v1","message":"from vercel","timestamp":)", now,
                    R"(,"source":"lambda","project":"abc"}])"),
       "from vercel"},
      {"zeit", R"([{"message":"from zeit","project":"abc"}])", "from zeit"},
      {"netlify",
       base::StrCat(R"([{"timestamp":)", now, R"(,"log_type":"traffic","status_code":200,"project":"abc"}])"), netlify},
      {"github", hook, hook},
      {"browser/reports", "[" + report + "]", report, "application/reports+json"},
      {"elixir/logger", R"({"batch":[{"message":"from elixir","project":"abc"}]})", "from elixir"},
      {"erlang", R"({"batch":[{"message":"from erlang","project":"abc"}]})", "from erlang"},
  };
  for (const std::string_view prefix : {"/api/logs/", "/api/events/", "/logs/"}) {
    for (const Case& c : cases) {
      CAPTURE(prefix, c.path);
      const int64_t before = CountOf(server, c.message, "postgrest_logs");
      const Response response = server.Post(base::StrCat(prefix, c.path, "?source_name=postgrest_logs"), c.body,
                                            base::StrCat("Content-Type: ", c.type, "\r\n"));
      CHECK(response.body == kLogged);
      CHECK(CountOf(server, c.message, "postgrest_logs") == before + 1);
    }
  }
}

TEST_CASE("errors of ingest quote no addresses to a token that mandates redaction") {
  const IngestServer& server = Shared();
  Principal principal;
  principal.ingest = IngestRights();
  principal.redact_pii = true;
  const std::string token = server.Token(principal);
  const std::string bad = R"({"timestamp":"192.0.2.77","project":"abc"})";
  for (const auto& [path, body] : std::vector<std::pair<std::string, std::string>>{
           {"/api/logs", "[" + bad + "]"},
           {"/api/logs", R"([{"message":"redacted","project":"abc"},)" + bad + "]"},
           {"/v1/logs", R"({"resourceLogs":[{"scopeLogs":[{"logRecords":[{"timeUnixNano":"192.0.2.77"}]}]}]})"},
           {"/v1/logs", R"({"192.0.2.77":1})"}}) {
    const Response response = server.Post(path + "?source_name=edge_logs", body, kJsonType, token);
    INFO(response.body);
    CHECK(response.body.find("192.0.2.77") == std::string::npos);
    CHECK(response.body.find("REDACTED") != std::string::npos);
  }
  CHECK(server.Post("/api/logs?source_name=edge_logs", "[" + bad + "]").body.find("192.0.2.77") != std::string::npos);
}

}  // namespace
}  // namespace logquery::ingest_tests
