// Folders that are in order, and each thing that may not be.
#include <sys/stat.h>

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <filesystem>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_replace.h"
#include "lib/base/strings.h"
#include "lib/engines/duckdb/backend/database.h"
#include "logquery/store/folder_check.h"
#include "tests/store/folder_test_util.h"

namespace logquery::store {
namespace {

namespace fs = std::filesystem;
using Kind = FolderFinding::Kind;
using Findings = std::vector<FolderFinding>;

// Removes findings about the room on the disk of the machine that runs the tests.
Findings Without(Findings findings) {
  std::erase_if(findings, [](const FolderFinding& finding) { return absl::StrContains(finding.what, "the disk has"); });
  return findings;
}

Findings Check(const std::string& folder, bool repair = false, bool read_rows = false,
               const char* schema = kTestSchema) {
  FolderCheckOptions options;
  options.folder = folder;
  options.schema_json = schema;
  options.repair = repair;
  options.read_rows = read_rows;
  auto findings = CheckFolder(options);
  INFO(findings.status().ToString());
  REQUIRE(findings.ok());
  return Without(*std::move(findings));
}

Findings CheckOpen(DuckDbBackend& backend, bool read_rows = false) {
  auto findings = backend.Check(read_rows);
  INFO(findings.status().ToString());
  REQUIRE(findings.ok());
  return Without(*std::move(findings));
}

std::string TextOf(const Findings& findings) {
  std::string text;
  for (const FolderFinding& finding : findings) {
    base::StrAppend(&text, static_cast<int>(finding.kind), finding.repaired ? " repaired " : " ", finding.what, " / ",
                    finding.to_do, "\n");
  }
  return text;
}

std::string Rows(int count) {
  std::string text;
  for (int i = 0; i < count; ++i) text += Row("\"i\":" + std::to_string(i)) + "\n";
  return text;
}

struct LoadedFolder {
  explicit LoadedFolder(int rows = 3) : data(folder / "data") {
    const auto backend = OpenFolder(data);
    Load(*backend, {.table = "test.logs", .files = {WriteFile(folder / "a", Rows(rows) + "bad\n")}});
    REQUIRE(backend->store().Checkpoint().ok());
  }
  // Changes the database as another program would that opens it.
  void Change(const std::string& sql) const {
    duckdb::DatabaseOptions options;
    options.file = data + "/logs.duckdb";
    const auto database = duckdb::Database::Open(options);
    REQUIRE(database.ok());
    const auto connection = database->Connect();
    REQUIRE(connection.ok());
    const absl::Status status = duckdb::Run(connection->get(), sql);
    INFO(status.ToString());
    REQUIRE(status.ok());
  }

  TemporaryFolder folder;
  std::string data;
};

TEST_CASE("in a folder that is in order nothing is found, whether it is open or not") {
  const LoadedFolder at;
  for (const bool read_rows : {false, true}) {
    CHECK(TextOf(Check(at.data, false, read_rows)).empty());
    CHECK(TextOf(Check(at.data, true, read_rows)).empty());
    for (const bool read_only : {false, true}) {
      CHECK(TextOf(CheckOpen(*OpenFolder(at.data, read_only), read_rows)).empty());
    }
  }
  const auto backend = OpenFolder(at.data);
  const std::string row = Row();
  const std::vector<std::string_view> rows = {row};
  REQUIRE(backend->store().Append({.table = "test.logs", .rows = rows}).ok());
  CHECK(TextOf(CheckOpen(*backend)).empty());
  CHECK(TextOf(CheckOpen(*OpenInMemory())).empty());
}

TEST_CASE("check refuses a path that is no data folder, or is in use, and creates nothing there") {
  TemporaryFolder folder;
  fs::create_directory(folder / "home");
  WriteFile(folder / "home/notes", "mine");
  for (const bool repair : {false, true}) {
    FolderCheckOptions options;
    options.repair = repair;
    options.schema_json = kTestSchema;
    options.folder = folder / "absent";
    CHECK(CheckFolder(options).status().code() == absl::StatusCode::kNotFound);
    options.folder = folder / "home";
    CHECK(CheckFolder(options).status().code() == absl::StatusCode::kNotFound);
    const auto backend = OpenFolder(folder / "data");
    options.folder = folder / "data";
    CHECK(CheckFolder(options).status().code() == absl::StatusCode::kFailedPrecondition);
  }
  CHECK(std::distance(fs::directory_iterator(folder / "home"), fs::directory_iterator()) == 1);
  // Readers do not mind being looked at, but nothing is repaired below them.
  const auto reader = OpenFolder(folder / "data", /*read_only=*/true);
  CHECK(TextOf(Check(folder / "data")).empty());
  CHECK(CheckFolder({folder / "data", kTestSchema, true}).status().code() == absl::StatusCode::kFailedPrecondition);
}

TEST_CASE("each defect of the database is found, with advice") {
  struct Case {
    const char* sql;
    Kind kind;
    const char* says;
  };
  const Case cases[] = {
      {R"(DELETE FROM "test.logs" WHERE i = 1)", Kind::kError, "test.logs has 2 rows, but 3 were loaded"},
      {"INSERT INTO logquery.loads FROM logquery.loads", Kind::kError, "is in test.logs 2 times"},
      {R"(ALTER TABLE "test.logs" DROP COLUMN b)", Kind::kError, "the column test.logs.b is not there"},
      {R"(ALTER TABLE "test.logs" ALTER i TYPE VARCHAR)", Kind::kError, "test.logs.i is VARCHAR"},
      {R"(DROP TABLE "test.logs")", Kind::kError, "test.logs has 0 rows, but 3 were loaded"},
      {R"(ALTER TABLE "test.logs" ADD COLUMN more INTEGER)", Kind::kWarning, "a column test.logs.more"},
  };
  for (const Case& c : cases) {
    CAPTURE(c.sql);
    const LoadedFolder at;
    at.Change(c.sql);
    const Findings findings = Check(at.data, false, true);
    CAPTURE(TextOf(findings));
    REQUIRE_FALSE(findings.empty());
    CHECK(findings.front().kind == c.kind);
    CHECK(absl::StrContains(TextOf(findings), c.says));
    for (const FolderFinding& finding : findings) CHECK_FALSE(finding.to_do.empty());
  }
}

TEST_CASE("each defect of the folder's files is found, with advice") {
  struct Case {
    const char* what;
    std::function<void(const std::string& data)> harm;
    Kind kind;
    const char* says;
  };
  const Case cases[] = {
      {"no format", [](const std::string& data) { fs::remove(data + "/FORMAT"); }, Kind::kError, "no file FORMAT"},
      {"newer", [](const std::string& data) { WriteFile(data + "/FORMAT", "logquery data folder, format 99\n"); },
       Kind::kError, "Use the newer version"},
      {"half restored",
       [](const std::string& data) { WriteFile(data + "/FORMAT", "logquery data folder, being restored\n"); },
       Kind::kError, "restore into it again"},
      {"no database", [](const std::string& data) { WriteFile(data + "/logs.duckdb", "text"); }, Kind::kError,
       "restore a backup"},
      {"open to others", [](const std::string& data) { chmod(data.c_str(), 0755); }, Kind::kWarning, "chmod o= "},
      {"refused",
       [](const std::string& data) {
         fs::create_directories(data + "/spool/.failed/test_logs");
         WriteFile(data + "/spool/.failed/test_logs/x.ndjson", "bad");
         WriteFile(data + "/spool/.failed/test_logs/x.ndjson.outcome", R"({"outcome":"failed","reason":"no rows"})");
       },
       Kind::kWarning, "1 file of the spool could not be loaded; x.ndjson: no rows"},
      {"waiting",
       [](const std::string& data) {
         fs::create_directories(data + "/spool/.taken/test_logs");
         WriteFile(data + "/spool/.taken/test_logs/x.ndjson", "");
       },
       Kind::kNote, "1 file waits in the spool"},
  };
  for (const Case& c : cases) {
    CAPTURE(c.what);
    const LoadedFolder at;
    c.harm(at.data);
    const Findings findings = Check(at.data);
    CAPTURE(TextOf(findings));
    REQUIRE(findings.size() == 1);
    CHECK(findings[0].kind == c.kind);
    CHECK(absl::StrContains(TextOf(findings), c.says));
  }
}

// A schema of several tables, each of which learns as many fields as it may.
TEST_CASE("a defect in one of five tables with 100 learned fields each is found") {
  constexpr int kTables = 5;
  constexpr int kFields = 100;
  std::string schema = "{";
  for (int t = 0; t < kTables; ++t) {
    base::StrAppend(&schema, t == 0 ? "" : ",", R"("learned)", t, R"(": {"log": "learned)", t,
                    R"(", "time": "timestamp", "project": ["project"], "columns": {"id": "STRING",)"
                    R"( "timestamp": "TIMESTAMP", "event_message": "STRING", "project": "STRING",)"
                    R"( "metadata": {"level": "STRING"}}})");
  }
  schema += "}";
  const TemporaryFolder folder;
  const std::string data = folder / "data";
  DuckDbOptions options;
  options.folder = data;
  options.schema_json = schema;
  {
    auto backend = OpenDuckDb(options);
    INFO(backend.status().ToString());
    REQUIRE(backend.ok());
    for (int t = 0; t < kTables; ++t) {
      std::string row = R"({"timestamp":"2026-03-04T05:06:07Z","metadata":{)";
      for (int f = 0; f < kFields; ++f) base::StrAppend(&row, f == 0 ? "" : ",", "\"field", f, "\":", f);
      row += "}}\n";
      const auto report = (*backend)->store().Load(
          {.table = base::StrCat("learned", t), .files = {WriteFile(folder / base::StrCat("rows", t), row)}}, nullptr);
      INFO(report.status().ToString());
      REQUIRE(report.ok());
      CHECK(report->learned_fields.size() == kFields);
    }
    CHECK(TextOf(CheckOpen(**backend, true)).empty());
    REQUIRE((*backend)->store().Checkpoint().ok());
  }
  CHECK(TextOf(Check(data, false, /*read_rows=*/true, schema.c_str())).empty());
  {
    duckdb::DatabaseOptions database_options;
    database_options.file = data + "/logs.duckdb";
    const auto database = duckdb::Database::Open(database_options);
    REQUIRE(database.ok());
    const auto connection = database->Connect();
    REQUIRE(connection.ok());
    REQUIRE(duckdb::Run(connection->get(), R"(ALTER TABLE learned3 ALTER "metadata.field7" TYPE VARCHAR)").ok());
    REQUIRE(duckdb::Run(connection->get(), R"(ALTER TABLE learned4 ADD COLUMN stranger INTEGER)").ok());
  }
  const std::string found = TextOf(Check(data, false, false, schema.c_str()));
  CAPTURE(found);
  CHECK(absl::StrContains(found, "the column learned3.metadata.field7 is VARCHAR, its books have it as"));
  CHECK(absl::StrContains(found, "a column learned4.stranger that the books do not know"));
  CHECK(std::count(found.begin(), found.end(), '\n') == 2);
}

// Each part of a folder in turn is a link to something outside, which must stay as it is.
TEST_CASE("a part of the folder that is a symbolic link is reported, and nothing follows it") {
  for (const char* part : {"FORMAT", "owner", "logs.duckdb", "rejected", "tmp", "spool"}) {
    CAPTURE(part);
    const LoadedFolder at;
    const std::string outside = at.folder / "outside";
    const fs::path inside = fs::path(at.data) / part;
    if (fs::exists(inside)) {
      fs::rename(inside, outside);
    } else {
      fs::create_directory(outside);
    }
    const bool is_folder = fs::is_directory(outside);
    const std::string precious = is_folder ? outside + "/precious.partial" : outside;
    if (is_folder) {
      WriteFile(precious, "precious");
      fs::create_directories(outside + "/.failed/test_logs");
      WriteFile(outside + "/.failed/test_logs/secret.ndjson.outcome", R"({"outcome":"failed","reason":"secret"})");
    }
    const std::string before = ReadFile(precious);
    fs::create_symlink(outside, inside);
    for (const bool repair : {false, true}) {
      const Findings findings = Check(at.data, repair, true);
      CAPTURE(TextOf(findings));
      REQUIRE_FALSE(findings.empty());
      CHECK(findings.front().kind == Kind::kError);
      CHECK(absl::StrContains(findings.front().what, base::StrCat("/", part, " is a symbolic link")));
      CHECK_FALSE(absl::StrContains(TextOf(findings), "secret"));
      CHECK_FALSE(absl::StrContains(TextOf(findings), "precious"));
    }
    for (const bool read_only : {false, true}) {
      CHECK(OpenStatus(at.data, read_only).code() == absl::StatusCode::kFailedPrecondition);
    }
    CHECK(ReadFile(precious) == before);
    CHECK(fs::is_symlink(inside));
  }
}

TEST_CASE("links among the files of a folder are reported and not followed, and their targets are unchanged") {
  const LoadedFolder at;
  const std::string outside = at.folder / "outside";
  fs::create_directories(outside + "/deep");
  for (const char* name : {"/left.partial", "/deep/spill", "/deep/.x.new"}) WriteFile(outside + name, "precious");
  fs::create_directories(at.data + "/spool/.failed");
  fs::create_directory_symlink(outside + "/deep", at.data + "/tmp/deep");
  fs::create_symlink(outside + "/left.partial", at.data + "/rejected/left.partial");
  fs::create_directory_symlink(outside, at.data + "/spool/.failed/linked");
  fs::create_symlink(outside, at.data + "/stray");
  const Findings findings = Check(at.data);
  const std::string text = TextOf(findings);
  CAPTURE(text);
  CHECK(findings.size() == 4);
  for (const char* name : {"tmp/deep", "rejected/left.partial", "spool/.failed/linked", "stray"}) {
    CHECK(absl::StrContains(text, base::StrCat(" ", name, " is a symbolic link")));
  }
  Check(at.data, /*repair=*/true);
  CHECK(CountRows(*OpenFolder(at.data)) == 3);
  for (const char* name : {"/left.partial", "/deep/spill", "/deep/.x.new"}) {
    CHECK(ReadFile(outside + name) == "precious");
  }
  for (int i = 0; i < 30; ++i) fs::create_symlink(outside, at.data + "/stray" + std::to_string(i));
  CHECK(absl::StrContains(TextOf(Check(at.data)), "further symbolic links: "));
}

TEST_CASE("a damaged block is found when rows are read") {
  const LoadedFolder at(20'000);
  std::string database = ReadFile(at.data + "/logs.duckdb");
  // The damage is behind the headers and the first block; there are rows all over it.
  for (size_t i = 400'000; i < database.size(); i += 20'000) database[i] = static_cast<char>(database[i] ^ 0x55);
  WriteFile(at.data + "/logs.duckdb", database);
  const Findings findings = Check(at.data, false, /*read_rows=*/true);
  CAPTURE(TextOf(findings));
  REQUIRE_FALSE(findings.empty());
  CHECK(findings.front().kind == Kind::kError);
}

TEST_CASE("check reports leftovers of killed processes and missing columns, and repair resolves both") {
  const LoadedFolder at;
  fs::create_directories(at.data + "/spool");
  const char* const left[] = {"/tmp/spill", "/rejected/test.logs.0000.ndjson.partial", "/FORMAT.new",
                              "/spool/.FULL.new"};
  for (const char* name : left) WriteFile(at.data + name, "left");
  const auto rejected = [&] { return std::distance(fs::directory_iterator(at.data + "/rejected"), {}); };
  CHECK(rejected() == 3);
  Findings findings = Check(at.data);
  CAPTURE(TextOf(findings));
  CHECK(findings.size() == 4);
  for (const FolderFinding& finding : findings) {
    CHECK(finding.kind == Kind::kWarning);
    CHECK_FALSE(finding.repaired);
  }
  findings = Check(at.data, /*repair=*/true);
  CHECK(findings.size() == 4);
  for (const FolderFinding& finding : findings) CHECK(finding.repaired);
  for (const char* name : left) CHECK_FALSE(fs::exists(at.data + name));
  CHECK(rejected() == 2);  // the rows that were rejected, with their reasons
  CHECK(TextOf(Check(at.data)).empty());

  const std::string schema =
      absl::StrReplaceAll(kTestSchema, {{"\"i\": \"INT64\"", "\"i\": \"INT64\", \"k\": \"INT64\""}});
  CHECK(absl::StrContains(TextOf(Check(at.data, false, false, schema.c_str())), "test.logs.k"));
  CHECK(TextOf(Check(at.data, true, false, schema.c_str())).empty());
  CHECK(TextOf(Check(at.data, false, false, schema.c_str())).empty());
  CHECK(CountRows(*OpenFolder(at.data, true)) == 3);
}

}  // namespace
}  // namespace logquery::store
