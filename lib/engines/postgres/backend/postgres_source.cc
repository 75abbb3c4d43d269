// Runs fragments on pooled connections; reads the server's tables whenever the catalog is read.
#include "lib/engines/postgres/backend/postgres_source.h"

#include <libpq-fe.h>

#include "lib/backend/circuit_breaker.h"
#include "lib/base/status_macros.h"
#include "lib/base/strings.h"
#include "lib/engines/postgres/backend/errors.h"
#include "lib/engines/postgres/backend/result_reader.h"
#include "lib/engines/postgres/dialect/postgres_dialect.h"
#include "lib/model/schema_file.h"
#include "logquery/error.h"

namespace logquery::postgres {
namespace {

using base::StrCat;

constexpr char kColumnsSql[] =
    "SELECT a.attname::text, a.atttypid::int8, format_type(a.atttypid, a.atttypmod), a.attnotnull, "
    "has_table_privilege(c.oid, 'SELECT') OR has_any_column_privilege(c.oid, 'SELECT') "
    "FROM pg_class AS c JOIN pg_namespace AS n ON n.oid = c.relnamespace "
    "JOIN pg_attribute AS a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped "
    "WHERE n.nspname = $1::text AND c.relname = $2::text AND c.relkind IN ('r', 'p', 'v', 'm', 'f') "
    "AND has_schema_privilege(n.oid, 'USAGE')";

constexpr char kProbeSql[] = "SELECT 1::int8";

// The rights that a role may have besides reading, each with a sentence about it.
constexpr char kRoleSql[] =
    "SELECT r.rolsuper, has_database_privilege(current_database(), 'CREATE'), "
    "pg_has_role('pg_read_server_files', 'MEMBER') OR pg_has_role('pg_execute_server_program', 'MEMBER') "
    "FROM pg_roles AS r WHERE r.rolname = current_user";
constexpr const char* kRoleFindings[] = {
    "the role is a superuser: it reads the server's files and writes anywhere; give logquery a role of its own",
    "the role may create schemas in the database: REVOKE CREATE ON DATABASE",
    "the role may read the server's files or run its programs: revoke pg_read_server_files and "
    "pg_execute_server_program",
};
constexpr char kWritesSql[] =
    "SELECT has_table_privilege(c.oid, 'INSERT, UPDATE, DELETE, TRUNCATE') FROM pg_class AS c "
    "JOIN pg_namespace AS n ON n.oid = c.relnamespace WHERE n.nspname = $1::text AND c.relname = $2::text";

const Schema& ColumnsSchema() {
  static const auto& schema = *new Schema{{"name", Type::String()},
                                          {"type", Type::Int64()},
                                          {"type_name", Type::String()},
                                          {"not_null", Type::Bool()},
                                          {"may_read", Type::Bool()}};
  return schema;
}

using Rows = std::vector<std::vector<Value>>;

absl::StatusOr<Rows> Ask(Connection& connection, const char* sql, const Bindings& bindings, const Schema& schema,
                         const StopEvent& stop) {
  LOGQUERY_ASSIGN_OR_RETURN(const Parameters parameters, Parameters::Of(bindings));
  CollectingSink sink;
  ResultReader reader(schema, &sink);
  LOGQUERY_RETURN_IF_ERROR(
      connection.Run(sql, parameters, stop, [&](const pg_result* row) { return reader.Add(*row); }));
  LOGQUERY_RETURN_IF_ERROR(reader.Flush());
  return sink.rows();
}

Bindings NamesOf(const PostgresTable& mapping) { return {Value::String(mapping.schema), Value::String(mapping.table)}; }

// Returns what a caller may be told about a failed connection: the caller of a query is not an operator.
absl::Status ForCallers(const absl::Status& status) {
  if (absl::IsFailedPrecondition(status)) return absl::InternalError(status.message());
  const bool is_busy = GetErrorDetails(status).reason == backend::kBusyReason;  // the message is ours
  return absl::IsUnavailable(status) && !is_busy ? LostConnection() : status;
}

}  // namespace

const emit::SqlDialect& PostgresSource::dialect() const { return emit::PostgresSql(); }

absl::StatusOr<ServerTable> PostgresSource::ReadTable(Connection& connection, const PostgresTable& mapping,
                                                      const StopEvent& stop) {
  LOGQUERY_ASSIGN_OR_RETURN(const Rows rows, Ask(connection, kColumnsSql, NamesOf(mapping), ColumnsSchema(), stop));
  ServerTable table;
  table.exists = !rows.empty();
  for (const std::vector<Value>& row : rows) {
    table.may_read = row[4].bool_value();
    table.columns[row[0].string_value()] = {static_cast<uint32_t>(row[1].int64_value()), row[2].string_value(),
                                            row[3].bool_value()};
  }
  return table;
}

absl::StatusOr<Catalog> PostgresSource::ReadCatalog() {
  const StopEvent never{CancellationToken()};
  LOGQUERY_ASSIGN_OR_RETURN(const ConnectionPool::Lease connection, pool_.Take(never));
  std::vector<Table> tables;
  std::vector<std::string> problems;
  for (const PostgresTable& mapping : options_.tables) {
    LOGQUERY_ASSIGN_OR_RETURN(const ServerTable server, ReadTable(*connection, mapping, never));
    tables.push_back(MapTable(*declared_.Find(mapping.name), mapping, server, problems));
  }
  if (!problems.empty()) {
    return absl::FailedPreconditionError(
        StrCat("PostgreSQL does not have what the schema declares: ", base::Join(problems, "; ")));
  }
  const uint64_t revision = model::Fingerprint(tables);
  return Catalog(std::move(tables), revision);
}

absl::Status PostgresSource::Run(const QueryFragment& fragment, const Bindings& bindings,
                                 const CancellationToken& cancellation, BatchSink& sink) {
  LOGQUERY_ASSIGN_OR_RETURN(const Parameters parameters, Parameters::Of(bindings));
  const StopEvent stop(cancellation);
  for (bool again = false;; again = true) {
    absl::StatusOr<ConnectionPool::Lease> connection = pool_.Take(stop);
    if (!connection.ok()) return ForCallers(connection.status());
    ResultReader reader(fragment.schema, &sink);
    absl::Status status =
        (*connection)->Run(fragment.text, parameters, stop, [&](const pg_result* row) { return reader.Add(*row); });
    if (status.ok()) return reader.Flush();
    // The failure may be due to stale state of a kept connection, so another one decides.
    const bool is_leftover = (absl::IsUnavailable(status) && !connection->is_new()) || (*connection)->was_stale();
    if (again || !is_leftover || reader.has_rows()) return status;
    if (absl::IsUnavailable(status)) pool_.CloseIdle();
  }
}

absl::Status PostgresSource::Probe(const CancellationToken& cancellation) {
  const StopEvent stop(cancellation);
  const auto no_rows = [](const pg_result*) { return absl::OkStatus(); };
  absl::MutexLock lock(&probe_mutex_);
  if (probe_ != nullptr && probe_->IsUsable()) {
    const absl::Status answered = probe_->Run(kProbeSql, Parameters(), stop, no_rows);
    if (answered.ok()) return answered;
    // The connection may be left from before the server restarted: a new one tells.
  }
  probe_ = nullptr;
  if (stop.IsSet()) return absl::CancelledError("the question was given up");
  LOGQUERY_ASSIGN_OR_RETURN(probe_, Connection::Open(options_, stop));
  return probe_->Run(kProbeSql, Parameters(), stop, no_rows);
}

absl::StatusOr<std::vector<std::string>> PostgresSource::CheckRole() {
  const StopEvent never{CancellationToken()};
  LOGQUERY_ASSIGN_OR_RETURN(const ConnectionPool::Lease connection, pool_.Take(never));
  std::vector<std::string> findings;
  const Schema role = {{"super", Type::Bool()}, {"creates", Type::Bool()}, {"files", Type::Bool()}};
  LOGQUERY_ASSIGN_OR_RETURN(const Rows rows, Ask(*connection, kRoleSql, {}, role, never));
  if (rows.empty()) return absl::InternalError("PostgreSQL does not know the role of this session");
  for (size_t i = 0; i < role.size(); ++i) {
    if (rows[0][i].bool_value()) findings.emplace_back(kRoleFindings[i]);
  }
  for (const PostgresTable& mapping : options_.tables) {
    LOGQUERY_ASSIGN_OR_RETURN(const Rows writes,
                              Ask(*connection, kWritesSql, NamesOf(mapping), {{"writes", Type::Bool()}}, never));
    if (writes.empty() || !writes[0][0].bool_value()) continue;
    findings.push_back(StrCat("the role may write to ", mapping.schema, ".", mapping.table, ": give it SELECT alone"));
  }
  return findings;
}

}  // namespace logquery::postgres
