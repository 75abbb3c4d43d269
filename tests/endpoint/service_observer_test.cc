#include "logquery/service_observer.h"

#include <catch2/catch_test_macros.hpp>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "absl/synchronization/mutex.h"
#include "lib/base/strings.h"
#include "logquery/query_service.h"
#include "logquery/testing/fake_backend.h"
#include "logquery/testing/fake_clock.h"

namespace logquery {
namespace {

using testing::FakeBackend;
using testing::FakeClock;

// Writes down what it is told, one line an event.
class Notes : public ServiceObserver {
 public:
  void OnCall(const CallEvent& e) noexcept override {
    Add(base::StrCat("call ", Who(e.origin), " ", absl::StatusCodeToString(e.code), e.admitted ? "" : " rejected",
                     e.dry_run ? " dry" : "", e.cache == CacheUse::kHit ? " hit" : "", " rows=", e.rows,
                     " bytes=", e.bytes, " query=", e.query_id != 0));
    absl::MutexLock lock(&mutex_);
    calls_.push_back(e.times);
    if (e.query_id != 0) query_ids_.insert(e.query_id);
  }
  void OnQueryStart(const QueryEvent& e) noexcept override { Add(base::StrCat("start ", Who(e.origin))); }
  void OnQueryEnd(const QueryEvent& e) noexcept override {
    Add(base::StrCat("end ", Who(e.origin), " ", absl::StatusCodeToString(e.code), e.slow ? " slow" : "",
                     e.warming ? " warming" : "", e.definition.empty() ? " callers" : "", " rows=", e.rows));
    absl::MutexLock lock(&mutex_);
    variants_.insert(std::string(e.variant));
    ends_.push_back(e.end);
  }
  void OnCache(const CacheEvent& e) noexcept override {
    Add(base::StrCat("cache ", static_cast<int>(e.kind), " age=", absl::ToInt64Seconds(e.age)));
  }

  // Returns the lines of what it has been told since the last time.
  std::vector<std::string> Take() {
    absl::MutexLock lock(&mutex_);
    return std::exchange(lines_, {});
  }
  std::set<std::string> variants() {
    absl::MutexLock lock(&mutex_);
    return variants_;
  }
  std::set<uint64_t> query_ids() {
    absl::MutexLock lock(&mutex_);
    return query_ids_;
  }
  std::vector<QueryEvent::End> ends() {
    absl::MutexLock lock(&mutex_);
    return ends_;
  }
  CallTimes last_times() {
    absl::MutexLock lock(&mutex_);
    return calls_.back();
  }

 private:
  static std::string Who(const CallOrigin& o) {
    return base::StrCat(o.endpoint.empty() ? "-" : o.endpoint, "/", o.client, "/", o.token_id, "/", o.project, "/",
                        o.call_id);
  }
  void Add(std::string line) {
    absl::MutexLock lock(&mutex_);
    lines_.push_back(std::move(line));
  }

  absl::Mutex mutex_;
  std::vector<std::string> lines_ ABSL_GUARDED_BY(mutex_);
  std::set<std::string> variants_ ABSL_GUARDED_BY(mutex_);
  std::set<uint64_t> query_ids_ ABSL_GUARDED_BY(mutex_);
  std::vector<QueryEvent::End> ends_ ABSL_GUARDED_BY(mutex_);
  std::vector<CallTimes> calls_ ABSL_GUARDED_BY(mutex_);
};

class OnePrincipal : public Authenticator {
 public:
  absl::StatusOr<Principal> Authenticate(std::string_view token) override {
    if (token != "good") return absl::UnauthenticatedError("unknown token");
    return principal;
  }
  Principal principal;
};

struct Fixture {
  Fixture() : backend(Catalog::DeclaredLogs(), &clock) {
    backend.AnswerBy([this](const PreparedQuery&, const Bindings&) -> absl::StatusOr<FakeBackend::Rows> {
      clock.Advance(takes);
      return FakeBackend::Rows{};
    });
    authenticator.principal.label = "tester";
    authenticator.principal.token_id = "t1";
    QueryServiceOptions options;
    options.backend = &backend;
    options.authenticator = &authenticator;
    options.clock = &clock;
    options.observer = &notes;
    options.slow_query = absl::Seconds(2);
    options.warming_threads = 0;
    service = QueryService::Create(options).value();
  }
  static QueryRequest Request(std::string endpoint, ParameterTexts parameters) {
    QueryRequest request;
    request.endpoint = std::move(endpoint);
    request.parameters = std::move(parameters);
    request.token = "good";
    request.call_id = "c1";
    return request;
  }
  static QueryRequest Logs(ParameterTexts more = {}) {
    more.emplace_back("project", "abc");
    return Request("logs.all", std::move(more));
  }

  FakeClock clock;
  FakeBackend backend;
  OnePrincipal authenticator;
  Notes notes;
  absl::Duration takes = absl::Milliseconds(5);
  std::unique_ptr<QueryService> service;
};

TEST_CASE("a call and its query are each reported once, with timings") {
  Fixture f;
  QueryRequest request = Fixture::Logs();
  request.queued = absl::Milliseconds(7);
  REQUIRE(f.service->Run(request).ok());
  CHECK(f.notes.Take() == std::vector<std::string>{"start logs.all/tester/t1//c1",
                                                   "end logs.all/tester/t1//c1 OK rows=0",
                                                   "call logs.all/tester/t1//c1 OK rows=0 bytes=13 query=1"});
  CHECK(f.notes.last_times().queued == absl::Milliseconds(7));
  CHECK(f.notes.last_times().execute == absl::Milliseconds(5));
}

TEST_CASE("a cached answer is reported as cached, with the query that made it") {
  Fixture f;
  const QueryRequest request = Fixture::Request("usage.api-counts", {{"project", "a"}, {"interval", "daily"}});
  REQUIRE(f.service->Run(request).ok());
  CHECK(f.notes.Take().size() == 4);
  f.clock.Advance(absl::Seconds(3));
  REQUIRE(f.service->Run(request).ok());
  CHECK(f.notes.Take() == std::vector<std::string>{
                              "cache 0 age=3", "call usage.api-counts/tester/t1//c1 OK hit rows=0 bytes=13 query=1"});
  CHECK(f.notes.query_ids().size() == 1);
  CHECK(f.notes.last_times().execute == absl::ZeroDuration());
}

TEST_CASE("rejected calls are reported with their reason, and with the caller and endpoint if known") {
  Fixture f;
  f.authenticator.principal.endpoints = {"logs.all"};
  f.authenticator.principal.project_scope = "abc";
  struct Case {
    QueryRequest request;
    const char* told;
  };
  QueryRequest stranger = Fixture::Logs();
  stranger.token = "bad";
  const Case cases[] = {
      {stranger, "call -//// UNAUTHENTICATED rejected rows=0 bytes=0 query=0"},
      {Fixture::Request("logs.al", {}), "call -/tester/t1/abc/ NOT_FOUND rejected rows=0 bytes=0 query=0"},
      {Fixture::Request("usage.api-counts", {}),
       "call usage.api-counts/tester/t1/abc/ PERMISSION_DENIED rejected rows=0 bytes=0 query=0"},
      {Fixture::Logs({{"iso_timestamp_start", "yesterday"}}),
       "call logs.all/tester/t1/abc/c1 INVALID_ARGUMENT rejected rows=0 bytes=0 query=0"},
  };
  for (const Case& c : cases) {
    CAPTURE(c.told);
    CHECK_FALSE(f.service->Run(c.request).ok());
    CHECK(f.notes.Take() == std::vector<std::string>{c.told});
  }
  // Admitted, and then wrong: no query began.
  CHECK_FALSE(f.service->Run(Fixture::Logs({{"sql", "selct 1"}})).ok());
  CHECK(f.notes.Take() ==
        std::vector<std::string>{"call logs.all/tester/t1/abc/c1 INVALID_ARGUMENT rows=0 bytes=0 query=0"});
}

TEST_CASE("slow, timed-out, cancelled and failed queries are reported as such") {
  Fixture f;
  f.takes = absl::Seconds(2);
  REQUIRE(f.service->Run(Fixture::Logs()).ok());
  CHECK(f.notes.Take().at(1) == "end logs.all/tester/t1//c1 OK slow rows=0");
  f.takes = absl::ZeroDuration();
  for (const auto code :
       {absl::StatusCode::kDeadlineExceeded, absl::StatusCode::kCancelled, absl::StatusCode::kInvalidArgument}) {
    f.backend.FailWith(absl::Status(code, "10.1.2.3"));
    CHECK(f.service->Run(Fixture::Logs()).status().code() == code);
  }
  using End = QueryEvent::End;
  CHECK((f.notes.ends() == std::vector<End>{End::kDone, End::kDeadline, End::kCancelled, End::kFailed}));
}

TEST_CASE("the observer sees a query's variant and whose SQL it is, but no parameter's value and no caller's text") {
  Fixture f;
  for (const char* interval : {"daily", "hourly", "daily"}) {
    const QueryRequest usage = Fixture::Request("usage.api-counts", {{"project", interval}, {"interval", interval}});
    REQUIRE(f.service->Run(usage).ok());
  }
  CHECK(f.notes.variants().size() == 2);
  f.notes.Take();
  REQUIRE(f.service->Run(Fixture::Logs({{"sql", "select id from edge_logs where id = 'secret'"}})).ok());
  const std::vector<std::string> told = f.notes.Take();
  CHECK(told.at(1) == "end logs.all/tester/t1//c1 OK callers rows=0");
  for (const std::string& variant : f.notes.variants()) CHECK(variant.find_first_not_of("scru-tfn ") == variant.npos);
}

TEST_CASE("dry runs and rows for a sink are calls too") {
  Fixture f;
  CHECK(f.service->Check(Fixture::Logs({{"sql", "select id from edge_logs"}})).ok());
  CHECK(f.notes.Take() == std::vector<std::string>{"call logs.all/tester/t1//c1 OK dry rows=0 bytes=0 query=0"});
  class Sink : public BatchSink {
    absl::Status Append(const Batch&) override { return absl::OkStatus(); }
  } sink;
  REQUIRE(f.service->Run(Fixture::Logs(), sink).ok());
  CHECK(f.notes.Take().size() == 3);
}

TEST_CASE("many threads notify the observer at once") {
  Fixture f;
  f.takes = absl::ZeroDuration();
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([&f] {
      for (int n = 0; n < 50; ++n) f.service->Run(Fixture::Logs()).IgnoreError();
    });
  }
  for (std::thread& thread : threads) thread.join();
  CHECK(f.notes.Take().size() == 4 * 50 * 3);
  CHECK(f.notes.query_ids().size() == 4 * 50);
}

}  // namespace
}  // namespace logquery
