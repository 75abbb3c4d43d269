// A folder with two logs, and its export.
#ifndef LOGQUERY_TESTS_STORE_EXPORTED_FOLDER_H_
#define LOGQUERY_TESTS_STORE_EXPORTED_FOLDER_H_

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <filesystem>
#include <string>
#include <vector>

#include "lib/base/strings.h"
#include "lib/engines/duckdb/backend/database.h"
#include "logquery/store/export.h"
#include "tests/store/folder_test_util.h"

namespace logquery::store::export_tests {

namespace fs = std::filesystem;

// Rows of a log on a day, with absent records, fields that are not declared and text that wants quoting.
inline std::string RowsOf(int day, int rows, std::string_view log) {
  std::string text;
  for (int i = 0; i < rows; ++i) {
    const std::string metadata =
        i % 5 == 4   ? "null"
        : i % 5 == 3 ? "{}"
                     : base::StrCat(R"({"request":{"method":"M)", i % 7, R"(","path":"/\"x\"\n\\)", i, R"(","grown":)",
                                    i, R"(},"response":{"status_code":)", 200 + i, "}}");
    base::StrAppend(&text, R"({"id":")", log, "-", day, "-", i, R"(","timestamp":"2026-01-)", 10 + day, "T",
                    i % 2 == 0 ? "00:00:00" : "23:59:59.999999", R"(Z","event_message":"\u00e4 ')", i,
                    R"(","project":"p)", i % 3, R"(","metadata":)", metadata, "}\n");
  }
  return text;
}

// Two logs of several days.
struct Logs {
  Logs() {
    const auto backend = Open();
    for (const int day : {0, 1, 2}) LoadDay(*backend, "edge_logs", day, 100 + day);
    for (const int day : {1, 4}) LoadDay(*backend, "postgres_logs", day, 10 + day);
  }
  std::unique_ptr<DuckDbBackend> Open(bool read_only = false) const {
    auto backend = OpenDuckDb({.folder = data, .read_only = read_only});
    INFO(backend.status().ToString());
    REQUIRE(backend.ok());
    return *std::move(backend);
  }
  void LoadDay(DuckDbBackend& backend, const std::string& log, int day, int rows) const {
    const std::string file = folder / base::StrCat(log, day, "-", rows, ".ndjson");
    Load(backend, {.table = log, .files = {WriteFile(file, RowsOf(day, rows, log))}});
  }
  ExportReport Export(ExportRequest request = {}) const {
    const auto report = TryExport(std::move(request));
    INFO(report.status().ToString());
    REQUIRE(report.ok());
    return *report;
  }
  absl::StatusOr<ExportReport> TryExport(ExportRequest request = {}) const {
    request.folder = data;
    if (request.target.empty()) request.target = out;
    return ExportFolder(request);
  }

  TemporaryFolder folder;
  const std::string data = folder / "data";
  const std::string out = folder / "out";
};

inline std::vector<std::string> NamesIn(const std::string& path) {
  std::vector<std::string> names;
  for (const auto& entry : fs::recursive_directory_iterator(path)) {
    if (entry.is_regular_file()) names.push_back(fs::relative(entry.path(), path));
  }
  std::sort(names.begin(), names.end());
  return names;
}

}  // namespace logquery::store::export_tests

#endif  // LOGQUERY_TESTS_STORE_EXPORTED_FOLDER_H_
