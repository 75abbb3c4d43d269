// The log's record of a call: the SQL's digest, parameters where that is wished, and an error without what the caller sent.
#ifndef LOGQUERY_SHIM_HTTP_CALLS_CALL_RECORD_H_
#define LOGQUERY_SHIM_HTTP_CALLS_CALL_RECORD_H_

#include <string>

#include "absl/status/status.h"
#include "logquery/endpoint.h"
#include "logquery/http_observer.h"
#include "logquery/query_service.h"

namespace logquery::shim {

// Sets in `record` what the log has of a call's parameters.
void RecordQuery(const QueryRequest& query, bool log_parameters, HttpRequestRecord& record);

// Returns what the log says of a failed call, after RecordQuery.
std::string LoggedError(const absl::Status& status, const Endpoint& endpoint, const HttpRequestRecord& record);

}  // namespace logquery::shim

#endif  // LOGQUERY_SHIM_HTTP_CALLS_CALL_RECORD_H_
