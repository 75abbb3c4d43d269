// The target of imported rows: a data folder, or the spool of the server that holds it.
#ifndef LOGQUERY_SHIM_CLI_MIGRATE_IMPORT_TARGET_H_
#define LOGQUERY_SHIM_CLI_MIGRATE_IMPORT_TARGET_H_

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "shim/cli/migrate/row_import.h"

namespace logquery::shim {

class ImportTarget {
 public:
  // Statuses: those of OpenDuckDb.
  static absl::StatusOr<std::unique_ptr<ImportTarget>> Open(const RowImportJob& job);
  virtual ~ImportTarget() = default;

  // Marks are names in the folder's own records, each of a log. A server's spool keeps none: they are never there.
  virtual absl::StatusOr<bool> HasMark(const std::string& log, const std::string& mark) = 0;
  virtual absl::Status SetMark(const std::string& log, const std::string& mark) = 0;
  // Whether rows may be there although no mark says so.
  virtual bool forgets() const = 0;
  // Stores the rows, without those whose id is there if `dedupe`. They are on the disk when it returns.
  virtual absl::Status Add(const std::string& log, const std::vector<std::string_view>& rows, bool dedupe,
                           LoadTotals& totals) = 0;
  virtual absl::Status Finish() = 0;
};

}  // namespace logquery::shim

#endif  // LOGQUERY_SHIM_CLI_MIGRATE_IMPORT_TARGET_H_
