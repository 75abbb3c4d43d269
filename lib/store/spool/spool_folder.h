// A spool on disk; the public spool.h describes its layout.
//
// A file is first moved to .taken, where no other process can open it for writing; it is final when the processes that
// had it open have closed it. After it has been stored it is deleted; if it can't be, it moves to .failed.
#ifndef LOGQUERY_LIB_STORE_SPOOL_SPOOL_FOLDER_H_
#define LOGQUERY_LIB_STORE_SPOOL_SPOOL_FOLDER_H_

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "lib/store/rows/input_file.h"
#include "lib/store/spool/spool_outcome.h"

namespace logquery::store {

struct SpoolFile {
  std::string log;  // the folder that contains it; empty: none
  std::string name;
  int64_t bytes = 0;
  absl::Time modified;
  bool regular = true;   // otherwise it is a link, pipe or device, and is never read
  bool is_taken = true;  // it is in .taken

  std::string Label() const { return log.empty() ? name : log + "/" + name; }
};

class SpoolFolder {
 public:
  // The files to load.
  struct Contents {
    std::vector<SpoolFile> files;  // files in .taken, the oldest first
    int64_t waiting_files = 0;     // all waiting files
    int64_t waiting_bytes = 0;
    // Labels of files that lie in the spool and are not taken, because of their names or of the folder that they are in.
    std::vector<std::string> ignored;
    // The ignored files that lie in a log's folder, and that nobody writes to.
    std::vector<SpoolFile> misnamed;
    absl::Status status;  // why some could not be moved
  };
  enum class Writer { kNone, kSome, kUnknown };

  // Statuses: those of Spool::Open.
  static absl::StatusOr<SpoolFolder> Open(const std::string& path, const std::vector<std::string>& logs);

  // Returns whether any process has a SpoolFolder open on this path.
  static bool IsLocked(const std::string& path);

  // Moves new files to .taken. `now` tells how old files are that are not taken.
  Contents Collect(absl::Time now);
  std::string PathOf(const SpoolFile& file) const;
  // Returns whether a process has the file open for writing. kUnknown: this system, or the file's owner, hides that.
  Writer WriterOf(const SpoolFile& file) const;
  absl::StatusOr<SpoolFileOptions> ReadOptions(const SpoolFile& file) const;

  // Called when the file has been stored: writes its outcome, then deletes it.
  absl::Status Finish(const SpoolFile& file, const SpoolOutcome& outcome);
  // Called when the file can't be stored: writes its outcome, then moves it to .failed.
  absl::Status Fail(const SpoolFile& file, const SpoolOutcome& outcome);

  absl::Status SetFull(bool full);
  // Deletes outcomes of earlier files.
  void RemoveOutcomes(absl::Time before);

 private:
  SpoolFolder(std::string path, std::vector<std::string> logs, File lock)
      : path_(std::move(path)), logs_(std::move(logs)), lock_(std::move(lock)) {}
  void Take(const std::string& log, Contents& contents);
  // Moves entries of `ignored` to `misnamed`.
  void FindMisnamed(Contents& contents) const;
  absl::Status WriteOutcome(const SpoolFile& file, const SpoolOutcome& outcome) const;

  std::string path_;
  std::vector<std::string> logs_;
  File lock_;
};

// Returns whether the name is that of a file of rows: it ends in .ndjson, .jsonl or .json, or these with .gz or .zst, in any
// letter case, and does not begin with a dot.
bool IsSpoolFileName(std::string_view name);

// Returns whether the name is that of a file that programs leave beside files of rows: their options and outcomes, the sign
// FULL, and files that begin with a dot.
bool IsSpoolCompanion(std::string_view name);

// The labels of files and folders in the spool that are neither, and that have not changed since `before`: at most 1,000.
std::vector<std::string> ListIgnored(const std::string& path, absl::Time before);

// Reads a small file. NotFound: it does not exist. InvalidArgument: it is too long.
absl::StatusOr<std::string> ReadWhole(const std::string& path, size_t max_bytes = 64 << 10);

// Writes a temporary file and renames it, so that the file is complete or absent.
absl::Status WriteByRename(const std::string& path, std::string_view text);

}  // namespace logquery::store

#endif  // LOGQUERY_LIB_STORE_SPOOL_SPOOL_FOLDER_H_
