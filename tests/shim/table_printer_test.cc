#include "shim/cli/options/table_printer.h"

#include <catch2/catch_test_macros.hpp>
#include <limits>
#include <sstream>
#include <string>
#include <vector>

#include "logquery/batch.h"
#include "logquery/value.h"
#include "shim/observe/display.h"

namespace logquery::shim {
namespace {

std::string Printed(const Schema& schema, const std::vector<std::vector<Value>>& rows, int columns) {
  TablePrinter table(columns);
  const ValueBatch batch(schema, rows);
  CHECK(table.Append(batch.batch()).ok());
  std::ostringstream out;
  table.Print(schema, out);
  return out.str();
}

TEST_CASE("columns are aligned, numbers to the right, timestamps readable") {
  const Schema schema = {{"timestamp", Type::Timestamp()}, {"city", Type::String()}, {"count", Type::Int64()}};
  const std::string table =
      Printed(schema,
              {{Value::TimestampMicros(1'700'000'000'000'000), Value::String("大阪市"), Value::Int64(7)},
               {Value::TimestampMicros(1'700'000'000'250'000), Value::Null(Type::String()), Value::Int64(1'000)}},
              120);
  CHECK(table ==
        "timestamp                 city    count\n"
        "────────────────────────  ──────  ─────\n"
        "2023-11-14T22:13:20Z      大阪市      7\n"
        "2023-11-14T22:13:20.250Z  NULL     1000\n"
        "(2 rows)\n");
}

TEST_CASE("dates, decimals and bytes are printed bare, and texts inside JSON and arrays in quotes") {
  const Schema schema = {{"d", Type::Date()},    {"t", Type::Time()},  {"dt", Type::Datetime()},
                         {"n", Type::Numeric()}, {"y", Type::Bytes()}, {"i", Type::Interval()},
                         {"f", Type::Float64()}, {"j", Type::Json()},  {"a", Type::Array(Type::Date())}};
  const std::string table = Printed(
      schema,
      {{Value::Date(1), Value::Time(1'000'000), Value::Datetime(1'000'000), Value::Numeric("1.5"), Value::Bytes("a"),
        Value::IntervalOf({1, 2, 3'000'000}), Value::Float64(std::numeric_limits<double>::infinity()),
        Value::Json("\"x\""), Value::Array(Type::Date(), {Value::Date(1)})}},
      200);
  CHECK(table.find("1970-01-02  00:00:01  1970-01-01T00:00:01  1.5  YQ==  0-1 2 0:0:3  Infinity  \"x\"  "
                   "[\"1970-01-02\"]\n") != std::string::npos);
}

TEST_CASE("a wide cell is shortened until the table fits") {
  const Schema schema = {{"id", Type::String()}, {"event_message", Type::String()}};
  const std::string table =
      Printed(schema, {{Value::String("abc"), Value::String(std::string(500, 'x') + "\n\x1b[2J")}}, 60);
  std::istringstream lines(table);
  for (std::string line; std::getline(lines, line);) CHECK(DisplayWidth(line) <= 60);
  CHECK(table.find("abc  xxx") != std::string::npos);
  CHECK(table.find('\x1b') == std::string::npos);
}

TEST_CASE("an empty result is a table") { CHECK(Printed({{"id", Type::String()}}, {}, 80) == "id\n──\n(0 rows)\n"); }

}  // namespace
}  // namespace logquery::shim
