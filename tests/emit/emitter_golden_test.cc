// tests/testdata/emit: a query, what it becomes for DuckDB and as GoogleSQL, and the rows that DuckDB gives for it.
#include <catch2/catch_all.hpp>
#include <limits>

#include "lib/base/strings.h"
#include "tests/support/golden.h"
#include "tests/support/sql_runner.h"

namespace logquery::testing {
namespace {

Type ItemType() { return Type::Struct({{"k", Type::String()}, {"v", Type::Int64()}}); }
Type RequestType() { return Type::Record({{"method", Type::String()}, {"path", Type::String()}}); }
Type MetadataType() { return Type::Record({{"request", RequestType()}, {"status", Type::Int64()}}); }

Value Item(const char* k, int64_t v) { return Value::Struct(ItemType(), {Value::String(k), Value::Int64(v)}); }

Value Metadata(const char* method, const char* path, int64_t status) {
  const Value request = method == nullptr ? Value::Null(RequestType())
                                          : Value::Struct(RequestType(), {Value::String(method), Value::String(path)});
  return Value::Struct(MetadataType(), {request, Value::Int64(status)});
}

Value Tags(std::vector<const char*> tags) {
  std::vector<Value> values;
  for (const char* tag : tags) values.push_back(tag == nullptr ? Value::Null(Type::String()) : Value::String(tag));
  return Value::Array(Type::String(), std::move(values));
}

void AddTables(SqlRunner& runner) {
  const Schema events = {{"id", Type::String()},
                         {"ts", Type::Timestamp()},
                         {"n", Type::Int64()},
                         {"f", Type::Float64()},
                         {"tags", Type::Array(Type::String())},
                         {"items", Type::Array(ItemType())},
                         {"metadata", MetadataType()}};
  auto at = [](int64_t seconds) { return Value::TimestampMicros(1'769'846'400'000'000 + seconds * 1'000'000); };
  const Value no_tags = Value::Null(Type::Array(Type::String()));
  const double nan = std::numeric_limits<double>::quiet_NaN();
  runner.AddTable("events", events,
                  {{Value::String("a"), at(0), Value::Int64(1), Value::Float64(0.5), Tags({"x", nullptr, "y"}),
                    Value::Array(ItemType(), {Item("p", 1), Item("q", 2)}), Metadata("GET", "/one", 200)},
                   {Value::String("b"), at(60), Value::Int64(2), Value::Float64(nan), Tags({}),
                    Value::Array(ItemType(), {}), Metadata("POST", "/two", 500)},
                   {Value::String("c"), at(120), Value::Null(Type::Int64()), Value::Float64(-1), no_tags,
                    Value::Null(Type::Array(ItemType())), Metadata(nullptr, nullptr, 404)},
                   {Value::String("d"), at(3600), Value::Int64(2), Value::Null(Type::Float64()), Tags({"x"}),
                    Value::Array(ItemType(), {Item("p", 3)}), Value::Null(MetadataType())}});
  runner.AddTable("teams", {{"id", Type::String()}, {"Team Name", Type::String()}},
                  {{Value::String("a"), Value::String("red")},
                   {Value::String("b"), Value::String("blue")},
                   {Value::String("e"), Value::String("green")}});
}

SqlRunner::Parameters ParametersOf(const GoldenCase& golden) {
  SqlRunner::Parameters parameters;
  for (const auto& [name, text] : golden.parameters) {
    parameters.emplace_back(name, text == "NULL" ? Value::Null(Type::String()) : Value::String(text));
  }
  return parameters;
}

void CheckFile(const std::string& path) {
  SqlRunner runner;
  AddTables(runner);
  SqlRunner without;
  AddTables(without);
  without.LeaveOutPasses();
  const auto results = RunGolden(path, [&](const GoldenCase& golden) {
    const SqlRunner::Parameters parameters = ParametersOf(golden);
    absl::StatusOr<SqlRun> run = runner.Run(golden.input, parameters);
    if (!run.ok()) return run.status().ToString();
    // The printed text has the same meaning again.
    INFO(run->googlesql);
    absl::StatusOr<SqlRun> again = runner.Run(run->googlesql, parameters);
    INFO(again.status());
    CHECK(again.ok());
    if (again.ok()) CHECK(RowsText(again->rows) == RowsText(run->rows));
    // The text for BigQuery, if there is one, has the same meaning too.
    INFO(run->bigquery.value_or(run->bigquery.status().ToString()));
    if (run->bigquery.ok()) {
      SqlRunner::Parameters with_clock = parameters;
      with_clock.emplace_back("now", Value::TimestampMicros(1'769'846'400'000'000));
      const absl::StatusOr<SqlRun> there = runner.Run(*run->bigquery, with_clock);
      INFO(there.status());
      CHECK(there.ok());
      if (there.ok()) CHECK(RowsText(there->rows) == RowsText(run->rows));
    } else {
      CHECK(run->bigquery.status().code() == absl::StatusCode::kUnimplemented);
    }
    // The rows are the same with no pass but those that always run.
    absl::StatusOr<SqlRun> plain = without.Run(golden.input, parameters);
    INFO(plain.status());
    CHECK(plain.ok());
    if (plain.ok()) CHECK(RowsText(plain->rows) == RowsText(run->rows));
    std::string text =
        base::StrCat("duckdb: ", run->duckdb, "\ngooglesql: ", run->googlesql, "\n", RowsText(run->rows));
    text.pop_back();
    return text;
  });
  for (const GoldenResult& result : results) {
    INFO(path << ": " << result.title);
    CHECK(result.actual == result.expected);
  }
}

TEST_CASE("emitted SELECTs match the golden files") {
  CheckFile("emit/selects.txt");
  CheckFile("emit/aggregates.txt");
  CheckFile("emit/joins.txt");
  CheckFile("emit/unnest.txt");
  CheckFile("emit/subqueries.txt");
  CheckFile("emit/with.txt");
  CheckFile("emit/set_operations_by_name.txt");
  CheckFile("emit/pipes.txt");
  CheckFile("emit/pivot.txt");
  CheckFile("emit/windows.txt");
}

// Bare bind variables that are lists ended the process here, in DuckDB 1.4's statistics.
TEST_CASE("an array parameter may occur in any condition") {
  SqlRunner runner;
  AddTables(runner);
  const Value names = Value::Array(Type::String(), {Value::String("a"), Value::String("c")});
  const Value none = Value::Array(Type::String(), {});
  const auto ids = [&](const std::string& condition, const Value& value) {
    const auto run = runner.Run("SELECT id FROM events WHERE " + condition + " ORDER BY id", {{"names", value}});
    return run.ok() ? RowsText(run->rows) : run.status().ToString();
  };
  CHECK(ids("(id IN UNNEST(@names)) IS TRUE", names) == "\"a\"\n\"c\"\n");
  CHECK(ids("(id IN UNNEST(@names)) IS NULL", none).empty());
  CHECK(ids("ARRAY_LENGTH(ARRAY_CONCAT([id], @names)) = 3 AND id < 'b'", names) == "\"a\"\n");
  CHECK(ids("(STRUCT(id, ARRAY_LENGTH(@names)) = ('b', 2)) IS TRUE", names) == "\"b\"\n");
}

}  // namespace
}  // namespace logquery::testing
