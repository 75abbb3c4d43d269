// A call with the values of its moment, and what it was bound against.
#ifndef LOGQUERY_LIB_ENDPOINT_BOUND_CALL_H_
#define LOGQUERY_LIB_ENDPOINT_BOUND_CALL_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>

#include "absl/time/time.h"
#include "lib/endpoint/call.h"
#include "lib/endpoint/call_gate.h"
#include "lib/endpoint/compiled_query.h"
#include "lib/endpoint/plan_cache.h"
#include "lib/rewrite/evaluate.h"
#include "logquery/endpoint_registry.h"
#include "logquery/parameter_binder.h"

namespace logquery::endpoint {

inline constexpr size_t kMaxCachedTexts = 1'000;

// What holds together: plans borrow from the registry's catalog, so they are let go with it.
struct Snapshot {
  Snapshot(std::shared_ptr<const EndpointRegistry> made, uint64_t catalog, std::string revision,
           std::shared_ptr<PlanCache> plans)
      : registry(std::move(made)),
        catalog_version(catalog),
        definitions(std::move(revision)),
        callers_sql(std::move(plans)) {}
  const std::shared_ptr<const EndpointRegistry> registry;
  const uint64_t catalog_version;  // the backend's, before its catalog was read
  const std::string definitions;   // EndpointSet::revision
  const std::shared_ptr<PlanCache> callers_sql;
};

// What a CallTarget leads to.
struct FoundEndpoint {
  std::shared_ptr<Snapshot> snapshot;  // keeps the endpoint
  const RegisteredEndpoint* endpoint = nullptr;
};

struct BoundCall {
  std::shared_ptr<const FoundEndpoint> found;
  CallSpec spec;
  BoundParameters bound;
  absl::Duration bound_at;  // as Clock::Monotonic
  CallGate::Pass pass;      // of a caller's; what is made in the background has none
  bool background = false;

  const Endpoint& definition() const { return found->endpoint->definition(); }
  const Redactor& redactor() const { return found->endpoint->compiled().redactor; }
  ResolvedQuery& resolved() const { return *found->endpoint->compiled().resolved; }

  // Whether the call may not be told that its page ended with the row of that id. Where redaction is mandated it could not
  // go on from there either.
  bool HidesPages(const std::string& id) const {
    return spec.redact_mandated || (spec.redact && redactor().Matches(id));
  }
};

// What a query of the call is planned with.
rewrite::ParameterValues ValuesOf(const BoundCall& call);

}  // namespace logquery::endpoint

#endif  // LOGQUERY_LIB_ENDPOINT_BOUND_CALL_H_
