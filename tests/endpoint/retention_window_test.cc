#include "lib/endpoint/call/retention_window.h"

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <optional>
#include <string>
#include <vector>

#include "lib/base/strings.h"
#include "logquery/interval_bucketer.h"
#include "logquery/query_service.h"
#include "logquery/testing/fake_backend.h"
#include "logquery/testing/fake_clock.h"

namespace logquery {
namespace {

using testing::FakeBackend;
using testing::FakeClock;

constexpr absl::Time kNow = absl::FromUnixSeconds(1'772'600'767);  // 2026-03-04T05:06:07Z

struct Fixture {
  explicit Fixture(const std::string& default_tier = "", std::vector<Endpoint> endpoints = Endpoint::BuiltIn())
      : clock(kNow), backend(Catalog::DeclaredLogs(), &clock) {
    backend.AnswerBy([](const PreparedQuery&, const Bindings&) { return FakeBackend::Rows{}; });
    QueryServiceOptions options;
    options.backend = &backend;
    options.clock = &clock;
    options.endpoints = std::move(endpoints);
    options.default_tier = default_tier;
    options.warming_threads = 0;
    service = QueryService::Create(options).value();
  }
  absl::StatusOr<QueryAnswer> Run(ParameterTexts parameters) {
    QueryRequest request;
    request.endpoint = "logs.all";
    request.parameters = std::move(parameters);
    request.parameters.emplace_back("project", "a");
    return service->Run(request);
  }
  // How far back the query reads: where retention begins, as no other bound of these calls is as late.
  absl::Duration Window(ParameterTexts parameters) {
    REQUIRE(Run(std::move(parameters)).ok());
    absl::Duration shortest = absl::InfiniteDuration();
    const std::vector<Value> bound = backend.calls().back().bindings;
    for (const Value& value : bound) {
      if (!value.type().is(TypeKind::kTimestamp)) continue;
      const absl::Duration back = kNow - absl::FromUnixMicros(value.int64_value());
      if (back > absl::ZeroDuration()) shortest = std::min(shortest, back);
    }
    return shortest;
  }
  FakeClock clock;
  FakeBackend backend;
  std::unique_ptr<QueryService> service;
};

TEST_CASE("a window cut by retention is reported with the requested one") {
  Fixture f;
  const auto cut =
      f.Run({{"iso_timestamp_start", "2026-02-25T00:00:00Z"}, {"iso_timestamp_end", "2026-03-04T00:00:00Z"}});
  REQUIRE(cut.ok());
  REQUIRE(cut->window.has_value());
  CHECK(cut->window->start == kNow - absl::Hours(24));
  CHECK(cut->window->end == absl::FromUnixSeconds(1'772'582'400));
  CHECK(cut->window->asked_start == absl::FromUnixSeconds(1'771'977'600));
  CHECK(cut->window->asked_end == cut->window->end);

  const auto open = f.Run({{"iso_timestamp_start", "2026-02-25T00:00:00Z"}});
  REQUIRE(open->window.has_value());
  CHECK_FALSE(open->window->end.has_value());
  CHECK_FALSE(open->window->asked_end.has_value());
}

TEST_CASE("an uncut or unrequested window is not reported") {
  Fixture f;
  CHECK_FALSE(f.Run({})->window.has_value());
  CHECK_FALSE(f.Run({{"iso_timestamp_start", "2026-03-04T00:00:00Z"}})->window.has_value());
  CHECK_FALSE(f.Run({{"project_tier", "PRO"}, {"iso_timestamp_start", "2026-02-26T00:00:00Z"}})->window.has_value());
  CHECK_FALSE(f.Run({{"iso_timestamp_end", "2026-02-01"}})->window.has_value());
}

TEST_CASE("a window that ends before retention begins is empty") {
  Fixture f;
  const auto cut = f.Run({{"iso_timestamp_start", "2026-02-01"}, {"iso_timestamp_end", "2026-02-02"}});
  REQUIRE(cut->window.has_value());
  CHECK(cut->window->start == cut->window->end);
  CHECK(cut->window->asked_end == absl::FromUnixSeconds(1'769'990'400));
}

TEST_CASE("a definition may have tiers of its own, whose windows cut as those of the server do") {
  const auto definition =
      Endpoint::FromJson("n.json", R"({"id": "b0a9a6e8-6a0e-4a63-9f0b-6d4c4a1f8f01", "name": "n", "parameters": [
      {"name": "tier", "type": "STRING"}, {"name": "since", "type": "TIMESTAMP"},
      {"name": "floor", "computed": {"by": "retention", "from": "tier", "start": "since",
                                     "windows": {"trial": 3600, "team": 604800}, "otherwise": "trial"}}]})",
                         "SELECT @floor AS f, @since AS s");
  INFO(definition.status().ToString());
  REQUIRE(definition.ok());
  const absl::Time now = absl::FromUnixSeconds(1'772'600'767);
  testing::FakeClock clock(now);
  const ParameterBinder binder(RetentionPolicy::Default(&clock), IntervalBucketer(&clock));
  const auto bind = [&](const ParameterTexts& texts) { return binder.Bind(*definition, texts, now); };
  CHECK(*bind({{"tier", "team"}})->Find("floor") == Value::Timestamp(now - absl::Hours(168)));
  CHECK(*bind({{"tier", "PRO"}})->Find("floor") == Value::Timestamp(now - absl::Hours(1)));
  CHECK(*bind({})->Find("floor") == Value::Timestamp(now - absl::Hours(1)));
  const auto cut = endpoint::FindCutWindow(*definition, *bind({{"since", "2026-03-01"}}));
  REQUIRE(cut.has_value());
  CHECK(cut->start == now - absl::Hours(1));
  // The server's default tier fills in only a tier that the definition has.
  ParameterTexts texts;
  endpoint::FillTier(*definition, "PRO", texts);
  CHECK(texts.empty());
  endpoint::FillTier(*definition, "team", texts);
  CHECK(texts == ParameterTexts{{"tier", "team"}});

  const auto without =
      Endpoint::FromJson("n.json", R"({"id": "b0a9a6e8-6a0e-4a63-9f0b-6d4c4a1f8f01", "name": "n", "parameters": [
      {"name": "tier", "type": "STRING"}, {"name": "floor", "computed": {"by": "retention", "from": "tier",
                                           "windows": {"trial": 3600}}}]})",
                         "SELECT @floor AS f");
  REQUIRE(without.ok());
  CHECK(binder.Bind(*without, {{"tier", "team"}}, now).status().message() ==
        "parameter tier must be one of trial; is \"team\"");
}

TEST_CASE("the default tier is that of calls that name none, and of no others") {
  constexpr absl::Duration kDay = absl::Hours(24);
  Fixture plain;
  CHECK(plain.Window({}) == kDay);
  Fixture f("PAYG");
  CHECK(f.Window({}) == 90 * kDay);
  CHECK(f.Window({{"project_tier", ""}}) == 90 * kDay);
  CHECK(f.Window({{"project_tier", "PRO"}}) == 7 * kDay);
  CHECK(f.Window({{"project_tier", "unknown"}}) == kDay);
}

TEST_CASE("a definition's own default, and the texts that it allows, come before the default tier") {
  std::vector<Endpoint> endpoints = Endpoint::BuiltIn();
  Parameter* tier = nullptr;
  for (Endpoint& endpoint : endpoints) {
    for (Parameter& parameter : endpoint.parameters) {
      if (endpoint.name == "logs.all" && parameter.name == "project_tier") tier = &parameter;
    }
  }
  REQUIRE(tier != nullptr);
  tier->default_text = "PRO";
  CHECK(Fixture("PAYG", endpoints).Window({}) == absl::Hours(7 * 24));
  tier->default_text.reset();
  tier->allowed = {"FREE", "PRO"};
  CHECK(Fixture("PAYG", endpoints).Window({}) == absl::Hours(24));
}

TEST_CASE("calls of another default tier share no cached answer: the tier is bound") {
  Endpoint cached = Endpoint::BuiltIn()[1];
  REQUIRE(cached.name == "logs.all");
  cached.caching = absl::Seconds(60);
  Fixture f("PRO", {cached});
  CHECK((f.Run({})->cache == CacheUse::kMiss));
  CHECK((f.Run({{"project_tier", "PRO"}})->cache == CacheUse::kHit));
  CHECK((f.Run({{"project_tier", "FREE"}})->cache == CacheUse::kMiss));
  CHECK((f.Run({{"project_tier", "one"}})->cache == CacheUse::kMiss));
}

TEST_CASE("an unknown default tier is rejected with a similar one") {
  FakeClock clock(kNow);
  FakeBackend backend(Catalog::DeclaredLogs(), &clock);
  QueryServiceOptions options;
  options.backend = &backend;
  options.default_tier = "PAYGO";
  const absl::Status status = QueryService::Create(options).status();
  CHECK(absl::IsInvalidArgument(status));
  CHECK(base::Message(status) ==
        "the default tier must be one of ENTERPRISE, FREE, PAYG, PRO, is \"PAYGO\"; did you mean PAYG?");
}

TEST_CASE("an answer names the revision of its definition") {
  Fixture f;
  const auto answer = f.Run({});
  CHECK(answer->revision.size() == 16);
  CHECK(answer->revision == f.service->registry()->Find("logs.all")->definition().revision);
}

}  // namespace
}  // namespace logquery
