// Merges declarations, and stores those of the operator's logs in the table logquery.own_logs, as one row of JSON each.
#include "lib/store/tables/folder_schema.h"

#include "lib/base/status_macros.h"
#include "lib/base/strings.h"
#include "lib/engines/duckdb/backend/database.h"
#include "lib/engines/duckdb/backend/small_query.h"
#include "lib/model/own_logs.h"

namespace logquery::store {
namespace {

constexpr char kMakeOwnLogBooks[] =
    "CREATE TABLE IF NOT EXISTS logquery.own_logs(table_name VARCHAR, declaration VARCHAR)";

void Append(model::SchemaFile& to, const model::SchemaFile& from) {
  to.tables.insert(to.tables.end(), from.tables.begin(), from.tables.end());
  to.hot.insert(to.hot.end(), from.hot.begin(), from.hot.end());
  to.logs.insert(to.logs.end(), from.logs.begin(), from.logs.end());
}

}  // namespace

const TableLayout* FolderSchema::Find(std::string_view name) const {
  for (const TableLayout& layout : layouts) {
    if (base::EqualsIgnoreCase(layout.table.name, name)) return &layout;
    if (!name.empty() && base::EqualsIgnoreCase(layout.table.log, name)) return &layout;
  }
  return nullptr;
}

absl::StatusOr<std::shared_ptr<const FolderSchema>> MakeFolderSchema(model::SchemaFile base, model::SchemaFile own,
                                                                     const model::SchemaFile& declared) {
  FolderSchema schema;
  LOGQUERY_ASSIGN_OR_RETURN(schema.own, model::MergeOwnLogs(std::move(own), declared));
  schema.base = std::move(base);
  model::SchemaFile all = schema.base;
  Append(all, schema.own);
  schema.layouts = MakeLayouts(all);
  return std::make_shared<const FolderSchema>(std::move(schema));
}

absl::StatusOr<model::SchemaFile> ReadOwnLogs(duckdb_connection connection) {
  model::SchemaFile own;
  LOGQUERY_ASSIGN_OR_RETURN(
      const duckdb::TextRows books,
      duckdb::Query(connection,
                    "SELECT 1 FROM duckdb_tables() WHERE schema_name = 'logquery' AND table_name = 'own_logs'"));
  if (books.empty()) return own;
  LOGQUERY_ASSIGN_OR_RETURN(
      const duckdb::TextRows rows,
      duckdb::Query(connection, "SELECT table_name, declaration FROM logquery.own_logs ORDER BY rowid"));
  for (const std::vector<std::string>& row : rows) {
    const absl::StatusOr<model::SchemaFile> log = model::ParseOwnLogs("the folder's books", row[1]);
    if (!log.ok()) {
      return absl::FailedPreconditionError(
          base::StrCat("the folder's own log ", row[0], " can't be used: ", base::Message(log.status())));
    }
    Append(own, *log);
  }
  return own;
}

absl::Status WriteOwnLogs(duckdb_connection connection, const model::SchemaFile& own) {
  LOGQUERY_RETURN_IF_ERROR(duckdb::Run(connection, kMakeOwnLogBooks));
  LOGQUERY_ASSIGN_OR_RETURN(const duckdb::TextRows rows,
                            duckdb::Query(connection, "SELECT table_name, declaration FROM logquery.own_logs"));
  base::StringMap<std::string> booked;
  for (const std::vector<std::string>& row : rows) booked[row[0]] = row[1];
  for (size_t i = 0; i < own.tables.size(); ++i) {
    const std::string& name = own.tables[i].name;
    const std::string text = model::OwnLogText(own, i);
    const auto known = booked.find(name);
    if (known != booked.end() && known->second == text) continue;
    LOGQUERY_RETURN_IF_ERROR(
        duckdb::Query(connection, "DELETE FROM logquery.own_logs WHERE table_name = $1", {name}).status());
    LOGQUERY_RETURN_IF_ERROR(
        duckdb::Query(connection, "INSERT INTO logquery.own_logs VALUES ($1, $2)", {name, text}).status());
  }
  return absl::OkStatus();
}

}  // namespace logquery::store
