#include "lib/result/packer.h"

#include <catch2/catch_test_macros.hpp>
#include <random>

#include "tests/support/unpack.h"

namespace logquery::result {
namespace {

constexpr ContentCoding kCodings[] = {ContentCoding::kGzip, ContentCoding::kZstd};

std::string Pack(const std::vector<std::string>& pieces, ContentCoding coding) {
  size_t bytes = 0;
  for (const std::string& piece : pieces) bytes += piece.size();
  auto packer = MakePacker(coding, static_cast<int64_t>(bytes));
  REQUIRE(packer.ok());
  std::string packed;
  for (const std::string& piece : pieces) REQUIRE((*packer)->Add(piece, packed).ok());
  REQUIRE((*packer)->Finish(packed).ok());
  return packed;
}

TEST_CASE("bytes are compressed as they arrive") {
  for (const ContentCoding coding : kCodings) {
    CAPTURE(ContentCodingName(coding));
    const std::string packed = Pack({"{\"result\":[", std::string(100'000, 'x'), "]}"}, coding);
    CHECK(packed.size() < 500);
    CHECK(testing::Unpack(packed, coding) == "{\"result\":[" + std::string(100'000, 'x') + "]}");
    CHECK(testing::Unpack(Pack({}, coding), coding).empty());
  }
}

TEST_CASE("random pieces, compressible or not, survive compression and decompression") {
  std::mt19937 random(20'260'131);
  for (const ContentCoding coding : kCodings) {
    for (int round = 0; round < 30; ++round) {
      CAPTURE(ContentCodingName(coding), round);
      std::vector<std::string> pieces(random() % 12);
      std::string whole;
      for (std::string& piece : pieces) {
        piece.resize(random() % 3 == 0 ? 0 : random() % 200'000);
        const bool noise = random() % 2 == 0;
        for (char& c : piece) c = noise ? static_cast<char>(random()) : 'a';
        whole += piece;
      }
      REQUIRE(testing::Unpack(Pack(pieces, coding), coding) == whole);
    }
  }
}

TEST_CASE("an unknown coding and a wrong declared length are rejected") {
  CHECK(MakePacker(ContentCoding::kIdentity, 1).status().code() == absl::StatusCode::kInvalidArgument);
  auto packer = MakePacker(ContentCoding::kZstd, 10);
  REQUIRE(packer.ok());
  std::string packed;
  absl::Status status = (*packer)->Add("more than ten bytes", packed);
  status.Update((*packer)->Finish(packed));
  CHECK(status.code() == absl::StatusCode::kUnavailable);
}

}  // namespace
}  // namespace logquery::result
