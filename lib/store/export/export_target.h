// The folder that an export is written to: its contents, and files that are added completely or not at all.
#ifndef LOGQUERY_LIB_STORE_EXPORT_EXPORT_TARGET_H_
#define LOGQUERY_LIB_STORE_EXPORT_EXPORT_TARGET_H_

#include <string>
#include <string_view>
#include <utility>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "lib/store/export/export_manifest.h"
#include "lib/store/rows/input_file.h"

namespace logquery::store {

class ExportTarget {
 public:
  // Opens the folder, which is locked while this lives. Removes the unfinished files of an interrupted export.
  // FailedPrecondition: it has files that no export made, or another process exports into it. DataLoss: its manifest is
  // damaged.
  static absl::StatusOr<ExportTarget> Open(const std::string& path);

  const ExportManifest& manifest() const { return manifest_; }
  // The folder of unfinished files, with a slash at the end: absolute, without links.
  const std::string& unfinished() const { return unfinished_; }

  // Returns whether the file exists with the length in the manifest.
  bool Has(const ExportedFile& file) const;
  // Calls `write`, which writes the file of that path and returns its number of rows. Puts the file under `file.name`,
  // with its size and digest, and into the manifest. All of it is on the disk then.
  absl::Status Add(ExportedFile& file, absl::FunctionRef<absl::StatusOr<int64_t>(const std::string& path)> write);
  // Writes a file beside the manifest, unless it is there with this text.
  absl::Status PutText(const std::string& name, std::string_view text) const;

 private:
  ExportTarget(std::string path, File lock) : path_(std::move(path)), lock_(std::move(lock)) {}
  absl::Status ReadManifest();
  absl::Status RefuseForeign() const;
  absl::Status ClearUnfinished();

  std::string path_;
  std::string unfinished_;
  File lock_;
  ExportManifest manifest_;
};

}  // namespace logquery::store

#endif  // LOGQUERY_LIB_STORE_EXPORT_EXPORT_TARGET_H_
