// A backend of one's own: endpoint logic over rows that come from anywhere, here from memory.
#include <cstdio>

#include "logquery/query_backend.h"
#include "logquery/query_service.h"

namespace {

// Answers every query from one list of rows, as a test's double or a cache of its own might. A backend that speaks SQL
// would send query.dialect_text() with the bindings instead; capabilities() says in which dialect.
class RowsInMemory : public logquery::QueryBackend {
 public:
  explicit RowsInMemory(std::vector<std::vector<logquery::Value>> rows) : rows_(std::move(rows)) {}

  logquery::Capabilities capabilities() const override { return {logquery::Dialect::kGoogleSql, "rows in memory"}; }

  // The tables: endpoints are resolved against these.
  absl::StatusOr<logquery::Catalog> ReadCatalog() override { return logquery::Catalog::DeclaredLogs(); }

  absl::Status Execute(const logquery::PreparedQuery& query, const logquery::Bindings& bindings,
                       const logquery::ExecutionLimits& limits, const logquery::CancellationToken& cancellation,
                       logquery::BatchSink& sink) override {
    std::fprintf(stderr, "%s\n", query.googlesql().c_str());
    for (size_t i = 0; i < bindings.size(); ++i) {
      std::fprintf(stderr, "  %s = %s\n", query.slots()[i].name.c_str(), bindings[i].DebugString().c_str());
    }
    if (cancellation.IsCancelled()) return absl::CancelledError("the caller has left");
    std::vector<std::vector<logquery::Value>> rows = rows_;
    if (static_cast<int64_t>(rows.size()) > limits.max_rows) rows.resize(static_cast<size_t>(limits.max_rows));
    return sink.Append(logquery::ValueBatch(query.schema(), rows).batch());
  }

 private:
  const std::vector<std::vector<logquery::Value>> rows_;
};

}  // namespace

int main() {
  using logquery::Value;
  RowsInMemory backend(
      {{Value::Datetime(1'772'600'400'000'000), Value::Int64(3), Value::Int64(0), Value::Int64(1), Value::Int64(0)}});
  logquery::QueryServiceOptions options;
  options.backend = &backend;
  auto service = logquery::QueryService::Create(options);
  if (!service.ok()) return std::fprintf(stderr, "%s\n", service.status().ToString().c_str()), 1;

  logquery::QueryRequest request;
  request.endpoint = "usage.api-counts";
  request.parameters = {{"project", "^https://abc\\."}, {"interval", "hourly"}};
  auto answer = (*service)->Run(request);
  if (!answer.ok()) return std::fprintf(stderr, "%s\n", answer.status().ToString().c_str()), 1;
  std::puts(answer->body.c_str());
  return answer->rows == 1 ? 0 : 1;
}
