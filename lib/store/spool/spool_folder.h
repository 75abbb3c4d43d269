// A spool as it lies on the disk; spool.h (public) shows its layout.
//
// A file is first moved to .taken, where nobody can open it for writing any more; it is final once those who had it open
// have closed it. From there it goes when it is in the store, or to .failed.
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
  std::string log;  // the folder that it lies in; empty: none
  std::string name;
  int64_t bytes = 0;
  absl::Time modified;
  bool regular = true;  // else it is a link, a pipe, a device: nothing that is read

  std::string Label() const { return log.empty() ? name : log + "/" + name; }
};

class SpoolFolder {
 public:
  // What there is to take in.
  struct Contents {
    std::vector<SpoolFile> files;  // those in .taken, the oldest first
    int64_t waiting_files = 0;     // all
    int64_t waiting_bytes = 0;
    absl::Status status;  // why some could not be taken
  };
  enum class Writer { kNone, kSome, kUnknown };

  // Spool::Open's statuses.
  static absl::StatusOr<SpoolFolder> Open(const std::string& path, const std::vector<std::string>& logs);

  // Whether a SpoolFolder is open on that path, in whatever process.
  static bool IsLocked(const std::string& path);

  // Moves what has arrived to .taken.
  Contents Collect();
  std::string PathOf(const SpoolFile& file) const;
  // Whether a process has the file open for writing. kUnknown: this system, or the file's owner, does not let us know.
  Writer WriterOf(const SpoolFile& file) const;
  absl::StatusOr<SpoolFileOptions> ReadOptions(const SpoolFile& file) const;

  // The file is in the store: its outcome appears, then it goes.
  absl::Status Finish(const SpoolFile& file, const SpoolOutcome& outcome);
  // It never will be: the same, but that it goes to .failed.
  absl::Status Fail(const SpoolFile& file, const SpoolOutcome& outcome);

  absl::Status SetFull(bool full);
  // Those of files that came before.
  void RemoveOutcomes(absl::Time before);

 private:
  SpoolFolder(std::string path, File lock) : path_(std::move(path)), lock_(std::move(lock)) {}
  void Take(const std::string& log, Contents& contents);
  absl::Status WriteOutcome(const SpoolFile& file, const SpoolOutcome& outcome) const;

  std::string path_;
  File lock_;
};

// Names of files in a spool that are rows: those that end in .ndjson or .jsonl, or these and .gz, and begin with no dot.
bool IsSpoolFileName(std::string_view name);

// All of a small file; NotFound when it is not there, InvalidArgument when it is longer.
absl::StatusOr<std::string> ReadWhole(const std::string& path, size_t max_bytes = 64 << 10);

// Writes it beside and gives it its name, so that there is either none or a whole one.
absl::Status WriteByRename(const std::string& path, std::string_view text);

}  // namespace logquery::store

#endif  // LOGQUERY_LIB_STORE_SPOOL_SPOOL_FOLDER_H_
