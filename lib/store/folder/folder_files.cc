// Lists a data folder's files, and separates those that belong in a backup from the others.
#include "lib/store/folder/folder_files.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <memory>
#include <system_error>

#include "lib/base/status_macros.h"
#include "lib/base/strings.h"
#include "lib/store/folder/backup_manifest.h"
#include "lib/store/rows/input_file.h"

namespace logquery::store {
namespace {

// The parts of a data folder.
constexpr std::string_view kParts[] = {"FORMAT",      "owner", kDatabaseName, "logs.duckdb.wal", "logs.duckdb.rollback",
                                       kRejectedName, "tmp",   "spool"};

// Returns the names in `path`, sorted.
absl::StatusOr<std::vector<std::string>> NamesIn(const std::string& path) {
  const std::unique_ptr<DIR, int (*)(DIR*)> entries(opendir(path.c_str()), closedir);
  if (!entries) return ErrnoStatus(errno, path);
  std::vector<std::string> names;
  while (const dirent* entry = readdir(entries.get())) {
    const std::string_view name = entry->d_name;
    if (name != "." && name != "..") names.emplace_back(name);
  }
  std::sort(names.begin(), names.end());
  return names;
}

bool IsMadeOf(std::string_view text, std::string_view more) {
  return std::all_of(text.begin(), text.end(),
                     [more](unsigned char c) { return absl::ascii_isalnum(c) || more.find(c) != more.npos; });
}

bool IsLink(const std::string& path) {
  struct stat info;
  return lstat(path.c_str(), &info) == 0 && S_ISLNK(info.st_mode);
}

bool IsRejectedFile(std::string_view name) {
  constexpr size_t kMaxName = 255;
  for (const std::string_view unfinished : {std::string_view(".partial"), std::string_view(".erasing")}) {
    if (name.size() >= unfinished.size() && name.substr(name.size() - unfinished.size()) == unfinished) return false;
  }
  return !name.empty() && name.size() <= kMaxName && name.front() != '.' && IsMadeOf(name, ".-_");
}

}  // namespace

bool IsFileOfFolder(std::string_view name) {
  if (name.substr(0, kDatabaseName.size()) == kDatabaseName) {
    name.remove_prefix(kDatabaseName.size());
    return name.empty() || (name.size() > 1 && name.front() == '.' && IsMadeOf(name, "."));
  }
  const size_t slash = name.find('/');
  return slash != name.npos && name.substr(0, slash) == kRejectedName && IsRejectedFile(name.substr(slash + 1));
}

absl::StatusOr<FolderFiles> ListFolder(const std::string& path) {
  LOGQUERY_ASSIGN_OR_RETURN(const std::vector<std::string> names, NamesIn(path));
  FolderFiles files;
  for (const std::string& name : names) {
    if (name != kRejectedName || IsLink(base::StrCat(path, "/", name))) {
      (IsFileOfFolder(name) ? files.kept : files.others).push_back(name);
      continue;
    }
    LOGQUERY_ASSIGN_OR_RETURN(const std::vector<std::string> rejected, NamesIn(base::StrCat(path, "/", name)));
    for (const std::string& file : rejected) {
      const std::string inside = base::StrCat(name, "/", file);
      (IsFileOfFolder(inside) ? files.kept : files.others).push_back(inside);
    }
  }
  return files;
}

absl::Status RemoveKeptFiles(const std::string& path) {
  LOGQUERY_ASSIGN_OR_RETURN(const FolderFiles files, ListFolder(path));
  absl::Status removed;
  for (const std::string& name : files.kept) {
    const std::string file = base::StrCat(path, "/", name);
    if (unlink(file.c_str()) != 0 && errno != ENOENT) removed.Update(ErrnoStatus(errno, file));
  }
  rmdir(base::StrCat(path, "/", kRejectedName).c_str());
  return removed;
}

absl::Status CheckNoLinks(const std::string& path) {
  for (const std::string_view part : kParts) {
    if (!IsLink(base::StrCat(path, "/", part))) continue;
    return absl::FailedPreconditionError(base::StrCat(
        path, "/", part, " is a symbolic link; links in a data folder are not followed: put what it points to ",
        "in its place", part == "spool" ? ", or name that folder with --spool" : ""));
  }
  return absl::OkStatus();
}

absl::Status CheckReadable(const std::string& path) {
  // access() denies the file of a closed folder, too; the folder is named then.
  for (const std::string& name : {path, base::StrCat(path, "/FORMAT")}) {
    const int wanted = name == path ? X_OK : R_OK;
    if (faccessat(AT_FDCWD, name.c_str(), wanted, AT_EACCESS) == 0 || errno != EACCES) continue;
    return absl::PermissionDeniedError(base::StrCat("can't read ", name, ": ", std::strerror(EACCES)));
  }
  return absl::OkStatus();
}

absl::Status CheckNoBackup(const std::string& path) {
  struct stat info;
  const auto has = [&](std::string_view name) { return lstat(base::StrCat(path, "/", name).c_str(), &info) == 0; };
  if (has("FORMAT") || !has(kManifestName) || !has(kDatabaseName)) return absl::OkStatus();
  return absl::FailedPreconditionError(
      base::StrCat(path, " is a backup; logquery restore ", path, " --data NEW makes a folder of it"));
}

std::vector<std::string> LinksBelow(const std::string& path) {
  namespace fs = std::filesystem;
  std::vector<std::string> links;
  std::error_code error;
  for (fs::recursive_directory_iterator entry(path, error), end; !error && entry != end; entry.increment(error)) {
    if (entry->is_symlink(error)) links.push_back(entry->path().lexically_relative(path).native());
  }
  std::sort(links.begin(), links.end());
  return links;
}

absl::Status MakeInnerFolder(const std::string& path) {
  if (mkdir(path.c_str(), 0700) == 0) return absl::OkStatus();
  if (errno != EEXIST) return ErrnoStatus(errno, path);
  struct stat info;
  if (lstat(path.c_str(), &info) != 0) return ErrnoStatus(errno, path);
  if (S_ISDIR(info.st_mode)) return absl::OkStatus();
  return absl::FailedPreconditionError(
      base::StrCat(path, S_ISLNK(info.st_mode) ? " is a symbolic link, which is not followed" : " is not a folder"));
}

}  // namespace logquery::store
