// Opens the transaction with the first new file, and commits all files in it.
#include "lib/store/load/file_group.h"

#include <utility>

#include "lib/base/status_macros.h"

namespace logquery::store {

absl::Status FileGroup::Take(const std::string& name) {
  constexpr size_t kIdDigits = 16;
  LOGQUERY_ASSIGN_OR_RETURN(InputFile* const file, files_->Open(name));
  Taken taken;
  taken.file = name;
  LOGQUERY_ASSIGN_OR_RETURN(taken.before, InputLoader::FindFile(shared_, file->digest()));
  if (!taken.before.has_value()) {
    if (!transaction_.has_value()) {
      LOGQUERY_ASSIGN_OR_RETURN(duckdb::Transaction begun, duckdb::Transaction::Begin(shared_.connection));
      transaction_.emplace(std::move(begun));
      LOGQUERY_RETURN_IF_ERROR(learner_->Apply());
    }
    taken.loader =
        std::make_unique<InputLoader>(shared_, LoadInput{name, file->digest(), file->digest().substr(0, kIdDigits)});
    LineReader reader(file, name);
    InputLoader::Progress progress;
    if (progress_) {
      progress = [&](const LoadRun::Totals& totals) { progress_({name, totals.position, file->size(), totals.rows}); };
    }
    LOGQUERY_RETURN_IF_ERROR(taken.loader->Take(reader, progress));
    LOGQUERY_RETURN_IF_ERROR(file->CheckUnchanged());
  }
  taken_.push_back(std::move(taken));
  return absl::OkStatus();
}

absl::Status FileGroup::Commit(duckdb::DataVersion* version, TableMarksCache* marks, LoadReport* report) {
  if (transaction_.has_value()) {
    RowChange changed;
    int64_t rows = 0, bytes = 0;
    for (const Taken& taken : taken_) {
      if (taken.loader == nullptr) continue;
      changed.Merge(taken.loader->changed());
      rows += taken.loader->rows();
      bytes += taken.loader->bytes();
    }
    LOGQUERY_ASSIGN_OR_RETURN(BookedChange booked,
                              BookChange(shared_.connection, shared_.plan->layout().table.name, changed));
    booked.may_move = MayCheckpoint(*shared_.folder, rows, bytes);
    LOGQUERY_RETURN_IF_ERROR(learner_->Commit(*transaction_, booked, version, marks));
    learner_->Report(report);
  }
  transaction_.reset();
  for (const Taken& taken : std::exchange(taken_, {})) {
    const bool skipped = taken.before.has_value();
    const LoadEntry entry = skipped ? *taken.before : taken.loader->entry();
    std::vector<std::string> fields;
    if (!skipped) fields.assign(taken.loader->undeclared_fields().begin(), taken.loader->undeclared_fields().end());
    std::vector<RejectedCount> by_reason;
    if (!skipped) by_reason = taken.loader->rejected_by_reason();
    report->files.push_back({taken.file, skipped, entry.name, entry.rows, entry.rejected_rows, entry.duplicate_rows,
                             std::move(fields), std::move(by_reason)});
    if (skipped) {
      report->files_skipped.push_back(taken.file);
    } else {
      LOGQUERY_RETURN_IF_ERROR(taken.loader->Publish(report));
      if (!report->files.back().gave_nothing()) ++report->files_loaded;
    }
  }
  return absl::OkStatus();
}

}  // namespace logquery::store
