// Dictionaries of packed records: records come back as they were, and bytes whose dictionary is gone, or damaged ones, are refused.
#include "lib/backend/record_dictionary.h"

#include <catch2/catch_test_macros.hpp>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"

namespace logquery::backend {
namespace {

// Bytes that are as much alike as a log's packed records are.
std::string Record(uint64_t seed) {
  std::mt19937_64 random(seed);
  const std::vector<std::string> agents = {"Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36", "curl/8.5.0",
                                           "okhttp/4.12.0"};
  return absl::StrCat("\x01\x02", "GET /rest/v1/todos?select=*&id=eq.", absl::Hex(random()), "\x10",
                      agents[random() % 3], "application/json; charset=utf-8", "\x05", "Frankfurt am Main",
                      absl::Hex(random()));
}

std::shared_ptr<const RecordDictionary> Trained(uint64_t first = 0) {
  std::string samples;
  std::vector<size_t> sizes;
  for (uint64_t i = 0; i < 512; ++i) {
    const std::string record = Record(first + i);
    samples += record;
    sizes.push_back(record.size());
  }
  auto dictionary = RecordDictionary::Train(samples, sizes);
  INFO(dictionary.status().ToString());
  REQUIRE(dictionary.ok());
  return *std::move(dictionary);
}

std::string Compressed(const RecordDictionary& dictionary, const std::string& record) {
  RecordCompressor compressor;
  std::string bytes = "before";
  compressor.Compress(dictionary, record, bytes);
  REQUIRE(bytes.substr(0, 6) == "before");
  return bytes.substr(6);
}

TEST_CASE("a record that is compressed with a dictionary takes a part of its bytes, and comes back as it was") {
  const auto dictionary = Trained();
  RecordDictionaries all;
  all.Add(dictionary);
  RecordExpander expander(&all);
  size_t packed = 0, compressed = 0;
  for (uint64_t i = 10'000; i < 10'300; ++i) {
    const std::string record = Record(i);
    const std::string bytes = Compressed(*dictionary, record);
    const auto expanded = expander.Expand(bytes);
    REQUIRE(expanded.has_value());
    CHECK(*expanded == record);
    packed += record.size();
    compressed += bytes.size();
  }
  CHECK(compressed < packed / 2);
}

TEST_CASE("a dictionary is the same after it was stored") {
  const auto dictionary = Trained();
  const auto read = RecordDictionary::FromBytes(dictionary->bytes());
  REQUIRE(read.ok());
  CHECK((*read)->id() == dictionary->id());
  RecordDictionaries all;
  all.Add(*read);
  RecordExpander expander(&all);
  CHECK(expander.Expand(Compressed(*dictionary, Record(7))) == Record(7));
}

TEST_CASE("records that a dictionary does not make shorter, and empty ones, stay as they are") {
  const auto dictionary = Trained();
  std::mt19937_64 random(3);
  std::string noise;
  for (int i = 0; i < 400; ++i) noise += static_cast<char>(random());
  RecordExpander expander(nullptr);
  for (const std::string& record : {noise, std::string(), std::string("x")}) {
    CHECK(Compressed(*dictionary, record) == record);
    CHECK(expander.Expand(record) == record);
  }
}

TEST_CASE("records are read with the dictionary that each names") {
  const auto first = Trained(0), second = Trained(100'000);
  REQUIRE(first->id() != second->id());
  RecordDictionaries all;
  all.Add(first);
  all.Add(second);
  RecordExpander expander(&all);
  for (uint64_t i = 0; i < 20; ++i) {
    const auto expanded = expander.Expand(Compressed(i % 2 == 0 ? *first : *second, Record(i)));
    CHECK(expanded == Record(i));
  }
}

TEST_CASE("without its dictionary a record is as good as not there") {
  const auto dictionary = Trained();
  const std::string bytes = Compressed(*dictionary, Record(1));
  CHECK(!RecordExpander(nullptr).Expand(bytes).has_value());
  RecordDictionaries all;
  CHECK(!RecordExpander(&all).Expand(bytes).has_value());
  all.Add(dictionary);
  RecordExpander expander(&all);
  REQUIRE(expander.Expand(bytes).has_value());
  // An execution keeps the dictionaries that it has used until it ends.
  all.Remove(dictionary->id());
  CHECK(expander.Expand(bytes) == Record(1));
  CHECK(!RecordExpander(&all).Expand(bytes).has_value());
}

TEST_CASE("damaged bytes are refused, or are those of another record, and never read beyond their end") {
  const auto dictionary = Trained();
  RecordDictionaries all;
  all.Add(dictionary);
  RecordExpander expander(&all);
  const std::string bytes = Compressed(*dictionary, Record(1));
  for (size_t size = 4; size < bytes.size(); ++size) {
    // A copy of its own, so that AddressSanitizer sees a read beyond the end.
    const std::unique_ptr<char[]> part(new char[size]);
    bytes.copy(part.get(), size);
    CHECK(!expander.Expand({part.get(), size}).has_value());
  }
  std::mt19937_64 random(5);
  for (int i = 0; i < 20'000; ++i) {
    std::string damaged = bytes;
    for (uint64_t flips = 1 + random() % 3; flips > 0; --flips)
      damaged[random() % damaged.size()] ^= 1 << (random() % 8);
    const auto expanded = expander.Expand(damaged);
    CHECK((!expanded || expanded->size() <= RecordExpander::kMostBytes));
  }
}

TEST_CASE("a frame that says it has more bytes than any record is refused before there is memory for it") {
  // The magic number, a header with a content size of 8 bytes and a dictionary's number of 4, and that number.
  const auto dictionary = Trained();
  RecordDictionaries all;
  all.Add(dictionary);
  std::string frame("\x28\xb5\x2f\xfd\xe3", 5);
  for (int i = 0; i < 4; ++i) frame += static_cast<char>(dictionary->id() >> (8 * i));
  frame += std::string(6, '\x7f') + std::string(2, '\0');
  CHECK(!RecordExpander(&all).Expand(frame).has_value());
}

TEST_CASE("a dictionary needs records that have something in common") {
  CHECK(absl::IsInvalidArgument(RecordDictionary::Train("", {}).status()));
  CHECK(absl::IsInvalidArgument(RecordDictionary::Train("ab", {1, 1}).status()));
  CHECK(absl::IsDataLoss(RecordDictionary::FromBytes("").status()));
  CHECK(absl::IsDataLoss(RecordDictionary::FromBytes(std::string(1'000, 'x')).status()));
}

}  // namespace
}  // namespace logquery::backend
