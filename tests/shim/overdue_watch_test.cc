#include "shim/cli/serve/overdue_watch.h"

#include <catch2/catch_test_macros.hpp>
#include <cstdint>
#include <vector>

namespace logquery::shim {
namespace {

// A watch whose clocks the test moves, and which looks when the test says.
struct Watched {
  absl::Duration now, processor;
  std::vector<int> overdue;
  OverdueWatch watch{{[this] { return now; }, [this] { return processor; }},
                     [this](int query, absl::Duration) { overdue.push_back(query); }};

  std::vector<int> After(int64_t passed, int64_t worked) {
    now += absl::Milliseconds(passed);
    processor += absl::Milliseconds(worked);
    watch.Look();
    return overdue;
  }
};

TEST_CASE("a query is overdue 2 seconds after its deadline, once") {
  Watched watched;
  watched.watch.Begin(7, absl::Seconds(5));
  watched.watch.Begin(8, absl::Seconds(60));
  watched.watch.Begin(9, absl::Seconds(1));
  watched.watch.End(9);
  CHECK(watched.After(5'000, 9'000).empty());
  CHECK(watched.After(1'900, 1'900).empty());
  CHECK(watched.After(200, 200) == std::vector<int>{7});
  CHECK(watched.After(20'000, 20'000) == std::vector<int>{7});
}

TEST_CASE("a process without processor time has 10 seconds") {
  Watched watched;
  watched.watch.Begin(1, absl::Seconds(5));
  CHECK(watched.After(5'000, 5'000).empty());
  CHECK(watched.After(9'000, 500).empty());
  CHECK(watched.After(1'000, 0) == std::vector<int>{1});
}

TEST_CASE("a query without a deadline is never overdue") {
  Watched watched;
  watched.watch.Begin(1, absl::InfiniteDuration());
  CHECK(watched.After(1'000'000'000, 1'000'000'000).empty());
}

}  // namespace
}  // namespace logquery::shim
