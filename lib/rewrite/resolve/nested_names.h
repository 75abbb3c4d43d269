// Finds record fields of a name that no column has, to suggest metadata.request.path to the writer of `path`.
#ifndef LOGQUERY_LIB_REWRITE_RESOLVE_NESTED_NAMES_H_
#define LOGQUERY_LIB_REWRITE_RESOLVE_NESTED_NAMES_H_

#include <string>
#include <string_view>
#include <vector>

#include "lib/rewrite/resolve/own_records.h"
#include "lib/rewrite/resolve/scope.h"

namespace logquery::rewrite {

// Returns the end of an error's message that shows how to read the field, such as "; metadata.request.path is read by LEFT JOIN
// UNNEST(metadata) AS r1 LEFT JOIN UNNEST(r1.request) AS r2, as r2.path"; of several fields of the name the one that is nested
// least. A path goes through the records in `own`. Empty: no column has such a field.
std::string NestedNameHint(const std::vector<VisibleName>& columns, std::string_view name, OwnRecords& own);

}  // namespace logquery::rewrite

#endif  // LOGQUERY_LIB_REWRITE_RESOLVE_NESTED_NAMES_H_
