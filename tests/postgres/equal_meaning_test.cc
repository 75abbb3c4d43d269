// Text for PostgreSQL means there what it means here: each condition and value is worked out on both sides, over values that
// engines differ on.
#include <catch2/catch_test_macros.hpp>
#include <memory>
#include <string>
#include <vector>

#include "absl/strings/str_replace.h"
#include "lib/base/strings.h"
#include "lib/engines/postgres/backend/postgres_source.h"
#include "lib/engines/postgres/dialect/json_paths.h"
#include "lib/engines/postgres/dialect/texts.h"
#include "tests/engines/meaning_checks.h"
#include "tests/postgres/cluster_or_skip.h"
#include "tests/support/meaning_cases.h"

namespace logquery {
namespace {

using base::StrCat;
using testing::ClusterOrSkip;
using Rows = std::vector<std::vector<Value>>;

constexpr char kSchema[] =
    R"({"v": {"columns": {"i": "INT64", "s": "STRING", "n": "INT64", "b": "BOOL", "t": "TIMESTAMP",
  "d": "DATE", "dt": "DATETIME", "m": {"ms": "STRING", "mn": "INT64", "mb": "BOOL"}}}})";

// Rows of all values that differ, each column on its own and NULL among them.
void Fill(testing::Cluster& cluster) {
  cluster.Sql("CREATE TABLE v (i int8, s text, n int8, b bool, t timestamptz, d date, dt timestamp, m jsonb)");
  for (const std::string& text : testing::MeaningTexts()) {
    cluster.Sql(StrCat("INSERT INTO v (s, m) VALUES (E'", absl::StrReplaceAll(text, {{"\\", "\\\\"}, {"''", "\\'"}}),
                       "', jsonb_build_object('ms', E'", absl::StrReplaceAll(text, {{"\\", "\\\\"}, {"''", "\\'"}}),
                       "'))"));
  }
  for (const char* number :
       {"0", "1", "-1", "9223372036854775807", "-9223372036854775808", "9007199254740993", "200"}) {
    cluster.Sql(StrCat("INSERT INTO v (n, m) VALUES (", number, ", jsonb_build_object('mn', ", number, "))"));
  }
  for (const char* time :
       {"0001-01-01 00:00:00", "1969-12-31 23:59:59.999999", "1970-01-01 00:00:00", "2026-03-29 01:59:59.5",
        "2026-03-08 07:00:00", "2110-05-05 05:05:05.000001", "9999-12-31 23:59:59.999999"}) {
    cluster.Sql(StrCat("INSERT INTO v (t, d, dt) VALUES ('", time, "+00', ('", time, "')::date, '", time, "')"));
  }
  cluster.Sql(
      "INSERT INTO v (b, m) VALUES (true, '{\"mb\": true}'), (false, '{\"mb\": false}'), (NULL, '{}'), (NULL, NULL)");
  cluster.Sql("UPDATE v SET i = r.n FROM (SELECT ctid AS c, row_number() OVER () AS n FROM v) AS r WHERE v.ctid = r.c");
}

std::shared_ptr<FragmentSource> SourceOf(const testing::Cluster& cluster) {
  PostgresTable table;
  table.name = table.table = "v";
  return std::make_shared<postgres::PostgresSource>(cluster.Options({table}), *Catalog::FromSchemaJson(kSchema));
}

TEST_CASE("conditions have the same results in PostgreSQL as in DuckDB", "[postgres]") {
  ClusterOrSkip cluster;
  Fill(cluster);
  testing::MeaningChecks(SourceOf(cluster)).CheckConditions(testing::PostgresConditions());
}

TEST_CASE("orders, groups, aggregates and values have the same results in PostgreSQL as in DuckDB", "[postgres]") {
  ClusterOrSkip cluster;
  Fill(cluster);
  testing::MeaningChecks(SourceOf(cluster)).CheckQueries(testing::PostgresQueries());
}

// JSON texts as the values of one field.
constexpr const char* kJsonTexts[] = {R"("a")",
                                      R"("")",
                                      R"("\u0001\"\\\/\n😀")",
                                      R"("5")",
                                      R"("+5")",
                                      R"("-5")",
                                      R"("+")",
                                      R"("05")",
                                      R"(" 5")",
                                      R"("5\n")",
                                      R"("5.0")",
                                      R"("9223372036854775807")",
                                      R"("9223372036854775808")",
                                      R"("-9223372036854775808")",
                                      R"("-9223372036854775809")",
                                      R"("+9223372036854775807")",
                                      R"("0000000000000000001")",
                                      R"("00000000000000000001")",
                                      R"("0x1F")",
                                      R"("1e3")",
                                      R"("NaN")",
                                      R"("٣")",
                                      R"("true")",
                                      R"("TRUE")",
                                      R"("False")",
                                      R"("falſe")",
                                      R"("t")",
                                      R"("yes")",
                                      R"("1")",
                                      "0",
                                      "-0",
                                      "5",
                                      "5.0",
                                      "5.10",
                                      "5.5",
                                      "1e3",
                                      "1E-3",
                                      "9223372036854775807",
                                      "9223372036854775808",
                                      "-9223372036854775808",
                                      "-9223372036854775809",
                                      "9223372036854775807.0",
                                      "1e400",
                                      "123456789012345678901234567890",
                                      "0.1",
                                      "true",
                                      "false",
                                      "null",
                                      "{}",
                                      "[]",
                                      R"(["a"])",
                                      "[5]",
                                      "[true]",
                                      R"({"a":5})",
                                      "[[5]]"};

// Ways in which a field's value may stand: `@` is the value.
constexpr const char* kPlaces[] = {R"({"m":{"r":{"f":@}}})",
                                   R"({"m":[{"r":[{"f":@}]}]})",
                                   R"({"m":{"r":[{"f":@},{}]}})",
                                   R"({"m":[{"r":{"f":@}},null]})",
                                   R"({"m":[[{"r":{"f":@}}]]})",
                                   R"({"m":{"r":[[{"f":@}]]}})",
                                   R"({"m":{"r":@}})",
                                   R"({"m":@})",
                                   R"({"m":{"R":{"f":@}}})",
                                   R"({"m":{"r":{"F":@}}})",
                                   R"([{"m":{"r":{"f":@}}}])",
                                   "@",
                                   R"({"m":{"r":{"f":{"f":@}}}})",
                                   R"({"m":{"r":{"0":{"f":@}},"f":@}})"};

TEST_CASE("a JSONB field read in PostgreSQL equals the field of its transferred record", "[postgres]") {
  ClusterOrSkip cluster;
  cluster.Sql("CREATE TABLE j (i serial, body jsonb)");
  std::string values;
  for (const char* place : kPlaces) {
    for (const char* json : kJsonTexts) {
      base::StrAppend(&values, values.empty() ? "" : ", ", "($j$", absl::StrReplaceAll(place, {{"@", json}}), "$j$)");
    }
  }
  cluster.Sql(StrCat("INSERT INTO j (body) VALUES ", values));
  postgres::PostgresSource source(cluster.Options({}), Catalog());
  emit::PostgresRecord m;
  m.base = "j.body";
  m.records = {"m"};
  emit::PostgresRecord r = m;
  r.records.push_back("r");
  for (const Type& type :
       {Type::String(), Type::Int64(), Type::Bool(), Type::Float64(), Type::Array(Type::Int64()), Type::Json()}) {
    CAPTURE(type.ToString());
    const Type inner = Type::Record({{"f", type}});
    const Type outer = Type::Record({{"r", inner}});
    QueryFragment fragment;
    fragment.text = StrCat("SELECT ", emit::PostgresFieldSql(r, "f", type), " AS c1, ", emit::PostgresRecordSql(r),
                           " AS c2, ", emit::PostgresRecordSql(m), " AS c3, body::text AS c4 FROM public.j ORDER BY i");
    fragment.schema = {{"c1", type}, {"c2", inner}, {"c3", outer}, {"c4", Type::String()}};
    CollectingSink sink;
    const absl::Status status = source.Run(fragment, {}, CancellationToken(), sink);
    INFO(status.ToString());
    REQUIRE(status.ok());
    REQUIRE(sink.rows().size() == std::size(kPlaces) * std::size(kJsonTexts));
    size_t present = 0;
    for (const std::vector<Value>& row : sink.rows()) {
      CAPTURE(row[3].string_value());
      const Value of_inner = row[1].is_null() ? Value::Null(type) : row[1].children()[0];
      const Value below = row[2].is_null() ? Value::Null(inner) : row[2].children()[0];
      const Value of_outer = below.is_null() ? Value::Null(type) : below.children()[0];
      CHECK(row[0] == of_inner);
      CHECK(row[0] == of_outer);
      CHECK(row[1].is_null() == below.is_null());
      present += row[0].is_null() ? 0 : 1;
    }
    CHECK(present > 4);
  }
}

}  // namespace
}  // namespace logquery
