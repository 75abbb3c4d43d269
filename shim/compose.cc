#include "shim/compose.h"

#include <string_view>
#include <utility>

#include "absl/time/time.h"
#include "lib/base/status_macros.h"
#include "lib/base/strings.h"
#include "logquery/duckdb/duckdb_backend.h"
#include "logquery/duckdb/log_store.h"
#include "logquery/parameter_binder.h"
#include "shim/definitions.h"
#include "shim/loading.h"

namespace logquery::shim {
absl::StatusOr<Composition> Compose(const ServiceArguments& arguments, const std::string& tokens) {
  Composition parts;
  parts.clock = Clock::Real();
  if (!arguments.now.empty()) {
    const absl::StatusOr<absl::Time> now = ParseTimestamp(arguments.now);
    if (!now.ok()) return absl::InvalidArgumentError(base::StrCat("--now: ", base::Message(now.status())));
    parts.fixed_clock = std::make_unique<FixedClock>(*now);
    parts.clock = parts.fixed_clock.get();
  }
  QueryServiceOptions options;
  LOGQUERY_ASSIGN_OR_RETURN(options.endpoints, AllDefinitions(arguments.endpoints));
  if (!tokens.empty()) {
    // Tokens expire by the machine's clock, whatever time the queries are told.
    LOGQUERY_ASSIGN_OR_RETURN(parts.authenticator, TokenFile::Open(tokens, Clock::Real()));
  }
  DuckDbOptions engine;
  engine.folder = arguments.data;
  engine.read_only = true;
  engine.memory_limit_bytes = arguments.memory_limit_mb * 1'000'000;
  engine.threads = arguments.engine_threads;
  LOGQUERY_ASSIGN_OR_RETURN(parts.backend, OpenDuckDb(engine));
  options.backend = parts.backend.get();
  options.authenticator = parts.authenticator.get();
  options.clock = parts.clock;
  options.time_limit = absl::Seconds(arguments.time_limit_seconds);
  LOGQUERY_ASSIGN_OR_RETURN(parts.service, QueryService::Create(std::move(options)));
  return parts;
}

namespace {

TimestampUnit UnitOf(std::string_view text) {
  if (text == "s") return TimestampUnit::kSeconds;
  if (text == "ms") return TimestampUnit::kMilliseconds;
  return text == "ns" ? TimestampUnit::kNanoseconds : TimestampUnit::kMicroseconds;
}

void AddTo(LoadTotals& totals, const LoadReport& report) {
  totals.rows += report.rows;
  totals.rejected_rows += report.rejected_rows;
  totals.duplicate_rows += report.duplicate_rows;
  totals.bytes += report.bytes;
  totals.files_loaded += report.files_loaded;
  totals.time += report.time;
  for (const std::string& file : report.files_skipped) totals.files_skipped.push_back(file);
  for (const std::string& field : report.undeclared_fields) totals.undeclared_fields.push_back(field);
  for (const LoadReport::Rejected& row : report.first_rejected) {
    totals.first_rejected.push_back(base::StrCat(row.file, ":", row.line, ": ", row.reason));
  }
  if (!report.rejected_folder.empty()) totals.rejected_folder = report.rejected_folder;
}

}  // namespace

absl::Status LoadLogs(const LoadJob& job, LoadTotals& totals) {
  DuckDbOptions options;
  options.folder = job.folder;
  LOGQUERY_ASSIGN_OR_RETURN(const std::unique_ptr<DuckDbBackend> backend, OpenDuckDb(options));
  for (const auto& [table, files] : job.files) {
    LoadRequest request;
    request.table = table;
    request.files = files;
    request.timestamp_unit = UnitOf(job.timestamp_unit);
    request.dedupe_by_id = job.dedupe_by_id;
    const auto progress = [&job](const LoadProgress& now) {
      job.progress(now.file, now.rows, now.bytes_done, now.bytes_total);
    };
    LOGQUERY_ASSIGN_OR_RETURN(const LoadReport report, backend->store().Load(request, progress));
    AddTo(totals, report);
  }
  return backend->store().Checkpoint();
}

}  // namespace logquery::shim
