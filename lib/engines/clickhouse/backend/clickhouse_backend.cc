// Validates the options, and combines ClickHouse with the local engine.
#include "logquery/clickhouse/clickhouse_backend.h"

#include <utility>

#include "lib/base/status_macros.h"
#include "lib/base/strings.h"
#include "lib/base/utf8.h"
#include "lib/engines/clickhouse/backend/clickhouse_source.h"
#include "lib/engines/duckdb/backend/source/fragment_backend.h"

namespace logquery {
namespace {

using base::StrCat;

constexpr std::string_view kOtelLayout = "otel";

absl::Status Wrong(std::string_view option, std::string_view problem) {
  return absl::InvalidArgumentError(StrCat("the option ", option, " of ClickHouse ", problem));
}

absl::Status CheckName(std::string_view option, const std::string& name) {
  if (name.empty()) return Wrong(option, "is missing");
  const bool is_good = base::IsValidUtf8(name) && name.find('\0') == std::string::npos;
  return is_good ? absl::OkStatus() : Wrong(option, "has a NUL character or is not UTF-8");
}

// A header of HTTP ends with its line.
absl::Status CheckHeader(std::string_view option, const std::string& text) {
  return text.find_first_of(std::string_view("\r\n\0", 3)) == std::string::npos
             ? absl::OkStatus()
             : Wrong(option, "has a line break or a NUL character, which HTTP does not carry");
}

absl::Status CheckLayout(const ClickHouseTable& table, const Catalog& declared) {
  const bool is_declared = declared.Find(table.name) != nullptr;
  if (table.layout.empty()) {
    if (is_declared) return absl::OkStatus();
    return Wrong("tables", StrCat("names ", table.name, ", which the schema does not declare"));
  }
  const std::string option = StrCat("tables.", table.name, ".layout");
  if (table.layout != kOtelLayout) return Wrong(option, StrCat("is ", table.layout, "; it is otel or absent"));
  if (is_declared) return Wrong(option, "is otel, but the schema declares a log of that name: choose another name");
  if (!table.fields.empty() || !table.presence.empty()) {
    return Wrong(option, "is otel: such a table has all fields in log_attributes, and neither fields nor presence");
  }
  return absl::OkStatus();
}

absl::Status CheckTables(const ClickHouseOptions& options, const Catalog& declared) {
  if (options.tables.empty()) return Wrong("tables", "is empty: name at least one");
  base::NameSet names;
  bool has_all_logs = false;
  for (const ClickHouseTable& table : options.tables) {
    LOGQUERY_RETURN_IF_ERROR(CheckLayout(table, declared));
    if (!table.layout.empty() && std::exchange(has_all_logs, true)) {
      return Wrong("tables", StrCat("has two tables of the layout otel; the second is ", table.name));
    }
    if (!names.insert(table.name).second) return Wrong("tables", StrCat("names ", table.name, " twice"));
    LOGQUERY_RETURN_IF_ERROR(CheckName(StrCat("tables.", table.name, ".table"), table.table));
    for (const auto* const map : {&table.columns, &table.fields, &table.presence}) {
      for (const auto& [ours, theirs] : *map) {
        LOGQUERY_RETURN_IF_ERROR(CheckName(StrCat("tables.", table.name, ".", ours), theirs));
      }
    }
  }
  return absl::OkStatus();
}

absl::Status CheckHosts(const std::vector<std::string>& hosts) {
  if (hosts.empty()) return Wrong("hosts", "is empty: name at least one");
  for (const std::string& host : hosts) {
    LOGQUERY_RETURN_IF_ERROR(CheckHeader("hosts", host));
    const bool has_scheme = host.starts_with("https://") || host.starts_with("http://");
    if (has_scheme && host.find_first_of("?#@ ") == std::string::npos) continue;
    // The host may contain a password.
    const bool has_user = host.find('@') != std::string::npos;
    return Wrong("hosts", StrCat("has ", has_user ? std::string("a URL with a user") : host,
                                 "; it has to be a URL like https://ch1.internal:8443, without a user or a query"));
  }
  return absl::OkStatus();
}

absl::Status CheckOptions(const ClickHouseOptions& options) {
  LOGQUERY_RETURN_IF_ERROR(CheckHosts(options.hosts));
  LOGQUERY_RETURN_IF_ERROR(CheckName("database", options.database));
  LOGQUERY_RETURN_IF_ERROR(CheckName("user", options.user));
  LOGQUERY_RETURN_IF_ERROR(CheckHeader("user", options.user));
  LOGQUERY_RETURN_IF_ERROR(CheckHeader("password", options.password));
  if (options.max_connections < 1 || options.max_connections > 1'000) {
    return Wrong("max_connections", StrCat("is ", options.max_connections, "; it has to be from 1 to 1000"));
  }
  for (const absl::Duration time : {options.connect_timeout, options.statement_timeout}) {
    if (time < absl::Milliseconds(1) || time > absl::Hours(24)) {
      return Wrong("connect_timeout or statement_timeout", "has to be from 1 ms to 24 hours");
    }
  }
  for (const int64_t bound : {options.max_server_memory_bytes, options.max_rows_to_read, options.max_fragment_rows,
                              options.max_fragment_bytes}) {
    if (bound < 1) {
      return Wrong("max_server_memory_bytes, max_rows_to_read, max_fragment_rows or max_fragment_bytes",
                   "has to be at least 1");
    }
  }
  return absl::OkStatus();
}

absl::StatusOr<std::shared_ptr<clickhouse::ClickHouseSource>> MakeSource(const ClickHouseOptions& options) {
  LOGQUERY_RETURN_IF_ERROR(CheckOptions(options));
  Catalog declared = Catalog::DeclaredLogs();
  if (!options.schema_json.empty()) {
    LOGQUERY_ASSIGN_OR_RETURN(declared, Catalog::FromSchemaJson(options.schema_json));
  }
  LOGQUERY_RETURN_IF_ERROR(CheckTables(options, declared));
  return std::make_shared<clickhouse::ClickHouseSource>(options, std::move(declared));
}

}  // namespace

absl::StatusOr<std::unique_ptr<RemoteBackend>> OpenClickHouse(const ClickHouseOptions& options) {
  LOGQUERY_ASSIGN_OR_RETURN(std::shared_ptr<clickhouse::ClickHouseSource> source, MakeSource(options));
  SourceBackendOptions finisher;
  finisher.memory_limit_bytes = options.memory_limit_bytes;
  finisher.threads = options.threads;
  finisher.max_scan_rows = options.max_fragment_rows;
  finisher.max_scan_bytes = options.max_fragment_bytes;
  return duckdb::OpenOverFragments(std::move(source), finisher);
}

absl::StatusOr<std::vector<std::string>> CheckClickHouse(const ClickHouseOptions& options) {
  ClickHouseOptions all = options;
  all.allow_sources = true;
  LOGQUERY_ASSIGN_OR_RETURN(const std::shared_ptr<clickhouse::ClickHouseSource> source, MakeSource(all));
  LOGQUERY_RETURN_IF_ERROR(source->ReadCatalog().status());
  return source->CheckUser();
}

}  // namespace logquery
