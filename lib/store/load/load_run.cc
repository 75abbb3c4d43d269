// Hands out an input's batches to the engine's threads, and adds up the results in the order of the batches.
#include "lib/store/load/load_run.h"

#include <algorithm>
#include <limits>
#include <optional>
#include <string_view>
#include <utility>

#include "lib/store/folder/disk_room.h"
#include "logquery/clock.h"

namespace logquery::store {
namespace {

// The kind of all events of which no row could be made.
constexpr char kMalformedEvent[] = "malformed event";

}  // namespace

LoadRun::LoadRun(BatchReader* reader, std::string folder, const RowPlan* plan, RowParser::Options options,
                 RejectedRows* rejected, CancellationToken cancellation, size_t kept_reasons)
    : folder_(std::move(folder)),
      plan_(plan),
      options_(std::move(options)),
      cancellation_(std::move(cancellation)),
      kept_reasons_(kept_reasons),
      rejected_(rejected),
      reader_orders_by_project_(reader->by_project()),
      reader_(reader) {}

void LoadRun::OpenFrom(absl::Time first_day, PackedRecords packed) {
  open_from_ = absl::ToUnixMicros(first_day);
  packs_from_ = packed == PackedRecords::kAll ? std::numeric_limits<int64_t>::min() : open_from_;
}

bool LoadRun::by_project() const {
  return reader_orders_by_project_ && plan_->project() != nullptr && open_from_ != std::numeric_limits<int64_t>::max();
}

RecordPackers::Options LoadRun::packing() const {
  const int64_t now = absl::ToUnixMicros(Clock::Real()->Now());
  return {.first_day = packs_from_, .counts = !by_project(), .dictionary = dictionary_, .when = {now, open_from_}};
}

bool LoadRun::NextBatch(RowBatch* batch) {
  if (cancellation_.IsCancelled()) Fail(absl::CancelledError("the load was cancelled"));
  if (const absl::Status room = CheckRoom(folder_); !room.ok()) Fail(room);
  {
    absl::MutexLock lock(&read_mutex_);
    if (!GoesOn()) return false;
    const absl::StatusOr<bool> more = reader_->Next(batch);
    if (!more.ok()) Fail(more.status());
    if (!more.ok() || !*more) return false;
  }
  SortLines(batch);
  return true;
}

void LoadRun::SortLines(RowBatch* batch) {
  if (plan_->time() == nullptr) return;
  const std::string_view project = by_project() ? std::string_view(plan_->project()->name) : std::string_view();
  store::SortLines({plan_->time()->name, project, options_.timestamp_unit, open_from_}, batch);
  if (!by_project()) return;
  std::vector<RareProjects::Row> closed;
  for (const RowBatch::Line& line : batch->lines) {
    if (line.time < open_from_ && !line.project.empty()) closed.push_back({StringRef(line.project), line.time});
  }
  rare_projects_.Count(closed);
}

void LoadRun::BatchDone(const RowBatch& batch, int64_t rows, std::vector<RejectedRow> rejected) {
  std::sort(rejected.begin(), rejected.end(),
            [](const RejectedRow& a, const RejectedRow& b) { return a.line < b.line; });
  absl::MutexLock lock(&mutex_);
  done_[batch.number] = {rows, batch.bytes, batch.position, std::move(rejected)};
  // Rejected rows are kept in the file's order.
  for (auto next = done_.find(next_done_); next != done_.end(); next = done_.find(next_done_)) {
    Take(std::move(next->second));
    done_.erase(next);
    ++next_done_;
  }
}

void LoadRun::Take(Done done) {
  totals_.rows += done.rows;
  totals_.bytes += done.bytes;
  totals_.position = done.position;
  for (RejectedRow& row : done.rejected) {
    const absl::Status added = rejected_ == nullptr ? absl::OkStatus() : rejected_->Add(row);
    if (!added.ok() && status_.ok()) status_ = added;
    ++totals_.rejected_rows;
    totals_.rejected_by_reason.Add(row.kind);
    if (totals_.first_rejected.size() < kept_reasons_) {
      totals_.first_rejected.push_back({row.line, "", std::move(row.reason), std::move(row.kind)});
    }
  }
}

void LoadRun::ThreadDone(const RowParser& parser, const RowChange& changed, AddedRows added) {
  absl::MutexLock lock(&mutex_);
  changed_.Merge(changed);
  added_.Merge(std::move(added));
  totals_.undeclared_fields.insert(parser.undeclared_fields().begin(), parser.undeclared_fields().end());
  for (const auto& [place, values] : parser.misfits()) totals_.misfits[place] += values;
  survey_.Merge(parser.survey());
}

void LoadRun::End() {
  absl::MutexLock lock(&mutex_);
  ended_ = true;
}

bool LoadRun::GoesOn() const {
  absl::MutexLock lock(&mutex_);
  return status_.ok() && !ended_;
}

void LoadRun::Fail(const absl::Status& status) {
  absl::MutexLock lock(&mutex_);
  if (status_.ok()) status_ = status;
}

absl::Status LoadRun::status() const {
  absl::MutexLock lock(&mutex_);
  return status_;
}

LoadRun::Totals LoadRun::totals() const {
  absl::MutexLock lock(&mutex_);
  return totals_;
}

const RowSurveys& LoadRun::survey() const {
  absl::MutexLock lock(&mutex_);
  return survey_;
}

AddedRows LoadRun::TakeAdded() {
  absl::MutexLock lock(&mutex_);
  return std::move(added_);
}

const RowChange& LoadRun::changed() const {
  absl::MutexLock lock(&mutex_);
  return changed_;
}

void RowSource::NoteProject(uint64_t row) {
  const FieldNode* const project = run_->plan().project();
  const FieldNode* const at = run_->plan().time();
  const bool has_time = at != nullptr && builder_.IsValid(at->slot, row);
  const int64_t time = has_time ? builder_.Get<int64_t>(at->slot, row) : RowChange::kAnyTime;
  StringRef name;  // holds short texts itself
  std::optional<std::string_view> owner;
  if (project != nullptr && builder_.IsValid(project->slot, row)) {
    name = builder_.Get<StringRef>(project->slot, row);
    owner = name.view();
  }
  if (run_->keeps_rows()) added_.Note(owner, time);
  if (owner) {
    changed_.Add(*owner, time);
  } else {
    changed_.AddUnowned(time);
  }
}

void RowSource::Fill(duckdb_data_chunk chunk) {
  builder_.Begin(chunk);
  uint64_t row = 0;
  size_t bytes = 0;
  while (row < ChunkBuilder::Capacity()) {
    // The rows so far hold text of the batch that has just ended: they go before the next one is read.
    if (line_ == batch_.lines.size() && row > 0) break;
    if (!NextLine()) break;
    const RowBatch::Line& line = batch_.lines[line_++];
    if (line.refused != nullptr) {
      rejected_.push_back({line.number, std::string(line.text), *line.refused, kMalformedEvent});
    } else if (parser_.Parse(line.text, line.number, &builder_, row, line.event)) {
      NoteProject(row);
      bytes += line.text.size();
      ++row;
    } else {
      rejected_.push_back({line.number, std::string(line.text), parser_.reason(), parser_.kind()});
    }
  }
  rows_ += static_cast<int64_t>(row);
  builder_.Finish(row);
  packers_.Pack(chunk, row, builder_);
  if (run_->keeps_rows()) added_.Take(run_->plan(), chunk, row, bytes);
}

bool RowSource::NextLine() {
  if (line_ < batch_.lines.size()) return true;
  if (done_) return false;
  if (!batch_.lines.empty()) run_->BatchDone(batch_, rows_, std::move(rejected_));
  if (parser_.survey().has_news() && run_->options().ends_at_news) run_->End();
  rejected_.clear();
  rows_ = 0;
  line_ = 0;
  done_ = !run_->NextBatch(&batch_);
  if (done_) {
    batch_.lines.clear();
    run_->ThreadDone(parser_, changed_, std::move(added_));
  }
  return !done_;
}

}  // namespace logquery::store
