// Cold answers of logs.all from packed records, side by side with those from the records' fields, and what packed records cost.
//
//     logquery_bench_packed [--rows N] [--repeat N]
//
// Loads N sample rows of the last 20 hours, whose days are open. A copy of the folder without the columns of packed records answers
// the same calls in turn, and its answers must be equal. The same rows of ten days ago show what packing costs a load.
#include <time.h>

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "absl/time/clock.h"
#include "absl/time/time.h"
#include "lib/engines/duckdb/backend/database.h"
#include "lib/store/backend_impl.h"
#include "logquery/query_service.h"
#include "logquery/store/duckdb_backend.h"
#include "shim/cli/folder/sample/sample.h"
#include "tests/bench/bench_util.h"

namespace logquery {
namespace {

using bench::Fail;
using bench::Median;
using bench::Need;
using bench::TemporaryFolder;

constexpr char kEdge[] = "cloudflare.logs.prod";

struct Options {
  int64_t rows = 600'000;
  int repeat = 31;
};

std::unique_ptr<DuckDbBackend> Open(const std::string& folder, bool read_only = false) {
  DuckDbOptions options;
  options.folder = folder;
  options.read_only = read_only;
  return Need(OpenDuckDb(options));
}

// The processor time of all threads, which depends less than the clock's on what else the machine does.
double ProcessorMilliseconds() {
  timespec time;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return absl::ToDoubleMilliseconds(absl::DurationFromTimespec(time));
}

// One call's times.
struct Times {
  std::vector<double> clock;
  double processor = 0;  // the sum

  void Measure(const std::function<void()>& call) {
    const absl::Time start = absl::Now();
    const double before = ProcessorMilliseconds();
    call();
    processor += ProcessorMilliseconds() - before;
    clock.push_back(absl::ToDoubleMilliseconds(absl::Now() - start));
  }
  double OfProcessor() const { return processor / static_cast<double>(clock.size()); }
};

std::string EdgeFile(const TemporaryFolder& at, const std::string& name) {
  return at / (name + "/" + kEdge + ".ndjson");
}

void WriteRows(const TemporaryFolder& at, const std::string& name, int64_t rows, absl::Time end) {
  Need(shim::WriteSample({.folder = at / name, .rows = rows, .days = 20.0 / 24, .end = end}));
}

struct Cost {
  double processor_of_row = 0;  // microseconds
  double bytes_of_row = 0;
  double log_bytes_of_row = 0;
};

// Loads the edge log's rows.
Cost LoadRows(const TemporaryFolder& at, const std::string& name) {
  Cost cost;
  const auto backend = Open(at / (name + ".data"));
  const double before = ProcessorMilliseconds();
  const LoadReport report = Need(backend->store().Load({.table = kEdge, .files = {EdgeFile(at, name)}}, nullptr));
  Need(backend->store().Checkpoint());
  cost.processor_of_row = (ProcessorMilliseconds() - before) * 1'000 / static_cast<double>(report.rows);
  for (const TableStats& stats : Need(backend->ReadStats())) {
    if (stats.table == kEdge)
      cost.bytes_of_row = static_cast<double>(stats.bytes_on_disk) / static_cast<double>(stats.rows);
  }
  // Rows appended in batches, as a server takes them, are in the write-ahead log first.
  std::ifstream file(EdgeFile(at, name));
  std::vector<std::string> lines(2'000);
  for (std::string& line : lines) std::getline(file, line);
  AppendRequest request;
  request.table = kEdge;
  for (const std::string& line : lines) request.rows.push_back(line);
  Need(backend->store().Append(request).status());
  cost.log_bytes_of_row = static_cast<double>(std::filesystem::file_size(at / (name + ".data/logs.duckdb.wal"))) /
                          static_cast<double>(lines.size());
  return cost;
}

// The folder's copy without the columns of packed records, as an older logquery has it.
void CopyWithout(const std::string& from, const std::string& to) {
  std::filesystem::copy(from, to, std::filesystem::copy_options::recursive);
  const auto backend = Open(to);
  const auto state = Need(static_cast<store::DuckDbBackendImpl&>(*backend).engine().Use());
  const duckdb::ConnectionHandle connection = Need(state->database.Connect());
  const Catalog catalog = Need(backend->ReadCatalog());
  for (const Table& table : catalog.tables()) {
    for (const PackedRecord& packed : table.packed_records) {
      Need(duckdb::Run(connection.get(), "ALTER TABLE \"" + table.name + "\" DROP COLUMN \"" + packed.column + "\""));
      Need(duckdb::Run(connection.get(), "DELETE FROM logquery.columns WHERE column_name = '" + packed.column + "'"));
    }
  }
  Need(duckdb::Run(connection.get(), "CHECKPOINT"));
}

class Side {
 public:
  Side(const std::string& folder, const Clock* clock) : backend_(Open(folder, /*read_only=*/true)) {
    QueryServiceOptions options;
    for (Endpoint& endpoint : options.endpoints) endpoint.caching = endpoint.cache_warming = std::nullopt;
    options.kept_bytes = 0;
    options.backend = backend_.get();
    options.clock = clock;
    service_ = Need(QueryService::Create(std::move(options)));
  }

  std::string Run(const QueryRequest& request) {
    return std::string(std::string_view(Need(service_->Run(request)).body));
  }

  // Returns the project with the most rows, or the fewest of those with at least 200.
  std::string Project(bool busy) {
    PreparedQuery::Parts parts;
    parts.dialect_text =
        "SELECT project FROM \"cloudflare.logs.prod\" GROUP BY project HAVING count(*) >= 200 ORDER BY count(*)" +
        std::string(busy ? " DESC" : "") + ", project LIMIT 1";
    parts.schema = {{"project", Type::String()}};
    CollectingSink sink;
    Need(backend_->Execute(PreparedQuery(std::move(parts)), {}, {}, {}, sink));
    return sink.rows().at(0)[0].string_value();
  }

  // Answers per second to two callers at once.
  double Rate(const QueryRequest& request) {
    std::atomic<int> answers{0};
    std::atomic<bool> ended{false};
    std::vector<std::thread> callers;
    for (int i = 0; i < 2; ++i) {
      callers.emplace_back([&] {
        while (!ended) {
          Need(service_->Run(request).status());
          ++answers;
        }
      });
    }
    const absl::Time start = absl::Now();
    absl::SleepFor(absl::Seconds(3));
    ended = true;
    for (std::thread& caller : callers) caller.join();
    return answers / absl::ToDoubleSeconds(absl::Now() - start);
  }

 private:
  std::unique_ptr<DuckDbBackend> backend_;
  std::unique_ptr<QueryService> service_;
};

void Compare(const std::string& name, const QueryRequest& request, const Options& options, Side& packed, Side& fields) {
  if (packed.Run(request) != fields.Run(request)) Fail(name + ": answers differ");
  Times from_packed;
  Times from_fields;
  for (int i = 0; i < options.repeat; ++i) {
    from_packed.Measure([&] { packed.Run(request); });
    from_fields.Measure([&] { fields.Run(request); });
  }
  const double faster = Median(from_fields.clock) / Median(from_packed.clock);
  const double more = packed.Rate(request) / fields.Rate(request);
  std::printf("| %s | %.2f | %.2f | %.2f | %.2f | %.2f | %.2f | %.2f |\n", name.c_str(), Median(from_packed.clock),
              Median(from_fields.clock), faster, from_packed.OfProcessor(), from_fields.OfProcessor(),
              from_fields.OfProcessor() / from_packed.OfProcessor(), more);
}

void CompareAll(const TemporaryFolder& at, absl::Time now, const Options& options) {
  CopyWithout(at / "open.data", at / "fields.data");
  const FixedClock clock(now);
  Side packed(at / "open.data", &clock);
  Side fields(at / "fields.data", &clock);
  const auto request = [](const std::string& project, ParameterTexts more = {}) {
    QueryRequest made;
    made.endpoint = "logs.all";
    made.parameters = std::move(more);
    made.parameters.emplace_back("project", project);
    made.parameters.emplace_back("project_tier", "ENTERPRISE");
    return made;
  };
  const std::string busy = packed.Project(true);
  const std::string rare = packed.Project(false);
  const std::string earlier = absl::FormatTime(absl::RFC3339_sec, now - absl::Hours(9), absl::UTCTimeZone());
  const std::string hour = absl::FormatTime(absl::RFC3339_sec, now - absl::Hours(1), absl::UTCTimeZone());
  std::printf(
      "| `logs.all`, cold | packed, ms | fields, ms | times as fast | packed, ms of processor | fields | ratio | times "
      "the answers/s |\n"
      "|---|---|---|---|---|---|---|---|\n");
  Compare("busy project", request(busy), options, packed, fields);
  Compare("busy project, last hour", request(busy, {{"iso_timestamp_start", hour}}), options, packed, fields);
  Compare("busy project, older page", request(busy, {{"iso_timestamp_end", earlier}}), options, packed, fields);
  Compare("rare project", request(rare), options, packed, fields);
  Compare("its SQL",
          request(busy, {{"sql", "select timestamp, metadata from edge_logs order by timestamp desc, id limit 100"}}),
          options, packed, fields);
}

void Run(const Options& options) {
  const TemporaryFolder at;
  const absl::Time now = absl::Now();
  WriteRows(at, "open", options.rows, now);
  WriteRows(at, "closed", options.rows, now - absl::Hours(240));
  const Cost closed = LoadRows(at, "closed");
  const Cost open = LoadRows(at, "open");
  std::printf(
      "| rows of | load and checkpoint, us of processor | bytes a row | of the write-ahead log |\n|---|---|---|---|\n");
  std::printf("| open days | %.1f | %.0f | %.0f |\n", open.processor_of_row, open.bytes_of_row, open.log_bytes_of_row);
  std::printf("| closed days | %.1f | %.0f | %.0f |\n\n", closed.processor_of_row, closed.bytes_of_row,
              closed.log_bytes_of_row);
  CompareAll(at, now, options);
}

}  // namespace
}  // namespace logquery

int main(int argc, char** argv) {
  logquery::Options options;
  for (int i = 1; i + 1 < argc; i += 2) {
    const std::string name = argv[i];
    if (name == "--rows") {
      options.rows = std::atoll(argv[i + 1]);
    } else if (name == "--repeat") {
      options.repeat = std::atoi(argv[i + 1]);
    } else {
      logquery::Fail(name + " is no option; the options are --rows N and --repeat N");
    }
  }
  logquery::Run(options);
  return 0;
}
