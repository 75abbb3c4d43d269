// Writes queries for the newest rows of a log: `SELECT … FROM log WHERE … ORDER BY time DESC, … LIMIT n`.
#include <algorithm>
#include <utility>
#include <vector>

#include "lib/base/status_macros.h"
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

// The record's own column does not hold all of it.
bool HasLearnedFields(const Table& table, std::string_view record) {
  return std::any_of(table.learned_columns.begin(), table.learned_columns.end(),
                     [&](const HotColumn& learned) { return base::EqualsIgnoreCase(learned.path[0], record); });
}

}  // namespace

// Rows are wide, so an engine picks the n first by what orders them, and then fetches these alone. One may do so by itself,
// but go through all of the table for the second step, 600 row groups of 18 million rows in place of the two in which the
// rows are, and leave the conditions out there. So both steps are written, with the bounds of time in both. The FROM item of
// one row keeps it from taking the first step apart in two once more.
bool Emitter::FindRowsFirst(Select& select) {
  const std::string_view place = dialect_.RowPlace();
  if (place.empty() || !select.scan || !select.scan->node->table->has_row_places || select.from != select.scan->from ||
      select.stage != Select::Stage::kOpen)
    return false;
  if (select.scan->time_bounds.empty() || HasColumn(*select.scan->node->table, place)) return false;
  if (select.order.empty() || !select.limit_value || !select.offset.empty() || !select.with.empty()) return false;
  for (const SortKey& key : select.order) {
    if (key.column && Find(select, *key.column).computed) return false;
  }
  const std::string where_it_is = base::StrCat(select.scan->alias, ".", place);
  std::string rows =
      base::StrCat(where_it_is, " IN (SELECT ", where_it_is, " FROM ", select.from, ", ", dialect_.OneRow(), " WHERE ",
                   base::Join(select.where, " AND "), OrderByText(select, {}), " LIMIT ", select.limit, ")");
  select.where = select.scan->time_bounds;
  select.where.push_back(std::move(rows));
  select.limit.clear();
  select.limit_value.reset();
  return true;
}

// The first step has picked the rows by the columns that conditions and order need; only the select list of the second one changes.
absl::StatusOr<std::optional<PackedForm>> Emitter::WithPackedRecords(Select select, const Columns& columns) {
  const rewrite::TableScan& scan = *select.scan->node;
  PackedForm packed;
  for (const PackedRecord& record : scan.table->packed_records) {
    if (HasLearnedFields(*scan.table, record.record)) continue;
    const auto stored = std::find(scan.storage.begin(), scan.storage.end(), record.record);
    if (stored == scan.storage.end()) continue;
    const auto place = static_cast<size_t>(stored - scan.storage.begin());
    LOGQUERY_ASSIGN_OR_RETURN(const Text whole, dialect_.StoredColumn(scan, place, select.scan->alias));
    const Text bytes{base::StrCat(select.scan->alias, ".", dialect_.Identifier(record.column)), Text::Kind::kPath};
    // The result may have one column twice.
    std::vector<size_t> whole_records;
    for (size_t i = 0; i < columns.size(); ++i) {
      const Known& known = Find(select, columns[i].id);
      if (!known.computed && known.text.sql == whole.sql) whole_records.push_back(i);
    }
    for (const size_t i : whole_records) select.known[columns[i].id] = {bytes, false};
    packed.columns.insert(packed.columns.end(), whole_records.begin(), whole_records.end());
  }
  if (packed.columns.empty()) return std::nullopt;
  std::sort(packed.columns.begin(), packed.columns.end());
  packed.text = Exactly(std::move(select), columns, AliasesOf(columns));
  return packed;
}

}  // namespace logquery::emit
