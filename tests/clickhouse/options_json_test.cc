// Options from a file's text: what is read, and what is refused by name.
#include <catch2/catch_test_macros.hpp>
#include <cstdlib>
#include <string>

#include "lib/engines/clickhouse/backend/grants.h"
#include "lib/engines/clickhouse/backend/wire_type.h"
#include "logquery/clickhouse/clickhouse_backend.h"
#include "tests/engines/option_checks.h"

namespace logquery {
namespace {

TEST_CASE("options of ClickHouse are read from JSON") {
  setenv("LOGQUERY_TEST_SECRET", "hidden", 1);
  const auto options = ClickHouseOptionsFromJson(
      R"({"engine": "clickhouse", "hosts": ["https://a:8443", "https://b:8443"], "database": "logs", "user": "reader",
          "password": {"env": "LOGQUERY_TEST_SECRET"}, "ca_file": "/ca", "certificate_file": "/c", "key_file": "/k",
          "proxy": "http://p:1", "compression": false, "allow_sources": true,
          "connections": 3, "connect_timeout_ms": 1500, "statement_timeout_ms": 20, "server_memory_bytes": 1048576,
          "rows_to_read": 7, "fragment_rows": 5, "fragment_bytes": 6, "memory_limit_mb": 64, "threads": 1,
          "tables": {"a": {"table": "x"}, "b": {"table": "y", "database": "d", "columns": {"project": "tenant"},
                     "fields": {"m.f": "mf"}, "presence": {"m": "has_m"}}}})");
  INFO(options.status().ToString());
  REQUIRE(options.ok());
  CHECK(options->hosts == std::vector<std::string>{"https://a:8443", "https://b:8443"});
  CHECK(options->database + options->user + options->password == "logsreaderhidden");
  CHECK(options->ca_file + options->certificate_file + options->key_file + options->proxy == "/ca/c/khttp://p:1");
  CHECK(!options->compression);
  CHECK(options->allow_sources);
  CHECK(options->max_connections == 3);
  CHECK(options->connect_timeout == absl::Milliseconds(1500));
  CHECK(options->statement_timeout == absl::Milliseconds(20));
  CHECK(options->max_server_memory_bytes == 1'048'576);
  CHECK(options->max_rows_to_read == 7);
  CHECK(options->max_fragment_rows == 5);
  CHECK(options->max_fragment_bytes == 6);
  CHECK(options->memory_limit_bytes == 64'000'000);
  CHECK(options->threads == 1);
  REQUIRE(options->tables.size() == 2);
  CHECK(options->tables[0].table == "x");
  CHECK(options->tables[1].database == "d");
  CHECK(options->tables[1].columns.at("project") == "tenant");
  CHECK(options->tables[1].fields.at("m.f") == "mf");
  CHECK(options->tables[1].presence.at("m") == "has_m");
}

TEST_CASE("an invalid option of ClickHouse is rejected with its name and a valid form") {
  const testing::OptionChecks checks(
      {"clickhouse",
       "ClickHouse",
       "password",
       {{"hosts", R"(["http://h"])"}, {"user", "\"u\""}},
       [](const std::string& json) { return ClickHouseOptionsFromJson(json).status(); }});
  checks.CheckAll();
  CHECK(checks.With(R"("hots": 5)").starts_with("hots is not a field; known are engine, hosts, "));
  CHECK(checks.With(R"("connections": 0)") == "connections must be a whole number from 1 to 1000, is 0");
  CHECK(checks.With(R"("compression": 1)").starts_with("compression must be true or false"));
  CHECK(checks.WithTables(R"({"e": {"table": "t", "fields": {"a": 5}}})")
            .starts_with("tables.e.fields must be an object of strings"));
  CHECK(checks.WithTables(R"({"e": {"table": "t", "layouts": "x"}})").starts_with("tables.e.layouts is not a field"));
}

TEST_CASE("rights of ClickHouse are sorted into reading, reading elsewhere, and others") {
  clickhouse::Grants grants;
  for (const char* line :
       {"GRANT SELECT, SHOW TABLES, SHOW COLUMNS ON logs.* TO u", "GRANT SELECT(a, b), INSERT(c, d) ON logs.t TO u",
        "GRANT dictGet ON *.* TO u WITH GRANT OPTION",
        "GRANT CREATE TEMPORARY TABLE, KILL QUERY, SYSTEM FLUSH ON *.* TO u", "GRANT READ ON FILE TO u",
        "GRANT URL, S3 ON *.* TO u", "GRANT NEW THING ON *.* TO u", "GRANT some_role TO u",
        "GRANT TABLE ENGINE ON * TO u", "REVOKE FILE ON *.* FROM u"}) {
    clickhouse::AddGrants(line, grants);
  }
  CHECK(grants.sources == std::vector<std::string>{"READ", "URL", "S3", "NEW THING"});
  CHECK(grants.others ==
        std::vector<std::string>{"INSERT", "CREATE TEMPORARY TABLE", "KILL QUERY", "SYSTEM FLUSH", "TABLE ENGINE"});
}

TEST_CASE("ClickHouse's type names are parsed, and invalid ones are rejected") {
  using Kind = clickhouse::WireType::Kind;
  const auto parsed = [](const std::string& text) { return *clickhouse::ParseWireType(text); };
  CHECK(parsed("LowCardinality(Nullable(String))").plain().kind == Kind::kString);
  CHECK(parsed("LowCardinality(Nullable(String))").is_nullable());
  CHECK(parsed("DateTime64(3, 'Asia/Tokyo')").scale == 3);
  CHECK(parsed("FixedString(16)").width == 16);
  const auto tuple = parsed("Tuple(a Int8, `b c)` Tuple(x Array(UInt8)), `d\\`e` Enum8('x)' = 1))");
  REQUIRE(tuple.children.size() == 3);
  CHECK(tuple.names == std::vector<std::string>{"a", "b c)", "d`e"});
  CHECK(tuple.children[1].children[0].kind == Kind::kArray);
  CHECK(parsed("Tuple(Int8, String)").names == std::vector<std::string>{"", ""});
  CHECK(parsed("Map(String, Nullable(Int64))").children.size() == 2);
  CHECK(parsed("JSON(max_dynamic_paths=5)").kind == Kind::kJson);
  CHECK(parsed("AggregateFunction(sum, UInt64)").kind == Kind::kOther);
  CHECK(parsed("Decimal(10, 2)").kind == Kind::kOther);
  for (const char* text :
       {"", "(", "Nullable", "Nullable()", "Nullable(Int8", "Map(String)", "Int8)", "FixedString(0)", "FixedString(x)",
        "DateTime64(10)", "Array(Int8, Int8)", "Enum8('x = 1)", "Tuple(a Int8,)"}) {
    CAPTURE(text);
    CHECK(!clickhouse::ParseWireType(text).ok());
  }
  std::string deep;
  for (int i = 0; i < 200; ++i) deep += "Array(";
  CHECK(!clickhouse::ParseWireType(deep).ok());
}

}  // namespace
}  // namespace logquery
