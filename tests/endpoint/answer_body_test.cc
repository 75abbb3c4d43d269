// How an answer's bytes are packed and where they are, through the whole service.
#include <atomic>
#include <catch2/catch_test_macros.hpp>
#include <filesystem>
#include <thread>

#include "lib/base/strings.h"
#include "logquery/query_service.h"
#include "logquery/testing/fake_backend.h"
#include "logquery/testing/fake_clock.h"
#include "tests/support/unpack.h"

namespace logquery {
namespace {

using testing::FakeBackend;

constexpr ContentCoding kCodings[] = {ContentCoding::kIdentity, ContentCoding::kGzip, ContentCoding::kZstd};

// Counts what is kept.
class CountingCache : public ResultCache {
 public:
  std::shared_ptr<const CachedAnswer> Find(std::string_view key) override { return inner_->Find(key); }
  void Put(std::string_view key, std::shared_ptr<const CachedAnswer> answer) override {
    ++puts;
    inner_->Put(key, std::move(answer));
  }
  void Erase(std::string_view key) override { inner_->Erase(key); }
  void Clear() override { inner_->Clear(); }
  std::atomic<int> puts = 0;

 private:
  const std::unique_ptr<ResultCache> inner_ = InMemory(64 << 20);
};

struct Fixture {
  explicit Fixture(std::string body_folder = "") {
    SetRows(1'000);
    QueryServiceOptions options;
    options.backend = &backend;
    options.clock = &clock;
    options.cache = &cache;
    options.warming_threads = 0;
    options.body_folder = std::move(body_folder);
    options.max_body_memory = 2'000;
    options.endpoints = std::vector<Endpoint>(2);
    for (size_t i = 0; i < 2; ++i) {
      options.endpoints[i].id = base::StrCat("00000000-0000-4000-8000-00000000000", i);
      options.endpoints[i].name = i == 0 ? "made" : "kept";
      options.endpoints[i].query = "SELECT id FROM `cloudflare.logs.prod`";
    }
    options.endpoints[1].caching = absl::Seconds(900);
    service = QueryService::Create(options).value();
  }
  // Rows after the first three can't be packed to next to nothing.
  void SetRows(int count) {
    FakeBackend::Rows rows;
    for (int i = 0; i < count; ++i) {
      rows.push_back({Value::String(base::StrCat("row ", i, i < 3 ? "" : std::to_string(i * 2654435761u)))});
    }
    backend.AnswerBy([rows](const PreparedQuery&, const Bindings&) { return rows; });
  }
  QueryAnswer Run(const char* endpoint, ContentCoding coding) {
    QueryRequest request;
    request.endpoint = endpoint;
    request.coding = coding;
    return service->Run(request).value();
  }
  testing::FakeClock clock;
  FakeBackend backend{Catalog::DeclaredLogs(), &clock};
  CountingCache cache;
  std::unique_ptr<QueryService> service;
};

std::string BytesOf(const QueryAnswer& answer) {
  if (answer.file == nullptr) return answer.body;
  std::string bytes(static_cast<size_t>(answer.file->size()), '\0');
  size_t done = 0;
  while (done < bytes.size()) {
    done += answer.file->ReadAt(static_cast<int64_t>(done), bytes.data() + done, bytes.size() - done).value();
  }
  return bytes;
}

std::string Folder() { return std::filesystem::temp_directory_path().string(); }

TEST_CASE("an answer is compressed as the call asks, and has the digest of the uncompressed answer") {
  Fixture f;
  const QueryAnswer plain = f.Run("made", ContentCoding::kIdentity);
  CHECK(plain.body.starts_with(R"({"result":[{"id":"row 0"},)"));
  CHECK(plain.digest.size() == 32);
  for (const char* endpoint : {"made", "kept"}) {
    for (const ContentCoding coding : kCodings) {
      CAPTURE(endpoint, ContentCodingName(coding));
      const QueryAnswer answer = f.Run(endpoint, coding);
      CHECK((answer.coding == coding));
      CHECK(testing::Unpack(answer.body, coding) == plain.body);
      CHECK(answer.digest == plain.digest);
      CHECK(answer.rows == 1'000);
    }
  }
  f.SetRows(999);
  CHECK(f.Run("made", ContentCoding::kGzip).digest != plain.digest);
}

TEST_CASE("an answer of less than a kibibyte is not compressed") {
  Fixture f;
  f.SetRows(3);
  for (const char* endpoint : {"made", "kept"}) {
    const QueryAnswer answer = f.Run(endpoint, ContentCoding::kZstd);
    CHECK((answer.coding == ContentCoding::kIdentity));
    CHECK(answer.body == R"({"result":[{"id":"row 0"},{"id":"row 1"},{"id":"row 2"}]})");
  }
}

TEST_CASE("answers are kept as they are sent: one query, packed once for each coding") {
  Fixture f;
  CHECK((f.Run("kept", ContentCoding::kGzip).cache == CacheUse::kMiss));
  CHECK(f.cache.puts == 2);  // as it is, and packed
  for (int i = 0; i < 3; ++i) {
    for (const ContentCoding coding : kCodings) CHECK((f.Run("kept", coding).cache == CacheUse::kHit));
  }
  CHECK(f.cache.puts == 3);
  CHECK(f.backend.calls().size() == 1);

  f.clock.Advance(absl::Seconds(899));
  const QueryAnswer old = f.Run("kept", ContentCoding::kZstd);
  CHECK(old.age == absl::Seconds(899));
  f.SetRows(500);
  f.clock.Advance(absl::Seconds(1));
  const QueryAnswer anew = f.Run("kept", ContentCoding::kZstd);
  CHECK((anew.cache == CacheUse::kMiss));
  CHECK(anew.rows == 500);
  CHECK(testing::Unpack(anew.body, anew.coding) == f.Run("kept", ContentCoding::kIdentity).body);
  CHECK(f.backend.calls().size() == 2);
}

TEST_CASE("concurrent requests for a cached answer in one coding compress it once") {
  Fixture f;
  f.Run("kept", ContentCoding::kIdentity);
  std::vector<std::thread> threads;
  std::atomic<int> well = 0;
  for (int i = 0; i < 32; ++i) {
    threads.emplace_back([&] { well += f.Run("kept", ContentCoding::kZstd).rows == 1'000 ? 1 : 0; });
  }
  for (std::thread& thread : threads) thread.join();
  CHECK(well == 32);
  CHECK(f.cache.puts == 2);
}

TEST_CASE("a long answer is in a file, packed or not, kept or not, with the same bytes") {
  Fixture in_memory;
  Fixture f(Folder());
  const std::string expected = in_memory.Run("made", ContentCoding::kIdentity).body;
  for (const char* endpoint : {"made", "kept", "kept"}) {
    for (const ContentCoding coding : kCodings) {
      CAPTURE(endpoint, ContentCodingName(coding));
      const QueryAnswer answer = f.Run(endpoint, coding);
      REQUIRE(answer.file != nullptr);
      CHECK(answer.body.empty());
      CHECK(testing::Unpack(BytesOf(answer), coding) == expected);
    }
  }
  CHECK(f.backend.calls().size() == 4);
  // The answer that memory holds is still there.
  f.SetRows(3);
  CHECK(f.Run("made", ContentCoding::kIdentity).file == nullptr);
}

TEST_CASE("an unusable folder for long answers is rejected when the service is created") {
  FakeBackend backend(Catalog::DeclaredLogs());
  QueryServiceOptions options;
  options.backend = &backend;
  options.body_folder = "/nowhere/at/all";
  CHECK(QueryService::Create(options).status().code() == absl::StatusCode::kInvalidArgument);
}

}  // namespace
}  // namespace logquery
