// Exports that are rejected: unknown logs, other content in the target, damaged manifests, other processes.
#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <catch2/catch_test_macros.hpp>
#include <filesystem>
#include <string>
#include <vector>

#include "absl/strings/str_replace.h"
#include "lib/base/strings.h"
#include "lib/engines/duckdb/backend/database.h"
#include "logquery/store/export.h"
#include "tests/store/exported_folder.h"
#include "tests/store/folder_test_util.h"

namespace logquery::store::export_tests {
namespace {

TEST_CASE("an export of a missing folder, log or day is an error with a suggestion") {
  const Logs logs;
  ExportRequest request;
  request.folder = logs.folder / "nothing";
  request.target = logs.out;
  CHECK(ExportFolder(request).status().code() == absl::StatusCode::kNotFound);
  CHECK_FALSE(fs::exists(logs.out));

  request.logs = {"edge_log"};
  const absl::Status unknown = logs.TryExport(request).status();
  CHECK(unknown.code() == absl::StatusCode::kInvalidArgument);
  CHECK(base::Message(unknown).find("there is no log edge_log; did you mean edge_logs") == 0);

  request.logs.clear();
  request.from = absl::CivilDay(2026, 1, 12);
  request.to = absl::CivilDay(2026, 1, 11);
  CHECK(base::Message(logs.TryExport(request).status()) ==
        "no day is from 2026-01-12 to 2026-01-11: the first day is after the last");
}

TEST_CASE("an export rejects a folder with other content") {
  const Logs logs;
  const auto refused = [&](std::string_view name) {
    const absl::Status status = logs.TryExport().status();
    INFO(status.ToString());
    CHECK(status.code() == absl::StatusCode::kFailedPrecondition);
    CHECK(base::Message(status).find(base::StrCat(logs.out, "/", name, " is not of an export")) == 0);
  };
  fs::create_directories(logs.out + "/edge_logs");
  WriteFile(logs.out + "/notes.txt", "mine");
  refused("notes.txt");
  CHECK(NamesIn(logs.out) == std::vector<std::string>{"notes.txt"});
  fs::remove(logs.out + "/notes.txt");
  WriteFile(logs.out + "/edge_logs/2026-01-10.parquet", "mine");
  refused("edge_logs/2026-01-10.parquet");
  CHECK(ReadFile(logs.out + "/edge_logs/2026-01-10.parquet") == "mine");
  fs::remove(logs.out + "/edge_logs/2026-01-10.parquet");
  logs.Export();
  WriteFile(logs.out + "/edge_logs/2025-01-10.parquet", "mine");
  refused("edge_logs/2025-01-10.parquet");

  ExportRequest request;
  request.target = WriteFile(logs.folder / "file", "");
  CHECK(base::Message(logs.TryExport(request).status()) == request.target + " is not a folder");
}

TEST_CASE("a damaged or newer manifest is rejected") {
  const Logs logs;
  logs.Export();
  const std::string name = logs.out + "/manifest.json";
  const std::string text = ReadFile(name);
  for (const auto& [from, to] : std::vector<std::pair<std::string, std::string>>{
           {"\"files\"", "\"file\""}, {"edge_logs/", "../"}, {"\"bytes\":", "\"byte\":"}, {"}", ""}, {"2026", "a/b"}}) {
    CAPTURE(from);
    WriteFile(name, absl::StrReplaceAll(text, {{from, to}}));
    const absl::Status status = logs.TryExport().status();
    CHECK(status.code() == absl::StatusCode::kDataLoss);
    CHECK(base::Message(status).find(logs.out + ": manifest.json is damaged: ") == 0);
  }
  WriteFile(name, absl::StrReplaceAll(text, {{"\"logquery_export\": 1", "\"logquery_export\": 2"}}));
  CHECK(logs.TryExport().status().code() == absl::StatusCode::kFailedPrecondition);
}

TEST_CASE("an export can run with other readers, but not with a writer nor into another export's target") {
  const Logs logs;
  {
    const auto reader = logs.Open(/*read_only=*/true);
    CHECK(logs.Export().files == 5);
  }
  {
    const auto writer = logs.Open();
    const absl::Status status = logs.TryExport().status();
    CHECK(status.code() == absl::StatusCode::kFailedPrecondition);
    CHECK(base::Message(status).find(" is held by process ") != std::string_view::npos);
  }
  const int lock = open((logs.out + "/.lock").c_str(), O_RDWR);
  REQUIRE(flock(lock, LOCK_EX | LOCK_NB) == 0);
  CHECK(base::Message(logs.TryExport().status()) == "another process is exporting into " + logs.out);
  close(lock);
  CHECK(logs.Export().kept == 5);
}

TEST_CASE("an engine with a folder for files reaches nothing outside that folder") {
  TemporaryFolder folder;
  fs::create_directories(folder / "in");
  WriteFile(folder / "secret", "x");
  duckdb::DatabaseOptions options;
  options.files_folder = (folder / "in") + "/";
  auto database = duckdb::Database::Open(options);
  REQUIRE(database.ok());
  auto connection = database->Connect();
  REQUIRE(connection.ok());
  const auto run = [&](const std::string& sql) { return duckdb::Run(connection->get(), sql); };
  CHECK(run(base::StrCat("COPY (SELECT 1) TO '", folder / "in/a.parquet", "' (FORMAT parquet)")).ok());
  CHECK_FALSE(run(base::StrCat("COPY (SELECT 1) TO '", folder / "a.parquet", "' (FORMAT parquet)")).ok());
  CHECK_FALSE(run(base::StrCat("COPY (SELECT 1) TO '", folder / "in/../a.parquet", "' (FORMAT parquet)")).ok());
  CHECK_FALSE(run(base::StrCat("SELECT * FROM read_text('", folder / "secret", "')")).ok());
  CHECK_FALSE(run(base::StrCat("ATTACH '", folder / "other.duckdb", "'")).ok());
  CHECK_FALSE(run("SET GLOBAL enable_external_access = true").ok());
  CHECK_FALSE(run("SET GLOBAL allowed_directories = ['/']").ok());
  CHECK_FALSE(fs::exists(folder / "a.parquet"));
}

}  // namespace
}  // namespace logquery::store::export_tests
