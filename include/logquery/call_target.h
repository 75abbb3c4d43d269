// Who calls which endpoint: authenticated once and found once, and handed to whatever else the call needs.
//
//     LOGQUERY_ASSIGN_OR_RETURN(Principal principal, service->Authenticate(token));
//     LOGQUERY_ASSIGN_OR_RETURN(CallTarget target, service->Find(principal, "logs.all"));
//     target.definition->FindParameter("format");                     // the definition that the call will run
//     service->Run(target, request);
//
// It keeps the definitions that it was found in: a call that is on its way does not notice that others take their place.
#ifndef LOGQUERY_CALL_TARGET_H_
#define LOGQUERY_CALL_TARGET_H_

#include <memory>

#include "logquery/authenticator.h"
#include "logquery/endpoint.h"

namespace logquery {

namespace endpoint {
struct FoundEndpoint;  // lib/endpoint/bound_call.h
}

struct CallTarget {
  Principal principal;
  std::shared_ptr<const Endpoint> definition;
  // The plans behind the definition: for the service that found it, and for no other.
  std::shared_ptr<const endpoint::FoundEndpoint> found;

  // Whether rows and errors are redacted although the call does not ask for it.
  bool MandatesRedaction() const { return principal.redact_pii || definition->redact_pii; }
};

}  // namespace logquery

#endif  // LOGQUERY_CALL_TARGET_H_
