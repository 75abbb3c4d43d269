// Random queries of the kinds in which engines' planners were found wrong: correlated EXISTS, IN and scalar subqueries up to
// two deep, anti joins, WITH in subqueries, windows and frames, DISTINCT aggregates, QUALIFY, set operations, NULLs.
//
//     Query query = MakeQuery(/*seed=*/7, /*number=*/123, /*work=*/10'000);     // the same numbers make the same query
#ifndef LOGQUERY_TESTS_ORACLE_QUERY_MAKER_H_
#define LOGQUERY_TESTS_ORACLE_QUERY_MAKER_H_

#include <cstdint>
#include <string>

namespace logquery::oracle {

struct Query {
  std::string sql;   // reads the log's rows of @project
  int64_t rows = 0;  // the project: one of kProjectRows
};

// `work`: the most rows that the evaluator's innermost loop may read. The more loops a query has, the fewer rows it reads.
Query MakeQuery(uint64_t seed, int64_t number, int64_t work);

}  // namespace logquery::oracle

#endif  // LOGQUERY_TESTS_ORACLE_QUERY_MAKER_H_
