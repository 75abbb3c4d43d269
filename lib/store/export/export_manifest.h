// The description of an export, in manifest.json.
//
//     {"logquery_export":1,"files":[{"name":"edge_logs/2026-01-15.parquet","table":"cloudflare.logs.prod","rows":1000,
//                                    "bytes":4096,"sha256":"…"}]}
#ifndef LOGQUERY_LIB_STORE_EXPORT_EXPORT_MANIFEST_H_
#define LOGQUERY_LIB_STORE_EXPORT_EXPORT_MANIFEST_H_

#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "logquery/store/export.h"

namespace logquery::store {

inline constexpr char kExportManifestName[] = "manifest.json";

struct ExportManifest {
  static constexpr int kFormat = 1;
  std::vector<ExportedFile> files;  // by name

  const ExportedFile* Find(std::string_view name) const;
  // Replaces the file of the same name, or inserts the file in the order of names.
  void Put(ExportedFile file);
  std::string ToJson() const;
  // DataLoss: not that. FailedPrecondition: a later format's, or of something else.
  static absl::StatusOr<ExportManifest> Parse(std::string_view text);
};

}  // namespace logquery::store

#endif  // LOGQUERY_LIB_STORE_EXPORT_EXPORT_MANIFEST_H_
