// Stores rows as `logquery load` does, and fills ClickHouse's table with what the view `logs` shows to a call.
#include "tests/clickhouse_oracle/rewritten_logs.h"

#include <nlohmann/json.hpp>
#include <utility>

#include "absl/strings/match.h"
#include "absl/strings/str_replace.h"
#include "lib/base/status_macros.h"
#include "lib/base/strings.h"
#include "lib/tools/result_order.h"
#include "lib/tools/rewrite_sql/compare_forms.h"
#include "tests/clickhouse_oracle/answer.h"

namespace logquery::clickhouse_oracle {
namespace {

namespace fs = std::filesystem;
using base::StrCat;

// An endpoint like logs.all.otel whose answers are not cut, to read the view with.
constexpr char kWhole[] = "logs.whole";
constexpr int64_t kWholeRows = 1'000'000;
constexpr int64_t kWholeBytes = int64_t{1} << 30;
constexpr char kWholeId[] = "b0a9a6e8-6a0e-4a63-9f0b-000000000071";
constexpr size_t kInsertBytes = 4 << 20;  // of one INSERT

}  // namespace

absl::StatusOr<std::unique_ptr<RewrittenLogs>> RewrittenLogs::Make(const fs::path& rows, bool with_clickhouse) {
  std::string name = (fs::temp_directory_path() / "logquery-rewritten-XXXXXX").string();
  if (mkdtemp(name.data()) == nullptr) return absl::InternalError("no temporary folder can be made");
  std::unique_ptr<RewrittenLogs> logs(new RewrittenLogs(name));
  LOGQUERY_RETURN_IF_ERROR(logs->Fill(rows));
  if (!with_clickhouse) return logs;
  logs->server_ = std::make_unique<testing::ClickHouse>();
  logs->server_->Sql(
      "CREATE TABLE default.all_logs (id String, timestamp DateTime64(9), event_message String, severity_text "
      "LowCardinality(String), source LowCardinality(String), project String, log_attributes Map(String, String)) "
      "ENGINE = MergeTree ORDER BY (project, source, timestamp)");
  return logs;
}

RewrittenLogs::~RewrittenLogs() {
  service_ = nullptr;
  backend_ = nullptr;
  server_ = nullptr;
  std::error_code ignored;
  fs::remove_all(folder_, ignored);
}

absl::Status RewrittenLogs::Fill(const fs::path& rows) {
  DuckDbOptions options;
  options.folder = (folder_ / "data").string();
  options.threads = 2;
  options.memory_limit_bytes = 500'000'000;
  LOGQUERY_ASSIGN_OR_RETURN(backend_, OpenDuckDb(options));
  for (const auto& entry : fs::directory_iterator(rows)) {
    if (entry.path().extension() != ".ndjson") continue;
    LOGQUERY_ASSIGN_OR_RETURN(
        const LoadReport report,
        backend_->store().Load({.table = entry.path().stem().string(), .files = {entry.path().string()}}, nullptr));
    if (report.rejected_rows > 0) return absl::InternalError(StrCat(report.rejected_rows, " rows are rejected"));
  }
  QueryServiceOptions service;
  service.backend = backend_.get();
  service.clock = &clock_;
  service.endpoints.clear();
  for (Endpoint& endpoint : Endpoint::BuiltIn()) {
    if (endpoint.name == "logs.all.otel") {
      Endpoint whole = endpoint;
      whole.name = kWhole;
      whole.id = kWholeId;
      whole.aliases.clear();
      whole.max_rows = kWholeRows;
      service.endpoints.push_back(std::move(whole));
    }
    if (endpoint.name.starts_with("logs.all")) service.endpoints.push_back(std::move(endpoint));
  }
  service.warming_threads = 0;
  service.kept_bytes = 0;
  service.time_limit = absl::Minutes(10);  // for slow machines
  service.max_result_bytes = kWholeBytes;
  service.max_body_memory = kWholeBytes;
  LOGQUERY_ASSIGN_OR_RETURN(service_, QueryService::Create(std::move(service)));
  return absl::OkStatus();
}

absl::StatusOr<QueryAnswer> RewrittenLogs::Ask(std::string_view endpoint, ParameterTexts call, const std::string& sql) {
  QueryRequest request;
  request.endpoint = std::string(endpoint);
  request.parameters = std::move(call);
  request.parameters.emplace_back("sql", sql);
  return service_->Run(request);
}

std::string RewrittenLogs::FormsDiffer(const std::string& bigquery, const std::string& clickhouse,
                                       const ParameterTexts& call, bool& failed) {
  failed = false;
  const absl::StatusOr<QueryAnswer> original = Ask("logs.all", call, bigquery);
  if (!original.ok()) {
    failed = true;
    return "";
  }
  const absl::StatusOr<QueryAnswer> rewritten = Ask("logs.all.otel", call, clickhouse);
  if (!rewritten.ok()) return StrCat("the rewritten query fails: ", rewritten.status().ToString());
  return tools::FormDifference({original->body, original->schema}, {rewritten->body, rewritten->schema},
                               {endpoint::OrderOf(bigquery), true});
}

absl::Status RewrittenLogs::CopyProject(const std::string& project, const std::string& tier) {
  if (!copied_.insert(project).second) return absl::OkStatus();
  const char* const columns[] = {"id",     "timestamp", "event_message", "severity_text",
                                 "source", "project",   "log_attributes"};
  LOGQUERY_ASSIGN_OR_RETURN(
      const QueryAnswer whole,
      Ask(kWhole, {{"project", project}, {"project_tier", tier}},
          "SELECT id, timestamp, event_message, severity_text, source, project, log_attributes FROM logs"));
  const Answer all = ReadEndpoint(whole.body);
  if (!all.error.empty()) return absl::InternalError(all.error);
  std::string rows;
  for (size_t i = 0; i < all.rows.size(); ++i) {
    nlohmann::json made;
    for (size_t c = 0; c < std::size(columns); ++c) made[columns[c]] = all.rows[i][c];
    made["timestamp"] = absl::StrReplaceAll(all.rows[i][1].get<std::string>(), {{"T", " "}});
    base::StrAppend(&rows, made.dump(), "\n");
    if (rows.size() < kInsertBytes && i + 1 < all.rows.size()) continue;
    server_->Sql(StrCat("INSERT INTO default.all_logs FORMAT JSONEachRow ", rows));
    rows.clear();
  }
  return absl::OkStatus();
}

absl::Status RewrittenLogs::Restrict(const ParameterTexts& call) {
  if (shown_ == call) return absl::OkStatus();
  std::string project, tier, bounds;
  for (const auto& [name, value] : call) {
    if (name == "project") project = value;
    if (name == "project_tier") tier = value;
    const bool start = name == "iso_timestamp_start", end = name == "iso_timestamp_end";
    if (start || end)
      base::StrAppend(&bounds, " AND timestamp ", start ? ">" : "<=", " parseDateTime64BestEffort('", value,
                      "', 6, 'UTC')");
  }
  LOGQUERY_RETURN_IF_ERROR(CopyProject(project, tier));
  server_->Sql(StrCat("CREATE OR REPLACE VIEW default.logs AS SELECT * FROM default.all_logs WHERE project = '",
                      project, "'", bounds));
  shown_ = call;
  return absl::OkStatus();
}

std::string RewrittenLogs::EnginesDiffer(const std::string& clickhouse, const ParameterTexts& call, bool ordered) {
  constexpr size_t kMaxRows = 1'000;  // of the endpoint
  if (const absl::Status shown = Restrict(call); !shown.ok()) return shown.ToString();
  const absl::StatusOr<QueryAnswer> answer = Ask("logs.all.otel", call, clickhouse);
  if (!answer.ok()) return StrCat("we say ", answer.status().ToString());
  Answer right;
  try {
    right = ReadClickHouse(server_->Ask(StrCat(clickhouse, "\nFORMAT JSONCompactEachRowWithNamesAndTypes")));
  } catch (const std::runtime_error& error) {
    // ClickHouse makes a Variant of types without one in common, which not all functions take; and it evaluates constants of
    // branches and rows that are never read.
    for (const char* words : {"Variant(", "Unexpected inf or nan", "Unknown expression identifier `"}) {
      if (absl::StrContains(error.what(), words)) return "";
    }
    return StrCat("ClickHouse says ", std::string(error.what()).substr(0, 600));
  }
  // The endpoint writes times of a type with a zone with their offset.
  for (const std::string& type : right.types) {
    if (type.find("('") != std::string::npos) return "";
  }
  if (right.rows.size() > kMaxRows) {
    if (!ordered) return "";  // any of the rows
    right.rows.resize(kMaxRows);
  }
  return RowDifference(ReadEndpoint(answer->body), right, ordered);
}

}  // namespace logquery::clickhouse_oracle
