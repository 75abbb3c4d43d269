// Reads the fields of one message in protobuf's wire format (protobuf.dev, "Encoding"), as slices of the received bytes.
//
//     WireReader message(bytes);
//     while (message.Next()) {
//       if (message.field() == 3 && message.type() == WireType::kBytes) name = message.bytes();
//     }
//     if (!message.ok()) …  // message.error() says what is wrong, message.error_at() where
//
// Strict where parsers may differ: a varint has at most ten bytes and 64 bits, a length ends within its message, and groups, which
// no schema of today has, are an error. Not thread-safe.
#ifndef LOGQUERY_LIB_STORE_INGEST_WIRE_READER_H_
#define LOGQUERY_LIB_STORE_INGEST_WIRE_READER_H_

#include <cstdint>
#include <string_view>

namespace logquery::store {

enum class WireType { kVarint = 0, kFixed64 = 1, kBytes = 2, kFixed32 = 5 };

class WireReader {
 public:
  explicit WireReader(std::string_view message) : at_(message.data()), end_(message.data() + message.size()) {}

  // Reads the next field. False: the message ends here, or it is malformed.
  bool Next();
  uint32_t field() const { return field_; }
  WireType type() const { return type_; }
  // Returns the value of a kVarint, kFixed64 or kFixed32 field.
  uint64_t number() const { return number_; }
  // Returns the value of a kBytes field.
  std::string_view bytes() const { return bytes_; }

  bool ok() const { return error_.empty(); }
  std::string_view error() const { return error_; }
  const char* error_at() const { return at_; }

 private:
  bool ReadVarint(uint64_t& value);
  bool ReadFixed(int bytes, uint64_t& value);
  bool Fail(std::string_view what);

  const char* at_;
  const char* const end_;
  uint32_t field_ = 0;
  WireType type_ = WireType::kVarint;
  uint64_t number_ = 0;
  std::string_view bytes_;
  std::string_view error_;
};

}  // namespace logquery::store

#endif  // LOGQUERY_LIB_STORE_INGEST_WIRE_READER_H_
