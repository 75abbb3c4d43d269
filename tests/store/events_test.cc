// Events of several requests in one transaction: the fields that they may omit, and the project that they belong to.
#include "logquery/store/events.h"

#include <signal.h>
#include <sys/resource.h>

#include <catch2/catch_test_macros.hpp>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "logquery/error.h"
#include "logquery/store/folder_check.h"
#include "tests/store/event_parts.h"
#include "tests/store/folder_test_util.h"
#include "tests/support/child_process.h"

namespace logquery::store::event_tests {
namespace {

using testing::ChildArgument;
using testing::RunInChild;

TEST_CASE("events of several requests are stored together, each with its own outcome") {
  TemporaryFolder folder;
  const auto backend = OpenFolder(folder / "data");
  const Texts first = {R"({"event_message":"a","timestamp":"2026-03-04T05:06:07Z","project":"abc"})",
                       R"({"i":"no number"})", R"({"event_message":"b"})"};
  const Texts second = {R"({"event_message":"c","metadata":[{"level":"info"}]})", "[]"};
  const auto outcomes = AppendParts(*backend, {Part(first), Part(second)});
  REQUIRE(outcomes.size() == 2);
  CHECK(outcomes[0].rows == 2);
  CHECK(outcomes[0].rejected_rows == 1);
  REQUIRE(outcomes[0].rejected.size() == 1);
  CHECK(outcomes[0].rejected[0].index == 1);
  CHECK(outcomes[0].rejected[0].reason == "i is no number, which is no INT64");
  CHECK(outcomes[1].rows == 1);
  REQUIRE(outcomes[1].rejected.size() == 1);
  CHECK(outcomes[1].rejected[0].index == 1);
  CHECK(CountRows(*backend) == 3);
  CHECK(std::filesystem::exists(folder / "data/rejected"));
  int kept = 0;
  for ([[maybe_unused]] const auto& entry : std::filesystem::directory_iterator(folder / "data/rejected")) ++kept;
  CHECK(kept == 2);
}

TEST_CASE("events may omit fields or write them differently from the rows of files") {
  struct Case {
    std::string event;
    std::string timestamp;
    std::string message;
    std::string undeclared;
  };
  const std::string arrived = "2026-03-04 05:05:00";
  const std::vector<Case> cases = {
      {R"({"event_message":"m"})", arrived, "m", "NULL"},
      {R"({"message":"m"})", arrived, "m", "NULL"},
      {R"({"log_entry":"m"})", arrived, "m", "NULL"},
      {R"({"message":"other","log_entry":"m"})", arrived, "m", R"({"message":"other"})"},
      {R"({"message":"a \"quoted\" \u00e9"})", arrived, "a \"quoted\" é", "NULL"},
      {R"({"event_message":"m","message":"kept"})", arrived, "m", R"({"message":"kept"})"},
      {R"({"message":{"no":"text"}})", arrived, R"({"no":"text"})", R"({"message":{"no":"text"}})"},
      {R"({"message":[1, "a"]})", arrived, R"([1, "a"])", R"({"message":[1, "a"]})"},
      {R"({"message":5})", arrived, "5", R"({"message":5})"},
      {R"({"message":false,"log_entry":null})", arrived, "false", R"({"message":false,"log_entry":null})"},
      {R"({"message":null})", arrived, "", R"({"message":null})"},
      {R"({"event_message":5})", arrived, "5", "NULL"},
      {R"({"message":"a\ud83d"})", arrived, "a\xEF\xBF\xBD", "NULL"},
      {R"({"message":"\ude00\ud83d\ude00\\ud83d","x":["\udfff"]})", arrived, "\xEF\xBF\xBD😀\\ud83d",
       R"({"x":["\ufffd"]})"},
      {R"({"timestamp":null,"event_message":null})", arrived, "", "NULL"},
      {R"({"timestamp":"2026-03-04T05:06:07Z"})", "2026-03-04 05:06:07", "", "NULL"},
      {R"({"timestamp":1772600767})", "2026-03-04 05:06:07", "", "NULL"},
      {R"({"timestamp":1772600767.25})", "2026-03-04 05:06:07.25", "", "NULL"},
      {R"({"timestamp":1772600767123})", "2026-03-04 05:06:07.123", "", "NULL"},
      {R"({"timestamp":1772600767123.5})", "2026-03-04 05:06:07.1235", "", "NULL"},
      {R"({"timestamp":1772600767123456})", "2026-03-04 05:06:07.123456", "", "NULL"},
      {R"({"timestamp":1772600767123456789})", "2026-03-04 05:06:07.123456", "", "NULL"},
      {R"({"timestamp":1.772600767e9})", "2026-03-04 05:06:07", "", "NULL"},
      {R"({"timestamp":946684800})", "2000-01-01 00:00:00", "", "NULL"},
      {R"({"timestamp":"1772600767"})", "2026-03-04 05:06:07", "", "NULL"},
      {R"({"timestamp":"1772600767.25"})", "2026-03-04 05:06:07.25", "", "NULL"},
      {R"({"timestamp":"1772600767123"})", "2026-03-04 05:06:07.123", "", "NULL"},
      {R"({"timestamp":"1772600767123456"})", "2026-03-04 05:06:07.123456", "", "NULL"},
      {R"({"timestamp":"1772600767123456789"})", "2026-03-04 05:06:07.123456", "", "NULL"},
      {R"({"timestamp":"1.772600767123456E9"})", "2026-03-04 05:06:07.123456", "", "NULL"},
      {R"({"timestamp":1.7726007671234567e18})", "2026-03-04 05:06:07.123456", "", "NULL"},
      {R"({"timestamp":"2026-03-04 05:06:07.5 UTC"})", "2026-03-04 05:06:07.5", "", "NULL"},
      {R"({"timestamp":"2026-03-04 05:06:07 +0000 UTC"})", "2026-03-04 05:06:07", "", "NULL"},
      {R"({"timestamp":"2026-03-04T05:06:60Z"})", "2026-03-04 05:07:00", "", "NULL"},
  };
  TemporaryFolder folder;
  const auto backend = OpenFolder(folder / "data");
  for (size_t i = 0; i < cases.size(); ++i) {
    CAPTURE(cases[i].event);
    const std::string row = cases[i].event.substr(0, cases[i].event.size() - 1) + ",\"i\":" + std::to_string(i) + "}";
    const Texts rows = {row};
    const EventOutcome outcome = AppendPart(*backend, Part(rows));
    REQUIRE(outcome.rows == 1);
    const std::string here = "i = " + std::to_string(i);
    CHECK(TextOf(*backend, "timestamp", here) == cases[i].timestamp);
    CHECK(TextOf(*backend, "event_message", here) == cases[i].message);
    CHECK(TextOf(*backend, "_undeclared", here) == cases[i].undeclared);
    CHECK(TextOf(*backend, "id <> ''", here) == "true");
  }
}

TEST_CASE("values that are not events, and times outside this century, are rejected") {
  TemporaryFolder folder;
  const auto backend = OpenFolder(folder / "data");
  for (const std::string_view event : {R"({"timestamp":"yesterday"})",
                                       R"({"timestamp":12})",
                                       R"({"timestamp":99999999999999999999})",
                                       R"({"timestamp":"1999-12-31T23:59:59Z"})",
                                       R"({"timestamp":4133980800})",
                                       R"({"timestamp":-1772600767})",
                                       R"({"timestamp":true})",
                                       R"({"timestamp":"12"})",
                                       R"({"timestamp":"1e300"})",
                                       R"({"timestamp":"+-1772600767"})",
                                       R"({"timestamp":"2026-03-04 05:06:07 EST"})",
                                       R"({"timestamp":"2026-03-04T05:06:61Z"})",
                                       R"({"timestamp":""})",
                                       "",
                                       "null",
                                       "[[]]",
                                       "7",
                                       "\"text\"",
                                       "{\"a\":",
                                       "{\"event_message\":\"\xff\"}",
                                       R"({"i":1,"I":2})"}) {
    CAPTURE(event);
    const Texts rows = {event};
    const EventOutcome outcome = AppendPart(*backend, Part(rows));
    CHECK(outcome.rows == 0);
    REQUIRE(outcome.rejected.size() == 1);
    CHECK_FALSE(outcome.rejected[0].reason.empty());
  }
  CHECK(CountRows(*backend) == 0);
}

TEST_CASE("for a token of one project, an event without a project gets it and one with another is rejected") {
  TemporaryFolder folder;
  const auto backend = OpenFolder(folder / "data");
  const Texts rows = {R"({"i":0})", R"({"i":1,"project":"abc"})", R"({"i":2,"project":"other"})",
                      R"({"i":3,"PROJECT":"other"})", R"({"i":4,"project":null})"};
  EventPart part = Part(rows);
  part.project = "abc";
  const EventOutcome outcome = AppendPart(*backend, part);
  CHECK(outcome.rows == 3);
  REQUIRE(outcome.rejected.size() == 2);
  CHECK(outcome.rejected[0].index == 2);
  CHECK(outcome.rejected[0].reason == "project is other, but the token may write only abc");
  CHECK(TextOf(*backend, "project") == "abc|abc|abc");
  // A neighbour in the same batch keeps its own.
  const Texts others = {R"({"i":5,"project":"other"})", R"({"i":6})"};
  AppendParts(*backend, {part, Part(others)});
  CHECK(TextOf(*backend, "project", "i >= 5") == "other|NULL");
}

TEST_CASE("a top-level project is stored in the metadata of a log that has it there") {
  TemporaryFolder folder;
  DuckDbOptions options;
  options.folder = folder / "data";
  options.schema_json = R"({"t": {"time": "timestamp", "project": ["metadata", "project_ref"],
    "hot": {"values": ["metadata.project_ref"], "presence": ["metadata"]},
    "columns": {"id": "STRING", "timestamp": "TIMESTAMP", "event_message": "STRING", "metadata": {"project_ref": "STRING", "a": "INT64"}}}})";
  const auto backend = OpenDuckDb(options);
  REQUIRE(backend.ok());
  const Texts rows = {R"({"message":"none"})",
                      R"({"project":"m","metadata":{"a":1}})",
                      R"({"metadata":null,"project":"m"})",
                      R"({"project":"other","metadata":{"project_ref":"m"}})",
                      R"({"project":5})",
                      R"({"project":{"no":"name"}})"};
  CHECK(AppendParts(**backend, {Part(rows)}, "t")[0].rows == 6);
  const auto text = [&](const std::string& expression) {
    const Value value =
        SelectValue(**backend, "SELECT string_agg(COALESCE(" + expression + ", 'NULL'), '|' ORDER BY rowid) FROM t",
                    Type::String());
    return std::string(value.string_value());
  };
  CHECK(text("metadata.project_ref") == "NULL|m|m|m|5|NULL");
  CHECK(text("\"metadata.project_ref\"") == "NULL|m|m|m|5|NULL");
  // Nothing of it is kept twice, and nothing is lost.
  CHECK(text("_undeclared") == R"(NULL|NULL|NULL|{"project":"other"}|NULL|{"project":{"no":"name"}})");
  // A token of one project may not write another's rows in this way either.
  EventPart part = Part(rows);
  part.project = "m";
  const EventOutcome outcome = AppendParts(**backend, {part}, "t")[0];
  CHECK(outcome.rows == 5);
  REQUIRE(outcome.rejected.size() == 1);
  CHECK(outcome.rejected[0].index == 4);
  CHECK(outcome.rejected[0].reason == "metadata.project_ref is 5, but the token may write only m");
}

TEST_CASE("rows that the caller has rejected are kept with the caller's reason") {
  TemporaryFolder folder;
  const auto backend = OpenFolder(folder / "data");
  const Texts rows = {R"({"i":0})", R"({"i":1})", R"({"i":2})", "no event"};
  const std::vector<RejectedEvent> refused = {{1, "not this one"}, {3, "nor this"}};
  EventPart part = Part(rows);
  part.refused = refused;
  const auto outcomes = AppendParts(*backend, {part, Part(rows)});
  CHECK(outcomes[0].rows == 2);
  REQUIRE(outcomes[0].rejected.size() == 2);
  CHECK(outcomes[0].rejected[0].index == 1);
  CHECK(outcomes[0].rejected[0].reason == "not this one");
  CHECK(outcomes[0].rejected[1].reason == "nor this");
  CHECK(outcomes[1].rows == 3);
  CHECK(TextOf(*backend, "i") == "0|2|0|1|2");
  CHECK(ReadFile(folder / "data/rejected/test.logs.events.00000001.ndjson") == "{\"i\":1}\nno event\nno event\n");
}

TEST_CASE("a project that is a field of metadata is filled in there, with what queries read of it") {
  TemporaryFolder folder;
  DuckDbOptions options;
  options.folder = folder / "data";
  options.schema_json = R"({"t": {"time": "timestamp", "project": ["metadata", "project"],
    "hot": {"values": ["metadata.project"], "presence": ["metadata"]},
    "columns": {"id": "STRING", "timestamp": "TIMESTAMP", "event_message": "STRING", "metadata": {"project": "STRING", "a": "INT64"}}}})";
  const auto backend = OpenDuckDb(options);
  REQUIRE(backend.ok());
  const std::string project = "a-project-of-a-name-longer-than-twelve-bytes";
  const Texts rows = {R"({"message":"none"})", R"({"metadata":{"a":1}})", R"({"metadata":[{"project":"other"}]})"};
  EventPart part = Part(rows);
  part.project = project;
  const auto outcomes = AppendParts(**backend, {part}, "t");
  CHECK(outcomes[0].rows == 2);
  CHECK(outcomes[0].rejected_rows == 1);
  CHECK(SelectValue(**backend,
                    "SELECT count(*) FROM t WHERE metadata.project = '" + project +
                        "' AND \"metadata.project\" = metadata.project AND \"?metadata\"",
                    Type::Int64()) == Value::Int64(2));
}

TEST_CASE("requests that can't be taken leave their neighbours alone") {
  TemporaryFolder folder;
  const auto backend = OpenFolder(folder / "data");
  const Texts rows = {R"({"i":0})"};
  EventPart bad = Part(rows);
  bad.key = "with a space";
  EventPart longer = Part(rows);
  longer.key = std::string(256, 'x');
  const auto outcomes = AppendParts(*backend, {bad, Part(rows), longer});
  CHECK(outcomes[0].status.code() == absl::StatusCode::kInvalidArgument);
  CHECK(outcomes[1].rows == 1);
  CHECK(outcomes[2].status.code() == absl::StatusCode::kInvalidArgument);
  CHECK(CountRows(*backend) == 1);
  EventBatch nowhere;
  nowhere.table = "tset.logs";
  CHECK(backend->store().AppendEvents(nowhere).status().code() == absl::StatusCode::kNotFound);
}

// The argument is the test's folder. The engine's log can't grow: inserts go on in memory, and COMMIT fails.
TEST_CASE("child: a commit of events fails", "[.child]") {
  const auto backend = OpenFolder(ChildArgument());
  CHECK(AppendPart(*backend, Part({R"({"i":1})"})).rows == 1);
  signal(SIGXFSZ, SIG_IGN);
  const rlimit limit = {1, RLIM_INFINITY};
  REQUIRE(setrlimit(RLIMIT_FSIZE, &limit) == 0);
  EventBatch batch;
  batch.table = "test_logs";
  const Texts rows = {R"({"i":2})"};
  batch.parts = {Part(rows)};
  const absl::Status status = backend->store().AppendEvents(batch).status();
  const rlimit no_limit = {RLIM_INFINITY, RLIM_INFINITY};
  REQUIRE(setrlimit(RLIMIT_FSIZE, &no_limit) == 0);
  INFO(status.ToString());
  CHECK_FALSE(status.ok());
  CHECK(GetErrorDetails(status).reason == ErrorReason::kOutcomeUnknown);
  batch.table = "tset_logs";
  CHECK(GetErrorDetails(backend->store().AppendEvents(batch).status()).reason == ErrorReason::kNone);
}

TEST_CASE("an error of the commit says that the outcome is unknown, and others do not") {
  TemporaryFolder folder;
  CHECK(RunInChild("child: a commit of events fails", folder / "data") == 0);
}

TEST_CASE("the books have the rows of events, so tables keep their marks and the folder is in order") {
  TemporaryFolder folder;
  const std::string data = folder / "data";
  {
    const auto backend = OpenFolder(data);
    const Texts rows = {R"({"i":0})", R"({"i":1})"};
    const Texts with_bad = {R"({"i":2})", "bad"};
    for (int i = 0; i < 3; ++i) AppendPart(*backend, Part(rows));
    AppendPart(*backend, Part(with_bad));
    EventPart later = Part(rows);
    later.arrived = kArrived + absl::Hours(1);
    AppendPart(*backend, later);
    CHECK(SelectValue(*backend, "SELECT sum(row_count)::BIGINT FROM logquery.loads", Type::Int64()) == Value::Int64(9));
    // One entry for each hour, also where rows were rejected.
    CHECK(SelectValue(*backend, "SELECT count(*) FROM logquery.loads", Type::Int64()) == Value::Int64(2));
    CHECK(backend->ReadStats()->at(0).rejected_rows == 1);
  }
  FolderCheckOptions check;
  check.folder = data;
  check.schema_json = kTestSchema;
  const auto findings = CheckFolder(check);
  REQUIRE(findings.ok());
  for (const FolderFinding& finding : *findings) {
    INFO(finding.what);
    CHECK(finding.kind == FolderFinding::Kind::kNote);
  }
}

}  // namespace
}  // namespace logquery::store::event_tests
