// The steps of a call as its trace receives them.
#include "logquery/call_trace.h"

#include <catch2/catch_test_macros.hpp>
#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "absl/synchronization/mutex.h"
#include "lib/base/strings.h"
#include "lib/endpoint/call/single_flight.h"
#include "logquery/query_service.h"
#include "logquery/testing/fake_backend.h"
#include "logquery/testing/fake_clock.h"

namespace logquery {
namespace {

using base::StrCat;
using testing::FakeBackend;

std::string NameOf(CallStep step) {
  constexpr const char* kNames[] = {"queue", "wait", "plan", "execute", "encode", "compress"};
  return kNames[static_cast<int>(step)];
}

// Begins and ends as texts, in their order.
class Steps : public CallTrace {
 public:
  int Begin(CallStep step) noexcept override {
    absl::MutexLock lock(&mutex_);
    steps_.push_back(NameOf(step));
    lines_.push_back(StrCat("+", steps_.back()));
    return static_cast<int>(steps_.size()) - 1;
  }
  void End(int step, const CallStepEnd& end) noexcept override {
    absl::MutexLock lock(&mutex_);
    std::string line = StrCat("-", steps_[static_cast<size_t>(step)]);
    if (end.code != absl::StatusCode::kOk) base::StrAppend(&line, " ", absl::StatusCodeToString(end.code));
    if (end.rows >= 0) base::StrAppend(&line, " ", end.rows, " rows");
    if (!end.awaited.empty()) base::StrAppend(&line, " for ", end.awaited);
    lines_.push_back(std::move(line));
  }
  std::string Traceparent(int step) const override {
    absl::MutexLock lock(&mutex_);
    return StrCat("of ", steps_[static_cast<size_t>(step)]);
  }
  std::vector<std::string> lines() const {
    absl::MutexLock lock(&mutex_);
    return lines_;
  }

 private:
  mutable absl::Mutex mutex_;
  std::vector<std::string> steps_ ABSL_GUARDED_BY(mutex_);
  std::vector<std::string> lines_ ABSL_GUARDED_BY(mutex_);
};

using Lines = std::vector<std::string>;

Endpoint Definition(bool cached) {
  Endpoint endpoint;
  endpoint.id = "b0a9a6e8-6a0e-4a63-9f0b-6d4c4a1f8f11";
  endpoint.name = "own";
  endpoint.query = "SELECT id FROM `cloudflare.logs.prod`";
  endpoint.query_sandboxing = true;
  if (cached) endpoint.caching = absl::Seconds(60);
  return endpoint;
}

struct Fixture {
  explicit Fixture(bool cached = false) : backend(Catalog::DeclaredLogs(), &clock) {
    backend.AnswerBy([this](const PreparedQuery&, const Bindings&) {
      return FakeBackend::Rows(static_cast<size_t>(rows), {Value::String("an id of some length")});
    });
    QueryServiceOptions options;
    options.backend = &backend;
    options.clock = &clock;
    options.warming_threads = 0;
    options.endpoints = {Definition(cached)};
    service = QueryService::Create(std::move(options)).value();
  }
  // Runs the call, and returns its steps.
  Lines Run(QueryRequest request = {}) {
    auto steps = std::make_shared<Steps>();
    request.endpoint = "own";
    request.trace = steps;
    status = service->Run(request).status();
    return steps->lines();
  }

  testing::FakeClock clock;
  FakeBackend backend;
  int rows = 3;
  std::unique_ptr<QueryService> service;
  absl::Status status;
};

TEST_CASE("a call is planned, executed and encoded: rows are encoded while the engine runs") {
  Fixture f;
  CHECK(f.Run() == Lines{"+plan", "-plan", "+execute", "+encode", "-execute 3 rows", "-encode"});
  CHECK(f.status.ok());
  // The engine's requests belong to the step.
  CHECK(f.backend.calls().at(0).limits.tags.traceparent == "of execute");
  f.rows = 0;
  CHECK(f.Run() == Lines{"+plan", "-plan", "+execute", "-execute 0 rows", "+encode", "-encode"});
}

TEST_CASE("compression is a step, and an answer from the cache has none") {
  Fixture f(true);
  f.rows = 500;
  QueryRequest packed;
  packed.coding = ContentCoding::kGzip;
  CHECK(f.Run() == Lines{"+plan", "-plan", "+execute", "+encode", "-execute 500 rows", "-encode"});
  CHECK(f.Run(packed) == Lines{"+compress", "-compress"});
  CHECK(f.Run(packed).empty());
  CHECK(f.Run().empty());
}

TEST_CASE("each step ends, however the call ends") {
  Fixture f;
  QueryRequest wrong;
  wrong.parameters = {{"sql", "select nothing from own"}};
  CHECK(f.Run(wrong) == Lines{"+plan", "-plan INVALID_ARGUMENT"});
  f.backend.FailWith(absl::DeadlineExceededError("too long"));
  CHECK(f.Run() == Lines{"+plan", "-plan", "+execute", "-execute DEADLINE_EXCEEDED 0 rows"});
  f.backend.FailWith(absl::InternalError("broken"), 2);
  CHECK(f.Run() == Lines{"+plan", "-plan", "+execute", "+encode", "-execute INTERNAL 2 rows", "-encode CANCELLED"});
  CHECK_FALSE(f.status.ok());
}

TEST_CASE("a call that waits for an equal one links to it, and one that continues alone has its own steps") {
  testing::FakeClock clock;
  const auto cache = ResultCache::InMemory(1 << 20);
  endpoint::SingleFlight flights(cache.get(), &clock);
  absl::Mutex mutex;
  bool held = true;
  int made = 0;
  const auto compute = [&](const CancellationToken&) -> absl::StatusOr<CachedAnswer> {
    absl::MutexLock lock(&mutex);
    mutex.Await(absl::Condition(
        +[](bool* waits) { return !*waits; }, &held));
    if (++made == 1) return absl::DeadlineExceededError("the first has no luck");
    return CachedAnswer();
  };
  Steps first, second;
  const auto get = [&](Steps& steps, const std::string& traceparent) {
    return flights.Get("k", absl::Seconds(900), {CancellationToken(), &steps, traceparent}, compute);
  };
  absl::Status outcome;
  std::thread leader([&] { outcome = get(first, "first").status(); });
  while (flights.WaitingFor("k") < 1) std::this_thread::yield();
  absl::StatusOr<endpoint::SingleFlight::Got> got = absl::UnknownError("not yet");
  std::thread follower([&] { got = get(second, "second"); });
  while (flights.WaitingFor("k") < 2) std::this_thread::yield();
  {
    absl::MutexLock lock(&mutex);
    held = false;
  }
  leader.join();
  follower.join();
  CHECK(absl::IsDeadlineExceeded(outcome));
  CHECK(got.ok());
  CHECK(first.lines().empty());
  CHECK(second.lines() == Lines{"+wait", "-wait DEADLINE_EXCEEDED for first"});
}

}  // namespace
}  // namespace logquery
