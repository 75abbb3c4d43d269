// Checks that an engine elsewhere computes conditions and queries over the table `v` as DuckDB does.
#ifndef LOGQUERY_TESTS_ENGINES_MEANING_CHECKS_H_
#define LOGQUERY_TESTS_ENGINES_MEANING_CHECKS_H_

#include <memory>
#include <string>
#include <vector>

#include "lib/backend/fragment_source.h"
#include "tests/support/counting_source.h"
#include "tests/support/sandbox_service.h"

namespace logquery::testing {

// Each query runs twice, once in the engine and once here over its rows; both answers must be equal.
class MeaningChecks {
 public:
  explicit MeaningChecks(std::shared_ptr<FragmentSource> source);

  // Conditions that the engine must compute.
  void CheckConditions(const std::vector<std::string>& conditions);
  // Queries that the engine must compute, but for the check of a sum that is made here.
  void CheckQueries(const std::vector<std::string>& queries);

 private:
  // Returns what is done here to what the engine gave to the last query, and why; empty: nothing.
  std::string Reason();

  std::shared_ptr<CountingSource> counting_;
  SandboxService service_;
};

}  // namespace logquery::testing

#endif  // LOGQUERY_TESTS_ENGINES_MEANING_CHECKS_H_
