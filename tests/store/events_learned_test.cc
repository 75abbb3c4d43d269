// Events whose undeclared fields become columns, within the budget of their token and project.
#include <catch2/catch_test_macros.hpp>
#include <string>
#include <vector>

#include "lib/engines/duckdb/backend/database.h"
#include "logquery/store/events.h"
#include "logquery/store/learned_fields.h"
#include "tests/store/event_parts.h"
#include "tests/store/folder_test_util.h"

namespace logquery::store::event_tests {
namespace {

TEST_CASE("undeclared fields become columns for tokens that may teach them, and JSON for others") {
  TemporaryFolder folder;
  const auto backend = OpenFolder(folder / "data");
  const Texts secret = {R"({"i":0,"hidden":1,"metadata":{"inner":2}})"};
  const Texts known = {R"({"i":1,"shown":3})"};
  EventPart learner = Part(known);
  learner.may_learn = true;
  AppendParts(*backend, {Part(secret), learner});
  CHECK(TextOf(*backend, "_undeclared") == R"({"hidden":1,"metadata":{"inner":2}}|NULL)");
  CHECK(TextOf(*backend, "shown") == "NULL|3");
  CHECK(SelectValue(*backend, "SELECT count(*) FROM duckdb_columns() WHERE column_name = 'hidden'", Type::Int64()) ==
        Value::Int64(0));
  // A value that does not fit the column that others' rows made is kept too, and widens nothing.
  const Texts wider = {R"({"i":2,"shown":"text"})"};
  AppendPart(*backend, Part(wider));
  CHECK(TextOf(*backend, "_undeclared", "i = 2") == R"({"shown":"text"})");
}

EventPart TokenPart(const std::string& token, const std::string& project, const Texts& rows) {
  EventPart part = Part(rows);
  part.sender = token;
  part.project = project;
  part.may_learn = true;
  return part;
}

// Lists the fields that `first` to `last` number.
std::string Fields(const std::string& name, int first, int last) {
  std::string fields;
  for (int i = first; i <= last; ++i) {
    fields += (i == first ? "\"" : ",\"") + name + std::to_string(i) + "\":" + std::to_string(i);
  }
  return fields;
}

LearnedLog LearnedOf(DuckDbBackend& backend) {
  const auto logs = ReadLearnedLogs(backend);
  REQUIRE((logs.ok() && logs->size() == 1));
  return logs->front();
}

TEST_CASE("a token teaches a project 40 columns at most, which leaves the others of the project some") {
  TemporaryFolder folder;
  auto backend = OpenFolder(folder / "data");
  const std::string greedy = "{" + Fields("g", 1, 60) + "}";
  const std::string honest = R"({"h":1,"g1":2,"g60":3})";
  // Both come in one batch, in which the first one's budget runs out.
  const auto outcomes =
      AppendParts(*backend, {TokenPart("greedy", "abc", {greedy}), TokenPart("honest", "abc", {honest})});
  CHECK((outcomes[0].rows == 1 && outcomes[1].rows == 1));
  CHECK(TextOf(*backend, "g1") == "1|2");
  CHECK(TextOf(*backend, "h") == "NULL|1");
  const std::string kept = TextOf(*backend, "_undeclared");
  CHECK(kept.find(R"("g59":59)") != std::string::npos);
  // The honest token has taught g60, so it is a column for the project's rows.
  CHECK(kept.find("g60") == std::string::npos);
  CHECK(TextOf(*backend, "g60") == "60|3");

  for (const bool again : {false, true}) {
    CAPTURE(again);
    const LearnedLog log = LearnedOf(*backend);
    REQUIRE(log.tokens.size() == 2);
    CHECK((log.tokens[0].id == "greedy" && log.tokens[0].columns == 40 && log.tokens[0].max_columns == 80));
    CHECK((log.tokens[1].id == "honest" && log.tokens[1].columns == 2));
    AppendPart(*backend, TokenPart("greedy", "abc", {R"({"further":1})"}));
    CHECK(TextOf(*backend, "_undeclared").find(R"({"further":1})") != std::string::npos);
    backend.reset();
    backend = OpenFolder(folder / "data");
  }
  const auto findings = backend->Check(/*read_rows=*/true);
  REQUIRE(findings.ok());
  REQUIRE(findings->size() == 1);
  CHECK(findings->front().what ==
        "the rows of token greedy have taught test.logs 40 fields and records of project abc, which is all that a "
        "token may");

  // Given back, a column may be taught again by the same token.
  REQUIRE(ForgetFields(*backend, {.table = "test_logs", .field = "g1"}).ok());
  AppendPart(*backend, TokenPart("greedy", "abc", {R"({"again":1})"}));
  CHECK(TextOf(*backend, "again", "again IS NOT NULL") == "1");
  CHECK(LearnedOf(*backend).tokens[0].columns == 40);
}

TEST_CASE("a token of all projects teaches a log 80 columns, and each project has the fields that others taught") {
  TemporaryFolder folder;
  const auto backend = OpenFolder(folder / "data");
  std::vector<std::string> rows;
  for (int i = 0; i < 5; ++i) {
    rows.push_back("{\"project\":\"p" + std::to_string(i) + "\"," + Fields("f" + std::to_string(i) + "_", 1, 30) + "}");
  }
  AppendPart(*backend, TokenPart("all", "", Texts(rows.begin(), rows.end())));
  CHECK(LearnedOf(*backend).tokens[0].columns == 80);
  CHECK(LearnedOf(*backend).columns == 80);
  CHECK(TextOf(*backend, "f2_20", "project = 'p2'") == "20");
  AppendPart(*backend, TokenPart("one", "p4", {R"({"f4_1":5,"own":6})"}));
  CHECK(TextOf(*backend, "f4_1 + own", "own IS NOT NULL") == "11");
}

TEST_CASE("a folder without records of tokens can be read, and keeps its columns when it is opened for writing") {
  TemporaryFolder folder;
  {
    const auto backend = OpenFolder(folder / "data");
    AppendPart(*backend, TokenPart("t", "abc", {R"({"old":1})"}));
  }
  {
    duckdb::DatabaseOptions options;
    options.file = folder / "data/logs.duckdb";
    const auto database = duckdb::Database::Open(options);
    REQUIRE(database.ok());
    const auto connection = database->Connect();
    REQUIRE(connection.ok());
    REQUIRE(duckdb::Run(connection->get(), "ALTER TABLE logquery.learned_by DROP COLUMN token").ok());
  }
  CHECK(LearnedOf(*OpenFolder(folder / "data", /*read_only=*/true)).tokens.empty());
  const auto backend = OpenFolder(folder / "data");
  CHECK(LearnedOf(*backend).projects.at(0).columns == 1);
  AppendPart(*backend, TokenPart("t", "abc", {R"({"old":2,"new":3})"}));
  CHECK(LearnedOf(*backend).tokens.at(0).columns == 1);
  CHECK(TextOf(*backend, "old") == "1|2");
}

}  // namespace
}  // namespace logquery::store::event_tests
