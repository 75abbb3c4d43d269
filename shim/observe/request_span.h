// The span of a request, made of what the log has of it.
#ifndef LOGQUERY_SHIM_OBSERVE_REQUEST_SPAN_H_
#define LOGQUERY_SHIM_OBSERVE_REQUEST_SPAN_H_

#include "shim/observe/request_log.h"
#include "shim/observe/span.h"

namespace logquery::shim {

// Returns the span's name, attributes and outcome; ids and times are left to the trace. Like the log, it has no tokens, no
// addresses and no parameters; it has no error text either.
Span RequestSpan(const RequestRecord& record);

}  // namespace logquery::shim

#endif  // LOGQUERY_SHIM_OBSERVE_REQUEST_SPAN_H_
