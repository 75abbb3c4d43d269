// Loads several files into one table in one transaction: all or none. Skips files that are already loaded.
//
//     FileGroup group(shared, &files, &learner, progress);
//     group.Take("a.ndjson");
//     group.Take("b.ndjson");
//     group.Commit(&version, &marks, &report);
#ifndef LOGQUERY_LIB_STORE_LOAD_FILE_GROUP_H_
#define LOGQUERY_LIB_STORE_LOAD_FILE_GROUP_H_

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "lib/engines/duckdb/backend/data_version.h"
#include "lib/engines/duckdb/backend/small_query.h"
#include "lib/store/learn/schema_learner.h"
#include "lib/store/load/input_loader.h"
#include "lib/store/rows/input_files.h"
#include "lib/store/tables/table_marks.h"

namespace logquery::store {

// Not thread-safe. Files that are not committed are rolled back by the destructor.
class FileGroup {
 public:
  using Progress = std::function<void(const LoadProgress&)>;

  // `files`, `learner` and `progress` are borrowed; `progress` may be empty. The learner's decided changes are
  // committed with the rows.
  FileGroup(const InputLoader::Shared& shared, InputFiles* files, SchemaLearner* learner, const Progress& progress)
      : shared_(shared), files_(files), learner_(learner), progress_(progress) {}

  // Statuses: those of LogStore::Load. After a failure, or if the survey has news, nothing of the group is stored, and
  // the group can't be used any more.
  absl::Status Take(const std::string& name);
  absl::Status Commit(duckdb::DataVersion* version, TableMarksCache* marks, LoadReport* report);

 private:
  struct Taken {
    std::string file;
    std::unique_ptr<InputLoader> loader;  // nullptr: already loaded
    std::optional<LoadEntry> before;
  };

  const InputLoader::Shared shared_;
  InputFiles* const files_;
  SchemaLearner* const learner_;
  const Progress& progress_;
  // Open from the first new file on. The loaders' unfinished files are destroyed before it.
  std::optional<duckdb::Transaction> transaction_;
  std::vector<Taken> taken_;
};

}  // namespace logquery::store

#endif  // LOGQUERY_LIB_STORE_LOAD_FILE_GROUP_H_
