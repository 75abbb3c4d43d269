// A scalar function of one's own in SQL, rows that the program asks for one batch after the other, and the same rows as Arrow
// arrays for other libraries.
#include <cstdio>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "logquery/arrow.h"
#include "logquery/duckdb/source_backend.h"
#include "logquery/query_service.h"
#include "logquery/row_reader.h"
#include "logquery/scalar_function.h"
#include "logquery/table_source.h"

namespace {

using logquery::Type;
using logquery::Value;

// The network of an IPv4 address: "10.1" of "10.1.2.3".
absl::Status NetworkOf(const logquery::ScalarArguments& in, logquery::ScalarResult& out) {
  const std::string_view address = in.Text(0);
  const size_t first = address.find('.');
  const size_t second = first == std::string_view::npos ? first : address.find('.', first + 1);
  if (second == std::string_view::npos) return absl::InvalidArgumentError(std::string(address) + " is no IPv4 address");
  return out.SetText(address.substr(0, second));
}

class Visits : public logquery::TableSource {
 public:
  absl::StatusOr<logquery::Catalog> ReadCatalog() override {
    logquery::Table table;
    table.name = "visits";
    table.columns = {{"at", Type::Timestamp()}, {"ip", Type::String()}};
    table.time_column = "at";
    return logquery::Catalog({table}, 1);
  }

  absl::Status Scan(const logquery::ScanRequest& request, const logquery::CancellationToken&,
                    logquery::BatchSink& sink) override {
    logquery::Schema schema;
    for (const size_t column : request.columns) schema.push_back(request.table->columns[column]);
    std::vector<std::vector<Value>> rows;
    for (int64_t i = 0; i < 10'000; ++i) {
      std::vector<Value>& row = rows.emplace_back();
      for (const size_t column : request.columns) {
        row.push_back(column == 0 ? Value::TimestampMicros(1'772'600'000'000'000 + i)
                                  : Value::String("10." + std::to_string(i % 7) + ".0." + std::to_string(i % 250)));
      }
    }
    return sink.Append(logquery::ValueBatch(schema, rows).batch());
  }
};

int Fail(const absl::Status& status) { return std::fprintf(stderr, "%s\n", status.ToString().c_str()), 1; }

}  // namespace

int main() {
  // Before anything else of the library.
  const absl::Status registered = logquery::RegisterScalarFunction(
      {.name = "network_of", .arguments = {Type::String()}, .result = Type::String(), .evaluate = NetworkOf});
  if (!registered.ok()) return Fail(registered);

  auto backend = logquery::OpenOverSource(std::make_shared<Visits>(), {});
  if (!backend.ok()) return Fail(backend.status());
  logquery::Endpoint endpoint;
  endpoint.id = "5e0c2f57-5d0e-4b1b-9a53-0a6f4f0f4c12";
  endpoint.name = "visits.networks";
  endpoint.query = "SELECT network_of(ip) AS network, COUNT(*) AS visits FROM visits GROUP BY network ORDER BY network";
  logquery::QueryServiceOptions options;
  options.backend = backend->get();
  options.endpoints = {endpoint};
  auto service = logquery::QueryService::Create(std::move(options));
  if (!service.ok()) return Fail(service.status());

  logquery::QueryRequest request;
  request.endpoint = "visits.networks";
  auto reader = logquery::RowReader::Open(**service, request);
  if (!reader.ok()) return Fail(reader.status());
  int64_t networks = 0;
  int64_t visits = 0;
  while (true) {
    const absl::StatusOr<const logquery::Batch*> batch = (*reader)->Next();
    if (!batch.ok()) return Fail(batch.status());
    if (*batch == nullptr) break;
    ArrowSchema schema;
    ArrowArray rows;
    const absl::Status exported = logquery::ExportArrow(**batch, (*reader)->schema(), &schema, &rows);
    if (!exported.ok()) return Fail(exported);
    // A program would hand these to pyarrow, Polars or DataFusion.
    std::printf("%s, %s: %lld rows\n", schema.children[0]->name, schema.children[1]->name,
                static_cast<long long>(rows.length));
    const auto* const counts = static_cast<const int64_t*>(rows.children[1]->buffers[1]);
    for (int64_t row = 0; row < rows.length; ++row) visits += counts[row];
    networks += rows.length;
    rows.release(&rows);
    schema.release(&schema);
  }
  std::printf("%lld visits from %lld networks\n", static_cast<long long>(visits), static_cast<long long>(networks));
  return networks == 7 && visits == 10'000 ? 0 : 1;
}
