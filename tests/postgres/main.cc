// Answers calls over a PostgreSQL, as `logquery run` does over a folder: so the query kit is asked of it.
//
//     logquery_postgres_run --load DIR COMMAND…        starts a server, puts DIR/NAME.ndjson into it in Logflare's layout, and runs
//                                                      the command with LOGQUERY_POSTGRES=FILE, a file of options
//     logquery_postgres_run --load-indexed DIR COMMAND…
//                                                      the same, with a column and an index for the project
//     logquery_postgres_run --now TIME [--report FILE] ENDPOINT KEY=VALUE…
//                                                      one call over the server that LOGQUERY_POSTGRES names; the report gets a
//                                                      line for each fragment: its rows, what is done to them here, its text
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "lib/base/strings.h"
#include "lib/engines/postgres/backend/postgres_source.h"
#include "logquery/postgres/postgres_backend.h"
#include "tests/engines/engine_bench.h"
#include "tests/engines/engine_program.h"
#include "tests/postgres/cluster.h"
#include "tests/postgres/logflare_loader.h"

namespace logquery {
namespace {

constexpr char kVariable[] = "LOGQUERY_POSTGRES";

using testing::Fail;
using testing::TextOf;

bool HasColumn(const Table& table, std::string_view name) {
  return std::any_of(table.columns.begin(), table.columns.end(), [&](const auto& each) { return each.name == name; });
}

int Load(int argc, char** argv) {
  using testing::LogflareIndex;
  const bool indexed = std::string_view(argv[1]) == "--load-indexed";
  const Catalog declared = Catalog::DeclaredLogs();
  testing::Cluster cluster;
  nlohmann::ordered_json tables;
  for (const auto& entry : std::filesystem::directory_iterator(argv[2])) {
    if (entry.path().extension() != ".ndjson") continue;
    const std::string name = entry.path().stem().string();
    const Table* const log = declared.Find(name);
    const bool has_project = log != nullptr && HasColumn(*log, "project");
    const PostgresTable table = testing::LoadLogflare(
        cluster, name, TextOf(entry.path()), indexed && has_project ? LogflareIndex::kProject : LogflareIndex::kTime);
    tables[table.name] = {{"table", table.table}, {"layout", "logflare"}, {"columns", table.columns}};
  }
  std::fprintf(stderr, "PostgreSQL has %s bytes of tables and indexes\n",
               cluster
                   .Ask("SELECT sum(pg_total_relation_size(oid)) FROM pg_class WHERE relkind = 'r' AND relnamespace = "
                        "'public'::regnamespace")
                   .c_str());
  const PostgresOptions options = cluster.Options({});
  const std::string file = cluster.folder() + "/options.json";
  const std::string secret = cluster.folder() + "/secret";
  std::ofstream(secret) << options.password;
  std::ofstream(file) << nlohmann::ordered_json{{"engine", "postgres"},           {"host", options.host},
                                                {"database", options.database},   {"user", options.user},
                                                {"password", {{"file", secret}}}, {"tables", tables}};
  setenv(testing::kEngineProcess, std::to_string(cluster.process()).c_str(), 1);
  setenv(kVariable, file.c_str(), 1);
  return testing::RunCommand(argc, argv);
}

absl::StatusOr<std::shared_ptr<FragmentSource>> OpenNamed(const std::string& file) {
  auto options = PostgresOptionsFromJson(testing::TextOf(file));
  if (!options.ok()) return options.status();
  return std::make_shared<postgres::PostgresSource>(*std::move(options), Catalog::DeclaredLogs());
}

}  // namespace
}  // namespace logquery

int main(int argc, char** argv) {
  using namespace logquery;
  return testing::RunEngineProgram({"logquery_postgres_run", kVariable, Load, OpenNamed}, argc, argv);
}
