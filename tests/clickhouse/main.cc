// Answers calls over a ClickHouse, as `logquery run` does over a folder: so the query kit is asked of it.
//
//     logquery_clickhouse_run --load DIR COMMAND…        starts a server, puts DIR/NAME.ndjson into it as docs/clickhouse.md lays it out, and runs
//                                                      the command with LOGQUERY_CLICKHOUSE=FILE, a file of options
//     logquery_clickhouse_run --now TIME [--report FILE] ENDPOINT KEY=VALUE…
//                                                      one call over the server that LOGQUERY_CLICKHOUSE names; the report gets a
//                                                      line for each fragment: its rows, what is done to them here, its text
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "lib/base/strings.h"
#include "lib/engines/clickhouse/backend/clickhouse_source.h"
#include "logquery/clickhouse/clickhouse_backend.h"
#include "tests/clickhouse/click_house.h"
#include "tests/clickhouse/log_loader.h"
#include "tests/engines/engine_bench.h"
#include "tests/engines/engine_program.h"

namespace logquery {
namespace {

constexpr char kVariable[] = "LOGQUERY_CLICKHOUSE";

using testing::Fail;
using testing::TextOf;

int Load(int argc, char** argv) {
  if (const std::string why = testing::ClickHouse::WhyNot(); !why.empty()) return Fail(absl::NotFoundError(why));
  testing::ClickHouse server;
  const Catalog declared = Catalog::DeclaredLogs();
  nlohmann::ordered_json tables;
  for (const auto& entry : std::filesystem::directory_iterator(argv[2])) {
    if (entry.path().extension() != ".ndjson") continue;
    const Table* const log = declared.Find(entry.path().stem().string());
    if (log == nullptr) return Fail(absl::NotFoundError(entry.path().string() + " is of no declared log"));
    const ClickHouseTable table = testing::LoadLog(server, *log, TextOf(entry.path()));
    tables[table.name] = {{"table", table.table}, {"fields", table.fields}, {"presence", table.presence}};
  }
  std::fprintf(stderr, "ClickHouse has %s bytes of parts\n",
               server.Ask("SELECT sum(bytes_on_disk) FROM system.parts WHERE active AND database = 'logs'").c_str());
  const ClickHouseOptions options = server.Options({});
  const std::string file = server.folder() + "/options.json";
  const std::string secret = server.folder() + "/secret";
  std::ofstream(secret) << options.password;
  std::ofstream(file) << nlohmann::ordered_json{
      {"engine", "clickhouse"}, {"hosts", options.hosts},         {"database", options.database},
      {"user", options.user},   {"password", {{"file", secret}}}, {"allow_sources", true},
      {"tables", tables}};
  setenv(testing::kEngineProcess, std::to_string(server.process()).c_str(), 1);
  setenv(kVariable, file.c_str(), 1);
  return testing::RunCommand(argc, argv);
}

absl::StatusOr<std::shared_ptr<FragmentSource>> OpenNamed(const std::string& file) {
  auto options = ClickHouseOptionsFromJson(testing::TextOf(file));
  if (!options.ok()) return options.status();
  return std::make_shared<clickhouse::ClickHouseSource>(*std::move(options), Catalog::DeclaredLogs());
}

}  // namespace
}  // namespace logquery

int main(int argc, char** argv) {
  using namespace logquery;
  return testing::RunEngineProgram({"logquery_clickhouse_run", kVariable, Load, OpenNamed}, argc, argv);
}
