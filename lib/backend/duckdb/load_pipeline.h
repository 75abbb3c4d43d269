// Reads and parses a file on threads of its own, and hands its batches over in the file's order.
//
//     LoadPipeline pipeline(&file, name, &plan, options);
//     while (true) {
//       LOGQUERY_ASSIGN_OR_RETURN(std::unique_ptr<RowBatch> batch, pipeline.Next());
//       if (batch == nullptr) break;
//       … append batch->chunks …
//       pipeline.Recycle(std::move(batch));
//     }
//
// At most kAhead batches and one for each thread are there at a time: some 60 MiB each.
#ifndef LOGQUERY_LIB_BACKEND_DUCKDB_LOAD_PIPELINE_H_
#define LOGQUERY_LIB_BACKEND_DUCKDB_LOAD_PIPELINE_H_

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/status/statusor.h"
#include "absl/synchronization/mutex.h"
#include "lib/backend/duckdb/row_batch.h"

namespace logquery::duckdb {

class LoadPipeline {
 public:
  // Borrows `file` and `plan`.
  LoadPipeline(InputFile* file, std::string name, const RowPlan* plan, RowParser::Options options);
  ~LoadPipeline();

  // nullptr: that was all. For one thread.
  absl::StatusOr<std::unique_ptr<RowBatch>> Next();
  void Recycle(std::unique_ptr<RowBatch> batch);

  // Once all batches are through.
  base::StringSet undeclared_fields();

 private:
  static constexpr int kThreads = 2;
  static constexpr int64_t kAhead = 2;

  void Work();
  // Reads the next batch; nullptr at the end, after a failure, and when nobody wants more.
  std::unique_ptr<RowBatch> Read(int64_t* number);
  bool MayPublish(int64_t number) const ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_) {
    return stopping_ || number < wanted_ + kAhead;
  }

  const RowPlan* const plan_;
  const RowParser::Options options_;

  absl::Mutex read_mutex_;
  LineReader reader_ ABSL_GUARDED_BY(read_mutex_);
  int64_t read_ ABSL_GUARDED_BY(read_mutex_) = 0;

  absl::Mutex mutex_;
  std::map<int64_t, std::unique_ptr<RowBatch>> parsed_ ABSL_GUARDED_BY(mutex_);
  std::vector<std::unique_ptr<RowBatch>> free_ ABSL_GUARDED_BY(mutex_);
  int64_t wanted_ ABSL_GUARDED_BY(mutex_) = 0;  // the number of the batch that Next() gives next
  int working_ ABSL_GUARDED_BY(mutex_) = kThreads;
  bool stopping_ ABSL_GUARDED_BY(mutex_) = false;
  absl::Status failure_ ABSL_GUARDED_BY(mutex_);
  base::StringSet undeclared_fields_ ABSL_GUARDED_BY(mutex_);

  std::vector<std::thread> threads_;
};

}  // namespace logquery::duckdb

#endif  // LOGQUERY_LIB_BACKEND_DUCKDB_LOAD_PIPELINE_H_
