// The routes by which the folder's owner requests actions from its server, through the socket in the folder: GET /stats, and
// POST /backup, /check and /erase.
#ifndef LOGQUERY_SHIM_CLI_FOLDER_OWNER_ACTIONS_H_
#define LOGQUERY_SHIM_CLI_FOLDER_OWNER_ACTIONS_H_

#include <vector>

#include "logquery/http_server.h"
#include "shim/cli/folder/folder_actions.h"

namespace logquery::shim {

// Returns a route for each action that is available. Bodies: {"target":"/an/absolute/path"} for /backup, {"read_rows":false} or
// true for /check, {"project":"REF","dry_run":false} or true for /erase; InvalidArgument: the body is another one.
std::vector<HttpAction> OwnerActions(const FolderActions& actions);

}  // namespace logquery::shim

#endif  // LOGQUERY_SHIM_CLI_FOLDER_OWNER_ACTIONS_H_
