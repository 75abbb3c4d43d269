// Writes files so that they are on disk when the call returns, completely or not at all.
#ifndef LOGQUERY_LIB_STORE_FOLDER_DURABLE_FILE_H_
#define LOGQUERY_LIB_STORE_FOLDER_DURABLE_FILE_H_

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "lib/store/rows/input_file.h"

namespace logquery::store {

// Writes `text` to a temporary file and renames it to `path`. Statuses: those of ErrnoStatus.
absl::Status WriteDurably(const std::string& path, std::string_view text);
// The same with what `write` writes. Its error is returned, and leaves `path` as it was.
absl::Status WriteDurably(const std::string& path, absl::FunctionRef<absl::Status(const File& file)> write);

// Makes the file's contents, or the names in the folder, survive a crash.
absl::Status SyncFolder(const std::string& path);

// Called between pieces of a long copy. An error ends the copy.
using GoOn = std::function<absl::Status()>;

// Copies the current bytes of `from` to `to`, which must be empty; shares them if the file system supports that, which
// is instant. `name` is for messages. Does not sync to disk.
absl::Status CloneOrCopy(int from, int to, const std::string& name, const GoOn& go_on);

struct CopiedFile {
  int64_t bytes = 0;
  std::string sha256;  // in hexadecimal
};

// Copies `from` to the new file `to`. The contents are on disk when it returns, the name only after its folder is
// synced.
absl::StatusOr<CopiedFile> CopyDurably(const std::string& from, const std::string& to, const GoOn& go_on);

// Syncs `file`, which is open for reading and writing, to disk, and reads it back to compute its digest.
absl::StatusOr<CopiedFile> SyncAndDigest(const File& file, const std::string& name, const GoOn& go_on);

}  // namespace logquery::store

#endif  // LOGQUERY_LIB_STORE_FOLDER_DURABLE_FILE_H_
