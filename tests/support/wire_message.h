// Builds messages in protobuf's wire format, field by field.
//
//     WireMessage().Text(1, "name").Varint(2, 7).bytes()
#ifndef LOGQUERY_TESTS_SUPPORT_WIRE_MESSAGE_H_
#define LOGQUERY_TESTS_SUPPORT_WIRE_MESSAGE_H_

#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

namespace logquery::testing {

class WireMessage {
 public:
  WireMessage& Varint(uint32_t field, uint64_t value) {
    Append(field << 3);
    Append(value);
    return *this;
  }
  WireMessage& Fixed64(uint32_t field, uint64_t value) {
    Append(field << 3 | 1);
    for (int i = 0; i < 8; ++i) bytes_ += static_cast<char>(value >> (8 * i));
    return *this;
  }
  WireMessage& Double(uint32_t field, double value) {
    uint64_t bits;
    std::memcpy(&bits, &value, sizeof(bits));
    return Fixed64(field, bits);
  }
  WireMessage& Text(uint32_t field, std::string_view text) {
    Append(field << 3 | 2);
    Append(text.size());
    bytes_ += text;
    return *this;
  }
  WireMessage& Message(uint32_t field, const WireMessage& message) { return Text(field, message.bytes_); }
  WireMessage& Raw(std::string_view bytes) {
    bytes_ += bytes;
    return *this;
  }
  const std::string& bytes() const { return bytes_; }

 private:
  void Append(uint64_t value) {
    for (; value >= 0x80; value >>= 7) bytes_ += static_cast<char>(value | 0x80);
    bytes_ += static_cast<char>(value);
  }

  std::string bytes_;
};

}  // namespace logquery::testing

#endif  // LOGQUERY_TESTS_SUPPORT_WIRE_MESSAGE_H_
