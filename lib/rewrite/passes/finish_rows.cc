// Takes texts out of the result's rows that the code which receives them can compute: `f(column, constants)`, where f is one of our
// own functions, raises no error, and makes short texts. The engine returns the column itself.
//
// The rows of `SELECT f(x) FROM (… ORDER BY y LIMIT 100)` need a query around the limited one, with the order once more. Without f,
// that is one query, and a query for the newest rows is written as such.
#include <algorithm>
#include <cstdint>
#include <utility>

#include "lib/rewrite/passes/may_raise.h"
#include "lib/rewrite/passes/pass.h"
#include "lib/rewrite/plan_walk.h"

namespace logquery::rewrite {
namespace {

// One thread computes the texts; many more rows are better computed by the engine's threads.
constexpr int64_t kMaxRows = 10'001;

bool HasFewRows(const Limit& limit) {
  const Constant* count = If<Constant>(limit.limit.get());
  return count != nullptr && !count->value.is_null() && count->value.int64_value() <= kMaxRows;
}

// The projection that makes the result's columns, below the limits; nullptr: there is none, or it has many rows.
Project* LastProject(Plan& root) {
  Plan* node = &root;
  Project* last = nullptr;
  while (true) {
    if (node->kind == PlanKind::kLimit) {
      if (HasFewRows(As<Limit>(*node))) return last != nullptr ? last : If<Project>(As<Limit>(*node).input.get());
      node = As<Limit>(*node).input.get();
    } else if (node->kind == PlanKind::kProject) {
      if (last == nullptr) last = &As<Project>(*node);
      node = As<Project>(*node).input.get();
    } else if (node->kind == PlanKind::kWith && last == nullptr) {
      node = As<With>(*node).body.get();
    } else {
      return nullptr;
    }
  }
}

// A value that takes as little memory in every row: the engine's limit does not count the texts.
bool HasFixedSize(const Type& type) {
  if (type.is_array() || type.is_struct() || type.is_record()) return false;
  return !type.is(TypeKind::kString) && !type.is(TypeKind::kBytes) && !type.is(TypeKind::kJson);
}

// Returns the column that the call makes a text of; nullptr: the value is something else.
const ColumnRef* ColumnOfText(const Scalar& value) {
  const FunctionCall* call = If<FunctionCall>(&value);
  if (call == nullptr || call->overload->own == nullptr || call->overload->own->is_volatile ||
      !value.type.is(TypeKind::kString) || call->arguments.empty() || MayRaise(value)) {
    return nullptr;
  }
  const auto is_constant = [](const ScalarPtr& argument) { return argument->kind == ScalarKind::kConstant; };
  if (!std::all_of(call->arguments.begin() + 1, call->arguments.end(), is_constant)) return nullptr;
  return HasFixedSize(call->arguments[0]->type) ? If<ColumnRef>(call->arguments[0].get()) : nullptr;
}

const PlanColumn* Find(const Plan& plan, ColumnId id) {
  const auto found =
      std::find_if(plan.columns.begin(), plan.columns.end(), [&](const PlanColumn& column) { return column.id == id; });
  return found == plan.columns.end() ? nullptr : &*found;
}

}  // namespace

absl::Status FinishRows(const PassContext& context, QueryPlan& query) {
  Project* const project = context.finishes_rows ? LastProject(*query.root) : nullptr;
  if (project == nullptr) return absl::OkStatus();
  const std::vector<PlanColumn> shown = project->columns;
  for (size_t i = 0; i < shown.size(); ++i) {
    const auto computed = std::find_if(project->computed.begin(), project->computed.end(),
                                       [&](const Computed& each) { return each.column.id == shown[i].id; });
    const ColumnRef* const read = computed != project->computed.end() ? ColumnOfText(*computed->value) : nullptr;
    // A column of an enclosing query is not the input's.
    const PlanColumn* const column = read != nullptr ? Find(*project->input, read->id) : nullptr;
    if (column == nullptr) continue;
    project->columns[i] = *column;
    query.finished.push_back({i, query.schema[i].type, Clone(*computed->value)});
    query.schema[i].type = column->type;
  }
  const auto is_left_out = [&](const Computed& each) { return Find(*project, each.column.id) == nullptr; };
  project->computed.erase(std::remove_if(project->computed.begin(), project->computed.end(), is_left_out),
                          project->computed.end());
  RefreshColumns(*query.root);
  return absl::OkStatus();
}

}  // namespace logquery::rewrite
