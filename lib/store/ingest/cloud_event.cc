// Builds events and rows from slices of the received text.
#include "lib/store/ingest/cloud_event.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "absl/strings/ascii.h"
#include "absl/strings/escaping.h"
#include "lib/base/quoted_text.h"
#include "lib/base/status_macros.h"
#include "lib/base/strings.h"
#include "lib/base/utf8.h"
#include "lib/store/ingest/checked_json.h"
#include "lib/store/ingest/json_members.h"
#include "lib/store/ingest/json_text.h"
#include "lib/store/ingest/object_text.h"
#include "lib/store/rows/arena.h"
#include "lib/store/rows/json_reader.h"

namespace logquery::store {
namespace {

constexpr std::string_view kRequired[] = {"specversion", "id", "source", "type"};
constexpr std::string_view kAttributes = "cloud_event";

// Returns the text of a JSON string.
std::string TextOf(std::string_view json) {
  Arena arena;
  return std::string(JsonReader::Unescape(Unquoted(json), arena));
}

bool IsNull(std::string_view json) { return json.empty() || json == "null"; }

// Returns whether a data content type declares JSON: its media type is */json or */*+json.
bool DeclaresJson(std::string_view content_type) {
  const std::string type = absl::AsciiStrToLower(base::ToAbsl(content_type.substr(0, content_type.find(';'))));
  const std::string_view subtype = base::ToStd(absl::StripAsciiWhitespace(type));
  return subtype.ends_with("/json") || subtype.ends_with("+json");
}

// Data as it stands in an event in JSON.
struct Data {
  bool is_bytes = false;     // `json` is the member data_base64
  std::string json;          // empty: there is no data
  std::string problem = {};  // as in JoinedCloudEvent
};

// Without a content type, JSON is read as JSON, and all else as text.
Data DataOf(std::string_view bytes, std::string_view content_type) {
  Data data;
  if (bytes.empty()) return data;
  const bool is_json = DeclaresJson(content_type);
  if (is_json || content_type.empty()) {
    const CheckedJson checked(bytes, CheckedJson::Wanted::kAnyValue);
    if (checked.problem().empty()) {
      data.json = std::string(checked.text());
      return data;
    }
    if (is_json) {
      data.problem = base::StrCat("the event's data is not JSON, as its type ", base::QuotedText(content_type),
                                  " says: ", checked.problem());
    }
  }
  data.is_bytes = !base::IsValidUtf8(bytes);
  if (data.is_bytes) {
    data.json = base::StrCat("\"", absl::Base64Escape(base::ToAbsl(bytes)), "\"");
  } else {
    AppendJsonString(bytes, data.json);
  }
  return data;
}

// The parts of an event.
struct Event {
  std::string_view required[std::size(kRequired)];
  std::string_view time, project, base64;
  std::string content_type;
  Data data;
  ObjectText attributes;
};

Event Read(std::string_view json) {
  Event event;
  ForEachMember(json, [&event](std::string_view key, std::string_view value) {
    if (key == "data") event.data.json = std::string(value);
    if (key == "data_base64") event.base64 = value;
    if (IsNull(value) || key == "data" || key == "data_base64") return;
    event.attributes.Add(key, value);
    const auto* const required = std::find(std::begin(kRequired), std::end(kRequired), key);
    if (required != std::end(kRequired)) event.required[required - std::begin(kRequired)] = value;
    if (key == "time" && value != "\"\"") event.time = value;
    if (key == "project" && IsText(value)) event.project = value;
    if (key == "datacontenttype" && IsText(value)) event.content_type = TextOf(value);
  });
  return event;
}

absl::Status Check(const Event& event) {
  for (size_t i = 0; i < std::size(kRequired); ++i) {
    const std::string_view value = event.required[i];
    if (IsText(value) && value != "\"\"") continue;
    return absl::InvalidArgumentError(
        base::StrCat(kRequired[i], value.empty() ? " is missing" : base::StrCat(" is ", value.substr(0, 80)),
                     "; each CloudEvent has specversion, id, source and type as texts, in binary mode as the headers "
                     "ce-specversion, ce-id, ce-source and ce-type"));
  }
  if (event.required[0].starts_with("\"1.")) return absl::OkStatus();
  return absl::InvalidArgumentError(
      base::StrCat("specversion is ", event.required[0].substr(0, 80), "; CloudEvents of version 1.0 are taken"));
}

absl::Status Decode(Event& event) {
  if (event.base64.empty() || event.base64 == "null") return absl::OkStatus();
  if (!event.data.json.empty())
    return absl::InvalidArgumentError("the event has data and data_base64; it may have one");
  std::string bytes;
  if (!IsText(event.base64) || !absl::Base64Unescape(TextOf(event.base64), &bytes)) {
    return absl::InvalidArgumentError(base::StrCat("data_base64 is no base64: ", base::QuotedText(event.base64)));
  }
  event.data = DataOf(bytes, event.content_type);
  return event.data.problem.empty() ? absl::OkStatus() : absl::InvalidArgumentError(event.data.problem);
}

// The row of one event.
class Row {
 public:
  Row(const Event& event, const CloudEventLog& log) : event_(event), log_(log) {}

  std::string Build() {
    const std::string_view data = event_.data.json;
    const bool has_time = !event_.time.empty() && !log_.time_field.empty();
    if (has_time) AddNamed(log_.time_field, event_.time);
    if (data.starts_with('{')) {
      ForEachMember(data, [&](std::string_view key, std::string_view value) { AddMember(key, value, has_time); });
      if (!has_message_ && log_.has_message) row_.AddText("event_message", data);
    } else {
      AddOther(data);
    }
    if (!has_id_) row_.Add("id", event_.required[1]);
    if (!has_project_ && !event_.project.empty()) row_.Add("project", event_.project);
    Fields().Add(kAttributes, event_.attributes.ToString());
    if (log_.in_metadata) row_.Add("metadata", metadata_.ToString());
    return row_.ToString();
  }

 private:
  // The object for fields that are no row's own.
  ObjectText& Fields() { return log_.in_metadata ? metadata_ : row_; }

  void AddNamed(std::string_view name, std::string_view value) {
    std::string quoted;
    AppendJsonString(name, quoted);
    row_.Add(Unquoted(quoted), value);
  }

  // Adds a member of the data. The event's time and attributes take the place of members with their names, as in Logflare.
  void AddMember(std::string_view key, std::string_view value, bool has_time) {
    if ((has_time && base::EqualsIgnoreCase(key, log_.time_field)) || base::EqualsIgnoreCase(key, kAttributes)) return;
    const bool is_id = base::EqualsIgnoreCase(key, "id");
    const bool is_project = base::EqualsIgnoreCase(key, "project");
    if ((is_id || is_project) && IsNull(value)) return;
    has_id_ = has_id_ || is_id;
    has_project_ = has_project_ || is_project;
    has_message_ = has_message_ || (IsMessage(key) && !IsNull(value));
    const bool is_own = is_id || is_project || IsMessage(key) || base::EqualsIgnoreCase(key, log_.time_field);
    (is_own ? row_ : Fields()).Add(key, value);
  }

  // Adds data that is no object. Data that is no text gets the event's type as its message.
  void AddOther(std::string_view data) {
    if (event_.data.is_bytes) Fields().Add("data_base64", data);
    if (IsNull(data) || event_.data.is_bytes) {
      if (log_.has_message) row_.Add("event_message", event_.required[3]);
    } else if (IsText(data)) {
      row_.Add(log_.has_message ? "event_message" : "message", data);
    } else {
      Fields().Add("data", data);
      if (log_.has_message) row_.AddText("event_message", data);
    }
  }

  const Event& event_;
  const CloudEventLog& log_;
  ObjectText row_;
  ObjectText metadata_;
  bool has_id_ = false;
  bool has_project_ = false;
  bool has_message_ = false;
};

}  // namespace

absl::StatusOr<std::string> RowOfCloudEvent(std::string_view event, const CloudEventLog& log) {
  Event parts = Read(event);
  LOGQUERY_RETURN_IF_ERROR(Check(parts));
  LOGQUERY_RETURN_IF_ERROR(Decode(parts));
  return Row(parts, log).Build();
}

JoinedCloudEvent JoinCloudEvent(std::string_view attributes, std::string_view data) {
  JoinedCloudEvent event;
  ObjectText members;
  std::string type;
  ForEachMember(attributes, [&](std::string_view key, std::string_view value) {
    members.Add(key, value);
    if (key == "datacontenttype" && IsText(value)) type = TextOf(value);
  });
  Data joined = DataOf(data, type);
  if (!joined.json.empty()) members.Add(joined.is_bytes ? "data_base64" : "data", joined.json);
  event.json = members.ToString();
  event.problem = std::move(joined.problem);
  return event;
}

}  // namespace logquery::store
