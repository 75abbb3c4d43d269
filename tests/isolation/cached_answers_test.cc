// The result cache gives a caller what the caller's own call gives: never another project's answer, and never an error of before.
#include "tests/isolation/difference.h"
#include "tests/isolation/isolation_test_util.h"

namespace logquery::isolation {
namespace {

constexpr char kRows[] = "SELECT COUNT(*) AS n, MIN(t.id) AS first FROM logs AS t";
constexpr char kFails[] = "SELECT MAX(1 / (t.small - 5)) AS x FROM logs AS t";

TEST_CASE("a repeated call returns the same answer from the cache") {
  const auto folder = MakeFolder({.hidden = Hidden::kOtherProject, .own_rows = 300, .hidden_rows = 200});
  const auto reader = OpenReader({.folder = folder->path(), .caching = true});
  for (const Caller caller : {Caller::kProjectParameter, Caller::kScopedToken}) {
    INFO(CallerName(caller));
    const Answer first = reader->Run(caller, kRows), second = reader->Run(caller, kRows);
    INFO(first.status);
    REQUIRE(first.status.ok());
    CHECK(first.cache == CacheUse::kMiss);
    CHECK(second.cache == CacheUse::kHit);
    CHECK(first.rows == "{\"n\":300,\"first\":\"id10000000\"}\n");
    CHECK(second.rows == first.rows);
  }
}

TEST_CASE("an error is not cached") {
  const auto folder = MakeFolder({.own_rows = 300});
  const auto reader = OpenReader({.folder = folder->path(), .caching = true});
  for (int call = 0; call < 2; ++call) {
    const Answer answer = reader->Run(Caller::kProjectParameter, kFails);
    CHECK(answer.status.code() == absl::StatusCode::kInvalidArgument);
    CHECK(answer.cache != CacheUse::kHit);
  }
}

TEST_CASE("callers who see different rows of one folder do not share answers") {
  const auto folder = MakeFolder({.hidden = Hidden::kOutsideWindow, .own_rows = 300, .hidden_rows = 200});
  const auto reader = OpenReader({.folder = folder->path(), .caching = true});
  // The same project and SQL: what differs is the window.
  CHECK(reader->Run(Caller::kProjectParameter, kRows).rows == "{\"n\":500,\"first\":\"id10000000\"}\n");
  CHECK(reader->Run(Caller::kRetention, kRows).rows == "{\"n\":300,\"first\":\"id10000000\"}\n");
  CHECK(reader->Run(Caller::kTimeBound, kRows).rows == "{\"n\":300,\"first\":\"id10000000\"}\n");
}

}  // namespace
}  // namespace logquery::isolation
