// What a run of the isolation checks has found, as lines of a file that several processes add to, and its summary.
#ifndef LOGQUERY_TESTS_ISOLATION_FINDINGS_H_
#define LOGQUERY_TESTS_ISOLATION_FINDINGS_H_

#include <cstdint>
#include <string>

#include "tests/isolation/expressions.h"
#include "tests/isolation/twins.h"

namespace logquery::isolation {

class Findings {
 public:
  explicit Findings(std::string file) : file_(std::move(file)) {}

  void Add(Caller caller, const Query& query, const Finding& finding) const;

  // Prints the differing expressions with the shortest query of each, and the expressions that fail on the own rows although they
  // do not stand in [failing]. Returns the number of differences.
  int64_t PrintSummary() const;

 private:
  const std::string file_;
};

}  // namespace logquery::isolation

#endif  // LOGQUERY_TESTS_ISOLATION_FINDINGS_H_
