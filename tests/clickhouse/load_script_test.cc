// Files of `logquery export` have the columns of the tables that `logquery schema` makes in ClickHouse, and are loaded by the
// statements beside them. The test's server has no client, so it reads the files itself: FROM INFILE becomes a SELECT of file().
#include <catch2/catch_test_macros.hpp>
#include <fstream>
#include <iterator>
#include <regex>
#include <string>

#include "absl/strings/str_split.h"
#include "lib/base/strings.h"
#include "lib/engines/clickhouse/dialect/schema_script.h"
#include "lib/model/schema_file.h"
#include "tests/clickhouse/click_house_or_skip.h"
#include "tests/engines/exported_logs.h"

namespace logquery {
namespace {

using base::StrCat;
using testing::ClickHouseOrSkip;

TEST_CASE("an export is loaded into ClickHouse by its own statements, and gives the same answers", "[clickhouse]") {
  ClickHouseOrSkip server;
  const testing::ExportedLogs exported;
  const emit::SchemaScript made = emit::ClickHouseSchema(model::BuiltInSchema(), {.database = "logs"});
  for (const absl::string_view piece : absl::StrSplit(made.text, ";\n")) {
    const std::string statement(piece);
    // The test's server has its database, and the user that it was started with.
    if (statement.find("CREATE TABLE") != std::string::npos) server.Sql(statement);
  }
  std::ifstream file(exported.folder() + "/load_clickhouse.sql", std::ios::binary);
  const std::string script(std::istreambuf_iterator<char>(file), {});
  const std::regex insert(R"((INSERT INTO [^ ]+) (\([^)]*\))\nFROM INFILE '([^']+)'\nFORMAT Parquet;)");
  std::smatch match;
  REQUIRE(std::regex_search(script, match, insert));
  const std::string columns = match[2].str().substr(1, match[2].length() - 2);
  server.Sql(StrCat(match[1].str(), " (", columns, ") SELECT ", columns, " FROM file('", exported.folder(), "/",
                    match[3].str(), "', Parquet)"));
  CHECK(server.Ask("SELECT count(), countIf(has_metadata), countIf(request_path != '') FROM logs.edge_logs") ==
        "60\t48\t36");

  ClickHouseTable table;
  table.name = "cloudflare.logs.prod";
  table.table = "edge_logs";
  for (const emit::ScriptTable& each : made.tables) {
    if (each.declared->name != table.name) continue;
    for (const HotColumn& hot : each.hot) {
      (hot.holds == HotColumn::Holds::kValue ? table.fields : table.presence)[base::Join(hot.path, ".")] = hot.column;
    }
  }
  const auto backend = OpenClickHouse(server.Options({table}));
  INFO(backend.status().ToString());
  REQUIRE(backend.ok());
  CHECK(testing::AnswersOf(**backend) == exported.Answers());
}

}  // namespace
}  // namespace logquery
