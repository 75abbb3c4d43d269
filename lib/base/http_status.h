// The words of HTTP's status lines (RFC 9110, section 15). Clients ignore them; people read them.
#ifndef LOGQUERY_LIB_BASE_HTTP_STATUS_H_
#define LOGQUERY_LIB_BASE_HTTP_STATUS_H_

#include <string_view>

namespace logquery::base {

// Returns "Not Found" for 404. A status of 500 or more that is not known is an internal server error; any other one has no words.
std::string_view ReasonPhrase(int status);

}  // namespace logquery::base

#endif  // LOGQUERY_LIB_BASE_HTTP_STATUS_H_
