// The part of a query that ClickHouse is asked, in its own words: golden cases. Their meaning is tested on a
// server, in the room clickhouse.
#include "lib/engines/clickhouse/dialect/clickhouse_dialect.h"

#include <catch2/catch_test_macros.hpp>
#include <string>

#include "lib/engines/clickhouse/dialect/spellings.h"
#include "lib/engines/clickhouse/dialect/texts.h"
#include "tests/split/fragment_texts.h"

namespace logquery::emit {
namespace {

// The built-in logs, each under its name.
const Catalog& Logs() {
  static const Catalog& catalog = *[] {
    const Catalog declared = Catalog::DeclaredLogs();
    std::vector<Table> tables = declared.tables();
    for (Table& table : tables) table.storage_name = ClickHouseIdentifier(table.name);
    // Some fields have columns of their own.
    for (Table& table : tables) {
      if (table.name != "cloudflare.logs.prod") continue;
      table.hot_columns = {{{"metadata"}, "has_metadata", HotColumn::Holds::kPresence},
                           {{"metadata", "request"}, "has_request", HotColumn::Holds::kPresence},
                           {{"metadata", "response"}, "has_response", HotColumn::Holds::kPresence},
                           {{"metadata", "request", "method"}, "method", HotColumn::Holds::kValue},
                           {{"metadata", "response", "status_code"}, "status_code", HotColumn::Holds::kValue}};
    }
    return new Catalog(std::move(tables), 1);
  }();
  return catalog;
}

TEST_CASE("ClickHouse fragments match the golden file") {
  testing::CheckFragmentTexts("split/clickhouse.txt", Logs(), ClickHouseSql());
}

TEST_CASE("ClickHouse's spellings name existing functions") {
  CHECK(ClickHouseSpellings().problems() == std::vector<std::string>{});
}

TEST_CASE("ClickHouse's literals and names are quoted safely") {
  const auto literal = [](const Value& value) { return *ClickHouseLiteral(value); };
  CHECK(literal(Value::String("it's \\ \" {p1:String}")) == "'it\\'s \\\\ \" {p1:String}'");
  CHECK(literal(Value::String(std::string("a\0b", 3))) == "'a\\0b'");
  CHECK(literal(Value::Int64(INT64_MIN)) == "toInt64(-9223372036854775808)");
  CHECK(literal(Value::Float64(-0.0)) == "reinterpretAsFloat64(toUInt64(9223372036854775808))");
  CHECK(literal(Value::TimestampMicros(-1)) == "fromUnixTimestamp64Micro(toInt64(-1), 'UTC')");
  CHECK(literal(Value::Date(-719'162)) == "toInt32(-719162)");
  CHECK(literal(Value::Null(Type::Int64())) == "CAST(NULL AS Nullable(Int64))");
  CHECK(ClickHouseLiteral(Value::Bytes("x")).status().code() == absl::StatusCode::kInvalidArgument);
  CHECK(ClickHouseIdentifier("a`b\\") == "`a\\`b\\\\`");
  CHECK(ClickHouseParameter(3, Type::Timestamp()) == "fromUnixTimestamp64Micro({p3:Nullable(Int64)}, 'UTC')");
}

TEST_CASE("patterns of LIKE are escaped as ClickHouse reads them") {
  CHECK(ClickHouseLikePattern("a%_b") == "a%_b");
  CHECK(ClickHouseLikePattern("\\%\\_\\\\") == "\\%\\_\\\\");
  CHECK(ClickHouseLikePattern("\\a\\é") == "aé");
  CHECK(ClickHouseLikePattern("a\\") == std::nullopt);
  CHECK(ClickHouseLikePattern("a\\\\\\") == std::nullopt);
}

}  // namespace
}  // namespace logquery::emit
