// Opens the database with all settings at once and locks the configuration.
#include "lib/engines/duckdb/backend/database.h"

#include <thread>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "lib/base/status_macros.h"
#include "lib/base/strings.h"
#include "lib/engines/duckdb/backend/engine_types.h"
#include "lib/engines/duckdb/backend/errors.h"

namespace logquery::duckdb {
namespace {

using Setting = std::pair<const char*, std::string>;

constexpr char kCatalog[] = "logs";

std::vector<Setting> Settings(const DatabaseOptions& options) {
  const int threads = options.threads > 0 ? options.threads : static_cast<int>(std::thread::hardware_concurrency());
  const bool spills = !options.spill_folder.empty() && !options.read_only;
  return {
      {"threads", absl::StrCat(threads > 0 ? threads : 1)},
      {"memory_limit", absl::StrCat(options.memory_limit_bytes, "B")},
      {"temp_directory", spills ? options.spill_folder : ""},
      {"max_temp_directory_size", absl::StrCat(spills ? options.spill_limit_bytes : 0, "B")},
      {"secret_directory", absl::StrCat(options.spill_folder, "/no-secrets")},
      {"extension_directory", absl::StrCat(options.spill_folder, "/no-extensions")},
      {"allow_persistent_secrets", "false"},
      {"autoinstall_known_extensions", "false"},
      {"autoload_known_extensions", "false"},
      {"allow_community_extensions", "false"},
      {"allow_unsigned_extensions", "false"},
      // A new folder is written as DuckDB 1.4 writes one, so that any logquery of this folder format opens it, whatever
      // DuckDB that has inside. Long text compressed by zstd needs 1.2 or later.
      {"storage_compatibility_version", "v1.4.0"},
      // Memory that one query released is returned to the system before the next takes as much again: the engine counts
      // only memory in use.
      {"allocator_bulk_deallocation_flush_threshold", "32MB"},
      {"checkpoint_threshold", absl::StrCat(kMostLogBytes, "B")},
      {"preserve_insertion_order", options.keeps_order ? "true" : "false"},
      {"default_order", "ASC"},
      {"default_null_order", "NULLS_FIRST_ON_ASC_LAST_ON_DESC"},
      {"ieee_floating_point_ops", "true"},
      // This optimizer loses columns that a correlated subquery over groups reads: "Failed to bind column reference", which the
      // oracle found. Seen in DuckDB 1.5.6.
      {"disabled_optimizers", "compressed_materialization"},
      // Rows of a top-N are fetched by their place, and by a list of places (else by the range from the first to the last:
      // 12 times slower for a rare project). Both defaults, 50, are below the LIMIT of log queries.
      {"late_materialization_max_rows", "2000"},
      {"dynamic_or_filter_threshold", "2000"},
  };
}

absl::Status OpenError(std::string_view message) {
  const auto says = [&](std::string_view text) { return message.find(text) != std::string_view::npos; };
  if (IsDiskFull(message)) return absl::ResourceExhaustedError("the disk is full");
  if (says("Could not set lock on file")) return absl::FailedPreconditionError(base::ToAbsl(message));
  if (says("Permission denied")) return absl::PermissionDeniedError(base::ToAbsl(message));
  if (says("not a valid DuckDB database file") || says("Corrupt") || says("checksum") || says("Serialization Error") ||
      says("Failure while replaying WAL") || says("INTERNAL Error") || says("Could not read enough bytes")) {
    return absl::DataLossError(base::ToAbsl(message));
  }
  return absl::InternalError(base::ToAbsl(message));
}

}  // namespace

absl::Status Run(duckdb_connection connection, const std::string& sql) {
  Result result;
  if (duckdb_query(connection, sql.c_str(), result.out()) == DuckDBSuccess) return absl::OkStatus();
  return ErrorFromDuckDb(result.error());
}

absl::StatusOr<Database> Database::Open(const DatabaseOptions& options) {
  if (options.before_opening) LOGQUERY_RETURN_IF_ERROR(options.before_opening());
  ConfigHandle config;
  if (duckdb_create_config(config.out()) != DuckDBSuccess) return absl::InternalError("no configuration of DuckDB's");
  for (const auto& [name, value] : Settings(options)) {
    if (duckdb_set_config(config.get(), name, value.c_str()) != DuckDBSuccess) {
      return absl::InternalError(absl::StrCat("DuckDB does not take the setting ", name, " = ", value));
    }
  }
  DatabaseHandle handle;
  char* error = nullptr;
  if (duckdb_open_ext(nullptr, handle.out(), config.get(), &error) != DuckDBSuccess) {
    const absl::Status status = OpenError(error == nullptr ? "DuckDB did not start" : error);
    duckdb_free(error);
    return status;
  }
  Database database(std::move(handle));
  LOGQUERY_ASSIGN_OR_RETURN(const ConnectionHandle connection, database.Connect());
  if (!options.file.empty()) LOGQUERY_RETURN_IF_ERROR(database.Attach(connection.get(), options));
  if (!options.files_folder.empty()) {
    LOGQUERY_RETURN_IF_ERROR(Run(
        connection.get(), base::StrCat("SET GLOBAL allowed_directories = [", QuoteText(options.files_folder), "]")));
  }
  // The time zone is a setting of an extension that exists only once the database is open. Attached databases and the
  // folder for spilling stay accessible when external access is disabled, which can't be undone.
  for (const char* setting : {"TimeZone = 'UTC'", "enable_external_access = false", "lock_configuration = true"}) {
    LOGQUERY_RETURN_IF_ERROR(Run(connection.get(), absl::StrCat("SET GLOBAL ", setting)));
  }
  return database;
}

// The file is attached to a database in memory: only so can the size of row groups be chosen.
absl::Status Database::Attach(duckdb_connection connection, const DatabaseOptions& options) {
  std::string sql = base::StrCat("ATTACH ", QuoteText(options.file), " AS ", kCatalog);
  if (options.read_only) {
    sql += " (READ_ONLY)";
  } else if (options.row_group_rows > 0) {
    absl::StrAppend(&sql, " (ROW_GROUP_SIZE ", options.row_group_rows, ")");
  }
  Result result;
  if (duckdb_query(connection, sql.c_str(), result.out()) != DuckDBSuccess) return OpenError(result.error());
  attached_ = true;
  return absl::OkStatus();
}

std::string EngineName() {
  std::string_view version = duckdb_library_version();
  if (!version.empty() && version.front() == 'v') version.remove_prefix(1);
  return base::StrCat("DuckDB ", version);
}

absl::StatusOr<ConnectionHandle> Database::Connect() const {
  ConnectionHandle connection;
  if (duckdb_connect(database_.get(), connection.out()) != DuckDBSuccess) {
    return absl::UnavailableError("the log database takes no connection");
  }
  if (attached_) LOGQUERY_RETURN_IF_ERROR(Run(connection.get(), absl::StrCat("USE ", kCatalog)));
  return connection;
}

}  // namespace logquery::duckdb
