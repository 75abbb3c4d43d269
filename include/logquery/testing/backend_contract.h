// The contract that every backend must meet, as checks that you can run against your own backend.
//
//     class MyHarness : public ContractHarness { … };      // opens your backend, with ContractTables() in it
//     ContractReport report = CheckContract([] { return std::make_unique<MyHarness>(); });
//     std::puts(report.Text().c_str());
//     return report.failed.empty() ? 0 : 1;
//
// The checks use no test framework; a test can run each element of BackendContract() as a case. Each check opens a
// backend of its own. All of them together take a few seconds.
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
#include "logquery/prepare_query.h"
#include "logquery/query_backend.h"
#include "logquery/value.h"

namespace logquery::testing {

// A table with its rows; each row has one value per column.
struct ContractTable {
  Table table;
  std::vector<std::vector<Value>> rows;
};

// A query of the suite and its correct result.
struct ContractQuery {
  std::string name;
  std::string sql;                                        // GoogleSQL over the suite's tables
  std::vector<std::pair<std::string, Value>> parameters;  // @name → value
  Schema schema;                                          // of the result
  std::vector<std::vector<Value>> rows;                   // in the order of the result
  absl::StatusCode code = absl::StatusCode::kOk;  // if not OK: the query fails with this code, possibly after some rows
  bool endless = false;                           // runs until it is cancelled
};

// Registers scalar functions (logquery/scalar_function.h). With them, ContractQueries() has queries that call them, in
// every clause, on stored rows, with errors and exceptions: a backend evaluates a program's own functions in this process.
// Call it first of all, once. Statuses: those of RegisterScalarFunction.
absl::Status RegisterContractFunctions();

const std::vector<ContractTable>& ContractTables();
const std::vector<ContractQuery>& ContractQueries();

class ContractHarness {
 public:
  using Prepared = ReadyQuery;

  virtual ~ContractHarness() = default;
  // Returns a backend that contains ContractTables().
  virtual absl::StatusOr<std::unique_ptr<QueryBackend>> Open() = 0;
  // Prepares the query for `backend`, which Open returned. The default does what a service does.
  virtual absl::StatusOr<Prepared> Prepare(QueryBackend& backend, const ContractQuery& query);
  // Returns whether the backend supports this query. A backend's documentation must name each query that it does not
  // support.
  virtual bool Supports(const ContractQuery&) const { return true; }
  // Returns whether the backend evaluates functions. If so, the contract includes some 700 calls with their results
  // (function_cases.txt, installed with the library). A backend that does not, such as a store of canned answers,
  // leaves them out. Calls that PrepareQuery or Execute answer with Unimplemented are left out too, and reported.
  virtual bool EvaluatesFunctions() const { return true; }
};

struct ContractCheck {
  std::string name;  // a sentence: "a cancelled query stops"
  std::function<absl::Status(ContractHarness&)> run;
};

const std::vector<ContractCheck>& BackendContract();

// The result of running the whole suite.
struct ContractReport {
  std::vector<std::string> passed;                           // names of checks
  std::vector<std::pair<std::string, absl::Status>> failed;  // names of checks, with their errors
  std::vector<std::string> left_out;                         // queries and calls that the harness does not support

  // Returns one line for each check, and the counts at the end.
  std::string Text() const;
};

ContractReport CheckContract(const std::function<std::unique_ptr<ContractHarness>()>& make_harness);

// Returns a harness for a backend without an engine, which passes the suite because its answers are the suite's own.
// For tests of the suite, and as an example of a harness.
std::unique_ptr<ContractHarness> FakeContractHarness();

}  // namespace logquery::testing

#endif  // LOGQUERY_TESTING_BACKEND_CONTRACT_H_
