// Follows a column from above a Project to below it.
#ifndef LOGQUERY_LIB_REWRITE_PROJECT_COLUMNS_H_
#define LOGQUERY_LIB_REWRITE_PROJECT_COLUMNS_H_

#include <optional>

#include "lib/rewrite/plan.h"

namespace logquery::rewrite {

// The column of the Project's input that the Project passes on as this one, under the same or another id; nullopt: it
// computes the column.
inline std::optional<ColumnId> ColumnBelow(const Project& project, ColumnId column) {
  for (const Computed& each : project.computed) {
    if (each.column.id != column) continue;
    const auto* const reference = If<ColumnRef>(each.value.get());
    return reference == nullptr ? std::nullopt : std::optional<ColumnId>(reference->id);
  }
  return column;
}

}  // namespace logquery::rewrite

#endif  // LOGQUERY_LIB_REWRITE_PROJECT_COLUMNS_H_
