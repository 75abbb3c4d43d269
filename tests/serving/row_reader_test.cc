#include "logquery/row_reader.h"

#include <algorithm>
#include <atomic>
#include <catch2/catch_test_macros.hpp>
#include <functional>
#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "absl/synchronization/notification.h"
#include "logquery/catalog.h"
#include "logquery/store/duckdb_backend.h"
#include "logquery/testing/fake_backend.h"

namespace logquery {
namespace {

using Rows = std::vector<std::vector<Value>>;

constexpr char kNumbers[] = "numbers";

Endpoint Numbers(std::string query) {
  Endpoint endpoint;
  endpoint.id = "0d6c3c1e-5f0b-4a67-9f3e-6b2f6f1f7d11";
  endpoint.name = kNumbers;
  endpoint.query = std::move(query);
  endpoint.max_rows = 1'000'000;
  return endpoint;
}

std::unique_ptr<QueryService> Serve(QueryBackend& backend, std::string query,
                                    absl::Duration time_limit = absl::Minutes(5)) {
  QueryServiceOptions options;
  options.backend = &backend;
  options.endpoints = {Numbers(std::move(query))};
  options.time_limit = time_limit;
  auto service = QueryService::Create(std::move(options));
  INFO(service.status().ToString());
  REQUIRE(service.ok());
  return *std::move(service);
}

std::unique_ptr<RowReader> Open(QueryService& service, RowReaderOptions options = {}, QueryRequest request = {}) {
  request.endpoint = kNumbers;
  auto reader = RowReader::Open(service, std::move(request), options);
  INFO(reader.status().ToString());
  REQUIRE(reader.ok());
  return *std::move(reader);
}

// Reads on until the end or an error, whose status it returns.
absl::Status ReadAll(RowReader& reader, Rows& rows) {
  CollectingSink sink;
  while (true) {
    const absl::StatusOr<const Batch*> batch = reader.Next();
    if (!batch.ok() || *batch == nullptr) {
      rows = sink.rows();
      return batch.status();
    }
    if ((*batch)->rows() == 0) return absl::InternalError("a batch without rows");
    if (const absl::Status status = sink.Append(**batch); !status.ok()) return status;
  }
}

Rows NumberedRows(int64_t count) {
  Rows rows;
  for (int64_t i = 0; i < count; ++i) rows.push_back({Value::Int64(i)});
  return rows;
}

constexpr char kManyRows[] =
    "SELECT n, CONCAT('row number ', CAST(n AS STRING)) AS text, IF(MOD(n, 3) = 0, NULL, [n, n + 1]) AS list, "
    "STRUCT(n AS a, CAST(n AS NUMERIC) / 8 AS b) AS pair FROM UNNEST(GENERATE_ARRAY(1, 20000)) AS n ORDER BY n";

// Makes batches of 1,000 numbers, of 8,000 bytes, for as long as the sink takes them.
class Endless : public QueryBackend {
 public:
  static constexpr int64_t kBatchBytes = 8'000;

  Capabilities capabilities() const override { return {}; }
  absl::StatusOr<Catalog> ReadCatalog() override { return Catalog::DeclaredLogs(); }
  absl::Status Execute(const PreparedQuery& query, const Bindings&, const ExecutionLimits&,
                       const CancellationToken& cancellation, BatchSink& sink) override {
    const ValueBatch batch(query.schema(), NumberedRows(kBatchBytes / 8));
    absl::Status status;
    while (status.ok()) {
      status = cancellation.IsCancelled() ? absl::CancelledError("cancelled") : sink.Append(batch.batch());
      if (status.ok()) taken.fetch_add(kBatchBytes);
    }
    code = status.code();
    ended.Notify();
    return status;
  }

  std::atomic<int64_t> taken = 0;  // bytes that the sink took
  std::atomic<absl::StatusCode> code = absl::StatusCode::kOk;
  absl::Notification ended;
};

TEST_CASE("a reader reads the rows that a sink receives, and the names of their columns") {
  const auto backend = OpenDuckDb({});
  REQUIRE(backend.ok());
  const auto service = Serve(**backend, kManyRows);
  CollectingSink sink;
  QueryRequest request;
  request.endpoint = kNumbers;
  REQUIRE(service->Run(request, sink).ok());
  REQUIRE(sink.rows().size() == 20'000);
  for (const int64_t bytes : {int64_t{1} << 30, int64_t{100'000}, int64_t{2'000}}) {
    CAPTURE(bytes);
    const auto reader = Open(*service, {.max_buffered_bytes = bytes});
    REQUIRE(reader->schema().size() == 4);
    CHECK(reader->schema()[0].name == "n");
    CHECK(reader->schema()[3].name == "pair");
    CHECK(reader->schema()[3].type.ToString() == "STRUCT<a INT64, b NUMERIC>");
    Rows rows;
    CHECK(ReadAll(*reader, rows) == absl::OkStatus());
    CHECK((rows == sink.rows()));
    CHECK(reader->answer().rows == 20'000);
    CHECK_FALSE(reader->answer().truncated);
    const absl::StatusOr<const Batch*> again = reader->Next();
    REQUIRE(again.ok());
    CHECK(*again == nullptr);
    reader->Cancel();  // without effect
    CHECK(reader->Next().ok());
  }
}

TEST_CASE("a reader of a caller's SQL knows the columns of that SQL, before rows and without them") {
  testing::FakeBackend backend(Catalog::DeclaredLogs());
  backend.AnswerBy([](const PreparedQuery&, const Bindings&) { return Rows{}; });
  QueryServiceOptions options;
  options.backend = &backend;
  const auto service = QueryService::Create(std::move(options)).value();
  QueryRequest request;
  request.endpoint = "logs.all";
  request.parameters = {{"project", "abc"}, {"sql", "select id as key, timestamp from edge_logs"}};
  const auto reader = RowReader::Open(*service, request);
  REQUIRE(reader.ok());
  REQUIRE((*reader)->schema().size() == 2);
  CHECK((*reader)->schema()[0].name == "key");
  CHECK((*reader)->schema()[1].name == "timestamp");
  Rows rows;
  CHECK(ReadAll(**reader, rows).ok());
  CHECK(rows.empty());
}

TEST_CASE("a call that is refused before its first row is refused by Open") {
  testing::FakeBackend backend(Catalog::DeclaredLogs());
  const auto service = Serve(backend, "SELECT 1 AS n");
  QueryRequest request;
  request.endpoint = "nothing";
  CHECK(RowReader::Open(*service, request).status() == service->Run(request).status());
  request.endpoint = kNumbers;
  const absl::Status status = RowReader::Open(*service, request, {.max_buffered_bytes = 0}).status();
  CHECK(absl::IsInvalidArgument(status));
  CHECK(status.message() == "max_buffered_bytes is 0; it must be at least 1");
  CancellationSource cancelled;
  cancelled.Cancel();
  request.cancellation = cancelled.token();
  const auto reader = RowReader::Open(*service, request);
  CHECK(absl::IsCancelled(reader.ok() ? (*reader)->Next().status() : reader.status()));
}

TEST_CASE("the rows that wait for a slow reader take no more memory than allowed") {
  Endless backend;
  const auto service = Serve(backend, "SELECT 1 AS n");
  constexpr int64_t kMost = 100'000;
  const auto reader = Open(*service, {.max_buffered_bytes = kMost});
  int64_t read = 0;
  for (int i = 0; i < 300; ++i) {
    const absl::StatusOr<const Batch*> batch = reader->Next();
    REQUIRE(batch.ok());
    read += (*batch)->rows() * 8;
    // A batch counts when all of its pieces are taken.
    REQUIRE(backend.taken.load() <= read + kMost);
  }
  CHECK(read > 0);
}

TEST_CASE("a row that exceeds the memory of a reader is passed on alone") {
  testing::FakeBackend backend(Catalog::DeclaredLogs());
  Rows expected;
  for (const size_t length : {10, 100'000, 20, 200'000, 300'000, 30}) {
    expected.push_back({Value::String(std::string(length, 'x'))});
  }
  backend.AnswerBy([&](const PreparedQuery&, const Bindings&) { return expected; });
  const auto service = Serve(backend, "SELECT 'a' AS s");
  const auto reader = Open(*service, {.max_buffered_bytes = 1'000});
  Rows rows;
  CHECK(ReadAll(*reader, rows).ok());
  CHECK((rows == expected));
}

TEST_CASE("destroying a reader early ends its query") {
  Endless backend;
  const auto service = Serve(backend, "SELECT 1 AS n");
  auto reader = Open(*service);
  REQUIRE(reader->Next().ok());
  reader.reset();
  CHECK(backend.ended.HasBeenNotified());
  CHECK(backend.code == absl::StatusCode::kCancelled);
}

TEST_CASE("the time limit ends a query whose reader does not read") {
  Endless backend;
  const auto service = Serve(backend, "SELECT 1 AS n", absl::Milliseconds(20));
  const auto reader = Open(*service, {.max_buffered_bytes = 20'000});
  backend.ended.WaitForNotification();
  CHECK(backend.code == absl::StatusCode::kDeadlineExceeded);
  Rows rows;
  const absl::Status status = ReadAll(*reader, rows);
  CHECK(status == absl::DeadlineExceededError("the rows were not read within the query's time limit of 20ms"));
  CHECK(!rows.empty());
  CHECK(reader->Next().status() == status);
}

TEST_CASE("an error comes after the rows that precede it") {
  testing::FakeBackend backend(Catalog::DeclaredLogs());
  backend.AnswerBy([](const PreparedQuery&, const Bindings&) { return NumberedRows(10'000); });
  backend.FailWith(absl::InvalidArgumentError("division by zero"), 5'000);
  const auto service = Serve(backend, "SELECT 1 AS n");
  for (const int64_t bytes : {4 << 20, 10'000}) {
    const auto reader = Open(*service, {.max_buffered_bytes = bytes});
    Rows rows;
    const absl::Status status = ReadAll(*reader, rows);
    CHECK(status == absl::InvalidArgumentError("division by zero"));
    CHECK((rows == NumberedRows(5'000)));
    CHECK(reader->Next().status() == status);
    reader->Cancel();
    CHECK(reader->Next().status() == status);
  }
}

TEST_CASE("another thread cancels a reader that waits for rows") {
  testing::FakeBackend backend(Catalog::DeclaredLogs());
  backend.AnswerBy([](const PreparedQuery&, const Bindings&) { return NumberedRows(10); });
  const auto service = Serve(backend, "SELECT 1 AS n");
  const auto cancel_while_blocked = [&](const std::function<void(RowReader&)>& cancel, QueryRequest request) {
    backend.Block();
    const auto reader = Open(*service, {}, std::move(request));
    backend.AwaitBlocked(1);
    absl::StatusOr<const Batch*> next = nullptr;
    std::thread reading([&] { next = reader->Next(); });
    cancel(*reader);
    reading.join();
    CHECK(absl::IsCancelled(next.status()));
    CHECK(absl::IsCancelled(reader->Next().status()));
    backend.Unblock();
  };
  cancel_while_blocked([](RowReader& reader) { reader.Cancel(); }, {});
  CancellationSource callers;
  QueryRequest request;
  request.cancellation = callers.token();
  cancel_while_blocked([&](RowReader&) { callers.Cancel(); }, request);
}

TEST_CASE("cancelling drops the rows that wait") {
  Endless backend;
  const auto service = Serve(backend, "SELECT 1 AS n");
  const auto reader = Open(*service, {.max_buffered_bytes = 50'000});
  const absl::StatusOr<const Batch*> batch = reader->Next();
  REQUIRE(batch.ok());
  reader->Cancel();
  CHECK((*batch)->column(0).Int64At(0) == 0);  // valid until the next call
  CHECK(absl::IsCancelled(reader->Next().status()));
  backend.ended.WaitForNotification();
  CHECK(backend.code == absl::StatusCode::kCancelled);
}

TEST_CASE("two readers of one service read all rows each, at the same time") {
  const auto backend = OpenDuckDb({});
  REQUIRE(backend.ok());
  const auto service = Serve(**backend, kManyRows);
  CollectingSink sink;
  QueryRequest request;
  request.endpoint = kNumbers;
  REQUIRE(service->Run(request, sink).ok());
  const auto first = Open(*service, {.max_buffered_bytes = 30'000});
  const auto second = Open(*service, {.max_buffered_bytes = 50'000});
  Rows rows[2];
  absl::Status statuses[2];
  std::thread beside([&] { statuses[1] = ReadAll(*second, rows[1]); });
  statuses[0] = ReadAll(*first, rows[0]);
  beside.join();
  for (int i = 0; i < 2; ++i) {
    CHECK(statuses[i].ok());
    CHECK((rows[i] == sink.rows()));
  }
}

TEST_CASE("a reader's rows are redacted where its call's are") {
  testing::FakeBackend backend(Catalog::DeclaredLogs());
  backend.AnswerBy([](const PreparedQuery&, const Bindings&) { return Rows{{Value::String("from 10.1.2.3")}}; });
  const auto service = Serve(backend, "SELECT 'a' AS s");
  QueryRequest request;
  request.redact_pii = true;
  const auto reader = Open(*service, {}, request);
  Rows rows;
  CHECK(ReadAll(*reader, rows).ok());
  CHECK((rows == Rows{{Value::String("from REDACTED")}}));
}

TEST_CASE("a reader knows when max_rows cut the result short") {
  testing::FakeBackend backend(Catalog::DeclaredLogs());
  backend.AnswerBy([](const PreparedQuery&, const Bindings&) { return NumberedRows(10); });
  Endpoint endpoint = Numbers("SELECT 1 AS n");
  endpoint.max_rows = 3;
  QueryServiceOptions options;
  options.backend = &backend;
  options.endpoints = {endpoint};
  const auto service = QueryService::Create(std::move(options)).value();
  const auto reader = Open(*service);
  Rows rows;
  CHECK(ReadAll(*reader, rows).ok());
  CHECK((rows == NumberedRows(3)));
  CHECK(reader->answer().truncated);
}

}  // namespace
}  // namespace logquery
