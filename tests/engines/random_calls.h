// Checks that random calls of the built-in endpoints return the same from an engine elsewhere as from a program's own rows.
#ifndef LOGQUERY_TESTS_ENGINES_RANDOM_CALLS_H_
#define LOGQUERY_TESTS_ENGINES_RANDOM_CALLS_H_

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "logquery/catalog.h"
#include "logquery/query_backend.h"
#include "logquery/query_service.h"
#include "tests/support/random_logs.h"

namespace logquery::testing {

// Returns logs of so many rows that end at kRandomLogsNow.
std::shared_ptr<RandomLogs> MakeRandomLogs(uint32_t seed, int rows);

// Returns the body of each call's answer. A call that fails fails the test.
std::vector<std::string> RunCalls(QueryBackend& backend, const std::vector<QueryRequest>& calls);
// Checks that `backend` answers each call with the body that is expected.
void CheckAnswers(QueryBackend& backend, const std::vector<QueryRequest>& calls,
                  const std::vector<std::string>& expected);
// Checks a hundred random calls against the same rows in this program.
void CheckRandomCalls(QueryBackend& backend, const std::shared_ptr<RandomLogs>& logs, uint32_t seed);

std::vector<QueryRequest> RandomCalls(uint32_t seed, int count);

// Returns a name for each table that BigQuery accepts.
std::map<std::string, std::string> BigQueryNames(const std::vector<Table>& tables);

}  // namespace logquery::testing

#endif  // LOGQUERY_TESTS_ENGINES_RANDOM_CALLS_H_
