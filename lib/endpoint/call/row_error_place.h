// Locates row errors in a caller's SQL: an engine reports a division by zero, but not which division.
#ifndef LOGQUERY_LIB_ENDPOINT_CALL_ROW_ERROR_PLACE_H_
#define LOGQUERY_LIB_ENDPOINT_CALL_ROW_ERROR_PLACE_H_

#include "absl/status/status.h"
#include "lib/endpoint/call/query_planner.h"

namespace logquery::endpoint {

// Returns `status` with line, column and snippet if only one expression of the query can raise this error. Otherwise
// returns it unchanged; also if there is no caller's text, its code is neither InvalidArgument nor OutOfRange, or it
// already has a place.
absl::Status PlaceRowError(const ResolvedQuery& resolved, absl::Status status);

}  // namespace logquery::endpoint

#endif  // LOGQUERY_LIB_ENDPOINT_CALL_ROW_ERROR_PLACE_H_
