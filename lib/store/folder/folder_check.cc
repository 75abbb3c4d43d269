// Implements folder_check.h: opens a folder that no other process holds, and checks it.
#include "logquery/store/folder_check.h"

#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <utility>

#include "lib/base/status_macros.h"
#include "lib/base/strings.h"
#include "lib/store/backend_impl.h"
#include "lib/store/folder/data_folder.h"
#include "lib/store/folder/files_check.h"
#include "lib/store/folder/folder_files.h"

namespace logquery {
namespace {

using Kind = FolderFinding::Kind;

// Returns what an operator should do about a folder that does not open.
std::string ToDo(const absl::Status& status) {
  if (absl::IsDataLoss(status)) return "restore a backup into a new folder, and load what came after it again";
  if (absl::IsPermissionDenied(status)) return "run as the user that loads the logs";
  if (absl::IsResourceExhausted(status)) return "make room on the disk";
  return "do what the message says";
}

// Checks that no process writes to the folder while it is checked, and that with `repair` none has it open.
absl::Status CheckHeld(const FolderCheckOptions& options, std::vector<FolderFinding>* findings) {
  {
    const absl::StatusOr<store::DataFolder> held = store::DataFolder::OpenToCheck(options.folder, options.repair);
    LOGQUERY_RETURN_IF_ERROR(held.status());
    store::CheckLeftovers(options.folder, options.repair, findings);
  }
  DuckDbOptions engine;
  engine.folder = options.folder;
  engine.schema_json = options.schema_json;
  engine.read_only = !options.repair;
  absl::StatusOr<std::unique_ptr<DuckDbBackend>> backend = OpenDuckDb(engine);
  if (!backend.ok()) {
    store::CheckFiles(options.folder, findings);
    findings->push_back({Kind::kError, std::string(base::Message(backend.status())), ToDo(backend.status())});
    return absl::OkStatus();
  }
  // Opening it for writing has put in order what was named so far.
  for (FolderFinding& finding : *findings) finding.repaired = options.repair;
  LOGQUERY_ASSIGN_OR_RETURN(const std::vector<FolderFinding> found, (*backend)->Check(options.read_rows));
  findings->insert(findings->end(), found.begin(), found.end());
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<std::vector<FolderFinding>> CheckFolder(const FolderCheckOptions& options) {
  struct stat info;
  if (stat(options.folder.c_str(), &info) != 0) {
    return errno == ENOENT ? absl::NotFoundError("there is no folder " + options.folder)
                           : store::ErrnoStatus(errno, "can't read " + options.folder);
  }
  LOGQUERY_RETURN_IF_ERROR(store::CheckReadable(options.folder));
  LOGQUERY_RETURN_IF_ERROR(store::CheckNoBackup(options.folder));
  std::vector<FolderFinding> findings;
  const auto has = [&](const char* name) { return lstat((options.folder + name).c_str(), &info) == 0; };
  if (!has("/FORMAT")) {
    // Nothing may be created in a folder that was named by mistake.
    if (!has("/logs.duckdb")) return absl::NotFoundError(options.folder + " holds no logs: it has no file FORMAT");
    findings.push_back({Kind::kError, "there is a database, but no file FORMAT: the folder was copied in part",
                        "copy it again, all of it and while no process has it open, or restore a backup"});
    return findings;
  }
  if (!store::CheckNoLinks(options.folder).ok()) {
    store::CheckLinks(options.folder, &findings);
  } else {
    LOGQUERY_RETURN_IF_ERROR(CheckHeld(options, &findings));
  }
  std::stable_sort(findings.begin(), findings.end(),
                   [](const FolderFinding& a, const FolderFinding& b) { return a.kind > b.kind; });
  return findings;
}

}  // namespace logquery
