// Random queries for the isolation checks: the lines of expressions.txt combined with each other.
//
//     Query query = RandomQuery(catalogue, /*seed=*/7, /*number=*/123);      // the same seed and number make the same query
#ifndef LOGQUERY_TESTS_ISOLATION_QUERY_MAKER_H_
#define LOGQUERY_TESTS_ISOLATION_QUERY_MAKER_H_

#include <cstdint>

#include "tests/isolation/expressions.h"

namespace logquery::isolation {

Query RandomQuery(const Catalogue& catalogue, uint64_t seed, int64_t number);

}  // namespace logquery::isolation

#endif  // LOGQUERY_TESTS_ISOLATION_QUERY_MAKER_H_
