// Chooses the encoding by the request.
#include "shim/http/logs/otlp_answer.h"

#include <string>

#include "lib/base/json/read.h"
#include "lib/base/json/value.h"
#include "logquery/serving/otlp_response.h"

namespace logquery::shim {

bool IsProtobuf(const HttpRequest& request) { return request.MediaType() == kProtobufType; }

HttpResponse OtlpAnswer(bool is_protobuf, int64_t rejected, std::string_view why) {
  HttpResponse response;
  response.body = OtlpResponse(is_protobuf, rejected, why);
  if (is_protobuf) response.content_type = kProtobufType;
  return response;
}

void MakeOtlpError(const HttpRequest& request, HttpResponse& response) {
  if (response.status < 400 || request.path != kOtlpPath || !IsProtobuf(request)) return;
  const base::Json json = base::TryReadJson(response.body).value_or(nullptr);
  const base::Json& message = json["error"]["message"];
  response.body = OtlpStatus(message.is_string() ? message.text() : std::string());
  response.content_type = kProtobufType;
}

}  // namespace logquery::shim
