// A table of the statuses that our servers answer.
#include "lib/base/http_status.h"

namespace logquery::base {

std::string_view ReasonPhrase(int status) {
  constexpr struct {
    int status;
    std::string_view reason;
  } kReasons[] = {{200, "OK"},
                  {202, "Accepted"},
                  {204, "No Content"},
                  {304, "Not Modified"},
                  {400, "Bad Request"},
                  {401, "Unauthorized"},
                  {403, "Forbidden"},
                  {404, "Not Found"},
                  {405, "Method Not Allowed"},
                  {406, "Not Acceptable"},
                  {408, "Request Timeout"},
                  {409, "Conflict"},
                  {412, "Precondition Failed"},
                  {413, "Content Too Large"},
                  {414, "URI Too Long"},
                  {415, "Unsupported Media Type"},
                  {421, "Misdirected Request"},
                  {429, "Too Many Requests"},
                  {431, "Request Header Fields Too Large"},
                  {501, "Not Implemented"},
                  {503, "Service Unavailable"},
                  {504, "Gateway Timeout"},
                  {505, "HTTP Version Not Supported"}};
  for (const auto& known : kReasons) {
    if (known.status == status) return known.reason;
  }
  return status >= 500 ? "Internal Server Error" : "";
}

}  // namespace logquery::base
