// How long a caller's SQL of 9 KB takes on its way to the engine: from text to the engine's text, and again when its plan is
// kept.
//
//     logquery_bench_translate [--repeat N]
//     logquery_bench_translate --cold N         only the whole way, N times, for a profiler
//     logquery_bench_translate --sql 1          only prints the query
//
// Nothing runs on an engine. The parts of the way add up to the first line; medians, because machines are noisy.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "absl/time/clock.h"
#include "absl/time/time.h"
#include "lib/base/strings.h"
#include "lib/emit/dialects.h"
#include "lib/emit/emitter.h"
#include "lib/endpoint/call/plan_cache.h"
#include "lib/endpoint/call/query_planner.h"
#include "lib/rewrite/passes/pass.h"
#include "lib/rewrite/plan_walk.h"
#include "lib/rewrite/resolve/resolver.h"
#include "lib/sql/parser.h"
#include "tests/bench/bench_util.h"

namespace logquery {
namespace {

using bench::Fail;
using bench::Need;

using endpoint::PlanCache;
using endpoint::PlannedCall;
using endpoint::QueryPlanner;
using endpoint::ResolvedQuery;

// The size of the WITH entries; the query that reads them makes it 9 KB.
constexpr size_t kBytes = 8'100;

// Returns SQL as dashboards write it: a WITH entry for each path, with records taken apart, tests, aggregates and casts.
std::string SqlOf(size_t bytes) {
  std::string sql = "WITH ";
  int entries = 0;
  while (sql.size() < bytes) {
    const std::string n = std::to_string(entries++);
    base::StrAppend(
        &sql, entries > 1 ? ",\n" : "", "part_", n, " AS (\n  SELECT TIMESTAMP_TRUNC(t.timestamp, MINUTE) AS bucket, ",
        "req.method AS method, COALESCE(req.path, '/none') AS path, COUNT(*) AS calls,\n",
        "    COUNTIF(res.status_code >= 500) AS errors, COUNTIF(res.status_code BETWEEN 400 AND 499) AS refused,\n",
        "    APPROX_QUANTILES(res.origin_time, 100)[OFFSET(95)] AS p95, MAX(LENGTH(t.event_message)) AS longest,\n",
        "    CASE WHEN SUM(IF(res.status_code < 400, 1, 0)) > ", n,
        "00 THEN 'busy' WHEN COUNT(*) = 0 THEN 'none' ELSE 'calm' END AS mood\n",
        "  FROM edge_logs AS t CROSS JOIN UNNEST(t.metadata) AS m LEFT JOIN UNNEST(m.request) AS req ON TRUE\n",
        "    LEFT JOIN UNNEST(m.response) AS res ON TRUE\n",
        "  WHERE t.timestamp >= TIMESTAMP_SUB(CURRENT_TIMESTAMP(), INTERVAL ", n,
        " HOUR) AND REGEXP_CONTAINS(req.path, r'^/rest/v", n, "') AND req.method IN ('GET', 'POST', 'PUT')\n",
        "  GROUP BY bucket, method, path HAVING calls > ", n, "\n)");
  }
  sql += "\nSELECT bucket, method, path, SUM(calls) AS calls, SUM(errors) AS errors, MAX(p95) AS p95 FROM (\n";
  for (int i = 0; i < entries; ++i) {
    base::StrAppend(&sql, i > 0 ? "  UNION ALL " : "  ", "SELECT bucket, method, path, calls, errors, p95 FROM part_",
                    i, "\n");
  }
  return sql + ") GROUP BY bucket, method, path ORDER BY calls DESC, bucket LIMIT 100";
}

double MedianMicroseconds(int repeat, const std::function<void()>& work) {
  std::vector<double> times;
  for (int i = 0; i <= repeat; ++i) {
    const absl::Time start = absl::Now();
    work();
    // The first one warms.
    if (i > 0) times.push_back(absl::ToDoubleMicroseconds(absl::Now() - start));
  }
  std::sort(times.begin(), times.end());
  return times[times.size() / 2];
}

void Line(const char* what, double microseconds) { std::printf("| %s | %.1f |\n", what, microseconds); }

int Main(int repeat, bool only_cold) {
  const Catalog catalog = Catalog::DeclaredLogs();
  Endpoint logs_all;
  for (Endpoint& endpoint : Endpoint::BuiltIn()) {
    if (endpoint.name == "logs.all") logs_all = std::move(endpoint);
  }
  const sql::QueryPtr definition = Need(endpoint::ParseDefinition(logs_all));
  // The planner is as for DuckDB, which does not read the GoogleSQL text.
  const QueryPlanner planner(Dialect::kDuckDb, nullptr, /*googlesql=*/false);
  rewrite::ParameterValues values;
  for (const Parameter& parameter : logs_all.parameters) values.emplace(parameter.name, Value::Null(parameter.type));
  values.insert_or_assign("project", Value::String("abc"));
  values.emplace(rewrite::kNowParameter, Value::TimestampMicros(1'772'600'767'000'000));

  const std::string sql = SqlOf(kBytes);
  std::printf("%zu bytes, medians of %d\n\n| | µs |\n|---|---|\n", sql.size(), repeat);
  const auto resolve = [&] { return Need(endpoint::ResolveCallerSql(sql, logs_all, *definition, catalog)); };
  for (int i = 0; only_cold && i < repeat; ++i) Need(planner.Plan(*resolve(), values));
  if (only_cold) return 0;
  Line("cold, from text to the engine's text", MedianMicroseconds(repeat, [&] {
         const auto resolved = resolve();
         Need(planner.Plan(*resolved, values));
       }));
  Line("parsing", MedianMicroseconds(repeat, [&] { Need(sql::ParseQuery(sql, {})); }));
  Line("parsing and resolving", MedianMicroseconds(repeat, [&] { resolve(); }));
  const auto resolved = resolve();
  rewrite::PassContext context;
  context.values = &values;
  context.max_rows = logs_all.max_rows;
  rewrite::QueryPlan plan;
  Line("passes", MedianMicroseconds(repeat, [&] {
         plan = rewrite::CopyPlan(resolved->plan);
         const absl::Status done = rewrite::RunPasses(emit::PassesOf(Dialect::kDuckDb), context, plan);
         Need(done);
       }));
  std::map<std::string, std::vector<double>> each;
  for (int i = 0; i < repeat; ++i) {
    plan = rewrite::CopyPlan(resolved->plan);
    absl::Time before = absl::Now();
    context.observe = [&](std::string_view pass, const rewrite::QueryPlan&) {
      const absl::Time now = absl::Now();
      each[std::string(pass)].push_back(absl::ToDoubleMicroseconds(now - before));
      before = now;
    };
    const absl::Status done = rewrite::RunPasses(emit::PassesOf(Dialect::kDuckDb), context, plan);
    Need(done);
  }
  for (auto& [pass, times] : each) {
    std::sort(times.begin(), times.end());
    Line(("of it " + pass).c_str(), times[times.size() / 2]);
  }
  Line("writing the engine's text", MedianMicroseconds(repeat, [&] { Need(emit::Emit(plan, Dialect::kDuckDb)); }));

  PlanCache cache(16);
  cache.Put(1, sql, resolved);
  Line("kept, from text to the engine's text and bindings", MedianMicroseconds(repeat, [&] {
         const std::shared_ptr<ResolvedQuery> kept = cache.Find(1, sql);
         if (kept == nullptr) Fail("the plan was not kept");
         Need(planner.Plan(*kept, values));
       }));
  return 0;
}

}  // namespace
}  // namespace logquery

int main(int argc, char** argv) {
  const std::string_view option = argc == 3 ? argv[1] : "";
  if (option == "--sql") {
    std::puts(logquery::SqlOf(logquery::kBytes).c_str());
    return 0;
  }
  const bool only_cold = option == "--cold";
  const int repeat = only_cold || option == "--repeat" ? std::max(1, std::atoi(argv[2])) : 201;
  return logquery::Main(repeat, only_cold);
}
