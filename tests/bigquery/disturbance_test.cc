// Failures between here and BigQuery: each is a status that says what, and the next call works again.
#include <atomic>
#include <catch2/catch_test_macros.hpp>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "absl/synchronization/notification.h"
#include "lib/base/strings.h"
#include "lib/engines/bigquery/backend/bigquery_source.h"
#include "tests/bigquery/value_tables.h"
#include "tests/engines/disturbance_checks.h"

namespace logquery::bigquery {
namespace {

using base::StrCat;
using testing::Answer;
using testing::OneColumn;
using testing::RunCancelled;
using testing::ValueHost;
using Sink = testing::CallingSink;

constexpr char kSchema[] = R"({"t": {"columns": {"n": "INT64", "s": "STRING"}}})";
constexpr char kEndless[] =
    "SELECT COUNT(*) AS c1 FROM `test-project.logs.t` AS a, `test-project.logs.t` AS b, "
    "`test-project.logs.t` AS c, `test-project.logs.t` AS d WHERE a.n + b.n + c.n + d.n = -1";
constexpr char kOne[] = "SELECT 5 AS c1";
constexpr char kAll[] = "SELECT n AS c1 FROM `test-project.logs.t` AS t1";
constexpr int kRows = 1'000;

// A host with one table of a thousand rows, and a source that asks it.
struct Pair {
  Pair() {
    Table table;
    table.name = "t";
    table.columns = {{"n", Type::Int64()}, {"s", Type::String()}};
    std::vector<std::vector<Value>> rows;
    for (int i = 0; i < kRows; ++i) rows.push_back({Value::Int64(i), Value::String("x")});
    host = std::make_unique<ValueHost>(testing::ValueTable{table, std::move(rows)}, kSchema);
    Open(host->Options());
  }
  void Open(const BigQueryOptions& options) {
    auto made = MakeBigQuerySource(options);
    INFO(made.status().ToString());
    REQUIRE(made.ok());
    source = *std::move(made);
  }
  absl::Status Run(const std::string& text, BatchSink& sink) const {
    return testing::RunFragment(*source, OneColumn(text), sink);
  }
  bool Works() const {
    host->SetIntercept(nullptr);
    Sink sink;
    return Run(kOne, sink).ok() && sink.rows() == 1;
  }
  // Has the next request whose line begins so answered by this, `times` times.
  void Next(const std::string& line, const Answer& answer, int times = 1) const {
    const auto left = std::make_shared<std::atomic<int>>(times);
    host->SetIntercept([line, answer, left](const std::string& request, const std::string&) -> std::optional<Answer> {
      if (!request.starts_with(line) || left->fetch_sub(1) <= 0) return std::nullopt;
      return answer;
    });
  }

  std::unique_ptr<ValueHost> host;
  std::shared_ptr<BigQuerySource> source;
};

constexpr char kQuery[] = "POST /bigquery/v2/projects/test-project/queries";
constexpr char kResults[] = "GET /bigquery/v2/projects/test-project/queries/";

std::string Told(int code, const std::string& reason, const std::string& message = "secret words") {
  return StrCat(R"({"error":{"code":)", code, R"(,"message":")", message, R"(","errors":[{"reason":")", reason,
                R"("}]}})");
}

TEST_CASE("a statement runs as one job with the options for jobs") {
  Pair pair;
  BigQueryOptions options = pair.host->Options();
  options.labels = {{"service", "logquery"}};
  options.location = "EU";
  options.max_bytes_billed = 12'345;
  options.page_rows = 300;
  pair.Open(options);
  pair.host->SetPolls(2);
  Sink sink;
  CHECK(pair.Run(kAll, sink).ok());
  CHECK(sink.rows() == kRows);
  const auto queries = pair.host->queries();
  REQUIRE(queries.size() == 1);
  CHECK(queries[0]["maximumBytesBilled"] == "12345");
  CHECK(queries[0]["labels"]["service"] == "logquery");
  CHECK(queries[0]["location"] == "EU");
  CHECK(queries[0]["useLegacySql"] == false);
  CHECK(pair.host->problems().empty());
  CHECK(pair.host->jobs() == 1);
  CHECK(pair.host->tokens() == 1);
}

TEST_CASE("a job has the labels of its call and of the options, which override the call's") {
  Pair pair;
  BigQueryOptions options = pair.host->Options();
  options.labels = {{"service", "logquery"}};
  pair.Open(options);
  Sink sink;
  const CallTags tags = {{{"service", "other"}, {"team", "a"}}, ""};
  CHECK(pair.source->RunForCall(OneColumn(kOne), {}, {tags}, CancellationToken(), sink).ok());
  const auto queries = pair.host->queries();
  REQUIRE(queries.size() == 1);
  CHECK(queries[0]["labels"] == nlohmann::ordered_json{{"service", "logquery"}, {"team", "a"}});
  CHECK(pair.host->problems().empty());
}

TEST_CASE("a cancelled call ends its job at BigQuery, before the first answer too") {
  Pair pair;
  for (int i = 0; i < 2; ++i) {
    Sink sink;
    const size_t before = pair.host->queries().size();
    CHECK(absl::IsCancelled(RunCancelled(*pair.source, OneColumn(kEndless), sink, [&] {
      while (pair.host->queries().size() == before) std::this_thread::yield();
    })));
    while (pair.host->cancelled().size() <= static_cast<size_t>(i)) std::this_thread::yield();
    CHECK(pair.Works());
  }
  // The request that asked for the job's name had the same requestId.
  CHECK(pair.host->jobs() == 4);
  CHECK(pair.host->problems().empty());
}

TEST_CASE("a sink's error ends the reading with its status") {
  Pair pair;
  pair.host->SetPageRows(10);
  Sink sink([] { return absl::ResourceExhaustedError("that is enough"); });
  CHECK(pair.Run(kAll, sink) == absl::ResourceExhaustedError("that is enough"));
  CHECK(sink.rows() == 10);
  CHECK(pair.Works());
}

TEST_CASE("throttled, failed and lost requests are retried, and start one job") {
  Pair pair;
  for (const Answer& answer :
       std::vector<Answer>{{429, Told(429, "rateLimitExceeded")},
                           {403, Told(403, "rateLimitExceeded")},
                           {500, Told(500, "backendError")},
                           {502, "<html>Bad gateway</html>"},
                           {503, Told(503, "backendError"), {{"Retry-After", "0"}}},
                           {200, StrCat("{\"jobComplete\":true,", std::string(1'000, ' '), "}"), {}, true}}) {
    CAPTURE(answer.status, answer.cut);
    pair.Next(kQuery, answer, 3);
    Sink sink;
    const absl::Status status = pair.Run(kOne, sink);
    INFO(status.ToString());
    CHECK(status.ok());
    CHECK(sink.rows() == 1);
    // A failure that does not end is an error in the time for retries.
    BigQueryOptions impatient = pair.host->Options();
    impatient.retry_time = absl::Milliseconds(20);
    const auto other = MakeBigQuerySource(impatient);
    REQUIRE(other.ok());
    pair.Next(kQuery, answer, 1'000'000);
    CHECK(absl::IsUnavailable((*other)->Run(OneColumn(kOne), {}, CancellationToken(), sink)));
    CHECK(pair.Works());
  }
}

TEST_CASE("a job whose answer is lost is not started twice") {
  Pair pair;
  const auto lost = std::make_shared<std::atomic<int>>(0);
  // The host starts the job, and the page after is cut.
  pair.host->SetPageRows(100);
  pair.host->SetIntercept([lost](const std::string& request, const std::string&) -> std::optional<Answer> {
    if (!request.starts_with(kResults) || lost->fetch_add(1) % 2 == 1) return std::nullopt;
    return Answer{200, std::string(5'000, ' '), {}, true};
  });
  Sink sink;
  CHECK(pair.Run(kAll, sink).ok());
  CHECK(sink.rows() == kRows);
  CHECK(pair.host->jobs() == 1);
}

TEST_CASE("each BigQuery error maps to a status, and its message appears only in the log") {
  Pair pair;
  struct Case {
    Answer answer;
    absl::StatusCode code;
  };
  for (const Case& each : std::vector<Case>{
           {{400, Told(400, "invalidQuery")}, absl::StatusCode::kInternal},
           {{400, Told(400, "invalidQuery", "Truncating secret to the nearest week causes overflow")},
            absl::StatusCode::kInvalidArgument},
           {{403, Told(403, "accessDenied")}, absl::StatusCode::kInternal},
           {{404, Told(404, "notFound")}, absl::StatusCode::kInternal},
           {{403, Told(403, "quotaExceeded")}, absl::StatusCode::kUnavailable},
           {{400, Told(400, "bytesBilledLimitExceeded")}, absl::StatusCode::kResourceExhausted},
           {{400, Told(400, "resourcesExceeded")}, absl::StatusCode::kResourceExhausted},
           {{403, Told(403, "responseTooLarge")}, absl::StatusCode::kResourceExhausted},
           {{400, Told(400, "stopped")}, absl::StatusCode::kUnavailable},
           {{400, Told(400, "timeout")}, absl::StatusCode::kDeadlineExceeded},
           {{302, "", {{"Location", "http://example.com/"}}}, absl::StatusCode::kInternal},
       }) {
    CAPTURE(each.answer.status, each.answer.body);
    pair.Next(kQuery, each.answer);
    Sink sink;
    const absl::Status status = pair.Run(kOne, sink);
    INFO(status.ToString());
    CHECK(status.code() == each.code);
    if (each.code != absl::StatusCode::kInternal) CHECK(status.ToString().find("secret") == std::string::npos);
    CHECK(pair.Works());
  }
}

TEST_CASE("answers that are garbled are an error, never fewer rows") {
  const std::string head =
      R"({"jobReference":{"jobId":"job-1"},"jobComplete":true,"schema":{"fields":[{"name":"c1","type":)";
  const auto rows = [&](const std::string& type, const std::string& total, const std::string& rest) {
    return StrCat(head, "\"", type, "\"}]},\"totalRows\":", total, rest, "}");
  };
  Pair pair;
  for (const std::string& body : std::vector<std::string>{
           "",
           "{",
           "[]",
           "null",
           "{}",
           "<html>",
           R"({"jobComplete":"yes"})",
           R"({"jobComplete":false})",
           R"({"jobComplete":true})",
           StrCat(head, "5}]}}"),
           rows("STRING", "\"1\"", R"(,"rows":[{"f":[{"v":"5"}]}])"),
           rows("INTEGER", "1", R"(,"rows":[{"f":[{"v":"5"}]}])"),
           rows("INTEGER", "\"-1\"", ""),
           rows("INTEGER", "\"2\"", R"(,"rows":[{"f":[{"v":"5"}]}])"),
           rows("INTEGER", "\"0\"", R"(,"rows":[{"f":[{"v":"5"}]}])"),
           rows("INTEGER", "\"1\"", R"(,"rows":[{"f":[{"v":"5"},{"v":"6"}]}])"),
           rows("INTEGER", "\"1\"", R"(,"rows":[{"f":[{"w":"5"}]}])"),
           rows("INTEGER", "\"1\"", R"(,"rows":[{"f":[{"v":5}]}])"),
           rows("INTEGER", "\"1\"", R"(,"rows":[{"f":[{"v":"5.0"}]}])"),
           rows("INTEGER", "\"1\"", R"(,"rows":[{"f":[{"v":"9223372036854775808"}]}])"),
           rows("INTEGER", "\"1\"", R"(,"rows":[{"f":[{"v":[{"v":"5"}]}]}])"),
           rows("INTEGER", "\"1\"", R"(,"rows":{"f":[]})"),
           rows("INTEGER", "\"1\"", R"(,"rows":[5])"),
       }) {
    CAPTURE(body);
    pair.Next(kQuery, {200, body});
    Sink sink;
    const absl::Status status = pair.Run(kOne, sink);
    INFO(status.ToString());
    CHECK(absl::IsInternal(status));
  }
  CHECK(pair.Works());
}

TEST_CASE("repeated page tokens are an error and not an endless loop") {
  Pair pair;
  const std::string page =
      R"({"jobReference":{"jobId":"job-1"},"jobComplete":true,"schema":{"fields":[{"name":"c1","type":"INTEGER"}]},)"
      R"("totalRows":"1000","pageToken":"again","rows":[{"f":[{"v":"5"}]}]})";
  pair.host->SetIntercept([page](const std::string& request, const std::string&) -> std::optional<Answer> {
    return request.starts_with(kQuery) || request.starts_with(kResults) ? std::optional(Answer{200, page})
                                                                        : std::nullopt;
  });
  Sink sink;
  const absl::Status status = pair.Run(kOne, sink);
  CHECK(absl::IsInternal(status));
  CHECK(base::Message(status).find("come before") != std::string_view::npos);
  CHECK(sink.rows() == 1);
  CHECK(pair.Works());
}

TEST_CASE("a token is renewed before it expires, and replaced when it is rejected") {
  Pair pair;
  CHECK(pair.Works());
  CHECK(pair.Works());
  CHECK(pair.host->tokens() == 1);
  pair.host->WithdrawTokens();
  CHECK(pair.Works());
  CHECK(pair.host->tokens() == 2);
  // A service that takes none is an error after the second try.
  pair.Next(kQuery, {401, Told(401, "authError")}, 1'000);
  Sink sink;
  CHECK(absl::IsInternal(pair.Run(kOne, sink)));
  CHECK(pair.Works());
}

TEST_CASE("a BigQuery that goes away is Unavailable while it is, and used again after") {
  Pair pair;
  BigQueryOptions options = pair.host->Options();
  options.retry_time = absl::ZeroDuration();
  pair.Open(options);
  CHECK(pair.Works());
  pair.host->Stop();
  Sink sink;
  CHECK(absl::IsUnavailable(pair.Run(kOne, sink)));
  CHECK(absl::IsUnavailable(pair.source->ReadCatalog().status()));
  pair.host->Start();
  CHECK(pair.Works());
}

TEST_CASE("a hanging BigQuery does not block a cancelled call") {
  Pair pair;
  const auto let_go = std::make_shared<absl::Notification>();
  const auto asked = std::make_shared<absl::Notification>();
  pair.host->SetIntercept([let_go, asked](const std::string& request, const std::string&) -> std::optional<Answer> {
    if (!request.starts_with(kQuery)) return std::nullopt;
    if (!asked->HasBeenNotified()) asked->Notify();
    let_go->WaitForNotification();
    return Answer{503, "{}"};
  });
  Sink sink;
  CHECK(absl::IsCancelled(RunCancelled(*pair.source, OneColumn(kOne), sink, [&] { asked->WaitForNotification(); })));
  let_go->Notify();
  CHECK(pair.Works());
}

}  // namespace
}  // namespace logquery::bigquery
