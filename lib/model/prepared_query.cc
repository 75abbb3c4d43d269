// The names of the dialects.
#include "logquery/prepared_query.h"

namespace logquery {

std::string_view DialectName(Dialect dialect) {
  switch (dialect) {
    case Dialect::kGoogleSql:
      return "googlesql";
    case Dialect::kDuckDb:
      return "duckdb";
    case Dialect::kBigQuery:
      return "bigquery";
  }
  return "?";
}

}  // namespace logquery
