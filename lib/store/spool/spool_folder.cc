// Finds the files in a spool folder, and moves those that are done.
#include "lib/store/spool/spool_folder.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <memory>
#include <optional>
#include <tuple>

#include "lib/base/status_macros.h"
#include "lib/base/strings.h"
#include "lib/store/folder/folder_files.h"
#include "logquery/store/spool.h"

namespace logquery::store {
namespace {

constexpr char kTaken[] = "/.taken/";
constexpr char kFailed[] = "/.failed/";
constexpr char kOptions[] = ".options";
constexpr char kOutcome[] = ".outcome";
constexpr size_t kMaxTaken = 4'096;  // files in .taken at one time
constexpr size_t kMaxIgnored = 1'000;
// Programs write files under other names and then rename them.
constexpr absl::Duration kMayBeRenamed = absl::Minutes(1);

absl::StatusOr<std::vector<std::string>> Names(const std::string& folder) {
  const std::unique_ptr<DIR, int (*)(DIR*)> entries(opendir(folder.c_str()), closedir);
  if (!entries) return ErrnoStatus(errno, folder);
  std::vector<std::string> names;
  while (const dirent* entry = readdir(entries.get())) names.emplace_back(entry->d_name);
  return names;
}

// Returns the status of the name itself without following links; nullopt if it no longer exists.
std::optional<struct stat> Look(const std::string& path) {
  struct stat info;
  return lstat(path.c_str(), &info) == 0 ? std::optional(info) : std::nullopt;
}

std::vector<std::string> Folders(const std::string& path) {
  std::vector<std::string> folders;
  const absl::StatusOr<std::vector<std::string>> names = Names(path);
  if (!names.ok()) return folders;
  for (const std::string& name : *names) {
    if (name.front() == '.') continue;
    const std::optional<struct stat> info = Look(base::StrCat(path, "/", name));
    if (info.has_value() && S_ISDIR(info->st_mode)) folders.push_back(name);
  }
  return folders;
}

bool EndsWith(std::string_view text, std::string_view end) {
  return text.size() > end.size() && base::EqualsIgnoreCase(text.substr(text.size() - end.size()), end);
}

// Removes the slash at the end, because with it the name of a link stands for the link's target.
std::string WithoutSlash(std::string path) {
  while (path.size() > 1 && path.back() == '/') path.pop_back();
  return path;
}

std::string In(const std::string& log) { return log.empty() ? "" : log + "/"; }

}  // namespace

bool IsSpoolFileName(std::string_view name) {
  if (name.empty() || name.front() == '.') return false;
  for (const std::string_view coding : {".gz", ".zst"}) {
    if (!EndsWith(name, coding)) continue;
    name.remove_suffix(coding.size());
    break;
  }
  return EndsWith(name, ".ndjson") || EndsWith(name, ".jsonl") || EndsWith(name, ".json");
}

bool IsSpoolCompanion(std::string_view name) {
  return name.empty() || name.front() == '.' || name == "FULL" || EndsWith(name, kOptions) || EndsWith(name, kOutcome);
}

std::vector<std::string> ListIgnored(const std::string& path, absl::Time before) {
  std::vector<std::string> ignored;
  std::vector<std::string> logs = Folders(path);
  logs.emplace_back();
  for (const std::string& log : logs) {
    const absl::StatusOr<std::vector<std::string>> names = Names(base::StrCat(path, "/", log));
    if (!names.ok()) continue;
    for (const std::string& name : *names) {
      if (IsSpoolCompanion(name) || ignored.size() == kMaxIgnored) continue;
      const std::optional<struct stat> info = Look(base::StrCat(path, "/", In(log), name));
      if (!info.has_value() || absl::TimeFromTimespec(info->st_mtim) >= before) continue;
      const bool is_folder = S_ISDIR(info->st_mode);
      if (is_folder ? !log.empty() : !IsSpoolFileName(name)) {
        ignored.push_back(base::StrCat(In(log), name, is_folder ? "/" : ""));
      }
    }
  }
  std::sort(ignored.begin(), ignored.end());
  return ignored;
}

absl::StatusOr<std::string> ReadWhole(const std::string& path, size_t max_bytes) {
  const File file(open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK));
  if (!file.is_open()) return ErrnoStatus(errno, path);
  std::string text;
  char buffer[4096];
  while (text.size() <= max_bytes) {
    const ssize_t size = read(file.fd(), buffer, sizeof(buffer));
    if (size < 0 && errno == EINTR) continue;
    if (size < 0) return ErrnoStatus(errno, path);
    if (size == 0) return text;
    text.append(buffer, static_cast<size_t>(size));
  }
  return absl::InvalidArgumentError(base::StrCat(path, " is longer than ", max_bytes >> 10, " KiB"));
}

absl::Status WriteByRename(const std::string& path, std::string_view text) {
  const size_t slash = path.rfind('/');
  const std::string beside = base::StrCat(path.substr(0, slash + 1), ".", path.substr(slash + 1), ".new");
  const File file(open(beside.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0600));
  if (!file.is_open()) return ErrnoStatus(errno, beside);
  LOGQUERY_RETURN_IF_ERROR(WriteAll(file.fd(), text, beside));
  return rename(beside.c_str(), path.c_str()) == 0 ? absl::OkStatus() : ErrnoStatus(errno, path);
}

bool SpoolFolder::IsLocked(const std::string& path) {
  const File lock(open((path + "/.lock").c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW));
  struct flock whole = {};
  whole.l_type = F_RDLCK;
  return lock.is_open() && fcntl(lock.fd(), F_OFD_GETLK, &whole) == 0 && whole.l_type != F_UNLCK;
}

absl::StatusOr<SpoolFolder> SpoolFolder::Open(const std::string& path, const std::vector<std::string>& logs) {
  // The spool itself may be a link, because the server's operator names it. Its contents may not.
  if (mkdir(path.c_str(), 0700) != 0 && errno != EEXIST) return ErrnoStatus(errno, path);
  const std::string lock_path = path + "/.lock";
  File lock(open(lock_path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600));
  if (!lock.is_open()) return ErrnoStatus(errno, lock_path);
  struct flock whole = {};
  whole.l_type = F_WRLCK;
  if (fcntl(lock.fd(), F_OFD_SETLK, &whole) != 0) {
    return absl::FailedPreconditionError(
        errno == EAGAIN ? base::StrCat("another process takes files out of the spool ", path)
                        : base::StrCat("the spool ", path, " can't be locked where it is: ", std::strerror(errno)));
  }
  LOGQUERY_RETURN_IF_ERROR(MakeInnerFolder(path + "/.taken"));
  LOGQUERY_RETURN_IF_ERROR(MakeInnerFolder(path + "/.failed"));
  for (const std::string& log : logs) LOGQUERY_RETURN_IF_ERROR(MakeInnerFolder(base::StrCat(path, "/", log)));
  return SpoolFolder(path, logs, std::move(lock));
}

std::string SpoolFolder::PathOf(const SpoolFile& file) const {
  return base::StrCat(path_, file.is_taken ? kTaken : "/", In(file.log), file.name);
}

SpoolFolder::Contents SpoolFolder::Collect(absl::Time now) {
  Contents contents;
  // Files in .taken count first, because room is made from there.
  for (int arriving = 0; arriving < 2; ++arriving) {
    const std::string root = arriving != 0 ? path_ : path_ + "/.taken";
    std::vector<std::string> logs = Folders(root);
    logs.emplace_back();
    for (const std::string& log : logs) {
      if (arriving != 0) {
        Take(log, contents);
        continue;
      }
      const absl::StatusOr<std::vector<std::string>> names = Names(base::StrCat(root, "/", log));
      if (!names.ok()) continue;
      for (const std::string& name : *names) {
        const std::optional<struct stat> info = Look(base::StrCat(root, "/", In(log), name));
        if (!info.has_value() || S_ISDIR(info->st_mode) || !IsSpoolFileName(name)) continue;
        contents.files.push_back(
            {log, name, info->st_size, absl::TimeFromTimespec(info->st_mtim), S_ISREG(info->st_mode)});
      }
    }
  }
  contents.ignored = ListIgnored(path_, now - kMayBeRenamed);
  FindMisnamed(contents);
  for (const SpoolFile& file : contents.files) contents.waiting_bytes += file.bytes;
  contents.waiting_files += static_cast<int64_t>(contents.files.size());
  std::sort(contents.files.begin(), contents.files.end(), [](const SpoolFile& a, const SpoolFile& b) {
    return std::tie(a.modified, a.log, a.name) < std::tie(b.modified, b.log, b.name);
  });
  return contents;
}

void SpoolFolder::FindMisnamed(Contents& contents) const {
  std::vector<std::string> others;
  for (std::string& label : contents.ignored) {
    SpoolFile file;
    const size_t slash = label.find('/');
    file.log = label.substr(0, slash == label.npos ? 0 : slash);
    file.name = label.substr(slash == label.npos ? 0 : slash + 1);
    file.is_taken = false;
    const std::optional<struct stat> info = Look(PathOf(file));
    const bool is_file = info.has_value() && S_ISREG(info->st_mode);
    if (is_file && std::find(logs_.begin(), logs_.end(), file.log) != logs_.end() && WriterOf(file) != Writer::kSome) {
      contents.misnamed.push_back(std::move(file));
    } else {
      others.push_back(std::move(label));
    }
  }
  contents.ignored = std::move(others);
}

void SpoolFolder::Take(const std::string& log, Contents& contents) {
  const std::string from = base::StrCat(path_, "/", In(log));
  const std::string to = base::StrCat(path_, kTaken, In(log));
  const absl::StatusOr<std::vector<std::string>> names = Names(from);
  if (!names.ok()) {
    contents.status.Update(names.status());
    return;
  }
  for (const std::string& name : *names) {
    if (!IsSpoolFileName(name)) continue;
    const std::optional<struct stat> info = Look(from + name);
    if (!info.has_value() || S_ISDIR(info->st_mode)) continue;
    // One of that name that is not through yet: this one comes after it.
    if (contents.files.size() >= kMaxTaken || Look(to + name).has_value()) {
      ++contents.waiting_files;
      contents.waiting_bytes += info->st_size;
      continue;
    }
    if (const absl::Status made = MakeInnerFolder(WithoutSlash(to)); !made.ok()) {
      contents.status.Update(made);
      return;
    }
    // The options first: a file in .taken has those that it came with.
    rename((from + name + kOptions).c_str(), (to + name + kOptions).c_str());
    if (rename((from + name).c_str(), (to + name).c_str()) != 0) {
      if (errno != ENOENT) contents.status.Update(ErrnoStatus(errno, from + name));
      continue;
    }
    contents.files.push_back({log, name, info->st_size, absl::TimeFromTimespec(info->st_mtim), S_ISREG(info->st_mode)});
  }
}

SpoolFolder::Writer SpoolFolder::WriterOf(const SpoolFile& file) const {
  const File opened(open(PathOf(file).c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK));
  if (!opened.is_open()) return Writer::kUnknown;
  // A lease for reading is given only while nobody writes. Should somebody open the file meanwhile, the signal that
  // says so is one that is ignored.
  fcntl(opened.fd(), F_SETSIG, SIGURG);
  if (fcntl(opened.fd(), F_SETLEASE, F_RDLCK) != 0) return errno == EAGAIN ? Writer::kSome : Writer::kUnknown;
  fcntl(opened.fd(), F_SETLEASE, F_UNLCK);
  return Writer::kNone;
}

absl::StatusOr<SpoolFileOptions> SpoolFolder::ReadOptions(const SpoolFile& file) const {
  const absl::StatusOr<std::string> text = ReadWhole(PathOf(file) + kOptions);
  if (absl::IsNotFound(text.status())) return SpoolFileOptions();
  if (!text.ok()) return absl::InvalidArgumentError(base::StrCat("its options: ", base::Message(text.status())));
  return SpoolFileOptions::Parse(*text);
}

absl::Status SpoolFolder::WriteOutcome(const SpoolFile& file, const SpoolOutcome& outcome) const {
  return WriteByRename(base::StrCat(path_, "/", In(file.log), file.name, kOutcome), outcome.ToJson());
}

absl::Status SpoolFolder::Finish(const SpoolFile& file, const SpoolOutcome& outcome) {
  // Whoever put the file here may have removed the folder since: the rows are in all the same.
  absl::Status written = WriteOutcome(file, outcome);
  if (absl::IsNotFound(written)) written = absl::OkStatus();
  const std::string path = PathOf(file);
  if (unlink(path.c_str()) != 0 && errno != ENOENT) written.Update(ErrnoStatus(errno, path));
  unlink((path + kOptions).c_str());
  return written;
}

absl::Status SpoolFolder::Fail(const SpoolFile& file, const SpoolOutcome& outcome) {
  const std::string folder = base::StrCat(path_, kFailed, In(file.log));
  LOGQUERY_RETURN_IF_ERROR(MakeInnerFolder(WithoutSlash(folder)));
  std::string to = folder + file.name;
  for (int i = 1; Look(to).has_value(); ++i) to = base::StrCat(folder, i, ".", file.name);
  LOGQUERY_RETURN_IF_ERROR(WriteByRename(to + kOutcome, outcome.ToJson()));
  const std::string path = PathOf(file);
  rename((path + kOptions).c_str(), (to + kOptions).c_str());
  if (rename(path.c_str(), to.c_str()) != 0 && errno != ENOENT) return ErrnoStatus(errno, path);
  const absl::Status written = WriteOutcome(file, outcome);
  return absl::IsNotFound(written) ? absl::OkStatus() : written;
}

absl::Status SpoolFolder::SetFull(bool full) {
  const std::string path = path_ + "/FULL";
  if (!full) {
    unlink(path.c_str());
    return absl::OkStatus();
  }
  return WriteByRename(path, "more waits here than may: write no more until this file is gone\n");
}

void SpoolFolder::RemoveOutcomes(absl::Time before) {
  std::vector<std::string> logs = Folders(path_);
  logs.emplace_back();
  for (const std::string& log : logs) {
    const std::string folder = base::StrCat(path_, "/", In(log));
    const absl::StatusOr<std::vector<std::string>> names = Names(folder);
    if (!names.ok()) continue;
    for (const std::string& name : *names) {
      if (!EndsWith(name, kOutcome)) continue;
      const std::optional<struct stat> info = Look(folder + name);
      if (info.has_value() && S_ISREG(info->st_mode) && absl::TimeFromTimespec(info->st_mtim) < before) {
        unlink((folder + name).c_str());
      }
    }
  }
}

}  // namespace logquery::store

namespace logquery {

SpoolContents CountSpool(const std::string& folder) {
  SpoolContents contents;
  contents.ignored_files = static_cast<int64_t>(store::ListIgnored(folder, absl::InfiniteFuture()).size());
  for (const char* const part : {"", "/.taken", "/.failed"}) {
    const std::string root = folder + part;
    std::vector<std::string> logs = store::Folders(root);
    logs.emplace_back();
    for (const std::string& log : logs) {
      const std::string path = base::StrCat(root, "/", store::In(log));
      const absl::StatusOr<std::vector<std::string>> names = store::Names(path);
      if (!names.ok()) continue;
      for (const std::string& name : *names) {
        const std::optional<struct stat> info = store::Look(path + name);
        const bool has_failed = std::string_view(part) == "/.failed";
        const bool is_counted = has_failed ? !store::IsSpoolCompanion(name) : store::IsSpoolFileName(name);
        if (!is_counted || !info.has_value() || S_ISDIR(info->st_mode)) continue;
        if (has_failed) {
          ++contents.failed_files;
          continue;
        }
        ++contents.waiting_files;
        contents.waiting_bytes += info->st_size;
      }
    }
  }
  return contents;
}

}  // namespace logquery
