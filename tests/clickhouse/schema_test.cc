// The tables that `logquery schema --dialect clickhouse` makes are those that the backend file beside them names.
#include <catch2/catch_test_macros.hpp>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "absl/strings/str_split.h"
#include "lib/base/strings.h"
#include "lib/tools/engine_schema.h"
#include "logquery/clickhouse/clickhouse_backend.h"
#include "logquery/parameter_binder.h"
#include "logquery/query_service.h"
#include "logquery/testing/fake_clock.h"
#include "tests/clickhouse/click_house_or_skip.h"

namespace logquery {
namespace {

using base::StrCat;
using testing::ClickHouseOrSkip;

TEST_CASE("tables that `schema` has made are open by the backend file that it prints, and answer", "[clickhouse]") {
  ClickHouseOrSkip server;
  const auto schema = endpoint::MakeEngineSchema({.engine = "clickhouse", .database = "mine", .days = 3'650});
  REQUIRE(schema.ok());
  for (const absl::string_view piece : absl::StrSplit(schema->script, ";\n")) {
    const std::string statement(piece);
    // The test's server has the user that it was started with.
    if (statement.find("CREATE USER") != std::string::npos || statement.find("GRANT") != std::string::npos) continue;
    if (statement.find_first_not_of(" \n") != std::string::npos) server.Sql(statement);
  }
  server.Sql(
      "INSERT INTO mine.edge_logs (id, timestamp, event_message, project, metadata, request_path, has_metadata, "
      "has_request) "
      "VALUES "
      "('a', '2026-03-04 05:06:01', 'GET /x', 'abc', '{\"request\":{\"path\":\"/x\"}}', '/x', true, true), "
      "('b', '2026-03-04 05:06:02', 'none', 'abc', NULL, NULL, false, false), "
      "('c', '2026-03-04 05:06:03', 'hidden', 'xyz', NULL, NULL, false, false)");

  nlohmann::ordered_json file = nlohmann::ordered_json::parse(schema->backend_file);
  const ClickHouseOptions reached = server.Options({});
  file["hosts"] = reached.hosts;
  file["user"] = reached.user;
  file["allow_sources"] = true;
  std::ofstream(StrCat(server.folder(), "/password")) << reached.password;
  const auto options = ClickHouseOptionsFromJson(file.dump(), server.folder());
  INFO(options.status().ToString());
  REQUIRE(options.ok());
  const auto backend = OpenClickHouse(*options);
  INFO(backend.status().ToString());
  REQUIRE(backend.ok());
  const testing::FakeClock clock(*ParseTimestamp("2026-03-04T05:06:07Z"));
  QueryServiceOptions made;
  made.backend = backend->get();
  made.clock = &clock;
  const auto service = QueryService::Create(made);
  REQUIRE(service.ok());
  QueryRequest request;
  request.endpoint = "logs.all";
  request.parameters = {{"project", "abc"},
                        {"sql",
                         "select r.path, count(*) as n from edge_logs left join unnest(metadata) as m left join "
                         "unnest(m.request) as r group by 1 order by 1"}};
  const auto answer = (*service)->Run(request);
  INFO(answer.status().ToString());
  REQUIRE(answer.ok());
  CHECK(answer->body == R"({"result":[{"path":null,"n":1},{"path":"/x","n":1}]})");
}

}  // namespace
}  // namespace logquery
