// Passes batches from a source's thread to the engine's thread.
#include "lib/engines/duckdb/backend/source/source_scan.h"

#include <algorithm>
#include <exception>
#include <utility>

#include "absl/base/thread_annotations.h"
#include "absl/synchronization/mutex.h"
#include "absl/time/time.h"
#include "lib/base/readable_text.h"
#include "lib/base/start_thread.h"
#include "lib/base/status_macros.h"
#include "lib/base/strings.h"
#include "lib/engines/duckdb/backend/source/vector_writer.h"
#include "lib/functions/function.h"

namespace logquery::duckdb {
namespace {

// The interval at which a wait for a source checks whether its query is to end.
constexpr absl::Duration kLook = absl::Milliseconds(10);
constexpr absl::Duration kGrace = absl::Seconds(1);

// Checks that the batch has the requested columns, in the types of the catalog.
absl::Status CheckBatch(const SourceTable& source, const std::vector<size_t>& columns, const Batch& batch) {
  const Table& table = source.table;
  const size_t wanted_columns = columns.size() + (source.counted ? 1 : 0);
  if (batch.column_count() != wanted_columns) {
    return absl::InternalError(base::StrCat("the source gave ", base::Counted(batch.column_count(), "column"),
                                            " of table ", table.name, " in place of ", wanted_columns));
  }
  if (source.counted && !batch.column(columns.size()).type().is(TypeKind::kInt64)) {
    return absl::InternalError(base::StrCat("the source counts rows of table ", table.name, " as ",
                                            batch.column(columns.size()).type().ToString(), ", not as INT64"));
  }
  for (size_t i = 0; i < columns.size(); ++i) {
    const Field& wanted = table.columns[columns[i]];
    if (Type::SameLayout(batch.column(i).type(), wanted.type)) continue;
    return absl::InternalError(base::StrCat("the source gave column ", table.name, ".", wanted.name, " as ",
                                            batch.column(i).type().ToString(), "; its catalog says ",
                                            wanted.type.ToString()));
  }
  return absl::OkStatus();
}

}  // namespace

// The place where the source's thread leaves a batch and the engine's takes it. Kept by both.
class SourceScan::Handover : public BatchSink {
 public:
  Handover(std::shared_ptr<const SourceTableList> tables, size_t index, ScanRequest request)
      : tables_(std::move(tables)), index_(index), request_(std::move(request)) {
    request_.table = &(*tables_)[index_].table;
  }

  // Runs the whole scan on the source's thread.
  void Run() {
    absl::Status status;
    try {
      status = (*tables_)[index_].source->Scan(request_, stop_.token(), *this);
    } catch (const std::exception& error) {
      status = absl::InternalError(
          base::StrCat("the source of table ", request_.table->name, " threw an exception: ", error.what()));
    } catch (...) {
      status = absl::InternalError(base::StrCat("the source of table ", request_.table->name, " threw an exception"));
    }
    End(std::move(status));
  }

  // No more rows come.
  void End(absl::Status status) {
    absl::MutexLock lock(&mutex_);
    done_ = true;
    // An error of the batches is why the source has ended, whatever it says itself.
    if (status_.ok()) status_ = std::move(status);
  }

  // Called on the source's thread. Returns when the engine has copied the batch.
  absl::Status Append(const Batch& batch) override {
    if (batch.rows() == 0) return absl::OkStatus();
    if (absl::Status wrong = CheckBatch((*tables_)[index_], request_.columns, batch); !wrong.ok()) {
      absl::MutexLock lock(&mutex_);
      status_ = wrong;
      return wrong;
    }
    absl::MutexLock lock(&mutex_);
    if (abandoned_) return Left();
    batch_ = &batch;
    mutex_.Await(absl::Condition(this, &Handover::IsTaken));
    batch_ = nullptr;
    return abandoned_ ? Left() : absl::OkStatus();
  }

  void SetMarks(std::vector<TableMark> marks) override {
    absl::MutexLock lock(&mutex_);
    marks_ = std::move(marks);
  }

  // Called on the engine's thread. Returns the next batch, which stays valid until Release; nullptr at the end.
  absl::StatusOr<const Batch*> Take(const ConnectionState& connection) {
    absl::MutexLock lock(&mutex_);
    while (!mutex_.AwaitWithTimeout(absl::Condition(this, &Handover::HasNews), kLook)) {
      if (connection.IsStopped()) return functions::Stopped();
    }
    if (batch_ != nullptr) return batch_;
    if (!status_.ok()) return status_;
    return nullptr;
  }
  void Release() {
    absl::MutexLock lock(&mutex_);
    batch_ = nullptr;
  }

  // The engine wants no more. False: the source does not return.
  bool Abandon() {
    {
      absl::MutexLock lock(&mutex_);
      abandoned_ = true;
    }
    stop_.Cancel();
    absl::MutexLock lock(&mutex_);
    return mutex_.AwaitWithTimeout(absl::Condition(&done_), kGrace);
  }

  std::vector<TableMark> marks() {
    absl::MutexLock lock(&mutex_);
    return done_ && status_.ok() ? marks_ : std::vector<TableMark>();
  }

 private:
  static absl::Status Left() { return absl::CancelledError("the query wants no more rows"); }
  bool IsTaken() const ABSL_SHARED_LOCKS_REQUIRED(mutex_) { return batch_ == nullptr || abandoned_; }
  bool HasNews() const ABSL_SHARED_LOCKS_REQUIRED(mutex_) { return batch_ != nullptr || done_ || !status_.ok(); }

  const std::shared_ptr<const SourceTableList> tables_;
  const size_t index_;
  ScanRequest request_;
  CancellationSource stop_;
  absl::Mutex mutex_;
  const Batch* batch_ ABSL_GUARDED_BY(mutex_) = nullptr;
  bool abandoned_ ABSL_GUARDED_BY(mutex_) = false;
  bool done_ ABSL_GUARDED_BY(mutex_) = false;
  absl::Status status_ ABSL_GUARDED_BY(mutex_);
  std::vector<TableMark> marks_ ABSL_GUARDED_BY(mutex_);
};

SourceScan::SourceScan(std::shared_ptr<const SourceTableList> tables, size_t index, ScanRequest request,
                       ScanBounds bounds)
    : tables_(tables),
      index_(index),
      columns_(request.columns),
      bounds_(bounds),
      handover_(std::make_shared<Handover>(std::move(tables), index, std::move(request))),
      thread_(base::StartThread("a scan", [handover = handover_] { handover->Run(); })) {
  if (!thread_.ok()) handover_->End(absl::UnavailableError(thread_.status().message()));
}

SourceScan::~SourceScan() {
  if (!thread_.ok()) return;
  if (handover_->Abandon()) {
    thread_->join();
  } else {
    thread_->detach();
  }
}

std::vector<TableMark> SourceScan::marks() const { return handover_->marks(); }

absl::Status SourceScan::CheckTimes(const Batch& batch, int64_t begin, int64_t rows) const {
  if (table().time_column.empty()) return absl::OkStatus();
  for (size_t i = 0; i < columns_.size(); ++i) {
    if (!base::EqualsIgnoreCase(table().columns[columns_[i]].name, table().time_column)) continue;
    for (int64_t row = begin; row < begin + rows; ++row) {
      if (!batch.column(i).IsNull(row)) continue;
      return absl::InternalError(
          base::StrCat("the source gave NULL for ", table().name, ".", table().time_column, ", the time of a row"));
    }
  }
  return absl::OkStatus();
}

absl::Status SourceScan::TooMuch() const {
  const std::string bound =
      rows_ > bounds_.max_rows ? base::Counted(bounds_.max_rows, "row") : base::Counted(bounds_.max_bytes, "byte");
  const std::string& about = (*tables_)[index_].about;
  if (about.empty()) {
    return absl::ResourceExhaustedError(base::StrCat("a scan of table ", table().name, " gave more than ", bound,
                                                     "; ask for fewer rows, such as those of a shorter time"));
  }
  return absl::ResourceExhaustedError(
      base::StrCat("a part of the query gave more than ", bound, ", all of which have to come here (", about,
                   "); ask for fewer rows, such as those of a shorter time, or without that"));
}

absl::Status SourceScan::WriteColumns(const Batch& batch, int64_t begin, int64_t rows, int64_t at,
                                      duckdb_data_chunk chunk) {
  for (size_t i = 0; i < columns_.size(); ++i) {
    const std::string place = base::StrCat(table().name, ".", table().columns[columns_[i]].name);
    LOGQUERY_ASSIGN_OR_RETURN(const int64_t bytes, WriteRows(batch.column(i), begin, rows, place, at,
                                                             duckdb_data_chunk_get_vector(chunk, i)));
    bytes_ += bytes;
  }
  return rows_ > bounds_.max_rows || bytes_ > bounds_.max_bytes ? TooMuch() : absl::OkStatus();
}

absl::StatusOr<int64_t> SourceScan::FillOnce(const Batch& batch, duckdb_data_chunk chunk) {
  const int64_t rows = std::min<int64_t>(batch.rows() - begin_, static_cast<int64_t>(duckdb_vector_size()));
  LOGQUERY_RETURN_IF_ERROR(CheckTimes(batch, begin_, rows));
  rows_ += rows;
  LOGQUERY_RETURN_IF_ERROR(WriteColumns(batch, begin_, rows, 0, chunk));
  begin_ += rows;
  return rows;
}

absl::StatusOr<int64_t> SourceScan::CountAt(const Batch& batch, int64_t row) const {
  const ColumnView& counts = batch.column(columns_.size());
  if (!counts.IsNull(row) && counts.Int64At(row) >= 0) return counts.Int64At(row);
  return absl::InternalError(base::StrCat("the source gave ", counts.IsNull(row) ? "NULL" : "a negative number",
                                          " for how often a row of table ", table().name, " is there"));
}

absl::StatusOr<int64_t> SourceScan::FillCounted(const Batch& batch, duckdb_data_chunk chunk) {
  const auto capacity = static_cast<int64_t>(duckdb_vector_size());
  int64_t filled = 0;
  for (; filled < capacity && begin_ < batch.rows(); repeated_ = 0, ++begin_) {
    LOGQUERY_ASSIGN_OR_RETURN(const int64_t count, CountAt(batch, begin_));
    const int64_t times = std::min(count - repeated_, capacity - filled);
    if (times == 0) continue;
    // The source gave it once, however many chunks it fills.
    rows_ += repeated_ == 0 ? 1 : 0;
    const int64_t bytes = bytes_;
    LOGQUERY_RETURN_IF_ERROR(WriteColumns(batch, begin_, 1, filled, chunk));
    if (repeated_ > 0) bytes_ = bytes;
    for (size_t i = 0; i < columns_.size(); ++i) {
      RepeatRow(batch.column(i).type(), filled, times, duckdb_data_chunk_get_vector(chunk, i));
    }
    filled += times;
    repeated_ += times;
    if (repeated_ < count) break;
  }
  return filled;
}

absl::Status SourceScan::Fill(duckdb_data_chunk chunk, const ConnectionState& connection) {
  int64_t rows = 0;
  do {
    duckdb_data_chunk_set_size(chunk, 0);
    LOGQUERY_ASSIGN_OR_RETURN(const Batch* const batch, handover_->Take(connection));
    if (batch == nullptr) return absl::OkStatus();
    const bool counted = (*tables_)[index_].counted;
    LOGQUERY_ASSIGN_OR_RETURN(rows, counted ? FillCounted(*batch, chunk) : FillOnce(*batch, chunk));
    duckdb_data_chunk_set_size(chunk, static_cast<idx_t>(rows));
    if (begin_ == batch->rows()) {
      begin_ = 0;
      handover_->Release();
    }
  } while (rows == 0);  // each row of the batch is there no times
  return absl::OkStatus();
}

}  // namespace logquery::duckdb
