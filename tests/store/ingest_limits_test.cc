// Bounds of the queue of events: memory, requests under way, and the share of one sender.
#include <catch2/catch_test_macros.hpp>
#include <string>

#include "logquery/error.h"
#include "logquery/store/ingest.h"
#include "logquery/testing/fake_clock.h"
#include "tests/store/folder_test_util.h"
#include "tests/store/ingest_fixture.h"

namespace logquery::store::ingest_tests {
namespace {

TEST_CASE("requests beyond the queue's limit are rejected before memory grows, with a time to retry") {
  IngestOptions options;
  options.max_bytes = 1'000;
  IngestFixture fixture(options);
  const std::string large = R"({"event_message":")" + std::string(500, 'x') + "\"}";
  const Texts rows = {large};
  const Outcome& first = fixture.Submit(rows);
  const Outcome& second = fixture.Submit(rows);
  REQUIRE(second.has_value());
  CHECK(absl::IsResourceExhausted(second->status()));
  CHECK(GetErrorDetails(second->status()).retry_after == absl::Seconds(1));
  CHECK(fixture.ingest->state().refused == 1);
  CHECK(absl::IsResourceExhausted(fixture.ingest->Reserve(600, "").status()));
  {
    const auto small = fixture.ingest->Reserve(100, "");
    REQUIRE(small.ok());
    CHECK_FALSE((*small)->Grow(500));
    CHECK((*small)->Grow(100));
  }
  fixture.clock.Advance(absl::Milliseconds(50));
  CHECK(fixture.ingest->CommitReady());
  CHECK(first.has_value());
  const Outcome& third = fixture.Submit(rows);
  CHECK_FALSE(third.has_value());
}

TEST_CASE("requests under way are bounded until they are answered") {
  IngestOptions options;
  options.max_requests = 2;
  IngestFixture fixture(options);
  auto reading = fixture.ingest->Reserve(10, "");
  REQUIRE(reading.ok());
  const Outcome& first = fixture.Submit(kOne);
  const Outcome& second = fixture.Submit(kOne);
  REQUIRE(second.has_value());
  CHECK(absl::IsResourceExhausted(second->status()));
  CHECK(second->status().message() == "2 requests with logs are under way, which is the limit; send them again later");
  CHECK(GetErrorDetails(second->status()).retry_after == absl::Seconds(1));
  CHECK(fixture.ingest->state().refused == 1);
  *reading = nullptr;
  const Outcome& third = fixture.Submit(kOne);
  CHECK_FALSE(third.has_value());
  // A request counts also while its batch is committed.
  fixture.store.during_append = [&] { CHECK(absl::IsResourceExhausted(fixture.ingest->Reserve(10, "").status())); };
  fixture.clock.Advance(absl::Milliseconds(50));
  CHECK(fixture.ingest->CommitReady());
  CHECK(fixture.ingest->state().refused == 2);
  CHECK((first.has_value() && third.has_value()));
  CHECK(fixture.ingest->Reserve(10, "").ok());
}

TEST_CASE("requests are rejected while an older one waits too long for the store") {
  IngestFixture fixture;
  const Outcome& first = fixture.Submit(kOne);
  fixture.store.during_append = [&] {
    fixture.clock.Advance(absl::Seconds(9));
    CHECK(fixture.ingest->Reserve(10, "").ok());
    fixture.clock.Advance(absl::Seconds(1));
    const absl::Status refused = fixture.ingest->Reserve(10, "").status();
    CHECK(absl::IsResourceExhausted(refused));
    CHECK(refused.message() == "logs have waited for more than 10s to be written; send them again later");
    CHECK(fixture.ingest->state().lag == absl::Milliseconds(10'050));
  };
  fixture.clock.Advance(absl::Milliseconds(50));
  CHECK(fixture.ingest->CommitReady());
  CHECK((*first)->rows == 1);
  CHECK(fixture.ingest->state().lag == absl::ZeroDuration());
  CHECK(fixture.ingest->Reserve(10, "").ok());
}

TEST_CASE("the requests of one sender get a quarter of the memory, and its only request more") {
  IngestOptions options;
  options.max_bytes = 1'000;
  const IngestFixture fixture(options);
  Ingest& ingest = *fixture.ingest;
  {
    const auto large = ingest.Reserve(300, "a");
    REQUIRE(large.ok());
    CHECK((*large)->Grow(100));
    const absl::Status refused = ingest.Reserve(1, "a").status();
    CHECK(absl::IsResourceExhausted(refused));
    CHECK(GetErrorDetails(refused).retry_after == absl::Seconds(1));
    CHECK(ingest.Reserve(300, "b").ok());
  }
  const auto first = ingest.Reserve(100, "a");
  REQUIRE(first.ok());
  auto second = ingest.Reserve(100, "a");
  REQUIRE(second.ok());
  CHECK_FALSE((*first)->Grow(51));
  CHECK((*first)->Grow(50));
  CHECK_FALSE(ingest.Reserve(1, "a").ok());
  *second = nullptr;
  CHECK(ingest.Reserve(100, "a").ok());
  CHECK((*first)->Grow(500));
  CHECK(ingest.state().held_bytes == 650);
}

TEST_CASE("a request alone may be larger than the bound") {
  IngestOptions options;
  options.max_bytes = 10;
  IngestFixture fixture(options);
  const Outcome& outcome = fixture.Submit(kTwo);
  CHECK_FALSE(outcome.has_value());
  fixture.clock.Advance(absl::Milliseconds(50));
  CHECK(fixture.ingest->CommitReady());
  CHECK((*outcome)->rows == 2);
}

}  // namespace
}  // namespace logquery::store::ingest_tests
