#include "lib/endpoint/call/receipt.h"

#include <catch2/catch_test_macros.hpp>
#include <memory>
#include <string>
#include <vector>

#include "logquery/query_service.h"
#include "logquery/testing/fake_backend.h"
#include "logquery/testing/fake_clock.h"

namespace logquery {
namespace {

using testing::FakeBackend;
using testing::FakeClock;

// A fake that knows its tables' states; `mark` is that of each.
class MarkingBackend : public QueryBackend {
 public:
  explicit MarkingBackend(FakeBackend* inner) : inner_(inner) {}
  Capabilities capabilities() const override { return inner_->capabilities(); }
  absl::StatusOr<Catalog> ReadCatalog() override { return inner_->ReadCatalog(); }
  absl::Status Execute(const PreparedQuery& query, const Bindings& bindings, const ExecutionLimits& limits,
                       const CancellationToken& cancellation, BatchSink& sink) override {
    const absl::Status status = inner_->Execute(query, bindings, limits, cancellation, sink);
    std::vector<TableMark> marks;
    if (!key.empty()) marks.push_back({"", key});
    for (const std::string& table : query.tables()) {
      if (table != without) marks.push_back({table, mark});
    }
    sink.SetMarks(std::move(marks));
    return status;
  }
  std::string mark = "1";
  std::string without;  // has none
  std::string key;      // of the digests; empty: they have none

 private:
  FakeBackend* const inner_;
};

struct Fixture {
  Fixture() : clock(absl::FromUnixSeconds(1'772'600'767)), fake(Catalog::DeclaredLogs(), &clock), backend(&fake) {
    fake.AnswerBy([](const PreparedQuery&, const Bindings&) { return FakeBackend::Rows{}; });
    Restart(&backend);
  }
  void Restart(QueryBackend* with, std::vector<Endpoint> endpoints = Endpoint::BuiltIn()) {
    QueryServiceOptions options;
    options.backend = with;
    options.clock = &clock;
    options.endpoints = std::move(endpoints);
    options.warming_threads = 0;
    service = QueryService::Create(options).value();
  }
  std::string Receipt(const std::string& endpoint, ParameterTexts parameters, bool redact = false) {
    QueryRequest request;
    request.endpoint = endpoint;
    request.parameters = std::move(parameters);
    request.redact_pii = redact;
    request.no_store = true;
    const auto answer = service->Run(request);
    REQUIRE(answer.ok());
    return answer->receipt;
  }
  FakeClock clock;
  FakeBackend fake;
  MarkingBackend backend;
  std::unique_ptr<QueryService> service;
};

const ParameterTexts kCounts = {{"project", "a"}, {"interval", "daily"}};

TEST_CASE("a receipt covers the query, its values, and the state of each table that was read") {
  Fixture f;
  const std::string receipt = f.Receipt("usage.api-counts", kCounts);
  CHECK(receipt.starts_with("query="));
  CHECK(receipt.find("; values=") == 38);
  CHECK(receipt.find("; cloudflare.logs.prod=") == 79);
  CHECK(receipt.size() == 79 + 23 + 32);
  CHECK(f.Receipt("usage.api-counts", kCounts) == receipt);
  f.Restart(&f.backend);
  CHECK(f.Receipt("usage.api-counts", kCounts) == receipt);  // nothing of it is of this process
}

TEST_CASE("every input that rows depend on changes the receipt") {
  Fixture f;
  const std::string receipt = f.Receipt("usage.api-counts", kCounts);
  CHECK(f.Receipt("usage.api-counts", {{"project", "b"}, {"interval", "daily"}}) != receipt);
  CHECK(f.Receipt("usage.api-counts", {{"project", "a"}, {"interval", "hourly"}}) != receipt);
  CHECK(f.Receipt("usage.api-counts", kCounts, /*redact=*/true) != receipt);
  f.backend.mark = "2";
  CHECK(f.Receipt("usage.api-counts", kCounts) != receipt);
  f.backend.mark = "1";
  f.clock.Advance(absl::Seconds(1));  // the window begins later
  CHECK(f.Receipt("usage.api-counts", kCounts) != receipt);

  const ParameterTexts call = {{"project", "a"}, {"sql", "select 1 as n"}};
  const std::string constant = f.Receipt("logs.all", call);
  CHECK(f.Receipt("logs.all", {{"project", "a"}, {"sql", "select 2 as n"}}) != constant);
  f.clock.Advance(absl::Seconds(1));
  CHECK(f.Receipt("logs.all", call) == constant);  // nothing in it depends on now

  std::vector<Endpoint> fewer = Endpoint::BuiltIn();
  for (Endpoint& endpoint : fewer) endpoint.max_rows = 7;
  f.Restart(&f.backend, fewer);
  CHECK(f.Receipt("logs.all", call) != constant);
}

TEST_CASE("each digest depends on the backend's key, so that values cannot be guessed without it") {
  Fixture f;
  const std::string receipt = f.Receipt("usage.api-counts", kCounts);
  f.backend.key = "secret";
  const std::string keyed = f.Receipt("usage.api-counts", kCounts);
  CHECK(keyed.size() == receipt.size());
  for (const size_t part : {size_t{0}, size_t{40}, size_t{79}})
    CHECK(keyed.substr(part, 38) != receipt.substr(part, 38));
  f.Restart(&f.backend);
  CHECK(f.Receipt("usage.api-counts", kCounts) == keyed);
  f.backend.key = "another";
  CHECK(f.Receipt("usage.api-counts", kCounts) != keyed);
}

TEST_CASE("inputs that do not change rows do not change the receipt") {
  Fixture f;
  const std::string receipt = f.Receipt("usage.api-counts", kCounts);
  CHECK(f.Receipt("usage.api-counts", {{"interval", "daily"}, {"project", "a"}, {"unknown", "x"}}) == receipt);
  QueryRequest request;
  request.endpoint = "usage.api-counts";
  request.parameters = kCounts;
  request.format = RowFormat::kCsv;
  const auto kept = f.service->Run(request);
  REQUIRE(kept.ok());
  CHECK(kept->receipt == receipt);
  f.clock.Advance(absl::Seconds(60));
  const auto again = f.service->Run(request);
  REQUIRE(again.ok());
  CHECK((again->cache == CacheUse::kHit));
  CHECK(again->receipt == receipt);  // of when it was made
}

TEST_CASE("there is no receipt where a table's state is not known") {
  Fixture f;
  f.Restart(&f.fake);
  CHECK(f.Receipt("usage.api-counts", kCounts).empty());
  CHECK_FALSE(f.Receipt("logs.all", {{"project", "a"}, {"sql", "select 1 as n"}}).empty());  // it reads no table
  f.Restart(&f.backend);
  f.backend.without = "cloudflare.logs.prod";
  CHECK(f.Receipt("usage.api-counts", kCounts).empty());
  f.backend.without = "";
  f.backend.mark = "";
  CHECK(f.Receipt("usage.api-counts", kCounts).empty());
}

}  // namespace
}  // namespace logquery
