// Converts the values of OpenTelemetry's JSON (AnyValue, KeyValue) to plain JSON, and takes what programs write in their
// place where it is clear: plain values, objects in place of lists of attributes, names in snake_case.
#ifndef LOGQUERY_LIB_STORE_INGEST_OTLP_VALUES_H_
#define LOGQUERY_LIB_STORE_INGEST_OTLP_VALUES_H_

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace logquery::store {

// The name of a member in camelCase: string_value and stringValue are the same.
std::string OtlpName(std::string_view key);

// Returns whether `json` is what protobuf omits: a number of 0, an empty text, null, or nothing.
bool IsOtlpDefault(std::string_view json);

// Returns an id in lower-case hexadecimal digits, as JSON. `bytes` is its length, by which an id in base64 is
// recognized. Any other text is returned unchanged.
std::string OtlpId(std::string_view json, size_t bytes);

// All JSON must be valid. Not thread-safe.
class OtlpValues {
 public:
  // An AnyValue as plain JSON. Values of which the kind is not clear stay as they are; an AnyValue of no kind is null.
  std::string Plain(std::string_view any) { return Plain(any, 0); }
  // A list of KeyValue, or an object in its place, as an object.
  std::string Attributes(std::string_view attributes) { return Attributes(attributes, 0); }

  // Why a list of attributes could not be converted; empty: all were.
  const std::string& problem() const { return problem_; }

 private:
  std::string Plain(std::string_view any, int depth);
  std::optional<std::string> OfKind(std::string_view kind, std::string_view value, int depth);
  std::string List(std::string_view list, int depth);
  std::string Map(std::string_view object, int depth);
  std::string Attributes(std::string_view attributes, int depth);
  void AddAttribute(std::string_view attribute, int depth, std::string& object);

  std::string problem_;
};

}  // namespace logquery::store

#endif  // LOGQUERY_LIB_STORE_INGEST_OTLP_VALUES_H_
