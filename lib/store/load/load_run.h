// One input's rows on their way in, as the engine asks for them: each of its threads takes batches of lines, parses them,
// and fills the engine's chunks.
//
// The threads meet only where they read the input and where a batch is done with.
#ifndef LOGQUERY_LIB_STORE_LOAD_LOAD_RUN_H_
#define LOGQUERY_LIB_STORE_LOAD_LOAD_RUN_H_

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/status/status.h"
#include "absl/synchronization/mutex.h"
#include "lib/store/load/rejected_rows.h"
#include "lib/store/rows/chunk_builder.h"
#include "lib/store/rows/row_batch.h"
#include "lib/store/rows/row_parser.h"
#include "logquery/cancellation.h"

namespace logquery::store {

// Of how many rejected rows a report has the reasons.
inline constexpr size_t kFirstRejected = 20;

// Thread-safe.
class LoadRun {
 public:
  struct Totals {
    int64_t rows = 0;
    int64_t rejected_rows = 0;
    int64_t bytes = 0;                        // of text
    int64_t position = 0;                     // in the input
    std::vector<RejectedRow> first_rejected;  // the first ones, without their text
    base::StringSet undeclared_fields;
  };

  // Borrows `reader`, `plan` and `rejected`; that is nullptr where rejected rows are only counted. `folder` is where the rows
  // go: it fails when the disk there is nearly full.
  LoadRun(BatchReader* reader, std::string folder, const RowPlan* plan, RowParser::Options options,
          RejectedRows* rejected, CancellationToken cancellation, size_t kept_reasons = kFirstRejected);

  const RowPlan& plan() const { return *plan_; }
  const RowParser::Options& options() const { return options_; }

  // The input's next lines, in the order of their times; false: there are no more, or the run has failed.
  bool NextBatch(RowBatch* batch);
  // That its rows are through: `rows` of them went in, these did not.
  void BatchDone(const RowBatch& batch, int64_t rows, std::vector<RejectedRow> rejected);
  // Once a thread has no more.
  void ThreadDone(const RowParser& parser);
  // No more batches are given, as if the input ended here.
  void End();

  // Why it ended before the input did; OK: it did not.
  absl::Status status() const;
  Totals totals() const;
  // Once the run is over.
  const FieldSurvey& survey() const;

 private:
  struct Done {
    int64_t rows = 0;
    int64_t bytes = 0;
    int64_t position = 0;
    std::vector<RejectedRow> rejected;
  };

  bool GoesOn() const;
  void Fail(const absl::Status& status);
  void Take(Done done) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);

  const std::string folder_;
  const RowPlan* const plan_;
  const RowParser::Options options_;
  const CancellationToken cancellation_;
  const size_t kept_reasons_;
  RejectedRows* const rejected_;

  absl::Mutex read_mutex_;
  BatchReader* const reader_ ABSL_PT_GUARDED_BY(read_mutex_);

  mutable absl::Mutex mutex_;
  absl::Status status_ ABSL_GUARDED_BY(mutex_);
  Totals totals_ ABSL_GUARDED_BY(mutex_);
  std::map<int64_t, Done> done_ ABSL_GUARDED_BY(mutex_);  // by the batch's number, beyond a gap
  int64_t next_done_ ABSL_GUARDED_BY(mutex_) = 0;
  bool ended_ ABSL_GUARDED_BY(mutex_) = false;
  FieldSurvey survey_ ABSL_GUARDED_BY(mutex_);
};

// What one of the engine's threads has of a run. For one thread.
class RowSource {
 public:
  // `run` is borrowed.
  explicit RowSource(LoadRun* run) : run_(run), builder_(&run->plan()), parser_(&run->plan(), run->options()) {}

  // Fills `chunk` with the next rows. An empty one: there are no more for this thread.
  void Fill(duckdb_data_chunk chunk);

 private:
  bool NextLine();

  LoadRun* const run_;
  ChunkBuilder builder_;
  RowParser parser_;
  RowBatch batch_;
  size_t line_ = 0;   // the next of the batch's
  int64_t rows_ = 0;  // of the batch's that went in
  std::vector<RejectedRow> rejected_;
  bool done_ = false;
};

}  // namespace logquery::store

#endif  // LOGQUERY_LIB_STORE_LOAD_LOAD_RUN_H_
