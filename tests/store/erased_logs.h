// A folder with two logs, rows of several projects in it, and erasures of them.
#ifndef LOGQUERY_TESTS_STORE_ERASED_LOGS_H_
#define LOGQUERY_TESTS_STORE_ERASED_LOGS_H_

#include <catch2/catch_test_macros.hpp>
#include <filesystem>
#include <string>
#include <vector>

#include "logquery/store/erasure.h"
#include "logquery/store/folder_check.h"
#include "tests/store/folder_test_util.h"

namespace logquery::store::erase_tests {

namespace fs = std::filesystem;

inline constexpr char kEdge[] = "cloudflare.logs.prod";
inline constexpr char kPostgres[] = "postgres.logs";

inline std::unique_ptr<DuckDbBackend> OpenLogs(const std::string& folder, bool read_only = false) {
  auto backend = OpenDuckDb({.folder = folder, .read_only = read_only});
  INFO(backend.status().ToString());
  REQUIRE(backend.ok());
  return *std::move(backend);
}

inline EraseReport Erase(DuckDbBackend& backend, const std::string& project, bool dry_run = false) {
  const auto report = backend.store().Erase({.project = project, .dry_run = dry_run});
  INFO(report.status().ToString());
  REQUIRE(report.ok());
  return *report;
}

// `count` rows, one a second, each of the next of `projects`.
inline std::string RowsOf(const std::vector<std::string>& projects, int count, std::string_view more = "") {
  std::string text;
  for (int i = 0; i < count; ++i) {
    absl::StrAppend(&text, R"({"timestamp":)", 1'772'600'000'000'000 + i * 1'000'000LL, R"(,"event_message":"row )", i,
                    R"(","project":")", projects[static_cast<size_t>(i) % projects.size()], "\"",
                    absl::string_view(more.data(), more.size()), "}\n");
  }
  return text;
}

inline int64_t Count(DuckDbBackend& backend, const std::string& table, const std::string& where = "true") {
  const std::string sql = "SELECT count(*) FROM \"" + table + "\" WHERE " + where;
  return SelectValue(backend, sql, Type::Int64()).int64_value();
}

inline void CheckInOrder(DuckDbBackend& backend) {
  const auto findings = backend.Check(/*read_rows=*/true);
  REQUIRE(findings.ok());
  for (const FolderFinding& finding : *findings) {
    INFO(finding.what);
    CHECK(finding.kind != FolderFinding::Kind::kError);
  }
}

inline std::string RejectedText(const std::string& data) {
  std::string all;
  for (const auto& entry : fs::directory_iterator(data + "/rejected")) all += ReadFile(entry.path().string());
  return all;
}

}  // namespace logquery::store::erase_tests

#endif  // LOGQUERY_TESTS_STORE_ERASED_LOGS_H_
