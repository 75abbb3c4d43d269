// Tables that a test gives, put into an engine elsewhere and queried there.
#ifndef LOGQUERY_TESTS_ENGINES_ENGINE_TABLES_H_
#define LOGQUERY_TESTS_ENGINES_ENGINE_TABLES_H_

#include <memory>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "logquery/query_backend.h"
#include "tests/support/given_table.h"

namespace logquery::testing {

class EngineTables {
 public:
  virtual ~EngineTables() = default;
  // Replaces the tables of the call before, and opens a backend that has these. Unimplemented: the engine can't hold a
  // column or a value as it is.
  virtual absl::StatusOr<std::unique_ptr<QueryBackend>> Put(const std::vector<GivenTable>& tables) = 0;
};

// "postgres", "clickhouse" or "bigquery", of which the last one is a test host. NotFound: it is not on this machine.
absl::StatusOr<std::unique_ptr<EngineTables>> StartEngine(std::string_view engine);

}  // namespace logquery::testing

#endif  // LOGQUERY_TESTS_ENGINES_ENGINE_TABLES_H_
