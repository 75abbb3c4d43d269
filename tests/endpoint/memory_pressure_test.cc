#include "lib/endpoint/call/memory_pressure.h"

#include <catch2/catch_test_macros.hpp>

namespace logquery::endpoint {
namespace {

constexpr int64_t kMiB = 1 << 20;
constexpr int64_t kLimit = 1'000 * kMiB;

absl::Duration At(int milliseconds) { return absl::Hours(1) + absl::Milliseconds(milliseconds); }

TEST_CASE("the query that has run for longest is ended as soon as the memory is above the limit, and nothing below") {
  MemoryPressure pressure(kLimit, absl::Seconds(1));
  CHECK(pressure.Look(At(0), kLimit, true) == MemoryPressure::kNothing);
  CHECK(pressure.Look(At(10), kLimit + 1, true) == MemoryPressure::kEndOne);
  CHECK(pressure.above());
  CHECK(pressure.Look(At(20), kLimit, true) == MemoryPressure::kNothing);
  CHECK_FALSE(pressure.above());
}

TEST_CASE("an ended query has a tenth of a second to free its memory before another is ended") {
  MemoryPressure pressure(kLimit, absl::Seconds(1));
  REQUIRE(pressure.Look(At(0), kLimit + kMiB, true) == MemoryPressure::kEndOne);
  CHECK(pressure.Look(At(10), kLimit + kMiB, true) == MemoryPressure::kNothing);
  CHECK(pressure.Look(At(99), kLimit + 2 * kMiB, true) == MemoryPressure::kNothing);
  CHECK(pressure.Look(At(100), kLimit + kMiB, true) == MemoryPressure::kEndOne);
  CHECK(pressure.Look(At(110), kLimit + kMiB, true) == MemoryPressure::kNothing);
}

TEST_CASE("if memory keeps growing, the next query is ended without a delay") {
  MemoryPressure pressure(kLimit, absl::Seconds(1));
  REQUIRE(pressure.Look(At(0), kLimit + 10 * kMiB, true) == MemoryPressure::kEndOne);
  CHECK(pressure.Look(At(10), kLimit + 41 * kMiB, true) == MemoryPressure::kNothing);
  CHECK(pressure.Look(At(20), kLimit + 42 * kMiB, true) == MemoryPressure::kEndOne);
  CHECK(pressure.Look(At(30), kLimit + 60 * kMiB, true) == MemoryPressure::kNothing);
}

TEST_CASE("pressure that ending queries does not relieve is reported after the grace period, and again each period") {
  MemoryPressure pressure(kLimit, absl::Seconds(1));
  REQUIRE(pressure.Look(At(0), kLimit + kMiB, true) == MemoryPressure::kEndOne);
  CHECK(pressure.Look(At(500), kLimit + kMiB, false) == MemoryPressure::kNothing);
  CHECK(pressure.Look(At(999), kLimit + kMiB, false) == MemoryPressure::kNothing);
  CHECK(pressure.Look(At(1'000), kLimit + kMiB, false) == MemoryPressure::kStuck);
  CHECK(pressure.Look(At(1'010), kLimit + kMiB, false) == MemoryPressure::kNothing);
  CHECK(pressure.Look(At(2'000), kLimit + kMiB, false) == MemoryPressure::kStuck);
}

TEST_CASE("pressure is reported only after a query was ended, and each stretch above the limit starts over") {
  MemoryPressure pressure(kLimit, absl::Seconds(1));
  CHECK(pressure.Look(At(0), 2 * kLimit, false) == MemoryPressure::kNothing);
  CHECK(pressure.Look(At(5'000), 2 * kLimit, false) == MemoryPressure::kNothing);
  REQUIRE(pressure.Look(At(5'010), 2 * kLimit, true) == MemoryPressure::kEndOne);
  CHECK(pressure.Look(At(5'500), kLimit, false) == MemoryPressure::kNothing);
  CHECK(pressure.Look(At(6'100), 2 * kLimit, true) == MemoryPressure::kEndOne);
  CHECK(pressure.Look(At(7'000), 2 * kLimit, false) == MemoryPressure::kNothing);
  CHECK(pressure.Look(At(7'100), 2 * kLimit, false) == MemoryPressure::kStuck);
}

TEST_CASE("unknown memory use ends no query") {
  MemoryPressure pressure(kLimit, absl::Seconds(1));
  CHECK(pressure.Look(At(0), -1, true) == MemoryPressure::kNothing);
}

}  // namespace
}  // namespace logquery::endpoint
