// Appends rejected events to files, and keeps the files within the limits.
#include "lib/store/load/event_rejects.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <map>
#include <memory>
#include <tuple>
#include <utility>

#include "absl/strings/ascii.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/strip.h"
#include "lib/base/readable_text.h"
#include "lib/base/status_macros.h"
#include "lib/base/strings.h"
#include "lib/engines/duckdb/backend/small_query.h"
#include "lib/store/folder/durable_file.h"
#include "lib/store/load/event_rejects_books.h"
#include "lib/store/load/rejected_rows.h"
#include "lib/store/rows/input_file.h"
#include "lib/store/rows/json_reader.h"
#include "lib/store/tables/books.h"

namespace logquery::store {
namespace {

constexpr char kRows[] = ".ndjson";
constexpr char kReasons[] = ".reasons.ndjson";
constexpr std::string_view kEvents = ".events.";
// Files of loads have 16 hexadecimal digits in this place.
constexpr size_t kNumberDigits = 8;
constexpr size_t kMaxReasonBytes = 1'000;
constexpr size_t kMaxDigests = 10'000;

using Entry = EventRejects::Entry;

// -1: there is no such plain file.
int64_t SizeOf(const std::string& path) {
  struct stat info;
  if (lstat(path.c_str(), &info) != 0 || !S_ISREG(info.st_mode)) return -1;
  return info.st_size;
}

bool IsWhole(const std::string& folder, const Entry& file) {
  const std::string path = base::StrCat(folder, "/", file.name);
  return SizeOf(path + kRows) >= file.row_bytes && SizeOf(path + kReasons) >= file.reason_bytes;
}

// `text` takes the place of what is behind `offset`.
absl::Status WriteAt(const std::string& path, int64_t offset, std::string_view text) {
  const File file(open(path.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600));
  if (!file.is_open()) return ErrnoStatus(errno, path);
  if (ftruncate(file.fd(), offset) != 0 || lseek(file.fd(), offset, SEEK_SET) != offset) {
    return ErrnoStatus(errno, path);
  }
  LOGQUERY_RETURN_IF_ERROR(WriteAll(file.fd(), text, path));
  return fsync(file.fd()) == 0 ? absl::OkStatus() : ErrnoStatus(errno, path);
}

std::string_view Cut(std::string_view reason) {
  if (reason.size() <= kMaxReasonBytes) return reason;
  size_t end = kMaxReasonBytes;
  while (end > 0 && (reason[end] & 0xC0) == 0x80) --end;  // not within a character
  return reason.substr(0, end);
}

void AppendLines(const EventRejects::Event& event, std::string* rows, std::string* reasons) {
  // An event may hold line breaks; to JSON they are spaces.
  for (const char c : event.text) *rows += c == '\n' ? ' ' : c;
  *rows += '\n';
  base::StrAppend(reasons, R"({"arrived":")",
                  absl::FormatTime("%Y-%m-%dT%H:%M:%E6SZ", event.arrived, absl::UTCTimeZone()), R"(","token":)");
  AppendJsonString(event.sender, *reasons);
  if (!event.project.empty()) {
    *reasons += R"(,"project":)";
    AppendJsonString(event.project, *reasons);
  }
  base::StrAppend(reasons, R"(,"index":)", event.index, R"(,"reason":)");
  AppendJsonString(Cut(event.reason), *reasons);
  *reasons += "}\n";
}

// The name without its end, if it is one of these files; otherwise empty.
std::string NameOf(std::string_view file) {
  const absl::string_view whole(file.data(), file.size());
  absl::string_view name = absl::StripSuffix(whole, kReasons);
  if (name.size() == whole.size()) name = absl::StripSuffix(whole, kRows);
  if (name.size() == whole.size() || name.size() <= kEvents.size() + kNumberDigits) return "";
  const absl::string_view digits = name.substr(name.size() - kNumberDigits);
  const std::string before(name.substr(0, name.size() - kNumberDigits));
  const bool is_number = std::all_of(digits.begin(), digits.end(), absl::ascii_isdigit);
  if (!is_number || before.substr(before.size() - kEvents.size()) != kEvents) return "";
  return std::string(name);
}

std::string NameFor(const std::string& table, int64_t number) {
  return base::StrCat(RejectedFileName(table), kEvents, absl::StrFormat("%08d", number));
}

// Returns a number that no file has, neither as its number nor in its name: a rewritten file keeps its number under
// another name.
int64_t NextNumber(const std::vector<Entry>& files) {
  int64_t last = 0;
  for (const Entry& file : files) {
    int64_t named = 0;
    if (file.name.size() > kNumberDigits) {
      const absl::string_view name = file.name;
      std::ignore = absl::SimpleAtoi(name.substr(name.rfind('.') + 1), &named);
    }
    last = std::max({last, file.number, named});
  }
  return last + 1;
}

absl::Status RemoveUnbooked(const std::string& folder, const std::vector<Entry>& files) {
  std::vector<std::string> unbooked;
  const std::unique_ptr<DIR, int (*)(DIR*)> entries(opendir(folder.c_str()), closedir);
  if (!entries) return ErrnoStatus(errno, folder);
  while (const dirent* entry = readdir(entries.get())) {
    const std::string name = NameOf(entry->d_name);
    if (name.empty()) continue;
    const bool booked = std::any_of(files.begin(), files.end(), [&](const Entry& f) { return f.name == name; });
    if (!booked) unbooked.emplace_back(entry->d_name);
  }
  for (const std::string& name : unbooked) unlink(base::StrCat(folder, "/", name).c_str());
  return absl::OkStatus();
}

RejectedEventsState StateOf(const std::vector<Entry>& files, int64_t removed) {
  RejectedEventsState state;
  state.files = static_cast<int64_t>(files.size());
  for (const Entry& file : files) state.bytes += file.bytes();
  state.removed_rows = removed;
  return state;
}

}  // namespace

absl::StatusOr<Entry> EventRejects::FileFor(const std::vector<Entry>& files, const std::string& table,
                                            const std::string& project, absl::Time now, int64_t bytes) const {
  const Entry* newest = nullptr;
  for (const Entry& file : files) {
    if (file.table == table && file.project == project) newest = &file;
  }
  if (newest != nullptr && newest->bytes() + bytes <= limits_.file_bytes && now < newest->first + limits_.file_age &&
      IsWhole(folder_, *newest)) {
    return *newest;
  }
  Entry file;
  file.number = NextNumber(files);
  file.table = table;
  file.project = project;
  file.name = NameFor(table, file.number);
  file.first = now;
  return file;
}

void EventRejects::Begin() {
  leaving_.clear();
  keeping_.clear();
}

bool EventRejects::IsKept(const std::string& digest) {
  return kept_.contains(digest) || !keeping_.insert(digest).second;
}

absl::Status EventRejects::Append(duckdb_connection connection, const std::string& table, absl::Time now,
                                  const std::vector<Event>& events) {
  std::map<std::string, std::vector<const Event*>> by_project;
  for (const Event& event : events) by_project[std::string(event.project)].push_back(&event);
  for (const auto& [project, own] : by_project) {
    LOGQUERY_RETURN_IF_ERROR(AppendOf(connection, table, project, now, own));
  }
  return Trim(connection, now).status();
}

absl::Status EventRejects::AppendOf(duckdb_connection connection, const std::string& table, const std::string& project,
                                    absl::Time now, const std::vector<const Event*>& events) {
  std::string rows;
  std::string reasons;
  for (const Event* event : events) AppendLines(*event, &rows, &reasons);
  LOGQUERY_ASSIGN_OR_RETURN(const std::vector<Entry> files, ReadRejectsBook(connection));
  LOGQUERY_ASSIGN_OR_RETURN(Entry file,
                            FileFor(files, table, project, now, static_cast<int64_t>(rows.size() + reasons.size())));
  LOGQUERY_RETURN_IF_ERROR(Write(file, rows, reasons));
  file.rows += static_cast<int64_t>(events.size());
  file.row_bytes += static_cast<int64_t>(rows.size());
  file.reason_bytes += static_cast<int64_t>(reasons.size());
  file.last = now;
  return BookRejects(connection, file);
}

absl::Status EventRejects::Write(const Entry& file, std::string_view rows, std::string_view reasons) const {
  const std::string path = base::StrCat(folder_, "/", file.name);
  LOGQUERY_RETURN_IF_ERROR(WriteAt(path + kRows, file.row_bytes, rows));
  LOGQUERY_RETURN_IF_ERROR(WriteAt(path + kReasons, file.reason_bytes, reasons));
  return file.rows == 0 ? SyncFolder(folder_) : absl::OkStatus();
}

absl::StatusOr<int64_t> EventRejects::Trim(duckdb_connection connection, absl::Time now) {
  leaving_.clear();
  LOGQUERY_ASSIGN_OR_RETURN(std::vector<Entry> files, ReadRejectsBook(connection));
  int64_t removed = 0;
  for (auto next = NextToGo(files, now); next != files.end(); next = NextToGo(files, now)) {
    LOGQUERY_RETURN_IF_ERROR(Forget(connection, *next));
    removed += next->rows;
    files.erase(next);
  }
  LOGQUERY_ASSIGN_OR_RETURN(const int64_t all_removed, CountRemovedRejects(connection));
  pending_ = StateOf(files, all_removed);
  return removed;
}

std::vector<Entry>::iterator EventRejects::NextToGo(std::vector<Entry>& files, absl::Time now) const {
  const auto old =
      std::find_if(files.begin(), files.end(), [&](const Entry& file) { return now >= file.last + limits_.keep; });
  if (old != files.end()) return old;
  std::map<std::string_view, int64_t> bytes;
  int64_t total = 0;
  for (const Entry& file : files) {
    bytes[file.project] += file.bytes();
    total += file.bytes();
  }
  if (total <= limits_.total_bytes || files.size() < 2) return files.end();
  const auto most =
      std::max_element(bytes.begin(), bytes.end(), [](const auto& a, const auto& b) { return a.second < b.second; });
  const auto oldest =
      std::find_if(files.begin(), files.end(), [&](const Entry& file) { return file.project == most->first; });
  // The newest file of all stays.
  return oldest + 1 == files.end() ? files.begin() : oldest;
}

absl::Status EventRejects::Forget(duckdb_connection connection, const Entry& file) {
  leaving_.push_back(file.name);
  LOGQUERY_RETURN_IF_ERROR(UnbookRejects(connection, file));
  return BookRemovedRejects(connection, file);
}

absl::StatusOr<SiftedRows> EventRejects::Erase(duckdb_connection connection,
                                               absl::FunctionRef<ProjectRows(const std::string& table)> project,
                                               bool dry_run) {
  leaving_.clear();
  LOGQUERY_ASSIGN_OR_RETURN(const std::vector<Entry> files, ReadRejectsBook(connection));
  int64_t next = NextNumber(files);
  SiftedRows all;
  std::vector<Entry> staying;
  for (const Entry& file : files) {
    Kept kept;
    LOGQUERY_ASSIGN_OR_RETURN(const SiftedRows sifted, Sift(file, project(file.table), &kept));
    all.removed += sifted.removed;
    all.unknown += sifted.unknown;
    if (sifted.removed == 0 || dry_run) {
      staying.push_back(file);
      continue;
    }
    leaving_.push_back(file.name);
    LOGQUERY_RETURN_IF_ERROR(UnbookRejects(connection, file));
    if (kept.count == 0) continue;
    Entry anew = file;
    anew.name = NameFor(file.table, next++);
    anew.rows = anew.row_bytes = anew.reason_bytes = 0;
    LOGQUERY_RETURN_IF_ERROR(Write(anew, kept.rows, kept.reasons));
    anew.rows = kept.count;
    anew.row_bytes = static_cast<int64_t>(kept.rows.size());
    anew.reason_bytes = static_cast<int64_t>(kept.reasons.size());
    LOGQUERY_RETURN_IF_ERROR(BookRejects(connection, anew));
    staying.push_back(anew);
  }
  LOGQUERY_ASSIGN_OR_RETURN(const int64_t removed, CountRemovedRejects(connection));
  pending_ = StateOf(staying, removed);
  return all;
}

absl::StatusOr<SiftedRows> EventRejects::Sift(const Entry& file, const ProjectRows& project, Kept* kept) const {
  const std::string path = base::StrCat(folder_, "/", file.name);
  return SiftRejected({path + kRows, path + kReasons, file.row_bytes, file.reason_bytes}, project,
                      [kept](std::string_view row, std::string_view reason) {
                        base::StrAppend(&kept->rows, row, "\n");
                        base::StrAppend(&kept->reasons, reason, "\n");
                        ++kept->count;
                        return absl::OkStatus();
                      });
}

void EventRejects::Committed() {
  // A file that can't be removed now is no longer in the books, and is removed at the next opening.
  for (const std::string& name : leaving_) {
    for (const char* end : {kRows, kReasons}) unlink(base::StrCat(folder_, "/", name, end).c_str());
  }
  // A file that left may have had any of them; those of this transaction are in the newest file, which stays.
  if (!leaving_.empty() || kept_.size() > kMaxDigests) kept_.clear();
  kept_.merge(keeping_);
  leaving_.clear();
  keeping_.clear();
  absl::MutexLock lock(&state_mutex_);
  state_ = pending_;
}

absl::Status EventRejects::Settle(duckdb_connection connection) {
  LOGQUERY_ASSIGN_OR_RETURN(duckdb::Transaction transaction, duckdb::Transaction::Begin(connection));
  LOGQUERY_ASSIGN_OR_RETURN(const std::vector<Entry> files, ReadRejectsBook(connection));
  leaving_.clear();
  std::vector<Entry> staying;
  for (const Entry& file : files) {
    if (!IsWhole(folder_, file)) {
      LOGQUERY_RETURN_IF_ERROR(Forget(connection, file));
      continue;
    }
    const std::string path = base::StrCat(folder_, "/", file.name);
    if (SizeOf(path + kRows) > file.row_bytes) LOGQUERY_RETURN_IF_ERROR(WriteAt(path + kRows, file.row_bytes, ""));
    if (SizeOf(path + kReasons) > file.reason_bytes) {
      LOGQUERY_RETURN_IF_ERROR(WriteAt(path + kReasons, file.reason_bytes, ""));
    }
    staying.push_back(file);
  }
  LOGQUERY_ASSIGN_OR_RETURN(const int64_t removed, CountRemovedRejects(connection));
  pending_ = StateOf(staying, removed);
  LOGQUERY_RETURN_IF_ERROR(transaction.Commit());
  Committed();
  return RemoveUnbooked(folder_, staying);
}

RejectedEventsState EventRejects::state() const {
  absl::MutexLock lock(&state_mutex_);
  return state_;
}

absl::Status CheckEventRejects(duckdb_connection connection, const std::string& folder,
                               std::vector<FolderFinding>* findings) {
  LOGQUERY_ASSIGN_OR_RETURN(const bool books, HasBooks(connection, "rejected_events"));
  if (!books) return absl::OkStatus();
  LOGQUERY_ASSIGN_OR_RETURN(const std::vector<Entry> files, ReadRejectsBook(connection));
  std::vector<Entry> missing;
  for (const Entry& file : files) {
    if (!IsWhole(folder, file)) missing.push_back(file);
  }
  // A server may have removed it in between.
  LOGQUERY_ASSIGN_OR_RETURN(const std::vector<Entry> now, ReadRejectsBook(connection));
  for (const Entry& file : missing) {
    const bool booked = std::any_of(now.begin(), now.end(), [&](const Entry& f) { return f.number == file.number; });
    if (!booked) continue;
    findings->push_back(
        {FolderFinding::Kind::kWarning,
         base::StrCat(base::Counted(file.rows, "rejected event"), " of ", file.table, file.rows == 1 ? " is" : " are",
                      " missing from rejected/", file.name, kRows, " or its reasons"),
         "put the file back from a backup, or open the folder for writing, which forgets them"});
  }
  LOGQUERY_ASSIGN_OR_RETURN(const duckdb::TextRows removed,
                            duckdb::Query(connection,
                                          "SELECT table_name, row_count FROM logquery.rejected_removals WHERE "
                                          "row_count > 0 ORDER BY ALL"));
  for (const std::vector<std::string>& row : removed) {
    findings->push_back({FolderFinding::Kind::kNote,
                         base::StrCat("no longer kept of the rejected events of ", row[0], ": ", row[1]),
                         "rejected events are kept for 30 days, 256 MiB of them; the oldest go first"});
  }
  return absl::OkStatus();
}

}  // namespace logquery::store
