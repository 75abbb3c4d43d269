// The table of engines. An engine that is added is one row, with an #if of whether this program is built with it.
#include "lib/base/status_macros.h"
#include "lib/base/strings.h"
#include "shim/cli/serve/compose_bigquery.h"
#include "shim/cli/serve/compose_clickhouse.h"
#include "shim/cli/serve/compose_duckdb.h"
#include "shim/cli/serve/compose_postgres.h"
#include "shim/cli/serve/engine.h"
#include "shim/http/about/nearest_names.h"

namespace logquery::shim {
namespace {

// The rows of the table: an engine's reader and opener, or none of them.
#if LOGQUERY_WITH_DUCKDB
constexpr Engine kDuckDb = {"duckdb", &ReadDuckDbSettings, &OpenDuckDbEngine};
#else
constexpr Engine kDuckDb = {"duckdb"};
#endif
#if LOGQUERY_WITH_CLICKHOUSE
constexpr Engine kClickHouse = {"clickhouse", &ReadClickHouseSettings, &OpenClickHouseEngine};
#else
constexpr Engine kClickHouse = {"clickhouse"};
#endif
#if LOGQUERY_WITH_POSTGRES
constexpr Engine kPostgres = {"postgres", &ReadPostgresSettings, &OpenPostgresEngine};
#else
constexpr Engine kPostgres = {"postgres"};
#endif
#if LOGQUERY_WITH_BIGQUERY
constexpr Engine kBigQuery = {"bigquery", &ReadBigQuerySettings, &OpenBigQueryEngine};
#else
constexpr Engine kBigQuery = {"bigquery"};
#endif

absl::Status NotBuilt(std::string_view name) {
  std::vector<std::string> built;
  for (const Engine& engine : KnownEngines()) {
    if (engine.open != nullptr) built.emplace_back(engine.name);
  }
  return absl::UnimplementedError(base::StrCat("this logquery is built without the engine ", name, "; it has ",
                                               built.empty() ? "no engine" : base::Join(built, ", ")));
}

}  // namespace

const std::vector<Engine>& KnownEngines() {
  static const auto* const engines = new std::vector<Engine>{kDuckDb, kClickHouse, kPostgres, kBigQuery};
  return *engines;
}

absl::StatusOr<const Engine*> FindEngine(std::string_view name) {
  std::vector<std::string> names;
  for (const Engine& engine : KnownEngines()) {
    if (engine.name == name) return engine.open != nullptr ? absl::StatusOr<const Engine*>(&engine) : NotBuilt(name);
    names.emplace_back(engine.name);
  }
  return absl::InvalidArgumentError(base::StrCat("there is no engine \"", name.substr(0, 100), "\"; the engines are ",
                                                 base::Join(names, ", "), DidYouMean(name, names)));
}

absl::StatusOr<OpenedEngine> OpenEngine(const ServiceArguments& arguments, bool read_only) {
  LOGQUERY_ASSIGN_OR_RETURN(const Engine* const engine, FindEngine(arguments.engine));
  if (!arguments.schema.empty() && arguments.data.empty()) {
    return absl::InvalidArgumentError(base::StrCat("--schema ", arguments.schema,
                                                   " is for a data folder; the tables of ", arguments.engine,
                                                   " are named by its backend file"));
  }
  return engine->open(arguments, read_only);
}

}  // namespace logquery::shim
