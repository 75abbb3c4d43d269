// Requests as text, for tests that write them to a socket.
#ifndef LOGQUERY_TESTS_SHIM_HTTP_REQUESTS_H_
#define LOGQUERY_TESTS_SHIM_HTTP_REQUESTS_H_

#include <string>

#include "lib/base/strings.h"

namespace logquery::shim::http_tests {

inline constexpr char kCall[] = "/api/endpoints/query/logs.all";
inline constexpr char kHead[] = "GET /api/endpoints/query/logs.all HTTP/1.1\r\nHost: t\r\nX-API-KEY: good\r\n";

inline std::string Post(std::string_view body, std::string_view headers = "") {
  return base::StrCat("POST ", kCall, " HTTP/1.1\r\nHost: t\r\nX-API-KEY: good\r\nContent-Length: ", body.size(),
                      "\r\n", headers, "\r\n", body);
}

}  // namespace logquery::shim::http_tests

#endif  // LOGQUERY_TESTS_SHIM_HTTP_REQUESTS_H_
