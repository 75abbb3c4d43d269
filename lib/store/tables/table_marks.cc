// Sums hashes of the records, so that the order of the records does not matter.
#include "lib/store/tables/table_marks.h"

#include <utility>

#include "absl/strings/numbers.h"
#include "lib/backend/duckdb/engine_types.h"
#include "lib/backend/duckdb/small_query.h"
#include "lib/base/status_macros.h"
#include "lib/base/strings.h"
#include "lib/store/tables/clustering.h"
#include "lib/store/tables/retention.h"

namespace logquery::store {
namespace {

// Of the table `$1`, stored as `$2`: a digest of what was loaded and of its columns, and how many rows were loaded. Sums of
// hashes need no order; the same book in another order is of the same rows.
constexpr char kBooks[] =
    "SELECT sha256(concat_ws(';', count(*), max(loaded_at), sum(hash(digest, loaded_at, row_count)::HUGEINT),"
    " (SELECT concat_ws(',', count(*), sum(hash(column_name, data_type)::HUGEINT)) FROM duckdb_columns()"
    " WHERE database_name = current_database() AND schema_name = 'main' AND table_name = $2))), "
    "coalesce(sum(row_count), 0)::BIGINT FROM logquery.loads WHERE table_name = $1";

absl::StatusOr<std::string> ReadMark(duckdb_connection connection, const Table& table) {
  const std::string& stored = table.storage_name.empty() ? table.name : table.storage_name;
  LOGQUERY_ASSIGN_OR_RETURN(const duckdb::TextRows books, duckdb::Query(connection, kBooks, {table.name, stored}));
  LOGQUERY_ASSIGN_OR_RETURN(const Removed removed, ReadRemoved(connection, table.name));
  LOGQUERY_ASSIGN_OR_RETURN(
      const duckdb::TextRows rows,
      duckdb::Query(connection, base::StrCat("SELECT count(*) FROM ", duckdb::QuoteName(stored))));
  int64_t loaded = 0;
  int64_t there = 0;
  if (!absl::SimpleAtoi(books[0][1], &loaded) || !absl::SimpleAtoi(rows[0][0], &there)) {
    return absl::InternalError(base::StrCat("the rows of ", table.name, " can't be counted"));
  }
  // Some rows are in no book, and others in their place would not show.
  if (loaded - removed.rows != there) return std::string();
  // The same rows in another order are others where a query takes the first few.
  LOGQUERY_ASSIGN_OR_RETURN(const Clustered clustered, ReadClustered(connection, table.name));
  return base::StrCat(books[0][0], "-", removed.rows, "-", clustered.mark);
}

}  // namespace

absl::StatusOr<std::vector<TableMark>> ReadMarks(duckdb_connection connection, const std::vector<Table>& tables) {
  std::vector<TableMark> marks;
  for (const Table& table : tables) {
    LOGQUERY_ASSIGN_OR_RETURN(std::string mark, ReadMark(connection, table));
    marks.push_back({table.name, std::move(mark)});
  }
  return marks;
}

std::optional<std::vector<TableMark>> TableMarksCache::Find(const std::vector<Table>& tables,
                                                            const duckdb::DataVersion::Stamp& stamp) {
  if (tables.empty()) return std::vector<TableMark>();
  absl::MutexLock lock(&mutex_);
  if (!(stamp_ == stamp)) return std::nullopt;
  std::vector<TableMark> marks;
  for (const Table& table : tables) {
    const auto kept = kept_.find(table.name);
    if (kept == kept_.end()) return std::nullopt;
    marks.push_back({table.name, kept->second});
  }
  return marks;
}

void TableMarksCache::Keep(const std::vector<TableMark>& marks, const duckdb::DataVersion::Stamp& stamp) {
  absl::MutexLock lock(&mutex_);
  if (stamp.version < stamp_.version) return;  // somebody has seen a later state
  if (!(stamp_ == stamp)) kept_.clear();
  stamp_ = stamp;
  for (const TableMark& mark : marks) kept_.insert_or_assign(mark.table, mark.mark);
}

}  // namespace logquery::store
