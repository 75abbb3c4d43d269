// The findings of a run of the isolation checks, as lines of a file that several processes add to, and their summary.
#ifndef LOGQUERY_TESTS_ISOLATION_FINDINGS_H_
#define LOGQUERY_TESTS_ISOLATION_FINDINGS_H_

#include <cstdint>
#include <string>

#include "absl/status/statusor.h"
#include "tests/isolation/expressions.h"
#include "tests/isolation/twins.h"

namespace logquery::isolation {

class Findings {
 public:
  explicit Findings(std::string file) : file_(std::move(file)) {}

  // Internal: the file can't be written.
  absl::Status Add(Caller caller, const Query& query, const Finding& finding) const;

  // Prints the differing expressions with the shortest query of each, and the expressions that fail on the own rows although they
  // do not stand in [failing]. Returns the number of differences. Internal: the file has not as many lines as there were calls.
  absl::StatusOr<int64_t> PrintSummary(size_t calls) const;

 private:
  const std::string file_;
};

}  // namespace logquery::isolation

#endif  // LOGQUERY_TESTS_ISOLATION_FINDINGS_H_
