// Text for BigQuery means there what it means here, as far as our own host can tell: it computes from the text that it is sent.
// No real BigQuery runs these.
#include <catch2/catch_test_macros.hpp>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "logquery/bigquery/bigquery_backend.h"
#include "tests/bigquery/value_tables.h"
#include "tests/support/meaning_cases.h"
#include "tests/support/sandbox_service.h"

namespace logquery::testing {
namespace {

constexpr char kSchema[] =
    R"({"v": {"columns": {"i": "INT64", "s": "STRING", "n": "INT64", "b": "BOOL", "t": "TIMESTAMP", "d": "DATE",
  "dt": "DATETIME", "x": "FLOAT64", "m": {"ms": "STRING", "mn": "INT64", "mb": "BOOL"}}}})";

// Rows of values that engines differ on, each column on its own and NULL among them.
ValueTable Values() {
  ValueTable values;
  const Catalog declared = *Catalog::FromSchemaJson(kSchema);
  values.table = *declared.Find("v");
  const auto add = [&](size_t column, Value value) {
    std::vector<Value>& row = values.rows.emplace_back();
    for (const Field& field : values.table.columns) row.push_back(Value::Null(field.type));
    row[0] = Value::Int64(static_cast<int64_t>(values.rows.size()));
    if (column > 0) row[column] = std::move(value);
  };
  const Type& record = values.table.columns[8].type;
  const auto add_record = [&](Value text, Value number, Value flag) {
    add(8, Value::Struct(record, {std::move(text), std::move(number), std::move(flag)}));
  };
  const Value no_text = Value::Null(Type::String());
  const Value no_number = Value::Null(Type::Int64());
  const Value no_flag = Value::Null(Type::Bool());
  for (const char* text : {"", "a", "A", "ab", "b", "a'b\"c", "%", "_", "a\nb", "\\", "\xC3\xA4", "\xF0\x9F\x98\x80",
                           "1", "true", " a ", "aa", "2026-03-04"}) {
    add(1, Value::String(text));
    add(1, Value::String(text));
    add_record(Value::String(text), no_number, no_flag);
  }
  for (const int64_t number : {int64_t{0}, int64_t{1}, int64_t{1}, int64_t{-1}, INT64_MAX, INT64_MIN, int64_t{200}}) {
    add(2, Value::Int64(number));
    add_record(no_text, Value::Int64(number), no_flag);
  }
  for (const bool flag : {true, false, true}) {
    add(3, Value::Bool(flag));
    add_record(no_text, no_number, Value::Bool(flag));
  }
  constexpr int64_t kMicrosPerDay = 86'400'000'000;
  for (const int64_t micros : {int64_t{-62'135'596'800'000'000}, int64_t{-1}, int64_t{0},
                               int64_t{1'774'749'599'500'000}, int64_t{253'402'300'799'999'999}}) {
    add(4, Value::TimestampMicros(micros));
    add(5, Value::Date(static_cast<int32_t>((micros - (micros < 0 ? kMicrosPerDay - 1 : 0)) / kMicrosPerDay)));
    add(6, Value::Datetime(micros));
  }
  for (const double number : {0.0, -0.0, 0.1, -1.5, 1e308}) add(7, Value::Float64(number));
  add_record(no_text, no_number, no_flag);
  add(0, Value());
  return values;
}

TEST_CASE("orders, groups, aggregates and values have the same results in BigQuery as in DuckDB") {
  const std::unique_ptr<QueryBackend> engine = OpenValueTables({Values()});
  const ValueHost host(Values(), kSchema);
  SandboxService there(OpenBigQuery(host.Options()), {.log = "v", .max_rows = 10'000});
  SandboxService here(*engine, {.log = "v", .max_rows = 10'000});
  std::set<std::string> queries;
  for (const std::string& query : PostgresQueries()) queries.insert(There(query));
  for (const std::string& query : ClickHouseQueries()) queries.insert(There(query));
  for (const std::string& query : queries) {
    CAPTURE(query);
    CHECK(there.Ask(query) == here.Ask(query));
  }
}

}  // namespace
}  // namespace logquery::testing
