#include "logquery/row_encoder.h"

#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>
#include <random>

#include "lib/base/strings.h"

namespace logquery {
namespace {

std::string Encode(const Schema& schema, const std::vector<std::vector<Value>>& rows, EncodeOptions options = {}) {
  RowEncoder encoder(schema, options);
  REQUIRE(encoder.Append(ValueBatch(schema, rows).batch()).ok());
  return std::move(encoder).Finish();
}

// One value as a result's cell.
std::string Cell(const Value& value, EncodeOptions options = {}) {
  const ValueBatch batch({{"c", value.type()}}, {{value}});
  std::string out;
  AppendJson(batch.batch().column(0), 0, options, out);
  return out;
}

TEST_CASE("rows become the body of an answer") {
  const Schema schema = {{"id", Type::String()}, {"timestamp", Type::Timestamp()}, {"count", Type::Int64()}};
  const std::string body =
      Encode(schema, {{Value::String("a"), Value::TimestampMicros(1'769'846'400'000'000), Value::Int64(3)},
                      {Value::Null(Type::String()), Value::Null(Type::Timestamp()), Value::Null(Type::Int64())}});
  CHECK(body ==
        R"({"result":[{"id":"a","timestamp":1769846400000000,"count":3},{"id":null,"timestamp":null,"count":null}]})");
}

TEST_CASE("an answer without rows, or without columns") {
  CHECK(Encode({{"a", Type::Int64()}}, {}) == R"({"result":[]})");
  CHECK(Encode({}, {{}, {}}) == R"({"result":[{},{}]})");
  CHECK(RowEncoder({}, {}).rows() == 0);
}

TEST_CASE("batches follow each other in one list") {
  const Schema schema = {{"a", Type::Int64()}};
  RowEncoder encoder(schema, {});
  for (int i = 0; i < 3; ++i) REQUIRE(encoder.Append(ValueBatch(schema, {{Value::Int64(i)}}).batch()).ok());
  REQUIRE(encoder.Append(ValueBatch(schema, {}).batch()).ok());
  CHECK(encoder.rows() == 3);
  CHECK(std::move(encoder).Finish() == R"({"result":[{"a":0},{"a":1},{"a":2}]})");
}

TEST_CASE("metadata is an array of one object at every level, empty where the row has none") {
  const Type request = Type::Record({{"method", Type::String()}, {"path", Type::String()}});
  const Type metadata = Type::Record({{"request", request}, {"level", Type::String()}});
  const Schema schema = {{"metadata", metadata}};
  const Value get = Value::Struct(request, {Value::String("GET"), Value::Null(Type::String())});
  CHECK(Encode(schema, {{Value::Struct(metadata, {get, Value::String("info")})},
                        {Value::Struct(metadata, {Value::Null(request), Value::Null(Type::String())})},
                        {Value::Null(metadata)}}) ==
        R"({"result":[{"metadata":[{"request":[{"method":"GET","path":null}],"level":"info"}]},)"
        R"({"metadata":[{"request":[],"level":null}]},{"metadata":[]}]})");
}

TEST_CASE("each type as JSON") {
  const Type pair = Type::Struct({{"a", Type::Int64()}, {"b\"", Type::Bool()}});
  const Type unnamed = Type::Struct({{"", Type::Int64()}, {"x", Type::Int64()}, {"", Type::Int64()}});
  const double infinity = std::numeric_limits<double>::infinity();
  struct Case {
    Value value;
    const char* json;
  };
  const Case cases[] = {
      {Value::Bool(true), "true"},
      {Value::Bool(false), "false"},
      {Value::Int64(INT64_MIN), "-9223372036854775808"},
      {Value::Float64(0.1), "0.1"},
      {Value::Float64(5), "5.0"},
      {Value::Float64(-0.0), "-0.0"},
      {Value::Float64(1e300), "1e+300"},
      {Value::Float64(1.0 / 3), "0.3333333333333333"},
      {Value::Float64(5e-324), "5e-324"},
      {Value::Float64(std::nan("")), "\"NaN\""},
      {Value::Float64(infinity), "\"Infinity\""},
      {Value::Float64(-infinity), "\"-Infinity\""},
      {Value::Numeric("-12.500"), "\"-12.5\""},
      {Value::Numeric("99999999999999999999999999999.999999999"), "\"99999999999999999999999999999.999999999\""},
      {Value::BigNumeric("0.00000000000000000000000000000000000001"), "\"0.00000000000000000000000000000000000001\""},
      {Value::String("a\"\\\n\t\r\b\f\x01/\x7F"), "\"a\\\"\\\\\\n\\t\\r\\b\\f\\u0001/\x7F\""},
      {Value::String(std::string("a\0b", 3)), "\"a\\u0000b\""},
      {Value::String("\xC3\xA4\xF0\x9F\x98\x80"), "\"\xC3\xA4\xF0\x9F\x98\x80\""},
      {Value::String("a\xFFz\xE2\x82"), "\"a\uFFFDz\uFFFD\""},
      {Value::Bytes(""), "\"\""},
      {Value::Bytes("\xFB\xFF"), "\"+/8=\""},
      {Value::Date(-719'162), "\"0001-01-01\""},
      {Value::Date(20'484), "\"2026-01-31\""},
      {Value::Time(28'800'000'000), "\"08:00:00\""},
      {Value::Time(28'800'250'000), "\"08:00:00.250\""},
      {Value::Datetime(1'769'846'400'000'000), "\"2026-01-31T08:00:00\""},
      {Value::Datetime(-1), "\"1969-12-31T23:59:59.999999\""},
      {Value::TimestampMicros(-1), "-1"},
      {Value::IntervalOf({14, 3, 14'706'789'000}), "\"1-2 3 4:5:6.789\""},
      {Value::IntervalOf({-14, -3, -1}), "\"-1-2 -3 -0:0:0.000001\""},
      {Value::Json(" {\"a\" : [1, 2.50] } "), "{\"a\":[1,2.50]}"},
      {Value::Json("null"), "null"},
      {Value::Json("{\"a\":"), "\"{\\\"a\\\":\""},
      {Value::Json(""), "\"\""},
      {Value::Array(Type::Int64(), {}), "[]"},
      {Value::Array(Type::Int64(), {Value::Int64(1), Value()}), "[1,null]"},
      {Value::Array(pair, {Value::Null(pair), Value::Struct(pair, {Value(), Value::Bool(true)})}),
       "[null,{\"a\":null,\"b\\\"\":true}]"},
      {Value::Struct(Type::Struct({}), {}), "{}"},
      {Value::Struct(unnamed, {Value::Int64(1), Value::Int64(2), Value::Int64(3)}),
       "{\"_field_1\":1,\"x\":2,\"_field_3\":3}"},
      {Value::Null(pair), "null"},
      {Value::Null(Type::Array(Type::Int64())), "[]"},
      {Value::Null(Type::Json()), "null"},
  };
  for (const Case& c : cases) {
    CAPTURE(c.value.DebugString());
    CHECK(Cell(c.value) == c.json);
  }
}

TEST_CASE("large integers are strings when the request asks for it") {
  EncodeOptions options;
  options.int64_as_string = true;
  CHECK(Cell(Value::Int64(9'007'199'254'740'992), options) == "9007199254740992");
  CHECK(Cell(Value::Int64(9'007'199'254'740'993), options) == "\"9007199254740993\"");
  CHECK(Cell(Value::Int64(-9'007'199'254'740'993), options) == "\"-9007199254740993\"");
  CHECK(Cell(Value::TimestampMicros(9'007'199'254'740'993), options) == "9007199254740993");
}

TEST_CASE("strings at any depth are redacted; names, numbers and other types stay") {
  const Redactor redactor;
  EncodeOptions options;
  options.redactor = &redactor;
  const Type headers = Type::Record({{"10.0.0.1", Type::String()}, {"n", Type::Numeric()}});
  CHECK(Cell(Value::Struct(headers, {Value::String("ip 10.0.0.2"), Value::Numeric("1.2")}), options) ==
        R"([{"10.0.0.1":"ip REDACTED","n":"1.2"}])");
  CHECK(Cell(Value::Array(Type::String(), {Value::String("::1"), Value::String("x")}), options) ==
        R"(["REDACTED","x"])");
  CHECK(Cell(Value::Json(R"({"1.2.3.4": ["fe80::1", 1.2]})"), options) == R"({"REDACTED":["REDACTED",1.2]})");
  CHECK(Cell(Value::Json("no json 1.2.3.4"), options) == "\"no json REDACTED\"");
  CHECK(Cell(Value::Bytes("1.2.3.4"), options) == "\"MS4yLjMuNA==\"");
}

TEST_CASE("rows as NDJSON are an object a line") {
  const Schema schema = {{"id", Type::String()}, {"n", Type::Int64()}};
  const EncodeOptions options{.format = RowFormat::kNdjson};
  CHECK(Encode(schema, {{Value::String("a\n"), Value::Int64(1)}, {Value::Null(Type::String()), Value::Int64(2)}},
               options) == "{\"id\":\"a\\n\",\"n\":1}\n{\"id\":null,\"n\":2}\n");
  CHECK(Encode(schema, {}, options).empty());
}

TEST_CASE("rows as CSV: a line of names, quoted text where necessary, empty NULLs, nested values as JSON") {
  const Type tags = Type::Array(Type::String());
  const Schema schema = {{"id", Type::String()}, {"at", Type::Timestamp()}, {"day", Type::Date()}, {"a,b", tags}};
  const EncodeOptions options{.format = RowFormat::kCsv};
  CHECK(Encode(schema,
               {{Value::String("plain"), Value::TimestampMicros(5), Value::Date(0),
                 Value::Array(Type::String(), {Value::String("x\"y"), Value::String("z")})},
                {Value::String("say \"hi\",\r\nor not"), Value::Null(Type::Timestamp()), Value::Null(Type::Date()),
                 Value::Null(tags)},
                {Value::String(""), Value::TimestampMicros(-1), Value::Null(Type::Date()), Value::Null(tags)}},
               options) ==
        "id,at,day,\"a,b\"\r\n"
        "plain,5,1970-01-01,\"[\"\"x\\\"\"y\"\",\"\"z\"\"]\"\r\n"
        "\"say \"\"hi\"\",\r\nor not\",,,[]\r\n"
        "\"\",-1,,[]\r\n");
  CHECK(Encode({{"n", Type::Int64()}}, {{Value::Null(Type::Int64())}}, options) == "n\r\n\"\"\r\n");
  CHECK(Encode({{"s", Type::String()}}, {{Value::String("a\xFF")}}, options) == "s\r\na\xEF\xBF\xBD\r\n");
}

TEST_CASE("on request, text that a spreadsheet would take for a formula gets an apostrophe") {
  const Schema schema = {{"s", Type::String()}, {"n", Type::Int64()}};
  for (const char* text : {"=1+1", "+1", "-1", "@SUM(A1)", "=\"a\",b"}) {
    const std::vector<std::vector<Value>> rows = {{Value::String(text), Value::Int64(-5)}};
    const std::string plain = Encode(schema, rows, {.format = RowFormat::kCsv});
    const std::string safe = Encode(schema, rows, {.format = RowFormat::kCsv, .csv_safe = true});
    CAPTURE(text);
    CHECK(plain.find('\'') == std::string::npos);
    CHECK(safe.find(base::StrCat("'", std::string(1, text[0]))) != std::string::npos);
    CHECK(safe.ends_with(",-5\r\n"));  // a number is no formula
  }
  for (const char* text : {"\t=1", "\r=1", "\n=1", "\tx", "\uFF1D1+1", "\uFF0B1", "\uFF0D1", "\uFF20SUM(A1)",
                           "\uFE66 1", "\u22121", " =1", "\u00A0@x", "\uFEFF+1", "\u200B-1", "  \uFF1D1"}) {
    CAPTURE(text);
    const std::string safe =
        Encode({{"s", Type::String()}}, {{Value::String(text)}}, {.format = RowFormat::kCsv, .csv_safe = true});
    CHECK(safe.find(base::StrCat("'", text)) != std::string::npos);
  }
  for (const char* text : {"a=1", "", " ", " a", "\u00E4+1", "1-1", "x\t=1"}) {
    CAPTURE(text);
    const std::string safe =
        Encode({{"s", Type::String()}}, {{Value::String(text)}}, {.format = RowFormat::kCsv, .csv_safe = true});
    CHECK(safe.find('\'') == std::string::npos);
  }
}

TEST_CASE("strings in NDJSON and CSV are redacted") {
  const Redactor redactor;
  const Schema schema = {{"s", Type::String()}};
  const std::vector<std::vector<Value>> rows = {{Value::String("from 10.1.2.3")}};
  CHECK(Encode(schema, rows, {.format = RowFormat::kCsv, .redactor = &redactor}) == "s\r\nfrom REDACTED\r\n");
  CHECK(Encode(schema, rows, {.format = RowFormat::kNdjson, .redactor = &redactor}) == "{\"s\":\"from REDACTED\"}\n");
}

TEST_CASE("a too long body is rejected with the limit, and one that just fits is accepted") {
  const Schema schema = {{"s", Type::String()}};
  const std::vector<std::vector<Value>> rows = {{Value::String("0123456789")}};
  const auto length = static_cast<int64_t>(Encode(schema, rows).size());
  EncodeOptions options;
  options.max_bytes = length;
  CHECK(static_cast<int64_t>(Encode(schema, rows, options).size()) == length);

  options.max_bytes = length - 1;
  RowEncoder encoder(schema, options);
  const ValueBatch batch(schema, rows);
  const absl::Status status = encoder.Append(batch.batch());
  REQUIRE(status.code() == absl::StatusCode::kResourceExhausted);
  CHECK(base::Message(status).starts_with(base::StrCat("the result is longer than ", options.max_bytes, " bytes")));
  CHECK(encoder.Append(batch.batch()).code() == absl::StatusCode::kResourceExhausted);
}

TEST_CASE("rows as arrays follow the names and types of their columns") {
  const Type pair = Type::Struct({{"a", Type::Int64()}, {"b", Type::Array(Type::Date())}});
  const Schema schema = {{"id", Type::String()}, {"we\"ird\xff", pair}, {"n", Type::Int64()}};
  const EncodeOptions options{.format = RowFormat::kJsonRows, .int64_as_string = true};
  CHECK(Encode(schema,
               {{Value::String("a\"b"), Value::Null(pair), Value::Int64(9'007'199'254'740'993)},
                {Value::Null(Type::String()),
                 Value::Struct(pair, {Value::Int64(1), Value::Array(Type::Date(), {Value::Date(0)})}), Value()}},
               options) == R"({"schema":[{"name":"id","type":"STRING"},{"name":"we\"ird)"
                           "\uFFFD"
                           R"(","type":"STRUCT<a INT64, b ARRAY<DATE>>"},{"name":"n","type":"INT64"}],"rows":[)"
                           R"(["a\"b",null,"9007199254740993"],[null,{"a":1,"b":["1970-01-01"]},null]]})");
  CHECK(Encode({{"a", Type::Int64()}}, {}, options) == R"({"schema":[{"name":"a","type":"INT64"}],"rows":[]})");
  CHECK(Encode({}, {{}, {}}, options) == R"({"schema":[],"rows":[[],[]]})");
}

TEST_CASE("a Parquet file is not an encoder's") {
  const Schema schema = {{"a", Type::Int64()}};
  RowEncoder encoder(schema, {.format = RowFormat::kParquet});
  CHECK(absl::IsUnimplemented(encoder.Append(ValueBatch(schema, {{Value::Int64(1)}}).batch())));
}

TEST_CASE("the drained parts and the rest make up the body, and the size limit counts them all") {
  const Schema schema = {{"s", Type::String()}};
  std::vector<std::vector<Value>> rows;
  for (int i = 0; i < 100; ++i) rows.push_back({Value::String(std::string(static_cast<size_t>(i % 17), 'x'))});
  const ValueBatch batch(schema, rows);
  for (const RowFormat format : {RowFormat::kJson, RowFormat::kNdjson, RowFormat::kCsv, RowFormat::kJsonRows}) {
    const std::string whole = Encode(schema, rows, {.format = format});
    for (const int64_t above : {0, 1, 50, 1'000, 1'000'000}) {
      CAPTURE(static_cast<int>(format), above);
      std::string body;
      EncodeOptions options;
      options.format = format;
      options.max_bytes = static_cast<int64_t>(whole.size());
      options.drain_above = above;
      options.drain = [&](std::string_view bytes) {
        CHECK(static_cast<int64_t>(bytes.size()) > above);
        body += bytes;
        return absl::OkStatus();
      };
      RowEncoder encoder(schema, options);
      REQUIRE(encoder.Append(batch.batch()).ok());
      const std::string rest = std::move(encoder).Finish();
      CHECK(static_cast<int64_t>(rest.size()) <= above + 2);  // with the closing
      CHECK(body + rest == whole);

      --options.max_bytes;
      RowEncoder tight(schema, options);
      CHECK(tight.Append(batch.batch()).code() == absl::StatusCode::kResourceExhausted);
    }
  }
}

TEST_CASE("a failing drain ends the encoding with its error") {
  EncodeOptions options;
  options.drain_above = 20;
  options.drain = [](std::string_view) { return absl::UnavailableError("no room"); };
  const Schema schema = {{"s", Type::String()}};
  RowEncoder encoder(schema, options);
  CHECK(encoder.Append(ValueBatch(schema, {{Value::String("a")}}).batch()).ok());
  CHECK(encoder.Append(ValueBatch(schema, {{Value::String("b")}}).batch()).code() == absl::StatusCode::kUnavailable);
}

TEST_CASE("a far too long cell is rejected without allocating memory for it") {
  EncodeOptions options;
  options.max_bytes = 1'000;
  const Schema schema = {{"s", Type::Array(Type::String())}};
  std::vector<Value> elements(100'000, Value::String("some text"));
  RowEncoder encoder(schema, options);
  const ValueBatch batch(schema, {{Value::Array(Type::String(), elements)}});
  REQUIRE(encoder.Append(batch.batch()).code() == absl::StatusCode::kResourceExhausted);
  CHECK(std::move(encoder).Finish().capacity() < 100'000);
}

TEST_CASE("a batch with the wrong columns is an error of the backend") {
  RowEncoder encoder({{"a", Type::Int64()}}, {});
  const Schema two = {{"a", Type::Int64()}, {"b", Type::Int64()}};
  CHECK(encoder.Append(ValueBatch(two, {}).batch()).code() == absl::StatusCode::kInternal);
}

TEST_CASE("any string comes out as JSON that reads back as the repaired string") {
  std::mt19937 random(20'260'131);
  for (int round = 0; round < 20'000; ++round) {
    std::string text;
    for (size_t i = random() % 40; i > 0; --i) {
      const char bytes[] = {'a',    'b',    ' ',    '"',    '\\',   '\n',   '\x1F',
                            '\x20', '\x7F', '\xC3', '\xA4', '\xE2', '\x82', '\xFF'};
      text += random() % 4 == 0 ? bytes[random() % sizeof(bytes)] : static_cast<char>('a' + random() % 26);
    }
    std::string json;
    AppendJsonString(text, json);
    const nlohmann::json read = nlohmann::json::parse(json);
    const std::string repaired =
        nlohmann::json::parse(nlohmann::json(text).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace));
    REQUIRE(read.get<std::string>() == repaired);
  }
}

}  // namespace
}  // namespace logquery
