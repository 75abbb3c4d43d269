// A data folder for benches that add rows and poll: one that `logquery load` made, or a temporary one of sample rows.
#ifndef LOGQUERY_TESTS_BENCH_SAMPLE_FOLDER_H_
#define LOGQUERY_TESTS_BENCH_SAMPLE_FOLDER_H_

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/time/clock.h"
#include "logquery/store/duckdb_backend.h"
#include "shim/cli/folder/sample/sample.h"
#include "tests/bench/bench_util.h"

namespace logquery::bench {

inline constexpr char kEdge[] = "cloudflare.logs.prod";
inline constexpr char kRelay[] = "deno-relay-logs";

class SampleFolder {
 public:
  // Opens the folder `data`. If it is empty, makes one of so many sample rows, of which the edge gateway's and those of
  // functions are loaded.
  SampleFolder(const std::string& data, int64_t rows) {
    DuckDbOptions options;
    options.folder = data.empty() ? temporary_ / "data" : data;
    backend_ = Need(OpenDuckDb(options));
    if (data.empty()) LoadSample(rows);
  }

  DuckDbBackend& backend() { return *backend_; }

  // Returns the projects with the most rows in the edge gateway's log, at most so many.
  std::vector<std::string> Projects(int limit) {
    PreparedQuery::Parts parts;
    parts.dialect_text = absl::StrCat("SELECT project FROM \"", kEdge,
                                      "\" GROUP BY project ORDER BY count(*) DESC, project LIMIT ", limit);
    parts.schema = {{"project", Type::String()}};
    parts.tables = {kEdge};
    CollectingSink rows;
    Need(backend_->Execute(PreparedQuery(std::move(parts)), {}, {}, {}, rows));
    std::vector<std::string> projects;
    for (const std::vector<Value>& row : rows.rows()) projects.push_back(row[0].string_value());
    if (projects.empty()) Fail("the folder has no rows of edge_logs");
    return projects;
  }

 private:
  void LoadSample(int64_t rows) {
    shim::SampleOptions sample;
    sample.folder = temporary_ / "sample";
    sample.rows = rows;
    sample.end = absl::Now();
    Need(shim::WriteSample(sample));
    for (const char* table : {kEdge, kRelay}) {
      const std::string file = absl::StrCat(sample.folder, "/", table, ".ndjson");
      Need(backend_->store().Load({.table = table, .files = {file}}, nullptr).status());
    }
    std::filesystem::remove_all(sample.folder);
  }

  TemporaryFolder temporary_;
  std::unique_ptr<DuckDbBackend> backend_;
};

}  // namespace logquery::bench

#endif  // LOGQUERY_TESTS_BENCH_SAMPLE_FOLDER_H_
