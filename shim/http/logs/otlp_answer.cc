// Writes the three messages that the answers consist of; each has at most two fields.
#include "shim/http/logs/otlp_answer.h"

#include <string>
#include <utility>

#include "absl/strings/ascii.h"
#include "lib/base/json/read.h"
#include "lib/base/json/value.h"
#include "lib/base/strings.h"
#include "lib/base/utf8.h"

namespace logquery::shim {
namespace {

using base::Json;

// The numbers of fields: ExportLogsServiceResponse and ExportLogsPartialSuccess in logs_service.proto, google.rpc.Status.
constexpr int kPartialSuccess = 1;
constexpr int kRejectedLogRecords = 1;
constexpr int kErrorMessage = 2;
constexpr int kStatusMessage = 2;

constexpr int kVarint = 0;
constexpr int kBytes = 2;

void AppendVarint(uint64_t value, std::string& out) {
  for (; value >= 0x80; value >>= 7) out += static_cast<char>(value | 0x80);
  out += static_cast<char>(value);
}

void AppendTag(int field, int type, std::string& out) { out += static_cast<char>(field << 3 | type); }

void AppendBytes(int field, std::string_view bytes, std::string& out) {
  AppendTag(field, kBytes, out);
  AppendVarint(bytes.size(), out);
  out += bytes;
}

std::string ResponseInProtobuf(int64_t rejected, std::string_view why) {
  if (why.empty()) return {};
  std::string partial, response;
  AppendTag(kRejectedLogRecords, kVarint, partial);
  AppendVarint(static_cast<uint64_t>(rejected), partial);
  std::string text;  // protobuf's texts are UTF-8
  base::AppendValidUtf8(why, text);
  AppendBytes(kErrorMessage, text, partial);
  AppendBytes(kPartialSuccess, partial, response);
  return response;
}

std::string ResponseInJson(int64_t rejected, std::string_view why) {
  Json partial = Json::object();
  if (!why.empty()) {
    // 64 bits are text in protobuf's JSON.
    partial = {{"rejectedLogRecords", base::StrCat(rejected)}, {"errorMessage", why}};
  }
  return Json{{"partialSuccess", std::move(partial)}}.ToString();
}

}  // namespace

bool IsProtobuf(const HttpRequest& request) {
  const std::string* const header = request.Header("Content-Type");
  if (header == nullptr) return false;
  const std::string_view type = std::string_view(*header).substr(0, header->find(';'));
  return base::EqualsIgnoreCase(base::ToStd(absl::StripAsciiWhitespace(base::ToAbsl(type))), kProtobufType);
}

HttpResponse OtlpAnswer(bool is_protobuf, int64_t rejected, std::string_view why) {
  HttpResponse response;
  response.body = is_protobuf ? ResponseInProtobuf(rejected, why) : ResponseInJson(rejected, why);
  if (is_protobuf) response.content_type = kProtobufType;
  return response;
}

void MakeOtlpError(const HttpRequest& request, HttpResponse& response) {
  if (response.status < 400 || request.path != kOtlpPath || !IsProtobuf(request)) return;
  const Json json = base::TryReadJson(response.body).value_or(nullptr);
  const Json& message = json["error"]["message"];
  // Exporters decide by the HTTP status, so google.rpc's own code is left out.
  std::string status;
  AppendBytes(kStatusMessage, message.is_string() ? message.text() : std::string(), status);
  response.body = std::move(status);
  response.content_type = kProtobufType;
}

}  // namespace logquery::shim
