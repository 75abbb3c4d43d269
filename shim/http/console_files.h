// The console's files as answers: each with its type and, for scripts and styles, the digest by which browsers ask whether it
// changed; packed for browsers that take gzip.
#ifndef LOGQUERY_SHIM_HTTP_CONSOLE_FILES_H_
#define LOGQUERY_SHIM_HTTP_CONSOLE_FILES_H_

#include <optional>

#include "shim/http/http_message.h"

namespace logquery::shim {

// Nothing: there is no such file at the request's path.
std::optional<HttpResponse> ConsoleFile(const HttpRequest& request);

}  // namespace logquery::shim

#endif  // LOGQUERY_SHIM_HTTP_CONSOLE_FILES_H_
