// Passes the parameters of an endpoint on to the endpoint that reads its rows.
#ifndef LOGQUERY_LIB_ENDPOINT_DEFINITIONS_READ_PARAMETERS_H_
#define LOGQUERY_LIB_ENDPOINT_DEFINITIONS_READ_PARAMETERS_H_

#include "absl/status/status.h"
#include "logquery/endpoint.h"

namespace logquery::endpoint {

// Adds the parameters of `read` that `definition` does not declare. A parameter that both declare must be compatible:
// it has the same type, is required or has a default if `read` relies on that, and allows no texts that `read` does
// not. InvalidArgument: it is not; the message says what would be valid.
absl::Status TakeParameters(const Endpoint& read, Endpoint& definition);

}  // namespace logquery::endpoint

#endif  // LOGQUERY_LIB_ENDPOINT_DEFINITIONS_READ_PARAMETERS_H_
