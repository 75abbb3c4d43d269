// The client side of a spool: puts files into it and waits for their outcomes.
#include <fcntl.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "absl/cleanup/cleanup.h"
#include "absl/strings/str_cat.h"
#include "absl/time/clock.h"
#include "lib/base/status_macros.h"
#include "lib/base/strings.h"
#include "lib/store/folder/folder_files.h"
#include "lib/store/rows/input_file.h"
#include "lib/store/rows/rejected_counts.h"
#include "lib/store/spool/spool_folder.h"
#include "logquery/store/spool.h"

namespace logquery {
namespace store {
namespace {

constexpr absl::Duration kLookEvery = absl::Milliseconds(20);
constexpr size_t kFirstRejected = 20;
constexpr size_t kCopyBytes = 1 << 20;

// One load by way of a spool.
class SpoolSender {
 public:
  SpoolSender(const std::string& folder, const LoadRequest& request) : folder_(folder), request_(request) {}

  absl::Status Send(const std::string& file, LoadReport* report) {
    LOGQUERY_RETURN_IF_ERROR(Await([&] { return access((folder_ + "/FULL").c_str(), F_OK) != 0; }, "has no room"));
    LOGQUERY_RETURN_IF_ERROR(Put(file, report));
    const std::string outcome_path = path_ + ".outcome";
    const absl::Status waited = Await([&] { return access(outcome_path.c_str(), F_OK) == 0; }, "holds the file");
    if (!waited.ok()) return Withdraw(waited);
    LOGQUERY_ASSIGN_OR_RETURN(const std::string text, ReadWhole(outcome_path));
    LOGQUERY_ASSIGN_OR_RETURN(const SpoolOutcome outcome, SpoolOutcome::Parse(text));
    unlink(outcome_path.c_str());
    return Add(file, outcome, report);
  }

 private:
  template <typename Condition>
  absl::Status Await(Condition is_met, std::string_view state) const {
    while (!is_met()) {
      if (request_.cancellation.IsCancelled()) return absl::CancelledError("the load was cancelled");
      if (!IsSpoolServed(folder_)) {
        return absl::UnavailableError(base::StrCat("nobody takes files out of the spool ", folder_, ", which ", state,
                                                   ", any more; whoever serves the folder next does"));
      }
      absl::SleepFor(kLookEvery);
    }
    return absl::OkStatus();
  }

  // A copy, under a name that nothing else has: what happens to the original meanwhile does not matter.
  absl::Status Put(const std::string& file, LoadReport* report) {
    LOGQUERY_ASSIGN_OR_RETURN(const std::string name, UniqueName(file));
    const std::string log_folder = base::StrCat(folder_, "/", request_.table);
    LOGQUERY_RETURN_IF_ERROR(MakeInnerFolder(log_folder));
    path_ = base::StrCat(log_folder, "/", name);
    SpoolFileOptions options;
    options.timestamp_unit = request_.timestamp_unit;
    options.dedupe_by_id = request_.dedupe_by_id;
    options.again = request_.again;
    options.urgent = true;
    const std::string unfinished = base::StrCat(log_folder, "/.", name, ".new");
    absl::Cleanup remove = [&] { unlink(unfinished.c_str()); };
    LOGQUERY_RETURN_IF_ERROR(Copy(file, unfinished, report));
    LOGQUERY_RETURN_IF_ERROR(WriteByRename(path_ + ".options", options.ToJson()));
    return rename(unfinished.c_str(), path_.c_str()) == 0 ? absl::OkStatus() : ErrnoStatus(errno, path_);
  }

  static absl::StatusOr<std::string> UniqueName(const std::string& file) {
    uint64_t random = 0;
    if (getrandom(&random, sizeof(random), 0) != sizeof(random)) return ErrnoStatus(errno, "random bytes");
    std::string_view name = file;
    name.remove_prefix(name.rfind('/') + 1);  // npos + 1 is 0
    name = name.substr(0, name.find('.'));
    constexpr size_t kMaxName = 100;
    return absl::StrCat("load-", absl::Hex(random, absl::kZeroPad16), "-",
                        base::ToAbsl(name == "-" ? "stdin" : name.substr(0, kMaxName)), ".ndjson");
  }

  absl::Status Copy(const std::string& file, const std::string& to, LoadReport* report) const {
    const File in(file == "-" ? fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 0) : open(file.c_str(), O_RDONLY | O_CLOEXEC));
    if (!in.is_open()) return ErrnoStatus(errno, file);
    struct stat info;
    if (fstat(in.fd(), &info) != 0) return ErrnoStatus(errno, file);
    if (S_ISDIR(info.st_mode)) return absl::InvalidArgumentError(file + " is a folder");
    const File out(open(to.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600));
    if (!out.is_open()) return ErrnoStatus(errno, to);
    const auto buffer = std::make_unique<char[]>(kCopyBytes);
    while (true) {
      if (request_.cancellation.IsCancelled()) return absl::CancelledError("the load was cancelled");
      const ssize_t size = read(in.fd(), buffer.get(), kCopyBytes);
      if (size < 0 && errno == EINTR) continue;
      if (size < 0) return ErrnoStatus(errno, file);
      if (size == 0) break;
      LOGQUERY_RETURN_IF_ERROR(WriteAll(out.fd(), {buffer.get(), static_cast<size_t>(size)}, to));
      report->bytes += size;
    }
    return fsync(out.fd()) == 0 ? absl::OkStatus() : ErrnoStatus(errno, to);
  }

  // Removes the file after a cancellation, unless it has been taken.
  absl::Status Withdraw(const absl::Status& status) const {
    if (absl::IsCancelled(status) && unlink(path_.c_str()) == 0) unlink((path_ + ".options").c_str());
    return status;
  }

  static absl::Status Add(const std::string& file, const SpoolOutcome& outcome, LoadReport* report) {
    if (outcome.outcome == "failed") return absl::InvalidArgumentError(base::StrCat(file, ": ", outcome.reason));
    const bool skipped = outcome.outcome == "skipped";
    report->files.push_back({file, skipped, file, outcome.rows, outcome.rejected_rows, outcome.duplicate_rows,
                             outcome.undeclared_fields, outcome.rejected_by_reason});
    if (skipped) {
      report->files_skipped.push_back(file);
      return absl::OkStatus();
    }
    if (!report->files.back().gave_nothing()) ++report->files_loaded;
    report->rows += outcome.rows;
    report->rejected_rows += outcome.rejected_rows;
    report->duplicate_rows += outcome.duplicate_rows;
    report->undeclared_fields.insert(report->undeclared_fields.end(), outcome.undeclared_fields.begin(),
                                     outcome.undeclared_fields.end());
    for (const auto& [from, to] : {std::pair(&outcome.learned_fields, &report->learned_fields),
                                   std::pair(&outcome.widened_fields, &report->widened_fields)}) {
      to->insert(to->end(), from->begin(), from->end());
    }
    AddCounts(outcome.rejected_by_reason, report->rejected_by_reason);
    for (const SpoolOutcome::Rejected& row : outcome.rejected) {
      if (report->first_rejected.size() == kFirstRejected) break;
      report->first_rejected.push_back({file, row.line, row.reason});
    }
    return absl::OkStatus();
  }

  const std::string& folder_;
  const LoadRequest& request_;
  std::string path_;
};

}  // namespace
}  // namespace store

bool IsSpoolServed(const std::string& folder) { return store::SpoolFolder::IsLocked(folder); }

absl::StatusOr<LoadReport> LoadBySpool(const std::string& folder, const LoadRequest& request) {
  const std::string& table = request.table;
  if (table.empty() || table.front() == '.' || table.find('/') != std::string::npos) {
    return absl::InvalidArgumentError(base::StrCat("no folder of a spool can have the name of the table ", table));
  }
  const absl::Time start = absl::Now();
  LoadReport report;
  for (const std::string& file : request.files) {
    store::SpoolSender sender(folder, request);
    LOGQUERY_RETURN_IF_ERROR(sender.Send(file, &report));
  }
  report.time = absl::Now() - start;
  return report;
}

}  // namespace logquery
