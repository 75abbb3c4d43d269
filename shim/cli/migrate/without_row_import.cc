// Stands in for row_import.cc where logquery is built without PostgreSQL: the command says so.
#include "shim/cli/migrate/row_import.h"

namespace logquery::shim {

absl::Status ImportRows(const RowImportJob&, RowImportReport&) {
  return absl::UnimplementedError(
      "this logquery is built without PostgreSQL or without data folders, so it can't import rows; use one that is "
      "built with "
      "LOGQUERY_WITH_POSTGRES=ON and LOGQUERY_WITH_DUCKDB=ON");
}

}  // namespace logquery::shim
