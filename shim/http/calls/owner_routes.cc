// Handles the folder owner's requests with the actions that the engine provides.
#include "shim/http/calls/owner_routes.h"

#include <filesystem>
#include <string>
#include <utility>

#include "lib/base/json.h"
#include "lib/base/status_macros.h"
#include "lib/base/strings.h"
#include "nlohmann/json.hpp"
#include "shim/http/calls/endpoint_call.h"

namespace logquery::shim {
namespace {

using Json = nlohmann::ordered_json;

HttpResponse Answer(const absl::StatusOr<std::string>& answer, RequestRecord& record) {
  if (!answer.ok()) {
    HttpResponse response = AnswerError(answer.status(), false, record);
    const Json error = {{"status", absl::StatusCodeToString(answer.status().code())},
                        {"message", std::string(base::Message(answer.status()))}};
    response.body = Json{{"error", error}}.dump(-1, ' ', false, Json::error_handler_t::replace);
    return response;
  }
  HttpResponse response;
  response.body = *answer;
  return response;
}

absl::StatusOr<std::string> TargetIn(const std::string& body) {
  const absl::StatusOr<Json> json = base::ParseJson("the request's body", body);
  if (!json.ok()) return json.status();
  const auto target = json->is_object() ? json->find("target") : json->end();
  if (target == json->end() || !target->is_string() ||
      !std::filesystem::path(target->get<std::string>()).is_absolute()) {
    return absl::InvalidArgumentError("a backup wants {\"target\":\"/an/absolute/path\"}");
  }
  return target->get<std::string>();
}

absl::StatusOr<bool> ReadRowsIn(const std::string& body) {
  LOGQUERY_ASSIGN_OR_RETURN(const Json json, base::ParseJson("the request's body", body));
  const auto read_rows = json.is_object() ? json.find("read_rows") : json.end();
  if (read_rows == json.end() || !read_rows->is_boolean()) {
    return absl::InvalidArgumentError("a check wants {\"read_rows\":false} or true");
  }
  return read_rows->get<bool>();
}

absl::StatusOr<ProjectToErase> ErasedIn(const std::string& body) {
  LOGQUERY_ASSIGN_OR_RETURN(const Json json, base::ParseJson("the request's body", body));
  const auto project = json.is_object() ? json.find("project") : json.end();
  const auto dry_run = json.is_object() ? json.find("dry_run") : json.end();
  if (project == json.end() || dry_run == json.end() || !project->is_string() || !dry_run->is_boolean()) {
    return absl::InvalidArgumentError(R"(erasing wants {"project":"REF","dry_run":false} or true)");
  }
  return ProjectToErase{project->get<std::string>(), dry_run->get<bool>()};
}

absl::Status NotHere() { return absl::NotFoundError("this server can't do that with its folder"); }

}  // namespace

HttpResponse OwnerRoutes::Stats(RequestRecord& record) const {
  return Answer(actions_.stats ? actions_.stats() : NotHere(), record);
}

HttpResponse OwnerRoutes::BackUp(const HttpRequest& request, RequestRecord& record) const {
  if (!actions_.backup) return Answer(NotHere(), record);
  const absl::StatusOr<std::string> target = TargetIn(request.body);
  if (!target.ok()) return Answer(target.status(), record);
  const CancellationToken stopping = stopping_.token();
  return Answer(actions_.backup(*target, [&] { return stopping.IsCancelled() || request.client_left(); }), record);
}

HttpResponse OwnerRoutes::Check(const HttpRequest& request, RequestRecord& record) const {
  if (!actions_.check) return Answer(NotHere(), record);
  const absl::StatusOr<bool> read_rows = ReadRowsIn(request.body);
  return Answer(read_rows.ok() ? actions_.check(*read_rows) : read_rows.status(), record);
}

HttpResponse OwnerRoutes::Erase(const HttpRequest& request, RequestRecord& record) const {
  if (!actions_.erase) return Answer(NotHere(), record);
  absl::StatusOr<ProjectToErase> erased = ErasedIn(request.body);
  if (!erased.ok()) return Answer(erased.status(), record);
  // It goes on when the command that asked for it ends: half of it would be of no use.
  erased->cancellation = stopping_.token();
  return Answer(actions_.erase(*erased), record);
}

}  // namespace logquery::shim
