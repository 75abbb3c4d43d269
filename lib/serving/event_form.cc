// Chooses the form by tables of paths and media types. The headers of a CloudEvent in binary mode become its attributes as JSON, so
// that the store reads them as it reads those of structured mode.
#include "logquery/serving/event_form.h"

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <optional>

#include "absl/strings/ascii.h"
#include "lib/base/hex_digit.h"
#include "lib/base/json/write.h"
#include "lib/base/quoted_text.h"
#include "lib/base/status_macros.h"
#include "lib/base/strings.h"
#include "lib/base/utf8.h"

namespace logquery {
namespace {

using Headers = absl::Span<const std::pair<std::string, std::string>>;

// The ends of paths, and the form of the events sent there. Vercel's and Netlify's log drains send events like Vector's; webhooks
// of GitHub and reports of browsers are objects of any kind.
constexpr std::pair<std::string_view, EventShape> kShapes[] = {
    {"/json", EventShape::kObject},
    {"/github", EventShape::kObject},
    {"/browser/reports", EventShape::kObject},
    {"/vector", EventShape::kVector},
    {"/vercel", EventShape::kVector},
    {"/zeit", EventShape::kVector},
    {"/netlify", EventShape::kVector},
    {"/cloudflare", EventShape::kCloudflare},
    {"/cloud-event", EventShape::kCloudEvent},
    {"/v1/logs", EventShape::kOtlp},
};

constexpr std::string_view kLineTypes[] = {"application/x-ndjson", "application/ndjson", "application/jsonl",
                                           "application/x-jsonlines", "application/stream+json"};
// Other types of bodies with JSON. Senders without a choice name the last three.
constexpr std::string_view kJsonTypes[] = {"application/json", "text/json", "text/plain", "application/octet-stream"};

constexpr std::string_view kAttributePrefix = "ce-";

template <size_t kSize>
bool IsOneOf(std::string_view type, const std::string_view (&types)[kSize]) {
  return std::find(std::begin(types), std::end(types), type) != std::end(types);
}

EventShape ShapeOf(std::string_view path) {
  for (const auto& [end, shape] : kShapes) {
    if (path.ends_with(end)) return shape;
  }
  return EventShape::kRow;
}

std::string MediaTypeOf(std::string_view content_type) {
  const absl::string_view type = absl::StripAsciiWhitespace(base::ToAbsl(content_type));
  return absl::AsciiStrToLower(type.substr(0, type.find_first_of("; \t")));
}

absl::Status WrongType(std::string_view what, std::string_view type) {
  return absl::UnimplementedError(base::StrCat(what, ", not as ", base::QuotedText(type)));
}

// Removes the double quotes that senders of older versions put around a value, and the backslashes within (RFC 7230, 3.2.6).
std::string Unquoted(std::string_view value) {
  if (value.size() < 2 || value.front() != '"' || value.back() != '"') return std::string(value);
  std::string text;
  for (size_t i = 1; i + 1 < value.size(); ++i) {
    if (value[i] == '\\' && i + 2 < value.size()) ++i;
    text += value[i];
  }
  return text;
}

// Decodes a header's value once. Programs that encode nothing send a % without digits, and bytes of Latin-1, which was HTTP's own.
// nullopt: escapes that are not UTF-8.
std::optional<std::string> DecodedValue(std::string_view value) {
  std::string text = Unquoted(base::ToStd(absl::StripAsciiWhitespace(base::ToAbsl(value))));
  if (!base::IsValidUtf8(text)) {
    std::string latin;
    latin.swap(text);
    for (const char c : latin) base::AppendUtf8(static_cast<unsigned char>(c), text);
  }
  std::string decoded;
  for (size_t i = 0; i < text.size(); ++i) {
    const bool may_be_escape = text[i] == '%' && i + 2 < text.size();
    const int high = may_be_escape ? base::HexDigitValue(text[i + 1]) : -1;
    const int low = may_be_escape ? base::HexDigitValue(text[i + 2]) : -1;
    const bool is_escape = high >= 0 && low >= 0;
    decoded += is_escape ? static_cast<char>(high * 16 + low) : text[i];
    if (is_escape) i += 2;
  }
  return base::IsValidUtf8(decoded) ? std::make_optional(std::move(decoded)) : std::nullopt;
}

// Converts the headers of the HTTP binding of CloudEvents 1.0 to a JSON object. Like Logflare, a dash in a name is read as _.
absl::StatusOr<std::string> AttributesOf(std::string_view content_type, Headers headers) {
  base::StringSet names;
  std::string json = "{";
  const auto add = [&json](std::string_view name, std::string_view value) {
    if (json.size() > 1) json += ",";
    base::AppendJsonString(name, json);
    json += ":";
    base::AppendJsonString(value, json);
  };
  for (const std::pair<std::string, std::string>& field : headers) {
    const std::string_view header = field.first;
    if (header.size() <= kAttributePrefix.size() || !base::EqualsIgnoreCase(header.substr(0, 3), kAttributePrefix)) {
      continue;
    }
    std::string name = absl::AsciiStrToLower(base::ToAbsl(header).substr(kAttributePrefix.size()));
    std::replace(name.begin(), name.end(), '-', '_');
    if (name == "datacontenttype") continue;  // Content-Type has it
    const auto wrong = [header](std::string_view problem) {
      return absl::InvalidArgumentError(base::StrCat("the header ", base::QuotedText(header), " ", problem));
    };
    if (name == "data" || name == "data_base64") return wrong("is no attribute: the body is the event's data");
    if (!names.insert(name).second) return wrong("stands twice");
    const std::optional<std::string> decoded = DecodedValue(field.second);
    if (!decoded) return wrong(base::StrCat("has escapes that are not UTF-8: ", base::QuotedText(field.second)));
    add(name, *decoded);
  }
  if (!content_type.empty()) add("datacontenttype", content_type);
  return json + "}";
}

absl::StatusOr<EventForm> CloudEventFormOf(std::string_view type, std::string_view content_type, Headers headers) {
  EventForm form;
  form.shape = EventShape::kCloudEvent;
  if (type == "application/cloudevents+json" || type == "application/cloudevents-batch+json") return form;
  if (type.starts_with("application/cloudevents")) {
    return WrongType(
        "CloudEvents are taken as application/cloudevents+json, as application/cloudevents-batch+json, and in binary "
        "mode",
        type);
  }
  form.shape = EventShape::kCloudEventData;
  LOGQUERY_ASSIGN_OR_RETURN(form.attributes, AttributesOf(content_type, headers));
  return form;
}

}  // namespace

absl::StatusOr<EventForm> EventFormOf(std::string_view path, std::string_view content_type, Headers headers) {
  const std::string type = MediaTypeOf(content_type);
  EventForm form;
  form.shape = ShapeOf(path);
  if (form.shape == EventShape::kCloudEvent) return CloudEventFormOf(type, content_type, headers);
  const bool is_otlp = form.shape == EventShape::kOtlp;
  if (is_otlp && type == "application/x-protobuf") {
    form.shape = EventShape::kOtlpProtobuf;
    return form;
  }
  const bool is_lines = IsOneOf(type, kLineTypes);
  if (!type.empty() && !is_lines && !IsOneOf(type, kJsonTypes) && !type.ends_with("+json")) {
    return WrongType(is_otlp ? "log records are taken as application/json or application/x-protobuf"
                             : "events are taken as application/json or application/x-ndjson",
                     type);
  }
  // Cloudflare's Logpush sends lines as plain text.
  form.by_lines = is_lines || (form.shape == EventShape::kCloudflare && type == "text/plain");
  return form;
}

}  // namespace logquery
