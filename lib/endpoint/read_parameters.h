// Parameters of an endpoint whose rows another one reads: how they are passed on.
#ifndef LOGQUERY_LIB_ENDPOINT_READ_PARAMETERS_H_
#define LOGQUERY_LIB_ENDPOINT_READ_PARAMETERS_H_

#include "absl/status/status.h"
#include "logquery/endpoint.h"

namespace logquery::endpoint {

// Gives `definition` the parameters of `read` that it does not declare. One that both declare has to be one that `read` can work
// with: of the same type, required or with a default where `read` counts on that, no more texts allowed than there.
// InvalidArgument: it is not, with what would be right.
absl::Status TakeParameters(const Endpoint& read, Endpoint& definition);

}  // namespace logquery::endpoint

#endif  // LOGQUERY_LIB_ENDPOINT_READ_PARAMETERS_H_
