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
#include "lib/endpoint/compiled_endpoint.h"
#include "lib/endpoint/plan_cache.h"
#include "lib/rewrite/evaluate.h"
#include "logquery/endpoint_registry.h"
#include "logquery/parameter_binder.h"

namespace logquery::endpoint {

inline constexpr size_t kMaxCachedTexts = 1'000;

// What holds together: plans borrow from the registry's catalog, so they are let go with it.
struct Snapshot {
  Snapshot(std::shared_ptr<const EndpointRegistry> r, uint64_t n, uint64_t catalog)
      : registry(std::move(r)), revision(n), catalog_version(catalog) {}
  std::shared_ptr<const EndpointRegistry> registry;
  const uint64_t revision;         // of the definitions and the schema
  const uint64_t catalog_version;  // the backend's, before its catalog was read
  PlanCache callers_sql{kMaxCachedTexts};
};

struct BoundCall {
  std::shared_ptr<Snapshot> snapshot;  // keeps what the rest borrows
  const CompiledEndpoint* compiled = nullptr;
  CallSpec spec;
  BoundParameters bound;
  absl::Duration bound_at;  // as Clock::Monotonic
  CallGate::Pass pass;      // of a caller's; what is made in the background has none

  // Whether the call may not be told that its page ended with the row of that id. Where redaction is mandated it could not
  // go on from there either.
  bool HidesPages(const std::string& id) const {
    return spec.redact_mandated || (spec.redact && compiled->redactor().Matches(id));
  }
};

// What a query of the call is planned with.
rewrite::ParameterValues ValuesOf(const BoundCall& call);

}  // namespace logquery::endpoint

#endif  // LOGQUERY_LIB_ENDPOINT_BOUND_CALL_H_
