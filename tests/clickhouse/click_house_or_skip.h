// A ClickHouse of a test's own; the test is skipped on a machine that has none.
#ifndef LOGQUERY_TESTS_CLICKHOUSE_CLICK_HOUSE_OR_SKIP_H_
#define LOGQUERY_TESTS_CLICKHOUSE_CLICK_HOUSE_OR_SKIP_H_

#include <catch2/catch_test_macros.hpp>
#include <string>

#include "tests/clickhouse/click_house.h"

namespace logquery::testing {

struct SkipWithoutClickHouse {
  SkipWithoutClickHouse() {
    if (const std::string why = ClickHouse::WhyNot(); !why.empty()) SKIP(why);
  }
};

// The first base class is constructed first, so a missing engine is noticed before it is started.
class ClickHouseOrSkip : SkipWithoutClickHouse, public ClickHouse {
 public:
  using ClickHouse::ClickHouse;
};

}  // namespace logquery::testing

#endif  // LOGQUERY_TESTS_CLICKHOUSE_CLICK_HOUSE_OR_SKIP_H_
