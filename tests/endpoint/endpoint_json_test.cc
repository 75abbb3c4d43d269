#include <catch2/catch_test_macros.hpp>

#include "lib/base/strings.h"
#include "logquery/endpoint.h"

namespace logquery {
namespace {

constexpr char kId[] = R"("id": "b0a9a6e8-6a0e-4a63-9f0b-6d4c4a1f8f11", "name": "n")";

absl::StatusOr<Endpoint> Read(std::string_view json) { return Endpoint::FromJson("n.json", json, "SELECT 1"); }

// A definition with this beside its id and name.
absl::StatusOr<Endpoint> With(std::string_view fields) { return Read(base::StrCat("{", kId, ", ", fields, "}")); }

TEST_CASE("a definition is read from its two files") {
  const auto endpoint = Endpoint::FromJson("invocations.json", R"({
      "id": "B0A9A6E8-6a0e-4a63-9f0b-6d4c4a1f8f11", "name": "invocations", "description": "By the hour.",
      "max_rows": 500, "caching": 900, "cache_warming": 300, "query_sandboxing": true, "redact_pii": true,
      "private_ctes": ["dates"],
      "parameters": [
        {"name": "project", "type": "STRING", "required": true, "pattern": true, "max_length": 1000,
         "description": "Whose."},
        {"name": "interval", "type": "string", "default": "1day", "allowed": ["1day", "5min"]},
        {"name": "old", "computed": {"by": "retention", "from": "tier"}},
        {"name": "tier", "type": "STRING"},
        {"name": "starts", "type": "ARRAY<TIMESTAMP>", "computed": {"by": "buckets", "from": "interval",
         "buckets": {"1day": {"count": 1, "label": "day_hour"}}, "otherwise": "1day"}},
        {"name": "since", "computed": {"by": "window_start", "from": "interval", "windows": {"hourly": 3600}}}]})",
                                           "SELECT @project");
  REQUIRE(endpoint.ok());
  CHECK(endpoint->name == "invocations");
  CHECK(endpoint->query == "SELECT @project");
  CHECK(endpoint->max_rows == 500);
  CHECK(endpoint->caching == absl::Seconds(900));
  CHECK(endpoint->cache_warming == absl::Seconds(300));
  CHECK(endpoint->query_sandboxing);
  CHECK(endpoint->redact_pii);
  CHECK(endpoint->private_ctes == std::vector<std::string>{"dates"});

  const Parameter* project = endpoint->FindParameter("project");
  REQUIRE(project != nullptr);
  CHECK(project->required);
  CHECK(project->is_pattern);
  CHECK(project->max_length == 1000);
  CHECK(endpoint->FindParameter("interval")->default_text == "1day");
  CHECK(endpoint->FindParameter("old")->type == Type::Timestamp());
  const Parameter* starts = endpoint->FindParameter("starts");
  CHECK(starts->type == Type::Array(Type::Timestamp()));
  CHECK(starts->computed->buckets.at("1day").label == "day_hour");
  CHECK(starts->computed->otherwise == "1day");
  CHECK(endpoint->FindParameter("since")->computed->windows.at("hourly") == absl::Hours(1));
  CHECK(endpoint->FindParameter("Project") == nullptr);
}

TEST_CASE("limits and kinds of redaction are read") {
  const auto endpoint = With(
      R"("limits": {"max_result_bytes": 1000000, "time_limit_ms": 1500, "max_concurrent": 4, "calls_per_minute": 60},
         "redact_email": true, "redact_patterns": ["cus_[0-9]+"])");
  REQUIRE(endpoint.ok());
  CHECK(endpoint->limits.max_result_bytes == 1'000'000);
  CHECK(endpoint->limits.time_limit == absl::Milliseconds(1'500));
  CHECK(endpoint->limits.max_concurrent == 4);
  CHECK(endpoint->limits.calls_per_minute == 60);
  CHECK(endpoint->redaction == RedactionKinds{true, {"cus_[0-9]+"}});
  CHECK(With(R"("limits": {})")->limits == CallLimits());
}

TEST_CASE("types with constraints, lists and examples are read") {
  const auto endpoint = With(R"("revision": "2026-01", "parameters": [
      {"name": "period", "type": "ENUM", "allowed": ["1day", "7days"], "default": "1day"},
      {"name": "url", "type": "pattern", "examples": ["^/rest"]},
      {"name": "statuses", "type": "ARRAY<INTEGER>", "default": [200, 500], "allowed": [200, 404, 500]},
      {"name": "share", "type": "FLOAT", "default": 0.5, "examples": [0.25, "1"], "minimum": 0, "maximum": 1.0},
      {"name": "count", "type": "INT64", "minimum": -5}])");
  INFO(endpoint.status().ToString());
  REQUIRE(endpoint.ok());
  CHECK(endpoint->revision == "2026-01");
  CHECK(endpoint->FindParameter("period")->type == Type::String());
  CHECK(endpoint->FindParameter("url")->is_pattern);
  CHECK(endpoint->FindParameter("url")->examples == std::vector<std::string>{"^/rest"});
  CHECK(endpoint->FindParameter("statuses")->type == Type::Array(Type::Int64()));
  CHECK(endpoint->FindParameter("statuses")->default_text == "[200,500]");
  CHECK(endpoint->FindParameter("share")->default_text == "0.5");
  CHECK(endpoint->FindParameter("share")->minimum == "0");
  CHECK(endpoint->FindParameter("share")->maximum == "1.0");
  CHECK(endpoint->FindParameter("count")->minimum == "-5");
  CHECK_FALSE(endpoint->FindParameter("count")->maximum.has_value());
  CHECK(endpoint->FindParameter("share")->examples == std::vector<std::string>{"0.25", "1"});
}

TEST_CASE("a default revision depends on the definition's content, not on its white space") {
  const std::string revision = With(R"("max_rows": 10)")->revision;
  CHECK(revision.size() == 16);
  CHECK(With("\n \"max_rows\" : 10")->revision == revision);
  CHECK(With(R"("max_rows": 11)")->revision != revision);
}

TEST_CASE("a definition of a built-in's name has its id unless it names one") {
  const auto same = Read(R"({"name": "logs.all"})");
  REQUIRE(same.ok());
  CHECK(same->id == "4d1a5a4e-5c1b-4d56-8f58-0c2c6b7e9a01");
  CHECK(Read(R"({"id": "b0a9a6e8-6a0e-4a63-9f0b-6d4c4a1f8f11", "name": "logs.all"})")->id ==
        "b0a9a6e8-6a0e-4a63-9f0b-6d4c4a1f8f11");
}

TEST_CASE("omitted members have their defaults") {
  const auto endpoint = Read(base::StrCat("{", kId, R"(, "caching": "disabled", "cache_warming": null})"));
  REQUIRE(endpoint.ok());
  CHECK(endpoint->max_rows == 1000);
  CHECK_FALSE(endpoint->caching.has_value());
  CHECK_FALSE(endpoint->cache_warming.has_value());
  CHECK_FALSE(endpoint->query_sandboxing);
  CHECK(endpoint->parameters.empty());
}

TEST_CASE("an invalid setting is an error with a valid form") {
  struct Case {
    const char* fields;
    const char* message;
  };
  const Case cases[] = {
      {R"("max_rows": 0)", "n.json: max_rows must be a whole number from 1 to 10000000, is 0"},
      {R"("max_rows": 1.5)", "n.json: max_rows must be a whole number from 1 to 10000000, is 1.5"},
      {R"("max_rows": "10")", "n.json: max_rows must be a whole number from 1 to 10000000, is \"10\""},
      {R"("max_rows": 18446744073709551615)",
       "n.json: max_rows must be a whole number from 1 to 10000000, is 18446744073709551615"},
      {R"("max_row": 1)",
       "n.json: max_row is not a field; known are id, name, aliases, description, language, max_rows, caching, "
       "cache_warming, "
       "query_sandboxing, redact_pii, redact_email, redact_patterns, limits, private_ctes, parameters, labels, "
       "revision; did "
       "you mean max_rows?"},
      {R"("caching": true)", "n.json: caching must be a whole number from 1 to 31536000, is true"},
      {R"("caching": "off")", "n.json: caching must be \"disabled\" or a number of seconds, is \"off\""},
      {R"("caching": 0)", "n.json: caching must be a whole number from 1 to 31536000, is 0"},
      {R"("cache_warming": 300)", "n.json: cache_warming has no use: caching is disabled"},
      {R"("redact_pii": "true")", "n.json: redact_pii must be true or false, is \"true\""},
      {R"("redact_patterns": "x")", "n.json: redact_patterns must be a list of strings, is \"x\""},
      {R"("redact_patterns": ["a("])",
       "n.json: redact_patterns is wrong: the pattern 'a(' is no regular expression of RE2: missing ): a("},
      {R"("redact_patterns": ["x*"])",
       "n.json: redact_patterns is wrong: the pattern 'x*' matches the empty text; have it want something"},
      {R"("limits": [])", "n.json: limits must be an object, is []"},
      {R"("limits": {"max_concurrent": 0})",
       "n.json: limits.max_concurrent must be a whole number from 1 to 1000000000000, is 0"},
      {R"("limits": {"time_limit": 1})",
       "n.json: limits.time_limit is not a field; known are max_result_bytes, time_limit_ms, max_concurrent, "
       "calls_per_minute; did you mean time_limit_ms?"},
      {R"("private_ctes": "dates")", "n.json: private_ctes must be a list of strings, is \"dates\""},
      {R"("private_ctes": [1])", "n.json: private_ctes must be a list of strings, is a list"},
      {R"("parameters": {})", "n.json: parameters must be a list of objects"},
      {R"("parameters": [1])", "n.json: parameters[0] must be an object, is 1"},
  };
  for (const Case& c : cases) {
    CAPTURE(c.fields);
    const auto endpoint = With(c.fields);
    REQUIRE(endpoint.status().code() == absl::StatusCode::kInvalidArgument);
    CHECK(base::Message(endpoint.status()) == c.message);
  }
}

TEST_CASE("an invalid parameter is an error with its position") {
  struct Case {
    const char* parameter;
    const char* message;
  };
  const Case cases[] = {
      {R"({"type": "STRING"})", "name is missing"},
      {R"({"name": "a b", "type": "STRING"})", "name must be letters, digits and _, is \"a b\""},
      {R"({"name": "1a", "type": "STRING"})", "name must be letters, digits and _, is \"1a\""},
      {R"({"name": "sql", "type": "STRING"})", "name must not be \"sql\": that is how a caller sends a query"},
      {R"({"name": "a"})", "type is missing"},
      {R"({"name": "a", "type": "TEXT"})",
       "type must be STRING, INT64 (or INTEGER), FLOAT64 (or FLOAT), BOOL (or BOOLEAN), DATE, TIMESTAMP, ENUM, PATTERN "
       "or ARRAY<one of these>, is \"TEXT\""},
      // No error is reported for what depends on the type.
      {R"({"name": "a", "type": "TEXT", "minimum": 1, "maximum": 2, "default": "x"})",
       "type must be STRING, INT64 (or INTEGER), FLOAT64 (or FLOAT), BOOL (or BOOLEAN), DATE, TIMESTAMP, ENUM, PATTERN "
       "or ARRAY<one of these>, is \"TEXT\""},
      {R"({"name": "a", "type": "ARRAY<STRNG>"})",
       "type must be STRING, INT64 (or INTEGER), FLOAT64 (or FLOAT), BOOL (or BOOLEAN), DATE, TIMESTAMP, ENUM, PATTERN "
       "or ARRAY<one of these>, is "
       "\"ARRAY<STRNG>\"; did you mean STRING?"},
      {R"({"name": "a", "type": "ENUM"})",
       "allowed is missing: type ENUM wants the list of texts that a caller may send"},
      {R"({"name": "a", "type": "STRING", "allowed": [{}]})", "allowed must be a list of texts, is a list"},
      {R"({"name": "a", "type": "INT64", "examples": [1, "x"]})",
       "examples has one that is wrong: parameter a must be a whole number of 64 bits, such as 42; is \"x\""},
      {R"({"name": "a", "type": "ARRAY<INT64>", "default": [1, null]})",
       "default is wrong: parameter a must be a list such as a,b or, where an element holds a comma, [\"a\",\"b\"] "
       "of strings, numbers or flags; is \"[1,null]\""},
      {R"({"name": "a", "type": "INT64", "pattern": true})", "pattern wants type STRING, not INT64"},
      {R"({"name": "a", "type": "INT64", "default": "x"})",
       "default is wrong: parameter a must be a whole number of 64 bits, such as 42; is \"x\""},
      {R"({"name": "a", "type": "STRING", "default": "x", "allowed": ["y"]})",
       "default is wrong: parameter a must be one of y; is \"x\""},
      {R"({"name": "a", "type": "STRING", "default": "x", "required": true})",
       "default has no use: the parameter is required"},
      {R"({"name": "a", "type": "STRING", "default": ""})", "default is empty; leave it out for NULL"},
      {R"({"name": "a", "type": "STRING", "requird": true})",
       "requird is not a field; known are name, description, computed, type, required, default, allowed, pattern, "
       "max_length, minimum, maximum, examples; did you mean required?"},
      {R"({"name": "a", "type": "STRING", "minimum": 1})", "minimum wants type INT64 or FLOAT64, not STRING"},
      {R"({"name": "a", "type": "INT64", "minimum": 1.5})", "minimum must be a whole number, is 1.5"},
      {R"({"name": "a", "type": "FLOAT64", "maximum": "1"})", "maximum must be a number, is \"1\""},
      {R"({"name": "a", "type": "INT64", "minimum": 5, "maximum": 4})",
       "minimum must not be greater than the maximum 4, is 5"},
      {R"({"name": "a", "type": "INT64", "minimum": 1, "maximum": 100, "default": 0})",
       "default is wrong: parameter a must be from 1 to 100; is \"0\""},
      {R"({"name": "a", "computed": {"by": "magic", "from": "t"}})",
       "computed.by must be retention, buckets or window_start, is \"magic\""},
      {R"({"name": "a", "computed": {"by": "retention"}})", "computed.from is missing"},
      {R"({"name": "a", "computed": {"by": "retention", "from": "nobody"}})",
       "computed.from must name a parameter that a caller sends, is \"nobody\""},
      {R"({"name": "a", "computed": {"by": "retention", "from": "t", "start": "t"}})",
       "computed.start must name a parameter of type TIMESTAMP that a caller sends, is \"t\""},
      {R"({"name": "a", "computed": {"by": "retention", "from": "a"}})",
       "computed.from must name a parameter that a caller sends, is \"a\""},
      {R"({"name": "a", "type": "STRING", "computed": {"by": "retention", "from": "t"}})",
       "type must be TIMESTAMP, is \"STRING\""},
      {R"({"name": "a", "required": true, "computed": {"by": "retention", "from": "t"}})",
       "required is not a field; known are name, description, computed, type"},
      {R"({"name": "a", "computed": {"by": "buckets", "from": "t"}})",
       "computed.buckets must be an object of text → {\"count\", \"label\"}"},
      {R"({"name": "a", "computed": {"by": "buckets", "from": "t", "buckets": {"x": {"count": 0, "label": "day_hour"}}}})",
       "computed.buckets.x.count must be a whole number from 1 to 10000, is 0"},
      {R"({"name": "a", "computed": {"by": "buckets", "from": "t", "buckets": {"x": {"count": 1, "label": "day"}}}})",
       "computed.buckets.x is wrong: bucket label \"day\" is unknown; it is UNIT_STEP, each one of second, minute, "
       "hour, "
       "day, such as \"day_hour\""},
      {R"({"name": "a", "computed": {"by": "window_start", "from": "t", "windows": {"x": 0}}})",
       "computed.windows.x must be a whole number from 1 to 315360000, is 0"},
      {R"({"name": "a", "computed": {"by": "window_start", "from": "t", "windows": {"x": 1}, "otherwise": "y"}})",
       "computed.otherwise must be one of the texts listed here, is \"y\""},
      {R"({"name": "t", "type": "STRING"}, {"name": "T", "type": "STRING"})",
       "name is taken by another parameter, but for letter case: t"},
  };
  for (const Case& c : cases) {
    CAPTURE(c.parameter);
    const auto endpoint = With(base::StrCat(R"("parameters": [{"name": "t", "type": "STRING"}, )", c.parameter, "]"));
    REQUIRE(endpoint.status().code() == absl::StatusCode::kInvalidArgument);
    CHECK(base::Message(endpoint.status()) == base::StrCat("n.json: parameters[1].", c.message));
  }
}

TEST_CASE("errors of a definition as a whole are reported") {
  CHECK(base::Message(Read("{").status()).starts_with("n.json: not JSON at line 1, column 2: "));
  CHECK(base::Message(Read("[]").status()) == "n.json: must be an object, is []");
  CHECK(base::Message(Read("{}").status()) == "n.json: id is missing");
  CHECK(base::Message(Read(R"({"id": "x", "name": "n"})").status()) == "n.json: id must be a UUID, is \"x\"");
  CHECK(base::Message(Read(R"({"id": "b0a9a6e8-6a0e-4a63-9f0b-6d4c4a1f8f11"})").status()) == "n.json: name is missing");
  CHECK(base::Message(Read(R"({"id": "b0a9a6e8-6a0e-4a63-9f0b-6d4c4a1f8f11", "name": ""})").status()) ==
        "n.json: name must not be empty");
  CHECK(base::Message(Read(R"({"id": "b0a9a6e8-6a0e-4a63-9f0b-6d4c4a1f8f11",
                               "name": "b0a9a6e8-6a0e-4a63-9f0b-6d4c4a1f8f12"})")
                          .status()) == "n.json: name has the form of an id; choose another");
  CHECK(base::Message(With(R"("revision": "a b")").status()) ==
        "n.json: revision must be 1 to 64 letters, digits, dots, - and _, is \"a b\"");
  CHECK(base::Message(Endpoint::FromJson("n.json", base::StrCat("{", kId, "}"), " \n").status()) ==
        "n.json: query is empty: there is no SQL");
}

TEST_CASE("the built-in definitions read") {
  for (const Endpoint& endpoint : Endpoint::BuiltIn()) {
    CAPTURE(endpoint.name);
    CHECK(endpoint.max_rows == 1000);
    CHECK(endpoint.query_sandboxing);
    CHECK_FALSE(endpoint.redact_pii);
  }
}

}  // namespace
}  // namespace logquery
