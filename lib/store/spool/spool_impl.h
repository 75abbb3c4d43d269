// The spool behind spool.h: which files are ready, which go together, and what becomes of those that fail.
#ifndef LOGQUERY_LIB_STORE_SPOOL_SPOOL_IMPL_H_
#define LOGQUERY_LIB_STORE_SPOOL_SPOOL_IMPL_H_

#include <map>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/synchronization/mutex.h"
#include "lib/store/spool/spool_folder.h"
#include "logquery/store/spool.h"

namespace logquery::store {

class SpoolImpl : public Spool {
 public:
  SpoolImpl(SpoolOptions options, SpoolFolder folder, LogStore* store)
      : options_(std::move(options)), folder_(std::move(folder)), store_(store) {}
  ~SpoolImpl() override { Stop(); }

  void Start() override;
  void Stop() override;
  absl::Status TakeReady() override;
  SpoolState state() const override;

 private:
  // What is known of a file that waits, by its label.
  struct Waiting {
    absl::Duration since;  // when it was first seen to be whole
    int64_t rows = 0;      // about how many it has
    SpoolFileOptions options;
    bool left_over = false;     // it was here when the spool was opened
    int failures = 0;           // of it alone, with errors that tell of no fault of its
    int64_t loaded_before = 0;  // how many files were, at the first of these
  };
  // Files that may be loaded in one transaction.
  struct Batch {
    std::vector<SpoolFile> files;
    SpoolFileOptions options;
    int64_t bytes = 0;
    int64_t rows = 0;
    absl::Duration since = absl::InfiniteDuration();
  };

  // `status` gets what refusing a file met.
  std::vector<Batch> MakeBatches(const std::vector<SpoolFile>& files, absl::Status* status);
  // nullptr: it is not whole yet, or it has just been refused.
  const Waiting* Ready(const SpoolFile& file, absl::Status* status);
  bool IsDue(const Batch& batch) const;
  // Loads the batch; if that fails for one of its files, each file for itself. The status is why files have to wait.
  absl::Status Load(const Batch& batch);
  absl::Status LoadTogether(const Batch& batch);
  // What becomes of the one file that `status` came from.
  absl::Status Settle(const SpoolFile& file, const absl::Status& status);
  absl::Status Finish(const Batch& batch, const LoadReport& report);
  absl::Status Refuse(const SpoolFile& file, std::string_view reason);
  void SetStopped(const absl::Status& status);
  void Count(const SpoolFolder::Contents& contents);
  void Log(std::string_view level, const std::string& line) const;
  void Work();

  const SpoolOptions options_;
  SpoolFolder folder_;
  LogStore* const store_;
  CancellationSource stopping_;
  std::thread thread_;

  // Of the one thread that looks.
  std::map<std::string, Waiting> waiting_;
  bool looked_before_ = false;
  int64_t loaded_ = 0;  // files
  absl::Duration retry_ = absl::ZeroDuration();
  absl::Duration retry_at_ = -absl::InfiniteDuration();
  absl::Time outcomes_removed_ = absl::InfinitePast();

  mutable absl::Mutex mutex_;
  bool stop_ ABSL_GUARDED_BY(mutex_) = false;
  SpoolState state_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace logquery::store

#endif  // LOGQUERY_LIB_STORE_SPOOL_SPOOL_IMPL_H_
