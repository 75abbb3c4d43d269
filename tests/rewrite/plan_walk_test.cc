#include "lib/rewrite/plan_walk.h"

#include <algorithm>
#include <catch2/catch_all.hpp>
#include <vector>

#include "lib/emit/emitter.h"
#include "lib/rewrite/resolve/resolver.h"
#include "lib/sql/parser.h"

namespace logquery::rewrite {
namespace {

const Catalog& TestCatalog() {
  static const Catalog& catalog = *new Catalog(Catalog::DeclaredLogs());
  return catalog;
}

QueryPlan PlanOf(const std::string& sql) {
  absl::StatusOr<sql::QueryPtr> query = sql::ParseQuery(sql, {});
  REQUIRE(query.ok());
  ResolveOptions options;
  options.catalog = &TestCatalog();
  absl::StatusOr<QueryPlan> plan = Resolve(**query, sql, options);
  INFO(plan.status());
  REQUIRE(plan.ok());
  return *std::move(plan);
}

std::string TextOf(const QueryPlan& plan) {
  absl::StatusOr<emit::EmittedQuery> text = emit::Emit(plan, Dialect::kGoogleSql);
  INFO(text.status());
  REQUIRE(text.ok());
  return text->text;
}

// A query with a node of most kinds.
constexpr char kEverything[] = R"(
    WITH RECURSIVE a AS (SELECT t.id, t.timestamp, m.host FROM `postgres.logs` AS t LEFT JOIN UNNEST(t.metadata) AS m),
      r AS (SELECT 1 AS i UNION ALL SELECT i + 1 FROM r WHERE i < 3)
    SELECT a.host, COUNT(*) AS c, ARRAY_AGG(a.id ORDER BY a.timestamp DESC LIMIT 3) AS ids,
      SUM(COUNT(*)) OVER (PARTITION BY a.host ORDER BY a.host ROWS BETWEEN 1 PRECEDING AND CURRENT ROW) AS s,
      CASE a.host WHEN 'x' THEN CAST(1.5 AS STRING) ELSE [STRUCT('y' AS z)][OFFSET(0)].z END AS y
    FROM a JOIN r ON r.i > 0
    WHERE EXISTS (SELECT 1 FROM `gotrue.logs.prod` AS g WHERE g.id = a.id)
    GROUP BY a.host ORDER BY c DESC LIMIT 10)";

TEST_CASE("a copy prints as the original and is independent of it") {
  QueryPlan plan = PlanOf(kEverything);
  QueryPlan copy;
  copy.root = Clone(*plan.root);
  copy.schema = plan.schema;
  const std::string text = TextOf(plan);
  CHECK(TextOf(copy) == text);
  plan.root = nullptr;
  CHECK(TextOf(copy) == text);
}

TEST_CASE("A fresh copy defines no column or WITH entry of the original") {
  QueryPlan plan = PlanOf(kEverything);
  ColumnMap renamed;
  PlanPtr copy = CloneWithFreshColumns(plan, *plan.root, &renamed);
  const ColumnSet defined = DefinedColumns(*plan.root);
  CHECK(renamed.size() == defined.size());
  for (ColumnId id : DefinedColumns(*copy)) CHECK_FALSE(defined.contains(id));
  CHECK(OuterColumns(*copy).empty());

  std::vector<int> ids;
  for (const Plan* root : std::vector<const Plan*>{plan.root.get(), copy.get()}) {
    VisitPlans(*root, [&](const Plan& node) {
      if (const auto* with = If<With>(&node)) {
        for (const WithEntry& entry : with->entries) ids.push_back(entry.id);
      }
    });
  }
  std::sort(ids.begin(), ids.end());
  CHECK(std::adjacent_find(ids.begin(), ids.end()) == ids.end());
  plan.root = std::move(copy);
  TextOf(plan);
}

TEST_CASE("Rewriting goes from the leaves up, into subqueries too") {
  QueryPlan plan =
      PlanOf("SELECT id FROM `postgres.logs` WHERE id IN (SELECT id FROM `gotrue.logs.prod` WHERE id = 'a')");
  std::vector<std::string> order;
  REQUIRE(RewriteScalars(plan.root, [&](ScalarPtr& scalar) {
            if (scalar->kind == ScalarKind::kConstant) {
              scalar = std::make_unique<Constant>(Value::String("b"));
              order.push_back("constant");
            }
            if (scalar->kind == ScalarKind::kSubquery) order.push_back("subquery");
            return absl::OkStatus();
          }).ok());
  CHECK(order == std::vector<std::string>{"constant", "subquery"});
  CHECK(TextOf(plan).find("'b'") != std::string::npos);
}

TEST_CASE("The first error ends a rewrite") {
  QueryPlan plan = PlanOf("SELECT 1 + 2 AS x");
  int calls = 0;
  const absl::Status status = RewriteScalars(plan.root, [&](ScalarPtr&) {
    ++calls;
    return absl::InternalError("no");
  });
  CHECK(status.message() == "no");
  CHECK(calls == 1);
}

TEST_CASE("A visit may take nodes away") {
  QueryPlan plan = PlanOf("WITH a AS (SELECT 1 AS x), b AS (SELECT 2 AS y) SELECT x FROM a");
  VisitPlans(*plan.root, [](Plan& node) {
    if (auto* with = If<With>(&node)) with->entries.pop_back();
  });
  CHECK(TextOf(plan).find("2") == std::string::npos);
}

TEST_CASE("Columns of nodes are brought up to date from the leaves up") {
  QueryPlan plan = PlanOf("SELECT id FROM `postgres.logs` WHERE id = 'a' ORDER BY id LIMIT 1");
  VisitPlans(*plan.root, [](Plan& node) {
    if (node.kind != PlanKind::kTableScan && node.kind != PlanKind::kProject) node.columns.clear();
  });
  RefreshColumns(*plan.root);
  CHECK(plan.root->columns.size() == 1);
}

TEST_CASE("References move to another column, definitions stay") {
  QueryPlan plan = PlanOf("SELECT id, event_message FROM `postgres.logs` WHERE id = 'a'");
  const ColumnId id = plan.root->columns[0].id, message = plan.root->columns[1].id;
  RenameReferences(*plan.root, {{id, message}});
  CHECK(plan.root->columns[0].id == message);
  CHECK(DefinedColumns(*plan.root).contains(id));
  CHECK(ReferencedColumns(*plan.root) == ColumnSet{message});
}

TEST_CASE("A plan that is too deep is refused, and one at the limit is not") {
  const auto chain = [](int depth) {
    PlanPtr plan = std::make_unique<SingleRow>();
    for (int i = 1; i < depth; ++i) plan = std::make_unique<Limit>(std::move(plan), nullptr, nullptr);
    return plan;
  };
  CHECK(CheckDepth(*chain(kMaxPlanDepth)).ok());
  CHECK(CheckDepth(*chain(kMaxPlanDepth + 1)).code() == absl::StatusCode::kInvalidArgument);
}

}  // namespace
}  // namespace logquery::rewrite
