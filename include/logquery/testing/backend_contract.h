// What every backend has to do, as checks that run against one: yours too.
//
//     class MyHarness : public ContractHarness { … };      // opens your backend, and prepares queries for it
//     for (const ContractCheck& check : BackendContract()) {
//       MyHarness harness;
//       absl::Status status = check.run(harness);          // the message says what was wrong, and with which query
//     }
//
// The checks use no test framework. Each one opens a backend of its own. All of them take a few seconds.
#ifndef LOGQUERY_TESTING_BACKEND_CONTRACT_H_
#define LOGQUERY_TESTING_BACKEND_CONTRACT_H_

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "logquery/catalog.h"
#include "logquery/query_backend.h"
#include "logquery/value.h"

namespace logquery::testing {

// A table with its rows, each of one value per column.
struct ContractTable {
  Table table;
  std::vector<std::vector<Value>> rows;
};

// A query of the suite, and its right answer.
struct ContractQuery {
  std::string name;
  std::string sql;                                        // GoogleSQL over the suite's tables
  std::vector<std::pair<std::string, Value>> parameters;  // @name → value
  Schema schema;                                          // of the result
  std::vector<std::vector<Value>> rows;                   // in the result's order
  absl::StatusCode code = absl::StatusCode::kOk;          // otherwise it fails, with any rows before
  bool endless = false;                                   // runs until it is stopped
};

const std::vector<ContractTable>& ContractTables();
const std::vector<ContractQuery>& ContractQueries();

class ContractHarness {
 public:
  struct Prepared {
    std::shared_ptr<const PreparedQuery> query;
    Bindings bindings;
  };

  virtual ~ContractHarness() = default;
  // A backend that holds ContractTables().
  virtual absl::StatusOr<std::unique_ptr<QueryBackend>> Open() = 0;
  // The query ready for `backend`, one that Open returned.
  virtual absl::StatusOr<Prepared> Prepare(QueryBackend& backend, const ContractQuery& query) = 0;
  // Whether the backend takes this query. One that is left out is a limit that the backend's documentation has to name.
  virtual bool Supports(const ContractQuery&) const { return true; }
};

struct ContractCheck {
  std::string name;  // a sentence: "a cancelled query stops"
  std::function<absl::Status(ContractHarness&)> run;
};

const std::vector<ContractCheck>& BackendContract();

// A backend without an engine that passes the suite: its answers are the suite's own. For tests of the suite, and to see
// what a harness is.
std::unique_ptr<ContractHarness> FakeContractHarness();

}  // namespace logquery::testing

#endif  // LOGQUERY_TESTING_BACKEND_CONTRACT_H_
