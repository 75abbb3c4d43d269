// `--backend FILE` with PostgreSQL, as a person types it: the answers of a data folder with the same rows, and what is refused.
#include <signal.h>

#include <catch2/catch_test_macros.hpp>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "lib/base/strings.h"
#include "tests/postgres/cluster_or_skip.h"
#include "tests/postgres/logflare_loader.h"
#include "tests/shim/command_run.h"
#include "tests/support/folders.h"

namespace logquery::testing {
namespace {

namespace fs = std::filesystem;
using base::StrCat;

// The sample's rows twice: in a data folder, and in a server in Logflare's layout with a backend file that describes it.
class SampleTwice {
 public:
  // `end`: when the newest row is from; empty: now.
  explicit SampleTwice(const std::string& end = kNow)
      : at_(cluster_.folder()), data(at_ / "data"), file(at_ / "backend.json") {
    const fs::path rows = at_ / "rows";
    std::vector<std::string> make = {"sample", "--rows", "3000", "--projects", "4", "--days", "2", "--seed", "7", rows};
    if (!end.empty()) make.insert(make.end(), {"--end", end});
    REQUIRE(shim::RunCommand(make).code == shim::kExitOk);
    std::vector<std::string> load = {"load", "--data", data};
    for (const auto& entry : fs::directory_iterator(rows)) {
      if (entry.path().extension() != ".ndjson") continue;
      load.push_back(entry.path());
      const PostgresTable table = LoadLogflare(cluster_, entry.path().stem(), ReadFile(entry.path()));
      tables_[table.name] = {{"table", table.table}, {"layout", "logflare"}};
    }
    REQUIRE(shim::RunCommand(load).code == shim::kExitOk);
    const auto manifest = nlohmann::json::parse(ReadFile(rows / "manifest.json"));
    project = manifest.at("projects").at(0).at("ref");
    const PostgresOptions options = cluster_.Options({});
    std::ofstream(at_ / "secret") << options.password << "\n";
    Write({{"engine", "postgres"},
           {"host", options.host},
           {"database", options.database},
           {"user", options.user},
           {"password", {{"file", "secret"}}},
           {"tables", tables_}});
  }

  void Write(const nlohmann::ordered_json& json) const { std::ofstream(file, std::ios::trunc) << json.dump(1); }
  nlohmann::ordered_json Read() const { return nlohmann::ordered_json::parse(ReadFile(file)); }

  static constexpr char kNow[] = "2026-03-04T05:06:07Z";
  Cluster& cluster() { return cluster_; }

 private:
  ClusterOrSkip cluster_;
  const fs::path at_;
  nlohmann::ordered_json tables_;

 public:
  const std::string data;
  const std::string file;
  std::string project;
};

TEST_CASE("run, check and translate take PostgreSQL from a backend file, and answer as a data folder does",
          "[postgres]") {
  const SampleTwice sample;
  const std::string project = StrCat("project=", sample.project);
  const std::vector<std::vector<std::string>> calls = {
      {"logs.all", project, "project_tier=PRO", "iso_timestamp_start=2026-03-03T00:00:00Z"},
      {"logs.all", project, "project_tier=PRO", "iso_timestamp_start=2026-03-03T00:00:00Z",
       "sql=select s.status_code, count(*) as n from edge_logs cross join unnest(metadata) as m cross join "
       "unnest(m.response) as s group by 1 order by 1"},
      {"usage.api-counts", project, "interval=daily"},
      {"functions.invocation-stats", project, "interval=1day"},
  };
  for (const std::vector<std::string>& call : calls) {
    CAPTURE(call);
    std::vector<std::string> there = {"run", "--now", SampleTwice::kNow, "--backend", sample.file};
    std::vector<std::string> here = {"run", "--now", SampleTwice::kNow, "--data", sample.data};
    there.insert(there.end(), call.begin(), call.end());
    here.insert(here.end(), call.begin(), call.end());
    const shim::Outcome answer = shim::RunCommand(there);
    const shim::Outcome expected = shim::RunCommand(here);
    INFO(answer.err << expected.err);
    REQUIRE(expected.code == shim::kExitOk);
    CHECK(expected.out != R"({"result":[]})");
    CHECK(answer.code == shim::kExitOk);
    CHECK(answer.out == expected.out);
  }

  const shim::Outcome checked = shim::RunCommand({"check", "--builtin", "--backend", sample.file});
  INFO(checked.out << checked.err);
  CHECK(checked.code == shim::kExitOk);
  CHECK(checked.out.find("\n  in PostgreSQL with DuckDB ") != std::string::npos);
  CHECK(checked.out.find("\n    part 1 of ") != std::string::npos);
  const shim::Outcome as_json = shim::RunCommand({"check", "--builtin", "--backend", sample.file, "--format", "json"});
  CHECK(as_json.code == shim::kExitOk);
  const auto report = nlohmann::json::parse(as_json.out);
  REQUIRE(report.at("endpoints").size() == 4);
  for (const auto& endpoint : report.at("endpoints")) CHECK_FALSE(endpoint.at("parts").empty());
  // The translation shows what runs there, and what is done here.
  const std::string sql = "select id from edge_logs where event_message = 'x' order by timestamp desc limit 5";
  const shim::Outcome translated =
      shim::RunCommand({"translate", "--endpoint", "logs.all", "--backend", sample.file, "-"}, sql);
  INFO(translated.out << translated.err);
  CHECK(translated.code == shim::kExitOk);
  CHECK(translated.out.find("COLLATE \"C\"") != std::string::npos);
}

TEST_CASE("a database that `schema` has made answers by the backend file that it prints", "[postgres]") {
  SampleTwice sample;
  const shim::Outcome script =
      shim::RunCommand({"schema", "--dialect", "postgres", "--reader", "logs_reader", "--days", "30"});
  REQUIRE(script.code == shim::kExitOk);
  sample.cluster().Sql(script.out);
  sample.cluster().Sql("ALTER ROLE logs_reader PASSWORD 'schema'; SET TimeZone = 'UTC'");
  // The rows that stand in Logflare's layout, each column in its own.
  const nlohmann::ordered_json logflare = sample.Read();
  for (const auto& [name, table] : logflare.at("tables").items()) {
    const std::string log = Catalog::DeclaredLogs().Find(name)->log;
    const bool has_project = Catalog::DeclaredLogs().Find(name)->project_path.size() == 1;
    sample.cluster().Sql(
        StrCat("INSERT INTO logs.", log, " (id, timestamp, event_message, metadata", has_project ? ", project" : "",
               ") SELECT id, timestamp, event_message, body -> 'metadata'", has_project ? ", body ->> 'project'" : "",
               " FROM ", table.at("table").get<std::string>()));
  }
  const shim::Outcome file =
      shim::RunCommand({"schema", "--dialect", "postgres", "--reader", "logs_reader", "--backend-file"});
  REQUIRE(file.code == shim::kExitOk);
  nlohmann::ordered_json backend = nlohmann::ordered_json::parse(file.out);
  for (const char* const place : {"host", "database"}) backend[place] = logflare.at(place);
  std::ofstream(fs::path(sample.file).parent_path() / "password") << "schema\n";
  sample.Write(backend);
  for (const char* const endpoint : {"logs.all", "usage.api-counts", "functions.invocation-stats"}) {
    CAPTURE(endpoint);
    const std::string interval = std::string_view(endpoint) == "usage.api-counts" ? "interval=daily" : "interval=1day";
    std::vector<std::string> there = {
        "run", "--now", SampleTwice::kNow, "--backend", sample.file, endpoint, StrCat("project=", sample.project)};
    if (std::string_view(endpoint) != "logs.all") there.push_back(interval);
    std::vector<std::string> here = there;
    here[3] = "--data";
    here[4] = sample.data;
    const shim::Outcome answer = shim::RunCommand(there);
    INFO(answer.err);
    CHECK(answer.out == shim::RunCommand(here).out);
    CHECK(answer.out.size() > 100);
  }
  // The role reads, and does nothing else; a project's newest rows come in the index's order.
  CHECK(sample.cluster().Ask("SELECT has_table_privilege('logs_reader', 'logs.edge_logs', 'INSERT')") == "f");
  const std::string plan = sample.cluster().Ask(
      "SET enable_seqscan = off; SET enable_bitmapscan = off; EXPLAIN (FORMAT json) SELECT id FROM logs.edge_logs "
      "WHERE project = 'p' ORDER BY "
      "timestamp DESC "
      "LIMIT 100");
  CAPTURE(plan);
  CHECK(plan.find("\"Index Scan\"") != std::string::npos);
  CHECK(plan.find("\"Sort\"") == std::string::npos);
}

// The page's ```sh block.
std::string CommandsOf(const fs::path& page) {
  constexpr std::string_view kBegin = "\n```sh\n";
  const std::string text = ReadFile(page);
  const size_t at = text.find(kBegin);
  REQUIRE(at != std::string::npos);
  return text.substr(at + kBegin.size(), text.find("\n```", at + 1) - at - kBegin.size());
}

TEST_CASE("the commands of the documentation answer from PostgreSQL, and serve over HTTP", "[postgres]") {
  const SampleTwice sample("");
  std::string commands = CommandsOf(testing::SourcePath("docs/postgres.md"));
  const size_t serve = commands.find("logquery serve");
  REQUIRE(serve != std::string::npos);
  commands += " --listen 127.0.0.1:0 --no-supervise >out &";
  std::ofstream script(fs::path(sample.file).parent_path() / "script");
  script << "set -eu\ncd " << fs::path(sample.file).parent_path().string() << "\nln -s backend.json postgres.json\n"
         << "export PATH=" << testing::BuildPath("bin") << ":$PATH REF=" << sample.project << "\n"
         << "trap 'kill $(jobs -p) 2>/dev/null || true; wait' EXIT\n"
         << "TOKEN=$(logquery token create --tokens tokens.json --label page --project $REF | head -n 1)\n"
         << commands << "\n"
         << "until grep -q '^listening on ' out; do kill -0 $!; sleep 0.05; done\n"
         << "url=$(sed -n 's/^listening on //p' out)\n"
         << "curl --fail-with-body -sS -H \"Authorization: Bearer $TOKEN\" "
         << "\"${url}api/endpoints/query/logs.all?project=$REF&sql=select+count(*)+as+n+from+edge_logs\"\n"
         << "curl --fail-with-body -sS \"${url}health\"\n";
  script.close();
  const std::string command = StrCat("timeout 120 bash ", fs::path(sample.file).parent_path().string(), "/script 2>&1");
  FILE* const pipe = popen(command.c_str(), "r");  // NOLINT(cert-env33-c): the page's commands are a shell's
  REQUIRE(pipe != nullptr);
  std::string output;
  for (int c; (c = fgetc(pipe)) != EOF;) output += static_cast<char>(c);
  const int status = pclose(pipe);
  INFO(output);
  CHECK(status == 0);
  CHECK(output.find("{\"result\":[{\"n\":") != std::string::npos);
  CHECK(output.find("{\"result\":[{\"timestamp\":") != std::string::npos);
}

// `logquery serve` as a process of its own, which ends with the object.
class Served {
 public:
  explicit Served(const fs::path& folder) : folder_(folder) {
    const std::string command =
        StrCat("cd ", folder.string(), " && echo $$ >pid && exec ", testing::BuildPath("bin/logquery"),
               " serve --backend backend.json --tokens tokens.json "
               "--listen 127.0.0.1:0 --no-supervise 2>log");
    output_ = popen(command.c_str(), "r");  // NOLINT(cert-env33-c): a shell starts the server
    REQUIRE(output_ != nullptr);
    std::string line;
    for (int c; (c = fgetc(output_)) != EOF && c != '\n';) line += static_cast<char>(c);
    INFO(log());
    REQUIRE(line.starts_with("listening on http://"));
    url_ = line.substr(line.find("http://"));
  }
  ~Served() {
    kill(std::stoi(ReadFile(folder_ / "pid")), SIGTERM);
    pclose(output_);
  }
  Served(const Served&) = delete;

  std::string log() const { return ReadFile(folder_ / "log"); }
  // Asks /ready until its status is this one, and returns the body: what the server knows may be some seconds old.
  std::string AwaitReady(int status) const {
    const std::string command =
        StrCat("cd ", folder_.string(), " && timeout 60 sh -c 'until [ $(curl -sS -o body -w %{http_code} ", url_,
               "ready) = ", status, " ]; do sleep 0.05; done'");
    REQUIRE(std::system(command.c_str()) == 0);  // NOLINT(cert-env33-c): as above
    return ReadFile(folder_ / "body");
  }

 private:
  const fs::path folder_;
  FILE* output_ = nullptr;
  std::string url_;
};

TEST_CASE("/ready follows PostgreSQL: it fails during an outage and recovers afterwards", "[postgres]") {
  SampleTwice sample("");
  const fs::path folder = fs::path(sample.file).parent_path();
  REQUIRE(shim::RunCommand({"token", "create", "--tokens", folder / "tokens.json", "--label", "t", "--all-projects"})
              .code == shim::kExitOk);
  const Served server(folder);
  CHECK(server.AwaitReady(200) == R"({"status":"ready"})");
  sample.cluster().Stop();
  CHECK(server.AwaitReady(503) == R"({"status":"unavailable","reason":"PostgreSQL cannot be reached"})");
  sample.cluster().Start();
  CHECK(server.AwaitReady(200) == R"({"status":"ready"})");
  INFO(server.log());
  CHECK(server.log().find("PostgreSQL cannot be reached: PostgreSQL can't be reached: ") != std::string::npos);
  CHECK(server.log().find("the engine answers again") != std::string::npos);
}

TEST_CASE("an invalid PostgreSQL backend file, or an unreachable server, is reported before anything runs",
          "[postgres]") {
  SampleTwice sample;
  const auto run = [&sample] {
    return shim::RunCommand(
        {"run", "--backend", sample.file, "usage.api-counts", StrCat("project=", sample.project), "interval=daily"});
  };
  const nlohmann::ordered_json right = sample.Read();
  REQUIRE(run().code == shim::kExitOk);

  nlohmann::ordered_json wrong = right;
  wrong["tables"]["cloudflare.logs.prod"]["layuot"] = "logflare";
  sample.Write(wrong);
  CHECK(run().code == shim::kExitUsage);
  CHECK(run().err.find("tables.cloudflare.logs.prod.layuot is not a field; known are ") != std::string::npos);
  CHECK(run().err.find(StrCat(sample.file, " at line 9, column 2: ")) != std::string::npos);

  wrong = right;
  wrong["tables"]["cloudflare.logs.prod"]["table"] = "log_events_gone";
  sample.Write(wrong);
  CHECK(run().err.find("log_events_gone") != std::string::npos);
  CHECK(run().code == shim::kExitFailed);

  sample.Write(right);
  // A server has no folder here that logs could be put into.
  const std::string tokens = fs::path(sample.file).parent_path() / "tokens.json";
  REQUIRE(shim::RunCommand({"token", "create", "--tokens", tokens, "--label", "t", "--all-projects"}).code ==
          shim::kExitOk);
  const shim::Outcome spooled = shim::RunCommand({"serve", "--tokens", tokens, "--backend", sample.file, "--spool",
                                                  "in", "--no-supervise", "--listen", "127.0.0.1:0"});
  INFO(spooled.err);
  CHECK(spooled.code != shim::kExitOk);
  CHECK(spooled.err.find("--spool is for a server that owns a data folder; the engine postgres has none") !=
        std::string::npos);

  std::ofstream(fs::path(sample.file).parent_path() / "secret") << "not the password";
  sample.Write(right);
  CHECK(run().code == shim::kExitFailed);
  CHECK(run().err.find("not the password") == std::string::npos);

  sample.cluster().Stop();
  const shim::Outcome stopped = run();
  INFO(stopped.err);
  CHECK(stopped.code == shim::kExitFailed);
}

}  // namespace
}  // namespace logquery::testing
