// Writes a file beside the one that it replaces, to the disk, and renames it.
#include "lib/serving/saved/saved_folder.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <system_error>

#include "absl/cleanup/cleanup.h"
#include "absl/strings/ascii.h"
#include "lib/base/percent_encoding.h"
#include "lib/base/quoted_text.h"
#include "lib/base/status_macros.h"
#include "lib/base/strings.h"

namespace logquery::serving {
namespace {

namespace fs = std::filesystem;
using base::StrCat;

constexpr std::string_view kEnd = ".json";
constexpr std::string_view kTemporary = ".saved.";
constexpr size_t kMaxName = 64;
constexpr size_t kMaxProject = 200;  // encoded; file systems take 255
constexpr mode_t kFileMode = 0640;
constexpr mode_t kFolderMode = 0750;

bool IsAlphanumeric(char c) { return absl::ascii_isalnum(static_cast<unsigned char>(c)); }

// Without dots, so that no project is a folder above.
std::string Encoded(std::string_view project) {
  return base::PercentEncode(project, [](char c) { return IsAlphanumeric(c) || c == '-' || c == '_'; });
}

absl::Status Failed(std::string_view what, std::string_view path, int error) {
  return absl::UnavailableError(StrCat("can't ", what, " ", path, ": ", std::string_view(std::strerror(error))));
}

absl::Status MakeFolder(const std::string& path) {
  if (mkdir(path.c_str(), kFolderMode) == 0 || errno == EEXIST) return absl::OkStatus();
  return Failed("create the folder", path, errno);
}

absl::Status WriteAll(int fd, std::string_view text, const std::string& path) {
  while (!text.empty()) {
    const ssize_t count = write(fd, text.data(), text.size());
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return Failed("write", path, count < 0 ? errno : ENOSPC);
    text.remove_prefix(static_cast<size_t>(count));
  }
  if (fchmod(fd, kFileMode) != 0 || fsync(fd) != 0) return Failed("write", path, errno);
  return absl::OkStatus();
}

// So that the rename outlives a power failure.
absl::Status SyncFolder(const std::string& folder) {
  const int fd = open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (fd < 0) return Failed("write", folder, errno);
  const int failed = fsync(fd) == 0 ? 0 : errno;
  close(fd);
  return failed == 0 ? absl::OkStatus() : Failed("write", folder, failed);
}

}  // namespace

absl::Status CheckSavedName(std::string_view name) {
  const bool has_ends = !name.empty() && IsAlphanumeric(name.front()) && IsAlphanumeric(name.back());
  const bool is_plain = std::all_of(name.begin(), name.end(), [](char c) {
    return IsAlphanumeric(c) || c == ' ' || c == '-' || c == '_' || c == '.';
  });
  if (has_ends && is_plain && name.size() <= kMaxName) return absl::OkStatus();
  return absl::InvalidArgumentError(StrCat("a saved query's name has 1 to ", kMaxName,
                                           " letters from A to Z, digits, and spaces, -, _ or . between them; ",
                                           base::QuotedText(name), " is none"));
}

absl::Status CheckSavedScope(const SavedScope& scope) {
  if (!scope) return absl::OkStatus();
  const size_t length = Encoded(*scope).size();
  if (length > 0 && length <= kMaxProject) return absl::OkStatus();
  return absl::InvalidArgumentError(StrCat("queries are saved for projects whose name has 1 to ", kMaxProject,
                                           " bytes, with other characters than letters and digits counted threefold; ",
                                           base::QuotedText(*scope), " has ", length));
}

SavedLock::~SavedLock() {
  if (fd_ >= 0) close(fd_);
}

absl::StatusOr<SavedFolder> SavedFolder::Open(std::string root) {
  struct stat info;
  if (mkdir(root.c_str(), kFolderMode) != 0 && errno != EEXIST && stat(root.c_str(), &info) != 0) {
    const int error = errno;
    const std::string message =
        StrCat("can't create the folder of saved queries ", root, ": ", std::string_view(std::strerror(error)));
    return error == ENOENT ? absl::NotFoundError(message) : absl::PermissionDeniedError(message);
  }
  if (stat(root.c_str(), &info) == 0 && !S_ISDIR(info.st_mode)) {
    return absl::FailedPreconditionError(StrCat(root, " is a file; saved queries are in a folder"));
  }
  SavedFolder folder(std::move(root));
  if (const absl::Status readable = folder.Scopes().status(); !readable.ok()) {
    return absl::PermissionDeniedError(base::ToAbsl(base::Message(readable)));
  }
  return folder;
}

std::string SavedFolder::FolderOf(const SavedScope& scope) const {
  return scope ? StrCat(root_, "/projects/", Encoded(*scope)) : StrCat(root_, "/shared");
}

std::string SavedFolder::PathOf(const SavedScope& scope, std::string_view name) const {
  return StrCat(FolderOf(scope), "/", name, kEnd);
}

absl::StatusOr<std::vector<SavedScope>> SavedFolder::Scopes() const {
  std::vector<SavedScope> scopes;
  std::error_code error;
  const fs::directory_iterator readable(root_, error);
  if (error) return absl::UnavailableError(StrCat("can't read the folder ", root_, ": ", error.message()));
  const std::string projects = StrCat(root_, "/projects");
  for (fs::directory_iterator entry(projects, error), end; !error && entry != end; entry.increment(error)) {
    const std::string folder = entry->path().filename().string();
    absl::StatusOr<std::string> project = base::PercentDecode(folder, false);
    if (project.ok() && !project->empty() && Encoded(*project) == folder) scopes.emplace_back(*std::move(project));
  }
  if (error && error != std::errc::no_such_file_or_directory) {
    return absl::UnavailableError(StrCat("can't read the folder ", projects, ": ", error.message()));
  }
  std::sort(scopes.begin(), scopes.end());
  scopes.insert(scopes.begin(), SavedScope());
  return scopes;
}

absl::StatusOr<std::vector<SavedFile>> SavedFolder::Files(const SavedScope& scope, size_t most) const {
  std::vector<SavedFile> files;
  const std::string folder = FolderOf(scope);
  std::error_code error;
  for (fs::directory_iterator entry(folder, error), end; !error && entry != end && files.size() < most;
       entry.increment(error)) {
    const std::string name = entry->path().filename().string();
    if (name.starts_with('.') || !name.ends_with(kEnd)) continue;
    SavedFile file{name.substr(0, name.size() - kEnd.size()), StrCat(folder, "/", name)};
    if (!CheckSavedName(file.name).ok()) file.name.clear();
    std::error_code gone;
    const uintmax_t bytes = entry->file_size(gone);
    file.bytes = gone ? 0 : static_cast<int64_t>(bytes);
    files.push_back(std::move(file));
  }
  if (error && error != std::errc::no_such_file_or_directory) {
    return absl::UnavailableError(StrCat("can't read the folder ", folder, ": ", error.message()));
  }
  std::sort(files.begin(), files.end(), [](const SavedFile& a, const SavedFile& b) { return a.path < b.path; });
  return files;
}

absl::StatusOr<std::string> SavedFolder::Read(const std::string& path, int64_t max_bytes) {
  // A pipe must not keep the caller waiting.
  const int fd = open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (fd < 0 && errno == ENOENT) return absl::NotFoundError(StrCat("there is no ", path));
  if (fd < 0) return Failed("read", path, errno);
  const absl::Cleanup close_it = [fd] { close(fd); };
  struct stat info;
  if (fstat(fd, &info) != 0) return Failed("read", path, errno);
  if (!S_ISREG(info.st_mode)) return absl::InvalidArgumentError(StrCat(path, " is not a plain file"));
  std::string text;
  char buffer[16384];
  for (;;) {
    const ssize_t count = read(fd, buffer, sizeof(buffer));
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return Failed("read", path, errno);
    if (count == 0) return text;
    text.append(buffer, static_cast<size_t>(count));
    if (static_cast<int64_t>(text.size()) > max_bytes) {
      return absl::InvalidArgumentError(StrCat(path, " is longer than ", max_bytes, " bytes"));
    }
  }
}

absl::StatusOr<SavedLock> SavedFolder::Lock() const {
  const std::string path = StrCat(root_, "/.lock");
  const int fd = open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, kFileMode);
  if (fd < 0) return Failed("write", path, errno);
  SavedLock lock(fd);
  while (flock(fd, LOCK_EX) != 0) {
    if (errno != EINTR) return Failed("lock", path, errno);
  }
  return lock;
}

absl::Status SavedFolder::Write(const SavedScope& scope, std::string_view name, std::string_view text) const {
  if (scope) LOGQUERY_RETURN_IF_ERROR(MakeFolder(StrCat(root_, "/projects")));
  const std::string folder = FolderOf(scope);
  LOGQUERY_RETURN_IF_ERROR(MakeFolder(folder));
  const std::string path = PathOf(scope, name);
  std::string temporary = StrCat(folder, "/", kTemporary, "XXXXXX");
  const int fd = mkostemp(temporary.data(), O_CLOEXEC);
  if (fd < 0) return Failed("create a file in", folder, errno);
  absl::Status status = WriteAll(fd, text, temporary);
  close(fd);
  if (status.ok() && rename(temporary.c_str(), path.c_str()) != 0) status = Failed("replace", path, errno);
  if (!status.ok()) {
    unlink(temporary.c_str());
    return status;
  }
  return SyncFolder(folder);
}

absl::Status SavedFolder::Remove(const SavedScope& scope, std::string_view name) const {
  const std::string path = PathOf(scope, name);
  if (unlink(path.c_str()) != 0 && errno != ENOENT) return Failed("remove", path, errno);
  // Where it was the last one.
  if (scope) rmdir(FolderOf(scope).c_str());
  return absl::OkStatus();
}

void SavedFolder::RemoveLeftovers() const {
  const absl::StatusOr<SavedLock> lock = Lock();
  const absl::StatusOr<std::vector<SavedScope>> scopes = Scopes();
  if (!lock.ok() || !scopes.ok()) return;
  for (const SavedScope& scope : *scopes) {
    std::error_code error;
    for (fs::directory_iterator entry(FolderOf(scope), error), end; !error && entry != end; entry.increment(error)) {
      if (entry->path().filename().string().starts_with(kTemporary)) unlink(entry->path().c_str());
    }
  }
}

}  // namespace logquery::serving
