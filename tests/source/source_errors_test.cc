// A program's rows that are wrong, late or too many: errors, limits, and catalogs that are rejected.
#include <catch2/catch_test_macros.hpp>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "absl/synchronization/notification.h"
#include "lib/base/status_macros.h"
#include "logquery/duckdb/source_backend.h"
#include "logquery/query_service.h"
#include "nlohmann/json.hpp"
#include "tests/source/events_source.h"
#include "tests/support/sandbox_service.h"

namespace logquery::source_tests {
namespace {

class IgnoringSink : public BatchSink {
 public:
  absl::Status Append(const Batch&) override { return absl::OkStatus(); }
};

TEST_CASE("a source's errors and invalid rows are errors of the query") {
  auto source = std::make_shared<Source>();
  Service service(source);
  const auto with = [&](Source::Rows rows, const std::string& sql = "SELECT MAX(n) AS n FROM events") {
    source->SetRows(std::move(rows));
    return service.Error(sql);
  };
  const absl::Status own = with([](const ScanRequest& request, const CancellationToken&, BatchSink& sink) {
    LOGQUERY_RETURN_IF_ERROR(Source::Give(request, sink, 10));
    return absl::UnavailableError("the disk is away");
  });
  CHECK(own == absl::UnavailableError("the disk is away"));

  const absl::Status type = with([](const ScanRequest&, const CancellationToken&, BatchSink& sink) {
    const Schema schema = {{"a", Type::String()}, {"b", Type::String()}};
    return sink.Append(ValueBatch(schema, {{Value::String("mine"), Value::String("x")}}).batch());
  });
  CHECK(absl::IsInternal(type));
  CHECK(std::string(type.message()).find("as STRING; its catalog says INT64") != std::string::npos);

  const absl::Status fewer = with([](const ScanRequest&, const CancellationToken&, BatchSink& sink) {
    return sink.Append(ValueBatch({{"a", Type::String()}}, {{Value::String("mine")}}).batch());
  });
  CHECK(std::string(fewer.message()).find("gave 1 column of table events in place of 2") != std::string::npos);

  const absl::Status thrown = with([](const ScanRequest&, const CancellationToken&, BatchSink&) -> absl::Status {
    throw std::runtime_error("out of paper");
  });
  CHECK(absl::IsInternal(thrown));
  CHECK(std::string(thrown.message()).find("threw an exception: out of paper") != std::string::npos);

  // The source goes on after its batch was refused.
  const absl::Status stubborn = with([](const ScanRequest&, const CancellationToken&, BatchSink& sink) {
    const ValueBatch batch({{"a", Type::Int64()}}, {{Value::Int64(1)}});
    sink.Append(batch.batch()).IgnoreError();
    return sink.Append(batch.batch()).ok() ? absl::InternalError("it was taken") : absl::OkStatus();
  });
  CHECK(std::string(stubborn.message()).find("in place of") != std::string::npos);
}

TEST_CASE("a source's error after many rows is not lost in the engine, and its table is not scanned again for it") {
  SourceBackendOptions options;
  options.threads = 4;
  Table table;
  table.name = "numbers";
  table.columns = {{"n", Type::Int64()}};
  auto source = std::make_shared<Source>(table);
  const ValueBatch batch(table.columns, std::vector<Row>(2'000, Row{Value::Int64(7)}));
  source->SetRows([&](const ScanRequest&, const CancellationToken&, BatchSink& sink) {
    for (int i = 0; i < 200; ++i) LOGQUERY_RETURN_IF_ERROR(sink.Append(batch.batch()));
    return absl::UnavailableError("the disk is away");
  });
  const auto backend = OpenOverSource(source, options);
  REQUIRE(backend.ok());
  PreparedQuery::Parts parts;
  parts.dialect_text = "SELECT n FROM logquery_source(1, 0)";
  parts.schema = table.columns;
  const PreparedQuery query(std::move(parts));
  // The engine holds ready fewer rows than these: it reports the error of some as an interrupt.
  for (int i = 0; i < 300; ++i) {
    IgnoringSink sink;
    REQUIRE((*backend)->Execute(query, {}, {}, {}, sink) == absl::UnavailableError("the disk is away"));
    REQUIRE(source->TakeRequests().size() == 1);
  }
}

TEST_CASE("invalid values are rejected, and invalid UTF-8 is repaired") {
  auto source = std::make_shared<Source>();
  Service service(source);
  const auto one = [&](size_t column, Value value, const std::string& sql) {
    source->SetRows([column, value](const ScanRequest& request, const CancellationToken&, BatchSink& sink) {
      Row event = EventRow(2);
      event[column] = value;
      Schema schema;
      Row row;
      for (const size_t wanted : request.columns) {
        schema.push_back(request.table->columns[wanted]);
        row.push_back(event[wanted]);
      }
      return sink.Append(ValueBatch(schema, {row}).batch());
    });
    return service.Ask(sql);
  };
  CHECK(one(0, Value::Null(Type::Timestamp()), "SELECT MAX(ts) AS t FROM events").find("NULL for events.ts") !=
        std::string::npos);
  CHECK(one(0, Value::TimestampMicros(int64_t{1} << 62), "SELECT MAX(ts) AS t FROM events")
            .find("column events.ts holds a time outside of the years 1 to 9999") != std::string::npos);
  CHECK(one(4, Value::Json("{no"), "SELECT COUNT(data) AS n FROM events")
            .find("events.data holds text that is no JSON") != std::string::npos);
  CHECK(one(3,
            Value::String("a\xFF"
                          "b"),
            "SELECT note FROM events") ==
        "{\"result\":[{\"note\":\"a\xEF\xBF\xBD"
        "b\"}]}");
}

TEST_CASE("a scan above its row limit fails the call with advice") {
  SourceBackendOptions options;
  options.max_scan_rows = 1'000;
  Service service(std::make_shared<Source>(), options);
  const absl::Status rows = service.Error("SELECT MAX(n) AS n FROM events");
  CHECK(absl::IsResourceExhausted(rows));
  CHECK(std::string(rows.message()).find("a scan of table events gave more than 1,000 rows; ask for fewer") !=
        std::string::npos);
}

TEST_CASE("a hanging source delays no query beyond its time limit, and stays alive until its thread returns") {
  auto hanging = std::make_shared<absl::Notification>();
  auto source = std::make_shared<Source>();
  const std::weak_ptr<Source> watch = source;
  source->SetRows([hanging](const ScanRequest&, const CancellationToken&, BatchSink&) {
    hanging->WaitForNotification();
    return absl::OkStatus();
  });
  {
    Service service(source, {}, absl::Milliseconds(50));
    CHECK(absl::IsDeadlineExceeded(service.Error("SELECT MAX(n) AS n FROM events")));
    source.reset();
    // The scan's thread is still in it.
    CHECK_FALSE(watch.expired());
  }
  hanging->Notify();
}

TEST_CASE("an invalid catalog is rejected with the table and the reason") {
  const auto refused = [](Table table) {
    return std::string(OpenOverSource(std::make_shared<Source>(std::move(table)), {}).status().message());
  };
  Table table = Events();
  table.columns.push_back({"N", Type::Int64()});
  CHECK(refused(table) == "a source's table \"events\" has two columns of the name N");
  table = Events();
  table.columns.clear();
  CHECK(refused(table) == "a source's table \"events\" has no columns");
  table = Events();
  table.time_column = "n";
  CHECK(refused(table) == "a source's table \"events\" has no TIMESTAMP column n, which its time_column names");
  table = Events();
  table.id_column = "n";
  CHECK(refused(table) == "a source's table \"events\" has no STRING column n, which its id_column names");
  CHECK(OpenOverSources({std::make_shared<Source>(), std::make_shared<Source>()}, {}).status().message() ==
        "two of the sources' tables have the name events");
  CHECK(absl::IsInvalidArgument(OpenOverSource(nullptr, {}).status()));
}

}  // namespace
}  // namespace logquery::source_tests
