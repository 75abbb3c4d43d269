// Gives learned columns back, and reports who has how many.
#include <algorithm>
#include <cstdint>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/match.h"
#include "lib/base/status_macros.h"
#include "lib/base/strings.h"
#include "lib/engines/duckdb/backend/engine_types.h"
#include "lib/engines/duckdb/backend/small_query.h"
#include "lib/store/backend_impl.h"
#include "lib/store/learn/learned_books.h"
#include "lib/store/log_store_impl.h"
#include "lib/store/store_companion.h"
#include "lib/store/tables/live_tables.h"
#include "logquery/store/learned_fields.h"

namespace logquery::store {
namespace {

// A learned column that goes: as a whole, or for one project alone.
struct Leaving {
  const LearnedColumn* column = nullptr;
  bool freed = false;
  std::string where;  // SQL: the rows whose values go
};

bool Has(const std::vector<size_t>& columns, size_t column) {
  return std::find(columns.begin(), columns.end(), column) != columns.end();
}

class Forgetting {
 public:
  Forgetting(duckdb_connection connection, const Table& table, const LearnedTable& learned,
             const ForgetRequest& request)
      : connection_(connection), table_(table), learned_(learned), request_(request) {}

  // Chooses the given field, or without one all fields that the project's rows have taught.
  absl::Status Choose() {
    bool is_declared = false;
    for (size_t i = 0; i < learned_.columns.size(); ++i) {
      const std::string path = base::Join(learned_.columns[i].path, ".");
      const bool is_it = request_.field.empty() || path == request_.field;
      if (!is_it && !absl::StartsWith(path, request_.field + ".")) continue;
      if (Has(learned_.declared, i)) {
        is_declared = true;
        continue;
      }
      if (request_.project.has_value() && !IsOf(*request_.project, i)) continue;
      leaving_.push_back(LeavingAt(i));
    }
    if (!leaving_.empty()) return absl::OkStatus();
    const std::string name = base::StrCat(table_.name, ".", request_.field);
    if (is_declared) {
      return absl::FailedPreconditionError(
          base::StrCat(name, " is declared by a schema file, and is not learned from rows"));
    }
    const std::string whose =
        request_.project.has_value() ? base::StrCat(" of project ", *request_.project) : std::string();
    return absl::NotFoundError(
        base::StrCat("rows", whose, " have taught no field ", name, "; logquery stats --json lists what is learned"));
  }

  absl::Status Count(ForgetReport* report) const {
    for (const Leaving& leaving : leaving_) {
      LOGQUERY_ASSIGN_OR_RETURN(
          const duckdb::TextRows rows,
          duckdb::Query(connection_, base::StrCat("SELECT count(*) FROM ", duckdb::QuoteName(table_.name), " WHERE ",
                                                  leaving.where)));
      LOGQUERY_ASSIGN_OR_RETURN(const int64_t count, duckdb::NumberIn(rows.empty() ? "" : rows[0][0]));
      const LearnedColumn& column = *leaving.column;
      report->fields.push_back(
          {base::Join(column.path, "."), column.presence ? "RECORD" : column.type.ToString(), count, leaving.freed});
    }
    return absl::OkStatus();
  }

  // First the columns that go: DuckDB alters no table that the same transaction has updated.
  absl::Status Remove() const {
    for (const Leaving& leaving : leaving_) {
      if (leaving.freed) LOGQUERY_RETURN_IF_ERROR(Drop(*leaving.column));
    }
    for (const Leaving& leaving : leaving_) {
      if (!leaving.freed) LOGQUERY_RETURN_IF_ERROR(Clear(leaving));
    }
    return absl::OkStatus();
  }

 private:
  bool IsOf(const std::string& project, size_t column) const {
    const auto taught = learned_.taught.find(project);
    return taught != learned_.taught.end() && Has(taught->second, column);
  }

  Leaving LeavingAt(size_t index) const {
    Leaving leaving{&learned_.columns[index], true, {}};
    const std::string name = duckdb::QuoteName(leaving.column->column);
    leaving.where = leaving.column->presence ? name : base::StrCat(name, " IS NOT NULL");
    if (!request_.project.has_value()) return leaving;
    leaving.freed = !Has(learned_.everyones, index);
    for (const auto& [project, columns] : learned_.taught) {
      if (project != *request_.project && Has(columns, index)) leaving.freed = false;
    }
    const std::string project = ProjectSql(table_);
    base::StrAppend(&leaving.where, " AND coalesce(", project.empty() ? "NULL" : project,
                    ", '') = ", duckdb::QuoteText(*request_.project));
    return leaving;
  }

  absl::Status Drop(const LearnedColumn& column) const {
    LOGQUERY_RETURN_IF_ERROR(duckdb::Run(connection_, base::StrCat("ALTER TABLE ", duckdb::QuoteName(table_.name),
                                                                   " DROP COLUMN ", duckdb::QuoteName(column.column))));
    for (const char* books : {"learned", "learned_by"}) {
      LOGQUERY_RETURN_IF_ERROR(
          duckdb::Query(connection_,
                        base::StrCat("DELETE FROM logquery.", books, " WHERE table_name = $1 AND column_name = $2"),
                        {table_.name, column.column})
              .status());
    }
    return absl::OkStatus();
  }

  absl::Status Clear(const Leaving& leaving) const {
    const LearnedColumn& column = *leaving.column;
    LOGQUERY_RETURN_IF_ERROR(duckdb::Run(
        connection_, base::StrCat("UPDATE ", duckdb::QuoteName(table_.name), " SET ", duckdb::QuoteName(column.column),
                                  column.presence ? " = FALSE" : " = NULL", " WHERE ", leaving.where)));
    return duckdb::Query(connection_,
                         "DELETE FROM logquery.learned_by WHERE table_name = $1 AND column_name = $2 AND standing = "
                         "'taught' AND project = $3",
                         {table_.name, column.column, *request_.project})
        .status();
  }

  duckdb_connection const connection_;
  const Table& table_;
  const LearnedTable& learned_;
  const ForgetRequest& request_;
  std::vector<Leaving> leaving_;
};

}  // namespace

absl::Status LogStoreImpl::ForgetTaughtBy(const std::string& table, const std::string& project) {
  ForgetRequest request;
  request.table = table;
  request.project = project;
  const absl::Status forgot = Forget(request).status();
  return absl::IsNotFound(forgot) ? absl::OkStatus() : forgot;
}

absl::StatusOr<ForgetReport> LogStoreImpl::Forget(const ForgetRequest& request) {
  ForgetReport report;
  LOGQUERY_RETURN_IF_ERROR(FindTable(request.table).status());
  const absl::Status done = Alone([&](duckdb::Engine::State& state) -> absl::Status {
    load_mutex_.AssertHeld();
    LOGQUERY_ASSIGN_OR_RETURN(const std::shared_ptr<const TableLayout> layout, FindTable(request.table));
    LOGQUERY_ASSIGN_OR_RETURN(const duckdb::ConnectionHandle connection, state.database.Connect());
    LearnedState& learned = learned_[layout->table.name];
    const LearnedTable before = learned.learned;
    Forgetting forgetting(connection.get(), layout->table, before, request);
    LOGQUERY_RETURN_IF_ERROR(forgetting.Choose());
    LOGQUERY_RETURN_IF_ERROR(forgetting.Count(&report));
    if (request.dry_run) return absl::OkStatus();
    LOGQUERY_ASSIGN_OR_RETURN(duckdb::Transaction transaction, duckdb::Transaction::Begin(connection.get()));
    LOGQUERY_RETURN_IF_ERROR(forgetting.Remove());
    LOGQUERY_ASSIGN_OR_RETURN(auto now, ReadLearned(connection.get()));
    LearnedTable& left = now[layout->table.name];
    std::vector<LiveTable> changed;
    changed.push_back(MakeLiveTable(layout->table, left));
    LOGQUERY_RETURN_IF_ERROR(tables_->PutWith(std::move(changed), [&] {
      StoreCompanion::Of(state).marks.DropRows();
      const duckdb::DataVersion::Change changing(&state.database.version(), duckdb::DataVersion::Kind::kMoves);
      return transaction.Commit();
    }));
    learned = LearnedState();
    learned.learned = std::move(left);
    return absl::OkStatus();
  });
  LOGQUERY_RETURN_IF_ERROR(done);
  return report;
}

std::vector<LearnedLog> LiveTables::ReadLearned() const {
  std::vector<LearnedLog> logs;
  absl::MutexLock lock(&mutex_);
  for (const LiveTable& live : tables_) {
    if (live.parts == nullptr) continue;
    const LearnedTable& learned = live.parts->learned;
    LearnedLog& log = logs.emplace_back();
    log.table = live.table.name;
    log.log = live.table.log;
    log.columns = static_cast<int64_t>(learned.counted());
    log.max_columns = kMaxLearnedColumns;
    for (const auto& [project, columns] : learned.taught) {
      const size_t share = LearnedShareOf(live.table, project);
      log.projects.push_back({project, static_cast<int64_t>(columns.size()), static_cast<int64_t>(share)});
    }
    for (const auto& [token, lessons] : learned.lessons) {
      std::set<size_t> columns;
      for (const LearnedTable::Lesson& lesson : lessons) columns.insert(lesson.column);
      log.tokens.push_back({token, static_cast<int64_t>(columns.size()), kMaxLearnedOfToken});
    }
  }
  return logs;
}

}  // namespace logquery::store

namespace logquery {

absl::StatusOr<std::vector<LearnedLog>> ReadLearnedLogs(DuckDbBackend& backend) {
  return static_cast<store::DuckDbBackendImpl&>(backend).tables().ReadLearned();
}

int64_t CountMisfits(DuckDbBackend& backend) {
  const store::LogStoreImpl* const writer = static_cast<store::DuckDbBackendImpl&>(backend).writer();
  return writer == nullptr ? 0 : writer->misfits();
}

absl::StatusOr<ForgetReport> ForgetFields(DuckDbBackend& backend, const ForgetRequest& request) {
  store::LogStoreImpl* const writer = static_cast<store::DuckDbBackendImpl&>(backend).writer();
  if (writer == nullptr) return absl::FailedPreconditionError("the folder is open for reading only");
  if (request.field.empty()) return absl::InvalidArgumentError("the field to forget must not be empty");
  return writer->Forget(request);
}

}  // namespace logquery
