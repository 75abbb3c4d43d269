// Writes the messages of an OTLP request in protobuf as OTLP's JSON (opentelemetry-proto 1.x, and protobuf's mapping to JSON).
#ifndef LOGQUERY_LIB_STORE_INGEST_OTLP_TRANSCODER_H_
#define LOGQUERY_LIB_STORE_INGEST_OTLP_TRANSCODER_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "lib/store/ingest/wire_reader.h"

namespace logquery::store {

// JSON takes at most so many bytes for each byte of a message, beside a record's own names.
inline constexpr size_t kOtlpJsonGrowth = 10;
inline constexpr size_t kOtlpRecordNames = 512;

// Not thread-safe.
class OtlpTranscoder {
 public:
  // All messages are parts of `request`.
  explicit OtlpTranscoder(std::string_view request) : begin_(request.data()) {}

  // Each appends JSON of a message, and returns false if it is malformed: TakeStatus() then says why. Text that is not
  // valid UTF-8 stays as it is, so the JSON must be checked for it.
  bool Attributes(std::string_view message, uint32_t number, std::string& json);
  bool Scope(std::string_view message, std::string& json);
  bool Record(std::string_view message, std::string& json);

  // Calls `visit` with the bytes of each field of this number; returns false if that does, or the message is malformed.
  bool ForEach(std::string_view message, uint32_t number, absl::FunctionRef<bool(std::string_view)> visit);

  // Returns whether the fields of a message can be read; their contents may be malformed.
  bool IsWhole(std::string_view message);

  // Returns the last failure, and forgets it.
  absl::Status TakeStatus() { return std::exchange(status_, absl::OkStatus()); }

 private:
  class Object;
  struct Fields;
  struct Scalar;

  bool Fail(std::string_view what, const char* at);
  bool Check(const WireReader& reader) { return reader.ok() || Fail(reader.error(), reader.error_at()); }

  bool KeyValue(std::string_view message, int depth, std::string& json);
  bool Value(std::string_view message, int depth, std::string& json);
  // The one field of a value that counts, as the member of `object`; kind 0: there is none.
  bool ValueOf(uint32_t kind, const Scalar& scalar, int depth, Object& object);
  bool List(std::string_view message, int depth, bool of_pairs, std::string& json);
  // A record's times, severity, event name, ids and flags.
  void ScalarsOf(const Fields& fields, Object& object);

  const char* const begin_;
  absl::Status status_;
};

}  // namespace logquery::store

#endif  // LOGQUERY_LIB_STORE_INGEST_OTLP_TRANSCODER_H_
