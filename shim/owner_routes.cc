#include "shim/owner_routes.h"

#include <filesystem>
#include <string>
#include <utility>

#include "lib/base/json.h"
#include "lib/base/strings.h"
#include "nlohmann/json.hpp"
#include "shim/endpoint_call.h"

namespace logquery::shim {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::string_view kStats = "/stats";
constexpr std::string_view kBackup = "/backup";

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

bool OwnerRoutes::TakesBody(std::string_view path) { return path == kBackup; }

std::optional<HttpResponse> OwnerRoutes::Handle(const HttpRequest& request, RequestRecord& record) const {
  if (request.path == kStats && actions_.stats) {
    if (request.method != "GET" && request.method != "HEAD") return WrongMethod("GET, HEAD", record);
    return Answer(actions_.stats(), record);
  }
  if (request.path == kBackup && actions_.backup) {
    if (request.method != "POST") return WrongMethod("POST", record);
    return BackUp(request, record);
  }
  return std::nullopt;
}

HttpResponse OwnerRoutes::BackUp(const HttpRequest& request, RequestRecord& record) const {
  const absl::StatusOr<std::string> target = TargetIn(request.body);
  if (!target.ok()) return Answer(target.status(), record);
  const CancellationToken stopping = stopping_.token();
  return Answer(actions_.backup(*target, [&] { return stopping.IsCancelled() || request.client_left(); }), record);
}

}  // namespace logquery::shim
