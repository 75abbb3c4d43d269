// Converts between a saved query's file and its revisions. The newest one comes first, as people edit that:
//
//     {"name": "errors", "project": "abc", "revision": 2, "saved_by": "ann", "saved_at": "2026-01-31T08:00:00+00:00",
//      "endpoint": "logs.all", "language": "bigquery", "description": "", "sql": "select …",
//      "former": [{"revision": 1, …}]}
//
// A query that was deleted has "deleted": true in place of an endpoint and SQL.
#ifndef LOGQUERY_LIB_SERVING_SAVED_SAVED_RECORD_H_
#define LOGQUERY_LIB_SERVING_SAVED_SAVED_RECORD_H_

#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "lib/base/json/value.h"
#include "logquery/serving/saved_queries.h"

namespace logquery::serving {

// At least one revision, the newest first. Name and project are the same in all of them.
struct SavedRecord {
  std::vector<SavedQuery> revisions;
  std::vector<bool> deleted;  // whether the query was deleted with this revision

  const SavedQuery& newest() const { return revisions.front(); }
  bool is_deleted() const { return deleted.front(); }
};

// The text of a time: "2026-01-31T08:00:00+00:00".
std::string SavedTimeText(absl::Time time);

// InvalidArgument: "SOURCE at line 3, column 5: revision must be …".
absl::StatusOr<SavedRecord> ParseSavedRecord(std::string_view source, std::string_view text);

std::string PrintSavedRecord(const SavedRecord& record);

}  // namespace logquery::serving

#endif  // LOGQUERY_LIB_SERVING_SAVED_SAVED_RECORD_H_
