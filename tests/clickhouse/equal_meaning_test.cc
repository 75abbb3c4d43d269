// Text for ClickHouse means there what it means here: each condition and value is worked out on both sides, over values that
// engines differ on, stored in an order in which its index leaves out what a condition can't hold for.
#include <catch2/catch_test_macros.hpp>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "absl/strings/str_replace.h"
#include "lib/base/strings.h"
#include "lib/engines/clickhouse/backend/clickhouse_source.h"
#include "lib/engines/clickhouse/dialect/texts.h"
#include "tests/clickhouse/click_house_or_skip.h"
#include "tests/engines/meaning_checks.h"
#include "tests/support/meaning_cases.h"

namespace logquery {
namespace {

using base::StrCat;
using testing::ClickHouseOrSkip;

constexpr char kSchema[] =
    R"({"v": {"columns": {"i": "INT64", "s": "STRING", "n": "INT64", "b": "BOOL", "t": "TIMESTAMP",
  "d": "DATE", "dt": "DATETIME", "x": "FLOAT64", "m": {"ms": "STRING", "mn": "INT64", "b": "BOOL"}}}})";

// Rows of all values that differ, each column on its own and NULL among them.
void Fill(testing::ClickHouse& server) {
  server.Sql(
      "CREATE TABLE logs.v (i Int64, s Nullable(String), n Nullable(Int64), b Nullable(Bool), "
      "t Nullable(DateTime64(6, 'Asia/Tokyo')), d Nullable(Date32), dt Nullable(DateTime64(6, 'UTC')), x "
      "Nullable(Float64), m String, "
      "ms LowCardinality(Nullable(String)), mn Nullable(Int32), has_m Bool) ENGINE = MergeTree ORDER BY (s, n, t, i) "
      "SETTINGS allow_nullable_key = 1, index_granularity = 4");
  std::string rows;
  int64_t next = 1;
  const auto add = [&](const std::string& values) {
    base::StrAppend(&rows, rows.empty() ? "" : ", ", "(", next++, ", ", values, ")");
  };
  for (const std::string& text : testing::MeaningTexts()) {
    const std::string value = emit::ClickHouseQuoted(absl::StrReplaceAll(text, {{"''", "'"}}));
    add(StrCat(value, ", NULL, NULL, NULL, NULL, NULL, NULL, toJSONString(map('ms', ", value, ")), ", value,
               ", NULL, true"));
  }
  for (const char* number :
       {"0", "1", "-1", "9223372036854775807", "toInt64('-9223372036854775808')", "9007199254740993", "200"}) {
    add(StrCat("NULL, ", number, ", NULL, NULL, NULL, NULL, ", number, ", '', NULL, NULL, false"));
  }
  for (const char* number : {"7", "-7"}) {
    add(StrCat("NULL, NULL, NULL, NULL, NULL, NULL, NULL, '{\"mn\":", number, "}', NULL, ", number, ", true"));
  }
  for (const char* number : {"nan", "inf", "-inf", "-0.0", "1.5", "1e-320", "0.1"}) {
    add(StrCat("NULL, NULL, NULL, NULL, NULL, NULL, ", number, ", '{}', NULL, NULL, true"));
  }
  // The first and last microsecond of our times, which lie outside of what it shows as text.
  for (const char* micros : {"-62135596800000000", "-1", "0", "1774749599500000", "1772953200000000",
                             "4428709505000001", "253402300799999999"}) {
    const std::string time = StrCat("fromUnixTimestamp64Micro(toInt64(", micros, "))");
    add(StrCat("NULL, NULL, NULL, ", time, ", NULL, ", time, ", NULL, '', NULL, NULL, false"));
  }
  for (const char* date : {"1900-01-01", "1969-12-31", "1970-01-01", "2026-03-08", "2299-12-31"}) {
    add(StrCat("NULL, NULL, NULL, NULL, toDate32('", date, "'), NULL, NULL, '', NULL, NULL, false"));
  }
  add("NULL, NULL, true, NULL, NULL, NULL, NULL, '{\"b\":true}', NULL, NULL, true");
  add("NULL, NULL, false, NULL, NULL, NULL, NULL, '', NULL, NULL, false");
  server.Sql(StrCat("INSERT INTO logs.v VALUES ", rows));
}

ClickHouseTable Mapping() {
  ClickHouseTable table;
  table.name = table.table = "v";
  table.fields = {{"m.ms", "ms"}, {"m.mn", "mn"}};
  table.presence = {{"m", "has_m"}};
  return table;
}

std::shared_ptr<FragmentSource> SourceOf(const testing::ClickHouse& server) {
  return std::make_shared<clickhouse::ClickHouseSource>(server.Options({Mapping()}), *Catalog::FromSchemaJson(kSchema));
}

TEST_CASE("conditions have the same results in ClickHouse as in DuckDB", "[clickhouse]") {
  ClickHouseOrSkip server;
  Fill(server);
  testing::MeaningChecks(SourceOf(server)).CheckConditions(testing::ClickHouseConditions());
}

TEST_CASE("orders, groups, aggregates and values have the same results in ClickHouse as in DuckDB", "[clickhouse]") {
  ClickHouseOrSkip server;
  Fill(server);
  testing::MeaningChecks(SourceOf(server)).CheckQueries(testing::ClickHouseQueries());
}

TEST_CASE("bound values come to ClickHouse as they are", "[clickhouse]") {
  ClickHouseOrSkip server;
  clickhouse::Server asked(server.Options({}));
  std::vector<Value> values;
  for (const std::string& text : testing::MeaningTexts()) values.push_back(Value::String(text));
  for (const char* text :
       {"\\N", "\\", "\\n", "\\\\t", "\r\n", "&param_p1=x", "%41", "+", "{p1:String}", "'", "`", "NULL"}) {
    values.push_back(Value::String(text));
  }
  values.push_back(Value::String(std::string("a\0b\0", 4)));
  values.push_back(Value::String(std::string(5'000, '\'')));
  for (const int64_t number :
       {int64_t{0}, int64_t{-1}, std::numeric_limits<int64_t>::min(), std::numeric_limits<int64_t>::max()}) {
    values.push_back(Value::Int64(number));
  }
  values.push_back(Value::Bool(true));
  values.push_back(Value::Bool(false));
  for (const int64_t micros : {int64_t{-62'135'596'800'000'000}, int64_t{-1}, int64_t{253'402'300'799'999'999}}) {
    values.push_back(Value::TimestampMicros(micros));
  }
  values.push_back(Value::Date(-719'162));
  values.push_back(Value::Date(2'932'896));
  for (const Type& type : {Type::String(), Type::Int64(), Type::Bool(), Type::Timestamp(), Type::Date()}) {
    values.push_back(Value::Null(type));
  }
  for (const Value& value : values) {
    CAPTURE(value.type().ToString(), emit::ClickHouseLiteral(value)->substr(0, 100));
    clickhouse::Server::Statement statement;
    statement.bindings = {value};
    statement.text = StrCat("SELECT ", emit::ClickHouseParameter(1, value.type()), " AS c1, ",
                            *emit::ClickHouseLiteral(value), " AS c2, ", emit::ClickHouseParameter(1, value.type()),
                            " = ", *emit::ClickHouseLiteral(value), " AS c3");
    statement.schema = {{"c1", value.type()}, {"c2", value.type()}, {"c3", Type::Bool()}};
    CollectingSink sink;
    const clickhouse::Server::Result result = asked.Run(statement, CancellationToken(), sink);
    INFO(result.words);
    REQUIRE(result.status.ok());
    REQUIRE(sink.rows().size() == 1);
    CHECK(sink.rows()[0][0] == value);
    CHECK(sink.rows()[0][1] == value);
    CHECK(sink.rows()[0][2].is_null() == value.is_null());
    if (!value.is_null()) CHECK(sink.rows()[0][2].bool_value());
  }
}

}  // namespace
}  // namespace logquery
