// Validates the options, and combines PostgreSQL with the local engine.
#include "logquery/postgres/postgres_backend.h"

#include <utility>

#include "lib/base/status_macros.h"
#include "lib/base/strings.h"
#include "lib/engines/duckdb/backend/source/fragment_backend.h"
#include "lib/engines/postgres/backend/postgres_source.h"
#include "lib/engines/postgres/dialect/texts.h"

namespace logquery {
namespace {

using base::StrCat;

absl::Status Wrong(std::string_view option, std::string_view problem) {
  return absl::InvalidArgumentError(StrCat("the option ", option, " of PostgreSQL ", problem));
}

absl::Status CheckName(std::string_view option, const std::string& name) {
  if (name.empty()) return Wrong(option, "is missing");
  // libpq and the server end a name at a NUL.
  return emit::IsPostgresText(name) ? absl::OkStatus() : Wrong(option, "has a NUL character or is not UTF-8");
}

absl::Status CheckTables(const PostgresOptions& options, const Catalog& declared) {
  if (options.tables.empty()) return Wrong("tables", "is empty: name at least one");
  base::NameSet names;
  for (const PostgresTable& table : options.tables) {
    if (declared.Find(table.name) == nullptr) {
      return Wrong("tables", StrCat("names ", table.name, ", which the schema does not declare"));
    }
    if (!names.insert(table.name).second) return Wrong("tables", StrCat("names ", table.name, " twice"));
    LOGQUERY_RETURN_IF_ERROR(CheckName(StrCat("tables.", table.name, ".schema"), table.schema));
    LOGQUERY_RETURN_IF_ERROR(CheckName(StrCat("tables.", table.name, ".table"), table.table));
    LOGQUERY_RETURN_IF_ERROR(CheckName(StrCat("tables.", table.name, ".body"), table.body));
    for (const auto& [ours, theirs] : table.columns) {
      LOGQUERY_RETURN_IF_ERROR(CheckName(StrCat("tables.", table.name, ".columns.", ours), theirs));
    }
  }
  return absl::OkStatus();
}

absl::Status CheckOptions(const PostgresOptions& options) {
  LOGQUERY_RETURN_IF_ERROR(CheckName("host", options.host));
  LOGQUERY_RETURN_IF_ERROR(CheckName("database", options.database));
  LOGQUERY_RETURN_IF_ERROR(CheckName("user", options.user));
  if (!emit::IsPostgresText(options.password)) return Wrong("password", "has a NUL character or is not UTF-8");
  // libpq takes a text with these for a list of settings.
  if (options.database.find('=') != std::string::npos || options.database.find("://") != std::string::npos) {
    return Wrong("database", "has = or ://, which is no name of a database");
  }
  if (options.port < 1 || options.port > 65'535) {
    return Wrong("port", StrCat("is ", options.port, "; it has to be from 1 to 65535"));
  }
  if (options.tls != "verify-full" && options.tls != "verify-ca" && options.tls != "require" &&
      options.tls != "disable") {
    return Wrong("tls", StrCat("is ", options.tls, "; it has to be verify-full, verify-ca, require or disable"));
  }
  if (options.max_connections < 1 || options.max_connections > 1'000) {
    return Wrong("max_connections", StrCat("is ", options.max_connections, "; it has to be from 1 to 1000"));
  }
  for (const absl::Duration time : {options.connect_timeout, options.statement_timeout}) {
    if (time < absl::Milliseconds(1) || time > absl::Hours(24)) {
      return Wrong("connect_timeout or statement_timeout", "has to be from 1 ms to 24 hours");
    }
  }
  if (options.max_fragment_rows < 1 || options.max_fragment_bytes < 1) {
    return Wrong("max_fragment_rows or max_fragment_bytes", "has to be at least 1");
  }
  return absl::OkStatus();
}

absl::StatusOr<std::shared_ptr<postgres::PostgresSource>> MakeSource(const PostgresOptions& options) {
  LOGQUERY_RETURN_IF_ERROR(CheckOptions(options));
  Catalog declared = Catalog::DeclaredLogs();
  if (!options.schema_json.empty()) {
    LOGQUERY_ASSIGN_OR_RETURN(declared, Catalog::FromSchemaJson(options.schema_json));
  }
  LOGQUERY_RETURN_IF_ERROR(CheckTables(options, declared));
  return std::make_shared<postgres::PostgresSource>(options, std::move(declared));
}

}  // namespace

absl::StatusOr<std::unique_ptr<RemoteBackend>> OpenPostgres(const PostgresOptions& options) {
  LOGQUERY_ASSIGN_OR_RETURN(std::shared_ptr<postgres::PostgresSource> source, MakeSource(options));
  SourceBackendOptions finisher;
  finisher.memory_limit_bytes = options.memory_limit_bytes;
  finisher.threads = options.threads;
  finisher.max_scan_rows = options.max_fragment_rows;
  finisher.max_scan_bytes = options.max_fragment_bytes;
  return duckdb::OpenOverFragments(std::move(source), finisher);
}

absl::StatusOr<std::vector<std::string>> CheckPostgres(const PostgresOptions& options) {
  LOGQUERY_ASSIGN_OR_RETURN(const std::shared_ptr<postgres::PostgresSource> source, MakeSource(options));
  LOGQUERY_RETURN_IF_ERROR(source->ReadCatalog().status());
  return source->CheckRole();
}

}  // namespace logquery
