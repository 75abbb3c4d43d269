// Reads the servers' tables, settings and grants whenever the catalog is read.
#include "lib/engines/clickhouse/backend/clickhouse_source.h"

#include <set>

#include "lib/base/status_macros.h"
#include "lib/base/strings.h"
#include "lib/engines/clickhouse/backend/errors.h"
#include "lib/engines/clickhouse/backend/settings.h"
#include "lib/engines/clickhouse/dialect/clickhouse_dialect.h"
#include "lib/model/all_logs.h"
#include "lib/model/schema_file.h"

namespace logquery::clickhouse {
namespace {

using base::StrCat;

constexpr char kSettingsSql[] = "SELECT name FROM system.settings";
constexpr char kGrantsSql[] = "SHOW GRANTS FINAL";
constexpr char kColumnsSql[] =
    "SELECT name, type FROM system.columns WHERE database = {p1:Nullable(String)} AND table = {p2:Nullable(String)}";

absl::Status ForOperators(const Server::Result& result) {
  if (result.status.ok()) return result.status;
  const int code = result.code.value_or(0);
  if (IsRefusal(code)) {
    return absl::FailedPreconditionError(StrCat("ClickHouse refuses the user: ", result.words));
  }
  if (code == kReadonly || code == kUnknownSetting || code == kSettingConstraintViolation) {
    return absl::FailedPreconditionError(StrCat(
        "ClickHouse refuses a setting that the answers count on; the user's profile may have readonly 0 or 2, not "
        "1, and no constraints on it: ",
        result.words));
  }
  if (code == kUnknownDatabase) {
    return absl::FailedPreconditionError(StrCat("ClickHouse has no such database: ", result.words));
  }
  if (result.is_tls) {
    return absl::FailedPreconditionError(StrCat("ClickHouse's certificate is not trusted: ", result.words));
  }
  if (absl::IsUnavailable(result.status)) {
    return absl::UnavailableError(StrCat("ClickHouse can't be reached: ", result.words));
  }
  return result.status;
}

// The rows of all logs are shown as they are, and ClickHouse SQL has no NULL in them.
void AddNullable(const Table& otel, const ClickHouseTable& mapping, const ServerColumns& columns,
                 std::vector<std::string>& problems) {
  for (const Field& column : otel.columns) {
    const auto renamed = mapping.columns.find(column.name);
    const std::string& name = renamed == mapping.columns.end() ? column.name : renamed->second;
    const auto found = columns.find(name);
    if (found == columns.end() || !found->second.is_nullable()) continue;
    problems.push_back(StrCat("the server's table ", mapping.database, ".", mapping.table, " has the column ", name,
                              " of type ", found->second.text, "; a table of the layout otel has no Nullable columns"));
  }
}

}  // namespace

const emit::SqlDialect& ClickHouseSource::dialect() const { return emit::ClickHouseSql(); }

absl::StatusOr<ClickHouseSource::Rows> ClickHouseSource::Ask(const std::string& text, const Bindings& bindings,
                                                             const Schema& schema) {
  CollectingSink sink;
  LOGQUERY_RETURN_IF_ERROR(ForOperators(server_.Run({text, bindings, schema}, CancellationToken(), sink)));
  return sink.rows();
}

absl::Status ClickHouseSource::Connect() {
  LOGQUERY_ASSIGN_OR_RETURN(const Rows rows, Ask(kSettingsSql, {}, {{"name", Type::String()}}));
  std::set<std::string> known;
  for (const std::vector<Value>& row : rows) known.insert(row[0].string_value());
  LOGQUERY_ASSIGN_OR_RETURN(std::string settings, SettingsInUrl(options_, known));
  server_.SetSettings(std::move(settings));
  return absl::OkStatus();
}

absl::StatusOr<Grants> ClickHouseSource::ReadGrants() {
  LOGQUERY_ASSIGN_OR_RETURN(const Rows rows, Ask(kGrantsSql, {}, {{"grants", Type::String()}}));
  Grants grants;
  for (const std::vector<Value>& row : rows) AddGrants(row[0].string_value(), grants);
  return grants;
}

absl::StatusOr<ServerColumns> ClickHouseSource::ReadColumns(const ClickHouseTable& mapping) {
  LOGQUERY_ASSIGN_OR_RETURN(const Rows rows,
                            Ask(kColumnsSql, {Value::String(mapping.database), Value::String(mapping.table)},
                                {{"name", Type::String()}, {"type", Type::String()}}));
  ServerColumns columns;
  for (const std::vector<Value>& row : rows) {
    const absl::StatusOr<WireType> type = ParseWireType(row[1].string_value());
    if (!type.ok()) return absl::FailedPreconditionError(type.status().message());
    columns[row[0].string_value()] = *type;
  }
  return columns;
}

absl::Status ClickHouseSource::CheckReads(const Table& table, const ClickHouseTable& mapping,
                                          std::vector<std::string>& problems) {
  CollectingSink sink;
  const Server::Result result =
      server_.Run({StrCat("SELECT * FROM ", table.storage_name, " AS t1 LIMIT 0"), {}, {}}, CancellationToken(), sink);
  if (result.code != kAccessDenied) return ForOperators(result);
  problems.push_back(StrCat("the server's table ", mapping.database, ".", mapping.table, " for ", table.name,
                            " may not be read by this user: GRANT SELECT on it"));
  return absl::OkStatus();
}

absl::StatusOr<Catalog> ClickHouseSource::ReadCatalog() {
  LOGQUERY_RETURN_IF_ERROR(Connect());
  if (!options_.allow_sources) {
    LOGQUERY_ASSIGN_OR_RETURN(const Grants grants, ReadGrants());
    if (!grants.sources.empty()) {
      return absl::FailedPreconditionError(
          StrCat("the user ", options_.user, " may read from elsewhere through ClickHouse, which readonly does not ",
                 "prevent: revoke ", base::Join(grants.sources, ", "), ", or set allow_sources"));
    }
  }
  std::vector<Table> tables;
  std::vector<std::string> problems;
  for (const ClickHouseTable& each : options_.tables) {
    ClickHouseTable mapping = each;
    if (mapping.database.empty()) mapping.database = options_.database;
    LOGQUERY_ASSIGN_OR_RETURN(const ServerColumns columns, ReadColumns(mapping));
    const size_t before = problems.size();
    const Table otel = model::AllLogsTable(mapping.name);
    tables.push_back(
        MapTable(mapping.layout.empty() ? *declared_.Find(mapping.name) : otel, mapping, columns, problems));
    if (!mapping.layout.empty()) AddNullable(otel, mapping, columns, problems);
    if (problems.size() == before) LOGQUERY_RETURN_IF_ERROR(CheckReads(tables.back(), mapping, problems));
  }
  if (!problems.empty()) {
    return absl::FailedPreconditionError(
        StrCat("ClickHouse does not have what the schema declares: ", base::Join(problems, "; ")));
  }
  const uint64_t revision = model::Fingerprint(tables);
  return Catalog(std::move(tables), revision);
}

absl::Status ClickHouseSource::Run(const QueryFragment& fragment, const Bindings& bindings,
                                   const CancellationToken& cancellation, BatchSink& sink) {
  return RunForCall(fragment, bindings, FragmentCall(), cancellation, sink);
}

absl::Status ClickHouseSource::RunForCall(const QueryFragment& fragment, const Bindings& bindings,
                                          const FragmentCall& call, const CancellationToken& cancellation,
                                          BatchSink& sink) {
  return server_.Run({fragment.text, bindings, fragment.schema, call.tags}, cancellation, sink).status;
}

absl::Status ClickHouseSource::Probe(const CancellationToken& cancellation) { return server_.Ping(cancellation); }

absl::StatusOr<std::vector<std::string>> ClickHouseSource::CheckUser() {
  LOGQUERY_ASSIGN_OR_RETURN(const Grants grants, ReadGrants());
  std::vector<std::string> findings;
  if (!grants.sources.empty()) {
    findings.push_back(
        StrCat("the user may read from elsewhere through the server: revoke ", base::Join(grants.sources, ", ")));
  }
  if (!grants.others.empty()) {
    findings.push_back(StrCat("the user may do more than read: revoke ", base::Join(grants.others, ", ")));
  }
  return findings;
}

}  // namespace logquery::clickhouse
