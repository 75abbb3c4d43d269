// Queries for a log's newest rows: DuckDB is to find the rows first, within the bounds of their time, and then to read them.
#include <catch2/catch_test_macros.hpp>
#include <string>
#include <vector>

#include "lib/emit/dialects.h"
#include "lib/emit/emitter.h"
#include "lib/rewrite/passes/pass.h"
#include "lib/rewrite/resolve/resolver.h"
#include "lib/sql/parser.h"

namespace logquery::emit {
namespace {

EmittedQuery QueryOf(const std::string& sql, const Catalog& catalog, Dialect dialect = Dialect::kDuckDb) {
  const auto query = sql::ParseQuery(sql, {});
  REQUIRE(query.ok());
  rewrite::ResolveOptions options;
  options.catalog = &catalog;
  options.parameters = {{"since", Type::Timestamp()}};
  auto plan = rewrite::Resolve(**query, sql, options);
  INFO(plan.status());
  REQUIRE(plan.ok());
  REQUIRE(rewrite::RunPasses(emit::PassesOf(Dialect::kDuckDb), {}, *plan).ok());
  const auto emitted = Emit(*plan, dialect);
  INFO(emitted.status());
  REQUIRE(emitted.ok());
  return *emitted;
}

std::string TextOf(const std::string& sql, const Catalog& catalog, Dialect dialect = Dialect::kDuckDb) {
  return QueryOf(sql, catalog, dialect).text;
}

std::string TextOf(const std::string& sql, Dialect dialect = Dialect::kDuckDb) {
  return TextOf(sql, Catalog::DeclaredLogs(), dialect);
}

bool FindsRowsFirst(const std::string& text) { return text.find("rowid") != std::string::npos; }

TEST_CASE("the newest rows are found by position, with time bounds in both steps") {
  const std::string sql =
      "SELECT id, event_message FROM `postgres.logs` WHERE timestamp > @since AND project = 'p' "
      "ORDER BY timestamp DESC, id LIMIT 100";
  CHECK(TextOf(sql) ==
        R"(SELECT t1."id" AS id_1, t1."event_message" AS event_message_3 FROM "postgres.logs" AS t1 )"
        R"(WHERE (t1."timestamp" > $1::TIMESTAMP) AND (t1."timestamp" >= $2::TIMESTAMP) AND t1.rowid IN )"
        R"((SELECT t1.rowid FROM "postgres.logs" AS t1, (VALUES (1)) WHERE (t1."timestamp" > $1::TIMESTAMP) AND )"
        R"((t1."project" = 'p') AND (t1."timestamp" >= $2::TIMESTAMP) )"
        R"(ORDER BY t1."timestamp" DESC NULLS LAST, t1."id" ASC NULLS FIRST LIMIT 100) )"
        R"(ORDER BY t1."timestamp" DESC NULLS LAST, t1."id" ASC NULLS FIRST)");
  CHECK_FALSE(FindsRowsFirst(TextOf(sql, Dialect::kGoogleSql)));
  // Expressions over a row are computed for the picked rows alone.
  const std::string worked_out =
      TextOf("SELECT UPPER(event_message) AS u FROM `postgres.logs` ORDER BY timestamp DESC LIMIT 7");
  CHECK(worked_out.find("upper(") < worked_out.find("rowid IN"));
  CHECK(worked_out.rfind("upper(") < worked_out.find("rowid IN"));
}

TEST_CASE("rows are read in one step unless they are those of one log") {
  for (const char* sql : {
           "SELECT a.id FROM `postgres.logs` AS a JOIN `gotrue.logs.prod` AS b ON a.id = b.id ORDER BY a.timestamp "
           "DESC LIMIT 5",
           "SELECT id FROM `postgres.logs` ORDER BY timestamp DESC LIMIT 5 OFFSET 2",
           "SELECT id FROM `postgres.logs` ORDER BY timestamp LIMIT 5",
           "SELECT timestamp, COUNT(*) AS n FROM `postgres.logs` GROUP BY timestamp ORDER BY timestamp DESC LIMIT 5",
           "SELECT id, ROW_NUMBER() OVER (ORDER BY id) AS n FROM `postgres.logs` ORDER BY timestamp DESC LIMIT 5",
       }) {
    CAPTURE(sql);
    CHECK_FALSE(FindsRowsFirst(TextOf(sql)));
  }
}

TEST_CASE("a log with a field of the pseudo-column's name is read in one step") {
  const auto catalog = Catalog::FromSchemaJson(
      R"({"logs": {"time": "timestamp", "columns": {"id": "STRING", "timestamp": "TIMESTAMP", "RowID": "STRING"}}})");
  INFO(catalog.status());
  REQUIRE(catalog.ok());
  const std::string text = TextOf("SELECT id FROM logs ORDER BY timestamp DESC LIMIT 5", *catalog);
  CHECK(text.find("t1.rowid") == std::string::npos);
}

// logs(id, timestamp, metadata), whose record is also packed.
Catalog PackedLogs(const HotColumn* learned = nullptr) {
  Table table =
      Catalog::FromSchemaJson(R"({"logs": {"time": "timestamp", "columns": {"id": "STRING", "timestamp": "TIMESTAMP",)"
                              R"( "metadata": {"a": "INT64"}}}})")
          ->tables()[0];
  table.packed_records = {{"metadata", ":metadata"}};
  if (learned != nullptr) table.learned_columns.push_back(*learned);
  return Catalog({table}, 1);
}

TEST_CASE("the newest rows have a second text, in which whole records are packed") {
  const std::string sql =
      "SELECT metadata, id, m.a, metadata AS again FROM logs CROSS JOIN UNNEST(metadata) AS m WHERE m.a > 5 AND "
      "timestamp > @since "
      "ORDER BY timestamp DESC, id LIMIT 100";
  const EmittedQuery query = QueryOf(sql, PackedLogs());
  REQUIRE(query.packed.has_value());
  CHECK(query.packed->columns == std::vector<size_t>{0, 3});
  // Conditions and fields read the record itself.
  std::string text = query.packed->text;
  CHECK(text.find(R"(t1."metadata"."a")") != std::string::npos);
  // The texts differ in the select list alone.
  for (size_t at = 0; (at = text.find(R"(t1.":metadata")")) != std::string::npos;)
    text.replace(at, 14, R"(t1."metadata")");
  CHECK(text == query.text);
  CHECK(query.packed->text != query.text);
  CHECK_FALSE(QueryOf(sql, PackedLogs(), Dialect::kGoogleSql).packed.has_value());
}

TEST_CASE("variables have the same numbers in both texts") {
  const EmittedQuery query =
      QueryOf("SELECT metadata FROM logs WHERE (@since IS NULL OR timestamp > @since) ORDER BY timestamp DESC LIMIT 5",
              PackedLogs());
  REQUIRE(query.packed.has_value());
  CHECK(query.text.find("$2") != std::string::npos);
  CHECK(query.packed->text.substr(query.packed->text.find(" FROM ")) == query.text.substr(query.text.find(" FROM ")));
}

TEST_CASE("a query has no text with packed records unless its result has whole ones of the newest rows") {
  for (const char* sql : {
           "SELECT id FROM logs ORDER BY timestamp DESC LIMIT 5",
           "SELECT m.a FROM logs CROSS JOIN UNNEST(metadata) AS m ORDER BY timestamp DESC LIMIT 5",
           "SELECT ARRAY_LENGTH(metadata) AS n FROM logs ORDER BY timestamp DESC LIMIT 5",
           "SELECT metadata FROM logs ORDER BY timestamp LIMIT 5",
           "SELECT metadata FROM logs ORDER BY timestamp DESC LIMIT 5 OFFSET 2",
           "SELECT metadata FROM logs",
       }) {
    CAPTURE(sql);
    CHECK_FALSE(QueryOf(sql, PackedLogs()).packed.has_value());
  }
  const char* const whole = "SELECT metadata FROM logs ORDER BY timestamp DESC LIMIT 5";
  CHECK(QueryOf(whole, PackedLogs()).packed.has_value());
  // The stored record lacks fields that were learned.
  const HotColumn learned{{"Metadata", "b"}, "metadata.b", HotColumn::Holds::kValue};
  CHECK_FALSE(QueryOf(whole, PackedLogs(&learned)).packed.has_value());
}

}  // namespace
}  // namespace logquery::emit
