// Keeps one record for each project of a table, and two for the table itself.
//
// A project without a record has had no rows since the last change of every project. So forgetting an erased project
// leaves its state as it was before its first row, and does not keep its name.
#include "lib/store/tables/change_books.h"

#include <sys/random.h>

#include <algorithm>
#include <cerrno>

#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"
#include "lib/base/status_macros.h"
#include "lib/engines/duckdb/backend/engine_types.h"
#include "lib/engines/duckdb/backend/small_query.h"
#include "lib/store/rows/input_file.h"
#include "lib/store/tables/table_layout.h"

namespace logquery::store {
namespace {

absl::StatusOr<std::string> MakeStamp() {
  char random[16];
  if (getrandom(random, sizeof(random), 0) != sizeof(random)) return ErrnoStatus(errno, "random bytes");
  return absl::BytesToHexString(absl::string_view(random, sizeof(random)));
}

// "'a'), ('b'": the names as a list whose items `between` separates.
std::string NamesSql(const base::StringMap<int64_t>& names, std::string_view between) {
  std::string sql;
  for (const auto& [name, earliest] : names) {
    base::StrAppend(&sql, sql.empty() ? "" : between, duckdb::QuoteText(name));
  }
  return sql;
}

absl::StatusOr<int64_t> NumberOf(duckdb_connection connection, const std::string& table, const std::string& kind) {
  LOGQUERY_ASSIGN_OR_RETURN(
      const duckdb::TextRows rows,
      duckdb::Query(connection, "SELECT number FROM logquery.changes WHERE table_name = $1 AND kind = $2",
                    {table, kind}));
  if (rows.size() == 1) return duckdb::NumberIn(rows[0][0]);
  return absl::DataLossError(base::StrCat("the books of changes have ", rows.size(), " records of ", table));
}

// Changes the records that there are. Returns their number.
absl::StatusOr<int64_t> UpdateRecords(duckdb_connection connection, const std::string& table, const RowChange& change,
                                      const ChangeNumber& now) {
  std::string which = "kind = 'table'";
  if (change.every()) which += " OR kind = 'every'";
  if (!change.projects().empty()) {
    base::StrAppend(&which, " OR (kind = 'project' AND project IN (", NamesSql(change.projects(), ", "), "))");
  }
  LOGQUERY_ASSIGN_OR_RETURN(
      const duckdb::TextRows changed,
      duckdb::Query(connection,
                    base::StrCat("UPDATE logquery.changes SET number = $2::BIGINT, stamp = $3 WHERE table_name = $1"
                                 " AND (",
                                 which, ")"),
                    {table, absl::StrCat(now.number), now.stamp}));
  return duckdb::NumberIn(changed.empty() ? "" : changed[0][0]);
}

}  // namespace

void RowChange::AddOther(std::string_view project, int64_t time) {
  any_ = true;
  earliest_ = std::min(earliest_, time);
  if (every_) return;
  const auto known = projects_.find(project);
  if (known == projects_.end()) {
    const bool is_name = project.size() <= kMaxProjectBytes && project.find('\0') == project.npos;
    if (!is_name || projects_.size() >= kMaxProjects) return AddEvery(time);
  }
  int64_t& earliest = known == projects_.end() ? projects_.emplace(project, time).first->second : known->second;
  earliest = std::min(earliest, time);
  last_.emplace(project);
  last_earliest_ = earliest;
}

void RowChange::AddUnowned(int64_t time) {
  any_ = true;
  earliest_ = std::min(earliest_, time);
}

void RowChange::AddEvery(int64_t time) {
  any_ = every_ = true;
  earliest_ = std::min(earliest_, time);
  projects_.clear();
  last_.reset();
}

void RowChange::Merge(const RowChange& other) {
  any_ = any_ || other.any_;
  earliest_ = std::min(earliest_, other.earliest_);
  if (other.every_) return AddEvery(other.earliest_);
  for (const auto& [project, time] : other.projects_) AddOther(project, time);
}

bool RowChange::IsOf(const std::optional<std::string>& project) const {
  return any_ && (!project.has_value() || every_ || projects_.contains(*project));
}

std::optional<int64_t> RowChange::EarliestOf(const std::optional<std::string>& project) const {
  if (!IsOf(project)) return std::nullopt;
  if (!project.has_value() || every_) return earliest_;
  return projects_.find(*project)->second;
}

absl::Status EnsureChangeBooks(duckdb_connection connection, const std::string& table, bool has_rows) {
  LOGQUERY_ASSIGN_OR_RETURN(
      const duckdb::TextRows there,
      duckdb::Query(connection, "SELECT 1 FROM logquery.changes WHERE table_name = $1 LIMIT 1", {table}));
  if (!there.empty()) return absl::OkStatus();
  LOGQUERY_ASSIGN_OR_RETURN(const std::string stamp, MakeStamp());
  return duckdb::Query(connection,
                       "INSERT INTO logquery.changes SELECT $1::VARCHAR, kind, NULL, $2::BIGINT, $3::VARCHAR FROM "
                       "(VALUES ('table'),"
                       " ('every')) AS kinds(kind)",
                       {table, has_rows ? "1" : "0", stamp})
      .status();
}

absl::StatusOr<BookedChange> BookChange(duckdb_connection connection, const std::string& table,
                                        const RowChange& change) {
  BookedChange booked{table, change, {}, false, nullptr};
  if (change.empty()) return booked;
  ChangeNumber& now = booked.number;
  LOGQUERY_ASSIGN_OR_RETURN(now.number, NumberOf(connection, table, "table"));
  ++now.number;
  LOGQUERY_ASSIGN_OR_RETURN(now.stamp, MakeStamp());
  LOGQUERY_ASSIGN_OR_RETURN(const int64_t updated, UpdateRecords(connection, table, change, now));
  const size_t wanted = 1 + (change.every() ? 1 : 0) + change.projects().size();
  if (static_cast<size_t>(updated) == wanted) return booked;
  const absl::StatusOr<duckdb::TextRows> added = duckdb::Query(
      connection,
      base::StrCat("INSERT INTO logquery.changes SELECT $1::VARCHAR, 'project', name, $2::BIGINT, $3::VARCHAR FROM"
                   " (VALUES (",
                   NamesSql(change.projects(), "), ("),
                   ")) AS changed(name) WHERE name NOT IN (SELECT project FROM logquery.changes WHERE"
                   " table_name = $1 AND kind = 'project')"),
      {table, absl::StrCat(now.number), now.stamp});
  LOGQUERY_RETURN_IF_ERROR(added.status());
  return booked;
}

absl::Status ForgetProject(duckdb_connection connection, const std::string& table, const std::string& project,
                           int64_t rows) {
  LOGQUERY_ASSIGN_OR_RETURN(
      const duckdb::TextRows forgotten,
      duckdb::Query(connection,
                    "DELETE FROM logquery.changes WHERE table_name = $1 AND kind = 'project' AND project = $2",
                    {table, project}));
  LOGQUERY_ASSIGN_OR_RETURN(const int64_t records, duckdb::NumberIn(forgotten.empty() ? "" : forgotten[0][0]));
  LOGQUERY_ASSIGN_OR_RETURN(const int64_t every, NumberOf(connection, table, "every"));
  if (records == 0 && rows == 0) return absl::OkStatus();
  RowChange change;
  change.AddUnowned();
  // The project's state must not become one that it had with rows.
  if (every > 0) change.AddEvery();
  return BookChange(connection, table, change).status();
}

absl::StatusOr<RowChange> ProjectsWhere(duckdb_connection connection, const Table& table,
                                        const std::string& condition) {
  RowChange change;
  const std::string project = table.project_path.empty() ? "NULL::VARCHAR" : ProjectSql(table);
  LOGQUERY_ASSIGN_OR_RETURN(
      const duckdb::TextRows rows,
      duckdb::Query(connection, base::StrCat("SELECT DISTINCT p IS NULL, contains(p, chr(0)), p FROM (SELECT ", project,
                                             " AS p FROM ", duckdb::QuoteName(table.name), " WHERE ", condition,
                                             ") LIMIT ", absl::StrCat(RowChange::kMaxProjects + 2))));
  for (const std::vector<std::string>& row : rows) {
    if (row[0] == "true") {
      change.AddUnowned();
    } else if (row[1] == "true") {
      change.AddEvery();  // the text ends at the first NUL
    } else {
      change.Add(row[2]);
    }
  }
  return change;
}

absl::StatusOr<std::optional<ChangeNumber>> FindChange(duckdb_connection connection, const std::string& table,
                                                       const std::optional<std::string>& project) {
  const std::string which =
      project.has_value() ? "(kind = 'every' OR (kind = 'project' AND project = $2))" : "kind = 'table'";
  std::vector<std::string> texts = {table};
  if (project.has_value()) texts.push_back(*project);
  LOGQUERY_ASSIGN_OR_RETURN(
      const duckdb::TextRows rows,
      duckdb::Query(connection,
                    base::StrCat("SELECT number, stamp FROM logquery.changes WHERE table_name = $1 AND ", which,
                                 " ORDER BY number DESC LIMIT 1"),
                    texts));
  if (rows.empty()) return std::nullopt;
  ChangeNumber change;
  LOGQUERY_ASSIGN_OR_RETURN(change.number, duckdb::NumberIn(rows[0][0]));
  change.stamp = rows[0][1];
  return change;
}

absl::StatusOr<std::vector<std::string>> TablesOfProject(duckdb_connection connection, const std::string& project) {
  LOGQUERY_ASSIGN_OR_RETURN(
      const duckdb::TextRows rows,
      duckdb::Query(connection,
                    "SELECT table_name FROM logquery.changes WHERE kind = 'project' AND project = $1 ORDER BY ALL",
                    {project}));
  std::vector<std::string> tables;
  for (const std::vector<std::string>& row : rows) tables.push_back(row[0]);
  return tables;
}

}  // namespace logquery::store
