// Reads one input's rows for the engine: each of its threads takes batches of lines, parses them, and fills the
// engine's chunks.
//
// The threads synchronize only to read the input and to finish a batch.
#ifndef LOGQUERY_LIB_STORE_LOAD_LOAD_RUN_H_
#define LOGQUERY_LIB_STORE_LOAD_LOAD_RUN_H_

#include <cstdint>
#include <limits>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/status/status.h"
#include "absl/synchronization/mutex.h"
#include "absl/time/time.h"
#include "lib/store/load/rejected_rows.h"
#include "lib/store/rows/added_rows.h"
#include "lib/store/rows/chunk_builder.h"
#include "lib/store/rows/rare_projects.h"
#include "lib/store/rows/record_packers.h"
#include "lib/store/rows/rejected_counts.h"
#include "lib/store/rows/row_batch.h"
#include "lib/store/rows/row_parser.h"
#include "lib/store/tables/change_books.h"
#include "logquery/cancellation.h"
#include "logquery/packed_records.h"

namespace logquery::store {

// The number of rejected rows whose reasons are in a report.
inline constexpr size_t kFirstRejected = 20;

// Thread-safe.
class LoadRun {
 public:
  struct Totals {
    int64_t rows = 0;
    int64_t rejected_rows = 0;
    int64_t bytes = 0;                        // uncompressed text
    int64_t position = 0;                     // in the input
    std::vector<RejectedRow> first_rejected;  // the first ones, without their text
    RejectedCounts rejected_by_reason;
    base::StringSet undeclared_fields;
    RowParser::Misfits misfits;  // valid after the run
  };

  // Borrows `reader`, `plan` and `rejected`; the latter may be nullptr to only count rejected rows. `folder` is the
  // rows' destination: the run fails when its disk is nearly full.
  LoadRun(BatchReader* reader, std::string folder, const RowPlan* plan, RowParser::Options options,
          RejectedRows* rejected, CancellationToken cancellation, size_t kept_reasons = kFirstRejected);

  const RowPlan& plan() const { return *plan_; }
  const RowParser::Options& options() const { return options_; }

  // Returns the next lines of the input in the order to store them; false: there are no more, or the run has failed.
  bool NextBatch(RowBatch* batch);
  // Reports that a batch is complete: `rows` of its rows were stored, the others rejected.
  void BatchDone(const RowBatch& batch, int64_t rows, std::vector<RejectedRow> rejected);
  // Must be called when a thread has no more rows. `changed` has the projects of its stored rows, and `added` the rows if
  // the run keeps them.
  void ThreadDone(const RowParser& parser, const RowChange& changed, AddedRows added);
  // Ends the run, as if the input ended here.
  void End();

  // Why the run ended before the input did; OK: it did not.
  absl::Status status() const;
  Totals totals() const;
  // Valid after the run.
  const RowSurveys& survey() const;
  // The projects of the stored rows; valid after the run.
  const RowChange& changed() const;
  // Lets the run keep copies of the stored rows. Must be called before it begins.
  void KeepRows() { keeps_rows_ = true; }
  bool keeps_rows() const { return keeps_rows_; }
  // Stores rows before this time as rows of closed days: those of files are ordered by project (row_batch.h), and the records of
  // rare projects alone are packed (record_packers.h), unless `packed` is kAll. Must be called before the run begins; otherwise
  // rows are ordered by time, and no record is packed.
  void OpenFrom(absl::Time first_day, PackedRecords packed);
  // Compresses packed records with `dictionary`, which is borrowed, and trains it. Must be called before the run begins.
  void CompressWith(LogDictionary* dictionary) { dictionary_ = dictionary; }
  // Returns which records are packed, and how.
  RecordPackers::Options packing() const;
  // Returns whether the run orders rows of closed days by project, and counts them for rare_projects().
  bool by_project() const;
  RareProjects& rare_projects() { return rare_projects_; }
  // Returns these copies; valid after the run.
  AddedRows TakeAdded();

 private:
  struct Done {
    int64_t rows = 0;
    int64_t bytes = 0;
    int64_t position = 0;
    std::vector<RejectedRow> rejected;
  };

  // Orders the lines as their rows are to be stored, and counts those of closed days for their projects.
  void SortLines(RowBatch* batch);
  bool GoesOn() const;
  void Fail(const absl::Status& status);
  void Take(Done done) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);

  const std::string folder_;
  const RowPlan* const plan_;
  const RowParser::Options options_;
  const CancellationToken cancellation_;
  const size_t kept_reasons_;
  RejectedRows* const rejected_;
  const bool reader_orders_by_project_;
  bool keeps_rows_ = false;
  int64_t open_from_ = std::numeric_limits<int64_t>::max();
  int64_t packs_from_ = std::numeric_limits<int64_t>::max();
  LogDictionary* dictionary_ = nullptr;
  RareProjects rare_projects_;

  absl::Mutex read_mutex_;
  BatchReader* const reader_ ABSL_PT_GUARDED_BY(read_mutex_);

  mutable absl::Mutex mutex_;
  absl::Status status_ ABSL_GUARDED_BY(mutex_);
  Totals totals_ ABSL_GUARDED_BY(mutex_);
  std::map<int64_t, Done> done_ ABSL_GUARDED_BY(mutex_);  // by batch number, for batches after a gap
  int64_t next_done_ ABSL_GUARDED_BY(mutex_) = 0;
  bool ended_ ABSL_GUARDED_BY(mutex_) = false;
  RowSurveys survey_ ABSL_GUARDED_BY(mutex_);
  RowChange changed_ ABSL_GUARDED_BY(mutex_);
  AddedRows added_ ABSL_GUARDED_BY(mutex_);
};

// One engine thread's part of a run. Used by that thread only.
class RowSource {
 public:
  // `run` is borrowed.
  explicit RowSource(LoadRun* run)
      : run_(run),
        builder_(&run->plan()),
        parser_(&run->plan(), run->options()),
        packers_(&run->plan(), &run->rare_projects(), run->packing()) {}

  // Fills `chunk` with the next rows; an empty chunk means that there are no more for this thread.
  void Fill(duckdb_data_chunk chunk);

 private:
  bool NextLine();
  void NoteProject(uint64_t row);

  LoadRun* const run_;
  ChunkBuilder builder_;
  RowParser parser_;
  RecordPackers packers_;
  RowBatch batch_;
  size_t line_ = 0;   // the next line of the batch
  int64_t rows_ = 0;  // rows of the batch that were stored
  std::vector<RejectedRow> rejected_;
  RowChange changed_;
  AddedRows added_;
  bool done_ = false;
};

}  // namespace logquery::store

#endif  // LOGQUERY_LIB_STORE_LOAD_LOAD_RUN_H_
