#include "lib/tools/definition_diff.h"

#include <catch2/catch_test_macros.hpp>
#include <string>
#include <vector>

#include "lib/base/strings.h"

namespace logquery::endpoint {
namespace {

using Lines = std::vector<std::string>;

constexpr char kId[] = "b0a9a6e8-6a0e-4a63-9f0b-6d4c4a1f8f01";

// `settings` beside the id and the name.
Endpoint Define(const std::string& settings, const std::string& sql, const std::string& name = "own",
                const std::string& id = kId) {
  const auto read = Endpoint::FromJson(
      name, base::StrCat(R"({"id":")", id, R"(","name":")", name, "\"", settings.empty() ? "" : ",", settings, "}"),
      sql);
  INFO(read.status().ToString());
  REQUIRE(read.ok());
  return *read;
}

Lines Compare(std::vector<Endpoint> before, std::vector<Endpoint> after) {
  const auto old = EndpointRegistry::Create(std::move(before), Catalog::DeclaredLogs());
  const auto now = EndpointRegistry::Create(std::move(after), Catalog::DeclaredLogs());
  INFO(old.status().ToString() << now.status().ToString());
  REQUIRE((old.ok() && now.ok()));
  Lines lines;
  for (const DefinitionChange& change : CompareDefinitions(**old, **now)) {
    lines.push_back(base::StrCat(change.breaking ? "! " : "  ", change.endpoint, ": ", change.what));
  }
  return lines;
}

TEST_CASE("the diff lists the changes of parameters, columns and limits that callers notice") {
  const Endpoint old = Define(
      R"("max_rows":100,"parameters":[{"name":"project","type":"STRING","required":true},{"name":"day","type":"DATE"},
         {"name":"unit","type":"ENUM","allowed":["a","b"],"default":"a"}])",
      "SELECT t.id, 1 AS n, t.event_message FROM `postgres.logs` AS t WHERE t.project = @project");
  const Endpoint now = Define(
      R"("max_rows":10,"redact_pii":true,"parameters":[{"name":"project","type":"STRING"},
         {"name":"unit","type":"ENUM","allowed":["b","c"],"default":"b"},{"name":"since","type":"DATE","required":true}])",
      "SELECT t.id, 'x' AS n FROM `cloudflare.logs.prod` AS t WHERE t.project = @project");
  CHECK(Compare({old}, {now}) ==
        Lines{"! own: parameter day is gone: calls that send it are answered as if they did not",
              "! own: parameter since is new, and required", "  own: parameter project is optional",
              "! own: parameter unit defaults to \"b\"", "! own: parameter unit no longer takes a",
              "  own: parameter unit also takes c", "! own: column event_message is gone",
              "! own: column n is of type STRING, no longer INT64", "! own: max_rows is 10, no longer 100",
              "! own: redaction is on for every call", "  own: its query no longer reads postgres.logs",
              "  own: its query also reads cloudflare.logs.prod",
              "  own: its query has another text: rows may differ"});
}

TEST_CASE("the diff lists changes of a parameter's range") {
  const auto with = [](const char* range) {
    return Define(base::StrCat(R"("parameters":[{"name":"n","type":"INT64")", range, "}]"), "SELECT @n AS n");
  };
  CHECK(Compare({with("")}, {with(R"(,"minimum":1)")}) == Lines{"! own: parameter n takes only numbers at least 1"});
  CHECK(Compare({with(R"(,"minimum":1)")}, {with(R"(,"minimum":1,"maximum":9)")}) ==
        Lines{"! own: parameter n takes only numbers from 1 to 9"});
  CHECK(Compare({with(R"(,"maximum":9)")}, {with("")}) == Lines{"  own: parameter n takes any number"});
}

TEST_CASE("definitions that are equivalent for callers have no differences") {
  const Endpoint old = Define(R"("max_rows":100)", "SELECT 1 AS a");
  CHECK(Compare({old}, {old}).empty());
  CHECK(Compare({old}, {Define(R"("max_rows":100,"description":"Other words.","revision":"2")", "SELECT 1 AS a")})
            .empty());
  CHECK(Compare({old}, {Define(R"("max_rows":100)", "SELECT 2 AS a")}) ==
        Lines{"  own: its query has another text: rows may differ"});
}

TEST_CASE("endpoints that come, go, or have another name or id") {
  const std::string other = "b0a9a6e8-6a0e-4a63-9f0b-6d4c4a1f8f02";
  const Endpoint own = Define("", "SELECT 1 AS a");
  CHECK(Compare({own}, {}) == Lines{"! own: the endpoint is gone"});
  CHECK(Compare({}, {own}) == Lines{"  own: the endpoint is new"});
  CHECK(Compare({own}, {Define("", "SELECT 1 AS a", "mine")}) == Lines{"! own: its name is \"mine\""});
  CHECK(Compare({own}, {Define("", "SELECT 1 AS a", "own", other)}) ==
        Lines{base::StrCat("! own: its id is ", other, ", no longer ", std::string_view(kId))});
}

TEST_CASE("the diff lists changes of what callers' SQL may read, and of limits") {
  const std::string sql = "WITH a AS (SELECT 1 AS x), b AS (SELECT 2 AS x) SELECT x FROM a";
  const Endpoint open = Define(R"("query_sandboxing":true)", sql);
  CHECK(Compare({open}, {Define(R"("query_sandboxing":true,"private_ctes":["a"])", sql)}) ==
        Lines{"! own: callers' SQL can no longer read a"});
  CHECK(Compare({open}, {Define("", sql)}) == Lines{"! own: callers may not send SQL any more"});
  CHECK(
      Compare({open}, {Define(R"("query_sandboxing":true,"caching":60,"limits":{"calls_per_minute":5})", sql)}) ==
      Lines{"! own: limits.calls_per_minute is 5, no longer none", "  own: caching is 60 seconds, no longer disabled"});
  CHECK(Compare({Define("", "SELECT 1 AS a, 2 AS b")}, {Define("", "SELECT 2 AS b, 1 AS a")}) ==
        Lines{"  own: columns are in another order: b, a", "  own: its query has another text: rows may differ"});
}

}  // namespace
}  // namespace logquery::endpoint
