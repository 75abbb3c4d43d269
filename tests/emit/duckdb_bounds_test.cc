// Places of budgets in the text that DuckDB gets.
#include <catch2/catch_test_macros.hpp>
#include <string>

#include "lib/emit/dialects.h"
#include "lib/emit/emitter.h"
#include "lib/rewrite/passes/pass.h"
#include "lib/rewrite/resolve/resolver.h"
#include "lib/sql/parser.h"

namespace logquery::emit {
namespace {

std::string DuckDbOf(const std::string& sql) {
  static const Catalog& catalog = *new Catalog(Catalog::DeclaredLogs());
  auto parsed = sql::ParseQuery(sql, {});
  REQUIRE(parsed.ok());
  rewrite::ResolveOptions options;
  options.catalog = &catalog;
  options.parameters = {{"text", Type::String()}};
  auto plan = rewrite::Resolve(**parsed, sql, options);
  INFO(plan.status().ToString());
  REQUIRE(plan.ok());
  REQUIRE(rewrite::RunPasses(emit::PassesOf(Dialect::kDuckDb), {}, *plan).ok());
  auto emitted = Emit(*plan, Dialect::kDuckDb);
  REQUIRE(emitted.ok());
  return emitted->text;
}

TEST_CASE("a function over possibly long values has a size limit") {
  const struct {
    const char* sql;
    const char* bound;
  } kCases[] = {
      {"select upper(a) as x from (select string_agg(id) as a from `postgres.logs`), `gotrue.logs.prod`",
       "lq_bounded("},
      {"select reverse(if(id = 'x', repeat('a', 1000000), id)) as x from `postgres.logs`", "lq_reverse("},
      {"select lower(if(id = 'x', repeat('a', 1000000), id)) as x from `postgres.logs`", "lq_bounded("},
      {"select split(if(id = 'x', @text, id), '') as x from `postgres.logs`", "lq_split(lq_bounded("},
      {"select regexp_contains(concat(id, @text), 'a.*b') as x from `postgres.logs`", "lq_bounded("},
      {"select array_reverse(a) as x from (select array_agg(id) as a from `postgres.logs`), `gotrue.logs.prod`",
       "lq_fits("},
      {"select array_concat(a, a) as x from (select array_agg(id) as a from `postgres.logs`)", "lq_fits("},
      {"select to_json_string(struct(a, id)) as x from (select string_agg(id) as a from `postgres.logs`), "
       "`gotrue.logs.prod`",
       "lq_bounded("},
      {"select if(id = 'x', generate_array(1, 100000), [1]) as x from `postgres.logs`", "lq_fits_beside("},
      {"select array_transform(generate_array(1, 100000), x -> repeat(id, x)) as x from `postgres.logs`", "lq_fits("},
      {"select array_length(generate_array(1, length(id))) as x from `postgres.logs`", "WHEN NOT lq_fits("},
      {"select array_length(array_transform([1, 2], x -> array_length(generate_array(1, x)))) as x from "
       "`postgres.logs`",
       "WHEN NOT lq_fits("},
      {"select array_length(generate_date_array(date(timestamp), '2026-01-01')) as x from `postgres.logs`",
       "WHEN NOT lq_fits("},
      {"select array_transform(generate_array(1, 100000), x -> repeat(id, x)) as x from `postgres.logs`",
       "lq_bounded_value("},
      {"select max(concat(id, id)) over (order by timestamp) as x from `postgres.logs`", "lq_bounded_value("},
      {"select safe.substr(concat(id, id), 2) as x from `postgres.logs`", "CASE WHEN lq_fits("},
      {"select safe_cast(concat(id, id) as bytes) as x from `postgres.logs`", "CASE WHEN lq_fits("},
      {"select substr(repeat('a', 1000000), length(id)) as x from `postgres.logs`", "lq_bounded_beside("},
      {"select lag(id, 1, @text) over (order by timestamp) as x from `postgres.logs`", "lq_bounded_value("},
      {"select string_agg(id) over (order by timestamp) as x from `postgres.logs`", "a window gathers more than"},
      {"select array_agg(id) over (partition by project) as x from `postgres.logs`", "> 131072::BIGINT THEN error("},
      {"select array_concat_agg([id]) over () as x from `postgres.logs`", "a window gathers more than"},
      // All of a query's share the budget.
      {"select array_agg(id) over (partition by project) as x, string_agg(id) over (order by id) as y "
       "from `postgres.logs`",
       "> 65536::BIGINT THEN error("},
      {"select array_agg(distinct id) over (partition by project) as x from `postgres.logs`",
       "row_number() OVER (PARTITION BY"},
      {"select array_concat_agg(generate_array(1, 100000)) as x from `postgres.logs` group by id", "lq_fits_beside("},
      {"select string_agg(repeat('a', 100000)) as x from `postgres.logs` group by id", "lq_bounded_beside("},
      {"select array_agg(concat(id, id)) as x from `postgres.logs`", "lq_bounded("},
      {"with recursive t as (select 'a' as x union all select concat(x, 'b') from t where length(x) < 9) "
       "select upper(x) as u from t",
       "lq_bounded("},
  };
  for (const auto& c : kCases) {
    const std::string text = DuckDbOf(c.sql);
    INFO(c.sql << "\n" << text);
    CHECK(text.find(c.bound) != std::string::npos);
  }
}

std::string Columns(int count, const std::string& before, const std::string& after) {
  std::string all;
  for (int i = 1; i <= count; ++i) all += (i > 1 ? ", " : "") + before + std::to_string(i) + after;
  return all;
}

TEST_CASE("a query with many aggregates uses CASE instead of FILTER where it can") {
  const std::string from =
      "select * from (select length(id) as k, length(event_message) as v, "
      "cast(length(id) as float64) as f from `postgres.logs`) pivot (";
  const std::string few = DuckDbOf(from + "sum(v) for k in (" + Columns(20, "", "") + "))");
  CHECK(few.find("FILTER (WHERE") != std::string::npos);
  for (const char* aggregate : {"sum(v)", "count(*)", "avg(f)", "sum(f)", "countif(v > 1)", "any_value(v)"}) {
    const std::string many = DuckDbOf(from + aggregate + " for k in (" + Columns(60, "", "") + "))");
    INFO(aggregate << "\n" << many.substr(0, 500));
    CHECK(many.find("FILTER (WHERE") == std::string::npos);
    CHECK(many.find("CASE WHEN") != std::string::npos);
  }
  const std::string lists = DuckDbOf(from + "array_agg(v) for k in (" + Columns(100, "", "") + "))");
  CHECK(lists.find("FILTER (WHERE") != std::string::npos);
}

TEST_CASE("texts of a log's rows that are taken apart are bounded together") {
  CHECK(DuckDbOf("select split(id, '-') as x from `postgres.logs`").find("string_split(lq_bounded(") !=
        std::string::npos);
  CHECK(DuckDbOf("select split(id, event_message) as x from `postgres.logs`").find("lq_split(") != std::string::npos);
  CHECK(DuckDbOf("select approx_top_count(id, 3) over (partition by project) as x from `postgres.logs`")
            .find("lq_fits(") != std::string::npos);
}

TEST_CASE("values read from a log's rows need no size check before the engine's functions") {
  for (const char* sql : {
           "select upper(event_message) as x from `postgres.logs`",
           "select regexp_extract(event_message, r'(\\w+)') as x, count(*) as n from `postgres.logs` group by x",
           "select string_agg(id) as x, array_agg(id) as y from `postgres.logs`",
           "select length(concat(id, event_message)) as x from `postgres.logs`",
           "select upper(repeat('a', 3)) as x from `postgres.logs`",
           "select regexp_contains(event_message, @text) as x from `postgres.logs` where id = @text",
           "select id from `postgres.logs` where id in (@text, 'x') or lower(@text) = 'y'",
           "select max(id) over (order by timestamp) as x from `postgres.logs`",
           "select array_agg(id) over () as x from `postgres.logs`",
           "select array_agg(id) over (order by timestamp rows 3 preceding) as x from `postgres.logs`",
       }) {
    const std::string text = DuckDbOf(sql);
    INFO(sql << "\n" << text);
    CHECK(text.find("lq_bounded") == std::string::npos);
    CHECK(text.find("lq_fits") == std::string::npos);
    CHECK(text.find("gathers") == std::string::npos);
  }
}

}  // namespace
}  // namespace logquery::emit
