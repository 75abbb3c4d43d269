// All three endpoints against plain loops over the same NDJSON, in every row and column.
#include <catch2/catch_test_macros.hpp>
#include <ctime>
#include <random>

#include "logquery/testing/fake_clock.h"
#include "tests/reference/log_data.h"
#include "tests/reference/reference.h"

namespace logquery::reference {
namespace {

class Dice {
 public:
  explicit Dice(uint32_t seed) : random_(seed) {}
  size_t Below(size_t n) { return random_() % n; }
  bool OneIn(size_t n) { return Below(n) == 0; }
  template <typename List>
  auto Of(const List& list) {
    return *(std::begin(list) + Below(std::size(list)));
  }

 private:
  std::mt19937 random_;
};

// A service over the data whose clock the caller sets.
struct Subject {
  explicit Subject(Authenticator* authenticator = nullptr) {
    QueryServiceOptions options;
    options.backend = &LogData::Get().backend();
    for (Endpoint& endpoint : options.endpoints)
      endpoint.caching = endpoint.cache_warming = std::nullopt;  // each call at a time of its own
    options.authenticator = authenticator;
    options.clock = &clock;
    auto created = QueryService::Create(std::move(options));
    INFO(created.status().ToString());
    REQUIRE(created.ok());
    service = *std::move(created);
  }
  Json Run(const std::string& endpoint, ParameterTexts parameters, int64_t now, const std::string& token = "") {
    clock.Set(absl::FromUnixMicros(now));
    QueryRequest request;
    request.endpoint = endpoint;
    request.parameters = std::move(parameters);
    request.token = token;
    return Rows(service->Run(request));
  }
  testing::FakeClock clock;
  std::unique_ptr<QueryService> service;
};

std::string Shown(const std::string& endpoint, const ParameterTexts& parameters, int64_t now) {
  std::string text = endpoint + " at " + std::to_string(now);
  for (const auto& [name, value] : parameters) text += " " + name + "=[" + value + "]";
  return text;
}

std::string Padded(int64_t number, size_t digits) {
  std::string text = std::to_string(number);
  return std::string(digits - std::min(digits, text.size()), '0') + text;
}

// `time` in one of the forms that ISO 8601 has for it; what the form can't hold is cut off `time`.
std::string TimeInSomeForm(Dice& dice, int64_t& time) {
  const int offset = dice.OneIn(2) ? 0 : static_cast<int>(dice.Below(25 * 60)) - 12 * 60;
  const size_t fraction = dice.Below(10);  // digits
  if (dice.OneIn(10)) {                    // the date alone
    time -= time % kDay;
  } else if (fraction == 0) {
    time -= time % kSecond;
  } else if (fraction < 6) {
    int64_t unit = 1;
    for (size_t i = fraction; i < 6; ++i) unit *= 10;
    time -= time % unit;
  }
  const bool date_only = time % kDay == 0;
  const int64_t local = time + (date_only ? 0 : offset * kMinute);
  const std::time_t seconds = local / kSecond;
  char text[64];
  std::strftime(text, sizeof(text),
                date_only       ? "%Y-%m-%d"
                : dice.OneIn(3) ? "%Y-%m-%d %H:%M:%S"
                                : "%Y-%m-%dT%H:%M:%S",
                std::gmtime(&seconds));
  std::string shown = text;
  if (date_only) return shown;
  if (fraction != 0) shown += "." + (Padded(time % kSecond, 6) + "789").substr(0, fraction);
  if (offset == 0) return shown + dice.Of(std::vector<const char*>{"", "Z", "+00:00", "-00:00"});
  const int size = std::abs(offset);
  const char* sign = offset < 0 ? "-" : dice.OneIn(3) ? " " : "+";
  return shown + sign + Padded(size / 60, 2) + ":" + Padded(size % 60, 2);
}

int64_t SomeNow(Dice& dice) {
  const int64_t end = LogData::kEnd;
  return dice.Of(std::vector<int64_t>{end, end, end, end - 1, end + 1, end - end % kHour, end - end % kDay,
                                      end + 3 * kHour, end - 50 * kDay});
}

std::string SomeProject(Dice& dice) {
  const auto& projects = LogData::Get().projects();
  if (dice.OneIn(4)) return LogData::kOddProject;
  if (dice.OneIn(10)) return dice.Of(std::vector<std::string>{"absent", "ODD", "odd ", "'", "%", "o'; --", "ödd"});
  return dice.Of(projects);
}

// A time near a row's, exactly it, or anywhere.
std::optional<int64_t> SomeBound(Dice& dice) {
  const auto& rows = LogData::Get().logs().edge;
  switch (dice.Below(5)) {
    case 0:
    case 1:
      return std::nullopt;
    case 2:
      return dice.Of(rows).timestamp;
    case 3:
      return dice.Of(rows).timestamp + static_cast<int64_t>(dice.Below(3)) - 1;
    default:
      return LogData::kEnd - static_cast<int64_t>(dice.Below(8 * 24 * 3600)) * kSecond;
  }
}

void CheckLogsAll(Subject& subject, Dice& dice) {
  const int64_t now = SomeNow(dice);
  LogsAllCall call;
  call.tier = dice.Of(
      std::vector<std::string>{"FREE", "PRO", "PRO", "PAYG", "ENTERPRISE", "ENTERPRISE", "", "free", "TEAM", "PRO "});
  call.project = SomeProject(dice);
  call.start = SomeBound(dice);
  call.end = SomeBound(dice);
  ParameterTexts parameters = {{"project", call.project}};
  if (!call.tier.empty() || dice.OneIn(2)) parameters.emplace_back("project_tier", call.tier);
  for (auto* bound : {&call.start, &call.end}) {
    const std::string name = bound == &call.start ? "iso_timestamp_start" : "iso_timestamp_end";
    if (*bound) {
      parameters.emplace_back(name, TimeInSomeForm(dice, **bound));
    } else if (dice.OneIn(2)) {
      parameters.emplace_back(name, "");
    }
  }
  INFO(Shown("logs.all", parameters, now));
  CHECK(Difference(LogsAll(LogData::Get().logs(), call, now), subject.Run("logs.all", parameters, now)) == "");
}

void CheckInvocationStats(Subject& subject, Dice& dice) {
  const int64_t now = SomeNow(dice);
  InvocationStatsCall call;
  call.interval = dice.Of(std::vector<std::string>{"5min", "15min", "1hr", "1day", "7day", "7day", "", "2day", "1HR"});
  call.project = SomeProject(dice);
  if (dice.OneIn(2)) {
    call.function_id = dice.Of(LogData::Get().functions());
    // Most functions are of another project: take one of this one's often.
    for (int i = 0; i < 3; ++i) {
      const Json& row = dice.Of(LogData::Get().logs().relay).json;
      const Json metadata = row.contains("metadata") ? row.at("metadata") : Json();
      if (!metadata.is_object() || metadata.value("function_id", Json()).is_null()) continue;
      if (metadata.value("project_ref", Json()).is_null()) continue;
      call.project = metadata.at("project_ref").get<std::string>();
      call.function_id = metadata.at("function_id").get<std::string>();
    }
  }
  ParameterTexts parameters = {{"interval", call.interval}, {"project", call.project}};
  if (!call.function_id.empty() || dice.OneIn(2)) parameters.emplace_back("function_id", call.function_id);
  INFO(Shown("functions.invocation-stats", parameters, now));
  CHECK(Difference(InvocationStats(LogData::Get().logs(), call, now),
                   subject.Run("functions.invocation-stats", parameters, now)) == "");
}

std::string SomePattern(Dice& dice) {
  const std::string project = SomeProject(dice);
  switch (dice.Below(5)) {
    case 0:
      return project;
    case 1:
      return "^https://" + project + "\\.example\\.co/";
    case 2:
      return "https://(" + project + "|" + SomeProject(dice) + ")[.]";
    default:
      return dice.Of(
          std::vector<std::string>{".*",     ".",      "^$",           "(?i)HTTPS://",   "rest|auth",     "/v1/[a-m]",
                                   "\\d{3}", "é",      "^line\nbreak", "(?s)line.break", "\\?",           "[^a-z]$",
                                   "\"",     "'",      "x{0}",         "profiles$",      "\\bstorage\\b", "(?-s).{60,}",
                                   "%2e",    "\\pL{3}"});
  }
}

void CheckApiCounts(Subject& subject, Dice& dice) {
  const int64_t now = SomeNow(dice);
  ApiCountsCall call;
  call.interval = dice.Of(std::vector<std::string>{"hourly", "minutely", "daily", "daily"});
  call.pattern = SomePattern(dice);
  const ParameterTexts parameters = {{"project", call.pattern}, {"interval", call.interval}};
  INFO(Shown("usage.api-counts", parameters, now));
  CHECK(Difference(ApiCounts(LogData::Get().logs(), call, now), subject.Run("usage.api-counts", parameters, now)) ==
        "");
}

TEST_CASE("300 random calls agree with the reference in every row and column") {
  Subject subject;
  Dice dice(20260115);
  for (int i = 0; i < 100; ++i) {
    CheckLogsAll(subject, dice);
    CheckInvocationStats(subject, dice);
    CheckApiCounts(subject, dice);
  }
}

TEST_CASE("the random calls see rows, buckets and matches") {
  // Guards the test above: were the data empty where it looks, all would agree.
  const Logs& logs = LogData::Get().logs();
  const int64_t now = LogData::kEnd;
  const std::string odd = LogData::kOddProject;

  CHECK(LogsAll(logs, {.tier = "FREE", .project = odd, .start = {}, .end = {}}, now).size() == 100);
  int filled = 0;
  for (const Json& row : InvocationStats(logs, {.interval = "", .project = odd, .function_id = ""}, now)) {
    filled += row.at("count") > 0;
  }
  CHECK(filled >= 3);
  CHECK(ApiCounts(logs, {.interval = "minutely", .pattern = ".", .only_project = ""}, now).size() > 30);
  CHECK(ApiCounts(logs, {.interval = "daily", .pattern = ".", .only_project = ""}, now).size() >= 8);
}

TEST_CASE("a difference is found in values, keys, their order and the number of rows") {
  struct Case {
    const char *wanted, *is;
    bool same;
  };
  const Case cases[] = {
      {R"([{"a":1,"b":null}])", R"([{"a":1,"b":null}])", true},
      {R"([{"a":2.5}])", R"([{"a":2.5000000001}])", true},
      {R"([{"a":2.5}])", R"([{"a":2.50001}])", false},
      {R"([{"a":9007199254740993}])", R"([{"a":9007199254740992}])", false},
      {R"([{"a":1,"b":2}])", R"([{"b":2,"a":1}])", false},
      {R"([{"a":1}])", R"([{"a":1,"b":null}])", false},
      {R"([{"a":1}])", R"([{"a":1},{"a":1}])", false},
      {R"([{"a":1}])", R"([{"a":"1"}])", false},
      {R"([{"a":0}])", R"([{"a":null}])", false},
      {R"([{"a":[]}])", R"([{"a":[{}]}])", false},
  };
  for (const Case& c : cases) {
    CAPTURE(c.wanted, c.is);
    CHECK(Difference(Json::parse(c.wanted), Json::parse(c.is)).empty() == c.same);
  }
}

TEST_CASE("invalid calls are rejected") {
  struct Refused {
    const char* endpoint;
    ParameterTexts parameters;
  };
  const Refused cases[] = {
      {"logs.all", {}},
      {"logs.all", {{"project", ""}, {"project_tier", "PRO"}}},
      {"logs.all", {{"project", "odd"}, {"iso_timestamp_start", "yesterday"}}},
      {"logs.all", {{"project", "odd"}, {"iso_timestamp_end", "2026-02-30"}}},
      {"logs.all", {{"project", "odd"}, {"project", "odd"}}},
      {"functions.invocation-stats", {{"interval", "1hr"}}},
      {"usage.api-counts", {{"project", "odd"}}},
      {"usage.api-counts", {{"project", "odd"}, {"interval", "1day"}}},
      {"usage.api-counts", {{"project", "odd("}, {"interval", "daily"}}},
  };
  Subject subject;
  for (const Refused& refused : cases) {
    CAPTURE(Shown(refused.endpoint, refused.parameters, 0));
    QueryRequest request;
    request.endpoint = refused.endpoint;
    request.parameters = refused.parameters;
    const auto answer = subject.service->Run(request);
    CHECK(answer.status().code() == absl::StatusCode::kInvalidArgument);
  }
}

// A token is the project that it is scoped to.
class TokenIsScope : public Authenticator {
 public:
  absl::StatusOr<Principal> Authenticate(std::string_view token) override {
    Principal principal;
    principal.label = "test";
    principal.project_scope = std::string(token);
    return principal;
  }
};

TEST_CASE("a token's project scope holds whatever the pattern matches") {
  TokenIsScope authenticator;
  Subject subject(&authenticator);
  Dice dice(7);
  for (const std::string& scope : LogData::Get().projects()) {
    for (const char* pattern : {".*", "", "example"}) {
      const ApiCountsCall call = {
          .interval = "daily", .pattern = *pattern ? pattern : SomePattern(dice), .only_project = scope};
      const ParameterTexts parameters = {{"interval", call.interval}, {"project", call.pattern}};
      INFO(scope << ": " << Shown("usage.api-counts", parameters, LogData::kEnd));
      CHECK(Difference(ApiCounts(LogData::Get().logs(), call, LogData::kEnd),
                       subject.Run("usage.api-counts", parameters, LogData::kEnd, scope)) == "");
    }
  }
}

TEST_CASE("a token's project scope excludes all rows of other projects") {
  TokenIsScope authenticator;
  Subject subject(&authenticator);
  const auto& projects = LogData::Get().projects();
  const std::string odd = LogData::kOddProject, other = projects.front() == odd ? projects.back() : projects.front();
  const auto is_empty = [](const Json& rows) { return rows.is_array() && rows.empty(); };

  CHECK(is_empty(subject.Run("logs.all", {{"project", odd}, {"project_tier", "PRO"}}, LogData::kEnd, other)));
  CHECK_FALSE(is_empty(subject.Run("logs.all", {{"project", odd}, {"project_tier", "PRO"}}, LogData::kEnd, odd)));
  for (const Json& row : subject.Run("functions.invocation-stats", {{"project", odd}}, LogData::kEnd, other)) {
    CHECK(row.at("count") == 0);
  }
}

}  // namespace
}  // namespace logquery::reference
