// Helpers of the tests of packed records: a log that has them, and answers to every kind of call.
#ifndef LOGQUERY_TESTS_STORE_PACKED_TEST_UTIL_H_
#define LOGQUERY_TESTS_STORE_PACKED_TEST_UTIL_H_

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/time/clock.h"
#include "absl/time/time.h"
#include "lib/engines/duckdb/backend/database.h"
#include "lib/store/backend_impl.h"
#include "logquery/query_service.h"
#include "tests/store/folder_test_util.h"

namespace logquery::store::packed {

// A log whose record has fields of every type and is worth packing, beside one that is not.
inline constexpr char kSchema[] = R"({
  "test.logs": {
    "log": "test_logs", "time": "timestamp", "project": ["project"],
    "hot": {"values": ["metadata.request.path"], "presence": ["metadata", "metadata.request"]},
    "columns": {
      "id": "STRING", "timestamp": "TIMESTAMP", "event_message": "STRING", "project": "STRING",
      "small": {"a": "INT64"},
      "metadata": {
        "level": "STRING", "i": "INT64", "f": "FLOAT64", "b": "BOOL", "n": "NUMERIC", "big": "BIGNUMERIC", "y": "BYTES",
        "d": "DATE", "t": "TIME", "dt": "DATETIME", "ts": "TIMESTAMP", "j": "JSON", "tags": ["STRING"],
        "items": [{"name": "STRING", "parts": ["INT64"]}],
        "request": {"path": "STRING", "status": "INT64", "list": ["FLOAT64"], "cf": {"asn": "INT64", "colo": "STRING"}}}}}})";

inline DuckDbOptions OptionsOf(const std::string& folder, bool read_only = false,
                               PackedRecords packed = PackedRecords::kOpenDays) {
  DuckDbOptions options;
  options.folder = folder;
  options.read_only = read_only;
  options.packed_records = packed;
  options.schema_json = kSchema;
  options.threads = 3;
  return options;
}

inline std::unique_ptr<DuckDbBackend> Open(const std::string& folder, bool read_only = false,
                                           PackedRecords packed = PackedRecords::kOpenDays) {
  auto backend = OpenDuckDb(OptionsOf(folder, read_only, packed));
  INFO(backend.status().ToString());
  REQUIRE(backend.ok());
  return *std::move(backend);
}

// One time for all rows and calls. Packed records are for days that are open by the machine's clock.
inline absl::Time Start() {
  static const absl::Time start = absl::Now();
  return start;
}

// Statements on the folder's own database.
inline void RunIn(DuckDbBackend& backend, const std::string& sql) {
  const auto state = static_cast<DuckDbBackendImpl&>(backend).engine().Use();
  REQUIRE(state.ok());
  const auto connection = (*state)->database.Connect();
  REQUIRE(connection.ok());
  const absl::Status status = duckdb::Run(connection->get(), sql);
  INFO(sql << ": " << status.ToString());
  REQUIRE(status.ok());
}

inline int64_t Count(QueryBackend& backend, const std::string& what, const std::string& where = "true") {
  return SelectValue(backend, absl::StrCat("SELECT count(", what, ") FROM \"test.logs\" WHERE ", where), Type::Int64())
      .int64_value();
}

inline constexpr char kNewest[] =
    "WITH logs AS (SELECT t.id, t.timestamp, t.event_message, t.metadata FROM `test.logs` AS t WHERE t.project = "
    "@project AND "
    "(@until IS NULL OR t.timestamp <= @until)) "
    "SELECT id, timestamp, metadata FROM logs ORDER BY timestamp DESC, id LIMIT 40";

inline std::unique_ptr<QueryService> Serve(QueryBackend& backend, bool keeps = false) {
  Endpoint endpoint;
  endpoint.id = "1f0e7b0a-52c7-4a0f-9d0e-3c1b8f6a4d03";
  endpoint.name = "newest";
  endpoint.query = kNewest;
  endpoint.query_sandboxing = true;
  endpoint.parameters.resize(2);
  endpoint.parameters[0].name = "project";
  endpoint.parameters[1].name = "until";
  endpoint.parameters[1].type = Type::Timestamp();
  QueryServiceOptions options;
  options.backend = &backend;
  options.endpoints = {endpoint};
  if (!keeps) options.kept_bytes = 0;
  auto service = QueryService::Create(options);
  INFO(service.status().ToString());
  REQUIRE(service.ok());
  return *std::move(service);
}

// The answer's bytes; an error's message in their place.
inline std::string Ask(QueryService& service, const QueryRequest& request) {
  const auto answer = service.Run(request);
  return answer.ok() ? std::string(std::string_view(answer->body)) : std::string(answer.status().message());
}

inline QueryRequest NewestOf(const std::string& project, const std::string& sql = "") {
  QueryRequest request;
  request.endpoint = "newest";
  request.parameters = {{"project", project}};
  if (!sql.empty()) request.parameters.emplace_back("sql", sql);
  return request;
}

// The answers to every kind of call, one after another.
inline std::string AskAll(QueryBackend& backend, const std::vector<std::string>& projects, bool keeps = false) {
  const std::unique_ptr<QueryService> service = Serve(backend, keeps);
  std::string answers;
  for (const std::string& project : projects) {
    for (const RowFormat format :
         {RowFormat::kJson, RowFormat::kNdjson, RowFormat::kCsv, RowFormat::kJsonRows, RowFormat::kArrow}) {
      QueryRequest request = NewestOf(project);
      request.format = format;
      request.int64_as_string = format == RowFormat::kNdjson;
      absl::StrAppend(&answers, project, " ", static_cast<int>(format), "\n", Ask(*service, request), "\n");
    }
    QueryRequest redacted = NewestOf(project);
    redacted.redact_pii = true;
    absl::StrAppend(&answers, Ask(*service, redacted), "\n");
    QueryRequest older = NewestOf(project);
    older.parameters.emplace_back("until",
                                  absl::FormatTime(absl::RFC3339_sec, Start() - absl::Hours(20), absl::UTCTimeZone()));
    absl::StrAppend(&answers, Ask(*service, older), "\n");
    for (const char* sql :
         {"select metadata from logs order by timestamp desc, id limit 3",
          "select * from logs order by timestamp desc, id limit 25",
          "select id, metadata as a, metadata as b, timestamp from logs order by timestamp desc, id limit 5",
          "select l.metadata, m.level from logs as l cross join unnest(l.metadata) as m where m.i > 5 "
          "order by l.timestamp desc, l.id limit 10",
          "select metadata from logs where event_message like '%7%' order by timestamp desc, id limit 100",
          "select id, array_length(metadata) as n from logs order by timestamp desc, id limit 10",
          "select metadata from logs order by timestamp desc, id limit 3 offset 2"}) {
      absl::StrAppend(&answers, sql, "\n", Ask(*service, NewestOf(project, sql)), "\n");
    }
  }
  return answers;
}

// Returns the first lines that differ; empty: none do. Whole answers are too long to be read.
inline std::string Difference(const std::string& a, const std::string& b) {
  const std::vector<std::string> left = absl::StrSplit(a, '\n');
  const std::vector<std::string> right = absl::StrSplit(b, '\n');
  for (size_t i = 0; i < std::max(left.size(), right.size()); ++i) {
    const std::string& l = i < left.size() ? left[i] : "";
    const std::string& r = i < right.size() ? right[i] : "";
    if (l == r) continue;
    const auto at = static_cast<size_t>(std::mismatch(l.begin(), l.end(), r.begin(), r.end()).first - l.begin());
    const size_t from = at - std::min<size_t>(at, 80);
    return absl::StrCat("line ", i, " after ", i > 0 ? left[i - 1].substr(0, 120) : "", ": ", l.substr(from, 200),
                        " | ", r.size() > from ? r.substr(from, 200) : "");
  }
  return "";
}

// The same answers from the records' fields.
inline std::string AskUnpacked(DuckDbBackend& backend, const std::vector<std::string>& projects) {
  RunIn(backend, R"(CREATE TABLE kept AS SELECT rowid AS place, ":metadata" AS packed FROM "test.logs")");
  RunIn(backend, R"(UPDATE "test.logs" SET ":metadata" = NULL)");
  const std::string answers = AskAll(backend, projects);
  RunIn(backend, R"(UPDATE "test.logs" AS t SET ":metadata" = kept.packed FROM kept WHERE kept.place = t.rowid)");
  RunIn(backend, "DROP TABLE kept");
  return answers;
}

inline std::string RowAt(absl::Time time, std::string_view project, std::string_view members) {
  return absl::StrCat("{\"timestamp\":", absl::ToUnixMicros(time), ",\"project\":\"",
                      absl::string_view(project.data(), project.size()), "\"", members.empty() ? "" : ",",
                      absl::string_view(members.data(), members.size()), "}\n");
}

// Rows of the last minutes, whose records have many forms.
inline std::string RecentRows(int rows, std::string_view project = "p") {
  std::string text;
  for (int i = 0; i < rows; ++i) {
    const std::string members =
        absl::StrCat(R"("id":"r)", 1000 + i, R"(","event_message":"message )", i, R"(","small":{"a":)", i,
                     R"(},"metadata":{"level":"info","i":)", i, R"(,"request":{"path":"/rest/)", i,
                     R"(","status":200,"list":[1.5,)", i, R"(]},"tags":["user)", i, R"(@example.com"]})");
    text += RowAt(Start() - absl::Seconds(i), project, members);
  }
  return text;
}

struct Folder {
  explicit Folder(PackedRecords stored = PackedRecords::kOpenDays)
      : packed(stored), backend(Open(at / "data", /*read_only=*/false, packed)) {}
  void Take(const std::string& lines) {
    Load(*backend, {.table = "test.logs", .files = {WriteFile(at / absl::StrCat("f", ++files), lines)}});
  }
  void Reopen(bool read_only = false) {
    backend.reset();
    backend = Open(at / "data", read_only, packed);
  }
  // Opens the folder as a command with another choice does.
  void ReopenWith(PackedRecords stored) {
    packed = stored;
    Reopen();
  }

  TemporaryFolder at;
  PackedRecords packed;
  std::unique_ptr<DuckDbBackend> backend;
  int files = 0;
};

}  // namespace logquery::store::packed

#endif  // LOGQUERY_TESTS_STORE_PACKED_TEST_UTIL_H_
