// Reads the options that docs/bigquery.md shows, opens a BigQuery by them, and has the program answer from the same file.
#include <stdlib.h>

#include <catch2/catch_test_macros.hpp>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>

#include "lib/base/strings.h"
#include "logquery/bigquery/bigquery_backend.h"
#include "tests/bigquery/value_tables.h"
#include "tests/support/folders.h"
#include "tests/support/read_file.h"

namespace logquery::testing {
namespace {

using base::StrCat;

TEST_CASE("the options of BigQuery's page work, also for the program") {
  const Table edge = *Catalog::DeclaredLogs().Find("cloudflare.logs.prod");
  std::vector<Value> row;
  for (const Field& column : edge.columns) {
    row.push_back(column.name == "id"          ? Value::String("a1")
                  : column.name == "project"   ? Value::String("abc")
                  : column.name == "timestamp" ? Value::TimestampMicros(1'769'846'000'000'000)
                                               : Value::Null(column.type));
  }
  const ValueHost host({edge, {row}}, "", "edge_logs");
  std::string folder = (std::filesystem::temp_directory_path() / "logquery_bq_docs_XXXXXX").string();
  REQUIRE(mkdtemp(folder.data()) != nullptr);
  std::ofstream(folder + "/key.json") << host.KeyJson();
  auto json = nlohmann::ordered_json::parse(CodeBlocks("docs/bigquery.md", "json").at(0));
  json["service_account"] = {{"file", "key.json"}};
  json["project"] = "test-project";
  json["api_url"] = host.url();
  std::ofstream(folder + "/bigquery.json") << json;
  const auto options = BigQueryOptionsFromJson(json.dump(), folder);
  INFO(options.status().ToString());
  REQUIRE(options.ok());
  CHECK(OpenBigQuery(*options).ok());

  std::filesystem::create_directories(folder + "/endpoints");
  std::ofstream(folder + "/endpoints/edge.json") << R"({"id": "5e0c2f57-5d0e-4b1b-9a53-0a6f4f0f4c16", "name": "edge"})";
  std::ofstream(folder + "/endpoints/edge.sql") << "SELECT id FROM `cloudflare.logs.prod`";
  const std::string command =
      StrCat(testing::BuildPath("bin/logquery"), " run --backend ", folder, "/bigquery.json --endpoints ", folder,
             "/endpoints --no-builtin edge >", folder, "/answer 2>", folder, "/error");
  const int code = std::system(command.c_str());  // NOLINT(cert-env33-c): the page's command
  const std::string body = ReadFile(folder + "/answer"), words = ReadFile(folder + "/error");
  CAPTURE(body, words);
  CHECK(code == 0);
  CHECK(body.find("a1") != std::string::npos);
  CHECK(host.problems() == std::vector<std::string>());
  std::filesystem::remove_all(folder);
}

}  // namespace
}  // namespace logquery::testing
