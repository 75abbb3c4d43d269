// Plans the contract's queries for an engine elsewhere, and has the contract's tables as a schema and as SQL.
#ifndef LOGQUERY_TESTS_CONTRACT_PLANNED_HARNESS_H_
#define LOGQUERY_TESTS_CONTRACT_PLANNED_HARNESS_H_

#include <functional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "logquery/testing/backend_contract.h"

namespace logquery::testing {

// The contract's tables, as a schema file declares them.
inline constexpr char kContractSchema[] = R"({
  "contract.logs": {"project": ["project"], "time": "timestamp", "columns": {"id": "STRING", "timestamp": "TIMESTAMP",
    "event_message": "STRING", "project": "STRING",
    "metadata": {"level": "STRING", "response": {"status_code": "INT64"}, "tags": ["STRING"]}}},
  "contract.empty": {"columns": {"id": "STRING", "n": "INT64"}},
  "contract.numbers": {"columns": {"n": "INT64", "text": "STRING"}}})";

// Plans each query as a definition is planned, for the fragments that the backend computes.
class PlannedHarness : public ContractHarness {
 public:
  absl::StatusOr<Prepared> Prepare(QueryBackend& backend, const ContractQuery& query) override;
};

// How a server writes the contract's tables.
struct ContractSql {
  char quote = '"';                                            // around a name
  std::string prefix = {};                                     // in front of a table's name: a database's
  std::string engine = {};                                     // behind the list of columns
  std::function<std::string(const Type&)> type;                // a column's
  std::function<std::string(int64_t microseconds)> timestamp;  // a time
};

// Returns the statements that make the contract's tables with their rows.
std::vector<std::string> ContractStatements(const ContractSql& sql);

}  // namespace logquery::testing

#endif  // LOGQUERY_TESTS_CONTRACT_PLANNED_HARNESS_H_
