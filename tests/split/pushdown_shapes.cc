// The shapes of queries in docs/pushdown.md: example queries over the built-in logs, each split for each engine.
#include <string>
#include <vector>

#include "lib/base/strings.h"
#include "lib/rewrite/passes/pass.h"
#include "lib/rewrite/plan_walk.h"
#include "lib/rewrite/resolve/resolver.h"
#include "lib/split/split.h"
#include "lib/sql/parser.h"
#include "logquery/catalog.h"
#include "tests/split/pushdown_page.h"

namespace logquery::testing {
namespace {

using base::StrAppend;
using base::StrCat;

struct Shape {
  std::string_view name;
  std::string_view sql;
};

constexpr Shape kShapes[] = {
    {"Projection of columns", "SELECT id, event_message FROM `postgres.logs`"},
    {"Projection with a function that the engine has", "SELECT LENGTH(event_message) AS n FROM `postgres.logs`"},
    {"Projection with one that it has not", "SELECT NORMALIZE(event_message) AS m FROM `postgres.logs`"},
    {"CASE", "SELECT CASE WHEN id > 'a' THEN 'x' ELSE id END AS c FROM `postgres.logs`"},
    {"CASE with an operand", "SELECT CASE id WHEN 'a' THEN 'x' ELSE 'y' END AS c FROM `postgres.logs`"},
    {"CAST that can't fail", "SELECT CAST(timestamp AS STRING) AS t FROM `postgres.logs`"},
    {"CAST that may fail", "SELECT CAST(id AS INT64) AS n FROM `postgres.logs`"},
    {"SAFE_CAST", "SELECT SAFE_CAST(id AS INT64) AS n FROM `postgres.logs`"},
    {"SAFE. before a function", "SELECT SAFE.LENGTH(id) AS n FROM `postgres.logs`"},
    {"Filter", "SELECT id FROM `postgres.logs` WHERE project = @project AND timestamp >= @start"},
    {"Filter with a condition that stays",
     "SELECT id FROM `postgres.logs` WHERE project = @project AND NORMALIZE(event_message) = 'x'"},
    {"Field of a record in JSON", "SELECT m.parsed FROM `postgres.logs` AS t CROSS JOIN UNNEST(t.metadata) AS m"},
    {"Field of a record with a column of its own",
     "SELECT r.method FROM `cloudflare.logs.prod` AS t CROSS JOIN UNNEST(t.metadata) AS m CROSS JOIN "
     "UNNEST(m.request) AS r"},
    {"Whole record", "SELECT metadata FROM `postgres.logs`"},
    {"Top-N", "SELECT id, timestamp FROM `postgres.logs` ORDER BY timestamp DESC, id LIMIT 100"},
    {"Top-N after OFFSET", "SELECT id FROM `postgres.logs` ORDER BY id LIMIT 100 OFFSET 200"},
    {"Top-N with a bound LIMIT", "SELECT id FROM `postgres.logs` ORDER BY id LIMIT @rows"},
    {"Top-N by FLOAT64", "SELECT id FROM `postgres.logs` ORDER BY 0.5 * LENGTH(id) LIMIT 100"},
    {"ORDER BY without LIMIT", "SELECT id FROM `postgres.logs` ORDER BY id"},
    {"LIMIT without ORDER BY", "SELECT id FROM `postgres.logs` LIMIT 100"},
    {"Aggregate of all rows", "SELECT COUNT(*) AS n, MAX(timestamp) AS t FROM `postgres.logs`"},
    {"GROUP BY", "SELECT project, COUNT(*) AS n FROM `postgres.logs` GROUP BY 1"},
    {"GROUP BY hours", "SELECT TIMESTAMP_TRUNC(timestamp, HOUR) AS h, COUNT(*) AS n FROM `postgres.logs` GROUP BY 1"},
    {"GROUP BY with HAVING", "SELECT project FROM `postgres.logs` GROUP BY 1 HAVING COUNT(*) > 5"},
    {"GROUP BY, the greatest groups",
     "SELECT project, COUNT(*) AS n FROM `postgres.logs` GROUP BY 1 ORDER BY n DESC LIMIT 5"},
    {"GROUP BY inputs: a key that stays",
     "SELECT NORMALIZE(project) AS p, COUNT(*) AS n FROM `postgres.logs` GROUP BY 1"},
    {"GROUP BY inputs: an aggregate that may raise an error",
     "SELECT project, SUM(LENGTH(event_message)) AS n FROM `postgres.logs` GROUP BY 1"},
    {"GROUP BY FLOAT64", "SELECT 0.5 * LENGTH(id) AS x, COUNT(*) AS n FROM `postgres.logs` GROUP BY 1"},
    {"COUNT(DISTINCT …)", "SELECT COUNT(DISTINCT project) AS n FROM `postgres.logs`"},
    {"SELECT DISTINCT", "SELECT DISTINCT project FROM `postgres.logs`"},
    {"ROLLUP, CUBE, GROUPING SETS", "SELECT project, COUNT(*) AS n FROM `postgres.logs` GROUP BY ROLLUP (project)"},
    {"Inner join",
     "SELECT a.id FROM `postgres.logs` AS a JOIN `cloudflare.logs.prod` AS b ON a.id = b.id WHERE a.project = "
     "@project AND b.project = @project"},
    {"Cross join",
     "SELECT a.id FROM `postgres.logs` AS a CROSS JOIN `cloudflare.logs.prod` AS b WHERE a.project = @project AND "
     "b.project = @project"},
    {"Outer join",
     "SELECT a.id FROM (SELECT id FROM `postgres.logs` WHERE project = @project) AS a LEFT JOIN (SELECT id FROM "
     "`cloudflare.logs.prod` WHERE project = @project) AS b ON a.id = b.id"},
    {"Join with groups of what is joined on",
     "SELECT a.id, b.n FROM `postgres.logs` AS a LEFT JOIN (SELECT id, COUNT(*) AS n FROM `cloudflare.logs.prod` "
     "WHERE project = @project GROUP BY 1) AS b ON a.id = b.id WHERE a.project = @project"},
    {"Join, of whose rows more is made here",
     "SELECT STRING_AGG(a.id) AS s FROM `postgres.logs` AS a JOIN `cloudflare.logs.prod` AS b ON a.id = b.id WHERE "
     "a.project = @project AND b.project = @project"},
    {"ROW_NUMBER, RANK, DENSE_RANK", "SELECT ROW_NUMBER() OVER (ORDER BY timestamp) AS r FROM `postgres.logs`"},
    {"The first rows of each group, by their number",
     "SELECT id FROM `postgres.logs` QUALIFY ROW_NUMBER() OVER (PARTITION BY project ORDER BY timestamp DESC) = 1"},
    {"Other window functions", "SELECT LAG(id) OVER (ORDER BY timestamp) AS r FROM `postgres.logs`"},
    {"Aggregate over a window", "SELECT COUNT(*) OVER (PARTITION BY project) AS n FROM `postgres.logs`"},
    {"UNION ALL", "SELECT id FROM `postgres.logs` UNION ALL SELECT id FROM `cloudflare.logs.prod`"},
    {"UNION DISTINCT", "SELECT id FROM `postgres.logs` UNION DISTINCT SELECT id FROM `cloudflare.logs.prod`"},
    {"INTERSECT, EXCEPT", "SELECT id FROM `postgres.logs` INTERSECT DISTINCT SELECT id FROM `cloudflare.logs.prod`"},
    {"WITH entry that is read once",
     "WITH a AS (SELECT id, project FROM `postgres.logs` WHERE project = @project) SELECT id FROM a WHERE id > 'a'"},
    {"WITH entry that is read twice",
     "WITH a AS (SELECT id FROM `postgres.logs` WHERE project = @project) SELECT x.id FROM a AS x JOIN a AS y ON "
     "x.id = y.id"},
    {"UNNEST of a record", "SELECT id FROM `cloudflare.logs.prod` AS t CROSS JOIN UNNEST(t.metadata) AS m"},
    {"UNNEST of an array",
     "SELECT part FROM `postgres.logs` AS t CROSS JOIN UNNEST(SPLIT(t.event_message, ' ')) AS part WHERE t.project "
     "= @project"},
    {"Subquery in FROM", "SELECT id FROM (SELECT id FROM `postgres.logs` WHERE project = @project) WHERE id > 'a'"},
    {"Scalar subquery", "SELECT id FROM `postgres.logs` WHERE id = (SELECT MAX(id) FROM `postgres.logs`)"},
    {"IN (subquery)",
     "SELECT id FROM `postgres.logs` WHERE id IN (SELECT id FROM `cloudflare.logs.prod` WHERE project = @project)"},
    {"EXISTS",
     "SELECT id FROM `postgres.logs` AS a WHERE EXISTS (SELECT 1 FROM `cloudflare.logs.prod` AS b WHERE b.id = "
     "a.id)"},
};

// The built-in logs; some fields have columns of their own.
const Catalog& Logs() {
  static const Catalog& catalog = *[] {
    const Catalog declared = Catalog::DeclaredLogs();
    std::vector<Table> tables = declared.tables();
    for (Table& table : tables) {
      if (table.name != "cloudflare.logs.prod") continue;
      table.hot_columns = {{{"metadata"}, "has_metadata", HotColumn::Holds::kPresence},
                           {{"metadata", "request"}, "has_request", HotColumn::Holds::kPresence},
                           {{"metadata", "request", "method"}, "method", HotColumn::Holds::kValue}};
    }
    return new Catalog(std::move(tables), 1);
  }();
  return catalog;
}

absl::StatusOr<split::SplitPlan> SplitFor(std::string_view sql, const emit::Powers& powers) {
  auto parsed = sql::ParseQuery(sql, {});
  if (!parsed.ok()) return parsed.status();
  rewrite::ResolveOptions options;
  options.catalog = &Logs();
  options.parameters = {{"project", Type::String()}, {"start", Type::Timestamp()}, {"rows", Type::Int64()}};
  auto plan = rewrite::Resolve(**parsed, std::string(sql), options);
  if (!plan.ok()) return plan.status();
  if (absl::Status done = rewrite::RunPasses(rewrite::SharedPasses(), {}, *plan); !done.ok()) return done;
  return split::Split(*std::move(plan), powers);
}

// Returns whether the fragment does more than hand out columns.
bool DoesWork(const split::Fragment& fragment) {
  bool works = false;
  rewrite::VisitPlans(*fragment.plan.root, [&](const rewrite::Plan& node) {
    const bool hands_out = node.kind == rewrite::PlanKind::kTableScan || node.kind == rewrite::PlanKind::kProject;
    works = works || !hands_out;
  });
  return works;
}

std::string ShapeCell(std::string_view sql, const emit::Powers& powers) {
  const absl::StatusOr<split::SplitPlan> split = SplitFor(sql, powers);
  if (!split.ok()) return StrCat("error: ", split.status().message());
  std::string reason;
  bool works = false;
  for (const split::Fragment& fragment : split->fragments) {
    if (reason.empty()) reason = fragment.reason;
    works = works || DoesWork(fragment);
  }
  if (reason.empty()) return "yes";
  return StrCat(works ? "part: " : "no: ", reason);
}

}  // namespace

std::string ShapeTable() {
  std::string out = "| Shape |";
  for (const RemoteEngine& engine : RemoteEngines()) StrAppend(&out, " ", engine.name, " |");
  out += "\n|---|---|---|---|\n";
  for (const Shape& shape : kShapes) {
    StrAppend(&out, "| ", shape.name);
    for (const RemoteEngine& engine : RemoteEngines()) {
      StrAppend(&out, " | ", ShapeCell(shape.sql, *engine.dialect->powers()));
    }
    out += " |\n";
  }
  return out;
}

}  // namespace logquery::testing
