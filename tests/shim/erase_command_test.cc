// `logquery erase` from end to end: on a folder of its own, and on one that a server holds, caches included.
#include <catch2/catch_test_macros.hpp>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "lib/base/strings.h"
#include "nlohmann/json.hpp"
#include "tests/shim/command_run.h"
#include "tests/shim/server_fixture.h"
#include "tests/shim/supervised_server.h"

namespace logquery::shim {
namespace {

namespace fs = std::filesystem;

std::string WriteTree(const fs::path& file, const std::string& text) {
  fs::create_directories(file.parent_path());
  std::ofstream(file, std::ios::trunc | std::ios::binary) << text;
  return file;
}

// A row of edge_logs, as usage.api-counts reads it.
std::string Row(const std::string& id, const std::string& project) {
  return base::StrCat(R"({"id":")", id, R"(","timestamp":"2026-03-04T05:30:00Z","project":")", project,
                      R"(","event_message":"GET","metadata":[{"request":[{"url":"https://)", project,
                      R"(.example/rest/v1","path":"/rest/v1"}]}]})", "\n");
}

struct Folder : CommandFolder {
  Folder() : data(path + "/data") {
    const std::string file = Write("edge_logs.ndjson", Row("1", "gone") + Row("2", "kept") + Row("3", "gone"));
    REQUIRE(RunCommand({"load", "--data", data, file}).code == kExitOk);
  }
  Outcome Erase(const std::string& project, std::vector<std::string> more = {}) const {
    more.insert(more.begin(), {"erase", "--data", data, "--project", project});
    return RunCommand(more);
  }
  const std::string data;
};

TEST_CASE("erase reports the removed rows, and nothing the second time") {
  const Folder folder;
  const Outcome planned = folder.Erase("gone", {"--dry-run"});
  INFO(planned.err);
  CHECK(planned.code == kExitOk);
  CHECK(planned.out ==
        "  edge_logs: 2 rows\n2 rows, 0 rejected rows and 0 idempotency keys of project gone would be removed\n");
  const Outcome erased = folder.Erase("gone");
  CHECK(erased.code == kExitOk);
  CHECK(erased.out ==
        "  edge_logs: 2 rows\n2 rows, 0 rejected rows and 0 idempotency keys of project gone are removed\n");
  CHECK(erased.err.empty());
  const Outcome again = folder.Erase("gone");
  CHECK(again.code == kExitFailed);
  CHECK(again.out.empty());
  CHECK(again.err == base::StrCat("logquery: no rows of project gone in ", folder.data,
                                  "; projects are compared letter by letter\n"));
  const Outcome left = RunCommand({"run", "--data", folder.data, "--now", "2026-03-04T05:45:00Z", "logs.all",
                                   "project=kept", "sql=select count(*) as n from edge_logs"});
  CHECK(left.out == R"({"result":[{"n":1}]})");
}

TEST_CASE("erase as JSON has the counts of each log") {
  const Folder folder;
  const Outcome erased = folder.Erase("gone", {"--format", "json"});
  INFO(erased.err);
  CHECK(erased.code == kExitOk);
  CHECK(erased.out ==
        R"({"project":"gone","dry_run":false,"rows":2,"tables":[{"table":"cloudflare.logs.prod","log":"edge_logs",)"
        R"("rows":2}],"rejected_rows":0,"idempotency_keys":0,"not_read":{"rejected_rows_of_no_project":0,)"
        R"("spool_files_waiting":0,"spool_bytes_waiting":0,"spool_files_failed":0}})");
  const Outcome none = folder.Erase("goen", {"--format", "json"});
  CHECK(none.code == kExitFailed);
  CHECK(nlohmann::json::parse(none.out)["rows"] == 0);
  CHECK(Has(none.err, "no rows of project goen"));
}

TEST_CASE("erase loads the waiting files of an unserved folder's spool, and reports unreadable ones") {
  const Folder folder;
  WriteTree(folder.data + "/spool/edge_logs/waiting.ndjson", Row("4", "gone") + Row("5", "kept"));
  // A dry run loads nothing.
  const Outcome planned = folder.Erase("gone", {"--dry-run"});
  CHECK(planned.code == kExitFindings);
  CHECK(Has(planned.out, "  edge_logs: 2 rows\n"));
  CHECK(Has(planned.err, base::StrCat("not read: 1 file waits in ", folder.data, "/spool (")));
  WriteTree(folder.data + "/spool/no_such_log/waiting.ndjson", Row("6", "gone"));
  const Outcome erased = folder.Erase("gone");
  INFO(erased.err);
  CHECK(erased.code == kExitFindings);
  CHECK(Has(erased.out, "  edge_logs: 3 rows\n"));
  CHECK(Has(erased.err, base::StrCat("not read: 1 file that could not be loaded, in ", folder.data, "/spool/.failed")));
  CHECK(fs::exists(folder.data + "/spool/.failed/no_such_log/waiting.ndjson"));
}

TEST_CASE("erase reports rejected rows without a readable project") {
  const Folder folder;
  const std::string broken = WriteTree(folder.path + "/postgres_logs.ndjson", "{\"project\":\"gone\"}\nbroken\n");
  REQUIRE(RunCommand({"load", "--data", folder.data, broken}).code == kExitSomeRejected);
  const Outcome erased = folder.Erase("gone");
  CHECK(erased.code == kExitFindings);
  CHECK(Has(erased.out, "2 rows, 1 rejected row and 0 idempotency keys of project gone are removed\n"));
  CHECK(erased.err ==
        base::StrCat("kept: 1 rejected row from which no project can be read, in ", folder.data, "/rejected\n"));
}

TEST_CASE("erase rejects a missing folder and an empty project") {
  const Folder folder;
  const Outcome missing = RunCommand({"erase", "--data", folder.path + "/dta", "--project", "gone"});
  CHECK(missing.code == kExitFailed);
  CHECK(Has(missing.err, "there is no folder "));
  CHECK_FALSE(fs::exists(folder.path + "/dta"));
  CHECK(folder.Erase("").code == kExitUsage);
  CHECK(RunCommand({"erase", "--data", folder.data}).code == kExitUsage);
  const Outcome hostile = folder.Erase("\x1b[2J");
  CHECK(hostile.code == kExitFailed);
  CHECK_FALSE(Has(hostile.err, "\x1b"));
  CHECK(folder.Erase("\xff").code == kExitUsage);
}

TEST_CASE("erase on a served folder also removes rows from the server's cached answers") {
  const SupervisedServer served;
  const std::string data = served.folder() / "data";
  const std::string file =
      WriteTree(served.folder() / "more/edge_logs.ndjson", Row("1", "gone") + Row("2", "kept") + Row("3", "gone"));
  REQUIRE(RunCommand({"load", "--data", data, file}).code == kExitOk);
  const std::string path = "/api/endpoints/query/usage.api-counts?interval=hourly&project=gone%5C.example";
  CHECK(HeaderOf(served.Get(path), "Logquery-Cache") == "miss");
  const std::string cached = served.Get(path);
  CHECK(HeaderOf(cached, "Logquery-Cache") == "hit");
  CHECK(Has(BodyOf(cached), "\"total_rest_requests\":2"));

  const Outcome planned = RunCommand({"erase", "--data", data, "--project", "gone", "--dry-run"});
  CHECK(planned.code == kExitOk);
  CHECK(Has(planned.out, "2 rows, 0 rejected rows and 0 idempotency keys of project gone would be removed"));
  CHECK(HeaderOf(served.Get(path), "Logquery-Cache") == "hit");

  const Outcome erased = RunCommand({"erase", "--data", data, "--project", "gone"});
  INFO(erased.err);
  CHECK(erased.code == kExitOk);
  CHECK(Has(erased.out, "  edge_logs: 2 rows\n"));
  const std::string after = served.Get(path);
  CHECK(HeaderOf(after, "Logquery-Cache") == "miss");
  CHECK(BodyOf(after) == R"({"result":[]})");
  CHECK(Has(BodyOf(served.Get("/api/endpoints/query/usage.api-counts?interval=hourly&project=kept%5C.example")),
            "\"total_rest_requests\":1"));
  CHECK(Has(RunCommand({"erase", "--data", data, "--project", "gone"}).err, "no rows of project gone"));
}

}  // namespace
}  // namespace logquery::shim
