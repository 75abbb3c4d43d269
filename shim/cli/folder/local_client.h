// Sends requests to the server that holds a data folder, through its socket in that folder: HTTP routes for the
// folder's owner only, without a token.
#ifndef LOGQUERY_SHIM_CLI_FOLDER_LOCAL_CLIENT_H_
#define LOGQUERY_SHIM_CLI_FOLDER_LOCAL_CLIENT_H_

#include <optional>
#include <string>
#include <string_view>

#include "absl/status/statusor.h"
#include "shim/http/transport/http_message.h"

namespace logquery::shim {

// Returns the path of the socket of a server of `data_folder`.
std::string SocketIn(const std::string& data_folder);

// Returns whether a server listens there.
bool HasServer(const std::string& data_folder);

struct ServerResponse {
  int status = 0;
  HttpHeaders headers;
  std::string body;

  // Returns the first header with this name, compared case-insensitively; empty if there is none.
  std::string Header(std::string_view name) const;
};

// Sends the request, without its query string, and waits for the complete response. NotFound: no server listens there.
// PermissionDenied. Unavailable: the server ended before its response was complete.
absl::StatusOr<ServerResponse> AskServer(const std::string& data_folder, const HttpRequest& request);

// Returns the body of the response to a route of owner_actions.h, or its error. nullopt: no server listens there.
std::optional<absl::StatusOr<std::string>> AskOwner(const std::string& data_folder, const HttpRequest& request);

}  // namespace logquery::shim

#endif  // LOGQUERY_SHIM_CLI_FOLDER_LOCAL_CLIENT_H_
