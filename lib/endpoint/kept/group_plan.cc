// Adds the conditions of each query to copies of the plan's part, and writes them in the engine's dialect.
#include "lib/endpoint/kept/group_plan.h"

#include <utility>

#include "lib/base/status_macros.h"
#include "lib/emit/emitter.h"
#include "lib/endpoint/call/query_hints.h"
#include "lib/rewrite/passes/kept_shape.h"
#include "lib/rewrite/passes/new_rows.h"
#include "lib/rewrite/plan_walk.h"
#include "lib/rewrite/tables_read.h"

namespace logquery::endpoint {

GroupPlan::GroupPlan(rewrite::GroupParts parts, std::string endpoint_id, Dialect dialect, std::string place)
    : parts_(std::move(parts)), endpoint_id_(std::move(endpoint_id)), dialect_(dialect), place_(std::move(place)) {}

std::shared_ptr<const GroupPlan> GroupPlan::Find(const rewrite::QueryPlan& plan, const std::string& endpoint_id,
                                                 Dialect dialect, const std::string& place) {
  std::optional<rewrite::GroupParts> parts = rewrite::FindGroupParts(plan);
  if (!parts.has_value()) return nullptr;
  return std::shared_ptr<const GroupPlan>(new GroupPlan(*std::move(parts), endpoint_id, dialect, place));
}

absl::StatusOr<const GroupQueries*> GroupPlan::Queries() const {
  absl::call_once(once_, [this] { written_ = Write(); });
  LOGQUERY_RETURN_IF_ERROR(written_);
  return &queries_;
}

absl::Status GroupPlan::Write() const {
  rewrite::QueryPlan touched = rewrite::CopyPlan(parts_.groups);
  rewrite::OnlyPlaces(place_, parts_.time, touched);
  LOGQUERY_ASSIGN_OR_RETURN(queries_.touched, Prepare(touched));
  rewrite::QueryPlan stretch = rewrite::CopyPlan(parts_.groups);
  rewrite::OnlyStretch(place_, parts_.time, stretch);
  LOGQUERY_ASSIGN_OR_RETURN(queries_.stretch, Prepare(stretch));
  LOGQUERY_ASSIGN_OR_RETURN(queries_.rest, Prepare(parts_.rest));
  rewrite::QueryPlan tail = rewrite::CopyPlan(parts_.tail);
  rewrite::OnlyStretch(place_, parts_.tail_time, tail);
  LOGQUERY_ASSIGN_OR_RETURN(queries_.tail, Prepare(tail));
  queries_.kept = MakeKeptPlan(rewrite::FindKeptShape(parts_.groups), queries_.stretch->slots());
  if (!queries_.kept.keeps) return absl::FailedPreconditionError(queries_.kept.text);
  return absl::OkStatus();
}

absl::StatusOr<std::shared_ptr<const PreparedQuery>> GroupPlan::Prepare(const rewrite::QueryPlan& plan) const {
  LOGQUERY_ASSIGN_OR_RETURN(emit::EmittedQuery emitted, emit::Emit(plan, dialect_));
  PreparedQuery::Parts parts;
  parts.endpoint_id = endpoint_id_;
  parts.dialect_text = std::move(emitted.text);
  parts.slots = std::move(emitted.slots);
  parts.schema = plan.schema;
  parts.tables = rewrite::TablesRead(plan);
  parts.hints = HintsOf(plan, parts.slots);
  return std::make_shared<const PreparedQuery>(std::move(parts));
}

}  // namespace logquery::endpoint
