// Reads every field at once, so that a malformed one is found wherever it is, also in fields that are not used.
#include "lib/store/ingest/wire_reader.h"

#include <cstddef>

namespace logquery::store {
namespace {

constexpr int kMaxVarintBytes = 10;
constexpr uint64_t kMaxField = (uint64_t{1} << 29) - 1;

}  // namespace

bool WireReader::Fail(std::string_view what) {
  error_ = what;
  return false;
}

bool WireReader::ReadVarint(uint64_t& value) {
  value = 0;
  const char* at = at_;
  for (int i = 0; i < kMaxVarintBytes; ++i) {
    if (at == end_) return Fail("a number ends too early");
    const auto byte = static_cast<unsigned char>(*at++);
    // The tenth byte holds the last bit of 64.
    if (i == kMaxVarintBytes - 1 && byte > 1) break;
    value |= static_cast<uint64_t>(byte & 0x7F) << (7 * i);
    if (byte < 0x80) {
      at_ = at;
      return true;
    }
  }
  return Fail("a number has more than 64 bits");
}

bool WireReader::ReadFixed(int bytes, uint64_t& value) {
  if (end_ - at_ < bytes) return Fail("a number ends too early");
  value = 0;
  for (int i = 0; i < bytes; ++i) value |= static_cast<uint64_t>(static_cast<unsigned char>(at_[i])) << (8 * i);
  at_ += bytes;
  return true;
}

bool WireReader::Next() {
  if (!ok() || at_ == end_) return false;
  uint64_t tag = 0;
  const char* const begin = at_;
  if (!ReadVarint(tag)) return false;
  const uint64_t field = tag >> 3;
  if (field == 0 || field > kMaxField) {
    at_ = begin;
    return Fail("a field's number is not between 1 and 536870911");
  }
  field_ = static_cast<uint32_t>(field);
  switch (tag & 7) {
    case 0:
      type_ = WireType::kVarint;
      return ReadVarint(number_);
    case 1:
      type_ = WireType::kFixed64;
      return ReadFixed(8, number_);
    case 2: {
      type_ = WireType::kBytes;
      uint64_t length = 0;
      if (!ReadVarint(length)) return false;
      if (length > static_cast<uint64_t>(end_ - at_)) return Fail("a field is longer than its message");
      bytes_ = std::string_view(at_, static_cast<size_t>(length));
      at_ += length;
      return true;
    }
    case 5:
      type_ = WireType::kFixed32;
      return ReadFixed(4, number_);
    default:
      at_ = begin;
      return Fail("a field is a group, or of no type that there is");
  }
}

}  // namespace logquery::store
