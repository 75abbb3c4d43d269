// Values of rows that are loaded: casts, records, lists, and keys in any letter case.
#include <catch2/catch_test_macros.hpp>
#include <string>

#include "tests/store/folder_test_util.h"
#include "tests/store/loaded_lines.h"

namespace logquery::store::load_tests {
namespace {

TEST_CASE("a value that casts to the declared type exactly does") {
  Lines lines;
  struct Case {
    const char* field;
    const char* json;
    Value value;
  };
  const Case cases[] = {
      {"i", "200", Value::Int64(200)},
      {"i", R"("200")", Value::Int64(200)},
      {"i", R"("+5")", Value::Int64(5)},
      {"i", R"("-5")", Value::Int64(-5)},
      {"i", "200.0", Value::Int64(200)},
      {"i", "2e2", Value::Int64(200)},
      {"i", "20000e-2", Value::Int64(200)},
      {"i", "-0.0", Value::Int64(0)},
      {"i", "9223372036854775807", Value::Int64(9223372036854775807)},
      {"i", "-9223372036854775808", Value::Int64(-9223372036854775807 - 1)},
      {"i", "null", Value::Null(Type::Int64())},
      {"f", "0.1", Value::Float64(0.1)},
      {"f", "3", Value::Float64(3)},
      {"f", R"("2.5")", Value::Float64(2.5)},
      {"f", "9007199254740992", Value::Float64(9007199254740992.0)},
      {"f", R"("NaN")", Value::Float64(std::numeric_limits<double>::quiet_NaN())},
      {"f", R"("-Infinity")", Value::Float64(-std::numeric_limits<double>::infinity())},
      {"b", "true", Value::Bool(true)},
      {"b", R"("False")", Value::Bool(false)},
      {"n", "12.5", Value::Numeric("12.5")},
      {"n", R"("-0.000000001")", Value::Numeric("-0.000000001")},
      {"n", "7", Value::Numeric("7")},
      {"big", R"("-578960446186580977117854925043439539266.25")",
       Value::BigNumeric("-578960446186580977117854925043439539266.25")},
      {"big", "1e-38", Value::BigNumeric("0.00000000000000000000000000000000000001")},
      {"y", R"("AQI=")", Value::Bytes("\x01\x02")},
      {"d", R"("2026-03-04")", Value::Date(20'516)},
      {"t", R"("05:06:07.25")", Value::Time(18'367'250'000)},
      {"dt", R"("2026-03-04T05:06:07")", Value::Datetime(1'772'600'767'000'000)},
      {"project", "5", Value::String("5")},
      {"project", "1.50", Value::String("1.50")},
      {"project", "true", Value::String("true")},
      {"project", R"("")", Value::String("")},
      {"project", R"("tab\t \u00e9 \ud83d\ude80 \/ \"")", Value::String("tab\t \u00e9 \U0001F680 / \"")},
      {"project", R"("longer than twelve bytes \\ escaped")", Value::String("longer than twelve bytes \\ escaped")},
      {"j", R"({"a": [1, {"A":2,"a":3}]})", Value::Json(R"({"a": [1, {"A":2,"a":3}]})")},
      {"j", R"("text")", Value::Json(R"("text")")},
      {"tags", R"(["a", 5, null])",
       Value::Array(Type::String(), {Value::String("a"), Value::String("5"), Value::Null(Type::String())})},
      {"tags", "[]", Value::Array(Type::String(), {})},
      {"tags", "null", Value::Null(Type::Array(Type::String()))},
  };
  for (const Case& c : cases) {
    CAPTURE(c.field, c.json);
    const std::string member = "\"" + std::string(c.field) + "\":" + c.json;
    const Value value = lines.LoadValue(Row(member), c.field, c.value.type());
    CAPTURE(value.DebugString());
    CHECK(value == c.value);
  }
}

TEST_CASE("a value that does not cast exactly rejects its row, with the field's path and the value") {
  Lines lines;
  struct Case {
    const char* members;
    const char* reason;
  };
  const Case cases[] = {
      {R"("i":"abc")", "i is abc, which is no INT64"},
      {R"("i":200.5)", "i is 200.5, which is no INT64"},
      {R"("i":" 5")", "i is  5, which is no INT64"},
      {R"("i":"200.0")", "i is 200.0, which is no INT64"},
      {R"("i":9223372036854775808)", "i is 9223372036854775808, which is no INT64"},
      {R"("i":1e400)", "i is 1e400, which is no INT64"},
      {R"("i":1e99999999999)", "i is 1e99999999999, which is no INT64"},
      {R"("i":true)", "i is true, which is no INT64"},
      {R"("i":[1])", "i wants INT64, is [1]"},
      {R"("f":9007199254740993)", "f is 9007199254740993, which is no FLOAT64"},
      {R"("f":1e400)", "f is 1e400, which is no FLOAT64"},
      {R"("b":1)", "b is 1, which is no BOOL"},
      {R"("b":"yes")", "b is yes, which is no BOOL"},
      {R"("n":0.0000000001)", "n is 0.0000000001, which is no NUMERIC"},
      {R"("n":123456789012345678901234567890)", "n is 123456789012345678901234567890, which is no NUMERIC"},
      {R"("big":1e39)", "big is 1e39, which is no BIGNUMERIC"},
      {R"("big":1e-39)", "big is 1e-39, which is no BIGNUMERIC"},
      {R"("big":true)", "big is true, which is no BIGNUMERIC"},
      {R"("y":"!")", "y is !, which is no BYTES"},
      {R"("d":"2026-3-4")", "d is 2026-3-4, which is no DATE"},
      {R"("dt":"2026-03-04T05:06:07Z")", "dt is 2026-03-04T05:06:07Z, which is no DATETIME"},
      {R"("project":{"a":1})", R"(project wants STRING, is {"a":1})"},
      {R"("tags":"a")", R"(tags wants an array, is "a")"},
      {R"("tags":[["a"]])", R"(tags[] wants STRING, is ["a"])"},
      {R"("metadata":"text")", R"(metadata wants an object, is "text")"},
      {R"("metadata":{"request":5})", "metadata.request wants an object, is 5"},
      {R"("metadata":{"request":{"status":"ok"}})", "metadata.request.status is ok, which is no INT64"},
  };
  for (const Case& c : cases) {
    CAPTURE(c.members);
    const LoadReport report = lines.Load(Row(c.members));
    CHECK(report.rows == 0);
    REQUIRE(report.first_rejected.size() == 1);
    CHECK(report.first_rejected[0].reason == c.reason);
  }
}

TEST_CASE("a record is an object or an array of one object") {
  Lines lines;
  const std::string path = "metadata.request.path";
  for (const char* metadata : {R"({"request":{"path":"/a"}})", R"([{"request":{"path":"/a"}}])",
                               R"([{"request":[{"path":"/a"}]}])", R"( [ { "request" : [ { "path" : "/a" } ] } ] )"}) {
    CAPTURE(metadata);
    const std::string row = Row("\"metadata\":" + std::string(metadata));
    CHECK(lines.LoadValue(row, path, Type::String()) == Value::String("/a"));
    CHECK(lines.LoadValue(row + " ", R"("metadata.request.path")", Type::String()) == Value::String("/a"));
    CHECK(lines.LoadValue(row + "  ", R"("?metadata.request")", Type::Bool()) == Value::Bool(true));
  }
}

TEST_CASE("no record is not the same as an empty one") {
  Lines lines;
  struct Case {
    const char* members;
    bool metadata;
    bool request;
  };
  const Case cases[] = {
      {"", false, false},
      {R"("metadata":null)", false, false},
      {R"("metadata":[])", false, false},
      {R"("metadata":{})", true, false},
      {R"("metadata":[{}])", true, false},
      {R"("metadata":{"request":null})", true, false},
      {R"("metadata":{"request":{}})", true, true},
  };
  for (const Case& c : cases) {
    CAPTURE(c.members);
    CHECK(lines.LoadValue(Row(c.members), "metadata IS NOT NULL", Type::Bool()) == Value::Bool(c.metadata));
    CHECK(lines.LoadValue(Row(c.members) + " ", "metadata.request IS NOT NULL", Type::Bool()) ==
          Value::Bool(c.request));
    CHECK(lines.LoadValue(Row(c.members) + "  ", R"("?metadata" = (metadata IS NOT NULL) AND
                                                    "?metadata.request" = (metadata.request IS NOT NULL))",
                          Type::Bool()) == Value::Bool(true));
  }
}

TEST_CASE("an array of several where a record is declared rejects the row") {
  Lines lines;
  for (const char* members : {R"("metadata":[{},{}])", R"("metadata":{"request":[{"path":"a"},{"path":"b"}]})"}) {
    const LoadReport report = lines.Load(Row(members));
    REQUIRE(report.first_rejected.size() == 1);
    CHECK(report.first_rejected[0].reason.find("is an array of several, where one record is declared") !=
          std::string::npos);
  }
}

TEST_CASE("arrays of objects keep each one, with lists inside them") {
  Lines lines;
  const Type item = Type::Struct({{"name", Type::String()}, {"parts", Type::Array(Type::Int64())}});
  const Value items = lines.LoadValue(
      Row(R"("items":[{"name":"a","parts":[1,2]},{"parts":[]},null,{"name":"d"}],"metadata":{"request":{"list":["x"]}})"),
      "items", Type::Array(item));
  REQUIRE(items.children().size() == 4);
  CHECK(items.children()[0].children()[1] == Value::Array(Type::Int64(), {Value::Int64(1), Value::Int64(2)}));
  CHECK(items.children()[1].children()[0].is_null());
  CHECK(items.children()[1].children()[1] == Value::Array(Type::Int64(), {}));
  CHECK(items.children()[2].is_null());
  CHECK(items.children()[3].children()[1].is_null());
  CHECK(lines.LoadValue(Row() + " ", "items", Type::Array(item)).is_null());
}

TEST_CASE("lists of many elements over many rows are kept whole") {
  Lines lines;
  std::string text;
  for (int i = 0; i < 3000; ++i) {
    std::string items;
    for (int j = 0; j < i % 7; ++j) {
      if (j > 0) items += ",";
      items += R"({"name":"item number )" + std::to_string(i * 10 + j) + R"(","parts":[)" + std::to_string(j) + ",8]}";
    }
    text += Row("\"i\":" + std::to_string(i) + ",\"items\":[" + items + "]") + "\n";
    if (i % 5 == 0) text += Row("\"items\":[{\"name\":\"gone\"}],\"i\":\"x\"") + "\n";
  }
  const LoadReport report = lines.Load(text);
  CHECK(report.rows == 3000);
  CHECK(report.rejected_rows == 600);
  CHECK(SelectValue(lines.backend(),
                    R"(SELECT count(*) FROM (SELECT i, unnest(items) AS item, generate_subscripts(items, 1) - 1 AS place
                         FROM "test.logs") WHERE item.name = 'item number ' || (i * 10 + place)
                         AND item.parts = [place, 8])",
                    Type::Int64()) == Value::Int64(3000 / 7 * 21 + 0 + 1 + 2 + 3));
}

TEST_CASE("keys are the declared field in any case; two that differ only in case reject the row") {
  Lines lines;
  CHECK(lines.LoadValue(Row(R"("Metadata":{"REQUEST":{"Path":"/a"}})"), "metadata.request.path", Type::String()) ==
        Value::String("/a"));
  struct Case {
    const char* members;
    const char* reason;
  };
  const Case cases[] = {
      {R"("i":1,"I":2)", "i stands twice, perhaps with other letter case"},
      {R"("i":1,"i":1)", "i stands twice, perhaps with other letter case"},
      {R"("metadata":{"request":{"path":"a","PATH":"b"}})",
       "metadata.request.path stands twice, perhaps with other letter case"},
      {R"("metadata":{"\u0072equest":{},"request":{}})",
       "metadata.request stands twice, perhaps with other letter case"},
  };
  for (const Case& c : cases) {
    CAPTURE(c.members);
    const LoadReport report = lines.Load(Row(c.members));
    CHECK(report.rows == 0);
    REQUIRE(report.first_rejected.size() == 1);
    if (c.reason != nullptr) CHECK(report.first_rejected[0].reason == c.reason);
  }
}

}  // namespace
}  // namespace logquery::store::load_tests
