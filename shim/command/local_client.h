// Asks the server that holds a data folder, through the socket that it has there: the routes of HTTP, without a token, for
// the folder's owner alone.
#ifndef LOGQUERY_SHIM_COMMAND_LOCAL_CLIENT_H_
#define LOGQUERY_SHIM_COMMAND_LOCAL_CLIENT_H_

#include <optional>
#include <string>

#include "absl/status/statusor.h"
#include "shim/http/http_message.h"

namespace logquery::shim {

// Where a server of `data_folder` listens.
std::string SocketIn(const std::string& data_folder);

// Whether one does.
bool HasServer(const std::string& data_folder);

// Sends the request, whose query string is not used, and waits for the whole answer.
// NotFound: no server listens there. PermissionDenied. Unavailable: the server went before its answer was whole.
absl::StatusOr<HttpResponse> AskServer(const std::string& data_folder, const HttpRequest& request);

// The body of the answer to what owner_routes.h has, or the error that it is. nullopt: no server listens there.
std::optional<absl::StatusOr<std::string>> AskOwner(const std::string& data_folder, const HttpRequest& request);

}  // namespace logquery::shim

#endif  // LOGQUERY_SHIM_COMMAND_LOCAL_CLIENT_H_
