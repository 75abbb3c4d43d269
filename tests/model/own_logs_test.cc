// Logs that an operator declares: what a file of them may say, and every problem with its place.
#include "lib/model/own_logs.h"

#include <catch2/catch_test_macros.hpp>
#include <string>
#include <vector>

#include "lib/base/json_place.h"
#include "lib/base/strings.h"

namespace logquery::model {
namespace {

constexpr char kApp[] = R"({
  "app.logs": {
    "log": "app_logs", "time": "at", "project": ["tenant"], "id": "request_id", "message": "text",
    "retention": {"days": 30, "max_mb": 500},
    "hot": {"values": ["request.path"], "presence": ["request"]},
    "columns": {"request_id": "STRING", "at": "TIMESTAMP", "text": "STRING", "tenant": "STRING",
                "request": {"path": "STRING", "sizes": ["INT64"]}, "parts": [{"name": "STRING"}]}}})";

// "LINE: MESSAGE" of each problem.
std::vector<std::string> Problems(std::string_view json) {
  std::vector<SchemaProblem> problems;
  ReadOwnLogs(json, problems);
  std::vector<std::string> texts;
  for (const SchemaProblem& problem : problems) {
    texts.push_back(base::StrCat(base::PlaceInText(json, problem.offset), ": ", problem.message));
  }
  return texts;
}

// One log with these columns beside `at`, and these keys beside "time" and "columns".
std::string Log(std::string_view name, std::string_view keys, std::string_view columns = "") {
  return base::StrCat("{\"", name, "\": {", keys, keys.empty() ? "" : ", ",
                      R"("time": "at", "columns": {"at": "TIMESTAMP")", columns.empty() ? "" : ", ", columns, "}}}");
}

TEST_CASE("a file declares a log with its columns named, hot fields and retention") {
  const absl::StatusOr<SchemaFile> file = ParseOwnLogs("schema.json", kApp);
  INFO(file.status().ToString());
  REQUIRE(file.ok());
  REQUIRE(file->tables.size() == 1);
  const Table& table = file->tables[0];
  CHECK(table.name == "app.logs");
  CHECK(table.log == "app_logs");
  CHECK(table.time_column == "at");
  CHECK(table.id_column == "request_id");
  CHECK(table.project_path == FieldPath{"tenant"});
  CHECK(file->logs[0].id_column == "request_id");
  CHECK(file->logs[0].message_column == "text");
  CHECK(file->logs[0].retention.days == 30);
  CHECK(file->logs[0].retention.max_mb == 500);
  CHECK(file->hot[0].values == std::vector<FieldPath>{{"request", "path"}});

  const Catalog catalog = WithOwnLogs(Catalog::DeclaredLogs(), *file);
  CHECK(catalog.tables().size() == 10);
  CHECK(catalog.Find("app.logs") != nullptr);
  CHECK(catalog.revision() != Catalog::DeclaredLogs().revision());
}

TEST_CASE("a declaration is written as it was read") {
  const absl::StatusOr<SchemaFile> file = ParseOwnLogs("schema.json", kApp);
  REQUIRE(file.ok());
  const std::string text = OwnLogText(*file, 0);
  const absl::StatusOr<SchemaFile> again = ParseOwnLogs("again", text);
  INFO(text);
  REQUIRE(again.ok());
  CHECK(SameOwnLogs(*file, *again));
  CHECK(Fingerprint(again->tables) == Fingerprint(file->tables));
  CHECK(again->logs[0].message_column == "text");
  CHECK(again->logs[0].retention.max_mb == 500);
}

TEST_CASE("a log without a name has its table's name, and may have no project") {
  const absl::StatusOr<SchemaFile> file = ParseOwnLogs("s", Log("audit", ""));
  REQUIRE(file.ok());
  CHECK(file->tables[0].log == "audit");
  CHECK(file->tables[0].project_path.empty());
  // A default column that is no STRING fills nothing, and is no error.
  const absl::StatusOr<SchemaFile> numbered = ParseOwnLogs("s", Log("audit", "", R"("id": "INT64")"));
  REQUIRE(numbered.ok());
  CHECK(ParseOwnLogs("again", OwnLogText(*numbered, 0)).ok());
}

TEST_CASE("each problem of a schema file is reported with its position and a valid alternative") {
  struct Case {
    std::string json;
    std::string problem;
  };
  const Case cases[] = {
      {"{", "line 1, column 2: not JSON: "},
      {R"({"a": {}, "a": {}})", "line 1, column 1: the JSON has the key \"a\" twice"},
      {"[]", "line 1, column 1: wants an object of tables"},
      {Log("postgres.logs", ""),
       "line 1, column 2: postgres.logs has the name of a built-in log, \"postgres.logs\": its "
       "fields are learned from its rows and need no declaration"},
      {Log("app", R"("log": "Edge_Logs")"), "line 1, column 10: app.log has the name of a built-in log, \"Edge_Logs\""},
      {R"({"a": {"log": "x", "time": "t", "columns": {"t": "TIMESTAMP"}},
"b": {"log": "X", "time": "t", "columns": {"t": "TIMESTAMP"}}})",
       "line 2, column 7: b.log has the name \"X\", which another log of the file has"},
      {R"({"a": {"columns": {"t": "TIMESTAMP"}}})",
       "line 1, column 2: a.time is missing: it names the TIMESTAMP column that rows are kept by"},
      {Log("a", R"("id": "when")", R"("whom": "STRING")"),
       "line 1, column 8: a.id names \"when\", which is no STRING column; did you mean whom?"},
      {Log("a", R"("message": "at")"), "line 1, column 8: a.message names \"at\", which is no STRING column"},
      {Log("a", R"("projet": ["x"])"),
       "line 1, column 8: a has an unknown key \"projet\"; known: log, project, time, id, "
       "message, hot, retention, columns; did you mean project?"},
      {Log("a", R"("log": 5)"), "line 1, column 8: a.log wants a string, is 5"},
      {Log("a", R"("retention": "90d")"),
       "line 1, column 8: a.retention wants an object with \"days\", \"max_mb\" or both"},
      {Log("a", R"("retention": {"days": 0})"),
       "line 1, column 22: a.retention.days must be a whole number from 1 to 36500, is 0"},
      {Log("a", R"("retention": {"day": 1})"),
       "line 1, column 22: a.retention has an unknown key \"day\"; known: days, max_mb; did you mean days?"},
      {Log("a", "", R"("x": "STRNG")"),
       "line 1, column 53: a.columns.x has an unknown type \"STRNG\"; wanted a type such "
       "as \"STRING\" or \"INT64\", an object of fields, or [type]; did you mean STRING?"},
      {Log("a", "", R"("_undeclared": "STRING")"),
       "line 1, column 53: a.columns._undeclared is a reserved name: _undeclared "
       "keeps what rows have beyond the declared fields"},
      {Log("a", "", R"("ROWID": "INT64")"), "line 1, column 53: a.columns.ROWID is a reserved name"},
      {Log("a", "", R"("_PARTITIONTIME": "DATE")"), "line 1, column 53: a.columns._PARTITIONTIME is a reserved name"},
      {Log("a", "", R"("m": {"a.b": "INT64"})"), "line 1, column 59: a.columns.m.a.b is no name of a column"},
      {Log("a", "", R"("x": "STRING", "X": "STRING")"),
       "line 1, column 68: a.columns.X stands twice, but for letter case"},
      {Log("a/b", R"("log": "b")"), "line 1, column 2: a/b is no name of a table"},
      {Log("..", R"("log": "b")"), "line 1, column 2: .. is no name of a table"},
      {Log("a.b", ""),
       "line 1, column 9: a.b.log is missing, and the table's name can't stand in for it: \"a.b\" is no name"},
      {Log("a", R"("hot": {"values": ["x"]})", R"("x": "STRING")"),
       "line 1, column 8: a.hot.values names x, which is a column already"},
      {Log("a", R"("hot": {"values": ["m.x"]})", R"("m": {"x": ["STRING"]})"),
       "line 1, column 8: a.hot.values names m.x, which is an ARRAY"},
      {Log("a", R"("hot": {"values": ["m.x", "m.x"]})", R"("m": {"x": "STRING"})"),
       "line 1, column 8: a.hot.values names m.x twice"},
  };
  for (const Case& c : cases) {
    CAPTURE(c.json);
    const std::vector<std::string> problems = Problems(c.json);
    INFO(base::Join(problems, "\n"));
    CHECK(problems.size() == 1);
    CHECK(problems[0].substr(0, c.problem.size()) == c.problem);
    CHECK(ParseOwnLogs("F", c.json).status().code() == absl::StatusCode::kInvalidArgument);
  }
}

TEST_CASE("a file declares further fields of built-in logs, which join the log's own") {
  const absl::StatusOr<SchemaFile> file = ParseOwnLogs("schema.json", R"({
    "Cloudflare.logs.prod": {"fields": {"identifier": "STRING", "project": "STRING", "metadata": {
      "request": {"path": "STRING", "ja4": "STRING", "numbers": ["INT64"]}, "extra": {"deep": {"flag": "BOOL"}}}}},
    "app": {"time": "at", "columns": {"at": "TIMESTAMP"}}})");
  INFO(file.status().ToString());
  REQUIRE(file.ok());
  REQUIRE((file->further.size() == 1 && file->tables.size() == 1));
  CHECK(file->further[0].table == "cloudflare.logs.prod");
  const Catalog catalog = WithOwnLogs(Catalog::DeclaredLogs(), *file);
  const Table* const edge = catalog.Find("cloudflare.logs.prod");
  REQUIRE(edge != nullptr);
  CHECK(FieldType(edge->columns, {"identifier"})->is(TypeKind::kString));
  CHECK(FieldType(edge->columns, {"metadata", "request", "ja4"})->is(TypeKind::kString));
  CHECK(FieldType(edge->columns, {"metadata", "request", "numbers"})->ToString() == "ARRAY<INT64>");
  CHECK(FieldType(edge->columns, {"metadata", "extra", "deep"})->is_record());
  CHECK(FieldType(edge->columns, {"metadata", "response", "status_code"})->is(TypeKind::kInt64));
  CHECK(catalog.revision() != Catalog::DeclaredLogs().revision());

  // Another file of the same log counts from then on, and tells itself apart. A log goes by its own name too.
  const auto more = ParseOwnLogs("b", R"({"Edge_logs": {"fields": {"b": "STRING"}}})");
  REQUIRE(more.ok());
  const auto merged = MergeOwnLogs(*file, *more);
  REQUIRE(merged.ok());
  REQUIRE(merged->further.size() == 1);
  CHECK(merged->further[0].fields.size() == 1);
  CHECK_FALSE(SameOwnLogs(*file, *merged));
  CHECK(SameOwnLogs(*file, *MergeOwnLogs(*file, {})));
}

TEST_CASE("a further field that conflicts with the log, or cannot be learned, is an error with its position") {
  const auto problem = [](const std::string& fields) {
    const std::vector<std::string> problems = Problems(base::StrCat(R"({"postgres.logs": {"fields": )", fields, "}}"));
    INFO(base::Join(problems, "\n"));
    REQUIRE(problems.size() == 1);
    return problems[0];
  };
  CHECK(problem(R"({"project": "INT64"})") == "line 1, column 31: postgres.logs.fields.project is STRING in the log");
  CHECK(problem(R"({"metadata": "STRING"})").ends_with("metadata is a record in the log"));
  CHECK(problem(R"({"id": {"a": "STRING"}})").ends_with("id is STRING in the log"));
  CHECK(problem(R"({"metadata": {"parsed": {"process_id": "STRING"}}})").ends_with("process_id is INT64 in the log"));
  CHECK(problem(R"({"at": "TIMESTAMP"})").find("is TIMESTAMP, and a further field is BOOL, INT64") !=
        std::string::npos);
  CHECK(problem(R"({"m": {"list": [{"a": "STRING"}]}})").find("is ARRAY<STRUCT<a STRING>>, and") != std::string::npos);
  CHECK(problem(R"({"a b": "STRING"})").find("is no name of a column") != std::string::npos);
  CHECK(problem(R"({"rowid": "STRING"})").find("is a reserved name") != std::string::npos);
  CHECK(problem("{}").ends_with("postgres.logs.fields declares no fields"));
  CHECK(problem("[]").ends_with("postgres.logs.fields wants an object of fields"));
  std::string deep = "\"STRING\"";
  for (int i = 0; i < 16; ++i) deep = base::StrCat(R"({"a": )", deep, "}");
  CHECK(problem(deep).ends_with("is nested deeper than 15"));
  CHECK(Problems(R"({"postgres.logs": {"fields": {"a": "STRING"}, "log": "x"}})")[0].find(
            "unknown key \"log\"; known: fields") != std::string::npos);
  CHECK(Problems(Log("edge_logs", ""))[0].find("may be declared as its \"fields\", alone") != std::string::npos);
}

TEST_CASE("all problems of a file are reported, in the order of their positions") {
  const std::vector<std::string> problems = Problems(R"({
  "one": {"log": "auth_logs", "columns": {"t": "TIME STAMP"}},
  "two": {"time": "t", "columns": {"t": "TIMESTAMP", "x": []}, "hot": {"value": []}}
})");
  INFO(base::Join(problems, "\n"));
  REQUIRE(problems.size() == 5);
  CHECK(problems[0].starts_with("line 2, column 3: one.time is missing"));
  CHECK(problems[1].starts_with("line 2, column 11: one.log has the name of a built-in log"));
  CHECK(problems[2].starts_with("line 2, column 43: one.columns.t has an unknown type"));
  CHECK(problems[3].starts_with("line 3, column 54: two.columns.x wants one element type"));
  CHECK(problems[4].starts_with("line 3, column 72: two.hot has an unknown key"));
}

TEST_CASE("a file has a thousand logs at most") {
  std::string json = "{";
  for (size_t i = 0; i < kMaxOwnLogs; ++i) {
    base::StrAppend(&json, i == 0 ? "" : ",", "\"l", i, R"(": {"time": "t", "columns": {"t": "TIMESTAMP"}})");
  }
  CHECK(ParseOwnLogs("s", json + "}")->tables.size() == kMaxOwnLogs);
  const std::vector<std::string> problems =
      Problems(json + R"(, "more": {"time": "t", "columns": {"t": "TIMESTAMP"}}})");
  REQUIRE(problems.size() == 1);
  CHECK(problems[0] == "line 1, column 1: has 1001 logs, and may have 1000");
}

TEST_CASE("later declarations replace those of their tables, and take no other log's name") {
  const SchemaFile earlier = *ParseOwnLogs("s", Log("a", R"("log": "first")"));
  const SchemaFile changed = *ParseOwnLogs("s", Log("a", R"("log": "first")", R"("x": "INT64")"));
  const absl::StatusOr<SchemaFile> merged = MergeOwnLogs(earlier, changed);
  REQUIRE(merged.ok());
  CHECK(merged->tables.size() == 1);
  CHECK(SameOwnLogs(*merged, changed));
  CHECK_FALSE(SameOwnLogs(*merged, earlier));
  const absl::Status taken = MergeOwnLogs(earlier, *ParseOwnLogs("s", Log("b", R"("log": "First")"))).status();
  CHECK(base::Message(taken).find("the table a has the log first") != std::string::npos);
  CHECK_FALSE(MergeOwnLogs(earlier, *ParseOwnLogs("s", Log("A", ""))).ok());
}

}  // namespace
}  // namespace logquery::model
