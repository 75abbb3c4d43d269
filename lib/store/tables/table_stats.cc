// Runs one query per kind of statistics.
#include "lib/store/tables/table_stats.h"

#include <cstdint>
#include <string>
#include <utility>

#include "absl/strings/numbers.h"
#include "lib/base/status_macros.h"
#include "lib/base/strings.h"
#include "lib/engines/duckdb/backend/engine_types.h"
#include "lib/engines/duckdb/backend/small_query.h"
#include "lib/store/load/event_rejects.h"
#include "lib/store/tables/clustering.h"
#include "lib/store/tables/retention.h"
#include "lib/store/tables/table_layout.h"

namespace logquery::store {
namespace {

// The one row of a query, each value a number; NULL is 0.
absl::StatusOr<std::vector<int64_t>> Numbers(duckdb_connection connection, const std::string& sql,
                                             const std::vector<std::string>& texts = {}) {
  LOGQUERY_ASSIGN_OR_RETURN(const duckdb::TextRows rows, duckdb::Query(connection, sql, texts));
  if (rows.size() != 1) return absl::InternalError("a count gave no row");
  std::vector<int64_t> numbers;
  for (const std::string& text : rows[0]) {
    int64_t number = 0;
    if (!text.empty() && !absl::SimpleAtoi(text, &number)) return absl::InternalError("a count is no number: " + text);
    numbers.push_back(number);
  }
  return numbers;
}

absl::Status CountRows(duckdb_connection connection, const Table& table, TableStats* stats) {
  const std::string time = duckdb::QuoteName(table.time_column);
  const std::string times = table.time_column.empty() ? "0, 0, 0"
                                                      : base::StrCat("epoch_us(min(", time, ")), epoch_us(max(", time,
                                                                     ")), count(DISTINCT ", time, "::DATE)");
  LOGQUERY_ASSIGN_OR_RETURN(
      const std::vector<int64_t> numbers,
      Numbers(connection, base::StrCat("SELECT count(*), count(", duckdb::QuoteName(kUndeclaredColumn), "), ", times,
                                       " FROM ", duckdb::QuoteName(table.name))));
  stats->rows = numbers[0];
  stats->rows_with_undeclared_fields = numbers[1];
  if (stats->rows == 0 || table.time_column.empty()) return absl::OkStatus();
  stats->first = absl::FromUnixMicros(numbers[2]);
  stats->last = absl::FromUnixMicros(numbers[3]);
  stats->days = numbers[4];
  return absl::OkStatus();
}

void ListLearned(const Table& table, TableStats* stats) {
  for (const HotColumn& column : table.learned_columns) {
    if (column.holds != HotColumn::Holds::kValue) continue;
    const Type& type = *model::FieldType(table.columns, column.path);
    stats->learned_fields.push_back({base::Join(column.path, "."), type, type});
  }
}

absl::Status CountBlocks(duckdb_connection connection, TableStats* stats) {
  LOGQUERY_ASSIGN_OR_RETURN(const std::vector<int64_t> numbers,
                            Numbers(connection, base::StrCat("SELECT ", DiskBytesSql(stats->table))));
  stats->bytes_on_disk = numbers[0];
  return absl::OkStatus();
}

absl::Status CountLoads(duckdb_connection connection, TableStats* stats) {
  LOGQUERY_ASSIGN_OR_RETURN(
      const std::vector<int64_t> numbers,
      Numbers(
          connection,
          "SELECT count(*), sum(rejected_rows)::BIGINT, sum(bytes)::BIGINT FROM logquery.loads WHERE table_name = $1",
          {stats->table}));
  stats->loads = numbers[0];
  stats->rejected_rows = numbers[1];
  stats->bytes_read = numbers[2];
  return absl::OkStatus();
}

}  // namespace

// Compressed bytes and long texts fill blocks beside the one that their segment begins in.
std::string DiskBytesSql(const std::string& table) {
  return base::StrCat(
      "(SELECT count(DISTINCT block) * (SELECT block_size FROM pragma_database_size() WHERE database_name ="
      " current_database()) FROM (SELECT unnest(list_append(coalesce(additional_block_ids, []), block_id)) AS"
      " block FROM pragma_storage_info(",
      duckdb::QuoteText(duckdb::QuoteName(table)), ") WHERE persistent))");
}

absl::StatusOr<std::vector<TableStats>> ReadTableStats(duckdb_connection connection, const std::vector<Table>& tables) {
  LOGQUERY_ASSIGN_OR_RETURN(const duckdb::Transaction one_moment, duckdb::Transaction::Begin(connection));
  std::vector<TableStats> all;
  for (const Table& table : tables) {
    TableStats stats;
    stats.table = table.name;
    stats.log = table.log;
    ListLearned(table, &stats);
    LOGQUERY_RETURN_IF_ERROR(CountRows(connection, table, &stats));
    LOGQUERY_RETURN_IF_ERROR(CountBlocks(connection, &stats));
    LOGQUERY_RETURN_IF_ERROR(CountLoads(connection, &stats));
    LOGQUERY_ASSIGN_OR_RETURN(const RejectedOfTable rejected, ReadRejectedOf(connection, table.name));
    stats.rejected_event_bytes = rejected.bytes;
    stats.removed_rejected_events = rejected.removed;
    LOGQUERY_ASSIGN_OR_RETURN(const Removed removed, ReadRemoved(connection, table.name));
    stats.removed_rows = removed.rows;
    stats.removed_before = removed.before;
    LOGQUERY_ASSIGN_OR_RETURN(const Clustered clustered, ReadClustered(connection, table.name));
    stats.clustered_rows = std::min(clustered.rows, stats.rows);
    all.push_back(std::move(stats));
  }
  return all;
}

}  // namespace logquery::store
