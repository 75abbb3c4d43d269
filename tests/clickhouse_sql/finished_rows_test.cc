// Texts of times that are computed from the engine's rows: the same as those that the engine computes.
#include <catch2/catch_test_macros.hpp>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/match.h"
#include "lib/base/strings.h"
#include "lib/endpoint/call/query_planner.h"
#include "lib/endpoint/call/row_finish.h"
#include "lib/rewrite/functions/functions.h"
#include "lib/rewrite/resolve/resolver.h"
#include "logquery/batch.h"
#include "tests/clickhouse_sql/otel_answers.h"

namespace logquery::endpoint {
namespace {

constexpr int64_t kMicros = 1'772'600'767'000'001;

class Queries {
 public:
  Queries() : rows_(OnlyOtel()), definition_(OnlyOtel()[0]), query_(*ParseInItsLanguage(definition_)) {
    const auto catalog = rows_.backend->ReadCatalog();
    REQUIRE(catalog.ok());
    catalog_ = std::make_unique<Catalog>(*catalog);
    for (const Parameter& parameter : definition_.parameters)
      values_.emplace(parameter.name, Value::Null(parameter.type));
    values_.insert_or_assign("project", Value::String("abc"));
    values_.insert_or_assign("retention_start", Value::TimestampMicros(0));
    values_.emplace(rewrite::kNowParameter, Value::TimestampMicros(kMicros));
  }

  PlannedCall Plan(const std::string& sql, bool finishes, int64_t max_rows = 1'000) {
    definition_.max_rows = max_rows;
    const auto resolved = ResolveCallerSql(sql, definition_, query_, *catalog_);
    INFO(resolved.status().ToString());
    REQUIRE(resolved.ok());
    const QueryPlanner planner(Dialect::kDuckDb, nullptr, true, nullptr, true, finishes);
    const auto planned = planner.Plan(**resolved, values_);
    INFO(planned.status().ToString());
    REQUIRE(planned.ok());
    return *planned;
  }

  std::vector<std::vector<Value>> Rows(const PlannedCall& planned) {
    CollectingSink collected;
    FinishingSink sink(planned.finish.get(), &collected);
    const absl::Status status = rows_.backend->Execute(*planned.query, planned.bindings, {}, {}, sink);
    INFO(status.ToString());
    REQUIRE(status.ok());
    return collected.rows();
  }

 private:
  ServedRows rows_;
  Endpoint definition_;
  ParsedDefinition query_;
  std::unique_ptr<Catalog> catalog_;
  rewrite::ParameterValues values_;
};

void CheckSame(Queries& queries, const PlannedCall& whole, const PlannedCall& finished) {
  REQUIRE(finished.schema().size() == whole.schema().size());
  for (size_t i = 0; i < whole.schema().size(); ++i) {
    CHECK(finished.schema()[i].name == whole.schema()[i].name);
    CHECK(finished.schema()[i].type == whole.schema()[i].type);
  }
  const auto rows = queries.Rows(whole);
  CHECK_FALSE(rows.empty());
  CHECK(queries.Rows(finished) == rows);
}

TEST_CASE("an answer's times are the engine's texts, computed after the engine") {
  Queries queries;
  const std::string sqls[] = {
      "select id, timestamp from logs order by timestamp desc, id limit 10",
      "select toStartOfMinute(timestamp) as minute, count() as n from logs group by minute order by n desc, minute "
      "limit 3",
      "select toDateTime64(timestamp, 3, 'Europe/Berlin') as t, toTimeZone(timestamp, 'Asia/Kolkata') as u, id from "
      "logs order by id limit 9",
      "select toDateTime(timestamp) as a, toDateTime(timestamp) as b, a < now() as c from logs order by id limit 9",
      "select nullIf(toDateTime(timestamp), toDateTime('2026-03-04 05:00:01')) as t from logs order by id limit 9",
      "select timestamp from logs order by id",
      "with newest as (select id, timestamp from logs order by timestamp desc limit 5) select timestamp from newest "
      "order by id",
  };
  for (const std::string& sql : sqls) {
    CAPTURE(sql);
    const PlannedCall whole = queries.Plan(sql, false), finished = queries.Plan(sql, true);
    CHECK(whole.finish == nullptr);
    REQUIRE(finished.finish != nullptr);
    CHECK(absl::StrContains(whole.query->dialect_text(), "answer_text"));
    CHECK_FALSE(absl::StrContains(finished.query->dialect_text(), "answer_text"));
    CheckSame(queries, whole, finished);
  }
}

TEST_CASE("answers are the same where the engine must have the texts, and where times are at the ends of their types") {
  Queries queries;
  const std::string sqls[] = {
      // The order, equality or choice of rows is that of texts, or of times that the answer shows as texts.
      "select toString(timestamp) as t from logs order by t desc limit 3",
      "select timestamp as t from logs order by toString(t) desc, id limit 3",
      "select toStartOfHour(timestamp) as timestamp, id from logs order by timestamp desc, id limit 3",
      "select distinct toStartOfMinute(timestamp) as t from logs order by t limit 5",
      "select distinct toStartOfMinute(timestamp) as t, toStartOfMinute(timestamp) as u from logs limit 5",
      "select source, timestamp from logs order by source, timestamp, id limit 1 by source",
      "select source, timestamp from logs order by source, timestamp, id limit 1 by source limit 2",
      "(select timestamp as t from logs order by t limit 2) union all (select timestamp as t from logs order by t desc "
      "limit 2)",
      "select t from ((select toStartOfHour(timestamp) as t from logs) union distinct (select "
      "toStartOfMinute(timestamp) "
      "as t from logs)) order by t limit 5",
      "select timestamp, count() over (order by timestamp, id) as n from logs order by n limit 4",
      "select timestamp from logs order by id limit 2 offset 1",
      "select a.timestamp as x, b.timestamp as y from logs as a join logs as b on a.id = b.id order by a.id limit 3",
      "select toStartOfMinute(timestamp) as t, count() as n from logs group by t having n > 0 order by n, t limit 2",
      "select toStartOfMinute(timestamp) as t, count() as n from logs group by t order by t with fill step 60 limit 9",
      "select min(timestamp) as a, max(timestamp) as b, argMax(timestamp, id) as c, any(id) = '' as d from logs limit "
      "1",
      "select timestamp, timestamp as again, id, again as third from logs order by id limit 2",
      // NULL, the ends of the types, and zones.
      "select id, parseDateTimeBestEffortOrNull(event_message) as t, parseDateTimeBestEffortOrNull('2026-03-04 "
      "05:00:00') as u from "
      "logs order by id limit 4",
      "select id, if(id = 'id0', NULL, timestamp) as t from logs order by id limit 4",
      "select toDateTime64('1900-01-01 00:00:00', 6, 'UTC') as a, toDateTime64('2299-12-31 23:59:59.999999', 6, 'UTC') "
      "as b, id from logs order by id limit 2",
      "select toDateTime64('2262-04-11 23:47:16.854775', 9, 'UTC') as a, toDateTime64(timestamp, 9) as b, id from logs "
      "order by id limit 2",
      "select toDateTime('1970-01-01 00:00:00') as a, toDateTime('2106-02-07 06:28:15') as b, id from logs order by id "
      "limit 2",
      "select addYears(timestamp, if(id = 'id0', 500, -500)) as t, id from logs order by id limit 2",
      "select toDateTime64(timestamp, 0) as a, toDateTime64(timestamp, 1, 'Asia/Kathmandu') as b, "
      "toTimeZone(timestamp, "
      "'America/St_Johns') as c, id from logs order by id limit 2",
  };
  for (const std::string& sql : sqls) {
    CAPTURE(sql);
    CheckSame(queries, queries.Plan(sql, false), queries.Plan(sql, true));
  }
}

TEST_CASE("a limited query whose times are computed afterwards is one SELECT with one ORDER BY") {
  Queries queries;
  const std::string sql =
      "select toStartOfMinute(timestamp) as minute, count() as n from logs where source = 'postgres_logs' group by "
      "minute "
      "order by n desc, minute limit 3";
  const std::string text(queries.Plan(sql, true).query->dialect_text());
  CHECK(text.find("ORDER BY") == text.rfind("ORDER BY"));
  CHECK(text.find("SELECT") == text.rfind("SELECT"));
}

TEST_CASE("values of other kinds, and results of many rows, are the engine's") {
  Queries queries;
  CHECK(queries.Plan("select id, [timestamp] as t, toString(timestamp) as s from logs order by id limit 5", true)
            .finish == nullptr);
  CHECK(queries.Plan("select timestamp from logs", true, 10'000).finish != nullptr);
  CHECK(queries.Plan("select timestamp from logs", true, 10'001).finish == nullptr);
  CHECK(queries.Plan("select timestamp from logs limit 20000", true, 50'000).finish == nullptr);
}

TEST_CASE("texts are made of batches of any size, and NULL stays NULL") {
  rewrite::QueryPlan plan;
  plan.schema = {{"n", Type::Int64()}, {"t", Type::Timestamp()}};
  std::vector<rewrite::ScalarPtr> arguments;
  arguments.push_back(std::make_unique<rewrite::ColumnRef>(rewrite::PlanColumn{1, "t", Type::Timestamp()}));
  for (const Value& value : {Value::Int64(6), Value::String("UTC"), Value::Bool(true)})
    arguments.push_back(std::make_unique<rewrite::Constant>(value));
  plan.finished.push_back(
      {1, Type::String(),
       std::make_unique<rewrite::FunctionCall>(&rewrite::FindFunction("$ch.answer_text")->overloads.front(),
                                               Type::String(), std::move(arguments))});
  const auto finish = RowFinish::Of(plan);
  REQUIRE(finish != nullptr);
  CollectingSink collected;
  FinishingSink sink(finish.get(), &collected);
  std::vector<std::vector<Value>> expected;
  for (const int64_t size : {0, 1, 2, 63, 64, 65, 3, 200}) {
    std::vector<std::vector<Value>> rows;
    for (int64_t i = 0; i < size; ++i) {
      const bool is_null = i % 7 == 3;
      rows.push_back({Value::Int64(i), is_null ? Value::Null(Type::Timestamp()) : Value::TimestampMicros(kMicros + i)});
      const std::string digits = std::to_string(1'000'001 + i).substr(1);
      expected.push_back({Value::Int64(i), is_null ? Value::Null(Type::String())
                                                   : Value::String(base::StrCat("2026-03-04T05:06:07.", digits, "Z"))});
    }
    const ValueBatch batch(plan.schema, rows);
    REQUIRE(sink.Append(batch.batch()).ok());
  }
  CHECK(collected.rows() == expected);
  CHECK(finish->schema()[1].type == Type::String());
}

TEST_CASE("without texts to compute, rows are forwarded as they are") {
  CHECK(RowFinish::Of(rewrite::QueryPlan()) == nullptr);
  CollectingSink collected;
  FinishingSink sink(nullptr, &collected);
  const ValueBatch batch({{"n", Type::Int64()}}, {{Value::Int64(7)}});
  REQUIRE(sink.Append(batch.batch()).ok());
  CHECK(collected.rows() == std::vector<std::vector<Value>>{{Value::Int64(7)}});
}

}  // namespace
}  // namespace logquery::endpoint
