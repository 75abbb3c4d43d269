// Rare projects, found chunk by chunk.
#include "lib/store/rows/rare_projects.h"

#include <atomic>
#include <catch2/catch_test_macros.hpp>
#include <limits>
#include <map>
#include <string>
#include <thread>
#include <vector>

#include "absl/strings/str_cat.h"

namespace logquery::store {
namespace {

constexpr int64_t kHour = 3'600'000'000;

// The rows of a chunk, and which of its projects are rare.
class Chunk {
 public:
  void Add(const std::string& project, int64_t time) {
    projects_.push_back(project);
    times_.push_back(time);
  }
  // Returns the number of rows that belong to rare projects.
  int Find(RareProjects& rare) {
    std::vector<RareProjects::Row> rows;
    for (size_t i = 0; i < projects_.size(); ++i) rows.push_back({StringRef(projects_[i]), times_[i]});
    rare.Count(rows);
    rare.Find(rows);
    int found = 0;
    for (size_t i = 0; i < rows.size(); ++i) {
      found_[projects_[i]] = rows[i].is_rare;
      found += rows[i].is_rare ? 1 : 0;
    }
    return found;
  }
  bool IsRare(const std::string& project) const { return found_.at(project); }

 private:
  std::vector<std::string> projects_;
  std::vector<int64_t> times_;
  std::map<std::string, bool> found_;
};

// An hour in which "busy" has 300 rows, "middle" 30 and "rare" 3.
Chunk Hour(int hour) {
  Chunk chunk;
  for (int i = 0; i < 333; ++i) {
    chunk.Add(i % 111 == 0 ? "rare" : i % 11 == 0 ? "middle" : "busy", hour * kHour + i * (kHour / 332));
  }
  return chunk;
}

TEST_CASE("a project with few rows among many is rare") {
  RareProjects rare;
  for (int hour = 0; hour < 50; ++hour) {
    CAPTURE(hour);
    Chunk chunk = Hour(hour);
    chunk.Find(rare);
    CHECK(chunk.IsRare("rare"));
    // It has 720 rows in a day.
    CHECK_FALSE(chunk.IsRare("middle"));
    CHECK_FALSE(chunk.IsRare("busy"));
  }
}

TEST_CASE("a project with more rows in a day than the newest that are asked for is not rare") {
  const auto is_rare = [](int64_t range) {
    RareProjects rare;
    Chunk chunk;
    for (int i = 0; i < 10'000; ++i) chunk.Add(i % 100 == 0 ? "few" : "many", i * (range / 10'000));
    chunk.Find(rare);
    CHECK_FALSE(chunk.IsRare("many"));
    return chunk.IsRare("few");
  };
  // A hundredth of the rows, but 100 in an hour.
  CHECK_FALSE(is_rare(kHour));
  CHECK(is_rare(24 * kHour));
}

TEST_CASE("rare projects are those with the fewest rows, and together have about a twentieth") {
  // Where all have the same number of rows, there is a limit.
  RareProjects equal;
  Chunk same;
  for (int i = 0; i < 20'000; ++i) same.Add(absl::StrCat("p", i % 1'000), i * kHour);
  CHECK(same.Find(equal) <= 20'000 / kLimitPart);
  // Project n has 10 * n rows.
  RareProjects growing;
  Chunk chunk;
  int64_t rows = 0;
  for (int project = 1; project <= 200; ++project) {
    for (int i = 0; i < 10 * project; ++i) chunk.Add(absl::StrCat("p", project), ++rows * kHour);
  }
  chunk.Find(growing);
  int64_t of_rare = 0;
  bool was_rare = true;
  for (int project = 1; project <= 200; ++project) {
    const bool is_rare = chunk.IsRare(absl::StrCat("p", project));
    CHECK((was_rare || !is_rare));
    was_rare = is_rare;
    if (is_rare) of_rare += 10 * project;
  }
  CHECK(of_rare < 2 * rows / kRarePart);
  CHECK(of_rare > rows / (2 * kRarePart));
}

TEST_CASE("a rare project at the limit stays rare, and one that grows does not") {
  RareProjects rare;
  auto count = [time = int64_t{0}](const std::string& project, int rows, Chunk chunk = {}) mutable {
    for (int i = 0; i < rows; ++i) chunk.Add(project, time += kHour);
    return chunk;
  };
  Chunk first = count("small", 100, count("big", 4'000));
  first.Find(rare);
  REQUIRE(first.IsRare("small"));
  // Both have 220 rows: more than a twentieth of 4,440 together, and less than a tenth.
  Chunk second = count("small", 120, count("new", 220));
  second.Find(rare);
  CHECK(second.IsRare("small"));
  CHECK_FALSE(second.IsRare("new"));
  Chunk third = count("small", 800);
  third.Find(rare);
  CHECK_FALSE(third.IsRare("small"));
}

TEST_CASE("rows of one time, and of times as far apart as there are, are counted") {
  RareProjects rare;
  Chunk().Find(rare);
  Chunk moment;
  for (int i = 0; i < 100; ++i) moment.Add(i == 0 ? "p" : "q", 7);
  moment.Find(rare);
  CHECK_FALSE(moment.IsRare("p"));  // a row of one moment says nothing of a day
  Chunk far;
  far.Add("p", std::numeric_limits<int64_t>::min());
  for (int i = 0; i < 100; ++i) far.Add("q", std::numeric_limits<int64_t>::max());
  far.Find(rare);
  CHECK(far.IsRare("p"));
  CHECK_FALSE(far.IsRare("q"));
}

// Returns how many rows are of rare projects, of `projects` further ones with `rows` rows each.
int FindFurther(RareProjects& rare, const std::string& name, size_t projects, int rows) {
  Chunk chunk;
  for (int row = 0; row < rows; ++row) {
    for (size_t i = 0; i < projects; ++i) chunk.Add(absl::StrCat(name, i), static_cast<int64_t>(i) % kHour);
  }
  return chunk.Find(rare);
}

TEST_CASE("projects beyond those that are counted take no memory and are not rare") {
  for (const bool too_many : {false, true}) {
    CAPTURE(too_many);
    RareProjects rare;
    for (int hour = 0; hour < 50; ++hour) Hour(hour).Find(rare);
    CHECK(FindFurther(rare, "first", 100, 1) > 0);
    FindFurther(rare, "many", kMostCountedProjects - (too_many ? 0 : 1'000), 2);
    CHECK((FindFurther(rare, "late", 100, 1) > 0) == !too_many);
    // Those that were counted before still are.
    Chunk again = Hour(50);
    again.Find(rare);
    CHECK_FALSE(again.IsRare("busy"));
  }
}

TEST_CASE("several threads find rare projects in one load") {
  RareProjects rare;
  std::vector<std::thread> threads;
  std::atomic<int> found{0};
  for (int thread = 0; thread < 4; ++thread) {
    threads.emplace_back([&, thread] {
      for (int hour = 0; hour < 20; ++hour) {
        Chunk chunk = Hour(20 * thread + hour);
        chunk.Find(rare);
        found += chunk.IsRare("rare") && !chunk.IsRare("busy") ? 1 : 0;
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  CHECK(found == 80);
}

}  // namespace
}  // namespace logquery::store
