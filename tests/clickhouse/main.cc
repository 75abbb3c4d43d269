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
#include <sstream>
#include <string>
#include <string_view>

#include "lib/backend/clickhouse/clickhouse_source.h"
#include "lib/backend/duckdb/source/fragment_backend.h"
#include "lib/base/strings.h"
#include "logquery/clickhouse/clickhouse_backend.h"
#include "logquery/parameter_binder.h"
#include "logquery/query_service.h"
#include "logquery/testing/fake_clock.h"
#include "shim/http/error_body.h"
#include "tests/clickhouse/click_house.h"
#include "tests/clickhouse/log_loader.h"
#include "tests/support/counting_source.h"

namespace logquery {
namespace {

constexpr char kVariable[] = "LOGQUERY_CLICKHOUSE";

int Fail(const absl::Status& status) { return std::fprintf(stderr, "%s\n", status.ToString().c_str()), 1; }

std::string TextOf(const std::filesystem::path& path) {
  std::ostringstream text;
  text << std::ifstream(path, std::ios::binary).rdbuf();
  return text.str();
}

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
  const ClickHouseOptions options = server.Options({});
  const std::string file = server.folder() + "/options.json";
  const std::string secret = server.folder() + "/secret";
  std::ofstream(secret) << options.password;
  std::ofstream(file) << nlohmann::ordered_json{
      {"engine", "clickhouse"}, {"hosts", options.hosts},         {"database", options.database},
      {"user", options.user},   {"password", {{"file", secret}}}, {"allow_sources", true},
      {"tables", tables}};
  setenv(kVariable, file.c_str(), 1);
  std::string command;
  for (int i = 3; i < argc; ++i) {
    command += " '";
    for (const char c : std::string_view(argv[i])) command += c == '\'' ? std::string("'\\''") : std::string(1, c);
    command += "'";
  }
  return std::system(command.c_str()) == 0 ? 0 : 1;  // NOLINT(cert-env33-c): it is what the program is asked to do
}

struct Arguments {
  std::string now;
  std::string report;
  QueryRequest request;

  bool Read(int argc, char** argv) {
    for (int i = 1; i < argc; ++i) {
      const std::string_view word = argv[i];
      if ((word == "--now" || word == "--report") && i + 1 < argc) {
        (word == "--now" ? now : report) = argv[++i];
      } else if (request.endpoint.empty()) {
        request.endpoint = word;
      } else if (const size_t equals = word.find('='); equals != std::string_view::npos) {
        request.parameters.emplace_back(std::string(word.substr(0, equals)), std::string(word.substr(equals + 1)));
      } else {
        return false;
      }
    }
    return !request.endpoint.empty() && !now.empty() && std::getenv(kVariable) != nullptr;
  }
};

void Report(const std::string& path, testing::CountingSource& source) {
  if (path.empty()) return;
  std::ofstream report(path, std::ios::app);
  for (const testing::CountingSource::Asked& asked : source.Take()) {
    report << nlohmann::ordered_json{{"rows", asked.rows}, {"reason", asked.reason}, {"text", asked.text}}.dump()
           << "\n";
  }
}

int Main(int argc, char** argv) {
  if (argc > 3 && std::string_view(argv[1]) == "--load") return Load(argc, argv);
  Arguments arguments;
  if (!arguments.Read(argc, argv)) {
    return Fail(absl::InvalidArgumentError(
        "usage: logquery_clickhouse_run --load DIR COMMAND…, or in the command --now TIME [--report FILE] ENDPOINT …"));
  }
  const absl::StatusOr<absl::Time> now = ParseTimestamp(arguments.now);
  if (!now.ok()) return Fail(now.status());
  const testing::FakeClock clock(*now);
  auto clickhouse = ClickHouseOptionsFromJson(TextOf(std::getenv(kVariable)));
  if (!clickhouse.ok()) return Fail(clickhouse.status());
  auto source = std::make_shared<testing::CountingSource>(
      std::make_shared<clickhouse::ClickHouseSource>(*std::move(clickhouse), Catalog::DeclaredLogs()));
  auto backend = duckdb::OpenOverFragments(source, {});
  if (!backend.ok()) return Fail(backend.status());
  QueryServiceOptions options;
  options.backend = backend->get();
  options.clock = &clock;
  auto service = QueryService::Create(options);
  if (!service.ok()) return Fail(service.status());
  const auto answer = (*service)->Run(arguments.request);
  const std::string body = answer.ok() ? answer->body : shim::MakeErrorAnswer(answer.status(), "", false).body;
  std::fwrite(body.data(), 1, body.size(), stdout);
  Report(arguments.report, *source);
  return answer.ok() ? 0 : 1;
}

}  // namespace
}  // namespace logquery

int main(int argc, char** argv) { return logquery::Main(argc, argv); }
