// Opens a data folder: its format, its lock, its subfolders. No part of it may be a symbolic link.
#include "lib/store/folder/data_folder.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <system_error>

#include "absl/strings/str_cat.h"
#include "lib/base/read_to_end.h"
#include "lib/base/status_macros.h"
#include "lib/base/strings.h"
#include "lib/store/folder/durable_file.h"
#include "lib/store/folder/folder_files.h"

namespace logquery::store {
namespace {

constexpr std::string_view kFormatText = "logquery data folder, format ";
constexpr char kBeingRestored[] = "logquery data folder, being restored\n";

// "" when there is none that can be read.
std::string ReadSmallFile(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return base::ReadToEnd(file).value_or("");
}

absl::Status MakeFolder(const std::string& path, int mode) {
  if (mkdir(path.c_str(), mode) == 0) return absl::OkStatus();
  if (errno != EEXIST) return ErrnoStatus(errno, path);
  struct stat info;
  if (stat(path.c_str(), &info) != 0) return ErrnoStatus(errno, path);
  if (S_ISDIR(info.st_mode)) return absl::OkStatus();
  return absl::FailedPreconditionError(path + " is not a folder");
}

std::string FormatText(int format) { return base::StrCat(kFormatText, format, "\n"); }

absl::Status CheckFormat(const std::string& folder, const std::string& text) {
  if (text == kBeingRestored) {
    return absl::FailedPreconditionError(
        absl::StrCat(folder, " was being restored from a backup and is not whole: restore into it again"));
  }
  int format = 0;
  if (text.substr(0, kFormatText.size()) == kFormatText) {
    std::from_chars(text.data() + kFormatText.size(), text.data() + text.size(), format);
  }
  if (format <= 0) {
    return absl::FailedPreconditionError(absl::StrCat(folder, "/FORMAT does not say what format the folder has"));
  }
  if (format > DataFolder::kFormat) {
    return absl::FailedPreconditionError(absl::StrCat(folder, " was written by a newer logquery: its format is ",
                                                      format, ", this version reads format ", DataFolder::kFormat,
                                                      ". Use the newer version."));
  }
  return absl::OkStatus();
}

absl::Status CheckFolder(const std::string& path, bool read_only) {
  struct stat info;
  if (stat(path.c_str(), &info) != 0) {
    if (errno != ENOENT || read_only) {
      return errno == ENOENT ? absl::NotFoundError(absl::StrCat("there is no folder ", path))
                             : ErrnoStatus(errno, absl::StrCat("can't read ", path));
    }
    // Logs are personal data: nobody else reads them unless the operator opens the folder.
    return MakeFolder(path, 0700);
  }
  if (!S_ISDIR(info.st_mode)) return absl::FailedPreconditionError(path + " is not a folder");
  return CheckReadable(path);
}

absl::StatusOr<File> Lock(const std::string& folder, bool read_only) {
  const std::string path = folder + "/owner";
  File file(open(path.c_str(), (read_only ? O_RDONLY : O_RDWR | O_CREAT) | O_CLOEXEC | O_NOFOLLOW, 0644));
  if (!file.is_open()) {
    if (read_only && errno == ENOENT) return file;
    return ErrnoStatus(errno, path);
  }
  // Locks of flock() belong to the open file: a second opening in this very process meets them too.
  if (flock(file.fd(), (read_only ? LOCK_SH : LOCK_EX) | LOCK_NB) == 0) return file;
  if (errno == ENOLCK || errno == EOPNOTSUPP || errno == ENOSYS) {
    return absl::FailedPreconditionError(
        absl::StrCat(folder, " is on a file system without locks (", std::strerror(errno),
                     "), where two programs could write to it at one time: keep it on a disk of this machine"));
  }
  if (errno != EWOULDBLOCK) return ErrnoStatus(errno, path);
  const std::string owner = ReadSmallFile(path);
  if (owner.empty()) return absl::FailedPreconditionError(absl::StrCat(folder, " is being read by another process"));
  return absl::FailedPreconditionError(absl::StrCat(folder, " is held by process ", owner.substr(0, owner.find('\n'))));
}

// Removes the spill files and copies that a killed process left behind. No other process uses the folder now.
void RemoveFiles(const std::string& folder) {
  std::error_code ignored;
  for (const auto& entry : std::filesystem::directory_iterator(folder, ignored)) {
    if (entry.is_symlink(ignored) || entry.is_regular_file(ignored)) std::filesystem::remove(entry.path(), ignored);
  }
}

std::string Command() {
  const std::string name = ReadSmallFile("/proc/self/comm");
  return name.substr(0, name.find('\n'));
}

}  // namespace

absl::StatusOr<DataFolder> DataFolder::Open(const std::string& path, bool read_only) {
  LOGQUERY_RETURN_IF_ERROR(CheckFolder(path, read_only));
  LOGQUERY_RETURN_IF_ERROR(CheckNoLinks(path));
  LOGQUERY_RETURN_IF_ERROR(CheckNoBackup(path));
  const std::string format = ReadSmallFile(path + "/FORMAT");
  if (!format.empty()) LOGQUERY_RETURN_IF_ERROR(CheckFormat(path, format));
  if (format.empty() && read_only) return absl::NotFoundError(path + " holds no logs: it has no file FORMAT");
  LOGQUERY_ASSIGN_OR_RETURN(File owner, Lock(path, read_only));
  if (ReadSmallFile(path + "/FORMAT") != format) {
    return absl::FailedPreconditionError(path + " was changed by another process just now");
  }
  DataFolder folder(path, read_only, std::move(owner));
  if (read_only) return folder;
  LOGQUERY_RETURN_IF_ERROR(folder.WriteOwner());
  LOGQUERY_RETURN_IF_ERROR(MakeInnerFolder(folder.rejected_folder()));
  LOGQUERY_RETURN_IF_ERROR(MakeInnerFolder(folder.temporary_folder()));
  RemoveFiles(folder.temporary_folder());
  if (format != FormatText(kFormat)) {
    LOGQUERY_RETURN_IF_ERROR(WriteDurably(path + "/FORMAT", FormatText(kFormat)));
  }
  return folder;
}

absl::StatusOr<DataFolder> DataFolder::OpenToCheck(const std::string& path, bool alone) {
  LOGQUERY_RETURN_IF_ERROR(CheckFolder(path, /*read_only=*/true));
  LOGQUERY_RETURN_IF_ERROR(CheckNoLinks(path));
  LOGQUERY_ASSIGN_OR_RETURN(File owner, Lock(path, !alone));
  // The owner's file keeps no name in it, as after a reader.
  return DataFolder(path, /*read_only=*/true, std::move(owner));
}

absl::Status DataFolder::WriteOwner() const {
  const std::string path = path_ + "/owner";
  if (ftruncate(owner_.fd(), 0) != 0) return ErrnoStatus(errno, path);
  return WriteAll(owner_.fd(), absl::StrCat(getpid(), " (", Command(), ")\n"), path);
}

absl::StatusOr<DataFolder> DataFolder::OpenToRestore(const std::string& path) {
  LOGQUERY_RETURN_IF_ERROR(CheckFolder(path, /*read_only=*/false));
  LOGQUERY_RETURN_IF_ERROR(CheckNoLinks(path));
  const auto is_ours = [&] { return ReadSmallFile(path + "/FORMAT") == kBeingRestored; };
  const bool left_over = is_ours();
  LOGQUERY_ASSIGN_OR_RETURN(const FolderFiles files, ListFolder(path));
  if (!left_over && !(files.kept.empty() && files.others.empty())) {
    return absl::FailedPreconditionError(path + " is not empty: a backup is restored into a new folder");
  }
  LOGQUERY_ASSIGN_OR_RETURN(File owner, Lock(path, /*read_only=*/false));
  // Another restore may just have finished.
  if (is_ours() != left_over) {
    return absl::FailedPreconditionError(path + " was changed by another process just now");
  }
  DataFolder folder(path, /*read_only=*/false, std::move(owner));
  LOGQUERY_RETURN_IF_ERROR(folder.WriteOwner());
  LOGQUERY_RETURN_IF_ERROR(WriteDurably(path + "/FORMAT", kBeingRestored));
  LOGQUERY_RETURN_IF_ERROR(RemoveKeptFiles(path));
  LOGQUERY_RETURN_IF_ERROR(MakeInnerFolder(folder.rejected_folder()));
  return folder;
}

absl::Status DataFolder::FinishRestore(int format) {
  LOGQUERY_RETURN_IF_ERROR(SyncFolder(rejected_folder()));
  LOGQUERY_RETURN_IF_ERROR(SyncFolder(path_));
  return WriteDurably(path_ + "/FORMAT", FormatText(format));
}

absl::Status DataFolder::UndoRestore() {
  LOGQUERY_RETURN_IF_ERROR(RemoveKeptFiles(path_));
  for (const char* name : {"/FORMAT", "/owner"}) unlink((path_ + name).c_str());
  return absl::OkStatus();
}

DataFolder::~DataFolder() {
  // Removes the process from the owner's file, so that a later error about readers' locks does not name a process that
  // has ended.
  if (owner_.is_open() && !read_only_ && ftruncate(owner_.fd(), 0) != 0) return;
}

}  // namespace logquery::store
