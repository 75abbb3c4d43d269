// Answers in ClickHouse SQL whose times are written after the engine: formats, redaction, pages, kept answers, kept groups.
#include <catch2/catch_test_macros.hpp>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/strings/match.h"
#include "lib/base/strings.h"
#include "logquery/duckdb/parquet_writer.h"
#include "logquery/service_observer.h"
#include "tests/clickhouse_sql/otel_answers.h"

namespace logquery {
namespace {

constexpr char kNewest[] =
    "select id, timestamp, event_message from logs where source = 'edge_logs' order by timestamp desc, id limit 100";
// The engine writes these texts itself: a caller's function may fail.
constexpr char kNewestByEngine[] =
    "select id, formatDateTime(timestamp, '%Y-%m-%dT%H:%i:%S.%f') as timestamp, event_message from logs where source = "
    "'edge_logs' order by logs.timestamp desc, id limit 100";
constexpr char kMinutes[] =
    "select toStartOfMinute(timestamp) as minute, count() as n from logs where source = 'edge_logs' group by minute "
    "order by minute";

class Runs : public ServiceObserver {
 public:
  void OnQueryStart(const QueryEvent& event) noexcept override {
    ++queries;
    is_of_groups = event.variant.find(" groups") != std::string_view::npos;
  }
  int queries = 0;
  bool is_of_groups = false;
};

// Rows of abc at 05:00:00 and 05:00:01.
struct Otel : ServedRows {
  Otel() : ServedRows(OnlyOtel()) {
    QueryServiceOptions options = Options();
    options.groups_kept_above = absl::ZeroDuration();
    options.observer = &runs;
    options.parquet = parquet.get();
    authenticator.principal.may_bypass_cache = true;
    Serve(std::move(options));
  }
  ~Otel() { service = nullptr; }

  QueryAnswer Run(const std::string& sql, QueryRequest request = {}) {
    request.endpoint = "logs.all.otel";
    request.parameters.insert(request.parameters.end(),
                              {{"project", "abc"}, {"project_tier", "ENTERPRISE"}, {"sql", sql}});
    const auto answer = service->Run(request);
    INFO(answer.status().ToString());
    REQUIRE(answer.ok());
    return *answer;
  }
  // Computed for this call.
  QueryAnswer Fresh(const std::string& sql) {
    QueryRequest request;
    request.no_store = true;
    return Run(sql, std::move(request));
  }
  void Append(std::string_view time) {
    const std::string row = base::StrCat(R"({"timestamp":"2026-03-04T)", time, R"(Z","id":"new)", ++appended,
                                         R"(","project":"abc","event_message":"at 1.2.3.4"})");
    const auto report = backend->store().Append({.table = "edge_logs", .rows = {row}});
    INFO(report.status().ToString());
    REQUIRE(report.ok());
  }

  std::unique_ptr<ParquetWriter> parquet = MakeDuckDbParquetWriter({});
  Runs runs;
  int appended = 0;
};

TEST_CASE("an answer with times written afterwards is in each format the one that the engine writes") {
  Otel f;
  for (const RowFormat format : {RowFormat::kJson, RowFormat::kJsonRows, RowFormat::kNdjson, RowFormat::kCsv,
                                 RowFormat::kArrow, RowFormat::kParquet}) {
    CAPTURE(static_cast<int>(format));
    QueryRequest request;
    request.format = format;
    const QueryAnswer finished = f.Run(kNewest, request), whole = f.Run(kNewestByEngine, request);
    CHECK(finished.rows == 2);
    CHECK(finished.body.size() > 20);
    CHECK(finished.body == whole.body);
    REQUIRE(finished.schema.size() == 3);
    CHECK(finished.schema[1].name == "timestamp");
    CHECK(finished.schema[1].type == Type::String());
  }
}

TEST_CASE("redaction finds its patterns in times that are written afterwards") {
  Otel f;
  std::vector<Endpoint> endpoints = OnlyOtel();
  endpoints[0].redaction.patterns = {"05:00:0[0-9]"};
  f.source.endpoints = endpoints;
  ++f.source.revision;
  REQUIRE(f.service->Reload().ok());
  CHECK(absl::StrContains(std::string(f.Run(kNewest).body), "T05:00:01.000000"));
  QueryRequest asked;
  asked.redact_pii = true;
  const std::string redacted(f.Run(kNewest, asked).body);
  CHECK(redacted == f.Run(kNewestByEngine, asked).body);
  CHECK(absl::StrContains(redacted, R"("timestamp":"2026-03-04TREDACTED.000000","event_message":"from REDACTED")"));
  f.authenticator.principal.redact_pii = true;
  CHECK(f.Run(kNewest).body == redacted);
}

TEST_CASE("an answer with times written afterwards is kept until a row comes, and is then that of all rows") {
  Otel f;
  const QueryAnswer first = f.Run(kNewest);
  CHECK((f.Run(kNewest).cache == CacheUse::kCurrent));
  CHECK(f.Run(kNewest).body == first.body);
  for (const char* time : {"05:00:00.5", "05:00:03", "05:00:02", "04:00:00"}) {
    CAPTURE(time);
    f.Append(time);
    const QueryAnswer after = f.Run(kNewest);
    CHECK((after.cache != CacheUse::kCurrent));
    CHECK(after.body == f.Fresh(kNewest).body);
    CHECK(after.body == f.Fresh(kNewestByEngine).body);
    CHECK((f.Run(kNewest).cache == CacheUse::kCurrent));
  }
  CHECK(f.Run(kNewest).rows == 6);
}

TEST_CASE("kept groups have their times written afterwards, like computed ones") {
  Otel f;
  f.Run(kMinutes);
  int of_groups = 0;
  for (const char* time : {"05:00:05", "05:01:00", "05:02:30", "05:01:59.999999", "04:59:59"}) {
    CAPTURE(time);
    f.Append(time);
    const QueryAnswer after = f.Run(kMinutes);
    of_groups += f.runs.is_of_groups ? 1 : 0;
    CHECK(after.body == f.Fresh(kMinutes).body);
    CHECK_FALSE(f.runs.is_of_groups);
  }
  CHECK(of_groups > 0);
  CHECK(f.Run(kMinutes).body ==
        R"({"result":[{"minute":"2026-03-04T04:59:00","n":1},{"minute":"2026-03-04T05:00:00","n":3},)"
        R"({"minute":"2026-03-04T05:01:00","n":2},{"minute":"2026-03-04T05:02:00","n":1}]})");
}

TEST_CASE("a receipt changes with the texts that are made of the engine's rows") {
  Otel f;
  const auto receipt = [&](const std::string& time) {
    const QueryAnswer answer =
        f.Run(base::StrCat("select ", time, " as t from logs where source = 'edge_logs' order by id limit 5"));
    CHECK_FALSE(answer.receipt.empty());
    return answer.receipt;
  };
  const std::string plain = receipt("timestamp");
  CHECK(receipt("timestamp") == plain);
  CHECK(receipt("toTimeZone(timestamp, 'Asia/Kolkata')") != plain);
  CHECK(receipt("toTimeZone(timestamp, 'Asia/Kolkata')") != receipt("toTimeZone(timestamp, 'Asia/Kathmandu')"));
}

TEST_CASE("Prepare gives a query that computes the times itself") {
  Otel f;
  QueryRequest request;
  request.endpoint = "logs.all.otel";
  request.parameters = {{"project", "abc"}, {"project_tier", "ENTERPRISE"}, {"sql", kNewest}};
  const auto query = f.service->Prepare(request);
  INFO(query.status().ToString());
  REQUIRE(query.ok());
  CHECK((*query)->schema()[1].type == Type::String());
  CHECK(absl::StrContains((*query)->dialect_text(), "answer_text"));
}

TEST_CASE("rows that are streamed have times written afterwards") {
  Otel f;
  QueryRequest request;
  request.endpoint = "logs.all.otel";
  request.parameters = {{"project", "abc"}, {"project_tier", "ENTERPRISE"}, {"sql", kNewest}};
  CollectingSink sink;
  const auto answer = f.service->Run(request, sink);
  INFO(answer.status().ToString());
  REQUIRE(answer.ok());
  REQUIRE(sink.rows().size() == 2);
  CHECK(sink.rows()[0][1] == Value::String("2026-03-04T05:00:01.000000"));
}

}  // namespace
}  // namespace logquery
