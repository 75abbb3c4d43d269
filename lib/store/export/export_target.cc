// The manifest names a file before the file gets its name: so a file that the manifest does not name is nobody's of ours, and
// one that it names and that is not there is written again.
#include "lib/store/export/export_target.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <system_error>

#include "lib/base/status_macros.h"
#include "lib/base/strings.h"
#include "lib/store/folder/durable_file.h"

namespace logquery::store {
namespace {

namespace fs = std::filesystem;
using base::StrCat;

constexpr char kLockName[] = ".lock";
constexpr char kUnfinishedName[] = ".unfinished";

// Logs are personal data: nobody else reads them unless the operator opens the folder.
absl::Status MakeFolder(const std::string& path) {
  if (mkdir(path.c_str(), 0700) == 0 || errno == EEXIST) return absl::OkStatus();
  return ErrnoStatus(errno, path);
}

absl::StatusOr<File> Lock(const std::string& path) {
  const std::string name = StrCat(path, "/", kLockName);
  File file(open(name.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600));
  if (!file.is_open()) return ErrnoStatus(errno, name);
  if (flock(file.fd(), LOCK_EX | LOCK_NB) != 0) {
    return absl::FailedPreconditionError(StrCat("another process is exporting into ", path));
  }
  return file;
}

bool IsOurs(std::string_view name) {
  if (name.ends_with(".new")) name.remove_suffix(4);  // that WriteDurably has left
  return name == kLockName || name == kUnfinishedName || name == kExportManifestName ||
         (name.starts_with("load_") && name.ends_with(".sql"));
}

absl::Status Foreign(const std::string& path, const std::string& name) {
  return absl::FailedPreconditionError(StrCat(
      path, "/", name, " is not of an export: export into a new folder, or into one that only exports wrote to"));
}

}  // namespace

absl::StatusOr<ExportTarget> ExportTarget::Open(const std::string& path) {
  if (path.empty()) return absl::InvalidArgumentError("an export wants a folder to go into");
  struct stat info;
  const bool is_there = stat(path.c_str(), &info) == 0;
  if (is_there && !S_ISDIR(info.st_mode)) return absl::FailedPreconditionError(path + " is not a folder");
  if (is_there) {
    // Checks the target before anything is written into a folder with other content.
    ExportTarget looked(path, File());
    LOGQUERY_RETURN_IF_ERROR(looked.ReadManifest());
    LOGQUERY_RETURN_IF_ERROR(looked.RefuseForeign());
  }
  LOGQUERY_RETURN_IF_ERROR(MakeFolder(path));
  LOGQUERY_ASSIGN_OR_RETURN(File lock, Lock(path));
  ExportTarget target(path, std::move(lock));
  LOGQUERY_RETURN_IF_ERROR(target.ReadManifest());
  LOGQUERY_RETURN_IF_ERROR(target.RefuseForeign());
  LOGQUERY_RETURN_IF_ERROR(target.ClearUnfinished());
  return target;
}

absl::Status ExportTarget::ReadManifest() {
  const std::string name = StrCat(path_, "/", kExportManifestName);
  std::error_code error;
  if (!fs::exists(name, error)) return absl::OkStatus();
  const File file(open(name.c_str(), O_RDONLY | O_CLOEXEC));
  if (!file.is_open()) return ErrnoStatus(errno, name);
  std::string text;
  char buffer[1 << 16];
  while (true) {
    const ssize_t size = read(file.fd(), buffer, sizeof buffer);
    if (size < 0 && errno == EINTR) continue;
    if (size < 0) return ErrnoStatus(errno, name);
    if (size == 0) break;
    text.append(buffer, static_cast<size_t>(size));
  }
  absl::StatusOr<ExportManifest> manifest = ExportManifest::Parse(text);
  if (!manifest.ok()) {
    return absl::Status(manifest.status().code(), StrCat(path_, ": ", base::Message(manifest.status())));
  }
  manifest_ = *std::move(manifest);
  return absl::OkStatus();
}

absl::Status ExportTarget::RefuseForeign() const {
  std::error_code error;
  for (const fs::directory_entry& entry : fs::directory_iterator(path_, error)) {
    const std::string name = entry.path().filename().string();
    if (IsOurs(name)) continue;
    if (!entry.is_directory(error) || entry.is_symlink(error)) return Foreign(path_, name);
    for (const fs::directory_entry& inner : fs::directory_iterator(entry.path(), error)) {
      const std::string file = StrCat(name, "/", inner.path().filename().string());
      if (manifest_.Find(file) == nullptr) return Foreign(path_, file);
    }
    if (error) break;
  }
  return error ? ErrnoStatus(error.value(), path_) : absl::OkStatus();
}

absl::Status ExportTarget::ClearUnfinished() {
  std::error_code error;
  const fs::path whole = fs::canonical(path_, error);
  if (error) return ErrnoStatus(error.value(), path_);
  const fs::path folder = whole / kUnfinishedName;
  fs::remove_all(folder, error);
  if (error) return ErrnoStatus(error.value(), folder.string());
  unfinished_ = folder.string() + "/";
  return MakeFolder(folder.string());
}

bool ExportTarget::Has(const ExportedFile& file) const {
  std::error_code error;
  const uintmax_t bytes = fs::file_size(StrCat(path_, "/", file.name), error);
  return !error && bytes == static_cast<uintmax_t>(file.bytes);
}

absl::Status ExportTarget::Add(ExportedFile& file,
                               absl::FunctionRef<absl::StatusOr<int64_t>(const std::string& path)> write) {
  const std::string path = unfinished_ + "rows.parquet";
  const std::string final_path = StrCat(path_, "/", file.name);
  unlink(path.c_str());
  LOGQUERY_ASSIGN_OR_RETURN(file.rows, write(path));
  const File written(open(path.c_str(), O_RDWR | O_CLOEXEC | O_NOFOLLOW));
  if (!written.is_open()) return ErrnoStatus(errno, path);
  LOGQUERY_ASSIGN_OR_RETURN(CopiedFile digest, SyncAndDigest(written, path, [] { return absl::OkStatus(); }));
  file.bytes = digest.bytes;
  file.sha256 = std::move(digest.sha256);
  const std::string folder = StrCat(path_, "/", file.name.substr(0, file.name.find('/')));
  LOGQUERY_RETURN_IF_ERROR(MakeFolder(folder));
  // An older one goes first, so that it is never taken for what the manifest is about to say.
  if (unlink(final_path.c_str()) != 0 && errno != ENOENT) return ErrnoStatus(errno, final_path);
  manifest_.Put(file);
  LOGQUERY_RETURN_IF_ERROR(WriteDurably(StrCat(path_, "/", kExportManifestName), manifest_.ToJson()));
  if (rename(path.c_str(), final_path.c_str()) != 0) return ErrnoStatus(errno, final_path);
  return SyncFolder(folder);
}

absl::Status ExportTarget::PutText(const std::string& name, std::string_view text) const {
  const std::string path = StrCat(path_, "/", name);
  std::error_code error;
  if (fs::file_size(path, error) == text.size() && !error) {
    const File file(open(path.c_str(), O_RDONLY | O_CLOEXEC));
    std::string there(text.size(), '\0');
    const ssize_t size = file.is_open() ? pread(file.fd(), there.data(), there.size(), 0) : -1;
    if (size == static_cast<ssize_t>(text.size()) && there == text) return absl::OkStatus();
  }
  return WriteDurably(path, text);
}

}  // namespace logquery::store
