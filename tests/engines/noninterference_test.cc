// A token of one project gets the same answers whatever rows of others lie beside its own in an engine elsewhere: the engine is
// always sent the project's condition, and an error that it raises on others' rows is none of the call's.
#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>
#include <limits>
#include <string>
#include <vector>

#include "tests/engines/engine_tables.h"
#include "tests/engines/neighbour_queries.h"
#include "tests/support/sandbox_service.h"

namespace logquery::testing {
namespace {

GivenTable TableOf(bool with_others) {
  GivenTable table{"t",
                   {{"id", Type::String()},
                    {"timestamp", Type::Timestamp()},
                    {"project", Type::String()},
                    {"n", Type::Int64()},
                    {"s", Type::String()},
                    {"d", Type::Date()}},
                   {}};
  table.time_column = "timestamp";
  table.project_column = "project";
  const auto add = [&](int number, const char* project, int64_t n, const std::string& s, int64_t micros) {
    table.rows.push_back({Value::String("id" + std::to_string(number)), Value::TimestampMicros(micros),
                          Value::String(project), Value::Int64(n), Value::String(s), Value::Date(n % 100)});
  };
  for (int i = 0; i < 40; ++i) {
    add(2 * i, "own", i % 7 + 1, std::to_string(i % 5), 1'772'600'000'000'000 + i);
    if (!with_others) continue;
    const char* const nasty[] = {"no number", "{", "2026-13-45", "(", "\xF0\x9F\x98\x80zqx"};
    // Times at the ends of our range, and numbers whose sum has none.
    add(2 * i + 1, i % 2 == 0 ? "other" : "Own", i % 3 == 0 ? 0 : std::numeric_limits<int64_t>::max(), nasty[i % 5],
        i % 2 == 0 ? -62'135'596'800'000'000 : 253'402'300'799'999'999);
  }
  return table;
}

TEST_CASE("rows of other projects in an engine change no answer of a token's, and raise no error",
          "[postgres][clickhouse]") {
  const char* const name = GENERATE("postgres", "clickhouse", "bigquery");
  CAPTURE(name);
  const auto engine = StartEngine(name);
  if (absl::IsNotFound(engine.status())) SKIP(engine.status().ToString());
  REQUIRE(engine.ok());
  OneProject own("own");
  const SandboxService::Options options = {.log = "t", .max_rows = 10'000, .authenticator = &own};
  std::vector<std::string> alone;
  {
    SandboxService service((*engine)->Put({TableOf(false)}), options);
    for (const char* const sql : kNeighbourQueries) alone.push_back(service.Ask(sql));
  }
  SandboxService among((*engine)->Put({TableOf(true)}), options);
  for (size_t i = 0; i < alone.size(); ++i) {
    CAPTURE(kNeighbourQueries[i]);
    CHECK(alone[i].starts_with(R"({"result":[)"));
    CHECK(among.Ask(kNeighbourQueries[i]) == alone[i]);
  }
}

}  // namespace
}  // namespace logquery::testing
