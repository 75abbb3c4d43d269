// What the folder's owner may ask its server for, by the socket in the folder: the routes for Audience::kOwner (route_table.h).
//
// Nobody is asked for a token: not for the world. Errors say what they are, also internal ones. Thread-safe.
#ifndef LOGQUERY_SHIM_HTTP_OWNER_ROUTES_H_
#define LOGQUERY_SHIM_HTTP_OWNER_ROUTES_H_

#include <string>
#include <utility>

#include "logquery/cancellation.h"
#include "shim/command/folder.h"
#include "shim/http/http_message.h"
#include "shim/http/request_log.h"

namespace logquery::shim {

class OwnerRoutes {
 public:
  // What an action is empty for is not there.
  explicit OwnerRoutes(FolderActions actions) : actions_(std::move(actions)) {}

  // Whether there is anything that the owner may ask for.
  bool any() const { return actions_.stats || actions_.backup || actions_.check || actions_.erase; }

  HttpResponse Stats(RequestRecord& record) const;
  // The body is {"target":"/an/absolute/path"}.
  HttpResponse BackUp(const HttpRequest& request, RequestRecord& record) const;
  // The body is {"read_rows":false} or true.
  HttpResponse Check(const HttpRequest& request, RequestRecord& record) const;
  // The body is {"project":"REF","dry_run":false} or true.
  HttpResponse Erase(const HttpRequest& request, RequestRecord& record) const;
  // Stops what takes long.
  void CancelAll() { stopping_.Cancel(); }

 private:
  const FolderActions actions_;
  CancellationSource stopping_;
};

}  // namespace logquery::shim

#endif  // LOGQUERY_SHIM_HTTP_OWNER_ROUTES_H_
