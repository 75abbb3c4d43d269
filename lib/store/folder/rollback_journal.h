// A rollback journal of the blocks that DuckDB writes over during a checkpoint.
//
// A checkpoint writes the database's metadata into free places of blocks whose other places are in use, at the same position of the
// file (MetadataManager::Flush; seen in DuckDB 1.5.6). A process that is killed in the middle of such a write leaves a block of two
// halves, whose checksum is wrong, and the database can't be opened any more: all rows are lost. Therefore a copy of these blocks
// is on disk before a checkpoint begins, as in SQLite's rollback journal. It belongs to one state of the file, which the file's
// headers name: the checkpoint ends with another header, and makes the copy worthless.
#ifndef LOGQUERY_LIB_STORE_FOLDER_ROLLBACK_JOURNAL_H_
#define LOGQUERY_LIB_STORE_FOLDER_ROLLBACK_JOURNAL_H_

#include <string>
#include <utility>

#include "absl/status/status.h"
#include "lib/engines/duckdb/backend/database.h"
#include "lib/store/rows/input_file.h"

namespace logquery::store {

// Not thread-safe. Must be destroyed after the database is closed: the engine locks its file with fcntl(), and such a lock is lost
// when this process closes any descriptor of the file.
class RollbackJournal {
 public:
  // Puts the blocks back that an incomplete checkpoint has written over, if there are any. No process may have the database open
  // for writing; several may do this at the same time. `can_write`: whether the file may be changed. FailedPrecondition: it may
  // not, and has to be. Other statuses: those of ErrnoStatus.
  static absl::Status PutBack(const std::string& database_file, bool can_write);

  explicit RollbackJournal(std::string database_file) : database_file_(std::move(database_file)) {}

  // Saves the blocks that the next checkpoint can write over, unless they are saved already. To be called before each change, while
  // nobody else changes anything: a commit may include a checkpoint. Takes one read of 12 KiB where there was no checkpoint
  // since the last call. ResourceExhausted: the disk is full. Internal, PermissionDenied.
  absl::Status Save(const duckdb::Database& database);

 private:
  const std::string database_file_;
  File file_;          // the database's, open for reading after the first call
  std::string state_;  // the headers for which the blocks are saved
};

}  // namespace logquery::store

#endif  // LOGQUERY_LIB_STORE_FOLDER_ROLLBACK_JOURNAL_H_
