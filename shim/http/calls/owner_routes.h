// The actions that the folder's owner can request from its server through the socket in the folder: the routes for
// Audience::kOwner (route_table.h).
//
// No token is required, so these routes must not be reachable from elsewhere. Errors are reported in full, including
// internal ones. Thread-safe.
#ifndef LOGQUERY_SHIM_HTTP_CALLS_OWNER_ROUTES_H_
#define LOGQUERY_SHIM_HTTP_CALLS_OWNER_ROUTES_H_

#include <string>
#include <utility>

#include "logquery/cancellation.h"
#include "shim/http/calls/folder_actions.h"
#include "shim/http/transport/http_message.h"
#include "shim/observe/request_log.h"

namespace logquery::shim {

class OwnerRoutes {
 public:
  // An empty action is not available.
  explicit OwnerRoutes(FolderActions actions) : actions_(std::move(actions)) {}

  // Returns whether any action is available.
  bool any() const { return actions_.stats || actions_.backup || actions_.check || actions_.erase; }

  HttpResponse Stats(RequestRecord& record) const;
  // The request's body is {"target":"/an/absolute/path"}.
  HttpResponse BackUp(const HttpRequest& request, RequestRecord& record) const;
  // The request's body is {"read_rows":false} or true.
  HttpResponse Check(const HttpRequest& request, RequestRecord& record) const;
  // The body is {"project":"REF","dry_run":false} or true.
  HttpResponse Erase(const HttpRequest& request, RequestRecord& record) const;
  // Cancels long actions.
  void CancelAll() { stopping_.Cancel(); }

 private:
  const FolderActions actions_;
  CancellationSource stopping_;
};

}  // namespace logquery::shim

#endif  // LOGQUERY_SHIM_HTTP_CALLS_OWNER_ROUTES_H_
