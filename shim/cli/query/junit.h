// Writes results of test cases in the JUnit XML format, which CI systems read.
#ifndef LOGQUERY_SHIM_CLI_QUERY_JUNIT_H_
#define LOGQUERY_SHIM_CLI_QUERY_JUNIT_H_

#include <string>
#include <vector>

#include "absl/time/time.h"

namespace logquery::shim {

struct CaseOutcome {
  std::string suite;  // the definition's name
  std::string name;
  std::string failure;  // empty: passed
  absl::Duration time;
};

// The results of one suite must be adjacent.
std::string JUnitXml(const std::vector<CaseOutcome>& outcomes);

}  // namespace logquery::shim

#endif  // LOGQUERY_SHIM_CLI_QUERY_JUNIT_H_
