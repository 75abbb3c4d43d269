// Expressions on parameters only are evaluated once per call and bound. TIMESTAMP_SUB(@now, INTERVAL 1 DAY) is bound as
// a TIMESTAMP, which prunes row groups like a literal, and generate_timestamp_trunc_array as its array.
#include "lib/base/status_macros.h"
#include "lib/rewrite/passes/pass.h"
#include "lib/rewrite/plan_walk.h"
#include "lib/rewrite/scalar_equal.h"
#include "lib/rewrite/scalars.h"

namespace logquery::rewrite {
namespace {

bool ReadsParameter(const Scalar& scalar) {
  bool parameter = false;
  VisitScalars(scalar, [&](const Scalar& part) { parameter = parameter || part.kind == ScalarKind::kParameter; });
  return parameter;
}

bool IsGenerator(const Scalar& scalar) { return IsCallOf(scalar, "GENERATE_TIMESTAMP_TRUNC_ARRAY"); }

// Deriving fails where evaluating does, also in a branch that no row takes: what may fail stays in such places.
bool IsLazy(const Scalar& scalar) {
  const FunctionCall* call = If<FunctionCall>(&scalar);
  return scalar.kind == ScalarKind::kCase || IsCallOf(scalar, "IF") || IsCallOf(scalar, "COALESCE") ||
         IsCallOf(scalar, "IFNULL") || (call != nullptr && call->safe);
}

void Derive(ScalarPtr& scalar, QueryPlan& query) {
  sql::Span span = scalar->span;
  Type type = scalar->type;
  for (const DerivedParameter& derived : query.derived) {
    if (!Equal(*derived.value, *scalar)) continue;
    scalar = std::make_unique<ParameterRef>(derived.name, type);
    scalar->span = span;
    return;
  }
  std::string name = base::StrCat("@derived_", query.derived.size() + 1);
  query.derived.push_back({name, std::move(scalar)});
  scalar = std::make_unique<ParameterRef>(name, type);
  scalar->span = span;
}

void DeriveIn(ScalarPtr& scalar, QueryPlan& query, bool lazy);

void DeriveIn(Plan& plan, QueryPlan& query, bool lazy) {
  ForEachOwnScalar(plan, [&](ScalarPtr& scalar) {
    if (scalar != nullptr) DeriveIn(scalar, query, lazy);
  });
  ForEachInput(plan, [&](PlanPtr& input) { DeriveIn(*input, query, lazy); });
}

void DeriveIn(ScalarPtr& scalar, QueryPlan& query, bool lazy) {
  bool simple = scalar->kind == ScalarKind::kConstant || scalar->kind == ScalarKind::kParameter;
  if (simple) return;
  bool wanted = IsGenerator(*scalar) || (!lazy && ReadsParameter(*scalar));
  if (wanted && CanEvaluate(*scalar)) return Derive(scalar, query);
  bool below = lazy || IsLazy(*scalar);
  ForEachChild(*scalar, [&](const ChildSlot& child) {
    if (child.scalar != nullptr) DeriveIn(*child.scalar, query, below);
    if (child.plan != nullptr) DeriveIn(**child.plan, query, below);
  });
}

}  // namespace

absl::Status BindComputed(const PassContext&, QueryPlan& query) {
  DeriveIn(*query.root, query, false);
  return absl::OkStatus();
}

}  // namespace logquery::rewrite
