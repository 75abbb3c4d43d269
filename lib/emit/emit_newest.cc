// Writes queries for the newest rows of a log: `SELECT … FROM log WHERE … ORDER BY time DESC, … LIMIT n`.
#include <algorithm>
#include <utility>

#include "lib/emit/emitter_impl.h"

namespace logquery::emit {
namespace {

// A log may have a field of that name.
bool HasColumn(const Table& table, std::string_view name) {
  const auto named = [&](std::string_view column) { return base::EqualsIgnoreCase(column, name); };
  return std::any_of(table.columns.begin(), table.columns.end(), [&](const Field& f) { return named(f.name); }) ||
         std::any_of(table.hot_columns.begin(), table.hot_columns.end(),
                     [&](const HotColumn& hot) { return named(hot.column); });
}

}  // namespace

// Rows are wide, so an engine picks the n first by what orders them, and then fetches these alone. One may do so by itself,
// but go through all of the table for the second step, 600 row groups of 18 million rows in place of the two in which the
// rows are, and leave the conditions out there. So both steps are written, with the bounds of time in both. The FROM item of
// one row keeps it from taking the first step apart in two once more.
void Emitter::FindRowsFirst(Select& select) {
  const std::string_view place = dialect_.RowPlace();
  if (place.empty() || !select.scan || !select.scan->node->table->has_row_places || select.from != select.scan->from ||
      select.stage != Select::Stage::kOpen)
    return;
  if (select.scan->time_bounds.empty() || HasColumn(*select.scan->node->table, place)) return;
  if (select.order.empty() || !select.limit_value || !select.offset.empty() || !select.with.empty()) return;
  for (const SortKey& key : select.order) {
    if (key.column && Find(select, *key.column).computed) return;
  }
  const std::string where_it_is = base::StrCat(select.scan->alias, ".", place);
  std::string rows =
      base::StrCat(where_it_is, " IN (SELECT ", where_it_is, " FROM ", select.from, ", ", dialect_.OneRow(), " WHERE ",
                   base::Join(select.where, " AND "), OrderByText(select, {}), " LIMIT ", select.limit, ")");
  select.where = select.scan->time_bounds;
  select.where.push_back(std::move(rows));
  select.limit.clear();
  select.limit_value.reset();
}

}  // namespace logquery::emit
