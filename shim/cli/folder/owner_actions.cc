// Reads the bodies of the owner's requests.
#include "shim/cli/folder/owner_actions.h"

#include <filesystem>
#include <string>
#include <string_view>
#include <utility>

#include "lib/base/json.h"
#include "lib/base/json/value.h"
#include "lib/base/status_macros.h"

namespace logquery::shim {
namespace {

using base::Json;

absl::StatusOr<std::string> TargetIn(std::string_view body) {
  const absl::StatusOr<Json> json = base::ParseJson("the request's body", body);
  if (!json.ok()) return json.status();
  const auto target = json->is_object() ? json->find("target") : json->end();
  if (target == json->end() || !target->is_string() ||
      !std::filesystem::path(target->get<std::string>()).is_absolute()) {
    return absl::InvalidArgumentError("a backup wants {\"target\":\"/an/absolute/path\"}");
  }
  return target->get<std::string>();
}

absl::StatusOr<bool> ReadRowsIn(std::string_view body) {
  LOGQUERY_ASSIGN_OR_RETURN(const Json json, base::ParseJson("the request's body", body));
  const auto read_rows = json.is_object() ? json.find("read_rows") : json.end();
  if (read_rows == json.end() || !read_rows->is_boolean()) {
    return absl::InvalidArgumentError("a check wants {\"read_rows\":false} or true");
  }
  return read_rows->get<bool>();
}

absl::StatusOr<ProjectToErase> ErasedIn(std::string_view body) {
  LOGQUERY_ASSIGN_OR_RETURN(const Json json, base::ParseJson("the request's body", body));
  const auto project = json.is_object() ? json.find("project") : json.end();
  const auto dry_run = json.is_object() ? json.find("dry_run") : json.end();
  if (project == json.end() || dry_run == json.end() || !project->is_string() || !dry_run->is_boolean()) {
    return absl::InvalidArgumentError(R"(erasing wants {"project":"REF","dry_run":false} or true)");
  }
  return ProjectToErase{project->get<std::string>(), dry_run->get<bool>()};
}

}  // namespace

std::vector<HttpAction> OwnerActions(const FolderActions& actions) {
  std::vector<HttpAction> routes;
  if (actions.stats) {
    routes.push_back({"/stats", false, [stats = actions.stats](const HttpActionCall&) { return stats(); }});
  }
  if (actions.backup) {
    routes.push_back(
        {"/backup", true, [backup = actions.backup](const HttpActionCall& call) -> absl::StatusOr<std::string> {
           LOGQUERY_ASSIGN_OR_RETURN(const std::string target, TargetIn(call.body));
           return backup(target, [&] { return call.stopping.IsCancelled() || call.client_left(); });
         }});
  }
  if (actions.check) {
    routes.push_back(
        {"/check", true, [check = actions.check](const HttpActionCall& call) -> absl::StatusOr<std::string> {
           LOGQUERY_ASSIGN_OR_RETURN(const bool read_rows, ReadRowsIn(call.body));
           return check(read_rows);
         }});
  }
  if (actions.erase) {
    routes.push_back(
        {"/erase", true, [erase = actions.erase](const HttpActionCall& call) -> absl::StatusOr<std::string> {
           LOGQUERY_ASSIGN_OR_RETURN(ProjectToErase erased, ErasedIn(call.body));
           // The erasure goes on when the command that asked for it ends: half of it would be of no use.
           erased.cancellation = call.stopping;
           return erase(erased);
         }});
  }
  return routes;
}

}  // namespace logquery::shim
