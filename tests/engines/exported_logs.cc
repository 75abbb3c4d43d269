// The answers read columns, fields of records, and whether records are there.
#include "tests/engines/exported_logs.h"

#include <filesystem>
#include <fstream>
#include <stdexcept>

#include "lib/base/strings.h"
#include "logquery/store/duckdb_backend.h"
#include "logquery/store/export.h"
#include "tests/support/sandbox_service.h"

namespace logquery::testing {
namespace {

using base::StrAppend;
using base::StrCat;

std::string Rows() {
  std::string text;
  for (int i = 0; i < 60; ++i) {
    const std::string metadata =
        i % 5 == 4   ? "null"
        : i % 5 == 3 ? "{}"
                     : StrCat(R"({"request":{"method":)", i % 2 == 0 ? "null" : "\"GET\"", R"(,"path":"/\"'x'\"\n\\,)",
                              i, R"(","grown":)", i, R"(},"response":{"status_code":)", 200 + i, "}}");
    StrAppend(&text, R"({"id":"r)", 100 + i, R"(","timestamp":"2026-01-)", 10 + i % 3, "T",
              i % 2 == 0 ? "00:00:00" : "23:59:59.999999", R"(Z","event_message":)",
              i % 7 == 0 ? "\"\"" : "\"\u00e4 ',\\\"\\t\\\\N\"", R"(,"project":)",
              i % 11 == 0 ? "null" : StrCat("\"p", i % 3, "\""), R"(,"metadata":)", metadata, "}\n");
  }
  return text;
}

template <typename T>
T OrThrow(absl::StatusOr<T> value) {
  if (!value.ok()) throw std::runtime_error(value.status().ToString());
  return *std::move(value);
}

}  // namespace

ExportedLogs::ExportedLogs() {
  path_ = (std::filesystem::temp_directory_path() / "logquery-exported-XXXXXX").string();
  if (mkdtemp(path_.data()) == nullptr) throw std::runtime_error("no folder can be made");
  std::ofstream(path_ + "/edge_logs.ndjson", std::ios::binary) << Rows();
  {
    const auto backend = OrThrow(OpenDuckDb({.folder = path_ + "/data"}));
    LoadRequest load;
    load.table = "edge_logs";
    load.files = {path_ + "/edge_logs.ndjson"};
    const LoadReport loaded = OrThrow(backend->store().Load(load, nullptr));
    if (loaded.rows != 60) throw std::runtime_error("not all rows were loaded");
  }
  ExportRequest request;
  request.folder = path_ + "/data";
  request.target = folder();
  OrThrow(ExportFolder(request));
}

ExportedLogs::~ExportedLogs() { std::filesystem::remove_all(path_); }

std::vector<std::string> ExportedLogs::Answers() const {
  const auto backend = OrThrow(OpenDuckDb({.folder = path_ + "/data", .read_only = true}));
  return AnswersOf(*backend);
}

std::vector<std::string> AnswersOf(QueryBackend& backend) {
  SandboxService service(backend,
                         {.log = "e", .query = "WITH e AS (SELECT * FROM `cloudflare.logs.prod`) SELECT * FROM e"});
  std::vector<std::string> answers;
  for (const char* const sql :
       {"select id, timestamp, event_message, project from e order by id",
        "select e.id, r.method, r.path, s.status_code from e left join unnest(metadata) as m left join "
        "unnest(m.request) as "
        "r left join unnest(m.response) as s order by e.id",
        "select e.id from e cross join unnest(metadata) as m order by e.id",
        "select project, count(*) as n, max(s.status_code) as most from e cross join unnest(metadata) as m cross join "
        "unnest(m.response) as s where s.status_code > 210 group by project order by n, most",
        "select timestamp_trunc(timestamp, day) as d, count(*) as n, countif(event_message = '') as e from e group by "
        "1 order "
        "by 1"}) {
    answers.push_back(OrThrow(service.Run(sql)).body);
  }
  return answers;
}

}  // namespace logquery::testing
