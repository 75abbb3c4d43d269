// Packed bytes are restored, and a result that would be too large is refused before it is made.
#include "logquery/unpack.h"

#include <catch2/catch_test_macros.hpp>
#include <memory>
#include <string>
#include <utility>

#include "lib/result/packer.h"

namespace logquery::result {
namespace {

constexpr size_t kPlenty = 64 << 20;
bool Always(size_t) { return true; }

std::string Pack(ContentCoding coding, const std::string& text) {
  std::string packed;
  auto packer = MakePacker(coding, static_cast<int64_t>(text.size()));
  REQUIRE(packer.ok());
  REQUIRE((*packer)->Add(text, packed).ok());
  REQUIRE((*packer)->Finish(packed).ok());
  return packed;
}

TEST_CASE("compressed text is restored, also from several concatenated streams") {
  for (const ContentCoding coding : {ContentCoding::kGzip, ContentCoding::kZstd}) {
    CAPTURE(ContentCodingName(coding));
    for (const size_t size : {size_t{0}, size_t{1}, size_t{256 << 10}, size_t{(256 << 10) + 1}, size_t{3'000'000}}) {
      std::string text;
      for (size_t i = 0; i < size; ++i) text += static_cast<char>('a' + (i * i) % 26);
      std::string out = "left over";
      REQUIRE(Unpack(coding, Pack(coding, text), {kPlenty, Always}, out).ok());
      CHECK(out == text);
      REQUIRE(Unpack(coding, Pack(coding, text) + Pack(coding, "more"), {kPlenty, Always}, out).ok());
      CHECK(out == text + "more");
    }
  }
}

TEST_CASE("zeros after a gzip member are ignored, as gzip does, and other bytes are rejected") {
  const std::string member = Pack(ContentCoding::kGzip, "text");
  const std::string zeros(1'000, '\0');
  std::string out;
  REQUIRE(Unpack(ContentCoding::kGzip, member + zeros, {kPlenty, Always}, out).ok());
  CHECK(out == "text");
  REQUIRE(Unpack(ContentCoding::kGzip, member + zeros + member, {kPlenty, Always}, out).ok());
  CHECK(out == "texttext");
  CHECK_FALSE(Unpack(ContentCoding::kGzip, member + zeros + "x", {kPlenty, Always}, out).ok());
  CHECK_FALSE(Unpack(ContentCoding::kGzip, zeros + member, {kPlenty, Always}, out).ok());
}

TEST_CASE("a decompression bomb is rejected as soon as it exceeds the limit") {
  for (const ContentCoding coding : {ContentCoding::kGzip, ContentCoding::kZstd}) {
    CAPTURE(ContentCodingName(coding));
    const std::string bomb = Pack(coding, std::string(kPlenty + 1, ' '));
    CHECK(bomb.size() < 500'000);
    size_t held = 0;
    std::string out;
    const absl::Status status = Unpack(coding, bomb,
                                       {1 << 20,
                                        [&](size_t bytes) {
                                          held += bytes;
                                          return true;
                                        }},
                                       out);
    CHECK(status.code() == absl::StatusCode::kOutOfRange);
    CHECK(status.message() == "the body is longer than 1 MiB when it is unpacked");
    CHECK(held < (2 << 20));
    CHECK(out.capacity() < (4 << 20));
    // To the byte.
    const std::string just = Pack(coding, std::string(1 << 20, ' '));
    CHECK(Unpack(coding, just, {1 << 20, Always}, out).ok());
    CHECK(Unpack(coding, just, {(1 << 20) - 1, Always}, out).code() == absl::StatusCode::kOutOfRange);
  }
}

TEST_CASE("many members and frames take no more memory than their content") {
  for (const ContentCoding coding : {ContentCoding::kGzip, ContentCoding::kZstd}) {
    CAPTURE(ContentCodingName(coding));
    for (const std::string& text : {std::string(), std::string(100, 'x')}) {
      const std::string member = Pack(coding, text);
      std::string packed;
      std::string expected;
      for (int i = 0; i < 2'000; ++i) {
        packed += member;
        expected += text;
      }
      size_t held = 0;
      std::string out;
      const auto grow = [&](size_t bytes) {
        held += bytes;
        return held <= (1 << 20);
      };
      REQUIRE(Unpack(coding, packed, {kPlenty, grow}, out).ok());
      CHECK(out == expected);
      CHECK(held >= out.size());
    }
  }
}

TEST_CASE("a body is not decompressed without memory for it") {
  std::string out;
  int pieces = 0;
  const absl::Status status = Unpack(ContentCoding::kGzip, Pack(ContentCoding::kGzip, std::string(5'000'000, 'x')),
                                     {kPlenty, [&](size_t) { return ++pieces <= 3; }}, out);
  CHECK(absl::IsResourceExhausted(status));
}

TEST_CASE("damaged, truncated and uncompressed input is rejected") {
  for (const ContentCoding coding : {ContentCoding::kGzip, ContentCoding::kZstd}) {
    CAPTURE(ContentCodingName(coding));
    const std::string packed = Pack(coding, std::string(100'000, 'x') + "end");
    std::string flipped = packed;
    flipped[packed.size() / 2] = static_cast<char>(flipped[packed.size() / 2] ^ 0x55);
    flipped[packed.size() - 3] = static_cast<char>(flipped[packed.size() - 3] ^ 0x55);
    for (const std::string& bad : {packed.substr(0, packed.size() - 1), packed.substr(0, 3), packed + "rest", flipped,
                                   std::string("{\"plain\":1}")}) {
      std::string out;
      CHECK(Unpack(coding, bad, {kPlenty, Always}, out).code() == absl::StatusCode::kInvalidArgument);
    }
  }
}

}  // namespace
}  // namespace logquery::result
