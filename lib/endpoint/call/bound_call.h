// A call with its bound parameter values, and the definitions that it was bound against.
#ifndef LOGQUERY_LIB_ENDPOINT_CALL_BOUND_CALL_H_
#define LOGQUERY_LIB_ENDPOINT_CALL_BOUND_CALL_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/time/time.h"
#include "lib/endpoint/call/call.h"
#include "lib/endpoint/call/call_gate.h"
#include "lib/endpoint/call/plan_cache.h"
#include "lib/endpoint/definitions/compiled_query.h"
#include "lib/rewrite/evaluate.h"
#include "logquery/call_target.h"
#include "logquery/endpoint.h"
#include "logquery/endpoint_registry.h"
#include "logquery/parameter_binder.h"

namespace logquery::endpoint {

inline constexpr size_t kMaxCachedTexts = 1'000;

// A definition that is right, but can't be planned for the tables as they are.
struct UnplannedEndpoint {
  Endpoint definition;
  absl::Status reason;
};

// A registry with the plans that borrow from its catalog, kept together so that they are destroyed together.
struct Snapshot {
  Snapshot(std::shared_ptr<const EndpointRegistry> made, uint64_t catalog, std::string revision,
           std::shared_ptr<PlanCache> plans, std::vector<UnplannedEndpoint> not_planned = {})
      : registry(std::move(made)),
        unplanned(std::move(not_planned)),
        catalog_version(catalog),
        definitions(std::move(revision)),
        callers_sql(std::move(plans)) {}

  // Returns the definition with this name or id, if it could not be planned; otherwise nullptr.
  const UnplannedEndpoint* FindUnplanned(std::string_view name_or_id) const;

  const std::shared_ptr<const EndpointRegistry> registry;
  const std::vector<UnplannedEndpoint> unplanned;  // not in `registry`
  const uint64_t catalog_version;                  // the backend's version, read before its catalog
  const std::string definitions;                   // EndpointSet::revision
  const std::shared_ptr<PlanCache> callers_sql;
};

}  // namespace logquery::endpoint

namespace logquery {

struct CallTarget::Plans {
  std::shared_ptr<endpoint::Snapshot> snapshot;  // owns the endpoint
  const RegisteredEndpoint* endpoint = nullptr;
};

}  // namespace logquery

namespace logquery::endpoint {

using FoundEndpoint = CallTarget::Plans;

struct BoundCall {
  std::shared_ptr<const FoundEndpoint> found;
  CallSpec spec;
  BoundParameters bound;
  absl::Duration bound_at;  // as Clock::Monotonic
  CallGate::Pass pass;      // counts a caller's call; empty for background work
  bool background = false;

  const Endpoint& definition() const { return found->endpoint->definition(); }
  const Redactor& redactor() const { return found->endpoint->compiled().redactor; }
  ResolvedQuery& resolved() const { return *found->endpoint->compiled().resolved; }

  // Returns whether the answer must not contain a cursor made from a row with this id. Where redaction is mandated, the
  // next call could not use the cursor either.
  bool HidesPages(const std::string& id) const {
    return spec.redact_mandated || (spec.redact && redactor().Matches(id));
  }
};

// Returns the parameter values to plan the call's query with.
rewrite::ParameterValues ValuesOf(const BoundCall& call);

}  // namespace logquery::endpoint

#endif  // LOGQUERY_LIB_ENDPOINT_CALL_BOUND_CALL_H_
