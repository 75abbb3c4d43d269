#include "tests/fuzz/differential/runner.h"

#include <utility>

#include "lib/base/status_macros.h"
#include "lib/base/strings.h"
#include "lib/emit/dialects.h"
#include "lib/endpoint/call/query_planner.h"
#include "lib/rewrite/passes/pass.h"
#include "lib/rewrite/plan_walk.h"
#include "lib/rewrite/resolve/resolver.h"
#include "lib/sql/parser.h"
#include "tests/fuzz/differential/comparison.h"

namespace logquery::fuzz {
namespace {

// 2026-03-04 05:06:07 UTC.
constexpr int64_t kNow = 1'772'600'767'000'000;

// The WITH entries that an endpoint for callers' SQL makes of its logs.
constexpr char kEndpointSql[] = R"(WITH
bounds AS (SELECT CASE WHEN @mode = 'a' THEN TIMESTAMP_SUB(CURRENT_TIMESTAMP(), INTERVAL 1 DAY) ELSE @since END AS first),
edge_logs AS (
  SELECT t.id, t.timestamp, t.event_message, t.project, t.status, t.score, t.tags, t.marks, t.metadata
  FROM bounds, edge_logs AS t
  WHERE COALESCE(@text, '') != 'nothing' AND (bounds.first IS NULL OR t.timestamp >= bounds.first)
  ORDER BY t.timestamp DESC, t.id
),
relay_logs AS (
  SELECT t.id, t.timestamp, t.event_message, t.project, t.status, t.cached, t.metadata
  FROM relay_logs AS t
  CROSS JOIN UNNEST(t.metadata) AS m
  WHERE CASE WHEN @mode = 'b' THEN m.level IS NOT NULL ELSE TRUE END
  ORDER BY t.timestamp DESC, t.id
)
SELECT id FROM edge_logs)";

std::vector<Parameter> DeclaredParameters() {
  std::vector<Parameter> parameters;
  for (const Field& field : std::vector<Field>{{"mode", Type::String()},
                                               {"text", Type::String()},
                                               {"n", Type::Int64()},
                                               {"x", Type::Float64()},
                                               {"flag", Type::Bool()},
                                               {"since", Type::Timestamp()},
                                               {"names", Type::Array(Type::String())}}) {
    Parameter parameter;
    parameter.name = field.name;
    parameter.type = field.type;
    parameters.push_back(std::move(parameter));
  }
  return parameters;
}

Endpoint DefinitionOf(const FuzzCall& call) {
  Endpoint definition;
  definition.id = "fuzz";
  definition.name = "fuzz";
  definition.query = call.sandboxed ? std::string(kEndpointSql) : call.query.sql;
  definition.max_rows = kMaxRows;
  definition.query_sandboxing = true;
  definition.private_ctes = {"bounds"};
  definition.parameters = DeclaredParameters();
  return definition;
}

rewrite::ParameterValues MakeValues(Choices& choices) {
  const auto maybe = [&](std::vector<Value> values) {
    return choices.Chance(20) ? Value::Null(values[0].type()) : choices.Of(values);
  };
  rewrite::ParameterValues values;
  values.emplace("mode", maybe({Value::String("a"), Value::String("b"), Value::String("c"), Value::String("")}));
  values.emplace("text", maybe({Value::String(""), Value::String("GET"), Value::String("12"), Value::String("/rest")}));
  values.emplace("n", maybe({Value::Int64(0), Value::Int64(2), Value::Int64(200), Value::Int64(-1)}));
  values.emplace("x", maybe({Value::Float64(0), Value::Float64(1.5), Value::Float64(-2)}));
  values.emplace("flag", maybe({Value::Bool(false), Value::Bool(true)}));
  values.emplace("since",
                 maybe({Value::TimestampMicros(kNow - 367'000'000), Value::TimestampMicros(kNow - 300'000'000)}));
  values.emplace("names", maybe({Value::Array(Type::String(), {Value::String("GET"), Value::String("a")}),
                                 Value::Array(Type::String(), {})}));
  values.emplace(rewrite::kNowParameter, Value::TimestampMicros(kNow));
  return values;
}

bool TooLarge(const absl::Status& status) {
  return absl::IsDeadlineExceeded(status) || absl::IsResourceExhausted(status);
}

}  // namespace

struct Runner::Way {
  std::string name;
  Storage* storage = nullptr;
  std::vector<std::string> without = {};
  bool folded = true;
  bool scoped = false;
  bool passes = true;
};

FuzzCall MakeCall(const Grammar& grammar, Choices& choices) {
  FuzzCall call;
  call.sandboxed = choices.Chance(50);
  call.values = MakeValues(choices);
  call.earlier_values = MakeValues(choices);
  call.query = QueryGenerator(grammar, choices).Make();
  return call;
}

std::string ValuesText(const rewrite::ParameterValues& values) {
  std::string text;
  for (const char* name : {"mode", "text", "n", "x", "flag", "since", "names"}) {
    base::StrAppend(&text, text.empty() ? "@" : ", @", name, " = ", values.at(name).DebugString());
  }
  return text;
}

namespace {

bool CanDerive(const rewrite::QueryPlan& plan, rewrite::ParameterValues values) {
  for (const rewrite::DerivedParameter& derived : plan.derived) {
    absl::StatusOr<Value> value = rewrite::Evaluate(*derived.value, values, nullptr);
    if (!value.ok()) return !absl::IsInvalidArgument(value.status());
    values.insert_or_assign(derived.name, *std::move(value));
  }
  return true;
}

}  // namespace

absl::Status Runner::LoadLogs(uint64_t seed) {
  Choices choices(seed);
  const FuzzLogs logs = MakeLogs(choices);
  LOGQUERY_ASSIGN_OR_RETURN(records_, Storage::Make(SchemaText(false), logs));
  LOGQUERY_ASSIGN_OR_RETURN(lists_, Storage::Make(SchemaText(true), AsLists(logs)));
  LOGQUERY_ASSIGN_OR_RETURN(own_, Storage::Make(SchemaText(false), OfProject(logs, kProjects[0])));
  return absl::OkStatus();
}

absl::StatusOr<rewrite::QueryPlan> Runner::Resolve(const FuzzCall& call, const Storage& storage) const {
  LOGQUERY_ASSIGN_OR_RETURN(const sql::QueryPtr query, sql::ParseQuery(call.query.sql, {}));
  rewrite::ResolveOptions options;
  options.catalog = &storage.catalog();
  for (const Parameter& parameter : DeclaredParameters())
    options.parameters.push_back({parameter.name, parameter.type});
  if (!call.sandboxed) return rewrite::Resolve(*query, call.query.sql, options);
  LOGQUERY_ASSIGN_OR_RETURN(const sql::QueryPtr endpoint, sql::ParseQuery(kEndpointSql, {}));
  return rewrite::ResolveSandboxed(*query, call.query.sql, {endpoint.get(), kEndpointSql, {"bounds"}}, options);
}

const absl::StatusOr<rewrite::QueryPlan>& Runner::Resolved(const FuzzCall& call, const Storage& storage) {
  const auto known = resolved_.find(&storage);
  return known != resolved_.end() ? known->second : resolved_.emplace(&storage, Resolve(call, storage)).first->second;
}

Outcome Runner::RunWay(const FuzzCall& call, const Way& way) {
  const absl::StatusOr<rewrite::QueryPlan>& resolved = Resolved(call, *way.storage);
  if (!resolved.ok()) return {resolved.status(), "", ""};
  rewrite::QueryPlan plan = rewrite::CopyPlan(*resolved);
  rewrite::ParameterValues values = call.values;
  const std::string scope = endpoint::kScopeParameter;
  rewrite::PassContext context;
  context.max_rows = kMaxRows;
  context.without = way.without;
  if (way.folded) context.values = &values;
  if (way.scoped) {
    values.insert_or_assign(scope, Value::String(kProjects[0]));
    context.project_scope_parameter = &scope;
  }
  absl::Status verified;
  context.observe = [&](std::string_view pass, const rewrite::QueryPlan& now) {
    const absl::Status status = rewrite::VerifyPlan(now);
    if (!status.ok()) verified.Update(absl::InternalError(base::StrCat("after ", pass, ": ", status.ToString())));
  };
  // The passes that the engine needs run in any case.
  const absl::Status done = rewrite::RunPasses(
      way.passes ? emit::PassesOf(Dialect::kDuckDb) : emit::SqlOf(Dialect::kDuckDb)->Passes(), context, plan);
  if (!done.ok()) return {done, "", ""};
  if (!verified.ok()) return {verified, "", ""};
  if (way.passes && !CanDerive(plan, values)) {
    // The planner does the same: it is an error only if a row gets there.
    Way underived = way;
    underived.without.emplace_back("bind_computed");
    return RunWay(call, underived);
  }
  return way.storage->Run(plan, values);
}

Outcome Runner::RunKept(const FuzzCall& call) {
  const Endpoint definition = DefinitionOf(call);
  const auto resolve = [&]() -> absl::StatusOr<std::shared_ptr<endpoint::ResolvedQuery>> {
    LOGQUERY_ASSIGN_OR_RETURN(const sql::QueryPtr query, endpoint::ParseDefinition(definition));
    if (!call.sandboxed) return endpoint::ResolveEndpoint(definition, *query, records_->catalog());
    return endpoint::ResolveCallerSql(call.query.sql, definition, *query, records_->catalog());
  };
  absl::StatusOr<std::shared_ptr<endpoint::ResolvedQuery>> resolved = resolve();
  if (!resolved.ok()) return {resolved.status(), "", ""};
  const endpoint::QueryPlanner planner(Dialect::kDuckDb, nullptr);
  planner.Plan(**resolved, call.earlier_values).IgnoreError();  // other parameters may be wrong for the query
  absl::StatusOr<endpoint::PlannedCall> planned = planner.Plan(**resolved, call.values);
  if (!planned.ok()) return {planned.status(), "", ""};
  return records_->Run(*planned->query, planned->bindings);
}

std::vector<Runner::Way> Runner::Ways() const {
  std::vector<Way> ways;
  std::vector<std::string> all;
  for (const rewrite::Pass& pass : emit::PassesOf(Dialect::kDuckDb)) all.emplace_back(pass.name);
  for (const std::string& name : all) ways.push_back({"without " + name, records_.get(), {name}});
  ways.push_back({"without passes", records_.get(), all});
  ways.push_back({"unfolded", records_.get(), {}, false});
  ways.push_back({"as resolved", records_.get(), {}, false, false, false});
  ways.push_back({"over lists", lists_.get()});
  ways.push_back({"over lists, as resolved", lists_.get(), {}, false, false, false});
  return ways;
}

std::string Runner::Compare(const FuzzCall& call, const Outcome& base, const std::string& name, const Outcome& other,
                            bool& too_large) const {
  if (TooLarge(other.status) || TooLarge(base.status)) {
    too_large = true;
    return "";
  }
  // A query that can't be spelled without a pass is refused without it.
  if (absl::IsUnimplemented(other.status)) return "";
  const std::string difference = Difference(base, other, call.query.ordered_by);
  if (difference.empty()) return "";
  return base::StrCat(name, ": ", difference, "\n  ", base.engine_text, "\n  ", other.engine_text);
}

Verdict Runner::Check(const FuzzCall& call) {
  Verdict verdict;
  for (Storage* storage : {records_.get(), lists_.get(), own_.get()}) storage->ForgetOutcomes();
  resolved_.clear();
  const absl::StatusOr<rewrite::QueryPlan>& resolved = Resolved(call, *records_);
  const Outcome base = RunWay(call, {"all", records_.get()});
  if (absl::IsInternal(base.status))
    verdict.difference = base::StrCat(base.status.ToString(), "\n  ", base.engine_text);
  verdict.refused = resolved.status();
  if (resolved.ok() && absl::IsUnimplemented(base.status)) verdict.refused = base.status;
  if (!verdict.refused.ok() || !verdict.difference.empty()) return verdict;
  verdict.too_large = TooLarge(base.status);
  if (verdict.too_large) return verdict;
  verdict.failed = !base.status.ok();
  for (const Way& way : Ways()) {
    verdict.difference = Compare(call, base, way.name, RunWay(call, way), verdict.too_large);
    if (!verdict.difference.empty()) return verdict;
  }
  verdict.difference = Compare(call, base, "by a kept plan", RunKept(call), verdict.too_large);
  if (!verdict.difference.empty()) return verdict;
  const Outcome scoped = RunWay(call, {"scoped", records_.get(), {}, true, true});
  verdict.difference = Compare(call, scoped, "the project's own rows, with all that is read scoped to it",
                               RunWay(call, {"own", own_.get()}), verdict.too_large);
  return verdict;
}

}  // namespace logquery::fuzz
