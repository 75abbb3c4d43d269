// Compares two servers' answers to one call.
//
// Rows are compared as JSON: numbers by their value, with a tolerance, a null like an absent member, members in any order.
// Rows may stand in any order, unless the query orders them by columns of the result; then rows that are equal in these may.
#ifndef LOGQUERY_SHIM_CLI_MIGRATE_COMPARE_ANSWERS_H_
#define LOGQUERY_SHIM_CLI_MIGRATE_COMPARE_ANSWERS_H_

#include <string>
#include <vector>

#include "lib/tools/result_order.h"
#include "shim/cli/migrate/shadow_server.h"

namespace logquery::shim {

struct Comparison {
  bool equal = false;
  std::string difference;               // one line; empty: equal
  std::vector<std::string> only_there;  // rows as JSON
  std::vector<std::string> only_here;
  int64_t rows_there = 0;
  int64_t rows_here = 0;
};

// Both answers arrived. Errors are equal if their statuses are. `tolerance` is the relative difference that two numbers may
// have.
Comparison CompareAnswers(const ShadowAnswer& there, const ShadowAnswer& here, const endpoint::ResultOrder& order,
                          double tolerance);

}  // namespace logquery::shim

#endif  // LOGQUERY_SHIM_CLI_MIGRATE_COMPARE_ANSWERS_H_
