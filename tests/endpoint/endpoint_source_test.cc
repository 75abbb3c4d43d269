#include "logquery/endpoint_source.h"

#include <atomic>
#include <catch2/catch_test_macros.hpp>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "absl/synchronization/mutex.h"
#include "lib/base/strings.h"
#include "logquery/query_service.h"
#include "logquery/service_observer.h"
#include "logquery/testing/fake_backend.h"
#include "logquery/testing/fake_clock.h"

namespace logquery {
namespace {

using testing::FakeBackend;
using testing::FakeClock;

// Gives what the test has put in, and tells when it says so.
class PlainSource : public EndpointSource {
 public:
  absl::StatusOr<EndpointSet> Read() override {
    absl::MutexLock lock(&mutex_);
    return set_;
  }
  std::unique_ptr<Watch> OnChange(std::function<void()> changed) override {
    class Told : public Watch {
     public:
      explicit Told(PlainSource* source) : source_(source) {}
      ~Told() override { source_->changed_ = nullptr; }

     private:
      PlainSource* const source_;
    };
    changed_ = std::move(changed);
    return std::make_unique<Told>(this);
  }
  void Set(absl::StatusOr<EndpointSet> set) {
    {
      absl::MutexLock lock(&mutex_);
      set_ = std::move(set);
    }
    if (changed_) changed_();
  }
  bool watched() const { return changed_ != nullptr; }

 private:
  absl::Mutex mutex_;
  absl::StatusOr<EndpointSet> set_ ABSL_GUARDED_BY(mutex_) = EndpointSet();
  std::function<void()> changed_;
};

class Definitions : public ServiceObserver {
 public:
  void OnDefinitions(const DefinitionsEvent& event) noexcept override {
    lines.push_back(event.status.ok()
                        ? base::StrCat(event.revision, ": ", event.endpoints, " +", base::Join(event.added, ","), " ~",
                                       base::Join(event.changed, ","), " -", base::Join(event.removed, ","))
                        : std::string(base::Message(event.status)));
  }
  std::vector<std::string> lines;
};

Endpoint Definition(const std::string& name, const std::string& query) {
  Endpoint endpoint;
  endpoint.id = base::StrCat("b0a9a6e8-6a0e-4a63-9f0b-6d4c4a1f8f", name.size() < 2 ? "0" : "", name);
  endpoint.name = base::StrCat("own.", name);
  endpoint.query = query;
  endpoint.caching = absl::Seconds(900);
  return endpoint;
}

// Has tables that change.
class ChangingBackend : public FakeBackend {
 public:
  using FakeBackend::FakeBackend;
  uint64_t CatalogVersion() const override { return version_; }
  void Change(std::vector<Table> tables) { SetCatalog(Catalog(std::move(tables), 100 + ++version_)); }

 private:
  std::atomic<uint64_t> version_{0};
};

struct Fixture {
  Fixture() : backend(Catalog::DeclaredLogs(), &clock) {
    backend.AnswerBy([](const PreparedQuery&, const Bindings&) { return FakeBackend::Rows{}; });
    source.Set(EndpointSet{{Definition("1", "SELECT 1 AS one"), Definition("2", "SELECT 2 AS two")}, "r1"});
    QueryServiceOptions options;
    options.backend = &backend;
    options.clock = &clock;
    options.source = &source;
    options.observer = &observer;
    options.warming_threads = 0;
    service = QueryService::Create(options).value();
  }
  absl::StatusOr<QueryAnswer> Run(const std::string& endpoint) {
    QueryRequest request;
    request.endpoint = endpoint;
    return service->Run(request);
  }
  std::string ColumnOf(const std::string& endpoint) {
    const auto answer = Run(endpoint);
    return answer.ok() ? answer->schema.at(0).name : std::string(absl::StatusCodeToString(answer.status().code()));
  }

  FakeClock clock;
  ChangingBackend backend;
  PlainSource source;
  Definitions observer;
  std::unique_ptr<QueryService> service;
};

TEST_CASE("a source's definitions are added to the service's own, and replaced when the source reports a change") {
  Fixture f;
  CHECK(f.service->registry()->All().size() == Endpoint::BuiltIn().size() + 2);
  CHECK(f.ColumnOf("own.1") == "one");
  f.source.Set(EndpointSet{{Definition("2", "SELECT 2 AS second"), Definition("3", "SELECT 3 AS three")}, "r2"});
  CHECK(f.ColumnOf("own.1") == "NOT_FOUND");
  CHECK(f.ColumnOf("own.2") == "second");
  CHECK(f.ColumnOf("own.3") == "three");
  CHECK(f.observer.lines == std::vector<std::string>{"r2: 6 +own.3 ~own.2 -own.1"});
}

TEST_CASE("a set with the same revision changes nothing and is not reported") {
  Fixture f;
  const auto before = f.service->registry();
  f.source.Set(EndpointSet{{Definition("1", "SELECT 1 AS other")}, "r1"});
  CHECK(f.service->registry() == before);
  CHECK(f.observer.lines.empty());
}

TEST_CASE("an invalid set never replaces a valid one: its errors are reported, and the next valid one is used") {
  Fixture f;
  const auto before = f.service->registry();
  f.source.Set(EndpointSet{{Definition("1", "SELECT 1 AS fine"), Definition("2", "SELECT FROM")}, "r2"});
  f.source.Set(absl::NotFoundError("can't read the folder"));
  f.source.Set(EndpointSet{{Definition("1", "SELECT 1 AS a"), Definition("1", "SELECT 1 AS b")}, "r3"});
  CHECK(f.service->registry() == before);
  CHECK(f.ColumnOf("own.1") == "one");
  REQUIRE(f.observer.lines.size() == 3);
  CHECK(f.observer.lines[0].find("endpoint own.2: ") == 0);
  CHECK(f.observer.lines[1] == "can't read the folder");
  CHECK(f.observer.lines[2].find("two endpoints of this name") != std::string::npos);
  // A requested reload changes nothing either, and returns the same status.
  CHECK(absl::IsInvalidArgument(f.service->Reload()));
  CHECK(f.service->registry() == before);

  f.source.Set(EndpointSet{{Definition("1", "SELECT 1 AS better")}, "r4"});
  CHECK(f.ColumnOf("own.1") == "better");
}

TEST_CASE("a refused set stays refused when the tables change, until it is mended") {
  Fixture f;
  const auto change_tables = [&f] {
    f.backend.Change(Catalog::DeclaredLogs().tables());
    CHECK(f.ColumnOf("own.1") == "one");
  };
  f.source.Set(absl::InvalidArgumentError("schema.json: refused"));
  REQUIRE(f.observer.lines == std::vector<std::string>{"schema.json: refused"});
  change_tables();
  CHECK(f.observer.lines.size() == 1);
  // Tables that no endpoint fits, and then fits again, are reported, and the refusal after them.
  f.backend.Change({});
  CHECK(f.ColumnOf("own.1") == "one");
  REQUIRE(f.observer.lines.size() == 2);
  CHECK(f.observer.lines[1].find("not for the tables as they are") == 0);
  change_tables();
  REQUIRE(f.observer.lines.size() == 3);
  CHECK(f.observer.lines[2] == "schema.json: refused");

  f.source.Set(EndpointSet{{Definition("1", "SELECT 1 AS one"), Definition("2", "SELECT 2 AS two")}, "r1"});
  REQUIRE(f.observer.lines.size() == 4);
  CHECK(f.observer.lines[3] == "r1: 6 + ~ -");
  change_tables();
  REQUIRE(f.observer.lines.size() == 5);
  CHECK(f.observer.lines[4] == "r1: 6 + ~ -");
}

TEST_CASE("a service is not created if its first set is invalid") {
  FakeBackend backend(Catalog::DeclaredLogs());
  PlainSource source;
  source.Set(EndpointSet{{Definition("1", "SELECT FROM")}, "r1"});
  QueryServiceOptions options;
  options.backend = &backend;
  options.source = &source;
  CHECK(absl::IsInvalidArgument(QueryService::Create(options).status()));
  CHECK_FALSE(source.watched());
}

TEST_CASE("endpoints that did not change keep their cached answers and plans, those that did do not") {
  Fixture f;
  CHECK((f.Run("own.1")->cache == CacheUse::kMiss));
  CHECK((f.Run("own.2")->cache == CacheUse::kMiss));
  const auto before = f.service->registry();
  f.source.Set(EndpointSet{{Definition("1", "SELECT 1 AS one"), Definition("2", "SELECT 2 AS second")}, "r2"});
  CHECK((f.Run("own.1")->cache == CacheUse::kHit));
  CHECK((f.Run("own.2")->cache == CacheUse::kMiss));
  CHECK(f.service->registry()->Find("own.1") == before->Find("own.1"));
  CHECK(f.service->registry()->Find("logs.all") == before->Find("logs.all"));
  CHECK(f.service->registry()->Find("own.2") != before->Find("own.2"));
  // A setting alone is a change too.
  Endpoint fewer = Definition("1", "SELECT 1 AS one");
  fewer.max_rows = 5;
  f.source.Set(EndpointSet{{fewer}, "r3"});
  CHECK((f.Run("own.1")->cache == CacheUse::kMiss));
}

TEST_CASE("running calls keep the definitions with which they started") {
  Fixture f;
  const absl::StatusOr<CallTarget> target = f.service->Find(Principal(), "own.1");
  REQUIRE(target.ok());
  f.backend.Block();
  absl::StatusOr<QueryAnswer> running = absl::UnknownError("not yet");
  std::thread call([&] { running = f.service->Run(*target, {}); });
  f.backend.AwaitBlocked(1);
  f.source.Set(EndpointSet{{Definition("3", "SELECT 3 AS three")}, "r2"});
  CHECK(f.ColumnOf("own.1") == "NOT_FOUND");
  f.backend.Unblock();
  call.join();
  REQUIRE(running.ok());
  CHECK(running->schema.at(0).name == "one");
  // Also one that begins now: it was found before.
  CHECK(f.service->Run(*target, {}).ok());
  CHECK(target->definition->query == "SELECT 1 AS one");
}

TEST_CASE("definitions change while they are called, and every call gets an answer of one of them") {
  Fixture f;
  std::vector<std::thread> threads;
  std::atomic<bool> stop{false};
  std::atomic<int> wrong{0};
  for (int i = 0; i < 3; ++i) {
    threads.emplace_back([&] {
      while (!stop) {
        const std::string column = f.ColumnOf("own.1");
        if (column != "a" && column != "b" && column != "one") ++wrong;
      }
    });
  }
  for (int i = 0; i < 100; ++i) {
    f.source.Set(EndpointSet{{Definition("1", i % 2 == 0 ? "SELECT 1 AS a" : "SELECT 1 AS b")}, base::StrCat("r", i)});
  }
  stop = true;
  for (std::thread& thread : threads) thread.join();
  CHECK(wrong == 0);
  CHECK(f.ColumnOf("own.1") == "b");
}

TEST_CASE("a destroyed service gets no more notifications") {
  Fixture f;
  CHECK(f.source.watched());
  f.service.reset();
  CHECK_FALSE(f.source.watched());
}

TEST_CASE("a call target is valid only for the service that found it") {
  Fixture f;
  CallTarget invented;
  invented.definition = std::make_shared<const Endpoint>(Definition("1", "SELECT 1 AS one"));
  CHECK(absl::IsInvalidArgument(f.service->Run(invented, {}).status()));
  CHECK(absl::IsInvalidArgument(f.service->Check(invented, {}).status()));
}

}  // namespace
}  // namespace logquery
