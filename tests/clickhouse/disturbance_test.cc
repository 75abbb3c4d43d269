// Failures between here and ClickHouse: each is a status that says what, and the next call works again.
#include <catch2/catch_test_macros.hpp>
#include <memory>
#include <string>
#include <vector>

#include "lib/base/strings.h"
#include "lib/engines/clickhouse/backend/clickhouse_source.h"
#include "tests/clickhouse/click_house_or_skip.h"
#include "tests/clickhouse/scripted_server.h"
#include "tests/engines/disturbance_checks.h"

namespace logquery::clickhouse {
namespace {

using base::StrCat;
using testing::ClickHouseOrSkip;
using testing::EngineUnderTest;
using testing::OneColumn;
using testing::RowBinary;
using testing::RunFragment;
using Sink = testing::CallingSink;
using testing::ScriptedServer;
using testing::WholeAnswer;

constexpr char kOne[] = "SELECT toInt64(5) AS c1";
constexpr testing::EngineStatements kStatements = {
    .one = kOne,
    .many = "SELECT toInt64(number) AS c1 FROM numbers(3000000)",
    .endless = "SELECT toInt64(count()) AS c1 FROM numbers(1000000000000) WHERE sipHash64(number) = 1",
    .count_running = "SELECT count() FROM system.processes WHERE Settings['log_comment'] LIKE 'logquery-%'"};

std::shared_ptr<ClickHouseSource> SourceOf(const ClickHouseOptions& options) {
  return std::make_shared<ClickHouseSource>(options, Catalog());
}

EngineUnderTest<ClickHouseOrSkip> EngineOf(ClickHouseOrSkip& server) {
  return {server, SourceOf(server.Options({})), kStatements};
}

// Options for a server that is none of ClickHouse's.
ClickHouseOptions OptionsFor(const ScriptedServer& server) {
  ClickHouseOptions options;
  options.hosts = {server.url()};
  options.user = "u";
  return options;
}

bool Works(FragmentSource& source) { return testing::ReturnsOneRow(source, kOne); }

TEST_CASE("a statement runs, is cancelled, and is gone from ClickHouse", "[clickhouse]") {
  ClickHouseOrSkip server;
  testing::CheckCancelledCall(EngineOf(server));
}

TEST_CASE("ClickHouse's limits of time, memory and rows read end a statement", "[clickhouse]") {
  ClickHouseOrSkip server;
  server.Sql("CREATE TABLE logs.t (n Int64) ENGINE = MergeTree ORDER BY n");
  server.Sql("INSERT INTO logs.t SELECT number FROM numbers(1000)");
  ClickHouseOptions options = server.Options({});
  options.statement_timeout = absl::Seconds(1);
  options.max_rows_to_read = 100;
  options.max_server_memory_bytes = 50 << 20;
  const auto source = SourceOf(options);
  REQUIRE(source->ReadCatalog().ok());
  Sink sink;
  CHECK(absl::IsResourceExhausted(RunFragment(*source, OneColumn("SELECT n AS c1 FROM logs.t"), sink)));
  options.max_rows_to_read = 1'000'000'000'000'000;
  const auto wider = SourceOf(options);
  REQUIRE(wider->ReadCatalog().ok());
  CHECK(absl::IsDeadlineExceeded(RunFragment(*wider, OneColumn(kStatements.endless), sink)));
  const absl::Status memory =
      RunFragment(*wider, OneColumn("SELECT toInt64(length(groupArray(number))) AS c1 FROM numbers(100000000)"), sink);
  INFO(memory.ToString());
  CHECK(absl::IsResourceExhausted(memory));
  CHECK(Works(*wider));
}

TEST_CASE("a sink's error ends ClickHouse's statement with its status", "[clickhouse]") {
  ClickHouseOrSkip server;
  testing::CheckSinkError(EngineOf(server));
}

TEST_CASE("an error in the middle of ClickHouse's rows is the call's, and the next call's rows are its own",
          "[clickhouse]") {
  ClickHouseOrSkip server;
  const auto source = SourceOf(server.Options({}));
  for (int i = 0; i < 3; ++i) {
    Sink sink;
    const absl::Status status = RunFragment(
        *source, OneColumn("SELECT toInt64(throwIf(number = 400000, 'secret words')) AS c1 FROM numbers(500000)"),
        sink);
    CHECK(absl::IsInternal(status));
    CHECK(base::Message(status).find("secret words") != std::string_view::npos);
    CHECK(base::Message(status).find("(code 395)") != std::string_view::npos);
    CHECK(sink.rows() > 0);
    CHECK(Works(*source));
  }
  Sink sink;
  CHECK(absl::IsInternal(RunFragment(*source, OneColumn("SELECT no_such AS c1"), sink)));
  CHECK(absl::IsInternal(RunFragment(*source, OneColumn("SELECT 'text' AS c1"), sink)));
  CHECK(absl::IsInternal(RunFragment(*source, OneColumn("SELECT toUInt64('18446744073709551615') AS c1"), sink)));
  CHECK(Works(*source));
}

TEST_CASE("a ClickHouse that restarts is Unavailable while it is away, and used again after", "[clickhouse]") {
  ClickHouseOrSkip server;
  CHECK(testing::CheckRestart(EngineOf(server)) ==
        absl::UnavailableError("ClickHouse can't be reached, or has ended the connection; try again"));
}

TEST_CASE("a hanging ClickHouse blocks neither a cancelled call nor one beyond its time limit", "[clickhouse]") {
  ClickHouseOrSkip server;
  const auto engine = EngineOf(server);
  testing::CheckHangingServer(engine);
  CHECK(engine.Works());
}

TEST_CASE("the next host is asked where one is away, full or has no trusted certificate", "[clickhouse]") {
  ClickHouseOrSkip server;
  ScriptedServer full("HTTP/1.1 503 Service Unavailable\r\nContent-Length: 0\r\n\r\n");
  ScriptedServer overloaded(
      "HTTP/1.1 500 E\r\nX-ClickHouse-Exception-Code: 202\r\nContent-Length: 15\r\n\r\nCode: 202. many!");
  ClickHouseOptions options = server.Options({});
  options.hosts = {"http://127.0.0.1:1", full.url(), overloaded.url(),
                   "https://127.0.0.1:" + std::to_string(server.port()), server.url() + "/"};
  const auto source = SourceOf(options);
  CHECK(Works(*source));
  const int asked = full.requests();
  CHECK(asked == 1);
  // Servers that failed are left out for a while.
  CHECK(Works(*source));
  CHECK(full.requests() == asked);
  server.Stop();
  Sink sink;
  CHECK(absl::IsUnavailable(RunFragment(*source, OneColumn(kOne), sink)));
  server.Start();
  CHECK(Works(*source));
}

TEST_CASE("a probe finds out whether one of ClickHouse's hosts is available", "[clickhouse]") {
  ClickHouseOrSkip server;
  const ScriptedServer other("HTTP/1.1 502 Bad Gateway\r\nContent-Length: 0\r\n\r\n");
  ClickHouseOptions options = server.Options({});
  options.hosts = {"http://127.0.0.1:1", other.url(), server.url()};
  const absl::Status away = testing::CheckProbe(EngineUnderTest(server, SourceOf(options), kStatements));
  CHECK(base::Message(away).find(StrCat(other.url(), ": it answers /ping with 502; ")) != std::string_view::npos);
}

TEST_CASE("an answer that is cut, garbled or another's is an error, never fewer rows", "[clickhouse]") {
  const std::string good = RowBinary(3);
  const std::string error = "Code: 241. DB::Exception: Memory limit exceeded (MEMORY_LIMIT_EXCEEDED)";
  const std::string framed = StrCat("\r\n__exception__\r\nabcdefghijklmnop\r\n", error, "\n", error.size() + 1,
                                    " abcdefghijklmnop\r\n__exception__\r\n");
  struct Case {
    std::string answer;
    absl::StatusCode code;
  };
  const std::vector<Case> cases = {
      {WholeAnswer(good), absl::StatusCode::kOk},
      {WholeAnswer(RowBinary(0)), absl::StatusCode::kOk},
      {"", absl::StatusCode::kUnavailable},
      {"HTTP/1.1 200 OK\r\n", absl::StatusCode::kUnavailable},
      {WholeAnswer(good).substr(0, WholeAnswer(good).size() - 5), absl::StatusCode::kUnavailable},
      {WholeAnswer(good.substr(0, good.size() - 5)), absl::StatusCode::kUnavailable},
      {WholeAnswer(good.substr(0, 4)), absl::StatusCode::kUnavailable},
      {WholeAnswer(""), absl::StatusCode::kUnavailable},
      {StrCat("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n22\r\n", good, "\r\n"),
       absl::StatusCode::kUnavailable},
      {StrCat("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n22\r\n", good, "\r\n0\r\n\r\n"),
       absl::StatusCode::kOk},
      {WholeAnswer("<html>a login page</html>"), absl::StatusCode::kUnavailable},
      {WholeAnswer(good, "Content-Encoding: gzip\r\n"), absl::StatusCode::kUnavailable},
      {"HTTP/1.1 302 Found\r\nLocation: http://127.0.0.1:1/\r\nContent-Length: 0\r\n\r\n", absl::StatusCode::kInternal},
      {"HTTP/1.1 404 Not Found\r\nContent-Length: 4\r\n\r\nnone", absl::StatusCode::kInternal},
      {"HTTP/1.1 502 Bad Gateway\r\nContent-Length: 0\r\n\r\n", absl::StatusCode::kUnavailable},
      {"no HTTP at all\r\n\r\n", absl::StatusCode::kUnavailable},
      {WholeAnswer(std::string("\x01\x02"
                               "c1\x06"
                               "String\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\x01",
                               20)),
       absl::StatusCode::kInternal},
      {WholeAnswer(std::string("\x01\x02"
                               "c1\x06"
                               "String",
                               11)),
       absl::StatusCode::kInternal},
      {WholeAnswer(good + framed, "X-ClickHouse-Exception-Tag: abcdefghijklmnop\r\n"),
       absl::StatusCode::kResourceExhausted},
      // A version without tags cuts the connection after the error's text.
      {StrCat("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n22\r\n", good, "\r\n47\r\n", error, "\r\n"),
       absl::StatusCode::kResourceExhausted},
      {"HTTP/1.1 500 E\r\nX-ClickHouse-Exception-Code: 159\r\nContent-Length: 2\r\n\r\nno",
       absl::StatusCode::kDeadlineExceeded},
  };
  for (const Case& each : cases) {
    CAPTURE(each.answer);
    ScriptedServer server(each.answer);
    const auto source = SourceOf(OptionsFor(server));
    Sink sink;
    const absl::Status status = RunFragment(*source, OneColumn(kOne), sink);
    INFO(status.ToString());
    CHECK(status.code() == each.code);
    CHECK(base::Message(status).find(server.url()) == std::string_view::npos);
  }
}

TEST_CASE("text in rows that resembles a ClickHouse error is not taken for one", "[clickhouse]") {
  const std::string text = "__exception__\r\nCode: 241. DB::Exception: a log of another server";
  std::string body(
      "\x01\x02"
      "c1\x06"
      "String",
      11);
  body += static_cast<char>(text.size());
  body += text;
  ScriptedServer server(WholeAnswer(body, "X-ClickHouse-Exception-Tag: abcdefghijklmnop\r\n"));
  const auto source = SourceOf(OptionsFor(server));
  Sink sink;
  CHECK(RunFragment(*source, OneColumn(kOne, Type::String()), sink).ok());
  CHECK(sink.rows() == 1);
}

TEST_CASE("a statement has the labels of its call as log_comment, and its trace as a header", "[clickhouse]") {
  ScriptedServer server("HTTP/1.1 500 E\r\nX-ClickHouse-Exception-Code: 159\r\nContent-Length: 2\r\n\r\nno");
  const auto source = SourceOf(OptionsFor(server));
  Sink sink;
  const CallTags tags = {{{"team", "a"}, {"session", "s-1"}},
                         "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"};
  CHECK(absl::IsDeadlineExceeded(source->RunForCall(OneColumn(kOne), {}, {tags}, CancellationToken(), sink)));
  const std::string request = server.last_request();
  CAPTURE(request);
  CHECK(request.find("&log_comment=%7B%22team%22%3A%22a%22%2C%22session%22%3A%22s-1%22%7D") != std::string::npos);
  CHECK(request.find("traceparent: 00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01\r\n") != std::string::npos);
  CHECK(absl::IsDeadlineExceeded(RunFragment(*source, OneColumn(kOne), sink)));
  CHECK(server.last_request().find("log_comment") == std::string::npos);
  CHECK(server.last_request().find("traceparent") == std::string::npos);
}

}  // namespace
}  // namespace logquery::clickhouse
