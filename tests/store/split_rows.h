// The rows that a body is split into.
#ifndef LOGQUERY_TESTS_STORE_SPLIT_ROWS_H_
#define LOGQUERY_TESTS_STORE_SPLIT_ROWS_H_

#include <catch2/catch_test_macros.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "logquery/store/split_events.h"

namespace logquery::split_tests {

inline std::vector<std::string> RowsOf(std::string_view body, const SplitOptions& options = {}) {
  const auto events = SplitEvents(body, options);
  INFO(events.status().ToString());
  REQUIRE(events.ok());
  return {events->rows.begin(), events->rows.end()};
}

}  // namespace logquery::split_tests

#endif  // LOGQUERY_TESTS_STORE_SPLIT_ROWS_H_
