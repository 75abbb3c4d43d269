// Reads the wire format and writes each resource, scope and record as OTLP's JSON, of which rows are made as for requests in JSON.
// docs/architecture.md has why neither protobuf's library nor a generated schema does this.
#include "lib/store/ingest/otlp_protobuf.h"

#include <array>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <optional>

#include "absl/strings/escaping.h"
#include "lib/base/strings.h"
#include "lib/base/utf8.h"
#include "lib/store/ingest/otlp_record.h"
#include "lib/store/ingest/wire_reader.h"
#include "lib/store/rows/json_reader.h"

namespace logquery::store {
namespace {

// Messages within messages, as protobuf's own parsers allow. Their JSON then is not too deep for JsonReader.
constexpr int kMaxDepth = 100;
constexpr int kRecordDepth = 4;  // of a LogRecord, and of an InstrumentationScope

// JSON takes at most so many bytes for each byte of a message, beside a record's own names.
constexpr size_t kJsonGrowth = 10;
constexpr size_t kRecordNames = 512;

// The numbers of fields in opentelemetry-proto: logs.proto, common.proto, resource.proto and logs_service.proto.
namespace field {
constexpr uint32_t kResourceLogs = 1;                         // ExportLogsServiceRequest
constexpr uint32_t kResource = 1, kScopeLogs = 2;             // ResourceLogs
constexpr uint32_t kScope = 1, kLogRecords = 2;               // ScopeLogs
constexpr uint32_t kResourceAttributes = 1;                   // Resource
constexpr uint32_t kName = 1, kVersion = 2, kAttributes = 3;  // InstrumentationScope
constexpr uint32_t kTime = 1, kSeverityNumber = 2, kSeverityText = 3, kBody = 5, kRecordAttributes = 6, kTraceId = 9,
                   kSpanId = 10, kObservedTime = 11, kEventName = 12;                                   // LogRecord
constexpr uint32_t kKey = 1, kValue = 2;                                                                // KeyValue
constexpr uint32_t kString = 1, kBool = 2, kInt = 3, kDouble = 4, kArray = 5, kKvlist = 6, kBytes = 7;  // AnyValue
constexpr uint32_t kValues = 1;  // ArrayValue and KeyValueList
}  // namespace field

// Writes a JSON object, member by member.
class Object {
 public:
  explicit Object(std::string& json) : json_(json) { json_ += '{'; }
  // What follows is the member's value.
  std::string& Member(std::string_view name) {
    base::StrAppend(&json_, is_empty_ ? "" : ",", "\"", name, "\":");
    is_empty_ = false;
    return json_;
  }
  void End() { json_ += '}'; }

 private:
  std::string& json_;
  bool is_empty_ = true;
};

void AppendDouble(uint64_t bits, std::string& json) {
  double value;
  std::memcpy(&value, &bits, sizeof(value));
  if (!std::isfinite(value)) {
    json += std::isnan(value) ? R"("NaN")" : value > 0 ? R"("Infinity")" : R"("-Infinity")";
    return;
  }
  std::array<char, 32> text;
  const auto end = std::to_chars(text.data(), text.data() + text.size(), value).ptr;
  json.append(text.data(), end);
}

// The scalar fields of a message that are there, the last of each.
struct Scalar {
  std::string_view bytes;
  uint64_t number = 0;
};

class Transcoder {
 public:
  explicit Transcoder(std::string_view request) : begin_(request.data()) {}

  // Each appends JSON of a message, and returns false if it is malformed: status() then says why.
  bool Attributes(std::string_view message, uint32_t number, std::string& json);
  bool Scope(std::string_view message, std::string& json);
  bool Record(std::string_view message, std::string& json);

  // Calls `visit` with the bytes of each field of this number; returns false if that does, or the message is malformed.
  bool ForEach(std::string_view message, uint32_t number, absl::FunctionRef<bool(std::string_view)> visit);

  const absl::Status& status() const { return status_; }

 private:
  bool Fail(std::string_view what, const char* at) {
    status_ =
        absl::InvalidArgumentError(base::StrCat("the body is not OTLP in protobuf: byte ", at - begin_, ": ", what));
    return false;
  }
  bool Check(const WireReader& reader) { return reader.ok() || Fail(reader.error(), reader.error_at()); }

  bool Text(std::string_view text, std::string& json);
  bool KeyValue(std::string_view message, int depth, std::string& json);
  bool Value(std::string_view message, int depth, std::string& json);
  bool List(std::string_view message, int depth, bool of_pairs, std::string& json);

  const char* const begin_;
  absl::Status status_;
};

bool Transcoder::ForEach(std::string_view message, uint32_t number, absl::FunctionRef<bool(std::string_view)> visit) {
  WireReader reader(message);
  while (reader.Next()) {
    if (reader.field() == number && reader.type() == WireType::kBytes && !visit(reader.bytes())) return false;
  }
  return Check(reader);
}

bool Transcoder::Text(std::string_view text, std::string& json) {
  if (!base::IsValidUtf8(text)) return Fail("a text is not valid UTF-8", text.data());
  AppendJsonString(text, json);
  return true;
}

// A list of KeyValue or of AnyValue.
bool Transcoder::List(std::string_view message, int depth, bool of_pairs, std::string& json) {
  json += '[';
  const size_t begin = json.size();
  const bool is_whole = ForEach(message, field::kValues, [&](std::string_view element) {
    if (json.size() > begin) json += ',';
    return of_pairs ? KeyValue(element, depth + 1, json) : Value(element, depth + 1, json);
  });
  json += ']';
  return is_whole;
}

bool Transcoder::KeyValue(std::string_view message, int depth, std::string& json) {
  std::string_view key;
  std::optional<std::string_view> value;
  WireReader reader(message);
  while (reader.Next()) {
    if (reader.type() != WireType::kBytes) continue;
    if (reader.field() == field::kKey) key = reader.bytes();
    if (reader.field() == field::kValue) value = reader.bytes();
  }
  if (!Check(reader)) return false;
  Object object(json);
  if (!Text(key, object.Member("key"))) return false;
  if (value && !Value(*value, depth + 1, object.Member("value"))) return false;
  object.End();
  return true;
}

bool Transcoder::Value(std::string_view message, int depth, std::string& json) {
  if (depth > kMaxDepth)
    return Fail(base::StrCat("values are nested deeper than ", kMaxDepth, " messages"), message.data());
  uint32_t kind = 0;  // the last one counts
  Scalar scalar;
  WireReader reader(message);
  while (reader.Next()) {
    const uint32_t number = reader.field();
    const WireType wanted = number == field::kBool || number == field::kInt ? WireType::kVarint
                            : number == field::kDouble                      ? WireType::kFixed64
                                                                            : WireType::kBytes;
    if (number > field::kBytes || reader.type() != wanted) continue;
    kind = number;
    scalar = {reader.bytes(), reader.number()};
  }
  if (!Check(reader)) return false;
  Object object(json);
  bool is_whole = true;
  switch (kind) {
    case field::kString:
      is_whole = Text(scalar.bytes, object.Member("stringValue"));
      break;
    case field::kBool:
      object.Member("boolValue") += scalar.number != 0 ? "true" : "false";
      break;
    case field::kInt:
      base::StrAppend(&object.Member("intValue"), "\"", static_cast<int64_t>(scalar.number), "\"");
      break;
    case field::kDouble:
      AppendDouble(scalar.number, object.Member("doubleValue"));
      break;
    case field::kArray:
    case field::kKvlist: {
      Object list(object.Member(kind == field::kArray ? "arrayValue" : "kvlistValue"));
      is_whole = List(scalar.bytes, depth + 1, kind == field::kKvlist, list.Member("values"));
      list.End();
      break;
    }
    case field::kBytes:
      base::StrAppend(&object.Member("bytesValue"), "\"", absl::Base64Escape(base::ToAbsl(scalar.bytes)), "\"");
      break;
    default:
      break;
  }
  object.End();
  return is_whole;
}

bool Transcoder::Attributes(std::string_view message, uint32_t number, std::string& json) {
  json += '[';
  const size_t begin = json.size();
  const bool is_whole = ForEach(message, number, [&](std::string_view pair) {
    if (json.size() > begin) json += ',';
    return KeyValue(pair, kRecordDepth + 1, json);
  });
  json += ']';
  return is_whole;
}

bool Transcoder::Scope(std::string_view message, std::string& json) {
  std::string_view name, version;
  bool has_attributes = false;
  WireReader reader(message);
  while (reader.Next()) {
    if (reader.type() != WireType::kBytes) continue;
    if (reader.field() == field::kName) name = reader.bytes();
    if (reader.field() == field::kVersion) version = reader.bytes();
    has_attributes = has_attributes || reader.field() == field::kAttributes;
  }
  if (!Check(reader)) return false;
  Object object(json);
  if (!name.empty() && !Text(name, object.Member("name"))) return false;
  if (!version.empty() && !Text(version, object.Member("version"))) return false;
  if (has_attributes && !Attributes(message, field::kAttributes, object.Member("attributes"))) return false;
  object.End();
  return true;
}

bool Transcoder::Record(std::string_view message, std::string& json) {
  std::array<Scalar, field::kEventName + 1> fields;
  bool has_body = false;
  WireReader reader(message);
  while (reader.Next()) {
    const uint32_t number = reader.field();
    const WireType wanted = number == field::kTime || number == field::kObservedTime ? WireType::kFixed64
                            : number == field::kSeverityNumber                       ? WireType::kVarint
                                                                                     : WireType::kBytes;
    if (number >= fields.size() || reader.type() != wanted) continue;
    fields[number] = {reader.bytes(), reader.number()};
    has_body = has_body || number == field::kBody;
  }
  if (!Check(reader)) return false;
  Object object(json);
  const auto time = [&](uint32_t number, std::string_view name) {
    if (fields[number].number > 0) base::StrAppend(&object.Member(name), "\"", fields[number].number, "\"");
  };
  const auto text = [&](uint32_t number, std::string_view name) {
    return fields[number].bytes.empty() || Text(fields[number].bytes, object.Member(name));
  };
  const auto hex = [&](uint32_t number, std::string_view name) {
    if (fields[number].bytes.empty()) return;
    base::StrAppend(&object.Member(name), "\"", absl::BytesToHexString(base::ToAbsl(fields[number].bytes)), "\"");
  };
  time(field::kTime, "timeUnixNano");
  time(field::kObservedTime, "observedTimeUnixNano");
  if (const auto severity = static_cast<int32_t>(fields[field::kSeverityNumber].number); severity != 0) {
    base::StrAppend(&object.Member("severityNumber"), severity);
  }
  if (!text(field::kSeverityText, "severityText") || !text(field::kEventName, "eventName")) return false;
  if (has_body && !Value(fields[field::kBody].bytes, kRecordDepth + 1, object.Member("body"))) return false;
  if (fields[field::kRecordAttributes].bytes.data() != nullptr &&
      !Attributes(message, field::kRecordAttributes, object.Member("attributes"))) {
    return false;
  }
  hex(field::kTraceId, "traceId");
  hex(field::kSpanId, "spanId");
  object.End();
  return true;
}

// Walks a request, and makes room for JSON and row before they are there.
class Walk {
 public:
  Walk(std::string_view request, absl::FunctionRef<bool(size_t bytes)> make_room,
       absl::FunctionRef<bool(std::string row)> take)
      : transcoder_(request), make_room_(make_room), take_(take) {}

  absl::Status Run(std::string_view request) {
    transcoder_.ForEach(request, field::kResourceLogs,
                        [this](std::string_view resource_logs) { return Resource(resource_logs); });
    return transcoder_.status();
  }

 private:
  // Each returns false if the walk has ended.
  bool Resource(std::string_view resource_logs) {
    std::optional<std::string_view> resource;
    if (!Last(resource_logs, field::kResource, resource)) return false;
    json_.clear();
    OtlpAround around;
    if (!MakeRoom(resource.value_or(""))) return false;
    if (resource && !transcoder_.Attributes(*resource, field::kResourceAttributes, json_)) return false;
    if (!make_room_(json_.size() + MostOtlpBytes(json_, around))) return false;
    SetResource(json_, around);
    return transcoder_.ForEach(resource_logs, field::kScopeLogs,
                               [&](std::string_view scope_logs) { return ScopeOf(scope_logs, around); });
  }

  bool ScopeOf(std::string_view scope_logs, OtlpAround& around) {
    std::optional<std::string_view> scope;
    if (!Last(scope_logs, field::kScope, scope)) return false;
    json_.clear();
    if (!MakeRoom(scope.value_or(""))) return false;
    if (scope && !transcoder_.Scope(*scope, json_)) return false;
    if (!make_room_(json_.size() + MostOtlpBytes(json_, around))) return false;
    SetScope(json_, around);
    return transcoder_.ForEach(scope_logs, field::kLogRecords, [&](std::string_view record) {
      json_.clear();
      if (!MakeRoom(record) || !transcoder_.Record(record, json_)) return false;
      return make_room_(json_.size() + MostOtlpBytes(json_, around)) && take_(RowOfOtlpRecord(json_, around));
    });
  }

  bool MakeRoom(std::string_view message) { return make_room_(kJsonGrowth * message.size() + kRecordNames); }

  // A message may stand behind those that it is about.
  bool Last(std::string_view message, uint32_t number, std::optional<std::string_view>& last) {
    return transcoder_.ForEach(message, number, [&last](std::string_view bytes) {
      last = bytes;
      return true;
    });
  }

  Transcoder transcoder_;
  const absl::FunctionRef<bool(size_t bytes)> make_room_;
  const absl::FunctionRef<bool(std::string row)> take_;
  std::string json_;
};

}  // namespace

absl::Status RowsOfOtlpProtobuf(std::string_view request, absl::FunctionRef<bool(size_t bytes)> make_room,
                                absl::FunctionRef<bool(std::string row)> take) {
  return Walk(request, make_room, take).Run(request);
}

}  // namespace logquery::store
