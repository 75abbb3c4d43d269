// Converts OpenTelemetry log records (OTLP 1.x in JSON: opentelemetry-proto, logs.proto and common.proto) to rows.
// Attributes, which arrive as lists of keys and values, become objects.
#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>

#include "absl/strings/ascii.h"
#include "lib/base/strings.h"
#include "lib/store/ingest/event_shapes.h"
#include "lib/store/ingest/json_members.h"
#include "lib/store/ingest/otlp_record.h"
#include "lib/store/rows/json_reader.h"

namespace logquery::store {
namespace {

bool IsText(std::string_view json) { return !json.empty() && json.front() == '"'; }

// What is between the quotes of a string, or all of another value.
std::string_view Unquoted(std::string_view json) { return IsText(json) ? json.substr(1, json.size() - 2) : json; }

bool IsInteger(std::string_view text) {
  if (text.size() > 1 && text.front() == '-') text.remove_prefix(1);
  return !text.empty() && (text.size() == 1 || text.front() != '0') &&
         std::all_of(text.begin(), text.end(), [](unsigned char c) { return absl::ascii_isdigit(c); });
}

std::string_view MemberOf(std::string_view object, std::string_view name) {
  std::string_view found;
  ForEachMember(object, [&](std::string_view key, std::string_view value) {
    if (key == name) found = value;
  });
  return found;
}

void AddMember(std::string_view key, std::string_view value, std::string& object) {
  base::StrAppend(&object, object.empty() ? "{" : ",", "\"", key, "\":", value);
}

// Values within values are read anew at each depth; what is deeper stays as OTLP writes it.
constexpr int kMaxDepth = 6;

std::string ObjectOfAttributes(std::string_view attributes, int depth = 0);

// An AnyValue as plain JSON; a value of no kind that is known is null.
std::string PlainValue(std::string_view any, int depth) {
  if (depth > kMaxDepth) return std::string(any);
  std::string plain = "null";
  ForEachMember(any, [&](std::string_view kind, std::string_view value) {
    if (kind == "stringValue" || kind == "bytesValue" || kind == "boolValue" || kind == "doubleValue") plain = value;
    // 64 bits come as text, as JavaScript has no such numbers.
    if (kind == "intValue") plain = IsInteger(Unquoted(value)) ? Unquoted(value) : value;
    if (kind == "kvlistValue") plain = ObjectOfAttributes(MemberOf(value, "values"), depth + 1);
    if (kind != "arrayValue") return;
    std::string list = "[";
    ForEachElement(MemberOf(value, "values"), [&](std::string_view element) {
      base::StrAppend(&list, list.size() > 1 ? "," : "", PlainValue(element, depth + 1));
    });
    plain = list + "]";
  });
  return plain;
}

// A list of key and value; empty: there are none.
std::string ObjectOfAttributes(std::string_view attributes, int depth) {
  std::string object;
  ForEachElement(attributes, [&](std::string_view attribute) {
    const std::string_view key = MemberOf(attribute, "key");
    if (IsText(key)) {
      const std::string_view value = MemberOf(attribute, "value");
      AddMember(Unquoted(key), value.empty() ? "null" : PlainValue(value, depth), object);
    }
  });
  return object.empty() ? "{}" : object + "}";
}

std::string ScopeObject(std::string_view scope) {
  std::string object;
  ForEachMember(scope, [&](std::string_view key, std::string_view value) {
    if (key == "name" || key == "version") AddMember(key, value, object);
    if (key == "attributes") AddMember(key, ObjectOfAttributes(value), object);
  });
  return object.empty() ? "{}" : object + "}";
}

bool IsTime(std::string_view json) { return IsInteger(Unquoted(json)) && Unquoted(json) != "0"; }

}  // namespace

void SetResource(std::string_view attributes, OtlpAround& around) {
  around.resource = ObjectOfAttributes(attributes);
  around.project = MemberOf(around.resource, "project");
}

void SetScope(std::string_view scope, OtlpAround& around) { around.scope = ScopeObject(scope); }

std::string RowOfOtlpRecord(std::string_view record, const OtlpAround& around) {
  if (record.front() != '{') return std::string(record);
  std::string row;
  std::string_view time, observed, body, event_name;
  ForEachMember(record, [&](std::string_view key, std::string_view value) {
    if (key == "timeUnixNano") time = value;
    if (key == "observedTimeUnixNano") observed = value;
    if (key == "body") body = value;
    if (key == "eventName") event_name = value;
    if (key == "severityNumber") AddMember("severity_number", value, row);
    if (key == "severityText") AddMember("severity_text", value, row);
    if (key == "traceId") AddMember("trace_id", value, row);
    if (key == "spanId") AddMember("span_id", value, row);
    if (key == "attributes") AddMember("attributes", ObjectOfAttributes(value), row);
  });
  if (IsTime(time) || IsTime(observed)) AddMember("timestamp", Unquoted(IsTime(time) ? time : observed), row);
  const std::string plain = body.empty() ? "null" : PlainValue(body, 0);
  if (IsText(plain)) {
    AddMember("event_message", plain, row);
  } else {
    std::string text;
    AppendJsonString(plain == "null" ? std::string_view() : plain, text);
    AddMember("event_message", IsText(event_name) ? event_name : text, row);
    if (plain != "null") AddMember("body", plain, row);
  }
  if (IsText(around.project)) AddMember("project", around.project, row);
  if (around.resource != "{}") AddMember("resource", around.resource, row);
  if (around.scope != "{}") AddMember("scope", around.scope, row);
  return row + "}";
}

size_t MostOtlpBytes(std::string_view json, const OtlpAround& around) {
  return kMaxRowGrowth * (json.size() + 1) + 2 * (around.resource.size() + around.scope.size());
}

namespace {

using MakeRoom = absl::FunctionRef<bool(size_t bytes)>;
using TakeRow = absl::FunctionRef<bool(std::string row)>;

// False: the walk has ended.
bool RowsOfScope(std::string_view scope_logs, OtlpAround& around, MakeRoom make_room, TakeRow take) {
  const std::string_view scope = MemberOf(scope_logs, "scope");
  if (!make_room(MostOtlpBytes(scope, around))) return false;
  SetScope(scope, around);
  bool goes_on = true;
  ForEachElementWhile(MemberOf(scope_logs, "logRecords"), [&](std::string_view record) {
    goes_on = make_room(MostOtlpBytes(record, around));
    goes_on = goes_on && take(RowOfOtlpRecord(record, around));
    return goes_on;
  });
  return goes_on;
}

bool RowsOfResource(std::string_view resource_logs, MakeRoom make_room, TakeRow take) {
  OtlpAround around;
  const std::string_view attributes = MemberOf(MemberOf(resource_logs, "resource"), "attributes");
  if (!make_room(MostOtlpBytes(attributes, around))) return false;
  SetResource(attributes, around);
  bool goes_on = true;
  ForEachElementWhile(MemberOf(resource_logs, "scopeLogs"), [&](std::string_view scope_logs) {
    goes_on = RowsOfScope(scope_logs, around, make_room, take);
    return goes_on;
  });
  return goes_on;
}

}  // namespace

void RowsOfOtlp(std::string_view request, absl::FunctionRef<bool(size_t bytes)> make_room,
                absl::FunctionRef<bool(std::string row)> take) {
  ForEachElementWhile(MemberOf(request, "resourceLogs"),
                      [&](std::string_view resource_logs) { return RowsOfResource(resource_logs, make_room, take); });
}

}  // namespace logquery::store
