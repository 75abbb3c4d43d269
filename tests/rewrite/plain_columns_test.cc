// Queries whose rows are rows of a log as they are stored.
#include <catch2/catch_test_macros.hpp>
#include <string>

#include "lib/base/strings.h"
#include "lib/emit/dialects.h"
#include "lib/rewrite/passes/pass.h"
#include "lib/rewrite/passes/scan_hints.h"
#include "lib/rewrite/resolve/resolver.h"
#include "lib/sql/parser.h"

namespace logquery::rewrite {
namespace {

// The stored columns of the query's result; empty: some are computed.
std::string PlainColumnsOf(const std::string& sql) {
  auto parsed = sql::ParseQuery(sql, {});
  REQUIRE(parsed.ok());
  ResolveOptions options;
  static const Catalog& catalog = *new Catalog(Catalog::DeclaredLogs());
  options.catalog = &catalog;
  auto plan = Resolve(**parsed, sql, options);
  INFO(plan.status().ToString());
  REQUIRE(plan.ok());
  PassContext context;
  ParameterValues values;
  context.values = &values;
  context.max_rows = 1'000;
  REQUIRE(RunPasses(emit::PassesOf(Dialect::kDuckDb), context, *plan).ok());
  return base::Join(FindPlainColumns(*plan), ", ");
}

TEST_CASE("the columns of a log's rows are plain, whatever they are called") {
  CHECK(PlainColumnsOf("SELECT id, timestamp, event_message, metadata FROM `postgres.logs` WHERE project = 'a' "
                       "ORDER BY timestamp DESC, id LIMIT 100") == "id, timestamp, event_message, metadata");
  CHECK(PlainColumnsOf("SELECT t.i, t.t, t.i AS again FROM (SELECT id AS i, timestamp AS t FROM `postgres.logs`) AS t "
                       "ORDER BY t.t DESC, t.i LIMIT 5") == "id, timestamp, id");
}

TEST_CASE("a computed column, or more than one scan, leaves no columns plain") {
  for (const char* sql : {
           "SELECT id, timestamp, UPPER(event_message) AS m FROM `postgres.logs` ORDER BY timestamp DESC, id LIMIT 5",
           "SELECT id, timestamp, 1 AS one FROM `postgres.logs` ORDER BY timestamp DESC, id LIMIT 5",
           "SELECT a.id, a.timestamp FROM `postgres.logs` AS a CROSS JOIN `postgres.logs` AS b ORDER BY 2 DESC, 1 "
           "LIMIT 5",
           "SELECT COUNT(*) AS n FROM `postgres.logs`",
           "SELECT id FROM `postgres.logs` UNION ALL SELECT id FROM `postgres.logs`",
       }) {
    CAPTURE(sql);
    CHECK(PlainColumnsOf(sql).empty());
  }
}

}  // namespace
}  // namespace logquery::rewrite
