// Decides what goes by size. A row's size is estimated from its values, and the disk's share of it from the table's
// blocks.
#include <algorithm>
#include <limits>

#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"
#include "lib/base/status_macros.h"
#include "lib/base/strings.h"
#include "lib/engines/duckdb/backend/engine_types.h"
#include "lib/engines/duckdb/backend/small_query.h"
#include "lib/store/tables/retention.h"
#include "lib/store/tables/table_stats.h"

namespace logquery::store {
namespace {

constexpr absl::Duration kDay = absl::Hours(24);

// The bytes that a row takes in addition to its texts.
constexpr int64_t kRowBytes = 100;

// Returns the disk space per row, averaged over the rows that the file holds. These include removed rows whose space is
// not free yet.
absl::StatusOr<double> BytesOfRow(duckdb_connection connection, const Table& table) {
  LOGQUERY_ASSIGN_OR_RETURN(
      const duckdb::TextRows rows,
      duckdb::Query(connection,
                    base::StrCat("SELECT ", DiskBytesSql(table.name),
                                 ", coalesce(sum(count) FILTER (column_name = $1 AND"
                                 " segment_type <> 'VALIDITY'), 0)::BIGINT FROM pragma_storage_info(",
                                 duckdb::QuoteText(duckdb::QuoteName(table.name)), ") WHERE persistent"),
                    {table.time_column}));
  LOGQUERY_ASSIGN_OR_RETURN(const int64_t bytes, duckdb::NumberIn(rows[0][0]));
  LOGQUERY_ASSIGN_OR_RETURN(const int64_t stored, duckdb::NumberIn(rows[0][1]));
  return stored == 0 ? 0 : static_cast<double>(bytes) / static_cast<double>(stored);
}

// Adds the sizes of the texts in `value` to the sum `sql`.
void AddSize(const Type& type, const std::string& value, std::string& sql) {
  if (type.is_record() || type.is_struct()) {
    for (const Field& field : type.fields()) {
      AddSize(field.type, base::StrCat(value, ".", duckdb::QuoteName(field.name)), sql);
    }
  } else if (type.is_array()) {
    base::StrAppend(&sql, " + coalesce(strlen((", value, ")::VARCHAR), 0)");
  } else if (type.is(TypeKind::kString) || type.is(TypeKind::kJson)) {
    base::StrAppend(&sql, " + coalesce(strlen(", value, "), 0)");
  } else if (type.is(TypeKind::kBytes)) {
    base::StrAppend(&sql, " + coalesce(octet_length(", value, "), 0)");
  }
}

// "(SELECT … AS p, … AS t, … AS size FROM the table)": of each row the project, the time and the size. Values that are
// stored twice count once.
std::string SizedRows(const TableLayout& layout) {
  std::string size = absl::StrCat(kRowBytes, "::BIGINT");
  for (const StoredColumn& column : layout.columns) {
    const bool is_copy = column.role == StoredColumn::Role::kHotValue || column.is_packed();
    if (!is_copy) AddSize(column.type, duckdb::QuoteName(column.name), size);
  }
  const Table& table = layout.table;
  return base::StrCat("(SELECT ", table.project_path.empty() ? "NULL::VARCHAR" : ProjectSql(table), " AS p, ",
                      duckdb::QuoteName(table.time_column), " AS t, ", size, " AS size FROM ",
                      duckdb::QuoteName(table.name), ")");
}

struct Usage {
  std::optional<std::string> project;
  int64_t rows = 0;
  double bytes = 0;
};

absl::StatusOr<std::vector<Usage>> ReadUsage(duckdb_connection connection, const std::string& rows_sql) {
  LOGQUERY_ASSIGN_OR_RETURN(
      const duckdb::TextRows rows,
      duckdb::Query(connection, base::StrCat("SELECT p IS NULL, hex(p), count(*), sum(size)::BIGINT FROM ", rows_sql,
                                             " GROUP BY p ORDER BY p")));
  std::vector<Usage> usage;
  for (const std::vector<std::string>& row : rows) {
    Usage& one = usage.emplace_back();
    if (row[0] != "true") one.project = absl::HexStringToBytes(row[1]);
    LOGQUERY_ASSIGN_OR_RETURN(one.rows, duckdb::NumberIn(row[2]));
    LOGQUERY_ASSIGN_OR_RETURN(const int64_t bytes, duckdb::NumberIn(row[3]));
    one.bytes = static_cast<double>(bytes);
  }
  return usage;
}

// The project's days that go so that `excess` bytes of its rows' sizes go.
absl::StatusOr<ProjectCut> CutProject(duckdb_connection connection, const std::string& rows_sql, const Usage& usage,
                                      double excess, absl::Time now) {
  ProjectCut cut;
  cut.project = usage.project;
  LOGQUERY_ASSIGN_OR_RETURN(const std::string condition, OwnerCondition("p", usage.project));
  LOGQUERY_ASSIGN_OR_RETURN(
      const duckdb::TextRows days,
      duckdb::Query(connection,
                    base::StrCat("SELECT epoch_us(day), sum(size)::BIGINT FROM (SELECT date_trunc('day', t) AS day,"
                                 " size FROM ",
                                 rows_sql, " WHERE ", condition, " AND t IS NOT NULL) GROUP BY day ORDER BY day > ",
                                 duckdb::TimeSql(now + kDay), " DESC, day")));
  for (size_t i = 0; i + 1 < days.size() && excess > 0; ++i) {
    LOGQUERY_ASSIGN_OR_RETURN(const int64_t day, duckdb::NumberIn(days[i][0]));
    LOGQUERY_ASSIGN_OR_RETURN(const int64_t bytes, duckdb::NumberIn(days[i][1]));
    cut.days.push_back(absl::FromUnixMicros(day));
    excess -= static_cast<double>(bytes);
  }
  return cut;
}

}  // namespace

double FairShare(std::vector<double> sizes, double budget) {
  std::sort(sizes.begin(), sizes.end());
  auto left = static_cast<double>(sizes.size());
  for (const double size : sizes) {
    const double share = budget / left;
    if (size > share) return share;
    budget -= size;
    left -= 1;
  }
  return std::numeric_limits<double>::infinity();
}

absl::StatusOr<std::vector<ProjectCut>> CutToFit(duckdb_connection connection, const TableLayout& layout,
                                                 int64_t max_bytes, absl::Time now) {
  LOGQUERY_ASSIGN_OR_RETURN(const double bytes_of_row, BytesOfRow(connection, layout.table));
  LOGQUERY_ASSIGN_OR_RETURN(
      const duckdb::TextRows counted,
      duckdb::Query(connection, base::StrCat("SELECT count(*) FROM ", duckdb::QuoteName(layout.table.name))));
  LOGQUERY_ASSIGN_OR_RETURN(const int64_t rows, duckdb::NumberIn(counted[0][0]));
  const double on_disk = bytes_of_row * static_cast<double>(rows);
  std::vector<ProjectCut> cuts;
  if (on_disk <= static_cast<double>(max_bytes)) return cuts;
  const std::string rows_sql = SizedRows(layout);
  LOGQUERY_ASSIGN_OR_RETURN(const std::vector<Usage> usage, ReadUsage(connection, rows_sql));
  double all = 0;
  for (const Usage& one : usage) all += one.bytes;
  // Above 1, rows that are deleted but still in the file would count against rows that are not.
  const double ratio = std::min(1.0, on_disk / std::max(all, 1.0));
  std::vector<double> sizes;
  for (const Usage& one : usage) sizes.push_back(one.bytes * ratio);
  const double share = FairShare(sizes, static_cast<double>(max_bytes));
  for (size_t i = 0; i < usage.size(); ++i) {
    if (sizes[i] <= share) continue;
    LOGQUERY_ASSIGN_OR_RETURN(ProjectCut cut,
                              CutProject(connection, rows_sql, usage[i], (sizes[i] - share) / ratio, now));
    if (!cut.days.empty()) cuts.push_back(std::move(cut));
  }
  return cuts;
}

}  // namespace logquery::store
