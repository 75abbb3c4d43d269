// Where in a caller's SQL an error of a row comes from: an engine says that something was divided by zero, and not which division.
#ifndef LOGQUERY_LIB_ENDPOINT_ROW_ERROR_PLACE_H_
#define LOGQUERY_LIB_ENDPOINT_ROW_ERROR_PLACE_H_

#include "absl/status/status.h"
#include "lib/endpoint/query_planner.h"

namespace logquery::endpoint {

// `status` with line, column and snippet where it can only come from one place of the query's text: one expression alone raises
// such errors. Otherwise as it is, as it is without a caller's text, with another code than InvalidArgument and OutOfRange, and with a
// place already.
absl::Status PlaceRowError(const ResolvedQuery& resolved, absl::Status status);

}  // namespace logquery::endpoint

#endif  // LOGQUERY_LIB_ENDPOINT_ROW_ERROR_PLACE_H_
