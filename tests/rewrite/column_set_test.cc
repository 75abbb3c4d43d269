#include "lib/rewrite/column_set.h"

#include <catch2/catch_test_macros.hpp>
#include <random>
#include <set>
#include <vector>

namespace logquery::rewrite {
namespace {

std::vector<ColumnId> IdsOf(const ColumnSet& set) { return {set.begin(), set.end()}; }

TEST_CASE("a column set contains the inserted ids in ascending order") {
  ColumnSet set = {130, 7, 64};
  CHECK(set.insert(63));
  CHECK_FALSE(set.insert(7));
  CHECK(IdsOf(set) == std::vector<ColumnId>{7, 63, 64, 130});
  CHECK(set.size() == 4);
  CHECK(set.contains(64));
  CHECK_FALSE(set.contains(65));
  CHECK_FALSE(set.contains(100'000));
  set.erase(64);
  set.erase(100'000);
  CHECK(IdsOf(set) == std::vector<ColumnId>{7, 63, 130});
}

TEST_CASE("ids of hidden columns are negative") {
  ColumnSet set = {-1, -64, -65, 3};
  CHECK(IdsOf(set) == std::vector<ColumnId>{-65, -64, -1, 3});
  CHECK_FALSE(set.contains(-2));
}

TEST_CASE("sets are equal if they have the same ids, whatever their history") {
  ColumnSet grown = {1'000, 5};
  grown.erase(1'000);
  CHECK(grown == ColumnSet{5});
  CHECK_FALSE(grown == ColumnSet{6});
  grown.erase(5);
  CHECK(grown.empty());
  CHECK(grown == ColumnSet());
  CHECK(IdsOf(ColumnSet()).empty());
}

TEST_CASE("random ids behave as in a set of the standard library") {
  std::mt19937 random(7);
  for (int round = 0; round < 200; ++round) {
    ColumnSet set;
    std::set<ColumnId> expected;
    for (int i = 0; i < 50; ++i) {
      const ColumnId id = static_cast<ColumnId>(random() % 700) - 200;
      if (random() % 4 == 0) {
        set.erase(id);
        expected.erase(id);
      } else {
        CHECK(set.insert(id) == expected.insert(id).second);
      }
    }
    CHECK(IdsOf(set) == std::vector<ColumnId>(expected.begin(), expected.end()));
    CHECK(set.size() == expected.size());
  }
}

}  // namespace
}  // namespace logquery::rewrite
