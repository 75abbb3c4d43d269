// Files that are on the disk when the call returns, whole or not at all.
#ifndef LOGQUERY_LIB_STORE_FOLDER_DURABLE_FILE_H_
#define LOGQUERY_LIB_STORE_FOLDER_DURABLE_FILE_H_

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "lib/store/rows/input_file.h"

namespace logquery::store {

// Writes `text` beside `path` and gives it its name. ErrnoStatus' statuses.
absl::Status WriteDurably(const std::string& path, std::string_view text);

// Makes what was written to the file of that name, or to names in that folder, safe from a crash.
absl::Status SyncFolder(const std::string& path);

// Asked between two pieces of a long copy; what it returns ends the copy, unless it is OK.
using GoOn = std::function<absl::Status()>;

// The bytes of `from` as they are now, into `to`, which is empty: shared where the file system can, which takes no time.
// `name` is for messages. Not on the disk yet.
absl::Status CloneOrCopy(int from, int to, const std::string& name, const GoOn& go_on);

struct CopiedFile {
  int64_t bytes = 0;
  std::string sha256;  // in hexadecimal
};

// Copies `from` to `to`, which is made; on the disk when it returns, its name once its folder is synced.
absl::StatusOr<CopiedFile> CopyDurably(const std::string& from, const std::string& to, const GoOn& go_on);

// Puts what `file`, open for reading and writing, holds onto the disk, and reads it back for its digest.
absl::StatusOr<CopiedFile> SyncAndDigest(const File& file, const std::string& name, const GoOn& go_on);

}  // namespace logquery::store

#endif  // LOGQUERY_LIB_STORE_FOLDER_DURABLE_FILE_H_
