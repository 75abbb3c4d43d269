// The rows that the tests against the reference run over: samples of three spans, and odd rows written by hand.
#ifndef LOGQUERY_TESTS_REFERENCE_LOG_DATA_H_
#define LOGQUERY_TESTS_REFERENCE_LOG_DATA_H_

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "logquery/query_service.h"
#include "logquery/store/duckdb_backend.h"
#include "tests/reference/reference.h"

namespace logquery::reference {

class LogData {
 public:
  // The data, made once for a process.
  static LogData& Get();

  const Logs& logs() const { return logs_; }
  QueryBackend& backend() { return *backend_; }
  // The projects and the functions of the rows, each once.
  const std::vector<std::string>& projects() const { return projects_; }
  const std::vector<std::string>& functions() const { return functions_; }
  // The newest sample rows are from just before.
  static constexpr int64_t kEnd = 1'768'480'245'500'000;  // 2026-01-15T12:30:45.5Z
  // The hand-written rows are of this project.
  static constexpr char kOddProject[] = "odd";

  LogData(const LogData&) = delete;
  LogData& operator=(const LogData&) = delete;
  ~LogData();

 private:
  LogData();
  void AddSample(const std::string& name, int rows, int projects, double days, uint64_t seed);
  void AddOddRows();
  void Load(const std::string& table, const std::string& file);

  std::filesystem::path folder_;
  Logs logs_;
  std::vector<std::string> projects_, functions_;
  std::unique_ptr<DuckDbBackend> backend_;
};

// The rows of a body, or the status's text where the call failed.
Json Rows(const absl::StatusOr<QueryAnswer>& answer);

}  // namespace logquery::reference

#endif  // LOGQUERY_TESTS_REFERENCE_LOG_DATA_H_
