// Reads and writes the records of events.
#include "lib/store/tables/event_books.h"

#include <vector>

#include "absl/hash/hash.h"
#include "absl/strings/str_cat.h"
#include "lib/base/json/read.h"
#include "lib/base/json/value.h"
#include "lib/base/status_macros.h"
#include "lib/base/strings.h"
#include "lib/engines/duckdb/backend/database.h"
#include "lib/engines/duckdb/backend/small_query.h"

namespace logquery::store {
namespace {

constexpr absl::Duration kForgetEvery = absl::Hours(1);

size_t HashOf(const std::string& sender, const std::string& key) { return absl::HashOf(sender, key); }

}  // namespace

absl::Status EventKeys::Fill(duckdb_connection connection) {
  if (filled_) return absl::OkStatus();
  LOGQUERY_ASSIGN_OR_RETURN(const duckdb::TextRows rows,
                            duckdb::Query(connection, "SELECT sender, key FROM logquery.event_keys"));
  seen_.clear();
  seen_.reserve(rows.size());
  for (const std::vector<std::string>& row : rows) seen_.insert(HashOf(row[0], row[1]));
  filled_ = true;
  return absl::OkStatus();
}

absl::StatusOr<std::optional<EventKey>> EventKeys::Find(duckdb_connection connection, const std::string& sender,
                                                        const std::string& key, absl::Time now) {
  LOGQUERY_RETURN_IF_ERROR(Fill(connection));
  if (!seen_.contains(HashOf(sender, key))) return std::nullopt;
  LOGQUERY_ASSIGN_OR_RETURN(
      const duckdb::TextRows rows,
      duckdb::Query(connection,
                    base::StrCat("SELECT digest, outcome FROM logquery.event_keys WHERE sender = $1 AND key = $2 AND "
                                 "taken_at > ",
                                 duckdb::TimeSql(now - kKeepKeys)),
                    {sender, key}));
  if (rows.empty()) return std::nullopt;
  return EventKey{rows[0][0], rows[0][1]};
}

absl::Status EventKeys::Add(duckdb_connection connection, const std::string& sender, const std::string& key,
                            const EventKey& entry, absl::Time now) {
  // One that is too old to be known may still be there.
  LOGQUERY_RETURN_IF_ERROR(
      duckdb::Query(connection, "DELETE FROM logquery.event_keys WHERE sender = $1 AND key = $2", {sender, key})
          .status());
  seen_.insert(HashOf(sender, key));
  return duckdb::Query(
             connection,
             base::StrCat("INSERT INTO logquery.event_keys VALUES ($1, $2, $3, ", duckdb::TimeSql(now), ", $4, $5)"),
             {sender, key, entry.digest, entry.outcome, entry.project})
      .status();
}

absl::Status EventKeys::Forget(duckdb_connection connection, absl::Time now) {
  if (now < forgot_ + kForgetEvery && now >= forgot_) return absl::OkStatus();
  LOGQUERY_RETURN_IF_ERROR(duckdb::Run(connection, base::StrCat("DELETE FROM logquery.event_keys WHERE taken_at <= ",
                                                                duckdb::TimeSql(now - kKeepKeys))));
  forgot_ = now;
  filled_ = false;  // what is gone need not be kept in memory
  return absl::OkStatus();
}

absl::StatusOr<int64_t> EventKeys::Erase(duckdb_connection connection, const std::string& project, bool dry_run) {
  const std::string start = dry_run ? "SELECT count(*)" : "DELETE";
  LOGQUERY_ASSIGN_OR_RETURN(
      const duckdb::TextRows changed,
      duckdb::Query(connection, base::StrCat(start, " FROM logquery.event_keys WHERE project = $1"), {project}));
  LOGQUERY_ASSIGN_OR_RETURN(const int64_t count, duckdb::NumberIn(changed.empty() ? "" : changed[0][0]));
  if (dry_run) return count;
  LOGQUERY_ASSIGN_OR_RETURN(const duckdb::TextRows quoting,
                            duckdb::Query(connection,
                                          "SELECT sender, key, outcome FROM logquery.event_keys WHERE "
                                          "coalesce(project, '') = '' AND NOT contains(outcome, '\"rejected\":[]')"));
  for (const std::vector<std::string>& row : quoting) {
    base::SortedJson outcome = base::TryReadSortedJson(row[2]).value_or(nullptr);
    if (!outcome.is_object()) return absl::DataLossError("the books of events have an outcome that can't be read");
    outcome["rejected"] = base::SortedJson::array();
    LOGQUERY_RETURN_IF_ERROR(duckdb::Query(connection,
                                           "UPDATE logquery.event_keys SET outcome = $3 WHERE sender = $1 AND key = $2",
                                           {row[0], row[1], outcome.ToString()})
                                 .status());
  }
  return count;
}

absl::Status AddEventRows(duckdb_connection connection, const std::string& table, absl::Time now,
                          const LoadEntry& counts) {
  const std::string hour = absl::FormatTime("%Y-%m-%dT%HZ", now, absl::UTCTimeZone());
  const std::string key = base::StrCat("events ", hour);
  LOGQUERY_ASSIGN_OR_RETURN(
      const duckdb::TextRows changed,
      duckdb::Query(
          connection,
          "UPDATE logquery.loads SET row_count = row_count + $3::BIGINT, bytes = bytes + $4::BIGINT, "
          "rejected_rows = rejected_rows + $5::BIGINT, loaded_at = now()::TIMESTAMP WHERE digest = $1 AND table_name = "
          "$2",
          {key, table, absl::StrCat(counts.rows), absl::StrCat(counts.bytes), absl::StrCat(counts.rejected_rows)}));
  if (!changed.empty() && changed[0][0] != "0") return absl::OkStatus();
  LoadEntry entry;
  entry.key = key;
  entry.name = base::StrCat("events of ", hour);
  entry.rows = counts.rows;
  entry.bytes = counts.bytes;
  entry.rejected_rows = counts.rejected_rows;
  return AddLoad(connection, table, entry);
}

}  // namespace logquery::store
