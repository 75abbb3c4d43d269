// Runs an emitter on a plan: finds the needed columns, writes the root's SELECT, and drops unused slots.
#include "lib/emit/emitter.h"

#include <utility>

#include "lib/base/status_macros.h"
#include "lib/emit/bind_variables.h"
#include "lib/emit/dialects.h"
#include "lib/emit/emitter_impl.h"

namespace logquery::emit {
namespace {

using rewrite::If;
using rewrite::PlanColumn;

// Columns that something refers to, or that are given by place.
rewrite::ColumnSet NeededColumns(const rewrite::Plan& root) {
  rewrite::ColumnSet needed = rewrite::ReferencedColumns(root);
  auto add = [&](const rewrite::Plan& plan) {
    for (const PlanColumn& column : plan.columns) needed.insert(column.id);
  };
  add(root);
  rewrite::VisitPlans(root, [&](const rewrite::Plan& plan) {
    if (const auto* with = If<rewrite::With>(&plan)) {
      for (const rewrite::WithEntry& entry : with->entries) add(*entry.plan);
    }
    if (const auto* operation = If<rewrite::SetOperationPlan>(&plan)) {
      for (const rewrite::PlanPtr& input : operation->inputs) add(*input);
    }
  });
  rewrite::VisitScalars(root, [&](const rewrite::Scalar& scalar) {
    const auto* subquery = If<rewrite::SubqueryScalar>(&scalar);
    if (subquery != nullptr && subquery->form != rewrite::SubqueryScalar::Form::kExists) add(*subquery->plan);
  });
  return needed;
}

}  // namespace

Emitter::Emitter(const rewrite::QueryPlan& plan, const SqlDialect& dialect)
    : plan_(plan), dialect_(dialect), needed_(NeededColumns(*plan.root)) {
  rewrite::VisitPlans(*plan.root, [&](const rewrite::Plan& node) {
    if (const auto* scan = If<rewrite::CteScan>(&node)) ++entries_[scan->cte].reads;
    if (const auto* scan = If<rewrite::TableScan>(&node)) {
      taken_.insert(scan->table->name);
      taken_.insert(scan->table->storage_name);
    }
  });
}

absl::StatusOr<EmittedQuery> Emitter::Emit() {
  LOGQUERY_ASSIGN_OR_RETURN(Select select, Build(*plan_.root, true));
  EmittedQuery query;
  if (plan_.newest && FindRowsFirst(select)) {
    LOGQUERY_ASSIGN_OR_RETURN(query.packed, WithPackedRecords(select, plan_.root->columns));
  }
  query.text = Exactly(std::move(select), plan_.root->columns, AliasesOf(plan_.root->columns));
  LOGQUERY_RETURN_IF_ERROR(broken_);
  query.slots = std::move(slots_);
  if (dialect_.NumbersVariables()) DropUnusedSlots(query);
  return query;
}

absl::StatusOr<EmittedQuery> Emit(const rewrite::QueryPlan& plan, Dialect dialect, sql::Span* failed) {
  const SqlDialect* const sql = SqlOf(dialect);
  if (sql == nullptr) return absl::InternalError("queries are asked for in a dialect that this build has not");
  return Emit(plan, *sql, failed);
}

absl::StatusOr<EmittedQuery> Emit(const rewrite::QueryPlan& plan, const SqlDialect& dialect, sql::Span* failed) {
  LOGQUERY_RETURN_IF_ERROR(rewrite::CheckDepth(*plan.root));
  Emitter emitter(plan, dialect);
  absl::StatusOr<EmittedQuery> query = emitter.Emit();
  if (!query.ok() && failed != nullptr && emitter.failed().has_value()) *failed = *emitter.failed();
  return query;
}

}  // namespace logquery::emit
