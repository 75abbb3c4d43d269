#include "logquery/parameter_binder.h"

#include <catch2/catch_test_macros.hpp>
#include <cmath>

#include "lib/base/strings.h"
#include "logquery/error.h"
#include "logquery/testing/fake_clock.h"

namespace logquery {
namespace {

const absl::Time kNow = absl::FromUnixSeconds(1'769'854'830);  // 2026-01-31T10:20:30Z

ParameterBinder MakeBinder() {
  static const testing::FakeClock* const clock = new testing::FakeClock(kNow + absl::Hours(1'000));
  return ParameterBinder(RetentionPolicy::Default(clock), IntervalBucketer(clock));
}

absl::StatusOr<BoundParameters> Bind(const Endpoint& endpoint, const ParameterTexts& texts) {
  return MakeBinder().Bind(endpoint, texts, kNow);
}

Parameter Named(const char* name, Type type = Type::String()) {
  Parameter parameter;
  parameter.name = name;
  parameter.type = type;
  return parameter;
}

Parameter Computed(const char* name, ComputedParameter computed) {
  Parameter parameter = Named(name, Type::Timestamp());
  parameter.computed = std::move(computed);
  return parameter;
}

// An endpoint with a parameter of every kind.
Endpoint Everything() {
  Endpoint endpoint;
  Parameter project = Named("project");
  project.required = true;
  Parameter interval = Named("interval");
  interval.default_text = "1day";
  Parameter unit = Named("unit");
  unit.allowed = {"hourly", "minutely"};
  Parameter pattern = Named("pattern");
  pattern.is_pattern = true;
  Parameter numbers = Named("numbers", Type::Array(Type::Int64()));
  numbers.allowed = {"1", "20", "300"};
  Parameter brief = Named("brief");
  brief.max_length = 3;
  ComputedParameter buckets;
  buckets.by = ComputedParameter::By::kBuckets;
  buckets.from = "interval";
  buckets.otherwise = "1day";
  buckets.buckets = {{"1day", {1, "day_hour"}}, {"5min", {5, "minute_second"}}};
  ComputedParameter window;
  window.by = ComputedParameter::By::kWindowStart;
  window.from = "unit";
  window.windows = {{"hourly", absl::Hours(1)}, {"minutely", absl::Minutes(60)}};
  ComputedParameter retention;
  retention.from = "tier";
  endpoint.parameters = {project,
                         Computed("retention_start", retention),
                         Named("tier"),
                         Named("start", Type::Timestamp()),
                         interval,
                         Computed("bucket_timestamps", buckets),
                         unit,
                         Computed("window_start", window),
                         pattern,
                         brief,
                         Named("count", Type::Int64()),
                         Named("ratio", Type::Float64()),
                         Named("flag", Type::Bool()),
                         Named("day", Type::Date()),
                         Named("texts", Type::Array(Type::String())),
                         numbers};
  return endpoint;
}

TEST_CASE("texts become typed values, computed ones included") {
  const auto bound = Bind(Everything(), {{"project", "abc"},
                                         {"tier", "PRO"},
                                         {"start", "2026-01-31T08:00:00+02:00"},
                                         {"unit", "hourly"},
                                         {"count", "-5"}});
  REQUIRE(bound.ok());
  CHECK(*bound->Find("project") == Value::String("abc"));
  CHECK(*bound->Find("retention_start") == Value::Timestamp(kNow - absl::Hours(24 * 7)));
  CHECK(bound->Find("start")->DebugString() == "TIMESTAMP \"2026-01-31 06:00:00+00\"");
  CHECK(*bound->Find("window_start") == Value::Timestamp(kNow - absl::Hours(1)));
  CHECK(bound->Find("bucket_timestamps")->children().size() == 24);
  CHECK(*bound->Find("count") == Value::Int64(-5));
  CHECK(bound->now() == kNow);
  CHECK(bound->Find("nothing") == nullptr);
}

TEST_CASE("values are in the order of the definition") {
  const Endpoint endpoint = Everything();
  const auto bound = Bind(endpoint, {{"unit", "hourly"}, {"project", "abc"}});
  REQUIRE(bound.ok());
  REQUIRE(bound->values().size() == endpoint.parameters.size());
  for (size_t i = 0; i < endpoint.parameters.size(); ++i) {
    CHECK(bound->values()[i].first == endpoint.parameters[i].name);
  }
}

TEST_CASE("an empty text is the same as none") {
  const ParameterTexts sent = {{"project", "a"}, {"unit", "hourly"}};
  const auto absent = Bind(Everything(), sent);
  const auto empty = Bind(Everything(), {{"project", "a"},
                                         {"unit", "hourly"},
                                         {"tier", ""},
                                         {"start", ""},
                                         {"interval", ""},
                                         {"pattern", ""},
                                         {"count", ""},
                                         {"retention_start", ""}});
  REQUIRE(absent.ok());
  REQUIRE(empty.ok());
  CHECK(absent->values() == empty->values());
  CHECK(*absent->Find("start") == Value::Null(Type::Timestamp()));
  CHECK(*absent->Find("interval") == Value::String("1day"));
  CHECK(*absent->Find("retention_start") == Value::Timestamp(kNow - absl::Hours(24)));
}

TEST_CASE("unknown parameters are ignored, and listed once in the call's order; sql is not one") {
  const auto bound =
      Bind(Everything(),
           {{"utm", "1"}, {"project", "a"}, {"sql", "select 1"}, {"unit", "hourly"}, {"Project", "b"}, {"utm", "2"}});
  REQUIRE(bound.ok());
  CHECK(bound->ignored() == std::vector<std::string>{"utm", "Project"});
  CHECK(bound->Find("sql") == nullptr);
}

TEST_CASE("a choice is made by exact text, by the fallback, or is missing") {
  const auto five = Bind(Everything(), {{"project", "a"}, {"unit", "minutely"}, {"interval", "5min"}});
  CHECK(five->Find("bucket_timestamps")->children().size() == 300);
  const auto other = Bind(Everything(), {{"project", "a"}, {"unit", "minutely"}, {"interval", "3weeks"}});
  CHECK(other->Find("bucket_timestamps")->children().size() == 24);
  CHECK(*other->Find("interval") == Value::String("3weeks"));
}

TEST_CASE("each type takes its texts") {
  struct Case {
    const char* name;
    const char* text;
    Value value;
  };
  const Case cases[] = {
      {"count", "9223372036854775807", Value::Int64(INT64_MAX)},
      {"ratio", "1e3", Value::Float64(1000)},
      {"ratio", "nan", Value::Float64(std::nan(""))},
      {"flag", "TRUE", Value::Bool(true)},
      {"flag", "false", Value::Bool(false)},
      {"day", "1970-01-02", Value::Date(1)},
      {"pattern", "^https://(a|b)\\.", Value::String("^https://(a|b)\\.")},
      {"brief", "\xC3\xA4\xC3\xA4\xC3\xA4", Value::String("\xC3\xA4\xC3\xA4\xC3\xA4")},
      {"tier", " ", Value::String(" ")},
      {"texts", "a", Value::Array(Type::String(), {Value::String("a")})},
      {"texts", "a, b,", Value::Array(Type::String(), {Value::String("a"), Value::String(" b"), Value::String("")})},
      {"texts", R"(["a,b", "[", 1.5, true])",
       Value::Array(Type::String(),
                    {Value::String("a,b"), Value::String("["), Value::String("1.5"), Value::String("true")})},
      {"texts", "[]", Value::Array(Type::String(), {})},
      {"numbers", "300,1", Value::Array(Type::Int64(), {Value::Int64(300), Value::Int64(1)})},
      {"tier", "'; DROP TABLE x --", Value::String("'; DROP TABLE x --")},
  };
  for (const Case& c : cases) {
    CAPTURE(c.name, c.text);
    const auto bound = Bind(Everything(), {{"project", "a"}, {"unit", "hourly"}, {c.name, c.text}});
    REQUIRE(bound.ok());
    CHECK(*bound->Find(c.name) == c.value);
  }
}

TEST_CASE("an invalid call is an error with the parameter, its text and a valid form") {
  struct Case {
    ParameterTexts texts;  // beside project and unit
    const char* parameter;
    const char* message;
  };
  const Case cases[] = {
      {{{"numbers", "1,2"}}, "numbers", "parameter numbers must be one of 1, 20, 300; is \"2\""},
      {{{"texts", R"(["a", {}])"}},
       "texts",
       "parameter texts must be a list such as a,b or, where an element holds a comma, [\"a\",\"b\"] of strings, "
       "numbers or flags; is \"[\\\"a\\\", {}]\""},
      {{{"texts", std::string(1'001, ',')}}, "texts", "parameter texts has 1002 elements; at most 1000 are allowed"},
      {{{"project", "b"}}, "project", "parameter project is given more than once; send it once"},
      {{{"project", ""}}, "project", "parameter project is given more than once; send it once"},
      {{{"sql", "a"}, {"sql", "b"}}, "sql", "parameter sql is given more than once; send it once"},
      {{{"retention_start", "2026-01-01"}},
       "retention_start",
       "parameter retention_start is set by the service; leave it out"},
      {{{"count", "1.5"}}, "count", "parameter count must be a whole number of 64 bits, such as 42; is \"1.5\""},
      {{{"count", "9223372036854775808"}},
       "count",
       "parameter count must be a whole number of 64 bits, such as 42; is \"9223372036854775808\""},
      {{{"ratio", "1,5"}}, "ratio", "parameter ratio must be a number such as 1.5; is \"1,5\""},
      {{{"flag", "yes"}}, "flag", "parameter flag must be true or false; is \"yes\""},
      {{{"day", "2026-02-30"}}, "day", "parameter day must be a date such as 2026-01-31; is \"2026-02-30\""},
      {{{"day", "2026-01-31T00:00"}},
       "day",
       "parameter day must be a date such as 2026-01-31; is \"2026-01-31T00:00\""},
      {{{"start", "yesterday"}},
       "start",
       "parameter start is wrong: \"yesterday\" is not a timestamp; wanted ISO 8601, such as 2026-01-31T08:00:00Z, "
       "2026-01-31T08:00:00.123+02:00 or 2026-01-31"},
      {{{"pattern", "a("}}, "pattern", "parameter pattern is not a regular expression (RE2): missing ): a(; is \"a(\""},
      {{{"brief", "abcd"}}, "brief", "parameter brief has 4 characters; at most 3 are allowed"},
      {{{"pattern", std::string(1'001, 'a')}},
       "pattern",
       "parameter pattern has 1001 characters; at most 1000 are allowed"},
      {{{"tier", "\xFF"}}, "tier", "parameter tier is not valid UTF-8"},
  };
  for (const Case& c : cases) {
    ParameterTexts texts = {{"project", "a"}, {"unit", "hourly"}};
    texts.insert(texts.end(), c.texts.begin(), c.texts.end());
    const auto bound = Bind(Everything(), texts);
    REQUIRE(bound.status().code() == absl::StatusCode::kInvalidArgument);
    CHECK(base::Message(bound.status()) == c.message);
    CHECK(GetErrorDetails(bound.status()).parameter == c.parameter);
  }
}

TEST_CASE("numbers outside of their range are rejected, including NaN") {
  Endpoint endpoint;
  const auto add = [&endpoint](const char* name, Type type, std::optional<std::string> least,
                               std::optional<std::string> most) {
    Parameter parameter;
    parameter.name = name;
    parameter.type = std::move(type);
    parameter.minimum = std::move(least);
    parameter.maximum = std::move(most);
    endpoint.parameters.push_back(std::move(parameter));
  };
  add("whole", Type::Int64(), "-1", "9223372036854775807");
  add("share", Type::Float64(), "0", "1.0");
  add("most", Type::Float64(), std::nullopt, "2.5");
  add("list", Type::Array(Type::Int64()), "1", std::nullopt);
  for (const auto& [name, text] : ParameterTexts{{"whole", "-1"},
                                                 {"whole", "9223372036854775807"},
                                                 {"share", "0"},
                                                 {"share", "1"},
                                                 {"share", "-0"},
                                                 {"most", "-inf"},
                                                 {"list", "1,2"}}) {
    CAPTURE(name, text);
    CHECK(Bind(endpoint, {{name, text}}).ok());
  }
  const auto message = [&](const char* name, const char* text) {
    return std::string(base::Message(Bind(endpoint, {{name, text}}).status()));
  };
  CHECK(message("whole", "-2") == "parameter whole must be from -1 to 9223372036854775807; is \"-2\"");
  CHECK(message("share", "1.01") == "parameter share must be from 0 to 1.0; is \"1.01\"");
  CHECK(message("share", "nan") == "parameter share must be from 0 to 1.0; is \"nan\"");
  CHECK(message("most", "inf") == "parameter most must be at most 2.5; is \"inf\"");
  CHECK(message("list", "2,0") == "parameter list must be at least 1; is \"0\"");
}

TEST_CASE("a required parameter must be present and have an allowed value") {
  CHECK(base::Message(Bind(Everything(), {{"unit", "hourly"}}).status()) ==
        "parameter project is missing or empty; it needs a value");
  CHECK(base::Message(Bind(Everything(), {{"unit", "hourly"}, {"project", ""}}).status()) ==
        "parameter project is missing or empty; it needs a value");
  CHECK(base::Message(Bind(Everything(), {{"project", "a"}, {"unit", "weekly"}}).status()) ==
        "parameter unit must be one of hourly, minutely; is \"weekly\"");
  CHECK(base::Message(Bind(Everything(), {{"unit", "hourly"}, {"x", "1"}, {"projct", "a"}}).status()) ==
        "parameter project is missing or empty; it needs a value; the call has \"projct\", which is no parameter: did "
        "you "
        "mean project?");
  CHECK(base::Message(Bind(Everything(), {{"project", "a"}, {"unit", "hourli"}}).status()) ==
        "parameter unit must be one of hourly, minutely; is \"hourli\"; did you mean hourly?");
  // A parameter that is not sent is checked as an empty text.
  CHECK(base::Message(Bind(Everything(), {{"project", "a"}}).status()) ==
        "parameter unit must be one of hourly, minutely; is \"\"");

  Endpoint endpoint = Everything();
  endpoint.parameters[6].required = true;
  CHECK(base::Message(Bind(endpoint, {{"project", "a"}}).status()) ==
        "parameter unit is missing or empty; it must be one of hourly, minutely");
}

TEST_CASE("a text in a message is short and on one line") {
  const auto bound = Bind(Everything(), {{"project", "a"}, {"unit", "hourly"}, {"count", std::string(500, 'x')}});
  CHECK(base::Message(bound.status()) ==
        base::StrCat("parameter count must be a whole number of 64 bits, such as 42; is \"", std::string(100, 'x'),
                     "…\""));
  const auto line = Bind(Everything(), {{"project", "a"}, {"unit", "hourly"}, {"count", "1\n\"2"}});
  CHECK(base::Message(line.status()).ends_with("is \"1\\n\\\"2\""));
}

TEST_CASE("setting replaces a value, or adds one") {
  BoundParameters bound;
  bound.Set("a", Value::Int64(1));
  bound.Set("b", Value::Int64(2));
  bound.Set("a", Value::Int64(3));
  REQUIRE(bound.values().size() == 2);
  CHECK(*bound.Find("a") == Value::Int64(3));
}

}  // namespace
}  // namespace logquery
