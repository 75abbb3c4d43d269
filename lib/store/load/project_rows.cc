// Reads rejected rows for their project, and rewrites files of them without those of one project.
#include "lib/store/load/project_rows.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/types.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <memory>
#include <optional>
#include <vector>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/strip.h"
#include "lib/base/json.h"
#include "lib/base/json/value.h"
#include "lib/base/status_macros.h"
#include "lib/base/strings.h"
#include "lib/store/folder/durable_file.h"

namespace logquery::store {
namespace {

using base::Json;

constexpr char kRows[] = ".ndjson";
constexpr char kReasons[] = ".reasons.ndjson";
constexpr char kErasing[] = ".erasing";
constexpr size_t kBufferBytes = 1 << 20;

bool IsOfWord(char c) { return absl::ascii_isalnum(c) || c == '_' || c == '-'; }

// Returns whether `text` contains `word` as a word of its own, not as part of a longer one.
bool HasWord(std::string_view text, std::string_view word) {
  for (size_t at = text.find(word); at != text.npos; at = text.find(word, at + 1)) {
    const size_t end = at + word.size();
    const bool begins = at == 0 || !IsOfWord(text[at - 1]) || !IsOfWord(word.front());
    const bool ends = end == text.size() || !IsOfWord(text[end]) || !IsOfWord(word.back());
    if (begins && ends) return true;
  }
  return false;
}

// The text at the path; records may be arrays of one.
std::optional<std::string> TextAt(const Json& row, const model::FieldPath& path) {
  const Json* value = &row;
  for (const std::string& name : path) {
    if (value->is_array() && value->size() == 1) value = &value->front();
    const auto member = value->is_object() ? value->find(name) : value->end();
    if (member == value->end()) return std::nullopt;
    value = &*member;
  }
  return value->is_string() && !path.empty() ? std::optional(value->get<std::string>()) : std::nullopt;
}

// Lines of a file's first bytes. Not thread-safe.
class Lines {
 public:
  static absl::StatusOr<Lines> Open(const std::string& path, int64_t bytes) {
    const int fd = open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
    if (fd < 0 && errno == ENOENT) return Lines(nullptr, 0);
    FILE* const file = fd < 0 ? nullptr : fdopen(fd, "r");
    if (file == nullptr) return ErrnoStatus(errno, path);
    return Lines(file, bytes);
  }

  // Returns the next line without its end; nullopt: there is none. The text is valid until the next call.
  absl::StatusOr<std::optional<std::string_view>> Next() {
    if (file_ == nullptr || left_ <= 0) return std::nullopt;
    char* text = buffer_.release();
    errno = 0;
    const ssize_t size = getline(&text, &capacity_, file_.get());
    const int error = errno;
    buffer_.reset(text);
    if (size < 0 && error != 0) return ErrnoStatus(error, "rejected rows");
    if (size < 0 || size > left_) return std::nullopt;
    left_ -= size;
    std::string_view line(text, static_cast<size_t>(size));
    if (!line.empty() && line.back() == '\n') line.remove_suffix(1);
    return std::optional(line);
  }

 private:
  struct Close {
    void operator()(FILE* file) const { fclose(file); }
  };
  struct Free {
    void operator()(char* text) const { std::free(text); }
  };
  Lines(FILE* file, int64_t bytes) : file_(file), left_(bytes) {}

  std::unique_ptr<FILE, Close> file_;
  int64_t left_;
  std::unique_ptr<char, Free> buffer_;
  size_t capacity_ = 0;
};

// A file that is being rewritten.
class Rewritten {
 public:
  static absl::StatusOr<Rewritten> Create(const std::string& path) {
    File file(open((path + kErasing).c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0600));
    if (!file.is_open()) return ErrnoStatus(errno, path);
    return Rewritten(path, std::move(file));
  }
  absl::Status Add(std::string_view line) {
    base::StrAppend(&buffer_, line, "\n");
    return buffer_.size() < kBufferBytes ? absl::OkStatus() : Flush();
  }
  absl::Status Sync() {
    LOGQUERY_RETURN_IF_ERROR(Flush());
    return fsync(file_.fd()) == 0 ? absl::OkStatus() : ErrnoStatus(errno, path_);
  }
  absl::Status TakePlace() const {
    return rename((path_ + kErasing).c_str(), path_.c_str()) == 0 ? absl::OkStatus() : ErrnoStatus(errno, path_);
  }

 private:
  Rewritten(std::string path, File file) : path_(std::move(path)), file_(std::move(file)) {}
  absl::Status Flush() {
    LOGQUERY_RETURN_IF_ERROR(WriteAll(file_.fd(), buffer_, path_));
    buffer_.clear();
    return absl::OkStatus();
  }

  std::string path_;
  File file_;
  std::string buffer_;
};

// The rows' file is made first and takes its place first: so the reasons' alone means that the rows' has done so.
absl::StatusOr<SiftedRows> Rewrite(const std::string& folder, const RejectedLines& lines, const ProjectRows& project) {
  LOGQUERY_ASSIGN_OR_RETURN(Rewritten rows, Rewritten::Create(lines.rows));
  LOGQUERY_ASSIGN_OR_RETURN(Rewritten reasons, Rewritten::Create(lines.reasons));
  LOGQUERY_ASSIGN_OR_RETURN(const SiftedRows sifted,
                            SiftRejected(lines, project, [&](std::string_view row, std::string_view reason) {
                              absl::Status added = rows.Add(row);
                              added.Update(reasons.Add(reason));
                              return added;
                            }));
  LOGQUERY_RETURN_IF_ERROR(rows.Sync());
  LOGQUERY_RETURN_IF_ERROR(reasons.Sync());
  LOGQUERY_RETURN_IF_ERROR(SyncFolder(folder));
  LOGQUERY_RETURN_IF_ERROR(rows.TakePlace());
  LOGQUERY_RETURN_IF_ERROR(reasons.TakePlace());
  LOGQUERY_RETURN_IF_ERROR(SyncFolder(folder));
  return sifted;
}

}  // namespace

ProjectRows::Whose ProjectRows::WhoseIs(std::string_view row, std::string_view reason) const {
  const absl::StatusOr<Json> kept = base::ParseJson("the reason", reason);
  const std::optional<std::string> sender = kept.ok() ? TextAt(*kept, {"project"}) : std::nullopt;
  if (sender == project_) return Whose::kProject;
  const absl::StatusOr<Json> json = base::ParseJson("the row", row);
  const std::optional<std::string> named = json.ok() ? TextAt(*json, path_) : std::nullopt;
  if (named.has_value()) return *named == project_ ? Whose::kProject : Whose::kOthers;
  if (HasWord(row, project_)) return Whose::kProject;
  return sender.has_value() ? Whose::kOthers : Whose::kUnknown;
}

absl::StatusOr<SiftedRows> SiftRejected(
    const RejectedLines& lines, const ProjectRows& project,
    absl::FunctionRef<absl::Status(std::string_view row, std::string_view reason)> keep) {
  LOGQUERY_ASSIGN_OR_RETURN(Lines rows, Lines::Open(lines.rows, lines.row_bytes));
  LOGQUERY_ASSIGN_OR_RETURN(Lines reasons, Lines::Open(lines.reasons, lines.reason_bytes));
  SiftedRows sifted;
  while (true) {
    LOGQUERY_ASSIGN_OR_RETURN(const std::optional<std::string_view> row, rows.Next());
    if (!row.has_value()) return sifted;
    LOGQUERY_ASSIGN_OR_RETURN(const std::optional<std::string_view> reason, reasons.Next());
    const ProjectRows::Whose whose = project.WhoseIs(*row, reason.value_or(""));
    if (whose == ProjectRows::Whose::kProject) {
      ++sifted.removed;
      continue;
    }
    if (whose == ProjectRows::Whose::kUnknown) ++sifted.unknown;
    LOGQUERY_RETURN_IF_ERROR(keep(*row, reason.value_or("")));
  }
}

absl::StatusOr<SiftedRows> EraseRejected(const std::string& folder, const std::string& name, const ProjectRows& project,
                                         bool dry_run) {
  constexpr int64_t kAll = std::numeric_limits<int64_t>::max();
  const std::string path = base::StrCat(folder, "/", name);
  const RejectedLines lines = {path + kRows, path + kReasons, kAll, kAll};
  // Most files have none of the project's: these are only read.
  LOGQUERY_ASSIGN_OR_RETURN(
      const SiftedRows found,
      SiftRejected(lines, project, [](std::string_view, std::string_view) { return absl::OkStatus(); }));
  if (dry_run || found.removed == 0) return found;
  absl::StatusOr<SiftedRows> erased = Rewrite(folder, lines, project);
  if (!erased.ok()) SettleErased(folder).IgnoreError();  // the error itself is told; the next opening tries again
  return erased;
}

absl::Status SettleErased(const std::string& folder) {
  std::vector<std::string> erasing;
  {
    const std::unique_ptr<DIR, int (*)(DIR*)> entries(opendir(folder.c_str()), closedir);
    if (!entries) return ErrnoStatus(errno, folder);
    while (const dirent* entry = readdir(entries.get())) {
      if (absl::EndsWith(entry->d_name, kErasing)) erasing.emplace_back(entry->d_name);
    }
  }
  // If both files exist, either may be incomplete. The reasons' file is removed first: alone it would pass for a
  // complete one.
  std::sort(erasing.rbegin(), erasing.rend());
  const auto has = [&](const std::string& name) {
    return std::find(erasing.begin(), erasing.end(), name) != erasing.end();
  };
  for (const std::string& file : erasing) {
    const std::string path = base::StrCat(folder, "/", file);
    const absl::string_view whole = absl::StripSuffix(file, kErasing);
    const absl::string_view name = absl::StripSuffix(whole, kReasons);
    const bool is_reasons = name.size() < whole.size();
    if (is_reasons && !has(base::StrCat(name, kRows, kErasing))) {
      const std::string to = base::StrCat(folder, "/", whole);
      if (rename(path.c_str(), to.c_str()) != 0) return ErrnoStatus(errno, path);
    } else if (unlink(path.c_str()) != 0 && errno != ENOENT) {
      return ErrnoStatus(errno, path);
    }
  }
  return erasing.empty() ? absl::OkStatus() : SyncFolder(folder);
}

}  // namespace logquery::store
