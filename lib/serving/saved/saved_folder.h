// The files of saved queries: shared/NAME.json, and projects/PROJECT/NAME.json with the project percent-encoded.
//
// Names come from callers: only CheckSavedName's and encoded ones become parts of a path. Messages have paths, and are for the log.
#ifndef LOGQUERY_LIB_SERVING_SAVED_SAVED_FOLDER_H_
#define LOGQUERY_LIB_SERVING_SAVED_SAVED_FOLDER_H_

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"

namespace logquery::serving {

// The project whose queries are meant; nullopt: the shared ones.
using SavedScope = std::optional<std::string>;

// InvalidArgument: the text is no name of a saved query; the message says what one is.
absl::Status CheckSavedName(std::string_view name);
// InvalidArgument: the project's name is empty or too long for a folder's name.
absl::Status CheckSavedScope(const SavedScope& scope);

struct SavedFile {
  std::string name;  // of the query; empty: the file's name is not one
  std::string path;
  int64_t bytes = 0;
};

// Excludes other writers of the folder, in all processes, while it lives.
class SavedLock {
 public:
  explicit SavedLock(int fd) : fd_(fd) {}
  ~SavedLock();
  SavedLock(SavedLock&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
  SavedLock& operator=(SavedLock&&) = delete;

 private:
  int fd_;
};

class SavedFolder {
 public:
  // Creates the folder if its parent exists. NotFound, PermissionDenied, FailedPrecondition: as SavedQueries::Open.
  static absl::StatusOr<SavedFolder> Open(std::string root);

  std::string FolderOf(const SavedScope& scope) const;
  std::string PathOf(const SavedScope& scope, std::string_view name) const;

  // The shared ones first, then projects by name. Unavailable: the folder can't be read.
  absl::StatusOr<std::vector<SavedScope>> Scopes() const;
  // The files *.json of a scope by name, at most `most`; none if nothing was saved there yet. Hidden files are left out.
  absl::StatusOr<std::vector<SavedFile>> Files(const SavedScope& scope, size_t most) const;

  // NotFound: there is no such file. InvalidArgument: it is not a plain file, or is longer than `max_bytes`. Unavailable: it
  // can't be read.
  static absl::StatusOr<std::string> Read(const std::string& path, int64_t max_bytes);

  // Unavailable for all failures: the folder can't be written, or the disk is full. A reader, and a crash, see the old file or the
  // new one.
  absl::StatusOr<SavedLock> Lock() const;
  absl::Status Write(const SavedScope& scope, std::string_view name, std::string_view text) const;
  absl::Status Remove(const SavedScope& scope, std::string_view name) const;
  // Removes what writers left that were killed. Nothing happens if the folder can't be written.
  void RemoveLeftovers() const;

 private:
  explicit SavedFolder(std::string root) : root_(std::move(root)) {}
  std::string root_;
};

}  // namespace logquery::serving

#endif  // LOGQUERY_LIB_SERVING_SAVED_SAVED_FOLDER_H_
