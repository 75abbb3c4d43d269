// Converts OpenTelemetry log records (OTLP 1.x in JSON: opentelemetry-proto, logs.proto and common.proto) to rows.
// Attributes, which arrive as lists of keys and values, become objects.
#include "lib/store/ingest/otlp_record.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <utility>

#include "absl/strings/numbers.h"
#include "lib/base/quoted_text.h"
#include "lib/base/strings.h"
#include "lib/store/ingest/event_shapes.h"
#include "lib/store/ingest/json_members.h"
#include "lib/store/ingest/json_text.h"
#include "lib/store/ingest/otlp_values.h"
#include "lib/store/rows/json_reader.h"

namespace logquery::store {
namespace {

constexpr size_t kTraceIdBytes = 16;
constexpr size_t kSpanIdBytes = 8;

// SEVERITY_NUMBER_INFO2 is 10: protobuf's own JSON has the names of an enumeration.
std::string Severity(std::string_view json) {
  constexpr std::string_view kPrefix = "SEVERITY_NUMBER_";
  constexpr std::array<std::string_view, 6> kNames = {"TRACE", "DEBUG", "INFO", "WARN", "ERROR", "FATAL"};
  std::string_view name = Unquoted(json);
  if (!IsText(json) || !name.starts_with(kPrefix)) return std::string(json);
  name.remove_prefix(kPrefix.size());
  const bool has_digit = !name.empty() && name.back() >= '2' && name.back() <= '4';
  const int nth = has_digit ? name.back() - '1' : 0;
  if (has_digit) name.remove_suffix(1);
  for (size_t i = 0; i < kNames.size(); ++i) {
    if (kNames[i] == name) return base::StrCat(4 * i + 1 + static_cast<size_t>(nth));
  }
  return std::string(json);
}

// A time as a row has it. Some programs write 64 bits as the object of their library, {"low":…,"high":…}.
std::string Time(std::string_view json) {
  if (IsInteger(Unquoted(json))) return std::string(Unquoted(json));
  int64_t low = 0;
  int64_t high = 0;
  const bool has_halves = absl::SimpleAtoi(base::ToAbsl(MemberOf(json, "low")), &low) &&
                          absl::SimpleAtoi(base::ToAbsl(MemberOf(json, "high")), &high);
  const bool is_time = has_halves && low >= std::numeric_limits<int32_t>::min() &&
                       low <= std::numeric_limits<uint32_t>::max() && high >= 0 &&
                       high <= std::numeric_limits<int32_t>::max();
  return is_time ? base::StrCat(high << 32 | static_cast<uint32_t>(low)) : std::string(json);
}

// The members of a record that have one place in a row. `values` converts the others.
class RecordMembers {
 public:
  RecordMembers(OtlpValues& values, RowSink& sink) : values_(values), sink_(sink) {}

  void Read(std::string_view record) {
    ForEachMember(record, [this](std::string_view key, std::string_view value) { Member(key, OtlpName(key), value); });
  }

  // Returns the row without the timestamp and the message.
  std::string TakeRow() { return std::move(row_); }
  // The time of the record, or else when it was seen; empty: it has neither.
  std::string_view time() const { return IsOtlpDefault(time_) ? observed_ : time_; }
  std::string_view body() const { return body_; }
  std::string_view event_name() const { return event_name_; }

 private:
  void Member(std::string_view key, std::string_view name, std::string_view value) {
    if (name == "body") {
      body_ = value;
    } else if (name == "attributes") {
      AddJsonMember(name, values_.Attributes(value), row_);
    } else if (!IsOtlpDefault(value) && !Scalar(name, value)) {
      sink_.Warn(base::StrCat("a record's member ", base::QuotedText(key), " is unknown and was not stored"));
    }
  }

  // Treats values that protobuf omits as not sent. Returns false if there is no member of this name.
  bool Scalar(std::string_view name, std::string_view value) {
    if (name == "timeUnixNano") {
      time_ = value;
    } else if (name == "observedTimeUnixNano") {
      observed_ = value;
    } else if (name == "eventName") {
      event_name_ = value;
    } else if (name == "severityNumber") {
      AddJsonMember("severity_number", Severity(value), row_);
    } else if (name == "severityText") {
      AddJsonMember("severity_text", value, row_);
    } else if (name == "traceId") {
      AddJsonMember("trace_id", OtlpId(value, kTraceIdBytes), row_);
    } else if (name == "spanId") {
      AddJsonMember("span_id", OtlpId(value, kSpanIdBytes), row_);
    } else if (name == "flags") {
      AddJsonMember("flags", value, row_);
    } else if (name == "droppedAttributesCount") {
      AddJsonMember("dropped_attributes_count", value, row_);
    } else {
      return false;
    }
    return true;
  }

  OtlpValues& values_;
  RowSink& sink_;
  std::string row_;
  std::string_view time_;
  std::string_view observed_;
  std::string_view body_;
  std::string_view event_name_;
};

// A text is the message. Another value is kept as it is, and its text is the message, unless the record is an event, which
// has a name.
void AddBody(const RecordMembers& members, OtlpValues& values, std::string& row) {
  const std::string body = members.body().empty() ? "null" : values.Plain(members.body());
  if (IsText(body)) return AddJsonMember("event_message", body, row);
  std::string text;
  AppendJsonString(body == "null" ? std::string_view() : body, text);
  AddJsonMember("event_message", IsText(members.event_name()) ? members.event_name() : text, row);
  if (body != "null") AddJsonMember("body", body, row);
}

std::string ScopeObject(std::string_view scope, OtlpValues& values) {
  std::string object;
  ForEachMember(scope, [&](std::string_view key, std::string_view value) {
    if (key == "name" || key == "version") AddJsonMember(key, value, object);
    if (key == "attributes") AddJsonMember(key, values.Attributes(value), object);
  });
  return object.empty() ? "{}" : object + "}";
}

void AddProblem(std::string_view where, std::string_view problem, OtlpAround& around) {
  if (!problem.empty() && around.problem.empty()) around.problem = base::StrCat("its ", where, ": ", problem);
}

}  // namespace

void SetResource(const CheckedJson& resource, OtlpAround& around) {
  AddProblem("resource", resource.problem(), around);
  if (!resource.problem().empty()) return;
  bool is_message = false;
  std::string_view attributes;
  ForEachMember(resource.text(), [&](std::string_view key, std::string_view value) {
    const std::string name = OtlpName(key);
    if (name == "attributes") attributes = value;
    is_message = is_message || name == "attributes" || name == "droppedAttributesCount" || name == "entityRefs";
  });
  OtlpValues values;
  // An object without any of a Resource's members is its attributes.
  around.resource = values.Attributes(is_message ? attributes : resource.text());
  AddProblem("resource", values.problem(), around);
  const std::string_view project = MemberOf(around.resource, "project");
  const bool is_scalar = !project.empty() && project.front() != '{' && project.front() != '[' && project != "null";
  if (is_scalar) around.project = project;
}

void SetScope(const CheckedJson& scope, OtlpAround& around) {
  AddProblem("scope", scope.problem(), around);
  if (!scope.problem().empty()) return;
  OtlpValues values;
  around.scope = ScopeObject(scope.text(), values);
  AddProblem("scope", values.problem(), around);
}

OtlpRow RowOfOtlpRecord(const CheckedJson& record, const OtlpAround& around, RowSink& sink) {
  if (!record.problem().empty()) return {"", record.problem()};
  if (!around.problem.empty()) return {"", around.problem};
  OtlpValues values;
  RecordMembers members(values, sink);
  members.Read(record.text());
  std::string row = members.TakeRow();
  if (!IsOtlpDefault(members.time())) AddJsonMember("timestamp", Time(members.time()), row);
  AddBody(members, values, row);
  if (!values.problem().empty()) return {"", values.problem()};
  if (!around.project.empty()) AddJsonMember("project", around.project, row);
  if (around.resource != "{}") AddJsonMember("resource", around.resource, row);
  if (around.scope != "{}") AddJsonMember("scope", around.scope, row);
  return {row + "}", ""};
}

size_t MostOtlpBytes(std::string_view json, const OtlpAround& around) {
  return (kMaxRowGrowth + 1) * (json.size() + 1) + 2 * (around.resource.size() + around.scope.size());
}

}  // namespace logquery::store
