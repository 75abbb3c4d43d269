// `import rows`, from a real server with tables as Logflare has them: the rows that `load` stores of the same events, each once,
// whatever ends a run.
#include <signal.h>
#include <stdlib.h>

#include <catch2/catch_test_macros.hpp>
#include <filesystem>
#include <fstream>
#include <memory>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <vector>

#include "absl/strings/str_replace.h"
#include "lib/base/strings.h"
#include "lib/engines/postgres/backend/dsn.h"
#include "logquery/store/duckdb_backend.h"
#include "logquery/store/spool.h"
#include "shim/cli/folder/folder.h"
#include "shim/cli/migrate/row_import.h"
#include "tests/postgres/cluster_or_skip.h"
#include "tests/postgres/logflare_loader.h"
#include "tests/shim/command_run.h"
#include "tests/support/child_process.h"

namespace logquery::testing {
namespace {

namespace fs = std::filesystem;
using base::StrCat;

constexpr char kNow[] = "2026-03-04T05:06:07Z";

// A server as Logflare leaves it: a table for each of three sources, in a schema of its own, with its list of sources. The sample's
// events of those logs are also in a data folder.
class Logflare {
 public:
  Logflare() : folder(cluster.folder()) {
    REQUIRE(shim::RunCommand({"sample", "--rows", "1200", "--projects", "2", "--days", "4", "--seed", "7", "--end",
                              kNow, folder / "rows"})
                .code == 0);
    cluster.Sql("CREATE SCHEMA _analytics; CREATE TABLE _analytics.sources (id bigint, name text, token uuid)");
    const char* const names[] = {"cloudflare.logs.prod", "postgres.logs", "gotrue.logs.prod"};
    for (const char* const name : names) {
      LoadLogflare(cluster, name, ReadFile(folder / "rows" / StrCat(name, ".ndjson")));
      AddSource(name, StrCat("log_events_", absl::StrReplaceAll(name, {{".", "_"}})));
      REQUIRE(
          shim::RunCommand({"load", "--data", loaded(), "--source", name, folder / "rows" / StrCat(name, ".ndjson")})
              .code == 0);
    }
    Grant();
    std::ofstream(folder / "secret") << cluster.Options({}).password << "\n";
  }

  // Lists a source with a UUID of its own, and gives its table the name that Logflare gives it.
  std::string AddSource(const std::string& name, const std::string& table) {
    const std::string uuid = StrCat("0f3c5a7e-9d3b-4628-80df-00000000000", sources_++);
    cluster.Sql(StrCat("INSERT INTO _analytics.sources VALUES (1, '", name, "', '", uuid, "'); ALTER TABLE ", table,
                       " SET SCHEMA _analytics; ALTER TABLE _analytics.", table, " RENAME TO ", TableOf(uuid)));
    return uuid;
  }
  static std::string TableOf(const std::string& uuid) {
    return StrCat("log_events_", absl::StrReplaceAll(uuid, {{"-", "_"}}));
  }
  void Grant() {
    cluster.Sql(
        "GRANT USAGE ON SCHEMA _analytics TO reader; GRANT SELECT ON ALL TABLES IN SCHEMA _analytics TO reader");
  }

  std::string dsn() const { return StrCat("host=", folder.string(), " user=reader dbname=postgres"); }
  shim::Outcome Import(const std::string& data, std::vector<std::string> more = {}) const {
    std::vector<std::string> arguments = {
        "import", "rows", "--from-postgres", dsn(), "--password-file", folder / "secret", "--data", data};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return shim::RunCommand(arguments);
  }
  std::string loaded() const { return folder / "loaded"; }

  ClusterOrSkip cluster;
  const fs::path folder;

 private:
  int sources_ = 0;
};

// All rows of the three logs.
std::string RowsIn(const std::string& data) {
  const auto manifest = nlohmann::json::parse(ReadFile(fs::path(data).parent_path() / "rows/manifest.json"));
  std::string sql;
  for (const char* const log : {"edge_logs", "postgres_logs", "auth_logs"}) {
    base::StrAppend(&sql, sql.empty() ? "sql=" : " union all ",
                    "select id, timestamp, event_message, to_json_string(metadata) as metadata from ", log);
  }
  std::string rows;
  for (const auto& project : manifest["projects"]) {
    const std::string ref = project["ref"];
    const shim::Outcome one = shim::RunCommand({"run", "--data", data, "--now", kNow, "logs.all", "project=" + ref,
                                                "project_tier=ENTERPRISE", sql + " order by id"});
    INFO(one.err);
    REQUIRE(one.code == 0);
    rows += one.out;
  }
  CHECK(rows.size() > 100'000);
  return rows;
}

int64_t CountIn(const std::string& data, const std::string& log) {
  const shim::Outcome stats = shim::RunCommand({"stats", "--data", data, "--format", "json"});
  REQUIRE(stats.code == 0);
  const auto json = nlohmann::json::parse(stats.out);
  for (const auto& table : json["tables"]) {
    if (table["log"] == log) return table["rows"].get<int64_t>();
  }
  return -1;
}

TEST_CASE("import rows stores the same rows as load, and a second run stores nothing") {
  const Logflare logflare;
  const std::string data = logflare.folder / "imported";
  const shim::Outcome dry = logflare.Import(data, {"--dry-run"});
  INFO(dry.err);
  CHECK(dry.code == 0);
  CHECK(dry.out.find("rows of 5 days would go into cloudflare.logs.prod") != std::string::npos);
  CHECK_FALSE(fs::exists(data));
  const shim::Outcome first = logflare.Import(data);
  INFO(first.err << first.out);
  CHECK(first.code == 0);
  CHECK(first.out.find("cloudflare.logs.prod: ") == 0);
  CHECK(RowsIn(data) == RowsIn(logflare.loaded()));
  const shim::Outcome second = logflare.Import(data);
  CHECK(second.code == 0);
  CHECK(second.out.find("cloudflare.logs.prod: 0 of ") == 0);
  CHECK(second.out.find("5 days imported before") != std::string::npos);
  for (const char* const log : {"edge_logs", "postgres_logs", "auth_logs"}) {
    CHECK(CountIn(data, log) == CountIn(logflare.loaded(), log));
  }
}

TEST_CASE("import rows imports the rows that came after the last run, once") {
  Logflare logflare;
  const std::string data = logflare.folder / "imported";
  const std::string table = StrCat("_analytics.", Logflare::TableOf("0f3c5a7e-9d3b-4628-80df-000000000000"));
  logflare.cluster.Sql(StrCat("CREATE TEMP TABLE late AS SELECT * FROM ", table,
                              " WHERE id LIKE '1%' OR id LIKE 'a%'; DELETE FROM ", table,
                              " WHERE id IN (SELECT id FROM late)"));
  REQUIRE(logflare.Import(data).code == 0);
  const int64_t before = CountIn(data, "edge_logs");
  CHECK(before < CountIn(logflare.loaded(), "edge_logs"));
  logflare.cluster.Sql(StrCat("INSERT INTO ", table, " SELECT * FROM late"));
  const shim::Outcome again = logflare.Import(data);
  CHECK(again.code == 0);
  CHECK(again.out.find("there already") != std::string::npos);
  CHECK(RowsIn(data) == RowsIn(logflare.loaded()));
  CHECK(CountIn(data, "edge_logs") == CountIn(logflare.loaded(), "edge_logs"));
}

TEST_CASE("child: imports until it is killed", "[.child]") {
  std::istringstream argument(ChildArgument());
  shim::RowImportJob job;
  int steps = 0;
  std::string host;
  argument >> steps >> host >> job.folder;
  job.dsn = StrCat("host=", host, " user=reader dbname=postgres");
  job.password = ReadFile(fs::path(host) / "secret");
  job.password.pop_back();
  job.catalog = Catalog::DeclaredLogs();
  job.progress = [&steps](const shim::ImportedSource&, int64_t) {
    if (steps-- == 0) raise(SIGKILL);
  };
  shim::RowImportReport report;
  CHECK(shim::ImportRows(job, report).ok());
}

TEST_CASE("a killed import is completed by the next run without duplicate rows") {
  const Logflare logflare;
  const std::string data = logflare.folder / "imported";
  for (const int steps : {0, 2, 1, 4}) {
    CHECK(RunInChild("child: imports until it is killed", StrCat(steps, " ", logflare.folder.string(), " ", data)) ==
          -SIGKILL);
  }
  CHECK(logflare.Import(data).code == 0);
  CHECK(RowsIn(data) == RowsIn(logflare.loaded()));
  for (const char* const log : {"edge_logs", "postgres_logs", "auth_logs"}) {
    CHECK(CountIn(data, log) == CountIn(logflare.loaded(), log));
  }
}

TEST_CASE("import rows passes through the spool of a server that holds the folder") {
  const Logflare logflare;
  const std::string data = logflare.folder / "imported";
  {
    const auto backend = OpenDuckDb({.folder = data});
    REQUIRE(backend.ok());
    const auto spool = Spool::Open({.folder = shim::SpoolIn(data), .logs = {"edge_logs", "postgres_logs", "auth_logs"}},
                                   &(*backend)->store());
    REQUIRE(spool.ok());
    REQUIRE((*spool)->Start().ok());
    for (int run = 0; run < 2; ++run) {
      shim::RowImportJob job;
      job.dsn = logflare.dsn();
      job.password = logflare.cluster.Options({}).password;
      job.catalog = Catalog::DeclaredLogs();
      job.folder = data;
      shim::RowImportReport report;
      const absl::Status status = shim::ImportRows(job, report);
      INFO(status.ToString());
      REQUIRE(status.ok());
      REQUIRE(report.sources.size() == 3);
      for (const shim::ImportedSource& source : report.sources) {
        CHECK(source.totals.rows == (run == 0 ? source.rows_there : 0));
        // A file of the same bytes is not loaded again.
        CHECK(source.totals.files_loaded == (run == 0 ? source.days : 0));
      }
    }
    (*spool)->Stop();
  }
  CHECK(RowsIn(data) == RowsIn(logflare.loaded()));
}

TEST_CASE("import rows reports and keeps the rows that it cannot read") {
  Logflare logflare;
  Cluster& cluster = logflare.cluster;
  const std::string data = logflare.folder / "imported";
  // A source of another name; a table without a body; one that the role may not read.
  cluster.Sql("CREATE TABLE other (id text PRIMARY KEY, body jsonb, event_message text, \"timestamp\" timestamp)");
  cluster.Sql(
      "INSERT INTO other VALUES ('a', '{\"project\": \"abc\", \"metadata\": {\"level\": \"info\"}}', 'fine', "
      "'2026-03-04 01:00:00.123456'), "
      "('b', '[1, {\"x\": null}]', 'a list', '2026-03-04 01:00:01'), ('c', NULL, 'no body', '2026-03-04 01:00:02'), "
      "('d', '{}', 'no time', NULL), ('e', '{}', 'at the end of time', 'infinity'), ('f', '{}', 'before Christ', "
      "'0044-03-15 BC')");
  const std::string other = logflare.AddSource("my.own.source", "other");
  cluster.Sql("CREATE TABLE bodiless (id text)");
  logflare.AddSource("bodiless", "bodiless");
  logflare.Grant();
  cluster.Sql("CREATE TABLE hidden (id text PRIMARY KEY, body jsonb, event_message text, \"timestamp\" timestamp)");
  cluster.Sql("REVOKE SELECT ON hidden FROM reader");
  logflare.AddSource("hidden", "hidden");

  const shim::Outcome first = logflare.Import(data);
  CHECK(first.code == 3);
  CHECK(first.err.find("my.own.source: not imported: there is no log of its name; --source my.own.source=LOG says "
                       "where its rows go; it is "
                       "_analytics." +
                       Logflare::TableOf(other)) != std::string::npos);
  CHECK(first.err.find("bodiless: not imported: it lacks one of the columns") != std::string::npos);
  CHECK(first.err.find("hidden: not imported: the role may not read it: GRANT") != std::string::npos);
  CHECK(CountIn(data, "edge_logs") == CountIn(logflare.loaded(), "edge_logs"));

  const shim::Outcome mapped = logflare.Import(data, {"--source", other + "=storage_logs"});
  INFO(mapped.out << mapped.err);
  CHECK(mapped.code == 3);
  CHECK(mapped.out.find("my.own.source: 3 of 6 rows of 3 days imported into storage.logs.prod.2, 3 rejected") !=
        std::string::npos);
  CHECK(mapped.err.find("kept, but not as a column: body") != std::string::npos);
  CHECK(CountIn(data, "storage_logs") == 3);
  std::string rejected;
  for (const auto& entry : fs::directory_iterator(data + "/rejected")) rejected += ReadFile(entry.path());
  CHECK(rejected.find("at the end of time") != std::string::npos);
  CHECK(rejected.find("before Christ") != std::string::npos);

  // For programs the same is one object, and without a word nothing but errors.
  const shim::Outcome listed = logflare.Import(data, {"--dry-run", "--json"});
  const auto report = nlohmann::json::parse(listed.out);
  CHECK(listed.err.empty());
  for (const auto& source : report["sources"]) {
    if (source["source"] == "hidden") CHECK(source["problem"].get<std::string>().find("GRANT") != std::string::npos);
    if (source["log"] == "cloudflare.logs.prod") CHECK(source["rows_there"] > 0);
  }
  CHECK(report["sources"].size() >= 4);
  CHECK(logflare.Import(data, {"--dry-run", "--quiet"}).out.empty());

  CHECK(logflare.Import(data, {"--source", "nobody=storage_logs"})
            .err.find("there is no source \"nobody\"; there are ") != std::string::npos);
  CHECK(logflare.Import(data, {"--source", other + "=storag_logs"}).err.find("did you mean storage_logs?") !=
        std::string::npos);
  CHECK(logflare.Import(data, {"--source", "storage_logs"}).err.find("it is SOURCE=LOG") != std::string::npos);
  CHECK(logflare.Import(data, {"--from-schema", "public"}).err.find("there is no table of Logflare's") !=
        std::string::npos);
  // Without the list of sources each is known by its UUID.
  cluster.Sql("REVOKE SELECT ON _analytics.sources FROM reader");
  const shim::Outcome nameless = logflare.Import(data, {"--dry-run"});
  CHECK(
      nameless.err.find("the sources' names are unknown: _analytics.sources is not there, or the role may not read") !=
      std::string::npos);
  CHECK(nameless.err.find("0f3c5a7e-9d3b-4628-80df-000000000000: not imported: there is no log of its name") !=
        std::string::npos);
}

TEST_CASE("connection strings are parsed, and passwords in them are rejected") {
  const auto dsn =
      postgres::OptionsFromDsn("postgres://reader@db.internal:6543/logs?sslmode=require&connect_timeout=7");
  REQUIRE(dsn.ok());
  CHECK(dsn->host == "db.internal");
  CHECK(dsn->port == 6543);
  CHECK(dsn->user == "reader");
  CHECK(dsn->database == "logs");
  CHECK(dsn->tls == "require");
  CHECK(dsn->connect_timeout == absl::Seconds(7));
  CHECK(postgres::OptionsFromDsn("host=/run/pg user=reader dbname=logs")->tls == "verify-full");
  const auto message = [](const std::string& text) {
    const auto options = postgres::OptionsFromDsn(text);
    REQUIRE(absl::IsInvalidArgument(options.status()));
    CHECK(options.status().message().find("hunter2") == absl::string_view::npos);
    return std::string(options.status().message());
  };
  CHECK(message("postgres://reader:hunter2@db/logs").find("has a password, which everybody") != std::string::npos);
  CHECK(message("host=db user=reader dbname=logs password=hunter2").find("has a password") != std::string::npos);
  CHECK(message("hunter2").find("is not one; it is such as") != std::string::npos);
  CHECK(message("host=db hunter2=1").find("is not one") != std::string::npos);
  CHECK(message("postgres://reader@db/logs?sslmode=prefer").find("sslmode") != std::string::npos);
  CHECK(message("postgres://reader@db/logs?options=-c%20x%3Dhunter2")
            .find("the setting options, which is not supported") != std::string::npos);
  CHECK(message("postgres://reader@db:99999/logs").find("port") != std::string::npos);
  CHECK(message("postgres://reader@/logs") == "the connection string names no host");
  CHECK(message("postgres://db/logs") == "the connection string names no user");
  CHECK(message("postgres://reader@db") == "the connection string names no database");
}

}  // namespace
}  // namespace logquery::testing
