// Files of `logquery export` are loaded into the tables of `logquery schema` by the statements for PostgreSQL beside them.
// A script of ours stands in for DuckDB's command line, with the same library.
#include <duckdb.h>
#include <sys/stat.h>
#include <unistd.h>

#include <catch2/catch_test_macros.hpp>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

#include "absl/strings/str_replace.h"
#include "lib/base/strings.h"
#include "lib/engines/postgres/dialect/schema_script.h"
#include "lib/model/schema_file.h"
#include "tests/engines/exported_logs.h"
#include "tests/postgres/cluster_or_skip.h"
#include "tests/support/child_process.h"

namespace logquery {
namespace {

using testing::ClusterOrSkip;

TEST_CASE("child: runs a statement as DuckDB's command line does", "[.child]") {
  const char* const sql = std::getenv("LOGQUERY_TEST_SQL");
  const char* const out = std::getenv("LOGQUERY_TEST_OUT");
  REQUIRE((sql != nullptr && out != nullptr));
  duckdb_database database = nullptr;
  duckdb_connection connection = nullptr;
  REQUIRE(duckdb_open(nullptr, &database) == DuckDBSuccess);
  REQUIRE(duckdb_connect(database, &connection) == DuckDBSuccess);
  duckdb_result result;
  const std::string statement = absl::StrReplaceAll(sql, {{"/dev/stdout", out}});
  const bool ok = duckdb_query(connection, statement.c_str(), &result) == DuckDBSuccess;
  INFO(statement << ": " << (ok ? "" : duckdb_result_error(&result)));
  CHECK(ok);
  duckdb_destroy_result(&result);
  duckdb_disconnect(&connection);
  duckdb_close(&database);
}

// A folder with a program `duckdb`.
std::string MakeStandIn(const std::string& folder) {
  const std::string programs = folder + "/programs";
  std::filesystem::create_directories(programs);
  const std::string program = std::filesystem::read_symlink("/proc/self/exe").string();
  std::ofstream(programs + "/duckdb") << "#!/bin/sh\n[ \"$1\" = -c ] || exit 2\nout=$(mktemp) || exit 1\n"
                                      << "LOGQUERY_TEST_SQL=$2 LOGQUERY_TEST_OUT=$out '" << program
                                      << "' \"child: runs a statement as DuckDB's command line does\" >&2 || exit 1\n"
                                      << "cat \"$out\"; rm \"$out\"\n";
  chmod((programs + "/duckdb").c_str(), 0755);
  return programs;
}

TEST_CASE("an export is loaded into PostgreSQL by its own statements, and gives the same answers", "[postgres]") {
  ClusterOrSkip cluster;
  const testing::ExportedLogs exported;
  const emit::SchemaScript made = emit::PostgresSchema(model::BuiltInSchema(), {.reader = "logs_reader"});
  cluster.Sql(made.text);
  cluster.Sql("GRANT USAGE ON SCHEMA logs TO reader; GRANT SELECT ON ALL TABLES IN SCHEMA logs TO reader");
  const std::string programs = MakeStandIn(exported.folder() + "/..");
  cluster.RunScript(exported.folder(), "load_postgres.sql", programs);
  CHECK(cluster.Ask("SELECT count(*) FROM logs.edge_logs") == "60");

  PostgresTable table;
  table.name = "cloudflare.logs.prod";
  table.schema = "logs";
  table.table = "edge_logs";
  const auto backend = OpenPostgres(cluster.Options({table}));
  INFO(backend.status().ToString());
  REQUIRE(backend.ok());
  CHECK(testing::AnswersOf(**backend) == exported.Answers());
}

}  // namespace
}  // namespace logquery
