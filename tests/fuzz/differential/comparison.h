// Compares the results of two queries: rows as a bag, their order where the query sets it, floating-point numbers with a tolerance.
#ifndef LOGQUERY_TESTS_FUZZ_DIFFERENTIAL_COMPARISON_H_
#define LOGQUERY_TESTS_FUZZ_DIFFERENTIAL_COMPARISON_H_

#include <string>
#include <vector>

#include "tests/fuzz/differential/storage.h"

namespace logquery::fuzz {

// Empty: none. `ordered_by` are the columns whose order is settled.
std::string Difference(const Outcome& a, const Outcome& b, const std::vector<std::string>& ordered_by);

}  // namespace logquery::fuzz

#endif  // LOGQUERY_TESTS_FUZZ_DIFFERENTIAL_COMPARISON_H_
