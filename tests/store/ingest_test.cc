// The one writer: batches by time and by rows, answers when rows are durable, and faults of the store.
#include "logquery/store/ingest.h"

#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>
#include <string>
#include <thread>
#include <vector>

#include "logquery/error.h"
#include "logquery/testing/fake_clock.h"
#include "tests/store/folder_test_util.h"
#include "tests/store/ingest_fixture.h"

namespace logquery::store::ingest_tests {
namespace {

TEST_CASE("events are on the disk and seen by queries when they are answered") {
  TemporaryFolder folder;
  const auto backend = OpenFolder(folder / "data");
  const auto ingest = Ingest::Create({}, &backend->store());
  REQUIRE(ingest->Start().ok());
  IngestRequest request;
  request.table = "test_logs";
  request.part.rows = kTwo;
  const auto outcome = ingest->Append(request);
  REQUIRE(outcome.ok());
  CHECK(outcome->rows == 2);
  CHECK(CountRows(*backend) == 2);
  ingest->Stop();
  CHECK(absl::IsUnavailable(ingest->Append(request).status()));
}

TEST_CASE("requests of 50 ms are one transaction") {
  IngestFixture fixture;
  const Outcome& first = fixture.Submit(kOne);
  fixture.clock.Advance(absl::Milliseconds(49));
  const Outcome& second = fixture.Submit(kTwo);
  CHECK_FALSE(fixture.ingest->CommitReady());
  CHECK_FALSE(first.has_value());
  CHECK(fixture.ingest->state().waiting_requests == 2);
  CHECK(fixture.ingest->state().lag == absl::Milliseconds(49));
  fixture.clock.Advance(absl::Milliseconds(1));
  CHECK(fixture.ingest->CommitReady());
  REQUIRE((first.has_value() && second.has_value()));
  CHECK((*first)->rows == 1);
  CHECK((*second)->rows == 2);
  CHECK(fixture.store.batches == std::vector<size_t>{2});
  const IngestState state = fixture.ingest->state();
  CHECK(state.batches == 1);
  CHECK(state.requests == 2);
  CHECK(state.rows == 3);
  CHECK(state.held_bytes == 0);
  CHECK(CountRows(*fixture.backend) == 3);
}

TEST_CASE("a full batch is committed at once, and further requests form the next one") {
  IngestOptions options;
  options.batch_rows = 4;
  IngestFixture fixture(options);
  for (int i = 0; i < 5; ++i) fixture.Submit(kTwo);
  CHECK(fixture.ingest->CommitReady());
  CHECK(fixture.ingest->CommitReady());
  CHECK(fixture.store.batches == std::vector<size_t>{2, 2});
  CHECK_FALSE(fixture.ingest->CommitReady());
  CHECK_FALSE(fixture.submitted[4].outcome.has_value());
  fixture.ingest->Stop();
  CHECK(fixture.submitted[4].outcome.has_value());
  CHECK(CountRows(*fixture.backend) == 10);
}

TEST_CASE("a thousand rows are committed at once while no other request is under way") {
  IngestFixture fixture;
  const std::string row = R"({"i":1})";
  const Texts thousand(1'000, row);
  const Outcome& alone = fixture.Submit(thousand);
  CHECK(fixture.ingest->CommitReady());
  CHECK(alone.has_value());
  auto other = fixture.ingest->Reserve(10, "somebody");
  REQUIRE(other.ok());
  const Outcome& beside = fixture.Submit(thousand);
  CHECK_FALSE(fixture.ingest->CommitReady());
  *other = nullptr;
  CHECK(fixture.ingest->CommitReady());
  CHECK(beside.has_value());
  const Outcome& fewer = fixture.Submit(Texts(999, row));
  CHECK_FALSE(fixture.ingest->CommitReady());
  fixture.clock.Advance(absl::Milliseconds(50));
  CHECK(fixture.ingest->CommitReady());
  CHECK(fewer.has_value());
  CHECK(CountRows(*fixture.backend) == 2'999);
}

TEST_CASE("a request that the store fails on fails alone") {
  IngestFixture fixture;
  fixture.store.poison = "poison";
  const Texts bad = {R"({"event_message":"poison"})"};
  const Outcome& first = fixture.Submit(kOne);
  const Outcome& second = fixture.Submit(bad);
  const Outcome& third = fixture.Submit(kTwo);
  const Outcome& nowhere = fixture.Submit(kOne, "tset_logs");
  fixture.clock.Advance(absl::Milliseconds(50));
  CHECK(fixture.ingest->CommitReady());
  CHECK((*first)->rows == 1);
  CHECK(absl::IsInternal(second->status()));
  CHECK((*third)->rows == 2);
  CHECK(absl::IsNotFound(nowhere->status()));
  CHECK(CountRows(*fixture.backend) == 3);
}

TEST_CASE("after a commit of unknown outcome only requests with a key are written again") {
  const bool stored = GENERATE(false, true);
  CAPTURE(stored);
  IngestFixture fixture;
  fixture.store.failing_commits = 1;
  fixture.store.commit_stores = stored;
  const Outcome& keyed = fixture.Submit(kTwo, "test_logs", "a-key");
  const Outcome& plain = fixture.Submit(kOne);
  const Outcome& other = fixture.Submit(kOne);
  fixture.clock.Advance(absl::Milliseconds(50));
  CHECK(fixture.ingest->CommitReady());
  CHECK(fixture.store.batches == std::vector<size_t>{3, 1});
  REQUIRE((keyed.has_value() && plain.has_value() && other.has_value()));
  REQUIRE(keyed->ok());
  CHECK((*keyed)->rows == 2);
  CHECK((*keyed)->repeated == stored);
  for (const Outcome& outcome : {plain, other}) {
    CHECK(absl::IsUnavailable(outcome->status()));
    CHECK(outcome->status().message().find("not known whether the events are stored") != std::string::npos);
    CHECK(GetErrorDetails(outcome->status()).reason == ErrorReason::kOutcomeUnknown);
    CHECK(GetErrorDetails(outcome->status()).retry_after == absl::Seconds(5));
  }
  CHECK(CountRows(*fixture.backend) == (stored ? 4 : 2));
  CHECK(fixture.ingest->state().held_bytes == 0);
}

TEST_CASE("a commit that fails twice is reported to the sender, also for a key") {
  IngestFixture fixture;
  fixture.store.failing_commits = 2;
  const Outcome& keyed = fixture.Submit(kOne, "test_logs", "a-key");
  fixture.clock.Advance(absl::Milliseconds(50));
  CHECK(fixture.ingest->CommitReady());
  CHECK(fixture.store.batches == std::vector<size_t>{1, 1});
  REQUIRE(keyed.has_value());
  CHECK(GetErrorDetails(keyed->status()).reason == ErrorReason::kOutcomeUnknown);
}

TEST_CASE("a full disk is reported as such, and later requests are stored") {
  IngestFixture fixture;
  fixture.store.poison = "{";
  fixture.store.failure = absl::ResourceExhaustedError("the disk is full");
  const Outcome& first = fixture.Submit(kOne);
  const Outcome& second = fixture.Submit(kOne);
  fixture.clock.Advance(absl::Milliseconds(50));
  CHECK(fixture.ingest->CommitReady());
  CHECK(fixture.store.batches == std::vector<size_t>{2});
  for (const Outcome& outcome : {first, second}) {
    CHECK(absl::IsUnavailable(outcome->status()));
    CHECK(GetErrorDetails(outcome->status()).retry_after == absl::Seconds(5));
  }
  CHECK(absl::IsResourceExhausted(fixture.ingest->state().stopped));
  CHECK(fixture.ingest->state().held_bytes == 0);
  fixture.store.poison.clear();
  const Outcome& third = fixture.Submit(kOne);
  fixture.clock.Advance(absl::Milliseconds(50));
  CHECK(fixture.ingest->CommitReady());
  CHECK((*third)->rows == 1);
  CHECK(fixture.ingest->state().stopped.ok());
}

TEST_CASE("an event without a time has that of its arrival") {
  IngestFixture fixture;
  fixture.clock.Set(absl::FromUnixSeconds(1'772'600'700));
  const Outcome& outcome = fixture.Submit(kOne);
  fixture.ingest->Stop();
  REQUIRE(outcome.has_value());
  CHECK((*outcome)->rows == 1);
  CHECK(SelectValue(*fixture.backend, R"(SELECT timestamp::VARCHAR FROM "test.logs")", Type::String()) ==
        Value::String("2026-03-04 05:05:00"));
}

TEST_CASE("many threads append at one time, and each learns the outcome of its own rows") {
  TemporaryFolder folder;
  const auto backend = OpenFolder(folder / "data");
  const auto ingest = Ingest::Create({.batch_time = absl::Milliseconds(1)}, &backend->store());
  REQUIRE(ingest->Start().ok());
  std::vector<std::thread> threads;
  std::vector<int64_t> taken(8, 0);
  for (size_t t = 0; t < taken.size(); ++t) {
    threads.emplace_back([&, t] {
      const std::string row = "{\"i\":" + std::to_string(t) + "}";
      const Texts rows(t + 1, row);
      IngestRequest request;
      request.table = "test_logs";
      request.part.rows = rows;
      for (int i = 0; i < 20; ++i) {
        const auto outcome = ingest->Append(request);
        if (outcome.ok()) taken[t] += outcome->rows;
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  for (size_t t = 0; t < taken.size(); ++t) {
    CHECK(taken[t] == static_cast<int64_t>(20 * (t + 1)));
    CHECK(SelectValue(*backend, "SELECT count(*) FROM \"test.logs\" WHERE i = " + std::to_string(t), Type::Int64()) ==
          Value::Int64(taken[t]));
  }
}

}  // namespace
}  // namespace logquery::store::ingest_tests
