// A data folder with fuzzed logs in it, opened by the engine: queries are planned against its catalog and run on it.
#ifndef LOGQUERY_TESTS_FUZZ_DIFFERENTIAL_STORAGE_H_
#define LOGQUERY_TESTS_FUZZ_DIFFERENTIAL_STORAGE_H_

#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <string>

#include "absl/status/statusor.h"
#include "lib/rewrite/evaluate.h"
#include "lib/rewrite/plan.h"
#include "logquery/prepared_query.h"
#include "logquery/store/duckdb_backend.h"
#include "tests/fuzz/differential/logs.h"

namespace logquery::fuzz {

// With more rows a query is too large to compare: where it is capped, any of them may be left.
inline constexpr int64_t kMaxRows = 100'000;

// The result of a query: its rows, or why there are none.
struct Outcome {
  absl::Status status;
  std::string body;         // with the rows, as the encoder writes it
  std::string engine_text;  // that gave it
};

class Storage {
 public:
  static absl::StatusOr<std::unique_ptr<Storage>> Make(const std::string& schema, const FuzzLogs& logs);
  ~Storage();
  Storage(const Storage&) = delete;
  Storage& operator=(const Storage&) = delete;

  const Catalog& catalog() const { return catalog_; }
  // A plan that is through its passes. The same text with the same bindings is run once.
  Outcome Run(const rewrite::QueryPlan& plan, const rewrite::ParameterValues& values);
  Outcome Run(const PreparedQuery& query, const Bindings& bindings);
  void ForgetOutcomes() { outcomes_.clear(); }

 private:
  explicit Storage(std::filesystem::path folder) : folder_(std::move(folder)) {}
  absl::Status Load(const FuzzLogs& logs);
  Outcome Execute(const PreparedQuery& query, const Bindings& bindings);

  const std::filesystem::path folder_;
  std::unique_ptr<DuckDbBackend> backend_;
  Catalog catalog_;
  std::map<std::string, Outcome> outcomes_;  // by text and bindings
};

}  // namespace logquery::fuzz

#endif  // LOGQUERY_TESTS_FUZZ_DIFFERENTIAL_STORAGE_H_
