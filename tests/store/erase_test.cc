// A project goes from every log with all that is kept of it, the others stay as they are, and a crash leaves nothing half done.
#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <filesystem>
#include <string>
#include <vector>

#include "absl/strings/match.h"
#include "lib/engines/duckdb/backend/database.h"
#include "lib/store/load/project_rows.h"
#include "logquery/store/erasure.h"
#include "tests/store/erased_logs.h"
#include "tests/store/folder_test_util.h"

namespace logquery::store::erase_tests {
namespace {

// A digest of rows and their values, whatever their order.
std::string DigestOf(DuckDbBackend& backend, const std::string& table, const std::string& where) {
  const std::string sql =
      "SELECT (count(*) || '-' || bit_xor(hash(r)))::VARCHAR FROM \"" + table + "\" AS r WHERE " + where;
  return std::string(SelectValue(backend, sql, Type::String()).string_value());
}

TEST_CASE("a project's rows are removed from every log, others stay, and reloading its files restores nothing") {
  TemporaryFolder folder;
  const std::string edge = WriteFile(folder / "edge", RowsOf({"abc", "abcd", "ab", "ABC"}, 400));
  const std::string postgres = WriteFile(folder / "postgres", RowsOf({"abc", "other"}, 100));
  {
    const auto backend = OpenLogs(folder / "data");
    Load(*backend, {.table = kEdge, .files = {edge}});
    Load(*backend, {.table = kPostgres, .files = {postgres}});
    const std::string others = DigestOf(*backend, kEdge, "project <> 'abc'");
    const EraseReport planned = Erase(*backend, "abc", /*dry_run=*/true);
    CHECK(planned.rows == 150);
    CHECK(Count(*backend, kEdge) == 400);
    const EraseReport report = Erase(*backend, "abc");
    CHECK(report.any());
    CHECK(report.rows == 150);
    REQUIRE(report.tables.size() == 2);
    CHECK(report.tables[0].table == kEdge);
    CHECK(report.tables[0].log == "edge_logs");
    CHECK(report.tables[0].rows == 100);
    CHECK(report.tables[1].log == "postgres_logs");
    CHECK(report.tables[1].rows == 50);
    CHECK(Count(*backend, kEdge) == 300);
    CHECK(DigestOf(*backend, kEdge, "true") == others);
    CHECK(Count(*backend, kPostgres, "project = 'abc'") == 0);
    CHECK_FALSE(Erase(*backend, "abc").any());
  }
  const auto backend = OpenLogs(folder / "data");
  CHECK(Load(*backend, {.table = kEdge, .files = {edge}}).files_skipped.size() == 1);
  CHECK(Count(*backend, kEdge, "project = 'abc'") == 0);
  const auto stats = backend->ReadStats();
  REQUIRE(stats.ok());
  const auto of_edge = std::find_if(stats->begin(), stats->end(), [](const TableStats& s) { return s.table == kEdge; });
  CHECK(of_edge->removed_rows == 100);
  CHECK_FALSE(of_edge->removed_before.has_value());
  CheckInOrder(*backend);
}

TEST_CASE("a project is found in a record, hot or not, and a log without projects is unchanged") {
  constexpr const char* kSchema = R"({
    "hot.logs": {"log": "hot_logs", "time": "timestamp", "project": ["metadata", "ref"],
      "hot": {"values": ["metadata.ref"], "presence": []},
      "columns": {"id": "STRING", "timestamp": "TIMESTAMP", "metadata": {"ref": "STRING"}}},
    "cold.logs": {"log": "cold_logs", "time": "timestamp", "project": ["metadata", "ref"],
      "columns": {"id": "STRING", "timestamp": "TIMESTAMP", "metadata": {"ref": "STRING"}}},
    "open.logs": {"log": "open_logs", "time": "timestamp",
      "columns": {"id": "STRING", "timestamp": "TIMESTAMP", "project": "STRING"}}})";
  TemporaryFolder folder;
  const auto opened = OpenDuckDb({.folder = folder / "data", .schema_json = kSchema});
  INFO(opened.status().ToString());
  REQUIRE(opened.ok());
  DuckDbBackend& backend = **opened;
  const std::string at = R"({"timestamp":"2026-03-04T05:06:07Z",)";
  const std::string nested = at + "\"metadata\":[{\"ref\":\"abc\"}]}\n" + at + "\"metadata\":{\"ref\":\"other\"}}\n" +
                             at + "\"metadata\":null}\n";
  for (const char* log : {"hot_logs", "cold_logs"}) {
    Load(backend, {.table = log, .files = {WriteFile(folder / log, nested)}});
  }
  Load(backend, {.table = "open_logs", .files = {WriteFile(folder / "open", at + "\"project\":\"abc\"}\n")}});
  const EraseReport report = Erase(backend, "abc");
  CHECK(report.rows == 2);
  CHECK(report.tables.size() == 2);
  CHECK(Count(backend, "hot.logs") == 2);
  CHECK(Count(backend, "cold.logs") == 2);
  CHECK(Count(backend, "open.logs") == 1);
}

TEST_CASE("a project's rows, and no others, are removed from many compressed row groups, whatever its name is") {
  TemporaryFolder folder;
  const auto backend = OpenFolder(folder / "data");
  std::vector<std::string> projects;
  for (int i = 0; i < 17; ++i) projects.push_back("p" + std::to_string(i));
  projects.push_back("x' OR 1=1 --");
  projects.push_back("ü%_");
  Load(*backend, {.table = "test.logs", .files = {WriteFile(folder / "a", RowsOf(projects, 100'000))}});
  REQUIRE(backend->store().Checkpoint().ok());
  int64_t left = 100'000;
  for (const std::string project : {"p3", "x' OR 1=1 --", "ü%_", "p16"}) {
    std::string quoted;
    for (const char c : project) quoted += c == '\'' ? "''" : std::string(1, c);
    const std::string others = DigestOf(*backend, "test.logs", "project <> '" + quoted + "'");
    const int64_t rows = Erase(*backend, project).rows;
    CHECK((rows == 5'263 || rows == 5'264));
    left -= rows;
    CHECK(CountRows(*backend) == left);
    CHECK(DigestOf(*backend, "test.logs", "true") == others);
  }
  CheckInOrder(*backend);
}

TEST_CASE("a clustered day stays clustered after rows were erased, and is clustered again after many late rows") {
  TemporaryFolder folder;
  const auto backend = OpenFolder(folder / "data");
  const absl::Time now = absl::FromUnixMicros(1'772'600'000'000'000) + absl::Hours(24 * 5);
  Load(*backend, {.table = "test.logs", .files = {WriteFile(folder / "a", RowsOf({"a", "b", "c"}, 40'000))}});
  REQUIRE(backend->store().Cluster({.now = now})->rows == 40'000);
  CHECK(Erase(*backend, "b").rows == 13'333);
  const auto stats = backend->ReadStats();
  REQUIRE(stats.ok());
  CHECK(stats->front().clustered_rows == 26'667);
  CHECK(backend->store().Cluster({.now = now})->rows == 0);
  Load(*backend, {.table = "test.logs", .files = {WriteFile(folder / "b", RowsOf({"d"}, 13'333))}});
  CHECK(backend->store().Cluster({.now = now})->rows == 40'000);
}

TEST_CASE("an invalid, cancelled or read-only erase fails and removes nothing") {
  TemporaryFolder folder;
  {
    const auto backend = OpenFolder(folder / "data");
    Load(*backend, {.table = "test.logs", .files = {WriteFile(folder / "a", RowsOf({"abc"}, 10))}});
    CHECK(backend->store().Erase({}).status().code() == absl::StatusCode::kInvalidArgument);
    CancellationSource source;
    source.Cancel();
    CHECK(backend->store().Erase({.project = "abc", .cancellation = source.token()}).status().code() ==
          absl::StatusCode::kCancelled);
    CHECK_FALSE(Erase(*backend, "abd").any());
    CHECK(CountRows(*backend) == 10);
  }
  const auto reader = OpenFolder(folder / "data", /*read_only=*/true);
  CHECK(reader->store().Erase({.project = "abc"}).status().code() == absl::StatusCode::kUnimplemented);
}

// ------------------------------------------------------------------------------------------- rejected rows and requests

TEST_CASE("a rejected row belongs to the project that it names, that sent it, or that its invalid JSON mentions") {
  using Whose = ProjectRows::Whose;
  const ProjectRows rows("abc", {"metadata", "ref"});
  const std::string by_nobody = R"({"file":"a","line":1,"reason":"timestamp is missing"})";
  const std::string by_abc = R"({"arrived":"x","token":"t","project":"abc","index":0,"reason":"r"})";
  const std::string by_other = R"({"arrived":"x","token":"t","project":"other","index":0,"reason":"r"})";
  struct Case {
    const char* row;
    const std::string& reason;
    Whose whose;
  };
  for (const Case& c : {
           Case{R"({"metadata":{"ref":"abc"}})", by_nobody, Whose::kProject},
           Case{R"({"metadata":[{"ref":"abc"}]})", by_nobody, Whose::kProject},
           Case{R"({"metadata":{"ref":"abd"},"note":"abc"})", by_nobody, Whose::kOthers},
           Case{R"({"metadata":{"ref":"other"}})", by_abc, Whose::kProject},
           Case{R"({"metadata":{"ref":"abc"}})", by_other, Whose::kProject},
           Case{R"({"i":"x"})", by_abc, Whose::kProject},
           Case{R"({"i":"x"})", by_other, Whose::kOthers},
           Case{R"({"i":"x"})", by_nobody, Whose::kUnknown},
           Case{R"({"metadata":{"ref":"abc")", by_nobody, Whose::kProject},
           Case{R"({"metadata":{"ref":"abcd")", by_nobody, Whose::kUnknown},
           Case{R"({"metadata":{"ref":"x-abc")", by_nobody, Whose::kUnknown},
           Case{"", by_nobody, Whose::kUnknown},
           Case{"\xff abc", "no JSON", Whose::kProject},
       }) {
    INFO(c.row << " " << c.reason);
    CHECK(rows.WhoseIs(c.row, c.reason) == c.whose);
  }
  // If no field names the project, the sender still tells it.
  CHECK(ProjectRows("abc", {}).WhoseIs(R"({"project":"x"})", by_abc) == Whose::kProject);
}

TEST_CASE("rejected rows of files are removed with their reasons, others stay, and those of no project are reported") {
  TemporaryFolder folder;
  const auto backend = OpenFolder(folder / "data");
  const std::string lines =
      "{\"project\":\"abc\",\"event_message\":\"no time 1\"}\n"
      "{\"project\":\"other\",\"event_message\":\"no time 2\"}\n"
      "{\"project\":\"abc\",\"broken\n"
      "no project in here\n";
  Load(*backend, {.table = "test.logs", .files = {WriteFile(folder / "a", lines)}});
  Load(*backend, {.table = "test.logs", .files = {WriteFile(folder / "b", "{\"project\":\"other\"}\n")}});
  const EraseReport planned = Erase(*backend, "abc", /*dry_run=*/true);
  CHECK(planned.rejected_rows == 2);
  CHECK(planned.unknown_rejected_rows == 1);
  CHECK(absl::StrContains(RejectedText(folder / "data"), "no time 1"));
  const EraseReport report = Erase(*backend, "abc");
  CHECK(report.rows == 0);
  CHECK(report.rejected_rows == 2);
  CHECK(report.unknown_rejected_rows == 1);
  const std::string text = RejectedText(folder / "data");
  CHECK_FALSE(absl::StrContains(text, "abc"));
  CHECK(absl::StrContains(text, "{\"project\":\"other\",\"event_message\":\"no time 2\"}\nno project in here\n"));
  CHECK(absl::StrContains(text, "\"line\":2,"));
  CHECK(absl::StrContains(text, "\"line\":4,"));
  CHECK_FALSE(absl::StrContains(
      text, "\"line\":1,\"reason\":\"timestamp is missing\"}\n{\"file\":\"" + (folder / "a") + "\",\"line\":3"));
  CHECK_FALSE(Erase(*backend, "abc").any());
  CheckInOrder(*backend);
}

EventPart PartOf(const std::vector<std::string_view>& rows, const std::string& sender, const std::string& key,
                 const std::string& project = "") {
  EventPart part;
  part.rows = rows;
  part.sender = sender;
  part.key = key;
  part.project = project;
  part.arrived = absl::FromUnixSeconds(1'772'600'700);
  return part;
}

EventOutcome Send(DuckDbBackend& backend, const EventPart& part) {
  EventBatch batch;
  batch.table = "test_logs";
  batch.parts = {part};
  const auto outcomes = backend.store().AppendEvents(batch);
  INFO(outcomes.status().ToString());
  REQUIRE(outcomes.ok());
  return outcomes->at(0);
}

TEST_CASE("rejected events and request keys of a project are removed, and those of others stay") {
  TemporaryFolder folder;
  const std::vector<std::string_view> good = {R"({"event_message":"in"})"};
  const std::vector<std::string_view> bad = {R"({"i":"secret of abc"})", "no event"};
  const std::vector<std::string_view> mixed = {R"({"i":"one","project":"abc"})", R"({"i":"two","project":"other"})"};
  {
    const auto backend = OpenFolder(folder / "data");
    CHECK(Send(*backend, PartOf(bad, "t1", "k1", "abc")).rejected_rows == 2);
    CHECK(Send(*backend, PartOf(good, "t1", "k2", "abc")).rows == 1);
    CHECK(Send(*backend, PartOf(good, "t2", "k1", "other")).rows == 1);
    CHECK(Send(*backend, PartOf(mixed, "t3", "k1")).rejected_rows == 2);
    const int64_t bytes = backend->rejected_events().bytes;
    const EraseReport planned = Erase(*backend, "abc", /*dry_run=*/true);
    CHECK(planned.idempotency_keys == 2);
    CHECK(planned.rejected_rows == 3);
    CHECK(backend->rejected_events().bytes == bytes);
    const EraseReport report = Erase(*backend, "abc");
    CHECK(report.rows == 1);
    CHECK(report.idempotency_keys == 2);
    CHECK(report.rejected_rows == 3);
    CHECK(report.unknown_rejected_rows == 0);
    const std::string text = RejectedText(folder / "data");
    CHECK_FALSE(absl::StrContains(text, "abc"));
    CHECK(absl::StrContains(text, "two"));
    CHECK(backend->rejected_events().bytes < bytes);
    CHECK(backend->rejected_events().files == 1);
    // Its requests are new ones again; those of others are not. Messages about rows of all projects quote none any more.
    CHECK_FALSE(Send(*backend, PartOf(good, "t1", "k2", "abc")).repeated);
    CHECK(Send(*backend, PartOf(good, "t2", "k1", "other")).repeated);
    const EventOutcome again = Send(*backend, PartOf(mixed, "t3", "k1"));
    CHECK(again.repeated);
    CHECK(again.rejected_rows == 2);
    CHECK(again.rejected.empty());
    // A project's events have a file of their own, and no name is used twice.
    Send(*backend, PartOf(bad, "t4", "", "other"));
    CHECK(backend->rejected_events().files == 2);
  }
  const auto backend = OpenFolder(folder / "data");
  CHECK(absl::StrContains(RejectedText(folder / "data"), "two"));
  CHECK(Erase(*backend, "other").rejected_rows == 3);
  CHECK(backend->rejected_events().files == 0);
  CHECK(RejectedText(folder / "data").empty());
  CheckInOrder(*backend);
}

TEST_CASE("a folder from before requests had a project opens, and takes and erases them") {
  TemporaryFolder folder;
  const std::vector<std::string_view> good = {R"({"event_message":"in"})"};
  {
    const auto backend = OpenFolder(folder / "data");
    Send(*backend, PartOf(good, "t1", "k1", "abc"));
  }
  {
    duckdb::DatabaseOptions options;
    options.file = folder / "data/logs.duckdb";
    const auto database = duckdb::Database::Open(options);
    REQUIRE(database.ok());
    REQUIRE(duckdb::Run(database->Connect()->get(), "ALTER TABLE logquery.event_keys DROP COLUMN project").ok());
  }
  const auto backend = OpenFolder(folder / "data");
  CHECK(Send(*backend, PartOf(good, "t1", "k1", "abc")).repeated);
  CHECK(Erase(*backend, "abc").idempotency_keys == 0);  // whose it was, nobody knows
  CHECK_FALSE(Send(*backend, PartOf(good, "t1", "k2", "abc")).repeated);
  CHECK(Erase(*backend, "abc").idempotency_keys == 1);
}

// ---------------------------------------------------------------------------------------------------------- crashes

TEST_CASE(
    "files that a crash has left half written are undone or completed, so that rows and reasons belong together") {
  TemporaryFolder folder;
  const std::string at = folder / "";
  const auto write = [&](const std::string& name, const std::string& text) { WriteFile(at + name, text); };
  const auto reset = [&] {
    for (const char* name : {"a.ndjson.erasing", "a.reasons.ndjson.erasing"}) fs::remove(at + name);
    write("a.ndjson", "old rows");
    write("a.reasons.ndjson", "old reasons");
  };
  const auto settle = [&] {
    REQUIRE(SettleErased(folder / "").ok());
    CHECK_FALSE(fs::exists(at + "a.ndjson.erasing"));
    CHECK_FALSE(fs::exists(at + "a.reasons.ndjson.erasing"));
    return ReadFile(at + "a.ndjson") + ", " + ReadFile(at + "a.reasons.ndjson");
  };
  reset();
  CHECK(settle() == "old rows, old reasons");
  write("a.ndjson.erasing", "ne");
  CHECK(settle() == "old rows, old reasons");
  write("a.ndjson.erasing", "new rows");
  write("a.reasons.ndjson.erasing", "ne");
  CHECK(settle() == "old rows, old reasons");
  // The rows' file has taken its place, so both were whole.
  write("a.ndjson", "new rows");
  write("a.reasons.ndjson.erasing", "new reasons");
  CHECK(settle() == "new rows, new reasons");
}

}  // namespace
}  // namespace logquery::store::erase_tests
