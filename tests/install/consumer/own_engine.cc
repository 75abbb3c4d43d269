// An engine of one's own against the built-in store: the same logs in a SQLite file and in a log store, the same answers, byte
// for byte, and the contract of all backends.
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <thread>

#include "logquery/query_service.h"
#include "logquery/store/duckdb_backend.h"
#include "logquery/testing/backend_contract.h"
#include "sqlite_engine.h"

namespace {

using logquery::HotColumn;
using logquery::Table;

constexpr int64_t kNow = 1'772'600'700;  // 2026-03-04T05:05:00Z

int failures = 0;

void Check(bool is_true, const std::string& what) {
  if (is_true) return;
  std::fprintf(stderr, "FAILED: %s\n", what.c_str());
  ++failures;
}

void CheckOk(const absl::Status& status) { Check(status.ok(), status.ToString()); }

// The built-in logs as SQLite has them: fields that queries often read in columns of their own.
std::vector<Table> LogTables() {
  std::vector<Table> tables = logquery::Catalog::DeclaredLogs().tables();
  const auto value = [](std::vector<std::string> path, const char* name) { return HotColumn{std::move(path), name}; };
  const auto presence = [](std::vector<std::string> path, const char* name) {
    return HotColumn{std::move(path), name, HotColumn::Holds::kPresence};
  };
  for (Table& table : tables) {
    table.storage_name = table.log;
    if (table.log == "edge_logs") {
      table.hot_columns = {value({"metadata", "request", "path"}, "request path"),
                           value({"metadata", "request", "url"}, "request url"),
                           value({"metadata", "request", "method"}, "request method"),
                           presence({"metadata"}, "has metadata"), presence({"metadata", "request"}, "has request")};
    }
    if (table.log == "function_edge_logs") {
      table.hot_columns = {value({"metadata", "project_ref"}, "project_ref"),
                           value({"metadata", "function_id"}, "function_id"),
                           value({"metadata", "execution_time_ms"}, "execution_time_ms"),
                           value({"metadata", "response", "status_code"}, "status_code"),
                           presence({"metadata"}, "has metadata"),
                           presence({"metadata", "response"}, "has response")};
    }
  }
  return tables;
}

std::string Time(int64_t seconds_ago) { return std::to_string((kNow - seconds_ago) * 1'000'000); }

// The text of a message that is made to break out of quotes, as JSON and as GoogleSQL.
constexpr char kHostileJson[] = R"(it's \\ \" ? ?1 $1 $text -- ; /* ' OR 1=1)";
constexpr char kHostileSql[] = R"('it\'s \\ " ? ?1 $1 $text -- ; /* \' OR 1=1')";

std::vector<std::string> EdgeRows() {
  constexpr const char* kPaths[] = {"/rest/v1/todos", "/auth/v1/token", "/storage/v1/object", "/realtime/v1", "/"};
  std::vector<std::string> rows;
  for (int i = 0; i < 300; ++i) {
    const std::string project = i % 3 == 0 ? "abc" : "other";
    const std::string path = kPaths[i % 5];
    std::string row = R"({"id":"edge-)" + std::to_string(i) + R"(","timestamp":)" + Time(i * 20) +
                      R"(,"event_message":")" + (i == 6 ? kHostileJson : "GET " + path) + R"(","project":")" + project +
                      "\"";
    // Every way in which a part can be missing.
    if (i % 7 == 1) {
      row += R"(,"metadata":{})";
    } else if (i % 7 != 2) {
      row += R"(,"metadata":{"request":{"method":")" + std::string(i % 4 == 0 ? "POST" : "GET") + R"(","path":")" +
             path + R"(","url":"https://)" + project + ".example.com" + path + R"("},"response":{"status_code":)" +
             std::to_string(200 + i % 5 * 75) + "}}";
    }
    rows.push_back(row + "}");
  }
  return rows;
}

std::vector<std::string> FunctionRows() {
  std::vector<std::string> rows;
  for (int i = 0; i < 200; ++i) {
    std::string row = R"({"id":"call-)" + std::to_string(i) + R"(","timestamp":)" + Time(i * 97) +
                      R"(,"event_message":"called","metadata":{"project_ref":")" + (i % 4 == 0 ? "other" : "abc") +
                      R"(","function_id":"f)" + std::to_string(i % 3) + R"(")";
    if (i % 9 != 0) row += R"(,"execution_time_ms":)" + std::to_string(i * 37 % 500);
    if (i % 5 != 0) row += R"(,"response":{"status_code":)" + std::to_string(200 + i % 4 * 100) + "}";
    rows.push_back(row + "}}");
  }
  return rows;
}

struct Call {
  std::string endpoint;
  logquery::ParameterTexts parameters;
  std::vector<std::string> sent;  // each is in a text that SQLite ran
};

std::vector<Call> Calls() {
  const std::string hostile = kHostileSql;
  return {
      {"logs.all", {{"project", "abc"}}, {R"(t1."project" = ?)", "ORDER BY", "LIMIT 100"}},
      {"usage.api-counts", {{"project", "abc"}, {"interval", "hourly"}}, {"instr(", "GROUP BY", "count(nullif("}},
      {"usage.api-counts", {{"project", "abc"}, {"interval", "minutely"}}, {"GROUP BY"}},
      {"functions.invocation-stats", {{"project", "abc"}}, {R"("project_ref" = ?)", "GROUP BY"}},
      {"functions.invocation-stats", {{"project", "abc"}, {"interval", "7day"}, {"function_id", "f1"}}, {"GROUP BY"}},
      {"logs.all",
       {{"project", "abc"},
        {"sql",
         "select r.method, count(*) as n, sum(length(r.path)) as s from edge_logs, unnest(metadata) as m, "
         "unnest(m.request) as r where r.path like '/r%' group by 1 order by 1"}},
       // LIKE and LENGTH are not in the spellings; the rest goes.
       {"WHERE"}},
      {"logs.all",
       {{"project", "abc"}, {"sql", "select id, event_message from edge_logs where event_message = " + hostile}},
       {"'it''s"}},
      {"logs.all",
       {{"project", "abc"}, {"sql", "select count(*) as n from edge_logs where event_message = 'a\\x00b'"}},
       {}},
      {"logs.all",
       {{"project", "abc"},
        {"sql",
         "select event_message, count(distinct id) as n, max(timestamp) as t from edge_logs group by 1 "
         "having n > 2 order by n desc, 1 limit 3"}},
       {"count(DISTINCT", "LIMIT 3"}},
  };
}

absl::StatusOr<std::unique_ptr<logquery::QueryService>> ServiceOver(logquery::QueryBackend& backend) {
  static const auto& clock = *new logquery::FixedClock(absl::FromUnixSeconds(kNow));
  logquery::QueryServiceOptions options;
  options.backend = &backend;
  options.clock = &clock;
  return logquery::QueryService::Create(options);
}

void CompareWithStore(const std::filesystem::path& folder) {
  auto store = logquery::OpenDuckDb({.folder = (folder / "data").string()});
  if (!store.ok()) return CheckOk(store.status());
  const std::string file = (folder / "logs.db").string();
  SqliteFile sqlite(file);
  const std::vector<Table> tables = LogTables();
  for (const Table& table : tables) {
    CheckOk(sqlite.Create(table));
    const std::vector<std::string> rows = table.log == "edge_logs"            ? EdgeRows()
                                          : table.log == "function_edge_logs" ? FunctionRows()
                                                                              : std::vector<std::string>();
    CheckOk(sqlite.Execute("BEGIN"));
    for (const std::string& row : rows) CheckOk(sqlite.InsertJson(table, row));
    CheckOk(sqlite.Execute("COMMIT"));
    const auto appended = (*store)->store().Append({.table = table.name, .rows = {rows.begin(), rows.end()}});
    CheckOk(appended.status());
  }
  auto engine = std::make_shared<SqliteEngine>(file, tables);
  auto backend = logquery::CreateFragmentEngineBackend(SqliteSpellings(), engine, {});
  if (!backend.ok()) return CheckOk(backend.status());
  CheckOk((*backend)->State().status);
  auto of_store = ServiceOver(**store);
  auto of_sqlite = ServiceOver(**backend);
  if (!of_store.ok() || !of_sqlite.ok()) return CheckOk(of_store.ok() ? of_sqlite.status() : of_store.status());

  for (const Call& call : Calls()) {
    logquery::QueryRequest request;
    request.endpoint = call.endpoint;
    request.parameters = call.parameters;
    const auto expected = (*of_store)->Run(request);
    engine->TakeTexts();
    const auto answer = (*of_sqlite)->Run(request);
    if (!expected.ok() || !answer.ok()) {
      CheckOk(expected.status());
      CheckOk(answer.status());
      continue;
    }
    Check(answer->body == expected->body,
          call.endpoint + ": SQLite gave " + answer->body.text() + "; the store " + expected->body.text());
    std::string texts;
    for (const std::string& text : engine->TakeTexts()) texts += text + "\n";
    std::printf("%s: %zu bytes\n%s", call.endpoint.c_str(), answer->body.size(), texts.c_str());
    for (const std::string& part : call.sent)
      Check(texts.find(part) != std::string::npos, part + " is not in " + texts);
    Check(!texts.empty(), "SQLite ran nothing");
  }

  // Check says what runs where, without running it.
  logquery::QueryRequest request;
  request.endpoint = "logs.all";
  request.parameters = Calls()[5].parameters;
  request.explain = true;
  const auto verdict = (*of_sqlite)->Check(request);
  if (!verdict.ok() || !verdict->explanation.has_value()) return CheckOk(verdict.status());
  Check(verdict->explanation->parts.size() == 1, "the query has one part for SQLite");
  const std::string then_here = verdict->explanation->parts.empty() ? "" : verdict->explanation->parts[0].then_here;
  std::printf("then here: %s\n", then_here.c_str());
  Check(then_here.find("LIKE") != std::string::npos, "LIKE is computed here, for a reason that is told");
}

// A statement that would never end, ended by its caller.
void CancelStatement(const std::filesystem::path& folder) {
  SqliteEngine engine((folder / "logs.db").string(), {});
  const std::string text = "WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c) SELECT count(*) FROM c";
  const logquery::Schema schema = {{"n", logquery::Type::Int64()}};
  for (const absl::Time deadline : {absl::InfiniteFuture(), absl::InfinitePast()}) {
    logquery::CollectingSink sink;
    logquery::CancellationSource source;
    std::thread cancel([&] {
      if (deadline == absl::InfiniteFuture()) source.Cancel();
    });
    const absl::Status status = engine.Run({text, {}, schema, deadline, {}}, source.token(), sink);
    cancel.join();
    Check(absl::IsCancelled(status), "the statement ended with " + status.ToString());
  }
}

class Harness : public logquery::testing::ContractHarness {
 public:
  explicit Harness(std::string file) : file_(std::move(file)) {}
  absl::StatusOr<std::unique_ptr<logquery::QueryBackend>> Open() override {
    std::vector<Table> tables;
    for (const auto& each : logquery::testing::ContractTables()) tables.push_back(each.table);
    return logquery::CreateFragmentEngineBackend(SqliteSpellings(), std::make_shared<SqliteEngine>(file_, tables), {});
  }

 private:
  const std::string file_;
};

void CheckContract(const std::filesystem::path& folder) {
  const std::string file = (folder / "contract.db").string();
  SqliteFile sqlite(file);
  for (const auto& each : logquery::testing::ContractTables()) {
    CheckOk(sqlite.Create(each.table));
    CheckOk(sqlite.Execute("BEGIN"));
    for (const auto& row : each.rows) CheckOk(sqlite.Insert(each.table, row));
    CheckOk(sqlite.Execute("COMMIT"));
  }
  const logquery::testing::ContractReport report =
      logquery::testing::CheckContract([&] { return std::make_unique<Harness>(file); });
  std::puts(report.Text().c_str());
  Check(report.failed.empty() && !report.passed.empty(), "SQLite meets the contract of backends");
}

}  // namespace

int main() {
  std::string name = (std::filesystem::temp_directory_path() / "logquery-engine-XXXXXX").string();
  if (mkdtemp(name.data()) == nullptr) return std::perror("a folder for the example"), 1;
  const std::filesystem::path folder = name;
  CompareWithStore(folder);
  CancelStatement(folder);
  CheckContract(folder);
  std::filesystem::remove_all(folder);
  return failures == 0 ? 0 : 1;
}
