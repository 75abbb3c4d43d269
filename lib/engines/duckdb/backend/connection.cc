// Caches a connection's prepared statements, and stops its executions.
#include "lib/engines/duckdb/backend/connection.h"

#include <cstdio>
#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "lib/engines/duckdb/backend/errors.h"

namespace logquery::duckdb {
namespace {

constexpr std::string_view kExplain = "EXPLAIN ";

// Since DuckDB 1.5 (PreparedStatement::CanCachePlan) a statement with parameters that reads tables keeps no plan: each execution
// makes one, with the parameters' values. One that reads no table depends on no rows.
bool PlansWithValues() {
  static const bool plans = [] {
    int major = 0, minor = 0;
    return std::sscanf(duckdb_library_version(), "v%d.%d", &major, &minor) == 2 && (major > 1 || minor >= 5);
  }();
  return plans;
}

bool IsSelect(duckdb_prepared_statement statement) {
  return duckdb_prepared_statement_type(statement) == DUCKDB_STATEMENT_TYPE_SELECT;
}

// EXPLAIN runs nothing, EXPLAIN ANALYZE does: what follows the first word has to be a SELECT by itself.
bool IsExplainedSelect(duckdb_connection connection, duckdb_prepared_statement statement, const std::string& sql) {
  if (duckdb_prepared_statement_type(statement) != DUCKDB_STATEMENT_TYPE_EXPLAIN) return false;
  if (!std::string_view(sql).starts_with(kExplain)) return false;
  StatementHandle explained;
  return duckdb_prepare(connection, sql.c_str() + kExplain.size(), explained.out()) == DuckDBSuccess &&
         IsSelect(explained.get());
}

}  // namespace

absl::Status StoppedStatus(StopReason reason, absl::Duration time_limit) {
  switch (reason) {
    case StopReason::kNone:
      return absl::OkStatus();
    case StopReason::kCancelled:
      return absl::CancelledError("the query was cancelled");
    case StopReason::kDeadline:
      break;
  }
  return ResourcesExceeded(absl::DeadlineExceededError(
      absl::StrCat("the query took longer than it may, ", absl::FormatDuration(time_limit))));
}

duckdb_prepared_statement Connection::FindPrepared(const std::string& sql, const DataVersion::Stamp& stamp) {
  const auto found = by_sql_.find(sql);
  if (found == by_sql_.end() || !stamp.settled) return nullptr;
  if (!found->second->is_planned_anew && !(found->second->stamp == stamp)) return nullptr;
  statements_.splice(statements_.begin(), statements_, found->second);
  return statements_.front().statement.get();
}

absl::StatusOr<duckdb_prepared_statement> Connection::Prepare(const std::string& sql, const DataVersion::Stamp& stamp) {
  if (const auto old = by_sql_.find(sql); old != by_sql_.end()) {
    const Statements::iterator entry = old->second;
    by_sql_.erase(old);
    statements_.erase(entry);
  }
  StatementHandle statement;
  if (duckdb_prepare(raw(), sql.c_str(), statement.out()) != DuckDBSuccess) {
    const char* error = duckdb_prepare_error(statement.get());
    return ErrorFromDuckDb(error == nullptr ? "DuckDB did not prepare the statement" : error);
  }
  // Reading is all that a query may do, whatever its text.
  if (!IsSelect(statement.get()) && !IsExplainedSelect(raw(), statement.get(), sql)) {
    return absl::InternalError("the query's text is no SELECT");
  }
  if (statements_.size() == kMaxStatements) {
    by_sql_.erase(statements_.back().sql);
    statements_.pop_back();
  }
  const bool has_parameters = duckdb_nparams(statement.get()) > 0;
  statements_.push_front({sql, stamp, std::move(statement), has_parameters && PlansWithValues()});
  by_sql_.emplace(statements_.front().sql, statements_.begin());
  return statements_.front().statement.get();
}

uint64_t Connection::Begin(SourceRun* sources) {
  absl::MutexLock lock(&mutex_);
  reason_ = StopReason::kNone;
  state_->stop = false;
  state_->made_bytes = 0;
  ++state_->execution;
  state_->source_run = sources;
  return ++generation_;
}

void Connection::End() {
  absl::MutexLock lock(&mutex_);
  state_->source_run = nullptr;
  ++generation_;
}

void Connection::Stop(uint64_t generation, StopReason reason) {
  absl::MutexLock lock(&mutex_);
  if (generation != generation_ || reason_ != StopReason::kNone) return;
  reason_ = reason;
  state_->stop = true;
  duckdb_interrupt(raw());
}

StopReason Connection::stop_reason() const {
  absl::MutexLock lock(&mutex_);
  return reason_;
}

}  // namespace logquery::duckdb
