// Values of JSON functions, as GoogleSQL's documentation has them.
#include <catch2/catch_test_macros.hpp>
#include <cmath>

#include "tests/emit/duckdb_function_cases.h"

namespace logquery::emit {
namespace {

Value S(const char* text) { return Value::String(text); }
Value I(int64_t number) { return Value::Int64(number); }
Value J(const char* text) { return Value::Json(text); }
Value Strings(std::vector<Value> values) { return Value::Array(Type::String(), std::move(values)); }

const Value kNull = Value::Null(Type::String());
const Value kNullJson = Value::Null(Type::Json());

struct Case {
  const char* function;
  std::vector<Value> args;
  Value expected;
};

void CheckAll(const std::vector<Case>& cases) {
  for (const Case& c : cases) CheckCall(c.function, c.args, c.expected);
}

TEST_CASE("extraction from JSON text returns NULL for text that is not JSON") {
  CheckAll({
      {"JSON_VALUE", {S(R"({"a":{"b":"x"}})"), S("$.a.b")}, S("x")},
      {"JSON_VALUE", {S(R"({"a":[1,true]})"), S("$.a[1]")}, S("true")},
      {"JSON_VALUE", {S(R"({"a":[1]})"), S("$.a")}, kNull},
      {"JSON_VALUE", {S(R"({"a":null})"), S("$.a")}, kNull},
      {"JSON_VALUE", {S(R"({"a":1})"), S("$.b")}, kNull},
      {"JSON_VALUE", {S("POST /path 200"), S("$.a")}, kNull},
      {"JSON_VALUE", {S(R"({"a.b":"x","c":"y"})"), S("$.\"a.b\"")}, S("x")},
      {"JSON_VALUE", {S("\"x\"")}, S("x")},
      {"JSON_EXTRACT_SCALAR", {S(R"({"a b":"x"})"), S("$['a b']")}, S("x")},
      {"JSON_QUERY", {S(R"({"a" : { "b" : 4 } })"), S("$.a")}, S(R"({"b":4})")},
      {"JSON_QUERY", {S(R"({"a":null})"), S("$.a")}, kNull},
      {"JSON_QUERY_ARRAY", {S(R"({"a":[1,"foo",null]})"), S("$.a")}, Strings({S("1"), S("\"foo\""), S("null")})},
      {"JSON_QUERY_ARRAY", {S(R"({"a":{}})"), S("$.a")}, Value::Null(Type::Array(Type::String()))},
      {"JSON_VALUE_ARRAY", {S(R"([1,"foo",null])")}, Strings({S("1"), S("foo"), kNull})},
      {"JSON_VALUE_ARRAY", {S(R"([1,{}])")}, Value::Null(Type::Array(Type::String()))},
      {"JSON_VALUE_ARRAY", {S("[]")}, Strings({})},
  });
  for (const char* path : {"a", "$a", "$.", "$.a[", "$.a[x]", "$.\"a"}) {
    INFO(path);
    CHECK(absl::IsInvalidArgument(Evaluate("JSON_VALUE", {S("{}"), S(path)}, ArgumentForm::kLiterals).status()));
  }
}

TEST_CASE("extraction from JSON text keeps numbers as they are written") {
  CheckAll({
      {"JSON_VALUE", {S(R"({"a":1.50})"), S("$.a")}, S("1.50")},
      {"JSON_VALUE", {S(R"({"a":-0.0})"), S("$.a")}, S("-0.0")},
      {"JSON_EXTRACT_SCALAR", {S(R"([1e5])"), S("$[0]")}, S("1e5")},
      {"JSON_QUERY",
       {S(R"({"a": [1.50 , 123456789012345678901234567890]})"), S("$.a")},
       S("[1.50,123456789012345678901234567890]")},
      {"JSON_EXTRACT", {S(R"({"b" : 1E+05, "a": {}})"), S("$")}, S(R"({"b":1E+05,"a":{}})")},
      {"JSON_QUERY_ARRAY", {S("[1.50, [1e5], {}]")}, Strings({S("1.50"), S("[1e5]"), S("{}")})},
      {"JSON_VALUE_ARRAY", {S("[1.50, 1e5, true]")}, Strings({S("1.50"), S("1e5"), S("true")})},
      {"JSON_EXTRACT_STRING_ARRAY", {S("[1.0]")}, Strings({S("1.0")})},
  });
}

TEST_CASE("extraction from JSON text handles escapes, duplicate members and invalid JSON") {
  CheckAll({
      {"JSON_VALUE", {S(R"({"a\u0062":"\u00e9\/\n"})"), S("$.ab")}, S("\u00e9/\n")},
      {"JSON_QUERY", {S(R"({"a":["\u0041\/\"\n"]})"), S("$.a")}, S(R"(["A/\"\n"])")},
      {"JSON_VALUE", {S(R"({"b":{"a":0},"a":1,"a":2})"), S("$.a")}, S("1")},
      {"JSON_VALUE", {S(R"({"":{"x,]":"}"}})"), S("$.\"\".\"x,]\"")}, S("}")},
      {"JSON_VALUE", {S(R"([[1,2],[3,{"a":"x"}]])"), S("$[1][1].a")}, S("x")},
      {"JSON_VALUE", {S("[1]"), S("$[1]")}, kNull},
      {"JSON_VALUE", {S("{\"a\":1}"), S("$[0]")}, kNull},
      {"JSON_VALUE", {S(R"({"a":nan})"), S("$.a")}, kNull},
      {"JSON_VALUE", {S("Infinity")}, kNull},
      {"JSON_VALUE", {S(R"({"a":1} x)"), S("$.a")}, kNull},
      {"JSON_QUERY", {S("")}, kNull},
      {"JSON_QUERY", {S(R"([{"a":1},{"a":2.50}])"), S("lax $.a")}, S("[1,2.5]")},
  });
}

TEST_CASE("extraction from JSON values") {
  CheckAll({
      {"JSON_VALUE", {J(R"({"a":[1,{"b.c":[10,20]}]})"), S("$.a[1].\"b.c\"[0]")}, S("10")},
      {"JSON_EXTRACT_SCALAR", {J(R"({"a":[1,{"b.c":[10]}]})"), S("$[a][1]['b.c'][0]")}, S("10")},
      {"JSON_QUERY", {J(R"({"a":null})"), S("$.a")}, J("null")},
      {"JSON_QUERY", {J(R"({"a":1})"), S("$.b")}, kNullJson},
      {"JSON_QUERY_ARRAY", {J(R"([1,null])")}, Value::Array(Type::Json(), {J("1"), J("null")})},
      {"$json_field", {J(R"({"a\"b":1})"), S("a\"b")}, J("1")},
      {"$json_field", {J("[1]"), S("0")}, kNullJson},
      {"$json_index", {J("[1,2]"), I(1)}, J("2")},
      {"$json_index", {J("[1,2]"), I(-1)}, kNullJson},
      {"JSON_TYPE", {J("1.5")}, S("number")},
      {"JSON_TYPE", {J("null")}, S("null")},
      {"JSON_TYPE", {J("{}")}, S("object")},
      {"STRING", {J("\"x\"")}, S("x")},
      {"INT64", {J("10.0")}, I(10)},
      {"FLOAT64", {J("-1.5")}, Value::Float64(-1.5)},
      {"BOOL", {J("true")}, Value::Bool(true)},
      {"LAX_INT64", {J("\"10\"")}, I(10)},
      {"LAX_BOOL", {J("\"TRUE\"")}, Value::Bool(true)},
      {"LAX_STRING", {J("[1]")}, kNull},
      {"PARSE_JSON", {S(R"({"a" : [1, 2.5]})")}, J(R"({"a":[1,2.5]})")},
  });
  CheckError("STRING", {J("123")}, "not a value of STRING");
  CheckError("INT64", {J("1.5")}, "not a value of INT64");
  CheckError("PARSE_JSON", {S("{")}, "not JSON");
  CheckError("PARSE_JSON", {S("[1,]")}, "not JSON");
  CheckError("PARSE_JSON", {S("2.75897182587158791241578135873519")}, "wide_number_mode");
}

TEST_CASE("into JSON") {
  const Type row =
      Type::Struct({{"a\"b", Type::Array(Type::Int64())}, {"when", Type::Timestamp()}, {"x", Type::Float64()}});
  const Value value = Value::Struct(row, {Value::Array(Type::Int64(), {I(1), Value::Null(Type::Int64())}),
                                          Value::TimestampMicros(500'000), Value::Float64(1)});
  CheckAll({
      {"TO_JSON_STRING", {S("a\"\n/é")}, S("\"a\\\"\\n/é\"")},
      {"TO_JSON_STRING", {kNull}, S("null")},
      {"TO_JSON_STRING", {I(9'007'199'254'740'993)}, S("\"9007199254740993\"")},
      {"TO_JSON_STRING", {Value::Float64(NAN)}, S("\"NaN\"")},
      {"TO_JSON_STRING", {Value::Numeric("1.5")}, S("\"1.5\"")},
      {"TO_JSON_STRING", {Value::Bytes("abc")}, S("\"YWJj\"")},
      {"TO_JSON_STRING", {value}, S(R"({"a\"b":[1,null],"when":"1970-01-01T00:00:00.500Z","x":1})")},
      {"TO_JSON_STRING", {Value::Array(Type::Int64(), {})}, S("[]")},
      {"TO_JSON_STRING", {Value::Array(Type::Int64(), {I(1), I(2)}), Value::Bool(true)}, S("[\n  1,\n  2\n]")},
      {"TO_JSON", {I(9'007'199'254'740'993)}, J("9007199254740993")},
      {"JSON_ARRAY", {I(1), S("x"), Value::Bool(true)}, J(R"([1,"x",true])")},
      {"JSON_ARRAY", {}, J("[]")},
      {"JSON_OBJECT", {S("a"), S("x"), S("b"), J("[1]"), S("a"), I(2)}, J(R"({"a":"x","b":[1]})")},
      {"JSON_OBJECT", {Strings({S("a"), S("b")}), Value::Array(Type::Int64(), {I(1), I(2)})}, J(R"({"a":1,"b":2})")},
      {"JSON_OBJECT",
       {Strings({S("a"), S("b\""), S("a")}), Value::Array(Type::Int64(), {I(1), Value::Null(Type::Int64()), I(2)})},
       J(R"({"a":1,"b\"":null})")},
  });
}

}  // namespace
}  // namespace logquery::emit
