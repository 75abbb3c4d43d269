// Random principals make random calls, and each answer is compared with what the same call gets where nothing is kept. The
// backend says which execution made an answer, and knows what that was asked: an answer that was made for another call shows.
#include <algorithm>
#include <array>
#include <catch2/catch_test_macros.hpp>
#include <iterator>
#include <map>
#include <random>

#include "lib/base/strings.h"
#include "logquery/query_service.h"
#include "logquery/testing/fake_backend.h"
#include "logquery/testing/fake_clock.h"

namespace logquery {
namespace {

using testing::FakeBackend;
using testing::FakeClock;

// Texts that joins of names and values by a separator, by a length, or into quotes would confuse.
const std::string kTexts[] = {"",
                              "a",
                              "b",
                              "A",
                              "a=b&c",
                              "a=b",
                              "a&c=",
                              "c",
                              "1:a",
                              "0:",
                              "3:1:a",
                              "a\n",
                              "a ",
                              "NULL",
                              "\"",
                              "\\\"",
                              "\\",
                              "a\", \"b",
                              "a,b",
                              std::string("a\0b", 3),
                              std::string("a\0", 2),
                              "\xC3\xA4",          // a letter in one code point
                              "a\xCC\x88",         // and the same in two
                              "\xE2\x80\x8B",      // a space without width
                              "\xF0\x9F\x98\x80",  // beyond the basic plane
                              "10.1.2.3",
                              "10.1.2.4"};
// With one of these between, a value and the next may be cut in two ways: x | y&b=z and x&b=y | z.
const std::string kJoins[] = {"&b=", "&", ",", "|", ":", "\n", "\", \"", "\"", std::string("\0", 1), ""};
constexpr const char* kNames[] = {"a", "b", "ab", "n", "f", "t", "d"};
// Texts of the other types; those of a line are one value.
constexpr const char* kNumbers[] = {"1", "01", "2", "-1", ""};
constexpr const char* kFloats[] = {"1", "1.0", "1e0", "0.1", "-0.0", "0", ""};
constexpr const char* kTruths[] = {"true", "TRUE", "false", ""};
constexpr const char* kDates[] = {"2026-01-31", "2026-02-01", ""};

std::vector<Endpoint> Endpoints(bool caching) {
  std::vector<Endpoint> endpoints(2);
  for (size_t i = 0; i < endpoints.size(); ++i) {
    Endpoint& endpoint = endpoints[i];
    endpoint.id = base::StrCat("00000000-0000-4000-8000-00000000000", i);
    endpoint.name = base::StrCat("of.", i);
    endpoint.query =
        "WITH logs AS (SELECT id, event_message FROM `cloudflare.logs.prod` WHERE project = @a OR event_message = @b "
        "OR id = @ab OR LENGTH(id) = @n OR LENGTH(id) < @f OR @t OR DATE(timestamp) = @d) "
        "SELECT id, event_message FROM logs";
    endpoint.query_sandboxing = true;
    if (caching) endpoint.caching = absl::Seconds(900);
    endpoint.parameters.resize(std::size(kNames));
    for (size_t n = 0; n < std::size(kNames); ++n) endpoint.parameters[n].name = kNames[n];
    endpoint.parameters[1].default_text = "a=b";
    endpoint.parameters[3].type = Type::Int64();
    endpoint.parameters[4].type = Type::Float64();
    endpoint.parameters[5].type = Type::Bool();
    endpoint.parameters[6].type = Type::Date();
  }
  return endpoints;
}

class Chance {
 public:
  explicit Chance(unsigned seed) : random_(seed) {}
  bool OneIn(size_t n) { return random_() % n == 0; }
  size_t Below(size_t n) { return random_() % n; }
  template <typename List>
  auto Pick(const List& list) {
    return list[Below(std::size(list))];
  }

  std::string TextFor(const std::string& name) {
    if (name == "n") return Pick(kNumbers);
    if (name == "f") return Pick(kFloats);
    if (name == "t") return Pick(kTruths);
    if (name == "d") return Pick(kDates);
    return OneIn(4) ? Pick(kTexts) + Pick(kTexts) : Pick(kTexts);
  }

  // Two principals that differ in their fixed values alone, if at all, in a way that a key could miss.
  std::pair<Principal, Principal> MakePair() {
    std::pair<Principal, Principal> pair;
    pair.first = MakePrincipal();
    if (OneIn(2)) return {pair.first, MakePrincipal()};
    const std::string x = Pick(kTexts), y = Pick(kTexts), z = Pick(kTexts), join = Pick(kJoins);
    pair.second = pair.first;
    pair.first.fixed_parameters["a"] = x;
    pair.first.fixed_parameters["b"] = base::StrCat(y, join, z);
    pair.second.fixed_parameters["a"] = base::StrCat(x, join, y);
    pair.second.fixed_parameters["b"] = z;
    return pair;
  }

  Principal MakePrincipal() {
    Principal principal;
    for (const char* name : kNames) {
      if (OneIn(4)) principal.fixed_parameters[name] = TextFor(name);
    }
    if (OneIn(3)) principal.project_scope = Pick(kTexts);
    principal.redact_pii = OneIn(5);
    if (OneIn(4)) principal.max_rows = 1 + static_cast<int64_t>(Below(2));
    if (OneIn(5)) principal.limits.max_result_bytes = 100'000 + static_cast<int64_t>(Below(2));
    if (OneIn(5)) principal.limits.time_limit = absl::Seconds(1 + Below(2));
    return principal;
  }

  QueryRequest MakeRequest() {
    QueryRequest request;
    request.endpoint = base::StrCat("of.", Below(2));
    for (const char* name : kNames) {
      if (OneIn(3)) request.parameters.emplace_back(name, TextFor(name));
    }
    if (OneIn(6)) request.parameters.emplace_back("team", Pick(kTexts));  // which no endpoint knows
    std::shuffle(request.parameters.begin(), request.parameters.end(), random_);
    if (OneIn(5)) request.parameters.emplace_back("sql", OneIn(2) ? "SELECT id, id AS b FROM logs" : "");
    request.redact_pii = OneIn(6);
    request.int64_as_string = OneIn(6);
    request.csv_safe = OneIn(6);
    request.format =
        Pick(std::array{RowFormat::kJson, RowFormat::kJson, RowFormat::kNdjson, RowFormat::kCsv, RowFormat::kJsonRows});
    return request;
  }

 private:
  std::mt19937 random_;
};

class PrincipalByNumber : public Authenticator {
 public:
  absl::StatusOr<Principal> Authenticate(std::string_view token) override {
    return principals.at(std::stoul(std::string(token)));
  }
  std::vector<Principal> principals;
};

// Answers which execution it is, and remembers what that was asked.
class TellingService {
 public:
  TellingService(bool caching, Authenticator* authenticator) : backend_(Catalog::DeclaredLogs(), &clock_) {
    backend_.AnswerBy([this](const PreparedQuery& query, const Bindings& bindings) {
      std::string said = query.googlesql();
      for (size_t i = 0; i < bindings.size(); ++i) {
        base::StrAppend(&said, ", ", query.slots()[i].name, "=", bindings[i].DebugString());
      }
      asked_.push_back(said);
      const Value made = Value::String(base::StrCat("made by ", asked_.size(), "."));
      return FakeBackend::Rows(3, {Value::String(said), made});
    });
    QueryServiceOptions options;
    options.backend = &backend_;
    options.authenticator = authenticator;
    options.clock = &clock_;
    options.endpoints = Endpoints(caching);
    options.warming_threads = 0;
    service_ = QueryService::Create(options).value();
  }

  absl::StatusOr<QueryAnswer> Run(const QueryRequest& request) { return service_->Run(request); }
  int executions() const { return static_cast<int>(asked_.size()); }
  // The text that the execution of that number, from 1 on, was asked.
  const std::string& Asked(int execution) const { return asked_.at(static_cast<size_t>(execution) - 1); }

 private:
  std::vector<std::string> asked_;
  FakeClock clock_;
  FakeBackend backend_;
  std::unique_ptr<QueryService> service_;
};

// Takes out which execution made the answer. Formats of text only: others also hold the lengths of what is taken out.
int TakeMaker(SharedText& answer) {
  std::string body = answer;
  constexpr std::string_view kMadeBy = "made by ";
  int maker = 0;
  for (size_t at = 0; (at = body.find(kMadeBy, at)) != std::string::npos;) {
    const size_t end = body.find('.', at);
    maker = std::stoi(body.substr(at + kMadeBy.size()));
    body.erase(at, end + 1 - at);
  }
  answer = body;
  return maker;
}

// The part of a call that no query and no value shows: who asks, and for what.
std::string Hidden(const Principal& principal, const QueryRequest& request) {
  const CallLimits& limits = principal.limits;
  return base::StrCat(request.endpoint, " scope ", principal.project_scope.has_value() ? "=" : "",
                      principal.project_scope.value_or(""), "\n", principal.redact_pii,
                      principal.redact_pii || request.redact_pii, " limits ", principal.max_rows.value_or(0), " ",
                      limits.max_result_bytes.value_or(0), " ",
                      absl::FormatDuration(limits.time_limit.value_or(absl::ZeroDuration())));
}

TEST_CASE("random principals with other fixed values never share an answer, whatever they send") {
  Chance chance(20'260'131);
  PrincipalByNumber authenticator;
  std::vector<Principal>& principals = authenticator.principals;
  for (int i = 0; i < 30; ++i) {
    const auto [first, second] = chance.MakePair();
    principals.push_back(first);
    principals.push_back(second);
  }
  TellingService keeping(true, &authenticator);
  TellingService making(false, &authenticator);
  int hits = 0;
  int refused = 0;
  std::map<int, std::string> made_for;  // execution → for whom it was made
  const auto check = [&](QueryRequest request, size_t who) {
    request.token = std::to_string(who);
    CAPTURE(who);
    absl::StatusOr<QueryAnswer> kept = keeping.Run(request);
    absl::StatusOr<QueryAnswer> made = making.Run(request);
    REQUIRE(kept.status() == made.status());
    if (!kept.ok()) {
      ++refused;
      return;
    }
    const int maker = TakeMaker(kept->body);
    REQUIRE(keeping.Asked(maker) == making.Asked(TakeMaker(made->body)));
    REQUIRE(kept->body == made->body);
    REQUIRE(kept->truncated == made->truncated);
    REQUIRE(kept->ignored_parameters == made->ignored_parameters);
    const std::string hidden = Hidden(principals[who], request);
    const auto [place, first] = made_for.emplace(maker, hidden);
    REQUIRE(place->second == hidden);
    REQUIRE(first == (kept->cache == CacheUse::kMiss));
    hits += first ? 0 : 1;
  };
  std::vector<QueryRequest> requests;
  for (int round = 0; round < 10'000; ++round) {
    CAPTURE(round);
    // Half of the requests were made before, by the same principals or others.
    const bool again = !requests.empty() && chance.OneIn(2);
    const QueryRequest request = again ? chance.Pick(requests) : chance.MakeRequest();
    if (!again) requests.push_back(request);
    const size_t who = chance.Below(principals.size());
    check(request, who);
    check(request, who ^ 1);
  }
  // The test means something: calls were answered from the cache, made, and refused.
  CHECK(hits > 1'000);
  CHECK(keeping.executions() > 1'000);
  CHECK(static_cast<size_t>(keeping.executions()) == made_for.size());
  CHECK(refused > 1'000);
}

}  // namespace
}  // namespace logquery
