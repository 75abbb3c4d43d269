// Single attacks on a neighbour's answers, so that each fault has a name.
#include <catch2/catch_test_macros.hpp>
#include <string>
#include <thread>

#include "lib/base/strings.h"
#include "tests/ingest/ingest_server.h"
#include "tests/ingest/neighbour_world.h"

namespace logquery::ingest_tests {
namespace {

// Each attack of its own, so that what breaks has a name.
TEST_CASE("a row with text where definitions read numbers changes no call, and the server can be restarted") {
  World world;
  const std::string times =
      "project=beta&project_tier=PRO&iso_timestamp_start=2026-03-04T00:00:00Z&"
      "iso_timestamp_end=2026-03-05T00:00:00Z";
  const auto post = [&](const std::string& log, const std::string& metadata) {
    return world.server()
        .Post("/api/logs?source_name=" + log, StrCat(R"([{"message":"x","metadata":)", metadata, "}]"),
              "Content-Type: application/json\r\n", world.alpha())
        .status;
  };
  CHECK(post("storage_logs", R"({"res":{"statusCode":"abc"},"responseTime":"abc"})") == 200);
  CHECK(post("function_logs", R"({"cpu_time_used":"abc","boot_time":"abc","memory_used":{"heap":"abc"}})") == 200);
  CHECK(post("realtime_logs", R"({"measurements":{"connected":"abc","limit":"abc"}})") == 200);
  CHECK(world.server().Metric("logquery_ingest_misfit_values_total") >= 4);
  for (const char* endpoint : {"logs.all?", "service-health?"}) {
    CHECK(world.server().Get(StrCat("/api/endpoints/query/", endpoint, times), world.beta()).status == 200);
  }
  world.Restart();
  for (const char* endpoint : {"logs.all?", "service-health?"}) {
    CHECK(world.server().Get(StrCat("/api/endpoints/query/", endpoint, times), world.beta()).status == 200);
  }
}

std::string Query(World& world, const std::string& sql, const std::string& token) {
  return Ask(world.server(), StrCat("logs.all?project_tier=ENTERPRISE&sql=", Escape(sql)), token);
}

TEST_CASE("two collectors teach two types of one name at once: each reads its own values") {
  World world;
  const auto teach = [&](const std::string& token, const std::string& value) {
    for (int i = 0; i < 5; ++i) {
      world.server().Post("/api/logs?source_name=edge_logs",
                          StrCat(R"([{"timestamp":"2026-03-04T12:00:00Z","metadata":{"app":{"n":)", value, "}}}]"),
                          "Content-Type: application/json\r\n", token);
    }
  };
  std::thread other([&] { teach(world.alpha(), R"("abc")"); });
  teach(world.beta(), "5");
  other.join();
  const std::string from = " from edge_logs cross join unnest(metadata) m cross join unnest(m.app) a";
  CHECK(Query(world, "select sum(a.n) as s" + from, world.beta()) == R"(200 {"result":[{"s":25}]})");
  CHECK(Query(world, "select max(a.n) as s" + from, world.alpha()) == R"(200 {"result":[{"s":"abc"}]})");
}

TEST_CASE("a column budget that runs out in the middle of a batch leaves other projects their share") {
  World world;
  std::string many = R"([{"timestamp":"2026-03-04T12:00:00Z","metadata":{)";
  for (int i = 0; i < 3'000; ++i) base::StrAppend(&many, i == 0 ? "" : ",", "\"c", i, "\":", i);
  CHECK(world.server().Post("/api/logs?source_name=edge_logs", many + "}}]", "", world.alpha()).status == 200);
  CHECK(world.server()
            .Post("/api/logs?source_name=edge_logs",
                  R"([{"timestamp":"2026-03-04T12:00:00Z","metadata":{"honest":{"field":1}}}])", "", world.beta())
            .status == 200);
  const std::string from = " from edge_logs cross join unnest(metadata) m";
  CHECK(Query(world, "select h.field" + from + " cross join unnest(m.honest) h", world.beta()) ==
        R"(200 {"result":[{"field":1}]})");
  CHECK(Query(world, "select m.c0" + from, world.alpha()).starts_with("200 "));
  CHECK(Query(world, "select m.c0" + from, world.beta()).starts_with("400 "));
}

}  // namespace
}  // namespace logquery::ingest_tests
