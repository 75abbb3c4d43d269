// Asks endpoints of a BigQuery, for the query kit:
//
//     logquery_bigquery_run --load DIR COMMAND…     a host with the rows of DIR/LOG.ndjson for as long as the command runs
//     logquery_bigquery_run --now TIME [--report FILE] ENDPOINT [NAME=VALUE …]     in that command: one call
//
// A report has a line of JSON for each part of a query that BigQuery was asked for: its rows, what is done to them here, its text
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "absl/strings/ascii.h"
#include "lib/engines/bigquery/backend/bigquery_source.h"
#include "logquery/bigquery/bigquery_backend.h"
#include "logquery/store/duckdb_backend.h"
#include "tests/bigquery/bigquery_host.h"
#include "tests/engines/engine_program.h"

namespace logquery {
namespace {

namespace fs = std::filesystem;

constexpr char kVariable[] = "LOGQUERY_BIGQUERY";

using testing::Fail;
using testing::TextOf;

std::string TableName(const std::string& log) {
  std::string name;
  for (const unsigned char c : log) name += absl::ascii_isalnum(c) ? static_cast<char>(c) : '_';
  return name;
}

// Loads DIR's files into the engine that the host computes with.
absl::StatusOr<std::map<std::string, std::string>> LoadLogs(DuckDbBackend& engine, const char* folder) {
  std::map<std::string, std::string> tables;
  for (const auto& entry : fs::directory_iterator(folder)) {
    if (entry.path().extension() != ".ndjson") continue;
    const std::string log = entry.path().stem().string();
    const auto report = engine.store().Load({.table = log, .files = {entry.path().string()}}, nullptr);
    if (!report.ok()) return report.status();
    tables[log] = TableName(log);
  }
  return tables;
}

int Load(int argc, char** argv) {
  std::string folder = (fs::temp_directory_path() / "logquery_bq_XXXXXX").string();
  if (mkdtemp(folder.data()) == nullptr) return Fail(absl::InternalError("can't make a folder"));
  auto engine = OpenDuckDb({.folder = folder + "/data"});
  if (!engine.ok()) return Fail(engine.status());
  const auto tables = LoadLogs(**engine, argv[2]);
  if (!tables.ok()) return Fail(tables.status());
  int code = 1;
  {
    testing::BigQueryHost host(engine->get(), *tables);
    const BigQueryOptions options = host.Options();
    std::ofstream(folder + "/key.json") << options.service_account_key;
    nlohmann::ordered_json mapping;
    for (const BigQueryTable& table : options.tables) mapping[table.name] = {{"table", table.table}};
    std::ofstream(folder + "/options.json") << nlohmann::ordered_json{{"engine", "bigquery"},
                                                                      {"project", options.project},
                                                                      {"dataset", options.dataset},
                                                                      {"api_url", options.api_url},
                                                                      {"service_account", {{"file", "key.json"}}},
                                                                      {"tables", mapping}};
    setenv(kVariable, folder.c_str(), 1);
    code = testing::RunCommand(argc, argv);
    for (const std::string& problem : host.problems()) {
      std::fprintf(stderr, "a request was not as the reference has it: %s\n", problem.c_str());
      code = 1;
    }
  }
  engine->reset();
  std::error_code ignored;
  fs::remove_all(folder, ignored);
  return code;
}

absl::StatusOr<std::shared_ptr<FragmentSource>> OpenNamed(const std::string& folder) {
  const auto options = BigQueryOptionsFromJson(testing::TextOf(folder + "/options.json"), folder);
  if (!options.ok()) return options.status();
  auto source = bigquery::MakeBigQuerySource(*options);
  if (!source.ok()) return source.status();
  return std::shared_ptr<FragmentSource>(*std::move(source));
}

}  // namespace
}  // namespace logquery

int main(int argc, char** argv) {
  using namespace logquery;
  return testing::RunEngineProgram({"logquery_bigquery_run", kVariable, Load, OpenNamed}, argc, argv);
}
