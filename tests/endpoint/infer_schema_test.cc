#include "lib/tools/infer_schema.h"

#include <catch2/catch_test_macros.hpp>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "lib/base/strings.h"

namespace logquery::endpoint {
namespace {

using Json = nlohmann::ordered_json;

absl::StatusOr<InferredSchema> Infer(const std::vector<std::string>& rows, InferOptions options = {.log = "app_logs"}) {
  SchemaInference inference(std::move(options));
  for (const std::string& row : rows) inference.Add(row);
  return inference.Finish();
}

Json LogOf(const std::vector<std::string>& rows, InferOptions options = {.log = "app_logs"}) {
  const auto schema = Infer(rows, std::move(options));
  INFO(schema.status().ToString());
  REQUIRE(schema.ok());
  return Json::parse(schema->json)["app_logs"];
}

std::string Notes(const std::vector<std::string>& rows) {
  const auto schema = Infer(rows);
  REQUIRE(schema.ok());
  return base::Join(schema->notes, "\n");
}

std::string ErrorOf(const std::vector<std::string>& rows, InferOptions options = {.log = "app_logs"}) {
  return std::string(base::Message(Infer(rows, std::move(options)).status()));
}

TEST_CASE("a log is declared by its rows: times, project, message, and each field's type") {
  const Json log = LogOf({
      R"({"ts":"2026-03-04T05:06:07.5Z","project":"p","msg":"GET /","status":200,"ms":1.5,"ok":true,"tags":["a"],"http":{"path":"/"}})",
      R"({"ts":"2026-03-04 05:06:08+01","project":"p","msg":"GET /","status":404,"ms":2,"ok":null,"tags":[],"http":[{"bytes":7}]})",
      "",
  });
  CHECK(log == Json::parse(
                   R"({"time":"ts","project":["project"],"message":"msg","columns":{"ts":"TIMESTAMP","project":"STRING",
      "msg":"STRING","status":"INT64","ms":"FLOAT64","ok":"BOOL","tags":["STRING"],"http":{"path":"STRING","bytes":"INT64"}}})"));
}

TEST_CASE("times are found by their names first, then by their values, and may be numbers") {
  CHECK(LogOf({R"({"started":"2026-03-04","ts":1772600767})"})["time"] == "ts");
  CHECK(LogOf({R"({"n":5,"begun":"2026-03-04T05:06:07Z"})"})["time"] == "begun");
  CHECK(LogOf({R"({"ts":"soon","n":1772600767,"begun":"2026-03-04T05:06:07Z"})"})["time"] == "begun");
  CHECK(LogOf({R"({"ts":"soon","n":1772600767})"}, {.log = "app_logs", .time = "n"})["columns"]["n"] == "TIMESTAMP");
  CHECK(Notes({R"({"ts":1772600767})"}).find("ts is a number of s: load the rows with --timestamp-unit s") !=
        std::string::npos);
  CHECK(Notes({R"({"time":1772600767.25})", R"({"time":1772600768})"}).find("time is a number of s: load the rows") !=
        std::string::npos);
  CHECK(Notes({R"({"ts":1772600767000})"}).find("--timestamp-unit ms") != std::string::npos);
  CHECK(Notes({R"({"ts":1772600767000000})"}).find("--timestamp-unit") == std::string::npos);
  CHECK(Notes({R"({"ts":1772600767000000})", R"({"n":5})"}).find("rows without ts are rejected: 1 of 2") !=
        std::string::npos);
}

TEST_CASE("the project may be a field of a record") {
  const std::string row = R"({"ts":"2026-03-04T05:06:07Z","meta":{"tenant":"a","n":5}})";
  CHECK(LogOf({row}, {.log = "app_logs", .project = "meta.tenant"})["project"] == Json::array({"meta", "tenant"}));
  CHECK(Notes({row}).find("--project names one") != std::string::npos);
  CHECK(ErrorOf({row}, {.log = "app_logs", .project = "meta.n"}) ==
        "the rows have no field \"meta.n\" that is always text");
}

TEST_CASE("fields whose values have no one type are left out, each with the reason") {
  const std::string time = R"({"ts":"2026-03-04T05:06:07Z",)";
  const std::vector<std::string> rows = {
      time +
          R"("a":5,"b":{"c":1},"d":[[1]],"e":[{"f":1},{"f":2}],"g":null,"h":[1,"x"],"User":1,"user":2,"j":[],"rowid":7})",
      time + R"("a":"five","b":1,"k":9007199254740993})", time + R"("k":0.5,"l":{"m":[5,true]}})"};
  CHECK(LogOf(rows)["columns"] == Json::parse(R"({"ts":"TIMESTAMP","User":"INT64"})"));
  const std::string notes = Notes(rows);
  for (const char* note :
       {"a is not declared, as it is sometimes a number and sometimes text",
        "b is not declared, as it is sometimes a number and sometimes a record",
        "d is not declared, as it is a list of lists",
        "e is not declared, as it is a list of lists, or of several records", "g is not declared, as it is always null",
        "h is not declared, as it is a list of several types",
        "user is not declared: its name differs from User in upper and lower case alone",
        "j is not declared, as it is always an empty list",
        "k is not declared, as it has numbers that no type holds exactly",
        "l is not declared, as it has no field with one type", "rowid is not declared"}) {
    CAPTURE(note, notes);
    CHECK(notes.find(note) != std::string::npos);
  }
}

TEST_CASE("thousands of keys and deep records are bounded") {
  std::string wide = R"({"ts":"2026-03-04T05:06:07Z")";
  for (int i = 0; i < 3'000; ++i) base::StrAppend(&wide, ",\"k", i, "\":", i);
  const Json columns = LogOf({wide + "}"})["columns"];
  CHECK(columns.size() == 200);
  CHECK(Notes({wide + "}"}).find("more than 200 fields") != std::string::npos);
  for (int i = 3'000; i < 10'000; ++i) base::StrAppend(&wide, ",\"k", i, "\":", i);
  CHECK(ErrorOf({wide + "}"}).ends_with("line 1: the JSON has an object of more than 4000 keys"));
  std::string deep;
  for (int i = 0; i < 100; ++i) deep += "{\"a\":";
  deep += "1" + std::string(100, '}');
  CHECK(LogOf({R"({"ts":"2026-03-04T05:06:07Z","d":)" + deep + "}"})["columns"].size() == 1);
}

// `count` rows, of which the 8th is `other`.
std::vector<std::string> AllBut(const std::string& other, int count, const std::string& row) {
  std::vector<std::string> rows(count, row);
  rows[7] = other;
  return rows;
}

TEST_CASE("a field that is a time in nearly all rows has the times, and a note names the first value that is none") {
  const std::string row = R"({"ts":"2026-03-04T05:06:07Z"})";
  CHECK(Notes(AllBut(R"({"ts":"yesterday"})", 10, row))
            .find("ts is no time in 1 of 10 rows, which load rejects; the first value that is none is at line 8: "
                  "\"yesterday\"") != std::string::npos);
  CHECK(LogOf(AllBut(R"({"ts":"yesterday"})", 10, row))["columns"]["ts"] == "TIMESTAMP");
  CHECK(LogOf(AllBut(R"({"ts":5})", 20, R"({"ts":1772600767})"), {.log = "app_logs", .time = "ts"})["time"] == "ts");
  const std::string notes = Notes(AllBut(R"({"ts":"1772600767.25"})", 10, R"({"ts":1772600767})"));
  CAPTURE(notes);
  CHECK(notes.find("no time") == std::string::npos);
  // The types of its values are no matter: it is declared as TIMESTAMP.
  CHECK(notes.find("ts is not declared") == std::string::npos);
  CHECK(Notes(AllBut(R"({"ts":5})", 200, row)).find("but for") == std::string::npos);
  // A year that no folder takes is none, nor is one of nine.
  CHECK(Notes(AllBut(R"({"ts":"1970-01-01T00:00:00Z"})", 10, row)).find("line 8: \"1970-") != std::string::npos);
  CHECK(ErrorOf(AllBut(R"({"ts":"yesterday"})", 9, row)).starts_with("no field has the times of the rows"));
  CHECK(ErrorOf(AllBut(R"({"ts":"yesterday"})", 9, row), {.log = "app_logs", .time = "ts"})
            .ends_with("; the first value that is none is at line 8: \"yesterday\""));
}

TEST_CASE("times as nginx writes them in $time_local are named, with the forms that are read") {
  const std::string row = R"({"time_local":"29/Nov/2026:05:25:53 +0000"})";
  const std::string hint =
      "; time_local has times as nginx's $time_local writes them, \"29/Nov/2026:05:25:53 +0000\", which are not read: "
      "let "
      "nginx write $time_iso8601, or $msec, in its place";
  CHECK(ErrorOf({row}).ends_with("the fields are time_local" + hint));
  CHECK(ErrorOf({row}, {.log = "app_logs", .time = "time_local"}).ends_with(hint));
  CHECK(ErrorOf({R"({"time_local":"29/November/2026"})"}).find("nginx") == std::string::npos);
  CHECK(LogOf({R"({"time":"2026-03-04T05:06:07Z","time_local":"29/Nov/2026:05:25:53 +0000"})"})["time"] == "time");
}

TEST_CASE("integers in the unit of the times are noted, as they stay integers") {
  const std::string note = "end stays INT64, though its numbers are times in ns, too";
  CHECK(Notes({R"({"ts":1795929953301922816,"end":1795929953301927816})"}).find(note) != std::string::npos);
  CHECK(Notes({R"({"ts":1795929953301922816,"end":1795929953})"}).find("stays") == std::string::npos);
  CHECK(Notes({R"({"ts":"2026-03-04T05:06:07Z","end":1795929953301927816})"}).find("stays") == std::string::npos);
}

TEST_CASE("a field has the type of nearly all of its values, and a note says what load does with the others") {
  const std::string time = R"({"ts":"2026-03-04T05:06:07Z",)";
  const std::string row = time + R"("status":200,"ok":true,"level":"info","http":{"n":1},"tags":["a"]})";
  const auto noted = [&](const std::string& other, const std::string& note) {
    const std::string notes = Notes(AllBut(time + other, 200, row));
    CAPTURE(notes, note);
    CHECK(notes.find(note) != std::string::npos);
  };
  CHECK(LogOf(AllBut(time + R"("status":"oops","ok":5,"level":{"a":1},"http":7,"tags":"x"})", 200, row))["columns"] ==
        LogOf({row})["columns"]);
  noted(R"("status":"oops"})",
        "status is INT64 but for 1 of 200 values, the first at line 8: \"oops\"; load rejects rows with it");
  noted(R"("ok":5})", "ok is BOOL but for 1 of 200 values, the first at line 8: 5;");
  noted(R"("level":["x",5]})", "level is STRING but for 1 of 200 values, the first at line 8: [\"x\",5];");
  noted(R"("http":7})", "http is a record but for 1 of 200 values");
  noted(R"("http":{"n":"x"}})", "http.n is INT64 but for 1 of 200 values");
  noted(R"("tags":"x"})", "tags is a list but for 1 of 200 values");
  // What load converts is not noted.
  const std::string converted =
      Notes(AllBut(time + R"("status":"404","ok":"true","level":7,"http":[],"tags":[5]})", 200, row));
  CAPTURE(converted);
  CHECK(converted.find("but for") == std::string::npos);
  // One of 99 is too many.
  CHECK(Notes(AllBut(time + R"("status":"oops"})", 99, row)).find("status is not declared, as it is sometimes") !=
        std::string::npos);
}

TEST_CASE("lines that are no rows are skipped, counted and named, while at least half of the lines are rows") {
  const std::string row = R"({"ts":"2026-03-04T05:06:07Z"})";
  SchemaInference inference({.log = "app_logs"});
  inference.BeginFile("a.ndjson");
  for (int i = 0; i < 10; ++i) inference.Add(row);
  inference.Add(R"({"ts":"2026-03-04T05:06:07Z")");
  inference.BeginFile("b.ndjson");
  inference.Add("");
  inference.Add("[1]");
  CHECK(inference.rows() == 10);
  CHECK(inference.lines() == 12);
  const auto schema = inference.Finish();
  REQUIRE(schema.ok());
  REQUIRE(schema->notes.size() >= 3);
  CHECK(schema->notes[0] == "skipped 2 of 12 lines, which are no rows");
  CHECK(schema->notes[1] ==
        "skipped: a.ndjson:11: not JSON at column 29: the text ends, but the { of column 1 is not closed");
  CHECK(schema->notes[2] == "skipped: b.ndjson:2: is no JSON object");

  CHECK(Notes({row, "x"}).starts_with("skipped 1 of 2 lines, which is no row\nskipped: line 2: not JSON at column 1"));
  CHECK(Notes({row, row, row, row, row, row, row, "1", "1", "1", "1", "1", "1", "1"}).find("\nskipped: 2 more\n") !=
        std::string::npos);
  CHECK(Notes({row, std::string(SchemaInference::kLongestRow + 1, 'x')}).find("line 2: is longer than 8388608 bytes") !=
        std::string::npos);
  CHECK(Notes({row}).find("skipped") == std::string::npos);

  CHECK(ErrorOf({"1", row, "2"}) ==
        "only 1 of 3 lines are rows, which are JSON objects; the first that is none is line 1: is no JSON object");
}

TEST_CASE("rows of which no log can be declared are refused with what is missing") {
  CHECK(ErrorOf({}) == "there is no row: a line with one JSON object");
  CHECK(ErrorOf({R"({"a":1,"b":"x"})"}) ==
        "no field has the times of the rows, which are ISO 8601 text, or numbers of s, ms, us or ns since 1970; "
        "the fields are a, b");
  // A number under another name than those of times is not chosen, but named.
  CHECK(ErrorOf({R"({"a":1768464000000,"b":"x"})"}) == "--time says which field has the times of the rows: a");
  CHECK(ErrorOf({R"({"a":1768464000.123})"}) == "--time says which field has the times of the rows: a");
  CHECK(ErrorOf({R"({"a":12.5})"}).starts_with("no field has the times of the rows"));
  CHECK(ErrorOf({R"({"a":1e300})"}).starts_with("no field has the times of the rows"));
  CHECK(ErrorOf({R"({"a":"2026-03-04","b":"2026-03-04"})"}) ==
        "--time says which field has the times of the rows: a, b");
  CHECK(ErrorOf({R"({"at":"2026-03-04"})"}, {.log = "app_logs", .time = "att"})
            .starts_with("the rows have no field \"att\"; did you mean at?"));
  CHECK(ErrorOf({R"({"at":"2026-03-04","n":5})"}, {.log = "app_logs", .time = "n"})
            .starts_with("the field n does not always have a time"));
  CHECK(ErrorOf({"[1]"}) ==
        "no line is a row, which is one JSON object; the first that is none is line 1: is no JSON object");
  CHECK_FALSE(ErrorOf({std::string("\x7f"
                                   "ELF\0\1",
                                   6)})
                  .empty());
  CHECK(ErrorOf({R"({"at":"2026-03-04"})"}, {.log = "edge_logs"}).find("edge_logs has the name of a built-in log") !=
        std::string::npos);
}

}  // namespace
}  // namespace logquery::endpoint
