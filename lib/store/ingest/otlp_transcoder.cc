// Each message is read once to find the fields that count, and repeated ones are then visited where they stand.
#include "lib/store/ingest/otlp_transcoder.h"

#include <array>
#include <charconv>
#include <cmath>
#include <cstring>
#include <optional>
#include <utility>

#include "absl/strings/escaping.h"
#include "lib/base/strings.h"
#include "lib/store/rows/json_reader.h"

namespace logquery::store {
namespace {

// Messages within messages, as protobuf's own parsers allow. Their JSON then is not too deep for JsonReader.
constexpr int kMaxDepth = 100;
constexpr int kRecordDepth = 4;  // of a LogRecord, and of an InstrumentationScope

// The numbers of fields in logs.proto and common.proto.
namespace field {
constexpr uint32_t kName = 1, kVersion = 2, kAttributes = 3;  // InstrumentationScope
constexpr uint32_t kTime = 1, kSeverityNumber = 2, kSeverityText = 3, kBody = 5, kRecordAttributes = 6,
                   kDroppedAttributes = 7, kFlags = 8, kTraceId = 9, kSpanId = 10, kObservedTime = 11,
                   kEventName = 12;                                                                     // LogRecord
constexpr uint32_t kKey = 1, kValue = 2;                                                                // KeyValue
constexpr uint32_t kString = 1, kBool = 2, kInt = 3, kDouble = 4, kArray = 5, kKvlist = 6, kBytes = 7;  // AnyValue
constexpr uint32_t kValues = 1;  // ArrayValue and KeyValueList
}  // namespace field

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

}  // namespace

// Writes a JSON object, member by member.
class OtlpTranscoder::Object {
 public:
  explicit Object(std::string& json) : json_(json) { json_ += '{'; }
  // Begins a member, whose value is to be appended.
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

// A field, the last of its number.
struct OtlpTranscoder::Scalar {
  std::string_view bytes;
  uint64_t number = 0;
};

// The fields of a LogRecord, by their numbers.
struct OtlpTranscoder::Fields : std::array<OtlpTranscoder::Scalar, field::kEventName + 1> {};

bool OtlpTranscoder::Fail(std::string_view what, const char* at) {
  status_ = absl::InvalidArgumentError(base::StrCat("byte ", at - begin_, ": ", what));
  return false;
}

bool OtlpTranscoder::ForEach(std::string_view message, uint32_t number,
                             absl::FunctionRef<bool(std::string_view)> visit) {
  WireReader reader(message);
  while (reader.Next()) {
    if (reader.field() == number && reader.type() == WireType::kBytes && !visit(reader.bytes())) return false;
  }
  return Check(reader);
}

bool OtlpTranscoder::IsWhole(std::string_view message) {
  WireReader reader(message);
  while (reader.Next()) {
  }
  return Check(reader);
}

// A list of KeyValue or of AnyValue.
bool OtlpTranscoder::List(std::string_view message, int depth, bool of_pairs, std::string& json) {
  json += '[';
  const size_t begin = json.size();
  const bool is_whole = ForEach(message, field::kValues, [&](std::string_view element) {
    if (json.size() > begin) json += ',';
    return of_pairs ? KeyValue(element, depth + 1, json) : Value(element, depth + 1, json);
  });
  json += ']';
  return is_whole;
}

bool OtlpTranscoder::KeyValue(std::string_view message, int depth, std::string& json) {
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
  AppendJsonString(key, object.Member("key"));
  if (value && !Value(*value, depth + 1, object.Member("value"))) return false;
  object.End();
  return true;
}

bool OtlpTranscoder::Value(std::string_view message, int depth, std::string& json) {
  if (depth > kMaxDepth) {
    return Fail(base::StrCat("values are nested deeper than ", kMaxDepth, " messages"), message.data());
  }
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
  const bool is_whole = ValueOf(kind, scalar, depth, object);
  object.End();
  return is_whole;
}

bool OtlpTranscoder::ValueOf(uint32_t kind, const Scalar& scalar, int depth, Object& object) {
  switch (kind) {
    case field::kString:
      AppendJsonString(scalar.bytes, object.Member("stringValue"));
      return true;
    case field::kBool:
      object.Member("boolValue") += scalar.number != 0 ? "true" : "false";
      return true;
    case field::kInt:
      base::StrAppend(&object.Member("intValue"), "\"", static_cast<int64_t>(scalar.number), "\"");
      return true;
    case field::kDouble:
      AppendDouble(scalar.number, object.Member("doubleValue"));
      return true;
    case field::kArray:
    case field::kKvlist: {
      Object list(object.Member(kind == field::kArray ? "arrayValue" : "kvlistValue"));
      const bool is_whole = List(scalar.bytes, depth + 1, kind == field::kKvlist, list.Member("values"));
      list.End();
      return is_whole;
    }
    case field::kBytes:
      base::StrAppend(&object.Member("bytesValue"), "\"", absl::Base64Escape(base::ToAbsl(scalar.bytes)), "\"");
      return true;
    default:
      return true;
  }
}

bool OtlpTranscoder::Attributes(std::string_view message, uint32_t number, std::string& json) {
  json += '[';
  const size_t begin = json.size();
  const bool is_whole = ForEach(message, number, [&](std::string_view pair) {
    if (json.size() > begin) json += ',';
    return KeyValue(pair, kRecordDepth + 1, json);
  });
  json += ']';
  return is_whole;
}

bool OtlpTranscoder::Scope(std::string_view message, std::string& json) {
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
  if (!name.empty()) AppendJsonString(name, object.Member("name"));
  if (!version.empty()) AppendJsonString(version, object.Member("version"));
  if (has_attributes && !Attributes(message, field::kAttributes, object.Member("attributes"))) return false;
  object.End();
  return true;
}

bool OtlpTranscoder::Record(std::string_view message, std::string& json) {
  Fields fields;
  bool has_body = false;
  bool has_attributes = false;
  WireReader reader(message);
  while (reader.Next()) {
    const uint32_t number = reader.field();
    const WireType wanted = number == field::kTime || number == field::kObservedTime ? WireType::kFixed64
                            : number == field::kSeverityNumber || number == field::kDroppedAttributes
                                ? WireType::kVarint
                            : number == field::kFlags ? WireType::kFixed32
                                                      : WireType::kBytes;
    if (number >= fields.size() || reader.type() != wanted) continue;
    fields[number] = {reader.bytes(), reader.number()};
    has_body = has_body || number == field::kBody;
    has_attributes = has_attributes || number == field::kRecordAttributes;
  }
  if (!Check(reader)) return false;
  Object object(json);
  ScalarsOf(fields, object);
  if (has_body && !Value(fields[field::kBody].bytes, kRecordDepth + 1, object.Member("body"))) return false;
  if (has_attributes && !Attributes(message, field::kRecordAttributes, object.Member("attributes"))) return false;
  object.End();
  return true;
}

void OtlpTranscoder::ScalarsOf(const Fields& fields, Object& object) {
  for (const auto& [number, name] :
       {std::pair(field::kTime, "timeUnixNano"), {field::kObservedTime, "observedTimeUnixNano"}}) {
    if (fields[number].number > 0) base::StrAppend(&object.Member(name), "\"", fields[number].number, "\"");
  }
  if (const auto severity = static_cast<int32_t>(fields[field::kSeverityNumber].number); severity != 0) {
    base::StrAppend(&object.Member("severityNumber"), severity);
  }
  for (const auto& [number, name] :
       {std::pair(field::kSeverityText, "severityText"), {field::kEventName, "eventName"}}) {
    if (!fields[number].bytes.empty()) AppendJsonString(fields[number].bytes, object.Member(name));
  }
  for (const auto& [number, name] : {std::pair(field::kTraceId, "traceId"), {field::kSpanId, "spanId"}}) {
    if (fields[number].bytes.empty()) continue;
    base::StrAppend(&object.Member(name), "\"", absl::BytesToHexString(base::ToAbsl(fields[number].bytes)), "\"");
  }
  for (const auto& [number, name] :
       {std::pair(field::kFlags, "flags"), {field::kDroppedAttributes, "droppedAttributesCount"}}) {
    const auto value = static_cast<uint32_t>(fields[number].number);
    if (value != 0) base::StrAppend(&object.Member(name), value);
  }
}

}  // namespace logquery::store
