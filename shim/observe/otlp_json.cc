// Ids are hexadecimal and 64-bit numbers are strings: OTLP's own rules of JSON, which differ from those of protobuf.
#include "shim/observe/otlp_json.h"

#include <utility>

#include "absl/strings/numbers.h"
#include "lib/base/json/read.h"
#include "lib/base/json/value.h"
#include "lib/base/strings.h"

namespace logquery::shim {
namespace {

using base::Json;

// Values of the enums SpanKind and StatusCode.
constexpr int kInternal = 1;
constexpr int kServer = 2;
constexpr int kError = 2;

Json ValueJson(const std::string& text) { return {{"stringValue", text}}; }
Json ValueJson(int64_t number) { return {{"intValue", base::StrCat(number)}}; }
Json ValueJson(double number) { return {{"doubleValue", number}}; }

Json AttributesJson(const std::vector<Span::Attribute>& attributes) {
  Json list = Json::array();
  for (const auto& [key, value] : attributes) {
    list.push_back({{"key", key}, {"value", std::visit([](const auto& v) { return ValueJson(v); }, value)}});
  }
  return list;
}

std::string Nanoseconds(absl::Time time) { return base::StrCat(absl::ToUnixNanos(time)); }

Json SpanJson(const Span& span) {
  Json json = {{"traceId", span.trace_id}, {"spanId", span.span_id}};
  if (!span.parent_id.empty()) json["parentSpanId"] = span.parent_id;
  json["name"] = span.name;
  json["kind"] = span.is_server ? kServer : kInternal;
  json["startTimeUnixNano"] = Nanoseconds(span.start);
  json["endTimeUnixNano"] = Nanoseconds(span.end);
  if (!span.attributes.empty()) json["attributes"] = AttributesJson(span.attributes);
  for (const Span::Link& link : span.links) {
    json["links"].push_back({{"traceId", link.trace_id}, {"spanId", link.span_id}});
  }
  if (span.failed) json["status"] = {{"code", kError}};
  return json;
}

}  // namespace

std::string OtlpTraceRequest(absl::Span<const Span> spans, std::string_view version) {
  Json list = Json::array();
  for (const Span& span : spans) list.push_back(SpanJson(span));
  const Json scope = {{"name", "logquery"}, {"version", version}};
  const Json resource = {{"attributes", AttributesJson({{"service.name", std::string("logquery")},
                                                        {"service.version", std::string(version)}})}};
  const Json scope_spans = {{"scope", scope}, {"spans", std::move(list)}};
  const Json resource_spans = {{"resource", resource}, {"scopeSpans", Json::array({scope_spans})}};
  const Json request = {{"resourceSpans", Json::array({resource_spans})}};
  return request.ToString();
}

int64_t RejectedSpans(std::string_view response) {
  const Json json = base::TryReadJson(response).value_or(nullptr);
  const auto at = [](const Json& object, const char* key) {
    const auto found = object.is_object() ? object.find(key) : object.end();
    return found == object.end() ? Json() : *found;
  };
  const Json rejected = at(at(json, "partialSuccess"), "rejectedSpans");
  int64_t count = 0;
  if (rejected.is_number_integer()) count = rejected.get<int64_t>();
  if (rejected.is_string() && !absl::SimpleAtoi(rejected.get<std::string>(), &count)) count = 0;
  return count > 0 ? count : 0;
}

}  // namespace logquery::shim
