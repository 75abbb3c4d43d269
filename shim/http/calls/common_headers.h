// The headers that every response has.
#ifndef LOGQUERY_SHIM_HTTP_CALLS_COMMON_HEADERS_H_
#define LOGQUERY_SHIM_HTTP_CALLS_COMMON_HEADERS_H_

#include "shim/http/transport/http_message.h"

namespace logquery::shim {

// Adds the date, what a browser may do with the response, and, unless they are there, Cache-Control and Vary.
void AddCommonHeaders(HttpResponse& response);

}  // namespace logquery::shim

#endif  // LOGQUERY_SHIM_HTTP_CALLS_COMMON_HEADERS_H_
