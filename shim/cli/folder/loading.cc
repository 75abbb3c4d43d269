// Loads logs into a data folder: directly, or through the spool of the server that holds it.
#include "shim/cli/folder/loading.h"

#include <memory>
#include <string_view>
#include <utility>

#include "lib/base/readable_text.h"
#include "lib/base/status_macros.h"
#include "lib/base/strings.h"
#include "lib/store/rows/rejected_counts.h"
#include "logquery/store/duckdb_backend.h"
#include "logquery/store/log_store.h"
#include "logquery/store/spool.h"
#include "shim/cli/folder/folder.h"

namespace logquery::shim {
namespace {

TimestampUnit UnitOf(std::string_view text) {
  if (text == "s") return TimestampUnit::kSeconds;
  if (text == "ms") return TimestampUnit::kMilliseconds;
  return text == "ns" ? TimestampUnit::kNanoseconds : TimestampUnit::kMicroseconds;
}

std::string WhyNoRows(const LoadReport::File& file) {
  if (file.rejected_rows == 0) return "it has no rows";
  if (file.rejected_rows == 1) return "its only row was rejected";
  return base::StrCat("all of its ", base::WithCommas(file.rejected_rows), " rows were rejected");
}

}  // namespace

void AddCounts(const ReasonCounts& from, ReasonCounts& to) {
  store::RejectedCounts counts;
  for (const auto& [reason, rows] : to) counts.Add(reason, rows);
  for (const auto& [reason, rows] : from) counts.Add(reason, rows);
  to.clear();
  for (const RejectedCount& count : counts.Sorted()) to.emplace_back(count.reason, count.rows);
}

void AddToTotals(const LoadReport& report, LoadTotals& totals) {
  totals.rows += report.rows;
  totals.rejected_rows += report.rejected_rows;
  totals.duplicate_rows += report.duplicate_rows;
  totals.bytes += report.bytes;
  totals.files_loaded += report.files_loaded;
  totals.time += report.time;
  for (const std::string& file : report.files_skipped) totals.files_skipped.push_back(file);
  for (const LoadReport::File& file : report.files) {
    if (file.gave_nothing()) totals.files_without_rows.push_back(base::StrCat(file.file, ": ", WhyNoRows(file)));
    if (!file.skipped || file.rejected_rows == 0) continue;
    totals.rejected_before += file.rejected_rows;
    totals.incomplete.push_back(base::StrCat(file.file, ": ", base::Counted(file.rejected_rows, "row"),
                                             file.rejected_rows == 1 ? " was" : " were", " rejected then"));
  }
  for (const std::string& field : report.undeclared_fields) totals.undeclared_fields.push_back(field);
  for (const LearnedField& field : report.learned_fields) {
    totals.learned_fields.push_back(base::StrCat(field.path, " ", field.type.ToString()));
  }
  for (const LearnedField& field : report.widened_fields) {
    totals.widened_fields.push_back(
        base::StrCat(field.path, " ", field.narrower.ToString(), " to ", field.type.ToString()));
  }
  for (const LoadReport::Rejected& row : report.first_rejected) {
    totals.first_rejected.push_back(base::StrCat(row.file, ":", row.line, ": ", row.reason));
  }
  ReasonCounts by_reason;
  for (const RejectedCount& count : report.rejected_by_reason) by_reason.emplace_back(count.reason, count.rows);
  AddCounts(by_reason, totals.rejected_by_reason);
  if (!report.rejected_folder.empty()) totals.rejected_folder = report.rejected_folder;
}

absl::Status LoadLogs(const LoadJob& job, LoadTotals& totals) {
  const std::string spool = SpoolIn(job.folder);
  const bool is_served = IsSpoolServed(spool);
  std::unique_ptr<DuckDbBackend> backend;
  if (!is_served) {
    DuckDbOptions options;
    options.folder = job.folder;
    options.own_logs_json = job.own_logs_json;
    options.own_logs_source = job.own_logs_source;
    options.packed_records = job.packed_records;
    LOGQUERY_ASSIGN_OR_RETURN(backend, OpenDuckDb(options));
    LOGQUERY_ASSIGN_OR_RETURN(totals.left_out, backend->ColumnsLeftOut(job.own_logs_source, job.own_logs_json));
  }
  for (const auto& [table, files] : job.files) {
    LoadRequest request;
    request.table = table;
    request.files = files;
    request.timestamp_unit = UnitOf(job.timestamp_unit);
    request.dedupe_by_id = job.dedupe_by_id;
    request.again = job.again;
    const auto progress = [&job](const LoadProgress& now) {
      job.progress(now.file, now.rows, now.bytes_done, now.bytes_total);
    };
    LOGQUERY_ASSIGN_OR_RETURN(LoadReport report,
                              is_served ? LoadBySpool(spool, request) : backend->store().Load(request, progress));
    if (is_served && report.rejected_rows > 0) report.rejected_folder = job.folder + "/rejected";
    AddToTotals(report, totals);
  }
  return is_served ? absl::OkStatus() : backend->store().Checkpoint();
}

}  // namespace logquery::shim
