// The log has a line for each time that an engine goes away or comes back, with what only operators may read.
#include "lib/serving/deployment/engine_watch.h"

#include <catch2/catch_test_macros.hpp>
#include <string>
#include <vector>

#include "lib/base/strings.h"

namespace logquery::serving {
namespace {

TEST_CASE("an engine's outage and its recovery are logged once each") {
  EngineState state;
  std::vector<std::string> lines;
  EngineWatch watch(
      [&state] { return state; },
      [&lines](std::string_view level, std::string_view line) { lines.push_back(base::StrCat(level, ": ", line)); });
  CHECK(watch.Check().ok());
  CHECK(lines.empty());
  state = {absl::UnavailableError("PostgreSQL cannot be reached"), "no route to db.internal"};
  CHECK(watch.Check() == state.status);
  CHECK(watch.Check() == state.status);
  CHECK(lines == std::vector<std::string>{"warning: PostgreSQL cannot be reached: no route to db.internal"});
  state = {};
  CHECK(watch.Check().ok());
  CHECK(watch.Check().ok());
  CHECK(lines.size() == 2);
  CHECK(lines.back() == "info: the engine answers again");
}

}  // namespace
}  // namespace logquery::serving
