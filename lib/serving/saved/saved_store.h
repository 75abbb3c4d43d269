// Reads and changes the files of saved queries within their limits, for any caller; saved_queries.cc knows who may.
//
//     SavedStore store(&options, *SavedFolder::Open(options.folder));
//     store.Change(scope, "errors", [&](std::optional<SavedRecord> before) -> absl::StatusOr<SavedRecord> { … });
//
// A file that is wrong is left out of lists, and the log is told. Callers are told nothing of paths. Thread-safe.
#ifndef LOGQUERY_LIB_SERVING_SAVED_SAVED_STORE_H_
#define LOGQUERY_LIB_SERVING_SAVED_SAVED_STORE_H_

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/synchronization/mutex.h"
#include "lib/endpoint/tokens/private_file.h"
#include "lib/serving/saved/saved_folder.h"
#include "lib/serving/saved/saved_record.h"
#include "logquery/serving/saved_queries.h"

namespace logquery::serving {

class SavedStore {
 public:
  // Returns the record that replaces the one that is there; nullopt: there is none.
  using Changing = absl::FunctionRef<absl::StatusOr<SavedRecord>(std::optional<SavedRecord> before)>;

  // Borrows the options.
  SavedStore(const SavedQueriesOptions* options, SavedFolder folder) : options_(*options), folder_(std::move(folder)) {}

  // Unavailable: the folder can't be read.
  absl::StatusOr<std::vector<SavedScope>> Scopes() const;
  // The queries of a scope that are not deleted, without SQL, by name. Unavailable: the folder can't be read.
  absl::StatusOr<std::vector<SavedQuery>> Newest(const SavedScope& scope);
  // nullopt: there is no such file. Aborted: it is wrong. Unavailable: it can't be read.
  absl::StatusOr<std::optional<SavedRecord>> Read(const SavedScope& scope, std::string_view name) const;
  // Writes the record that `changing` makes, without revisions and deleted queries for which there is no room. Its error is
  // returned. Aborted: the file is wrong, or there are as many queries as allowed. Unavailable: it can't be written; it stays as
  // it was.
  absl::Status Change(const SavedScope& scope, const std::string& name, Changing changing);

 private:
  // A file's state when it was last read.
  struct Known {
    endpoint::FileStamp stamp;
    int64_t bytes = 0;
    std::optional<SavedQuery> newest;  // without SQL; nullopt: the file is wrong
    bool deleted = false;
  };
  using KnownFiles = std::map<std::string, Known>;  // by path

  void Log(std::string_view level, std::string_view line) const;
  absl::Status Unwritten(const absl::Status& failure) const;
  absl::Status Unreadable(const absl::Status& failure) const;
  size_t MostFiles() const;
  // Returns what is known of a scope's files, after a look at those that have changed.
  absl::StatusOr<const KnownFiles*> Look(const SavedScope& scope) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  Known ReadKnown(const SavedScope& scope, const SavedFile& file, const endpoint::FileStamp& stamp) const;
  absl::StatusOr<std::string> TextOf(SavedRecord record) const;
  // Removes deleted queries of the scope, the oldest first, until a file of so many bytes has its place.
  absl::Status MakeRoom(const SavedScope& scope, const std::string& name, int64_t bytes, bool is_new)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  // Counts the files of all projects, with those of deleted queries.
  absl::Status CheckTotal(const std::string& own, int64_t bytes) const;

  const SavedQueriesOptions& options_;
  const SavedFolder folder_;
  absl::Mutex mutex_;
  std::map<SavedScope, KnownFiles> known_ ABSL_GUARDED_BY(mutex_);
  std::set<SavedScope> crowded_ ABSL_GUARDED_BY(mutex_);  // that the log was told of
};

}  // namespace logquery::serving

#endif  // LOGQUERY_LIB_SERVING_SAVED_SAVED_STORE_H_
