// Writes the three messages that the responses consist of; each has at most two fields.
#include "logquery/serving/otlp_response.h"

#include <utility>

#include "lib/base/json/value.h"
#include "lib/base/strings.h"
#include "lib/base/utf8.h"

namespace logquery {
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

// Texts of protobuf are UTF-8.
void AppendText(int field, std::string_view text, std::string& out) {
  std::string valid;
  base::AppendValidUtf8(text, valid);
  AppendBytes(field, valid, out);
}

std::string ResponseInProtobuf(int64_t rejected, std::string_view why) {
  if (why.empty()) return {};
  std::string partial, response;
  AppendTag(kRejectedLogRecords, kVarint, partial);
  AppendVarint(static_cast<uint64_t>(rejected), partial);
  AppendText(kErrorMessage, why, partial);
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

std::string OtlpResponse(bool in_protobuf, int64_t rejected, std::string_view why) {
  return in_protobuf ? ResponseInProtobuf(rejected, why) : ResponseInJson(rejected, why);
}

std::string OtlpStatus(std::string_view message) {
  std::string status;
  AppendText(kStatusMessage, message, status);
  return status;
}

}  // namespace logquery
