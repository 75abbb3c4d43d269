// Records of which a part stands in columns of its own.
#include <catch2/catch_test_macros.hpp>
#include <string>
#include <string_view>
#include <utility>

#include "lib/engines/duckdb/dialect/records.h"

namespace logquery::emit {
namespace {

Table LearnedTable() {
  Table table;
  table.name = "logs";
  const Type request = Type::Record({{"path", Type::String()}, {"colo", Type::String()}});
  const Type extra = Type::Record({{"n", Type::Int64()}});
  table.columns = {{"id", Type::String()},
                   {"metadata", Type::Record({{"request", request}, {"level", Type::String()}, {"extra", extra}})},
                   {"tier", Type::String()},
                   {"top", Type::Record({{"x", Type::Bool()}})}};
  using Holds = HotColumn::Holds;
  table.learned_columns = {{{"metadata", "Request", "colo"}, "metadata.request.colo", Holds::kValue},
                           {{"metadata", "extra"}, "?metadata.extra", Holds::kPresence},
                           {{"metadata", "extra", "n"}, "metadata.extra.n:INT64", Holds::kValue},
                           {{"tier"}, "tier:STRING", Holds::kValue},
                           {{"top"}, "?top", Holds::kPresence},
                           {{"top", "x"}, "top.x", Holds::kValue}};
  return table;
}

Text ColumnOf(const Table& table, std::string_view name) {
  auto text = DuckDbColumn(table, name, "t");
  REQUIRE(text.ok());
  return *std::move(text);
}

TEST_CASE("a field with its own column is read by its storage name") {
  const Table table = LearnedTable();
  CHECK(ColumnOf(table, "id").sql == R"(t."id")");
  CHECK(ColumnOf(table, "tier").sql == R"(t."tier:STRING")");
  CHECK(ColumnOf(table, "tier").IsSimple());
  // A stored column that queries do not see goes by its own name.
  CHECK(ColumnOf(table, "metadata.request.colo").sql == R"(t."metadata.request.colo")");
}

TEST_CASE("a field is read from its own column, without the enclosing record") {
  const Table table = LearnedTable();
  const Text metadata = ColumnOf(table, "metadata");
  REQUIRE(metadata.record != nullptr);
  const Type& type = table.columns[1].type;
  const auto request = DuckDbRecordField(*DuckDbRecordOf(metadata), type, 0);
  REQUIRE(request.ok());
  const Type& request_type = type.fields()[0].type;
  CHECK(DuckDbRecordField(*DuckDbRecordOf(*request), request_type, 0)->sql == R"(t."metadata"."request"."path")");
  CHECK(DuckDbRecordField(*DuckDbRecordOf(*request), request_type, 1)->sql == R"(t."metadata.request.colo")");
  CHECK(DuckDbRecordOf(*request)->presence == R"(t."metadata"."request" IS NOT NULL)");
  CHECK(DuckDbRecordField(*DuckDbRecordOf(metadata), type, 1)->sql == R"(t."metadata"."level")");
  const auto extra = DuckDbRecordField(*DuckDbRecordOf(metadata), type, 2);
  REQUIRE(extra.ok());
  CHECK(DuckDbRecordOf(*extra)->presence == R"(t."?metadata.extra")");
  CHECK(DuckDbRecordField(*DuckDbRecordOf(*extra), type.fields()[2].type, 0)->sql == R"(t."metadata.extra.n:INT64")");
}

TEST_CASE("a record that is read as a whole is assembled, and is NULL if it is absent") {
  const Table table = LearnedTable();
  CHECK(ColumnOf(table, "top").sql == R"(CASE WHEN t."?top" THEN struct_pack("x" := t."top.x") END)");
  CHECK_FALSE(ColumnOf(table, "top").IsSimple());
  CHECK(
      ColumnOf(table, "metadata").sql ==
      R"(CASE WHEN t."metadata" IS NOT NULL THEN struct_pack("request" := CASE WHEN t."metadata"."request" IS NOT NULL )"
      R"(THEN struct_pack("path" := t."metadata"."request"."path", "colo" := t."metadata.request.colo") END, )"
      R"("level" := t."metadata"."level", "extra" := CASE WHEN t."?metadata.extra" THEN )"
      R"(struct_pack("n" := t."metadata.extra.n:INT64") END) END)");
}

TEST_CASE("a table without learned fields is read as it is stored") {
  Table table = LearnedTable();
  table.learned_columns.clear();
  CHECK(ColumnOf(table, "metadata").sql == R"(t."metadata")");
  CHECK(ColumnOf(table, "metadata").record == nullptr);
}

}  // namespace
}  // namespace logquery::emit
