// The table `events` as a program's own rows, whose scans a test may replace, and a service over it.
#ifndef LOGQUERY_TESTS_SOURCE_EVENTS_SOURCE_H_
#define LOGQUERY_TESTS_SOURCE_EVENTS_SOURCE_H_

#include <atomic>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "absl/synchronization/mutex.h"
#include "lib/base/status_macros.h"
#include "logquery/duckdb/source_backend.h"
#include "logquery/query_service.h"
#include "nlohmann/json.hpp"
#include "tests/support/sandbox_service.h"

namespace logquery::source_tests {

using Row = std::vector<Value>;

inline Table Events() {
  Table table;
  table.name = "events";
  table.columns = {{"ts", Type::Timestamp()},
                   {"project", Type::String()},
                   {"n", Type::Int64()},
                   {"note", Type::String()},
                   {"data", Type::Json()},
                   {"request", Type::Record({{"method", Type::String()}, {"size", Type::Int64()}})},
                   {"tags", Type::Array(Type::String())}};
  table.time_column = "ts";
  table.project_path = {"project"};
  return table;
}

inline constexpr int64_t kFirst = 1'772'600'000;

inline Row EventRow(int64_t i) {
  const Type request = Events().columns[5].type;
  return {Value::TimestampMicros((kFirst + i) * 1'000'000),
          Value::String(i % 2 == 0 ? "mine" : "other"),
          Value::Int64(i),
          i % 5 == 0 ? Value::Null(Type::String()) : Value::String("note " + std::to_string(i)),
          Value::Json(R"({"i": )" + std::to_string(i) + "}"),
          i % 7 == 0 ? Value::Null(request)
                     : Value::Struct(request, {Value::String(i % 3 == 0 ? "GET" : "POST"), Value::Int64(i * 10)}),
          Value::Array(Type::String(), i % 4 == 0 ? Row{} : Row{Value::String("a"), Value::String(std::to_string(i))})};
}

// A table whose scans a test can watch and change.
class Source : public TableSource {
 public:
  using Rows = std::function<absl::Status(const ScanRequest&, const CancellationToken&, BatchSink&)>;

  explicit Source(Table table = Events()) : table_(std::move(table)) {}

  absl::StatusOr<Catalog> ReadCatalog() override {
    absl::MutexLock lock(&mutex_);
    return Catalog({table_}, version_);
  }
  uint64_t CatalogVersion() const override { return version_; }
  absl::Status Scan(const ScanRequest& request, const CancellationToken& cancellation, BatchSink& sink) override {
    Rows rows;
    {
      absl::MutexLock lock(&mutex_);
      requests_.push_back(request);
      rows = rows_;
    }
    return rows ? rows(request, cancellation, sink) : Give(request, sink, count);
  }

  // The wanted columns of so many events.
  static absl::Status Give(const ScanRequest& request, BatchSink& sink, int64_t count, int64_t batch = 1'000) {
    Schema schema;
    for (const size_t column : request.columns) schema.push_back(request.table->columns[column]);
    std::vector<Row> rows;
    for (int64_t i = 0; i < count; ++i) {
      const Row event = EventRow(i);
      Row& row = rows.emplace_back();
      for (const size_t column : request.columns) row.push_back(event[column]);
      if (static_cast<int64_t>(rows.size()) < batch && i + 1 < count) continue;
      LOGQUERY_RETURN_IF_ERROR(sink.Append(ValueBatch(schema, rows).batch()));
      rows.clear();
    }
    return absl::OkStatus();
  }

  void SetRows(Rows rows) {
    absl::MutexLock lock(&mutex_);
    rows_ = std::move(rows);
  }
  void SetTable(Table table) {
    absl::MutexLock lock(&mutex_);
    table_ = std::move(table);
    ++version_;
  }
  std::vector<ScanRequest> TakeRequests() {
    absl::MutexLock lock(&mutex_);
    return std::exchange(requests_, {});
  }

  std::atomic<int64_t> count{5'000};

 private:
  absl::Mutex mutex_;
  Table table_;
  Rows rows_;
  std::vector<ScanRequest> requests_;
  std::atomic<uint64_t> version_{1};
};

// Takes SQL over `events` of the project `mine`.
struct Service : testing::SandboxService {
  explicit Service(std::shared_ptr<TableSource> source, const SourceBackendOptions& options = {},
                   absl::Duration time_limit = absl::Seconds(30))
      : SandboxService(OpenOverSource(std::move(source), options),
                       {.query = "WITH events AS (SELECT * FROM events WHERE project = @project) SELECT * FROM events",
                        .parameters = {{"project", "mine"}},
                        .time_limit = time_limit}) {}

  absl::Status Error(const std::string& sql) { return Run(sql).status(); }
};

}  // namespace logquery::source_tests

#endif  // LOGQUERY_TESTS_SOURCE_EVENTS_SOURCE_H_
