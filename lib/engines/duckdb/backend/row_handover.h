// Hands batches from one thread to a statement that another thread runs: `SELECT * FROM logquery_rows(ID)` has their rows.
//
//     RowHandover handover(schema);
//     const int64_t id = function.Add(&handover);
//     std::thread engine([&] { handover.End(Run(connection, "COPY (FROM logquery_rows(…)) TO …")); });
//     absl::Status status = handover.Append(batch);   // on this thread, as often as there are batches
//     status = handover.Close();
//     engine.join();
//
// Nothing is queued: Append returns when the engine has copied the batch.
#ifndef LOGQUERY_LIB_ENGINES_DUCKDB_BACKEND_ROW_HANDOVER_H_
#define LOGQUERY_LIB_ENGINES_DUCKDB_BACKEND_ROW_HANDOVER_H_

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/status/status.h"
#include "absl/synchronization/mutex.h"
#include "lib/engines/duckdb/backend/handles.h"
#include "logquery/batch.h"
#include "logquery/type.h"

namespace logquery::duckdb {

class RowHandover {
 public:
  explicit RowHandover(Schema schema) : schema_(std::move(schema)) {}

  const Schema& schema() const { return schema_; }

  // For the thread with the batches. Append returns the statement's error if it has ended. Close says that there are no more
  // batches, and returns the statement's outcome when it has ended. After Abandon the statement fails.
  absl::Status Append(const Batch& batch);
  absl::Status Close();
  void Abandon();

  // For the statement's thread. Fill puts the next rows into the chunk; none at the end. It blocks until there is a batch.
  // Cancelled: abandoned. End reports the statement's outcome; an error that Fill returned counts more.
  absl::Status Fill(duckdb_data_chunk chunk);
  void End(absl::Status outcome);

 private:
  bool IsTaken() const ABSL_SHARED_LOCKS_REQUIRED(mutex_) { return batch_ == nullptr || ended_; }
  bool HasNews() const ABSL_SHARED_LOCKS_REQUIRED(mutex_) { return batch_ != nullptr || closed_ || abandoned_; }
  absl::Status Copy(duckdb_data_chunk chunk) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  absl::Status Outcome() const ABSL_SHARED_LOCKS_REQUIRED(mutex_);

  const Schema schema_;
  absl::Mutex mutex_;
  const Batch* batch_ ABSL_GUARDED_BY(mutex_) = nullptr;
  int64_t begin_ ABSL_GUARDED_BY(mutex_) = 0;       // the batch's next row
  int64_t row_bytes_ ABSL_GUARDED_BY(mutex_) = 0;   // of the last rows, on average; 0: unknown
  bool closed_ ABSL_GUARDED_BY(mutex_) = false;     // no more batches come
  bool abandoned_ ABSL_GUARDED_BY(mutex_) = false;  // the rows are not wanted any more
  bool ended_ ABSL_GUARDED_BY(mutex_) = false;      // the statement has returned
  absl::Status status_ ABSL_GUARDED_BY(mutex_);
};

// The table function, for all handovers of one database, which it must outlive. Thread-safe.
class RowsFunction {
 public:
  absl::Status Register(duckdb_connection connection);

  // Returns the number under which statements find the handover, which is borrowed until Remove.
  int64_t Add(RowHandover* handover);
  void Remove(int64_t id);

 private:
  RowHandover* Find(int64_t id) const;
  static void Bind(duckdb_bind_info info);
  static void Init(duckdb_init_info info);
  static void Fill(duckdb_function_info info, duckdb_data_chunk chunk);

  mutable absl::Mutex mutex_;
  int64_t next_ ABSL_GUARDED_BY(mutex_) = 1;
  std::map<int64_t, RowHandover*> handovers_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace logquery::duckdb

#endif  // LOGQUERY_LIB_ENGINES_DUCKDB_BACKEND_ROW_HANDOVER_H_
