// Makes rows with values at which the languages differ, stores them as a collector would, and asks both sides.
#include "tests/clickhouse_oracle/both_logs.h"

#include <algorithm>
#include <fstream>
#include <random>

#include "absl/strings/match.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/str_split.h"
#include "lib/base/status_macros.h"
#include "lib/base/strings.h"

namespace logquery::clickhouse_oracle {
namespace {

namespace fs = std::filesystem;
using base::StrCat;
using Json = nlohmann::ordered_json;

constexpr int64_t kStartMicros = 1'772'409'600'000'000;  // 2026-03-02 00:00:00 UTC
constexpr int kEdgeRows = 60;
constexpr int kAppRows = 60;
constexpr int kAuthRows = 40;

// One key is stored in several types (`status`), one is INT64, FLOAT64 or BOOL everywhere, one a list, and one is learned.
constexpr char kSchema[] = R"({
  "edge.logs": {"log": "edge_logs", "time": "timestamp", "project": ["project"], "columns": {"id": "STRING",
    "timestamp": "TIMESTAMP", "project": "STRING", "event_message": "STRING", "metadata": {"level": "STRING",
    "request": {"path": "STRING", "method": "STRING", "url": "STRING"}, "response": {"status_code": "INT64", "took": "FLOAT64"}}}},
  "app.logs": {"log": "app_logs", "time": "timestamp", "project": ["project"], "columns": {"id": "STRING",
    "timestamp": "TIMESTAMP", "project": "STRING", "event_message": "STRING", "level": "STRING", "n": "INT64", "f": "FLOAT64",
    "b": "BOOL", "s": "STRING", "status": "INT64", "tags": ["STRING"], "nums": ["INT64"]}},
  "auth.logs": {"log": "auth_logs", "time": "timestamp", "project": ["project"], "columns": {"id": "STRING",
    "timestamp": "TIMESTAMP", "project": "STRING", "event_message": "STRING", "metadata": {"level": "STRING", "status": "STRING",
    "path": "STRING", "msg": "STRING", "a": {"b": "STRING"}}}}})";

class RowMaker {
 public:
  explicit RowMaker(uint64_t seed) : random_(seed) {}

  std::string Line(const std::string& project, const std::string& log, int number) {
    Json row;
    row["id"] = StrCat(log.substr(0, 2), number);
    row["timestamp"] = absl::FormatTime("%Y-%m-%dT%H:%M:%E6SZ", Time(), absl::UTCTimeZone());
    row["project"] = project;
    if (!Chance(10)) row["event_message"] = Message();
    if (log == "edge_logs") Edge(row);
    if (log == "app_logs") App(row);
    if (log == "auth_logs") Auth(row);
    return row.dump();
  }

 private:
  size_t Below(size_t bound) { return static_cast<size_t>(random_() % bound); }
  bool Chance(size_t percent) { return Below(100) < percent; }
  std::string OneOf(std::initializer_list<const char*> texts) { return texts.begin()[Below(texts.size())]; }

  // Some times share a second, and some a minute.
  absl::Time Time() {
    const auto minute = static_cast<int64_t>(Below(40)) * 67;
    const int64_t micros = Chance(30) ? 0 : static_cast<int64_t>(Below(60'000'000));
    return absl::FromUnixMicros(kStartMicros + minute * 60'000'000 + micros);
  }

  std::string Message() {
    return OneOf({"signed in", "GET /a/b?x=1&y=2", "täble \"ü\" does not exist", "a,b,,c",
                  "{\"n\": 12, \"s\": \"x\", \"l\": [1, 2, {\"k\": null}], \"f\": 1.5}", "", "line one\nline two",
                  "100% of 12.5", "tab\tand 'quote' \\ backslash", "WARNING: 42 rows", "Straße ÄÖ"});
  }

  void Edge(Json& row) {
    Json& data = row["metadata"];
    if (Chance(50)) data["level"] = OneOf({"error", "info"});
    data["request"]["path"] = OneOf({"/rest/v1/orders", "/auth/v1/token", "/", "", "/storage/v1/object/a.png"});
    data["request"]["method"] = OneOf({"GET", "POST", "DELETE"});
    if (Chance(70))
      data["request"]["url"] = OneOf({"https://www.abc.example/rest/v1/orders?select=id%2Cname&limit=20#top",
                                      "http://abc.example:8080/", "abc", ""});
    if (!Chance(10))
      data["response"]["status_code"] = std::initializer_list<int>{200, 201, 204, 301, 404, 500, 503}.begin()[Below(7)];
    if (!Chance(20)) data["response"]["took"] = static_cast<double>(Below(4000)) / 8;
    if (Chance(20)) data["response"]["cached"] = Chance(50);  // learned
  }

  void App(Json& row) {
    if (Chance(80)) row["level"] = OneOf({"error", "warn", "Warning", "debug", "unknown", "FATAL"});
    if (!Chance(15)) row["n"] = Integer();
    if (!Chance(15)) row["f"] = Float();
    if (!Chance(15)) row["b"] = Chance(50);
    if (!Chance(15))
      row["s"] = OneOf({"", "a", "b", "12", "-7", " 5", "1e3", "nan", "0x10", "12.5", "300", "ab", "Ab", "täb", "a%b",
                        "true", "2026-03-03 04:05:06"});
    if (!Chance(15)) row["status"] = static_cast<int64_t>(Below(3)) * 100 + 200;
    if (!Chance(20)) {
      row["tags"] = Json::array();
      for (size_t i = Below(4); i > 0; --i) row["tags"].push_back(OneOf({"x", "y", "zz", ""}));
    }
    if (!Chance(20)) {
      row["nums"] = Json::array();
      for (size_t i = Below(4); i > 0; --i) row["nums"].push_back(static_cast<int64_t>(Below(9)) - 3);
    }
  }

  int64_t Integer() {
    const std::initializer_list<int64_t> odd = {0,    1,      -1,        127,       128,       255,      256,
                                                -128, 65'536, INT32_MAX, INT32_MIN, INT64_MAX, INT64_MIN};
    return Chance(25) ? odd.begin()[Below(odd.size())] : static_cast<int64_t>(Below(40)) - 10;
  }
  double Float() {
    const std::initializer_list<double> odd = {0, -0.5, 2.5, 1e15, 1e16, 1e21, 1.5e-7, 0.000001, 1e300};
    return Chance(25) ? odd.begin()[Below(odd.size())] : static_cast<double>(Below(64)) / 4 - 4;
  }

  void Auth(Json& row) {
    if (Chance(10)) return;  // no metadata
    Json& data = row["metadata"];
    data["level"] = OneOf({"warning", "info", "error"});
    if (Chance(70)) data["status"] = OneOf({"200", "422", "0200", "ok", ""});
    if (Chance(70)) data["path"] = OneOf({"/token", "/user", "/token?grant_type=password"});
    if (Chance(50)) data["msg"] = Message();
    if (Chance(30)) data["a"]["b"] = OneOf({"3", "4"});
  }

  std::mt19937_64 random_;
};

// Returns whether we refuse a query: the error says what is not supported, or that a number does not fit into our integers.
bool IsRefusal(const std::string& error) {
  for (const char* words : {"not supported", "takes no Nullable", "does not fit", "overflow", "Overflow",
                            "out of range", "exceeds", "no 64-bit integer", "can't read a Date"}) {
    if (absl::StrContains(error, words)) return true;
  }
  return false;
}

constexpr size_t kArgumentIndent = 6;  // of a function's argument in EXPLAIN QUERY TREE

// Returns whether a query tree has greatest of an Int64 and a UInt64. Where its first argument is a column's value, ClickHouse
// converts both to UInt64 before it compares them, so that -1 is greater than 2; for constants and for a second argument that is
// one, 2 is greater.
bool HasMixedGreatest(absl::string_view tree) {
  const std::vector<absl::string_view> lines = absl::StrSplit(tree, '\n');
  const auto indent = [](absl::string_view line) { return line.find_first_not_of(' '); };
  for (size_t i = 0; i < lines.size(); ++i) {
    if (!absl::StrContains(lines[i], "function_name: greatest,")) continue;
    bool is_signed = false, is_unsigned = false;
    for (size_t j = i + 1; j < lines.size() && indent(lines[j]) > indent(lines[i]); ++j) {
      if (indent(lines[j]) != indent(lines[i]) + kArgumentIndent) continue;
      is_signed = is_signed || absl::StrContains(lines[j], " Int64") || absl::StrContains(lines[j], "(Int64");
      is_unsigned = is_unsigned || absl::StrContains(lines[j], "UInt64");
    }
    if (is_signed && is_unsigned) return true;
  }
  return false;
}

constexpr char kVariant[] = "Variant(";
constexpr char kNoNullableSum[] = "array aggregation function cannot be performed on type Nullable";
// The error for a LowCardinality(Nullable(String)): source is one in ClickHouse's table where it may be NULL.
constexpr char kNoNullableJson[] =
    "should be a string containing JSON or a JSON object, illegal type: Nullable(String)";
constexpr char kNoSupertype[] = "There is no supertype for types";
// ClickHouse moves the constant of avg(x / constant) out of the aggregate, and fails where it is NULL.
constexpr char kNullConstant[] = "Unexpected literal type in function";
// ClickHouse loses a column of a join whose one side has a condition that is always false.
constexpr char kLostColumn[] = "NOT_FOUND_COLUMN_IN_BLOCK";
// The type of greatest(Int32, UInt64) is Int128 there, for which it has no arithmetic with Float64.
constexpr char kNoInt128[] = "Illegal types Float64 and Int128";
constexpr char kProject[] = "abc";
constexpr size_t kMaxRows = 1'000;  // of the endpoint

}  // namespace

absl::StatusOr<std::unique_ptr<BothLogs>> BothLogs::Make() {
  std::string name = (fs::temp_directory_path() / "logquery-clickhouse-oracle-XXXXXX").string();
  if (mkdtemp(name.data()) == nullptr) return absl::InternalError("no temporary folder can be made");
  std::unique_ptr<BothLogs> logs(new BothLogs(name));
  LOGQUERY_RETURN_IF_ERROR(logs->Fill());
  logs->server_ = std::make_unique<testing::ClickHouse>();
  // After some 14,000 queries that cache made PREWHERE with conditions that are always true give no rows.
  logs->server_->RestartWithProfile("<use_query_condition_cache>0</use_query_condition_cache>");
  LOGQUERY_RETURN_IF_ERROR(logs->Copy());
  return logs;
}

BothLogs::~BothLogs() {
  service_ = nullptr;
  backend_ = nullptr;
  server_ = nullptr;
  std::error_code ignored;
  fs::remove_all(folder_, ignored);
}

absl::Status BothLogs::Fill() {
  DuckDbOptions options;
  options.folder = (folder_ / "data").string();
  options.threads = 2;
  options.memory_limit_bytes = 500'000'000;
  options.schema_json = kSchema;
  LOGQUERY_ASSIGN_OR_RETURN(backend_, OpenDuckDb(options));
  RowMaker rows(7);
  for (const auto& [log, count] :
       {std::pair("edge_logs", kEdgeRows), std::pair("app_logs", kAppRows), std::pair("auth_logs", kAuthRows)}) {
    const std::string file = (folder_ / log).string();
    std::ofstream out(file);
    for (int i = 0; i < count; ++i) {
      for (const char* project : {kProject, "other"}) out << rows.Line(project, log, i) << "\n";
    }
    out.close();
    LOGQUERY_ASSIGN_OR_RETURN(const LoadReport report,
                              backend_->store().Load({.table = log, .files = {file}}, nullptr));
    if (report.rejected_rows > 0) return absl::InternalError(StrCat(report.rejected_rows, " rows are rejected"));
  }
  QueryServiceOptions service;
  service.backend = backend_.get();
  service.clock = &clock_;
  service.endpoints.clear();
  for (Endpoint& endpoint : Endpoint::BuiltIn()) {
    if (endpoint.name == "logs.all.otel") service.endpoints.push_back(std::move(endpoint));
  }
  service.warming_threads = 0;
  service.kept_bytes = 0;
  LOGQUERY_ASSIGN_OR_RETURN(service_, QueryService::Create(std::move(service)));
  return absl::OkStatus();
}

absl::Status BothLogs::Copy() {
  server_->Sql(
      "CREATE TABLE default.logs (id String, timestamp DateTime64(9), event_message String, severity_text "
      "LowCardinality(String), source LowCardinality(String), project String, log_attributes Map(String, String)) "
      "ENGINE = MergeTree ORDER BY (project, source, timestamp)");
  const Answer all =
      Ours("SELECT id, timestamp, event_message, severity_text, source, project, log_attributes FROM logs");
  if (!all.error.empty()) return absl::InternalError(all.error);
  const char* const columns[] = {"id",     "timestamp", "event_message", "severity_text",
                                 "source", "project",   "log_attributes"};
  std::string rows;
  for (const nlohmann::json& row : all.rows) {
    nlohmann::json made;
    for (size_t i = 0; i < row.size(); ++i) made[columns[i]] = row[i];
    made["timestamp"] = absl::StrReplaceAll(row[1].get<std::string>(), {{"T", " "}});
    base::StrAppend(&rows, made.dump(), "\n");
  }
  if (all.rows.size() != kEdgeRows + kAppRows + kAuthRows) return absl::InternalError("the view lacks rows");
  server_->Sql(StrCat("INSERT INTO default.logs FORMAT JSONEachRow ", rows));
  return absl::OkStatus();
}

Answer BothLogs::Ours(const std::string& sql) {
  QueryRequest request;
  request.endpoint = "logs.all.otel";
  request.parameters = {{"project", kProject}, {"project_tier", "ENTERPRISE"}, {"sql", sql}};
  const auto answer = service_->Run(request);
  if (answer.ok()) return ReadEndpoint(answer->body);
  Answer failed;
  failed.error = answer.status().ToString();
  return failed;
}

Answer BothLogs::Right(const std::string& sql) {
  try {
    return ReadClickHouse(server_->Ask(StrCat(sql, " FORMAT JSONCompactEachRowWithNamesAndTypes")));
  } catch (const std::runtime_error& error) {
    Answer failed;
    failed.error = error.what();
    return failed;
  }
}

std::string BothLogs::QueryTree(const std::string& sql) {
  try {
    return server_->Ask("EXPLAIN QUERY TREE " + sql);
  } catch (const std::runtime_error&) {
    return "";
  }
}

// ClickHouse makes a Variant of types without one in common. Its functions compare and convert each value by its own type. We
// have the wider type instead, so an answer that depends on it may differ.
Verdict BothLogs::Check(const Query& query) {
  Verdict verdict = Compare(query);
  if (verdict.kind != Verdict::Kind::kDiffers) return verdict;
  const std::string tree = QueryTree(query.sql);
  if (absl::StrContains(tree, kVariant)) return {Verdict::Kind::kRefused, "ClickHouse makes a Variant"};
  if (HasMixedGreatest(tree))
    return {Verdict::Kind::kRefused, "ClickHouse takes a negative argument of greatest for a large one"};
  return verdict;
}

Verdict BothLogs::Compare(const Query& query) {
  std::string sql = query.sql;
  if (!distorted_.first.empty()) sql = absl::StrReplaceAll(sql, {distorted_});
  const Answer ours = Ours(sql);
  Answer right = Right(query.sql);
  const auto differs = [](std::string text) { return Verdict{Verdict::Kind::kDiffers, std::move(text)}; };
  if (!ours.error.empty()) {
    if (!right.error.empty()) return {Verdict::Kind::kBothFail, ours.error};
    if (IsRefusal(ours.error)) return {Verdict::Kind::kRefused, ours.error};
    return differs(StrCat("we say ", ours.error));
  }
  if (absl::StrContains(right.error, kNoNullableJson))
    return {Verdict::Kind::kRefused, "ClickHouse has no JSON function of LowCardinality(Nullable(String))"};
  // We take the wider of an unsigned and a signed integer, where ClickHouse has no type for both.
  if (absl::StrContains(right.error, kNoSupertype)) return {Verdict::Kind::kRefused, "ClickHouse has no type"};
  if (absl::StrContains(right.error, kNullConstant))
    return {Verdict::Kind::kRefused, "ClickHouse fails for a constant NULL in an aggregate"};
  if (absl::StrContains(right.error, kLostColumn)) return {Verdict::Kind::kRefused, "ClickHouse loses a column"};
  if (absl::StrContains(right.error, kNoInt128))
    return {Verdict::Kind::kRefused, "ClickHouse has no arithmetic of Float64 and Int128"};
  // Some functions of ClickHouse take no Variant. Others make a Nullable of it, of which sums of arrays take none; nor do ours.
  if (absl::StrContains(right.error, "Variant") || absl::StrContains(right.error, kNoNullableSum))
    return {Verdict::Kind::kRefused, "ClickHouse makes a Variant"};
  if (!right.error.empty()) return differs(StrCat("we answer, but ClickHouse says ", right.error.substr(0, 600)));
  if (right.rows.size() > kMaxRows) {
    if (ours.rows.size() != kMaxRows) return differs(StrCat(ours.rows.size(), " rows for ", right.rows.size()));
    if (!query.ordered) return {};
    right.rows.resize(kMaxRows);
  }
  const auto is_variant = [](const std::string& type) { return absl::StrContains(type, kVariant); };
  std::string difference = RowDifference(ours, right, query.ordered);
  if (!difference.empty() && std::any_of(right.types.begin(), right.types.end(), is_variant))
    return {Verdict::Kind::kRefused, "ClickHouse makes a Variant"};
  if (!difference.empty()) return differs(std::move(difference));
  if (right.rows.empty()) return {};
  // The types are those that toTypeName says.
  std::string names;
  for (size_t i = 0; i < right.types.size(); ++i)
    base::StrAppend(&names, i == 0 ? "" : ", ", "toTypeName(q.", right.names[i], ") AS t", i);
  const Answer types = Ours(StrCat("SELECT ", names, " FROM (", sql, ") AS q LIMIT 1"));
  if (!types.error.empty() || types.rows.empty()) return differs(StrCat("no types: ", types.error));
  for (size_t i = 0; i < right.types.size(); ++i) {
    if (is_variant(right.types[i])) continue;
    const std::string wanted = PlainType(right.types[i]);
    if (types.rows[0][i] != wanted)
      return differs(StrCat("the type of c", i, " is ", types.rows[0][i].dump(), ", right is ", wanted));
  }
  return {};
}

}  // namespace logquery::clickhouse_oracle
