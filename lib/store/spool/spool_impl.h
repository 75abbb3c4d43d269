// Implements spool.h: decides which files are ready, which are loaded together, and what happens to those that fail.
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

  absl::Status Start() override;
  void Stop() override;
  absl::Status TakeReady() override;
  SpoolState state() const override;

 private:
  // The state of a waiting file, by its label.
  struct Waiting {
    absl::Duration since;  // when it was first seen complete
    int64_t rows = 0;      // approximate
    SpoolFileOptions options;
    bool left_over = false;     // it existed when the spool was opened
    int failures = 0;           // failures of this file alone, with errors that may not be its fault
    int64_t loaded_before = 0;  // the number of loaded files at the first failure
  };
  // Files that can be loaded in one transaction.
  struct Batch {
    std::vector<SpoolFile> files;
    SpoolFileOptions options;
    int64_t bytes = 0;
    int64_t rows = 0;
    absl::Duration since = absl::InfiniteDuration();
  };

  // `status` receives errors that occur while a file is rejected.
  std::vector<Batch> MakeBatches(const std::vector<SpoolFile>& files, absl::Status* status);
  // nullptr: it is not complete yet, or was just rejected.
  const Waiting* Ready(const SpoolFile& file, absl::Status* status);
  bool IsDue(const Batch& batch) const;
  // Loads the batch. If that fails because of one of its files, loads each file by itself. Returns why files have to
  // wait.
  absl::Status Load(const Batch& batch);
  absl::Status LoadTogether(const Batch& batch);
  // Handles the single file that caused `status`.
  absl::Status Settle(const SpoolFile& file, const absl::Status& status);
  absl::Status Finish(const Batch& batch, const LoadReport& report);
  absl::Status Refuse(const SpoolFile& file, std::string_view reason);
  void SetStopped(const absl::Status& status);
  void Count(const SpoolFolder::Contents& contents);
  // Logs each file once.
  void WarnOfIgnored(const std::vector<std::string>& ignored);
  absl::Status RefuseMisnamed(const std::vector<SpoolFile>& files);
  void Log(std::string_view level, const std::string& line) const;
  void Work();

  const SpoolOptions options_;
  SpoolFolder folder_;
  LogStore* const store_;
  CancellationSource stopping_;
  std::thread thread_;

  // Used only by the polling thread.
  std::map<std::string, Waiting> waiting_;
  std::vector<std::string> ignored_;  // sorted labels of files that were logged
  bool looked_before_ = false;
  int64_t loaded_ = 0;  // files
  absl::Duration retry_ = absl::ZeroDuration();
  absl::Duration retry_at_ = -absl::InfiniteDuration();
  absl::Time outcomes_removed_ = absl::InfinitePast();

  mutable absl::Mutex mutex_;
  bool stop_ ABSL_GUARDED_BY(mutex_) = false;
  SpoolState state_ ABSL_GUARDED_BY(mutex_);  // without `lag`
  // When the oldest waiting file was first seen complete, as Clock::Monotonic; infinite: none waits.
  absl::Duration oldest_ ABSL_GUARDED_BY(mutex_) = absl::InfiniteDuration();
};

}  // namespace logquery::store

#endif  // LOGQUERY_LIB_STORE_SPOOL_SPOOL_IMPL_H_
