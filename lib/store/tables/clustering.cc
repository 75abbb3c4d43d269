// Rewrites a stretch by inserting its sorted rows and deleting the old ones in one transaction.
#include "lib/store/tables/clustering.h"

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "lib/base/readable_text.h"
#include "lib/base/status_macros.h"
#include "lib/base/strings.h"
#include "lib/engines/duckdb/backend/engine_types.h"
#include "lib/engines/duckdb/backend/small_query.h"
#include "lib/store/rows/rare_projects.h"
#include "lib/store/rows/row_batch.h"
#include "lib/store/tables/books.h"
#include "lib/store/tables/table_layout.h"

namespace logquery::store {
namespace {

constexpr absl::Duration kDay = absl::Hours(24);

// A day is clustered again once one in so many of its rows has come after it was clustered last.
constexpr int64_t kLatePart = 8;

std::string Between(const Table& table, absl::Time begin, absl::Time until) {
  const std::string time = duckdb::QuoteName(table.time_column);
  return base::StrCat(" WHERE ", time, " >= ", duckdb::TimeSql(begin), " AND ", time, " < ", duckdb::TimeSql(until));
}

std::string OrderSql(const Table& table) {
  const std::string project = ProjectSql(table);
  // A project's newest rows come first, as in row_batch.h; rows of one time stay in the order in which they came.
  return base::StrCat(" ORDER BY ", project, project.empty() ? "" : ", ", duckdb::QuoteName(table.time_column),
                      " DESC, rowid");
}

absl::StatusOr<int64_t> CountOf(duckdb_connection connection, const std::string& sql,
                                const std::vector<std::string>& texts = {}) {
  LOGQUERY_ASSIGN_OR_RETURN(const duckdb::TextRows rows, duckdb::Query(connection, sql, texts));
  return duckdb::NumberIn(rows.empty() ? "" : rows[0][0]);
}

absl::Status ForgetBetween(duckdb_connection connection, const std::string& table, absl::Time begin, absl::Time until) {
  return duckdb::Query(connection,
                       base::StrCat("DELETE FROM logquery.clustered WHERE table_name = $1 AND until > ",
                                    duckdb::TimeSql(begin), " AND begin < ", duckdb::TimeSql(until)),
                       {table})
      .status();
}

// A condition for rows of the stretch that keep their packed records: those of rare projects (rare_projects.h).
std::string RareSql(const Table& table, const Stretch& stretch, int64_t rows) {
  const std::string project = ProjectSql(table);
  if (project.empty()) return "false";
  const auto most = static_cast<int64_t>(static_cast<double>(kMostRareRowsOfDay) *
                                         absl::FDivDuration(stretch.until - stretch.begin, kDay));
  return base::StrCat(project, " IN (SELECT project FROM (SELECT ", project,
                      " AS project, count(*) AS there, sum(count(*)) OVER (ORDER BY count(*), ", project,
                      ") AS so_far FROM ", duckdb::QuoteName(table.name), Between(table, stretch.begin, stretch.until),
                      " GROUP BY ", project, ") WHERE there <= ", absl::StrCat(most),
                      " AND so_far <= ", absl::StrCat(rows / kMostRarePart), ")");
}

// The columns of the stretch's rewritten rows.
std::string RewrittenSql(const Table& table, const Stretch& stretch, int64_t rows, PackedRecords kept) {
  if (kept == PackedRecords::kAll) return "*";
  std::string replaced;
  for (const PackedRecord& packed : table.packed_records) {
    const std::string column = duckdb::QuoteName(packed.column);
    base::StrAppend(&replaced, replaced.empty() ? " REPLACE (" : ", ", "CASE WHEN ", RareSql(table, stretch, rows),
                    " THEN ", column, " END AS ", column);
  }
  return base::StrCat("*", replaced, replaced.empty() ? "" : ")");
}

}  // namespace

absl::Time FirstOpenDay(absl::Time now) {
  return absl::UnixEpoch() + absl::Floor(now - absl::UnixEpoch(), kDay) - kDay;
}

absl::StatusOr<std::vector<absl::Time>> DaysToCluster(duckdb_connection connection, const Table& table,
                                                      absl::Time before) {
  const std::string time = duckdb::QuoteName(table.time_column);
  LOGQUERY_ASSIGN_OR_RETURN(
      const duckdb::TextRows rows,
      duckdb::Query(
          connection,
          base::StrCat("SELECT epoch_us(day) FROM (SELECT date_trunc('day', ", time,
                       ") AS day, count(*) AS there FROM ", duckdb::QuoteName(table.name), " WHERE ", time, " < ",
                       duckdb::TimeSql(before),
                       " GROUP BY day) LEFT JOIN (SELECT date_trunc('day', begin) AS day, sum(row_count) AS done FROM"
                       " logquery.clustered WHERE table_name = $1 GROUP BY day) USING (day) WHERE there >= ",
                       absl::StrCat(kRowGroupRows), " AND (there - coalesce(done, 0)) * ", absl::StrCat(kLatePart),
                       " >= there ORDER BY day DESC"),
          {table.name}));
  std::vector<absl::Time> days;
  for (const std::vector<std::string>& row : rows) {
    LOGQUERY_ASSIGN_OR_RETURN(const int64_t day, duckdb::NumberIn(row[0]));
    days.push_back(absl::FromUnixMicros(day));
  }
  return days;
}

absl::StatusOr<std::vector<Stretch>> CutDay(duckdb_connection connection, const Table& table, absl::Time day,
                                            int64_t rows) {
  const std::string source = base::StrCat(duckdb::QuoteName(table.name), Between(table, day, day + kDay));
  LOGQUERY_ASSIGN_OR_RETURN(const int64_t there, CountOf(connection, base::StrCat("SELECT count(*) FROM ", source)));
  // The parts have about equal sizes.
  const int64_t parts = std::max<int64_t>(1, (there + rows / 2) / rows);
  const int64_t size = (there + parts - 1) / parts;
  // The times that stretches begin at, and how many rows are before each.
  LOGQUERY_ASSIGN_OR_RETURN(
      const duckdb::TextRows cuts,
      duckdb::Query(
          connection,
          base::StrCat("SELECT epoch_us(time), min(place) FROM (SELECT ", duckdb::QuoteName(table.time_column),
                       " AS time, rank() OVER w - 1 AS place, row_number() OVER w - 1 AS nth FROM ", source,
                       " WINDOW w AS (ORDER BY ", duckdb::QuoteName(table.time_column), ")) WHERE nth % ",
                       absl::StrCat(std::max<int64_t>(1, size)), " = 0 GROUP BY time ORDER BY time")));
  std::vector<Stretch> stretches;
  for (const std::vector<std::string>& cut : cuts) {
    LOGQUERY_ASSIGN_OR_RETURN(const int64_t begin, duckdb::NumberIn(cut[0]));
    LOGQUERY_ASSIGN_OR_RETURN(const int64_t place, duckdb::NumberIn(cut[1]));
    Stretch next;
    next.begin = stretches.empty() ? day : absl::FromUnixMicros(begin);
    next.until = day + kDay;
    next.rows = there - place;
    if (!stretches.empty()) {
      stretches.back().until = next.begin;
      stretches.back().rows -= next.rows;
    }
    stretches.push_back(next);
  }
  return stretches;
}

absl::StatusOr<int64_t> ClusterStretch(duckdb_connection connection, const Table& table, const Stretch& stretch,
                                       PackedRecords kept) {
  const std::string name = duckdb::QuoteName(table.name);
  const std::string where = Between(table, stretch.begin, stretch.until);
  LOGQUERY_ASSIGN_OR_RETURN(const int64_t there,
                            CountOf(connection, base::StrCat("SELECT count(*) FROM ", name, where)));
  LOGQUERY_ASSIGN_OR_RETURN(
      const int64_t done,
      CountOf(
          connection,
          base::StrCat("SELECT coalesce(sum(row_count), 0)::BIGINT FROM logquery.clustered WHERE table_name = $1 AND"
                       " begin = ",
                       duckdb::TimeSql(stretch.begin), " AND until = ", duckdb::TimeSql(stretch.until)),
          {table.name}));
  if (there == 0 || there == done) return 0;
  // Rewritten rows come after all others.
  LOGQUERY_ASSIGN_OR_RETURN(const int64_t last, CountOf(connection, base::StrCat("SELECT max(rowid) FROM ", name)));
  LOGQUERY_ASSIGN_OR_RETURN(
      const int64_t written,
      CountOf(connection, base::StrCat("INSERT INTO ", name, " SELECT ", RewrittenSql(table, stretch, there, kept),
                                       " FROM ", name, where, OrderSql(table))));
  LOGQUERY_ASSIGN_OR_RETURN(
      const int64_t gone,
      CountOf(connection, base::StrCat("DELETE FROM ", name, where, " AND rowid <= ", absl::StrCat(last))));
  if (written != there || gone != there) {
    return absl::InternalError(base::StrCat("of ", base::Counted(there, "row"), ", ", written,
                                            " would be written anew and ", gone, " deleted: all is left as it is"));
  }
  LOGQUERY_RETURN_IF_ERROR(ForgetBetween(connection, table.name, stretch.begin, stretch.until));
  LOGQUERY_RETURN_IF_ERROR(
      duckdb::Query(connection,
                    base::StrCat("INSERT INTO logquery.clustered VALUES ($1, ", duckdb::TimeSql(stretch.begin), ", ",
                                 duckdb::TimeSql(stretch.until), ", $2::BIGINT, now()::TIMESTAMP)"),
                    {table.name, absl::StrCat(written)})
          .status());
  return written;
}

absl::StatusOr<Clustered> ReadClustered(duckdb_connection connection, const std::string& table) {
  Clustered clustered;
  LOGQUERY_ASSIGN_OR_RETURN(const bool books, HasBooks(connection, "clustered"));
  if (!books) return clustered;
  LOGQUERY_ASSIGN_OR_RETURN(
      const duckdb::TextRows rows,
      duckdb::Query(connection,
                    "SELECT coalesce(sum(row_count), 0)::BIGINT FROM logquery.clustered WHERE table_name = $1",
                    {table}));
  LOGQUERY_ASSIGN_OR_RETURN(clustered.rows, duckdb::NumberIn(rows[0][0]));
  return clustered;
}

absl::Status ForgetClustered(duckdb_connection connection, const std::string& table, absl::Time before) {
  return duckdb::Query(connection,
                       base::StrCat("DELETE FROM logquery.clustered WHERE table_name = $1 AND until <= ",
                                    duckdb::TimeSql(before)),
                       {table})
      .status();
}

absl::Status ForgetClusteredRows(duckdb_connection connection, const Table& table, const std::string& condition) {
  if (table.time_column.empty()) return absl::OkStatus();
  const std::string name = duckdb::QuoteName(table.name);
  LOGQUERY_ASSIGN_OR_RETURN(
      const duckdb::TextRows stretches,
      duckdb::Query(connection, "SELECT epoch_us(begin), epoch_us(until) FROM logquery.clustered WHERE table_name = $1",
                    {table.name}));
  for (const std::vector<std::string>& stretch : stretches) {
    LOGQUERY_ASSIGN_OR_RETURN(const int64_t begin, duckdb::NumberIn(stretch[0]));
    LOGQUERY_ASSIGN_OR_RETURN(const int64_t until, duckdb::NumberIn(stretch[1]));
    const std::string between = Between(table, absl::FromUnixMicros(begin), absl::FromUnixMicros(until));
    LOGQUERY_ASSIGN_OR_RETURN(const int64_t going, CountOf(connection, base::StrCat("SELECT count(*) FROM ", name,
                                                                                    between, " AND ", condition)));
    if (going == 0) continue;
    LOGQUERY_RETURN_IF_ERROR(
        duckdb::Query(connection,
                      base::StrCat("UPDATE logquery.clustered SET row_count = greatest(0, row_count - $2::BIGINT) WHERE"
                                   " table_name = $1 AND epoch_us(begin) = ",
                                   absl::StrCat(begin), " AND epoch_us(until) = ", absl::StrCat(until)),
                      {table.name, absl::StrCat(going)})
            .status());
  }
  return absl::OkStatus();
}

}  // namespace logquery::store
