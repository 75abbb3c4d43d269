// Appends rows, or writes them to a file for the server's spool.
#include "shim/cli/migrate/import_target.h"

#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <system_error>
#include <utility>

#include "absl/cleanup/cleanup.h"
#include "lib/base/status_macros.h"
#include "lib/base/strings.h"
#include "logquery/store/duckdb_backend.h"
#include "logquery/store/log_store.h"
#include "logquery/store/spool.h"
#include "shim/cli/folder/folder.h"
#include "shim/cli/folder/loading.h"

namespace logquery::shim {
namespace {

class FolderTarget : public ImportTarget {
 public:
  explicit FolderTarget(std::unique_ptr<DuckDbBackend> backend) : backend_(std::move(backend)) {}

  absl::StatusOr<bool> HasMark(const std::string& log, const std::string& mark) override {
    return backend_->store().HasBatch(log, mark);
  }
  absl::Status SetMark(const std::string& log, const std::string& mark) override {
    return backend_->store().Append({.table = log, .batch = mark}).status();
  }
  bool forgets() const override { return false; }
  absl::Status Add(const std::string& log, const std::vector<std::string_view>& rows, bool dedupe,
                   LoadTotals& totals) override {
    AppendRequest request;
    request.table = log;
    request.rows = rows;
    request.dedupe_by_id = dedupe;
    LOGQUERY_ASSIGN_OR_RETURN(const LoadReport report, backend_->store().Append(request));
    AddToTotals(report, totals);
    return absl::OkStatus();
  }
  absl::Status Finish() override { return backend_->store().Checkpoint(); }

 private:
  const std::unique_ptr<DuckDbBackend> backend_;
};

class SpoolTarget : public ImportTarget {
 public:
  SpoolTarget(std::string spool, std::string folder) : spool_(std::move(spool)), folder_(std::move(folder)) {}

  absl::StatusOr<bool> HasMark(const std::string&, const std::string&) override { return false; }
  absl::Status SetMark(const std::string&, const std::string&) override { return absl::OkStatus(); }
  bool forgets() const override { return true; }
  absl::Status Add(const std::string& log, const std::vector<std::string_view>& rows, bool dedupe,
                   LoadTotals& totals) override {
    std::string path = (std::filesystem::temp_directory_path() / "logquery-import-XXXXXX").string();
    const int fd = mkstemp(path.data());
    if (fd < 0) return absl::UnavailableError(base::StrCat("can't make a temporary file: ", std::strerror(errno)));
    close(fd);
    const absl::Cleanup remove = [&path] { unlink(path.c_str()); };
    std::ofstream file(path, std::ios::binary);
    for (const std::string_view row : rows) file << row << "\n";
    file.close();
    if (!file) return absl::ResourceExhaustedError(base::StrCat("can't write ", path));
    LOGQUERY_ASSIGN_OR_RETURN(LoadReport report,
                              LoadBySpool(spool_, {.table = log, .files = {path}, .dedupe_by_id = dedupe}));
    if (report.rejected_rows > 0) report.rejected_folder = folder_ + "/rejected";
    AddToTotals(report, totals);
    return absl::OkStatus();
  }
  absl::Status Finish() override { return absl::OkStatus(); }

 private:
  const std::string spool_;
  const std::string folder_;
};

}  // namespace

absl::StatusOr<std::unique_ptr<ImportTarget>> ImportTarget::Open(const RowImportJob& job) {
  const std::string spool = SpoolIn(job.folder);
  if (IsSpoolServed(spool)) return std::make_unique<SpoolTarget>(spool, job.folder);
  DuckDbOptions options;
  options.folder = job.folder;
  options.own_logs_json = job.own_logs_json;
  options.own_logs_source = job.own_logs_source;
  LOGQUERY_ASSIGN_OR_RETURN(std::unique_ptr<DuckDbBackend> backend, OpenDuckDb(options));
  return std::make_unique<FolderTarget>(std::move(backend));
}

}  // namespace logquery::shim
