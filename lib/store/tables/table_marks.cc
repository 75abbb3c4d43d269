// Takes marks from the books of changes, and keeps the folder's secret in a table of its own.
#include "lib/store/tables/table_marks.h"

#include <sys/random.h>

#include <cerrno>
#include <charconv>
#include <utility>

#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"
#include "lib/base/status_macros.h"
#include "lib/engines/duckdb/backend/database.h"
#include "lib/engines/duckdb/backend/small_query.h"
#include "lib/store/rows/input_file.h"
#include "lib/store/tables/books.h"
#include "lib/store/tables/change_books.h"
#include "logquery/clock.h"

namespace logquery::store {
namespace {

constexpr char kMakeKeys[] = "CREATE TABLE IF NOT EXISTS logquery.keys(purpose VARCHAR, key VARCHAR)";
constexpr char kReceiptKey[] = "SELECT key FROM logquery.keys WHERE purpose = 'receipts'";

std::string MarkOf(const ChangeNumber& change) { return absl::StrCat(change.number, "-", change.stamp); }

}  // namespace

absl::Status EnsureReceiptKey(duckdb_connection connection) {
  LOGQUERY_RETURN_IF_ERROR(duckdb::Run(connection, kMakeKeys));
  LOGQUERY_ASSIGN_OR_RETURN(const duckdb::TextRows rows, duckdb::Query(connection, kReceiptKey));
  if (!rows.empty()) return absl::OkStatus();
  char random[32];
  if (getrandom(random, sizeof(random), 0) != sizeof(random)) return ErrnoStatus(errno, "random bytes");
  const std::string key = absl::BytesToHexString(absl::string_view(random, sizeof(random)));
  return duckdb::Query(connection, "INSERT INTO logquery.keys VALUES ('receipts', $1)", {key}).status();
}

absl::StatusOr<std::string> ReadReceiptKey(duckdb_connection connection) {
  LOGQUERY_ASSIGN_OR_RETURN(const bool books, HasBooks(connection, "keys"));
  if (!books) return std::string();
  LOGQUERY_ASSIGN_OR_RETURN(const duckdb::TextRows rows, duckdb::Query(connection, kReceiptKey));
  return rows.empty() ? std::string() : rows[0][0];
}

absl::StatusOr<std::vector<TableMark>> ReadMarks(duckdb_connection connection, const std::vector<Table>& tables,
                                                 const std::optional<std::string>& project) {
  std::vector<TableMark> marks;
  for (const Table& table : tables) {
    LOGQUERY_ASSIGN_OR_RETURN(const std::optional<ChangeNumber> change, FindChange(connection, table.name, project));
    marks.push_back({table.name, change ? MarkOf(*change) : std::string()});
  }
  return marks;
}

void TableMarksCache::Announce(const BookedChange& change) {
  if (change.rows.empty()) return;
  const absl::Duration now = Clock::Real()->Monotonic();
  absl::MutexLock lock(&mutex_);
  RecentChanges& recent = recent_[change.table];
  if (!recent.IsAskedFor(now)) recent.DropRows(0);
  recent.Add(change);
}

void TableMarksCache::DropRows() {
  absl::MutexLock lock(&mutex_);
  for (auto& [table, recent] : recent_) recent.DropRows(0);
}

void TableMarksCache::Failed(const BookedChange& change) {
  if (change.rows.empty()) return;
  absl::MutexLock lock(&mutex_);
  recent_[change.table].Failed();
}

int64_t TableMarksCache::Completed(const std::string& table) {
  absl::MutexLock lock(&mutex_);
  const auto recent = recent_.find(table);
  return recent == recent_.end() ? 0 : recent->second.completed();
}

std::optional<int64_t> TableMarksCache::EarliestAfter(const RowsOfTable& rows, int64_t number) {
  absl::MutexLock lock(&mutex_);
  const auto recent = recent_.find(rows.table);
  return recent == recent_.end() ? std::nullopt : recent->second.EarliestAfter(rows.project, number);
}

std::optional<RecentChanges::Rows> TableMarksCache::RowsBetween(const RowsOfTable& rows, int64_t after, int64_t last) {
  const absl::Duration now = Clock::Real()->Monotonic();
  absl::MutexLock lock(&mutex_);
  RecentChanges& recent = recent_[rows.table];
  recent.Ask(now);
  return recent.RowsBetween(rows.project, after, last);
}

bool TableMarksCache::IsAskedFor(const std::string& table) {
  const absl::Duration now = Clock::Real()->Monotonic();
  absl::MutexLock lock(&mutex_);
  const auto recent = recent_.find(table);
  return recent != recent_.end() && recent->second.IsAskedFor(now);
}

int64_t NumberOfMark(std::string_view mark) {
  int64_t number = 0;
  std::from_chars(mark.data(), mark.data() + mark.size(), number);
  return number;
}

std::optional<std::vector<TableMark>> TableMarksCache::Find(const std::vector<Table>& tables,
                                                            const std::optional<std::string>& project,
                                                            const duckdb::DataVersion::Stamp& stamp) {
  if (tables.empty()) return std::vector<TableMark>();
  absl::MutexLock lock(&mutex_);
  if (!(stamp_ == stamp)) return std::nullopt;
  std::vector<TableMark> marks;
  for (const Table& table : tables) {
    const auto kept = kept_.find({project, table.name});
    if (kept == kept_.end()) return std::nullopt;
    marks.push_back({table.name, kept->second});
  }
  return marks;
}

void TableMarksCache::Keep(const std::vector<TableMark>& marks, const std::optional<std::string>& project,
                           const duckdb::DataVersion::Stamp& stamp) {
  absl::MutexLock lock(&mutex_);
  if (stamp.version < stamp_.version) return;  // somebody has seen a later state
  // Callers name projects, so their number needs a bound.
  const bool too_long = project.has_value() && project->size() > RowChange::kMaxProjectBytes;
  if (!(stamp_ == stamp) || kept_.size() + marks.size() > kMaxMarks) kept_.clear();
  stamp_ = stamp;
  if (too_long || marks.size() > kMaxMarks) return;
  for (const TableMark& mark : marks) kept_.insert_or_assign({project, mark.table}, mark.mark);
}

void TableMarksCache::Follow(const BookedChange& change, const duckdb::DataVersion::Stamp& before,
                             const duckdb::DataVersion::Stamp& after) {
  absl::MutexLock lock(&mutex_);
  if (!change.rows.empty()) recent_[change.table].Completed();
  if (!before.settled || !after.settled || after.version != before.version + 1 || !(stamp_ == before)) return;
  stamp_ = after;
  if (change.rows.empty()) return;
  for (auto& [rows, mark] : kept_) {
    const auto& [project, table] = rows;
    if (table != change.table) continue;
    if (change.rows.IsOf(project)) mark = MarkOf(change.number);
  }
}

namespace {

std::optional<std::string> FindMark(TableMarksCache& cache, const RowsOfTable& rows,
                                    const duckdb::DataVersion::Stamp& stamp) {
  Table table;
  table.name = rows.table;
  std::optional<std::vector<TableMark>> found = cache.Find({table}, rows.project, stamp);
  if (!found) return std::nullopt;
  return std::move((*found)[0].mark);
}

// Reads in the connection's open transaction.
absl::StatusOr<std::string> ReadMark(duckdb_connection connection, const RowsOfTable& rows) {
  Table table;
  table.name = rows.table;
  LOGQUERY_ASSIGN_OR_RETURN(std::vector<TableMark> marks, ReadMarks(connection, {table}, rows.project));
  return std::move(marks[0].mark);
}

absl::StatusOr<std::vector<std::string>> ReadAll(duckdb_connection connection, const std::vector<RowsOfTable>& rows) {
  LOGQUERY_ASSIGN_OR_RETURN(duckdb::Transaction transaction, duckdb::Transaction::Begin(connection));
  std::vector<std::string> marks;
  for (const RowsOfTable& each : rows) {
    LOGQUERY_ASSIGN_OR_RETURN(marks.emplace_back(), ReadMark(connection, each));
  }
  LOGQUERY_RETURN_IF_ERROR(transaction.Commit());
  return marks;
}

}  // namespace

std::vector<std::string> CurrentMarks(duckdb::ConnectionPool& pool, TableMarksCache& cache,
                                      const std::vector<RowsOfTable>& rows) {
  const duckdb::DataVersion::Stamp stamp = pool.version().Read();
  std::vector<std::string> marks;
  for (const RowsOfTable& each : rows) {
    std::optional<std::string> mark = FindMark(cache, each, stamp);
    if (!mark) break;
    marks.push_back(*std::move(mark));
  }
  // The cached ones are of this state as long as nothing has changed.
  if (marks.size() == rows.size()) return marks;
  absl::StatusOr<duckdb::ConnectionPool::Lease> lease = pool.Acquire();
  if (!lease.ok()) return {};
  absl::StatusOr<std::vector<std::string>> read = ReadAll((*lease)->raw(), rows);
  if (!read.ok()) return {};
  lease->Keep();
  if (stamp.settled && pool.version().Read() == stamp) {
    for (size_t i = 0; i < rows.size(); ++i) cache.Keep({{rows[i].table, (*read)[i]}}, rows[i].project, stamp);
  }
  return *std::move(read);
}

std::vector<TableMark> TablesOfQuery::WithKey(std::vector<TableMark> marks) const {
  marks.push_back({"", key_});
  return marks;
}

std::optional<std::vector<TableMark>> TablesOfQuery::Find(const duckdb::DataVersion::Stamp& stamp) {
  std::optional<std::vector<TableMark>> marks = cache_->Find(tables_, project_, stamp);
  if (!marks) return std::nullopt;
  return WithKey(*std::move(marks));
}

absl::StatusOr<std::vector<TableMark>> TablesOfQuery::Read(duckdb_connection connection) {
  LOGQUERY_ASSIGN_OR_RETURN(std::vector<TableMark> marks, ReadMarks(connection, tables_, project_));
  return WithKey(std::move(marks));
}

}  // namespace logquery::store
