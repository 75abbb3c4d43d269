// Finds the tables in the catalog by their names, and reads them day by day.
#include "lib/engines/postgres/backend/logflare_tables.h"

#include <libpq-fe.h>

#include <algorithm>
#include <tuple>

#include "absl/strings/numbers.h"
#include "absl/strings/str_replace.h"
#include "lib/base/status_macros.h"
#include "lib/base/strings.h"
#include "lib/engines/postgres/backend/parameters.h"
#include "lib/engines/postgres/backend/stop_event.h"
#include "lib/engines/postgres/dialect/texts.h"

namespace logquery::postgres {
namespace {

using base::StrCat;

constexpr std::string_view kPrefix = "log_events_";

// A table of each source, whether its four columns are there, and whether it may be read.
constexpr char kTables[] = R"(
SELECT n.nspname::text, c.relname::text,
  (SELECT count(*) = 4 FROM pg_attribute AS a
   WHERE a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
     AND (a.attname = 'id' OR a.attname = 'event_message' OR (a.attname = 'body' AND a.atttypid = 'jsonb'::regtype)
          OR (a.attname = 'timestamp' AND a.atttypid IN ('timestamp'::regtype, 'timestamptz'::regtype))))::text,
  (has_schema_privilege(n.oid, 'USAGE') AND has_table_privilege(c.oid, 'SELECT'))::text
FROM pg_class AS c JOIN pg_namespace AS n ON n.oid = c.relnamespace
WHERE c.relkind IN ('r', 'p', 'v', 'm', 'f') AND NOT c.relispartition
  AND c.relname ~ '^log_events_[0-9a-f]{8}(_[0-9a-f]{4}){3}_[0-9a-f]{12}$')";

std::string NameOf(const LogflareTable& table) {
  return StrCat(emit::PostgresIdentifier(table.schema), ".", emit::PostgresIdentifier(table.table));
}

std::string_view Bytes(const PGresult& row, int column) {
  if (PQgetisnull(&row, 0, column) != 0) return {};
  return {PQgetvalue(&row, 0, column), static_cast<size_t>(PQgetlength(&row, 0, column))};
}

// Returns the condition for the rows of a day, or for those without one.
std::string Condition(const LogflareDay& day) {
  if (day.day.empty()) return R"("timestamp" IS NULL OR NOT isfinite("timestamp"))";
  const std::string begin = emit::PostgresQuoted(day.day);
  return StrCat(R"("timestamp" >= )", begin, R"(::timestamp AND "timestamp" < )", begin,
                "::timestamp + interval '1 day'");
}

}  // namespace

absl::StatusOr<std::unique_ptr<LogflareTables>> LogflareTables::Connect(const PostgresOptions& options) {
  LOGQUERY_ASSIGN_OR_RETURN(std::unique_ptr<Connection> connection,
                            Connection::Open(options, StopEvent{CancellationToken()}));
  return std::unique_ptr<LogflareTables>(new LogflareTables(std::move(connection)));
}

absl::StatusOr<std::vector<LogflareTables::TextRow>> LogflareTables::Ask(const std::string& sql) {
  std::vector<TextRow> rows;
  LOGQUERY_RETURN_IF_ERROR(
      connection_->Run(sql, Parameters(), StopEvent{CancellationToken()}, [&rows](const pg_result* row) {
        TextRow& texts = rows.emplace_back();
        for (int i = 0; i < PQnfields(row); ++i) texts.emplace_back(Bytes(*row, i));
        return absl::OkStatus();
      }));
  return rows;
}

absl::StatusOr<std::vector<LogflareTable>> LogflareTables::List(const std::string& schema,
                                                                std::vector<std::string>& notes) {
  LOGQUERY_ASSIGN_OR_RETURN(
      const std::vector<TextRow> found,
      Ask(StrCat(kTables, schema.empty() ? "" : StrCat(" AND n.nspname = ", emit::PostgresQuoted(schema)))));
  std::vector<LogflareTable> tables;
  std::vector<std::string> schemas;
  for (const TextRow& row : found) {
    LogflareTable& table = tables.emplace_back();
    table.schema = row[0];
    table.table = row[1];
    table.uuid = absl::StrReplaceAll(base::ToAbsl(std::string_view(table.table).substr(kPrefix.size())), {{"_", "-"}});
    if (row[2] != "true") {
      table.problem = "it lacks one of the columns id, timestamp, event_message and body (jsonb)";
    } else if (row[3] != "true") {
      table.problem =
          StrCat("the role may not read it: GRANT USAGE ON SCHEMA ", table.schema, ", and SELECT on the table");
    }
    if (std::find(schemas.begin(), schemas.end(), table.schema) == schemas.end()) schemas.push_back(table.schema);
  }
  for (const std::string& one : schemas) LOGQUERY_RETURN_IF_ERROR(Name(one, tables, notes));
  std::sort(tables.begin(), tables.end(), [](const LogflareTable& a, const LogflareTable& b) {
    return std::tie(a.schema, a.source, a.table) < std::tie(b.schema, b.source, b.table);
  });
  return tables;
}

absl::Status LogflareTables::Name(const std::string& schema, std::vector<LogflareTable>& tables,
                                  std::vector<std::string>& notes) {
  const std::string of_sources = StrCat(emit::PostgresIdentifier(schema), ".sources");
  LOGQUERY_ASSIGN_OR_RETURN(
      const std::vector<TextRow> state,
      Ask(StrCat(
          "SELECT coalesce((SELECT (count(*) = 2 AND bool_and(has_column_privilege(attrelid, attnum, 'SELECT')))::text "
          "FROM pg_attribute WHERE attrelid = to_regclass(",
          emit::PostgresQuoted(of_sources), ") AND attname IN ('token', 'name')), '')")));
  if (state.empty() || state[0].empty() || state[0][0] != "true") {
    notes.push_back(StrCat("the sources' names are unknown: ", schema,
                           ".sources is not there, or the role may not read its columns token and name"));
    return absl::OkStatus();
  }
  LOGQUERY_ASSIGN_OR_RETURN(const std::vector<TextRow> names,
                            Ask(StrCat("SELECT token::text, name::text FROM ", of_sources)));
  for (LogflareTable& table : tables) {
    if (table.schema != schema) continue;
    for (const TextRow& row : names) {
      if (row[0] == table.uuid) table.source = row[1];
    }
  }
  return absl::OkStatus();
}

absl::StatusOr<std::vector<LogflareDay>> LogflareTables::Days(const LogflareTable& table) {
  LOGQUERY_ASSIGN_OR_RETURN(
      const std::vector<TextRow> found,
      Ask(StrCat(R"(SELECT CASE WHEN isfinite("timestamp") THEN to_char("timestamp", 'YYYY-MM-DD') || )",
                 R"(CASE WHEN "timestamp" < '0001-01-01' THEN ' BC' ELSE '' END END AS day, count(*)::text FROM )",
                 NameOf(table), " GROUP BY 1 ORDER BY 1 NULLS FIRST")));
  std::vector<LogflareDay> days;
  for (const TextRow& row : found) {
    LogflareDay& day = days.emplace_back();
    day.day = row[0];
    if (!absl::SimpleAtoi(row[1], &day.rows)) return absl::InternalError("PostgreSQL counts in no number");
  }
  return days;
}

absl::Status LogflareTables::Rows(const LogflareTable& table, const LogflareDay& day,
                                  absl::FunctionRef<absl::Status(std::string_view row)> take) {
  const std::string sql = StrCat(
      "SELECT (CASE jsonb_typeof(coalesce(body, 'null')) WHEN 'object' THEN body WHEN 'null' THEN '{}' "
      "ELSE jsonb_build_object('body', body) END || jsonb_build_object('id', id::text, 'event_message', "
      R"(event_message::text, 'timestamp', CASE WHEN isfinite("timestamp") )"
      R"(THEN to_jsonb((extract(epoch FROM "timestamp") * 1000000)::bigint) ELSE to_jsonb("timestamp"::text) END))::text FROM )",
      NameOf(table), " WHERE ", Condition(day));
  return connection_->Run(sql, Parameters(), StopEvent{CancellationToken()},
                          [&take](const pg_result* row) { return take(Bytes(*row, 0)); });
}

}  // namespace logquery::postgres
