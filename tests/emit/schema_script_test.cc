// The statements of `logquery schema`, as people read them; tests/postgres and tests/clickhouse run them.
#include "lib/emit/schema_script.h"

#include <catch2/catch_test_macros.hpp>
#include <cstdlib>
#include <string>

#include "lib/emit/dialects.h"
#include "lib/model/schema_file.h"
#include "tests/support/golden.h"

namespace logquery::emit {
namespace {

TEST_CASE("statements create the logs' tables in remote engines") {
  const auto results = testing::RunGolden("emit/schema_script.txt", [](const testing::GoldenCase& golden) {
    const auto file = model::ParseSchemaFile("schema.json", golden.input);
    if (!file.ok()) return file.status().ToString();
    SchemaScriptOptions options;
    std::string engine;
    for (const auto& [name, value] : golden.parameters) {
      if (name == "engine") engine = value;
      if (name == "days") options.days = std::atoi(value.c_str());
    }
    for (const SchemaWriter& writer : SchemaWriters()) {
      if (writer.name == engine) return writer.write(*file, options).text;
    }
    return std::string("there is no such engine");
  });
  CHECK(results.size() == 7);
  for (const testing::GoldenResult& result : results) {
    INFO(result.title);
    CHECK(result.actual == result.expected);
  }
}

TEST_CASE("each log of the built-in file has a table of its own name in each engine") {
  for (const SchemaWriter& writer : SchemaWriters()) {
    const SchemaScript script = writer.write(model::BuiltInSchema(), {});
    CAPTURE(writer.name);
    REQUIRE(script.tables.size() == 9);
    CHECK(script.tables[0].name == "edge_logs");
    for (const ScriptTable& table : script.tables) CHECK(table.name == table.declared->log);
  }
}

}  // namespace
}  // namespace logquery::emit
