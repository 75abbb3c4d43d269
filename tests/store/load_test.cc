// Lines that are loaded: which rows are taken, as what, and which are not, and why.
#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <iterator>
#include <string>
#include <vector>

#include "tests/store/folder_test_util.h"
#include "tests/store/loaded_lines.h"

namespace logquery::store::load_tests {
namespace {

TEST_CASE("rows of a log are loaded and queried, with hot columns") {
  TemporaryFolder folder;
  DuckDbOptions options;
  options.folder = folder / "data";
  auto opened = OpenDuckDb(options);
  REQUIRE(opened.ok());
  DuckDbBackend& backend = **opened;
  const std::string file =
      WriteFile(folder / "edge.ndjson",
                R"({"id":"a","timestamp":"2026-03-04T05:06:07.5Z","event_message":"GET /","project":"abc",)"
                R"("metadata":{"request":{"method":"GET","path":"/"},"response":{"status_code":200}}})"
                "\n"
                R"({"id":"b","timestamp":1772600768000000,"event_message":"none","metadata":null})");

  const LoadReport report = Load(backend, {.table = "edge_logs", .files = {file}});
  CHECK(report.rows == 2);
  CHECK(report.rejected_rows == 0);
  CHECK(report.files_loaded == 1);

  const auto catalog = backend.ReadCatalog();
  REQUIRE(catalog.ok());
  const Table* table = catalog->Find("cloudflare.logs.prod");
  REQUIRE(table != nullptr);
  CHECK(table->time_column == "timestamp");
  const Rows rows = Select(
      backend, Duck(R"(SELECT id, "timestamp", metadata, "metadata.request.path", "?metadata.request", "?metadata"
                       FROM "cloudflare.logs.prod" ORDER BY id)",
                    {{"id", Type::String()},
                     {"timestamp", Type::Timestamp()},
                     {"metadata", table->columns[table->columns.size() - 1].type},
                     {"path", Type::String()},
                     {"has_request", Type::Bool()},
                     {"has_metadata", Type::Bool()}}));
  REQUIRE(rows.size() == 2);
  CHECK(rows[0][1] == Value::TimestampMicros(1'772'600'767'500'000));
  CHECK(rows[0][3] == Value::String("/"));
  CHECK(rows[0][4] == Value::Bool(true));
  CHECK(rows[1][1] == Value::TimestampMicros(1'772'600'768'000'000));
  CHECK(rows[1][2].is_null());
  CHECK(rows[1][4] == Value::Bool(false));
  CHECK(rows[1][5] == Value::Bool(false));
}

TEST_CASE("a timestamp is ISO 8601 text or a number in the given unit") {
  Lines lines;
  const int64_t second = 1'772'600'767'000'000;
  struct Case {
    const char* json;
    int64_t micros;
    TimestampUnit unit = TimestampUnit::kMicroseconds;
  };
  const Case cases[] = {
      {R"("2026-03-04T05:06:07Z")", second},
      {R"("2026-03-04T05:06:07z")", second},
      {R"("2026-03-04 05:06:07")", second},
      {R"("2026-03-04T05:06:07.1234569Z")", second + 123'456},
      {R"("2026-03-04T05:06:07,5Z")", second + 500'000},
      {R"("2026-03-04T07:06:07+02:00")", second},
      {R"("2026-03-04T07:06:07+0200")", second},
      {R"("2026-03-04T07:06:07+02")", second},
      {R"("2026-03-03T23:36:07-05:30")", second},
      {R"("2026-03-04T05:06")", second - 7'000'000},
      {R"("2026-03-04")", 1'772'582'400'000'000},
      {R"("2000-01-01")", 946'684'800'000'000},
      {R"("2100-12-31T23:59:59.999999Z")", 4'133'980'799'999'999},
      {"1772600767000000", second},
      {"1772600767", second, TimestampUnit::kSeconds},
      {"1772600767123", second + 123'000, TimestampUnit::kMilliseconds},
      {"1772600767123456789", second + 123'456, TimestampUnit::kNanoseconds},
      // BigQuery exports times in these forms, and Go writes them so.
      {R"("2026-03-04 05:06:07.123456 UTC")", second + 123'456},
      {R"("2026-03-04 05:06:07 UTC")", second},
      {R"("2026-03-04 05:06:07.5 +0000 UTC")", second + 500'000},
      {R"("2026-03-04 07:06:07 +02:00")", second},
      {R"("2026-03-04T05:06:60Z")", second + 53'000'000},
      {R"("2016-12-31T23:59:60.5Z")", 1'483'228'800'500'000},
      {R"("1772600767000000")", second},
      {R"("1772600767.25")", second + 250'000, TimestampUnit::kSeconds},
      {"1772600767.1234567", second + 123'456, TimestampUnit::kSeconds},
      {"1.7726007675E9", second + 500'000, TimestampUnit::kSeconds},
      {R"("1.772600767123E12")", second + 123'000, TimestampUnit::kMilliseconds},
      {"1772600767000000.9", second},
      {"17726007671234567890e-1", second + 123'456, TimestampUnit::kNanoseconds},
  };
  for (const Case& c : cases) {
    CAPTURE(c.json);
    const std::string line = std::string(R"({"timestamp":)") + c.json + "}";
    CHECK(lines.LoadValue(line, "\"timestamp\"", Type::Timestamp(), c.unit) == Value::TimestampMicros(c.micros));
  }
}

TEST_CASE("a row without a timestamp that can be read is rejected, and so are other centuries") {
  Lines lines;
  struct Case {
    const char* line;
    const char* reason;
  };
  const Case cases[] = {
      {"{}", "timestamp is missing"},
      {R"({"timestamp":null})", "timestamp is missing"},
      {R"({"timestamp":"yesterday"})", "timestamp is yesterday, which is no TIMESTAMP"},
      {R"({"timestamp":"2026-02-29"})", "timestamp is 2026-02-29, which is no TIMESTAMP"},
      {R"({"timestamp":"2026-03-04T24:00:00Z"})", "timestamp is 2026-03-04T24:00:00Z, which is no TIMESTAMP"},
      {R"({"timestamp":"2026-03-04T05:06:07.1234567890Z"})", nullptr},
      {R"({"timestamp":"2026-03-04T05:06:07 Z"})", nullptr},
      {R"({"timestamp":"20260304"})", nullptr},
      {R"({"timestamp":1772600767.5})",
       "timestamp is not in the years 2000 to 2100: 1772600767 read as us is the year 1970; --timestamp-unit s would "
       "be "
       "right"},
      {R"({"timestamp":"1772600767"})",
       "timestamp is not in the years 2000 to 2100: 1772600767 read as us is the year 1970; --timestamp-unit s would "
       "be "
       "right"},
      {R"({"timestamp":1772600767000})",
       "timestamp is not in the years 2000 to 2100: 1772600767000 read as us is the year 1970; --timestamp-unit ms "
       "would "
       "be right"},
      {R"({"timestamp":1772600767000000000})",
       "timestamp is not in the years 2000 to 2100: 1772600767000000000 read as us is the year 58141; "
       "--timestamp-unit ns would be right"},
      {R"({"timestamp":12})", "timestamp is not in the years 2000 to 2100"},
      {R"({"timestamp":"1e99"})", "timestamp is 1e99, which is no TIMESTAMP"},
      {R"({"timestamp":"."})", "timestamp is ., which is no TIMESTAMP"},
      {R"({"timestamp":"2026-03-04 05:06:07 CET"})", nullptr},
      {R"({"timestamp":"2026-03-04 05:06:07+02:00 UTC"})", nullptr},
      {R"({"timestamp":"2026-03-04T05:60:07Z"})", nullptr},
      {R"({"timestamp":true})", nullptr},
      {R"({"timestamp":1772600767})",
       "timestamp is not in the years 2000 to 2100: 1772600767 read as us is the year 1970; --timestamp-unit s would "
       "be "
       "right"},
      {R"({"timestamp":"1999-12-31T23:59:59.999999Z"})", "timestamp is not in the years 2000 to 2100"},
      {R"({"timestamp":"2101-01-01"})", "timestamp is not in the years 2000 to 2100"},
  };
  for (const Case& c : cases) {
    CAPTURE(c.line);
    const LoadReport report = lines.Load(c.line);
    CHECK(report.rows == 0);
    REQUIRE(report.first_rejected.size() == 1);
    if (c.reason != nullptr) CHECK(report.first_rejected[0].reason == c.reason);
  }
  CHECK(CountRows(lines.backend()) == 0);
}

TEST_CASE("an id that is missing is made from the file and the line; a message that is missing is empty") {
  Lines lines;
  const Value id = lines.LoadValue("\n\n" + Row(), "id", Type::String());
  CHECK(id.string_value().size() == 18);
  CHECK(id.string_value().substr(16) == "-3");
  CHECK(lines.LoadValue(Row(R"("id":null,"event_message":null)"), "event_message", Type::String()) ==
        Value::String(""));
  CHECK(lines.LoadValue(Row(R"("id":"mine","event_message":"text")"), "id", Type::String()) == Value::String("mine"));
}

TEST_CASE("fields without a column are kept, with their nesting, and reported") {
  Lines lines;
  const std::string row = Row(
      R"("new":[["é"]],"metadata":{"a":[1, {}],"request":{"path":"/","x\"y":{}},"b":null},"items":[{},{"more":true}])");
  CHECK(lines.LoadValue(row, "_undeclared", Type::String()) ==
        Value::String(
            R"({"new":[["é"]],"metadata":{"a":[1, {}],"request":{"x\"y":{}},"b":null},"items":{"1":{"more":true}}})"));
  const LoadReport report = lines.Load(row + "\n" + row);
  CHECK(report.undeclared_fields ==
        std::vector<std::string>{"items.1.more", "metadata.a", "metadata.b", "metadata.request.x\"y", "new"});
  CHECK(lines.LoadValue(Row("\"i\":1"), "_undeclared", Type::String()).is_null());
}

TEST_CASE("a line that is not JSON is rejected, with the column") {
  Lines lines;
  struct Case {
    const char* line;
    const char* reason;
  };
  const Case cases[] = {
      {"not json", "column 1: wanted an object, found 'n'"},
      {"[]", "column 1: wanted an object, found '['"},
      {R"({"a":1,})", "column 8: wanted a string, found '}'"},
      {R"({"a" 1})", "column 6: wanted ':', found '1'"},
      {R"({"a":1 "b":2})", "column 8: wanted ',' or '}', found '\"'"},
      {R"({"a":)", "column 6: wanted a value, found the end of the line"},
      {R"({"a":tru})", "column 6: wanted a value, found 't'"},
      {R"({"é":01})", "column 6: wanted a value, found '0'"},
      {R"({"a":1.})", "column 6: a number without digits after the point"},
      {R"({"a":1e})", "column 6: a number without digits in its exponent"},
      {R"({"a":"x)", "column 6: a string does not end"},
      {R"({"a":"\x"})", "column 7: an unknown escape in a string"},
      {R"({"a":"\u12"})", "column 7: an unknown escape in a string"},
      {"{\"a\":\"\t\"}", "column 7: a control character in a string"},
      {"{\"a\":\"\xff\"}", "column 6: text that is not valid UTF-8"},
      {"{\"\xc3\":1}", "column 2: text that is not valid UTF-8"},
      {R"({} {})", "column 4: wanted the end of the line, found '{'"},
  };
  for (const Case& c : cases) {
    CAPTURE(c.line);
    const LoadReport report = lines.Load(c.line);
    CHECK(report.rows == 0);
    REQUIRE(report.first_rejected.size() == 1);
    CHECK(report.first_rejected[0].reason == c.reason);
  }
  std::string deep;
  for (int i = 0; i < 300; ++i) deep += "[";
  const LoadReport report = lines.Load(Row("\"deep\":" + deep));
  REQUIRE(report.first_rejected.size() == 1);
  CHECK(report.first_rejected[0].reason.find("values nested deeper than 200") != std::string::npos);
}

TEST_CASE("half a surrogate pair in a row becomes U+FFFD, in texts, keys and JSON") {
  Lines lines;
  CHECK(lines.LoadValue(Row(R"("event_message":"a\ud83d b\ude80")"), "event_message", Type::String()) ==
        Value::String("a\xEF\xBF\xBD b\xEF\xBF\xBD"));
  CHECK(lines.LoadValue(Row(R"("j":{"\udfff":["\ud83d\ude80\\ud83d"]})"), "j", Type::String()) ==
        Value::String(R"({"\ufffd":["\ud83d\ude80\\ud83d"]})"));
  const LoadReport report = lines.Load(Row(R"("i":"\ud83d")"));
  REQUIRE(report.first_rejected.size() == 1);
  CHECK(report.first_rejected[0].reason == "i is \xEF\xBF\xBD, which is no INT64");
}

// DuckDB keeps what it knew of a column's values in a prepared statement.
TEST_CASE("a repeated query sees rows that were loaded since") {
  Lines lines;
  for (int i : {200, 5, -5, 1'000'000, 0, 70'000, -300}) {
    CHECK(lines.LoadValue(Row("\"i\":" + std::to_string(i)), "i", Type::Int64()) == Value::Int64(i));
  }
  CHECK(lines.LoadValue(Row(R"("i":null)"), "i", Type::Int64()).is_null());
}

TEST_CASE("a repeated query with parameters plans with the rows that were loaded since") {
  Lines lines;
  const char* const kQueries[] = {R"(SELECT max("i") FROM "test.logs" WHERE "i" > $1)",
                                  R"(SELECT min("i") FROM "test.logs" WHERE "i" < $1 + 2000000)",
                                  R"(SELECT "i" FROM "test.logs" WHERE "i" > $1 ORDER BY "i" DESC LIMIT 1)",
                                  R"(SELECT sum("i")::BIGINT FROM "test.logs" WHERE "i" > $1)",
                                  R"(SELECT count("i") FROM "test.logs" WHERE $1 < 0)"};
  int64_t sum = 0, most = 0, count = 0, least = 0;
  for (const int64_t i : {200, 5, -5, 1'000'000, 0, 70'000, -300, 127, 128, -129}) {
    CHECK(lines.Load(Row("\"i\":" + std::to_string(i)) + "\n" + Row(R"("i":null)")).rows == 2);
    sum += i;
    most = count == 0 ? i : std::max(most, i);
    least = count == 0 ? i : std::min(least, i);
    ++count;
    const int64_t wanted[] = {most, least, most, sum, count};
    for (size_t q = 0; q < std::size(kQueries); ++q) {
      CAPTURE(i, kQueries[q]);
      CHECK(SelectValue(lines.backend(), kQueries[q], Type::Int64(), {Value::Int64(-1'000)}) ==
            Value::Int64(wanted[q]));
    }
  }
}

TEST_CASE("empty lines, a byte order mark, and both kinds of line ends are skipped") {
  Lines lines;
  CHECK(lines.Load("\xEF\xBB\xBF" + Row() + "\r\n\r\n  \n" + Row() + "\n\n").rows == 2);
  CHECK(lines.Load("").rows == 0);
  CHECK(lines.Load("\n \n").rows == 0);
  CHECK(lines.Load(Row("\"i\":1")).bytes == static_cast<int64_t>(Row("\"i\":1").size()));
}

TEST_CASE("rows of one project are stored from the newest to the oldest within each batch") {
  Lines lines;
  std::string text;
  for (int i = 0; i < 5000; ++i)
    text += R"({"timestamp":)" + std::to_string(1772600767000000 + i * 7919 % 5000) + "}\n";
  CHECK(lines.Load(text).rows == 5000);
  CHECK(SelectValue(lines.backend(),
                    R"(SELECT count(*) FROM (SELECT "timestamp" > lag("timestamp") OVER (ORDER BY rowid) AS back
                       FROM "test.logs") WHERE back)",
                    Type::Int64()) == Value::Int64(0));
}

}  // namespace
}  // namespace logquery::store::load_tests
