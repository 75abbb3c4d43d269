#include <catch2/catch_test_macros.hpp>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/synchronization/mutex.h"
#include "absl/time/clock.h"
#include "logquery/query_service.h"
#include "logquery/service_observer.h"
#include "logquery/testing/fake_backend.h"
#include "logquery/testing/fake_clock.h"

namespace logquery {
namespace {

using testing::FakeBackend;
using testing::FakeClock;

// Records a word for each call and each event of the cache that an observer is told of.
class Told : public ServiceObserver {
 public:
  void OnCall(const CallEvent& event) noexcept override {
    absl::MutexLock lock(&mutex_);
    words += event.code == absl::StatusCode::kOk ? "call " : "refusal ";
  }
  void OnCache(const CacheEvent& event) noexcept override {
    absl::MutexLock lock(&mutex_);
    words += event.kind == CacheEvent::Kind::kHit ? "hit " : "other ";
  }
  std::string words;

 private:
  absl::Mutex mutex_;  // the warmer tells it on a thread of its own
};

struct Fixture {
  explicit Fixture(int warming_threads = 0)
      : clock(absl::FromUnixSeconds(1'772'600'767)), backend(Catalog::DeclaredLogs(), &clock) {
    backend.AnswerBy([](const PreparedQuery&, const Bindings&) {
      const Value count = Value::Int64(3);
      return FakeBackend::Rows(50, {Value::Datetime(1'772'600'400'000'000), count, count, count, count});
    });
    QueryServiceOptions options;
    options.backend = &backend;
    options.clock = &clock;
    options.observer = &told;
    options.warming_threads = warming_threads;
    service = QueryService::Create(options).value();
    request.parameters = {{"project", "a"}, {"interval", "daily"}};
  }
  CallTarget Target(const std::string& endpoint = "usage.api-counts") {
    return service->Find(principal, endpoint).value();
  }
  std::optional<QueryAnswer> FindCached() { return service->FindCached(Target(), request); }
  absl::StatusOr<QueryAnswer> Run() { return service->Run(Target(), request); }

  FakeClock clock;
  FakeBackend backend;
  Told told;
  std::unique_ptr<QueryService> service;
  Principal principal;
  QueryRequest request;
};

TEST_CASE("an answer in the cache is found without a run, and is the one that a run would give") {
  Fixture f;
  CHECK_FALSE(f.FindCached().has_value());
  CHECK(f.told.words.empty());  // nothing has happened
  REQUIRE(f.Run().ok());
  f.clock.Advance(absl::Seconds(7));
  f.request.parameters.emplace_back("unknown", "x");
  const QueryAnswer run = f.Run().value();
  f.told.words.clear();
  const std::optional<QueryAnswer> found = f.FindCached();
  REQUIRE(found.has_value());
  CHECK(found->body == run.body);
  CHECK((found->cache == CacheUse::kHit));
  CHECK(found->age == absl::Seconds(7));
  CHECK(found->digest == run.digest);
  CHECK(found->receipt == run.receipt);
  CHECK(found->revision == run.revision);
  CHECK(found->rows == 50);
  CHECK(found->ignored_parameters == std::vector<std::string>{"unknown"});
  CHECK(found->execute_time == absl::ZeroDuration());
  CHECK(f.told.words == "hit call ");
  CHECK(f.backend.calls().size() == 1);
}

TEST_CASE("an answer in another coding is found once it has been packed for a caller") {
  Fixture f;
  REQUIRE(f.Run().ok());
  f.request.coding = ContentCoding::kGzip;
  CHECK_FALSE(f.FindCached().has_value());
  const QueryAnswer packed = f.Run().value();
  REQUIRE((packed.coding == ContentCoding::kGzip));
  const std::optional<QueryAnswer> found = f.FindCached();
  REQUIRE(found.has_value());
  CHECK(found->body == packed.body);
  CHECK((found->coding == ContentCoding::kGzip));
  f.request.coding = ContentCoding::kZstd;
  CHECK_FALSE(f.FindCached().has_value());
}

TEST_CASE("a caller's body is the cache's own, not a copy of it") {
  Fixture f;
  REQUIRE(f.Run().ok());
  const QueryAnswer one = f.Run().value();
  const std::optional<QueryAnswer> other = f.FindCached();
  REQUIRE(other.has_value());
  CHECK(static_cast<const void*>(one.body.data()) == static_cast<const void*>(other->body.data()));
}

TEST_CASE("a refresh also packs the answer in the codings that callers asked for") {
  Fixture f(1);
  f.request.coding = ContentCoding::kGzip;
  REQUIRE(f.Run().ok());
  const absl::Duration period = *f.Target().definition->cache_warming;
  f.clock.Advance(period);
  // The refresh runs on the warmer's thread; nobody asks it to pack.
  std::optional<QueryAnswer> found = f.FindCached();
  for (int i = 0; i < 3'000 && (!found || found->age >= period); ++i) {
    absl::SleepFor(absl::Milliseconds(10));
    found = f.FindCached();
  }
  REQUIRE(found.has_value());
  CHECK(found->age < period);
  CHECK((found->coding == ContentCoding::kGzip));
}

TEST_CASE("an answer that is too old, forgotten, for others or not cached is not found") {
  Fixture f;
  REQUIRE(f.Run().ok());
  f.request.parameters[0].second = "b";
  CHECK_FALSE(f.FindCached().has_value());
  f.request.parameters[0].second = "a";
  f.principal.project_scope = "b";
  CHECK_FALSE(f.FindCached().has_value());
  f.principal.project_scope.reset();
  f.request.redact_pii = true;
  CHECK_FALSE(f.FindCached().has_value());
  f.request.redact_pii = false;
  f.principal.may_bypass_cache = f.request.no_store = true;
  CHECK_FALSE(f.FindCached().has_value());
  f.request.no_store = false;
  CHECK(f.FindCached().has_value());
  f.service->ForgetAnswers();
  CHECK_FALSE(f.FindCached().has_value());
  REQUIRE(f.Run().ok());
  f.clock.Advance(absl::Seconds(900));
  CHECK_FALSE(f.FindCached().has_value());

  f.backend.AnswerBy([](const PreparedQuery&, const Bindings&) { return FakeBackend::Rows(); });
  QueryRequest request;
  request.parameters = {{"project", "a"}};
  REQUIRE(f.service->Run(f.Target("logs.all"), request).ok());
  CHECK_FALSE(f.service->FindCached(f.Target("logs.all"), request).has_value());
}

TEST_CASE(
    "calls that are invalid, cancelled or beyond a limit are left to Run, and found answers count against limits") {
  Fixture f;
  CHECK_FALSE(f.service->FindCached(CallTarget{}, f.request).has_value());
  f.principal.limits.calls_per_minute = 2;
  REQUIRE(f.Run().ok());
  const ParameterTexts valid = std::exchange(f.request.parameters, {{"project", "a"}, {"interval", "yearly"}});
  CHECK_FALSE(f.FindCached().has_value());
  f.request.parameters = valid;
  CancellationSource source;
  source.Cancel();
  f.request.cancellation = source.token();
  CHECK_FALSE(f.FindCached().has_value());
  f.request.cancellation = {};
  CHECK(f.FindCached().has_value());
  CHECK_FALSE(f.FindCached().has_value());
  CHECK(absl::IsResourceExhausted(f.Run().status()));
}

}  // namespace
}  // namespace logquery
