// Values of every type come to BigQuery as they are, and from there.
#include <catch2/catch_test_macros.hpp>
#include <limits>
#include <string>
#include <vector>

#include "lib/base/json/read.h"
#include "lib/engines/bigquery/backend/bigquery_source.h"
#include "lib/engines/bigquery/backend/cell_reader.h"
#include "lib/engines/bigquery/backend/parameters.h"
#include "tests/bigquery/value_tables.h"

namespace logquery::bigquery {
namespace {

using base::Json;

TEST_CASE("bound values of every type come to BigQuery and back as they are") {
  testing::ValueHost host(testing::NumberTable({1}), R"({"t": {"columns": {"n": "INT64"}}})");
  const auto source = MakeBigQuerySource(host.Options());
  REQUIRE(source.ok());
  for (const Value& value : std::vector<Value>{Value::Bool(true),
                                               Value::Bool(false),
                                               Value::Int64(std::numeric_limits<int64_t>::min()),
                                               Value::Int64(9'007'199'254'740'993),
                                               Value::Float64(0.1),
                                               Value::Float64(1e-320),
                                               Value::Float64(std::numeric_limits<double>::infinity()),
                                               Value::Float64(-std::numeric_limits<double>::infinity()),
                                               Value::String(""),
                                               Value::String("it's \"quoted\" \\ @p1 `\n\t\xC3\xBC\xF0\x9F\x98\x80"),
                                               Value::Bytes(std::string("\0\xFF\x80", 3)),
                                               Value::Numeric("-12345678901234567890.123456789"),
                                               Value::Date(-719'162),
                                               Value::Date(2'932'896),
                                               Value::Datetime(1'774'749'599'500'000),
                                               Value::TimestampMicros(-62'135'596'800'000'000),
                                               Value::TimestampMicros(253'402'300'799'999'999),
                                               Value::TimestampMicros(-1),
                                               Value::Null(Type::String()),
                                               Value::Null(Type::Int64()),
                                               Value::Null(Type::Timestamp()),
                                               Value::Array(Type::String(), {Value::String("a"), Value::String("")}),
                                               Value::Array(Type::Int64(), {})}) {
    CAPTURE(value.DebugString());
    QueryFragment fragment;
    fragment.text = "SELECT @p1 AS c1 FROM `test-project.logs.t` AS t1";
    fragment.schema = {{"c1", value.type()}};
    CollectingSink sink;
    const absl::Status status = (*source)->Run(fragment, {value}, CancellationToken(), sink);
    INFO(status.ToString());
    REQUIRE(status.ok());
    REQUIRE(sink.rows().size() == 1);
    CHECK(sink.rows()[0][0].DebugString() == value.DebugString());
  }
  CHECK(host.problems() == std::vector<std::string>());
}

TEST_CASE("parameters that BigQuery cannot receive are rejected") {
  CHECK(absl::IsInvalidArgument(QueryParameters({Value::String("\xFF")}).status()));
  CHECK(absl::IsInvalidArgument(QueryParameters({Value::String(std::string(9 << 20, 'x'))}).status()));
  CHECK(absl::IsInternal(QueryParameters({Value::IntervalOf({})}).status()));
}

// The cell's value, or the status's code.
std::string Read(const Type& type, const char* field, const char* cell) {
  const auto fields = ParseWireSchema(Json{{"fields", Json::array({base::TryReadJson(field).value()})}});
  REQUIRE(fields.ok());
  if (std::string why = WhyNotRead(type, (*fields)[0], "x"); !why.empty()) return why;
  backend::ColumnBuilder column(type);
  backend::TextBlocks texts;
  const absl::Status status = AppendCell((*fields)[0], base::TryReadJson(cell).value(), column, texts);
  return status.ok() ? column.View().ValueAt(0).DebugString() : std::string(absl::StatusCodeToString(status.code()));
}

TEST_CASE("texts under a collation are not read") {
  const char* const field = R"({"name":"x","type":"STRING","collation":"und:ci"})";
  CHECK(Read(Type::String(), field, R"({"v":"t"})").find("has x with the collation und:ci, under which") == 0);
  CHECK(Read(Type::String(), R"({"name":"x","type":"STRING","collation":""})", R"({"v":"t"})") ==
        Value::String("t").DebugString());
}

TEST_CASE("cells are read by their types, and invalid ones are rejected") {
  const Type record = Type::Record({{"a", Type::Int64()}, {"b", Type::String()}});
  const char* const wire =
      R"({"name":"x","type":"RECORD","mode":"REPEATED","fields":[{"name":"B","type":"STRING"},{"name":"more","type":"GEOGRAPHY"},{"name":"a","type":"INT64"}]})";
  // Fields go by their names, and those that nobody declared are left out.
  CHECK(Read(record, wire, R"({"v":[{"v":{"f":[{"v":"t"},{"v":"POINT"
},{"v":"5"}]
}
}]
})")
            .find("5") != std::string::npos);
  CHECK(Read(record, wire, R"({"v":[]})") == Value::Null(record).DebugString());
  CHECK(Read(record, wire, R"({"v":[{"v":{"f":[]}}]})") == "INTERNAL");
  CHECK(Read(record, wire, R"({"v":[{"v":{"f":[{"v":"t"},{"v":"p"},{"v":"5"}]}},{"v":{"f":[]}}]})") == "INTERNAL");
  CHECK(Read(record, wire, R"({"v":"5"})") == "INTERNAL");
  struct Case {
    Type type;
    const char* wire;
    const char* cell;
    const char* read;
  };
  for (const Case& each : std::vector<Case>{
           {Type::Float64(), R"({"name":"x","type":"FLOAT"})", R"({"v":"NaN"})", "NaN"},
           {Type::Float64(), R"({"name":"x","type":"FLOAT"})", R"({"v":"1.5E-7"})", "1.5e-07"},
           {Type::Float64(), R"({"name":"x","type":"FLOAT"})", R"({"v":"1,5"})", "INTERNAL"},
           {Type::Bool(), R"({"name":"x","type":"BOOLEAN"})", R"({"v":"TRUE"})", "INTERNAL"},
           {Type::Date(), R"({"name":"x","type":"DATE"})", R"({"v":"2026-02-30"})", "INTERNAL"},
           {Type::Time(), R"({"name":"x","type":"TIME"})", R"({"v":"25:00:00"})", "INTERNAL"},
           {Type::Timestamp(), R"({"name":"x","type":"TIMESTAMP"})", R"({"v":"1.7E9"})", "INTERNAL"},
           {Type::Bytes(), R"({"name":"x","type":"BYTES"})", R"({"v":"%%%"})", "INTERNAL"},
           {Type::Numeric(), R"({"name":"x","type":"NUMERIC"})", R"({"v":"1.0000000001"})", "INTERNAL"},
           {Type::BigNumeric(), R"({"name":"x","type":"BIGNUMERIC"})", R"({"v":"1e99"})", "INTERNAL"},
           {Type::Int64(), R"({"name":"x","type":"INTEGER"})", R"("5")", "INTERNAL"},
           {Type::Int64(), R"({"name":"x","type":"STRING"})", R"({"v":"5"})",
            "has x as STRING, and the schema as INT64"},
           {Type::Int64(), R"({"name":"x","type":"INTEGER","mode":"REPEATED"})", "{}",
            "has x as a REPEATED INTEGER, and the schema as INT64"},
       }) {
    CAPTURE(each.wire, each.cell);
    const std::string read = Read(each.type, each.wire, each.cell);
    CAPTURE(read);
    CHECK(base::ToUpper(read).find(base::ToUpper(each.read)) != std::string::npos);
  }
  CHECK_FALSE(ParseWireSchema(Json::array()).ok());
  CHECK_FALSE(ParseWireSchema(base::TryReadJson(R"({"fields":[{"name":"x"}]})").value()).ok());
}

}  // namespace
}  // namespace logquery::bigquery
