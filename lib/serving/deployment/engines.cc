// The table of engines. A new engine is one row, and an #if for builds without it.
#include "lib/serving/deployment/engines.h"

#include <any>
#include <filesystem>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "lib/backend/option_table.h"
#include "lib/base/nearest_names.h"
#include "lib/base/status_macros.h"
#include "lib/base/strings.h"
#if LOGQUERY_WITH_DUCKDB
#include "logquery/duckdb/parquet_writer.h"
#include "logquery/store/duckdb_backend.h"
#endif
#if LOGQUERY_WITH_CLICKHOUSE
#include "lib/engines/clickhouse/backend/options_json.h"
#include "logquery/clickhouse/clickhouse_backend.h"
#endif
#if LOGQUERY_WITH_POSTGRES
#include "lib/engines/postgres/backend/options_json.h"
#include "logquery/postgres/postgres_backend.h"
#endif
#if LOGQUERY_WITH_BIGQUERY
#include "lib/engines/bigquery/backend/options_json.h"
#include "logquery/bigquery/bigquery_backend.h"
#endif

namespace logquery::serving {
namespace {

#if LOGQUERY_WITH_DUCKDB
constexpr backend::OptionRow<BackendOptions> kDuckDbOptions[] = {
    {"folder", &BackendOptions::folder, backend::Written::kRequired},
    {"memory_limit_mb", &BackendOptions::memory_limit_bytes, backend::Written::kMegabytes, backend::kMemoryLimitMb},
    {"threads", &BackendOptions::threads, backend::Written::kValue, backend::kEngineThreads},
};

void ReadDuckDb(base::JsonFields& fields, const std::string& folder, BackendOptions& options) {
  backend::ReadOptions<BackendOptions>(kDuckDbOptions, fields, folder, options);
  if (fields.ok() && options.folder.empty()) fields.Fail("folder", "must not be empty: it names the data folder");
  options.folder = (std::filesystem::path(folder) / options.folder).string();
}

absl::StatusOr<OpenedBackend> OpenFolder(const BackendOptions& options, const BackendUse& use) {
  if (options.folder.empty())
    return absl::InvalidArgumentError("the engine duckdb needs a data folder, and none is named");
  DuckDbOptions duckdb;
  duckdb.folder = options.folder;
  duckdb.read_only = use.read_only;
  duckdb.memory_limit_bytes = options.memory_limit_bytes;
  duckdb.threads = options.threads;
  duckdb.packed_records = use.packed_records;
  duckdb.own_logs_json = use.own_logs_json;
  duckdb.own_logs_source = use.own_logs_source;
  LOGQUERY_ASSIGN_OR_RETURN(std::unique_ptr<DuckDbBackend> backend, OpenDuckDb(duckdb));
  OpenedBackend opened;
  opened.store = backend.get();
  opened.backend = std::move(backend);
  return opened;
}

constexpr Engine kDuckDb = {"duckdb", &ReadDuckDb, &OpenFolder, &OpenFolderWork, &DeclareLogs};
#else
constexpr Engine kDuckDb = {"duckdb"};
#endif

#if LOGQUERY_WITH_CLICKHOUSE || LOGQUERY_WITH_POSTGRES || LOGQUERY_WITH_BIGQUERY
template <auto kReadOptions>
void ReadRemote(base::JsonFields& fields, const std::string& folder, BackendOptions& options) {
  auto remote = kReadOptions(fields, folder);
  options.memory_limit_bytes = remote.memory_limit_bytes;
  options.threads = remote.threads;
  options.remote = std::move(remote);
}

template <typename Options, auto kOpen>
absl::StatusOr<OpenedBackend> OpenRemote(const BackendOptions& options, const BackendUse& use) {
  const auto* const given = std::any_cast<Options>(&options.remote);
  if (given == nullptr) {
    return absl::InvalidArgumentError(
        base::StrCat("the engine ", options.engine, " needs its options: read them from a backend file"));
  }
  if (!use.own_logs_json.empty()) {
    return absl::InvalidArgumentError(base::StrCat(use.own_logs_source,
                                                   " declares logs of a data folder; the tables of ", options.engine,
                                                   " are named by its backend file"));
  }
  Options remote = *given;
  remote.memory_limit_bytes = options.memory_limit_bytes;
  remote.threads = options.threads;
  LOGQUERY_ASSIGN_OR_RETURN(std::unique_ptr<RemoteBackend> backend, kOpen(remote));
  OpenedBackend opened;
  opened.remote = backend.get();
  opened.backend = std::move(backend);
  return opened;
}
#endif

#if LOGQUERY_WITH_CLICKHOUSE
constexpr Engine kClickHouse = {"clickhouse", &ReadRemote<&clickhouse::ReadOptions>,
                                &OpenRemote<ClickHouseOptions, &OpenClickHouse>};
#else
constexpr Engine kClickHouse = {"clickhouse"};
#endif
#if LOGQUERY_WITH_POSTGRES
constexpr Engine kPostgres = {"postgres", &ReadRemote<&postgres::ReadOptions>,
                              &OpenRemote<PostgresOptions, &OpenPostgres>};
#else
constexpr Engine kPostgres = {"postgres"};
#endif
#if LOGQUERY_WITH_BIGQUERY
constexpr Engine kBigQuery = {"bigquery", &ReadRemote<&bigquery::ReadOptions>,
                              &OpenRemote<BigQueryOptions, &OpenBigQuery>};
#else
constexpr Engine kBigQuery = {"bigquery"};
#endif

constexpr Engine kEngines[] = {kDuckDb, kClickHouse, kPostgres, kBigQuery};

absl::Status NotBuilt(std::string_view name) {
  std::vector<std::string> built;
  for (const Engine& engine : kEngines) {
    if (engine.open != nullptr) built.emplace_back(engine.name);
  }
  return absl::UnimplementedError(base::StrCat("this logquery is built without the engine ", name, "; it has ",
                                               built.empty() ? "no engine" : base::Join(built, ", ")));
}

}  // namespace

absl::StatusOr<const Engine*> FindEngine(std::string_view name) {
  std::vector<std::string> names;
  for (const Engine& engine : kEngines) {
    if (engine.name == name) return engine.open != nullptr ? absl::StatusOr<const Engine*>(&engine) : NotBuilt(name);
    names.emplace_back(engine.name);
  }
  return absl::InvalidArgumentError(base::StrCat("there is no engine \"", name.substr(0, 100), "\"; the engines are ",
                                                 base::Join(names, ", "),
                                                 base::DidYouMean(base::NearestNames(name, names))));
}

std::unique_ptr<ParquetWriter> MakeParquetWriter() {
#if LOGQUERY_WITH_DUCKDB
  return MakeDuckDbParquetWriter({});
#else
  return nullptr;
#endif
}

}  // namespace logquery::serving
