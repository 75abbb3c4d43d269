// A principal and the endpoint that it calls: authenticated and looked up once, then used by every step of the call.
//
//     absl::StatusOr<Principal> principal = service->Authenticate(token);
//     absl::StatusOr<CallTarget> target = service->Find(*principal, "logs.all");  // after a check of the principal
//     target->definition->FindParameter("format");                    // the definition that the call will run
//     service->Run(*target, request);
//
// Keeps its definition and plans alive: a call that is under way is not affected when definitions are replaced.
#ifndef LOGQUERY_CALL_TARGET_H_
#define LOGQUERY_CALL_TARGET_H_

#include <memory>

#include "logquery/authenticator.h"
#include "logquery/endpoint.h"

namespace logquery {

struct CallTarget {
  struct Plans;  // internal to the library

  Principal principal;
  std::shared_ptr<const Endpoint> definition;
  // The plans behind the definition. Valid only for the service that found it.
  std::shared_ptr<const Plans> found;

  // Returns whether rows and errors are redacted even if the call does not ask for it.
  bool MandatesRedaction() const { return principal.redact_pii || definition->redact_pii; }
};

}  // namespace logquery

#endif  // LOGQUERY_CALL_TARGET_H_
