// Serves the console's files: each with its content type; scripts and styles with a digest for revalidation; compressed
// for browsers that accept gzip.
#ifndef LOGQUERY_SHIM_HTTP_ABOUT_CONSOLE_FILES_H_
#define LOGQUERY_SHIM_HTTP_ABOUT_CONSOLE_FILES_H_

#include <optional>

#include "shim/http/transport/http_message.h"

namespace logquery::shim {

// nullopt: there is no file at the request's path.
std::optional<HttpResponse> ConsoleFile(const HttpRequest& request);

}  // namespace logquery::shim

#endif  // LOGQUERY_SHIM_HTTP_ABOUT_CONSOLE_FILES_H_
