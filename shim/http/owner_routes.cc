#include "shim/http/owner_routes.h"

#include <filesystem>
#include <string>
#include <utility>

#include "lib/base/json.h"
#include "lib/base/status_macros.h"
#include "lib/base/strings.h"
#include "nlohmann/json.hpp"
#include "shim/http/endpoint_call.h"

namespace logquery::shim {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::string_view kStats = "/stats";
constexpr std::string_view kBackup = "/backup";
constexpr std::string_view kCheck = "/check";

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

HttpResponse WrongMethod(std::string_view takes, RequestRecord& record) {
  HttpResponse response = AnswerHttpError(405, base::StrCat("this path takes ", takes), record);
  response.AddHeader("Allow", std::string(takes));
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

}  // namespace

bool OwnerRoutes::TakesBody(std::string_view path) { return path == kBackup || path == kCheck; }

std::optional<HttpResponse> OwnerRoutes::Handle(const HttpRequest& request, RequestRecord& record) const {
  if (request.path == kStats && actions_.stats) {
    if (request.method != "GET" && request.method != "HEAD") return WrongMethod("GET, HEAD", record);
    return Answer(actions_.stats(), record);
  }
  const bool backup = request.path == kBackup && actions_.backup;
  if (!backup && !(request.path == kCheck && actions_.check)) return std::nullopt;
  if (request.method != "POST") return WrongMethod("POST", record);
  return Answer(backup ? BackUp(request) : Check(request), record);
}

absl::StatusOr<std::string> OwnerRoutes::BackUp(const HttpRequest& request) const {
  LOGQUERY_ASSIGN_OR_RETURN(const std::string target, TargetIn(request.body));
  const CancellationToken stopping = stopping_.token();
  return actions_.backup(target, [&] { return stopping.IsCancelled() || request.client_left(); });
}

absl::StatusOr<std::string> OwnerRoutes::Check(const HttpRequest& request) const {
  LOGQUERY_ASSIGN_OR_RETURN(const Json json, base::ParseJson("the request's body", request.body));
  const auto read_rows = json.is_object() ? json.find("read_rows") : json.end();
  if (read_rows == json.end() || !read_rows->is_boolean()) {
    return absl::InvalidArgumentError("a check wants {\"read_rows\":false} or true");
  }
  return actions_.check(read_rows->get<bool>());
}

}  // namespace logquery::shim
