// Random rows of the built-in logs, and random calls of the built-in endpoints: what an engine elsewhere answers from such rows is
// compared with what the same rows answer as a program's own.
#ifndef LOGQUERY_TESTS_SUPPORT_RANDOM_LOGS_H_
#define LOGQUERY_TESTS_SUPPORT_RANDOM_LOGS_H_

#include <cstdint>
#include <map>
#include <random>
#include <string>
#include <vector>

#include "logquery/query_service.h"
#include "logquery/table_source.h"
#include "logquery/value.h"

namespace logquery::testing {

class Random {
 public:
  explicit Random(uint64_t seed) : random_(seed) {}
  int64_t Below(int64_t end) { return static_cast<int64_t>(random_() % static_cast<uint64_t>(end)); }
  bool OneIn(int64_t n) { return Below(n) == 0; }
  std::string Of(const std::vector<std::string>& texts) {
    return texts[static_cast<size_t>(Below(static_cast<int64_t>(texts.size())))];
  }

 private:
  std::mt19937_64 random_;
};

// The declared logs: `rows` rows of each that the built-in endpoints read, most of the hour before `now`, and three of the others.
class RandomLogs : public TableSource {
 public:
  RandomLogs(uint64_t seed, int64_t now_micros, int rows);

  absl::StatusOr<Catalog> ReadCatalog() override { return Catalog(tables_, 1); }
  absl::Status Scan(const ScanRequest& request, const CancellationToken& cancellation, BatchSink& sink) override;

  const std::vector<Table>& tables() const { return tables_; }
  const std::vector<std::vector<Value>>& rows(const Table& table) const { return rows_.at(table.name); }
  // The rows of the table as NDJSON.
  std::string Lines(const Table& table) const;

 private:
  std::vector<Table> tables_;
  std::map<std::string, std::vector<std::vector<Value>>> rows_;
};

// `now` of a service that is asked such calls.
inline constexpr char kRandomLogsNow[] = "2026-03-04T05:06:07Z";

QueryRequest RandomCall(Random& random);

}  // namespace logquery::testing

#endif  // LOGQUERY_TESTS_SUPPORT_RANDOM_LOGS_H_
