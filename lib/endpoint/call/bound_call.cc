// Finds endpoints that could not be planned, and collects the parameter values that a call's query is planned with.
#include "lib/endpoint/call/bound_call.h"

#include "lib/base/strings.h"
#include "lib/endpoint/call/query_planner.h"
#include "lib/rewrite/resolve/resolver.h"
#include "logquery/value.h"

namespace logquery::endpoint {

const UnplannedEndpoint* Snapshot::FindUnplanned(std::string_view name_or_id) const {
  for (const UnplannedEndpoint& endpoint : unplanned) {
    const bool is_it =
        endpoint.definition.name == name_or_id || base::EqualsIgnoreCase(endpoint.definition.id, name_or_id);
    if (is_it) return &endpoint;
  }
  return nullptr;
}

rewrite::ParameterValues ValuesOf(const BoundCall& call) {
  rewrite::ParameterValues values;
  for (const auto& [name, value] : call.bound.values()) values.insert_or_assign(name, value);
  values.insert_or_assign(rewrite::kNowParameter, Value::Timestamp(call.bound.now()));
  if (call.spec.project_scope) values.insert_or_assign(kScopeParameter, Value::String(*call.spec.project_scope));
  if (call.spec.cursor) {
    values.insert_or_assign(rewrite::kCursorTimeParameter, Value::Timestamp(call.spec.cursor->time));
    values.insert_or_assign(rewrite::kCursorIdParameter, Value::String(call.spec.cursor->id));
  }
  return values;
}

}  // namespace logquery::endpoint
