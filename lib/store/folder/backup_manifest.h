// The description of a backup in MANIFEST.json.
//
//     {"logquery_backup":1,"made_at":"2026-01-15T08:00:00Z","folder_format":1,
//      "tables":[{"table":"cloudflare.logs.prod","rows":1000}],
//      "files":[{"name":"logs.duckdb","bytes":4096,"sha256":"…"}]}
#ifndef LOGQUERY_LIB_STORE_FOLDER_BACKUP_MANIFEST_H_
#define LOGQUERY_LIB_STORE_FOLDER_BACKUP_MANIFEST_H_

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/time/time.h"

namespace logquery::store {

inline constexpr char kManifestName[] = "MANIFEST.json";

struct BackupManifest {
  static constexpr int kFormat = 1;
  struct Table {
    std::string table;
    int64_t rows = 0;
    friend bool operator==(const Table& a, const Table& b) { return a.table == b.table && a.rows == b.rows; }
  };
  struct File {
    std::string name;  // in the backup and in the folder
    int64_t bytes = 0;
    std::string sha256;
  };
  absl::Time made_at;  // to the second
  int folder_format = 0;
  std::vector<Table> tables;
  std::vector<File> files;

  int64_t rows() const;
  int64_t bytes() const;
  std::string ToJson() const;
  // DataLoss: not a manifest. FailedPrecondition: a newer format.
  static absl::StatusOr<BackupManifest> Parse(std::string_view text);
};

}  // namespace logquery::store

#endif  // LOGQUERY_LIB_STORE_FOLDER_BACKUP_MANIFEST_H_
