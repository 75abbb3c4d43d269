// What every backend has to do, as checks that run against one: yours too.
//
//     class MyHarness : public ContractHarness { … };      // opens your backend, with ContractTables() in it
//     ContractReport report = CheckContract([] { return std::make_unique<MyHarness>(); });
//     std::puts(report.Text().c_str());
//     return report.failed.empty() ? 0 : 1;
//
// The checks use no test framework: a test of one can run each of BackendContract() as a case. Each one opens a backend of its
// own. All of them take a few seconds.
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
  using Prepared = ReadyQuery;

  virtual ~ContractHarness() = default;
  // A backend that holds ContractTables().
  virtual absl::StatusOr<std::unique_ptr<QueryBackend>> Open() = 0;
  // The query ready for `backend`, one that Open returned. As a service prepares it, unless overridden.
  virtual absl::StatusOr<Prepared> Prepare(QueryBackend& backend, const ContractQuery& query);
  // Whether the backend takes this query. One that is left out is a limit that the backend's documentation has to name.
  virtual bool Supports(const ContractQuery&) const { return true; }
  // Whether the backend evaluates functions: some 700 calls with what they give (function_cases.txt, installed with the library).
  // One that does not, such as a store of canned answers, leaves them out. Calls that PrepareQuery or Execute answer with
  // Unimplemented are left out too, and reported.
  virtual bool EvaluatesFunctions() const { return true; }
};

struct ContractCheck {
  std::string name;  // a sentence: "a cancelled query stops"
  std::function<absl::Status(ContractHarness&)> run;
};

const std::vector<ContractCheck>& BackendContract();

// What a run of the whole suite showed.
struct ContractReport {
  std::vector<std::string> passed;                           // checks' names
  std::vector<std::pair<std::string, absl::Status>> failed;  // with what was wrong
  std::vector<std::string> left_out;                         // queries and calls that the harness does not support

  // A line for each, and the counts at the end.
  std::string Text() const;
};

ContractReport CheckContract(const std::function<std::unique_ptr<ContractHarness>()>& make_harness);

// A backend without an engine that passes the suite: its answers are the suite's own. For tests of the suite, and to see
// what a harness is.
std::unique_ptr<ContractHarness> FakeContractHarness();

}  // namespace logquery::testing

#endif  // LOGQUERY_TESTING_BACKEND_CONTRACT_H_
