// What the folder's owner may ask its server for, by the socket in the folder, beside the routes of HTTP.
//
//     GET, HEAD  /stats
//     POST       /backup     {"target":"/an/absolute/path"}
//     POST       /check      {"read_rows":false}
//
// Nobody is asked for a token: not for the world. Errors say what they are, also internal ones. Thread-safe.
#ifndef LOGQUERY_SHIM_HTTP_OWNER_ROUTES_H_
#define LOGQUERY_SHIM_HTTP_OWNER_ROUTES_H_

#include <optional>
#include <string_view>

#include "logquery/cancellation.h"
#include "shim/command/folder.h"
#include "shim/http/http_message.h"
#include "shim/http/request_log.h"

namespace logquery::shim {

class OwnerRoutes {
 public:
  // What an action is empty for is not there.
  explicit OwnerRoutes(FolderActions actions) : actions_(std::move(actions)) {}

  // nullopt: it is no path of these.
  std::optional<HttpResponse> Handle(const HttpRequest& request, RequestRecord& record) const;
  // Whether requests to that path have a body.
  static bool TakesBody(std::string_view path);
  // Stops what takes long.
  void CancelAll() { stopping_.Cancel(); }

 private:
  absl::StatusOr<std::string> BackUp(const HttpRequest& request) const;
  absl::StatusOr<std::string> Check(const HttpRequest& request) const;

  const FolderActions actions_;
  CancellationSource stopping_;
};

}  // namespace logquery::shim

#endif  // LOGQUERY_SHIM_HTTP_OWNER_ROUTES_H_
