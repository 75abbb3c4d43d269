// Stores rejected rows with their file, line number and reason.
#include "lib/store/load/rejected_rows.h"

#include <dirent.h>
#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <memory>
#include <vector>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/strip.h"
#include "lib/base/status_macros.h"
#include "lib/base/strings.h"
#include "lib/store/folder/durable_file.h"
#include "lib/store/rows/json_reader.h"

namespace logquery::store {
namespace {

constexpr char kRows[] = ".ndjson";
constexpr char kReasons[] = ".reasons.ndjson";
constexpr char kPartial[] = ".partial";
constexpr size_t kBufferBytes = 1 << 20;

absl::StatusOr<File> Create(const std::string& path) {
  File file(open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0600));
  if (!file.is_open()) return ErrnoStatus(errno, path);
  return file;
}

absl::Status GiveName(const std::string& path) {
  // One that has its name already: the crash came between the two.
  if (rename((path + kPartial).c_str(), path.c_str()) != 0 && errno != ENOENT) return ErrnoStatus(errno, path);
  return absl::OkStatus();
}

}  // namespace

std::string RejectedFileName(std::string_view table) {
  std::string name(table);
  for (char& c : name) {
    if (!absl::ascii_isalnum(c) && c != '.' && c != '-' && c != '_') c = '_';
  }
  return name;
}

RejectedRows::RejectedRows(std::string folder, std::string_view table, std::string_view id, std::string source)
    : folder_(std::move(folder)), name_(base::StrCat(RejectedFileName(table), ".", id)), source_(std::move(source)) {}

RejectedRows::~RejectedRows() {
  if (empty()) return;
  const std::string base = base::StrCat(folder_, "/", name_);
  unlink((base + kRows + kPartial).c_str());
  unlink((base + kReasons + kPartial).c_str());
}

absl::Status RejectedRows::Add(const RejectedRow& row) {
  if (empty()) {
    const std::string base = base::StrCat(folder_, "/", name_);
    LOGQUERY_ASSIGN_OR_RETURN(rows_, Create(base + kRows + kPartial));
    LOGQUERY_ASSIGN_OR_RETURN(reasons_, Create(base + kReasons + kPartial));
  }
  // A row that did not come as a line may hold line breaks; to JSON they are spaces.
  for (const char c : row.text) rows_buffer_ += c == '\n' ? ' ' : c;
  rows_buffer_ += '\n';
  reasons_buffer_ += "{\"file\":";
  AppendJsonString(source_, reasons_buffer_);
  base::StrAppend(&reasons_buffer_, ",\"line\":", row.line, ",\"reason\":");
  AppendJsonString(row.reason, reasons_buffer_);
  reasons_buffer_ += "}\n";
  return rows_buffer_.size() + reasons_buffer_.size() < kBufferBytes ? absl::OkStatus() : Flush();
}

absl::Status RejectedRows::Flush() {
  LOGQUERY_RETURN_IF_ERROR(WriteAll(rows_.fd(), rows_buffer_, "rejected rows"));
  LOGQUERY_RETURN_IF_ERROR(WriteAll(reasons_.fd(), reasons_buffer_, "rejected rows"));
  rows_buffer_.clear();
  reasons_buffer_.clear();
  return absl::OkStatus();
}

absl::Status RejectedRows::Sync() {
  if (empty()) return absl::OkStatus();
  LOGQUERY_RETURN_IF_ERROR(Flush());
  if (fsync(rows_.fd()) != 0 || fsync(reasons_.fd()) != 0) return ErrnoStatus(errno, "rejected rows");
  return SyncFolder(folder_);
}

absl::Status RejectedRows::Publish() {
  if (empty()) return absl::OkStatus();
  // The books have the name by now: a file that keeps its partial name is settled at the next opening, and not removed here.
  rows_ = File();
  const std::string base = base::StrCat(folder_, "/", name_);
  LOGQUERY_RETURN_IF_ERROR(GiveName(base + kRows));
  LOGQUERY_RETURN_IF_ERROR(GiveName(base + kReasons));
  return SyncFolder(folder_);
}

void RejectedRows::Remove() const {
  const std::string base = base::StrCat(folder_, "/", name_);
  unlink((base + kRows).c_str());
  unlink((base + kReasons).c_str());
}

absl::Status RejectedRows::Settle(const std::string& folder, absl::FunctionRef<bool(const std::string&)> is_recorded) {
  std::vector<std::string> partial;
  {
    const std::unique_ptr<DIR, int (*)(DIR*)> entries(opendir(folder.c_str()), closedir);
    if (!entries) return ErrnoStatus(errno, folder);
    while (const dirent* entry = readdir(entries.get())) {
      if (absl::EndsWith(entry->d_name, kPartial)) partial.emplace_back(entry->d_name);
    }
  }
  for (const std::string& file : partial) {
    absl::string_view name = absl::StripSuffix(file, kPartial);
    const std::string path = base::StrCat(folder, "/", name);
    name = absl::StripSuffix(absl::StripSuffix(name, kRows), ".reasons");
    if (is_recorded(std::string(name))) {
      LOGQUERY_RETURN_IF_ERROR(GiveName(path));
    } else {
      unlink((path + kPartial).c_str());
    }
  }
  return absl::OkStatus();
}

}  // namespace logquery::store
