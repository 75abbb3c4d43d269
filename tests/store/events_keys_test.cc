// Requests that are sent again: known by their key, and by their rejected rows.
#include <catch2/catch_test_macros.hpp>
#include <string>

#include "logquery/store/events.h"
#include "tests/store/event_parts.h"
#include "tests/store/folder_test_util.h"

namespace logquery::store::event_tests {
namespace {

TEST_CASE("a rejected request that is sent again is kept once") {
  TemporaryFolder folder;
  const auto backend = OpenFolder(folder / "data");
  const std::string kept = folder / "data/rejected/test.logs.events.00000001.ndjson";
  const Texts bad = {"bad", R"({"i":"x"})"};
  const Texts other = {"other"};
  EventPart part = Part(bad);
  part.sender = "token-1";
  for (int i = 0; i < 3; ++i) CHECK(AppendPart(*backend, part).rejected_rows == 2);
  CHECK(ReadFile(kept) == "bad\n{\"i\":\"x\"}\n");
  // Other rows, and those of another sender, are kept.
  AppendParts(*backend, {Part(other), part, Part(bad), Part(bad)});
  CHECK(ReadFile(kept) == "bad\n{\"i\":\"x\"}\nother\nbad\n{\"i\":\"x\"}\n");
  CHECK(backend->ReadStats()->at(0).rejected_rows == 13);
}

TEST_CASE("a request under a key is taken once, by each sender, also after a restart") {
  TemporaryFolder folder;
  const std::string data = folder / "data";
  const Texts rows = {R"({"i":0})", R"({"i":"bad"})"};
  EventPart part = Part(rows);
  part.sender = "token-1";
  part.key = "batch-1";
  {
    const auto backend = OpenFolder(data);
    CHECK_FALSE(AppendPart(*backend, part).repeated);
    const EventOutcome again = AppendPart(*backend, part);
    CHECK(again.repeated);
    CHECK(again.rows == 1);
    REQUIRE(again.rejected.size() == 1);
    CHECK(again.rejected[0].index == 1);
    CHECK(again.rejected[0].reason == "i is bad, which is no INT64");
  }
  const auto backend = OpenFolder(data);
  CHECK(AppendPart(*backend, part).repeated);
  CHECK(CountRows(*backend) == 1);
  const Texts others = {R"({"i":1})"};
  EventPart other = part;
  other.rows = others;
  const EventOutcome conflict = AppendPart(*backend, other);
  CHECK(conflict.status.code() == absl::StatusCode::kAlreadyExists);
  CHECK(conflict.rows == 0);
  other.sender = "token-2";
  CHECK(AppendPart(*backend, other).rows == 1);
  // The same without a key is stored again.
  CHECK(AppendPart(*backend, Part(others)).rows == 1);
  CHECK(CountRows(*backend) == 3);
}

TEST_CASE("a key is known for 24 hours, even if the clock is set back") {
  TemporaryFolder folder;
  const auto backend = OpenFolder(folder / "data");
  const Texts rows = {R"({"i":0,"timestamp":"2026-03-04T05:06:07Z"})"};
  EventPart part = Part(rows);
  part.sender = "token-1";
  part.key = "k";
  const auto at = [&](absl::Duration after) {
    part.arrived = kArrived + after;
    return AppendPart(*backend, part).repeated;
  };
  CHECK_FALSE(at(absl::ZeroDuration()));
  CHECK(at(absl::Hours(23)));
  CHECK(at(-absl::Hours(100)));  // a clock that was set back
  CHECK_FALSE(at(absl::Hours(25)));
  CHECK(at(absl::Hours(26)));
  CHECK(SelectValue(*backend, "SELECT count(*) FROM logquery.event_keys", Type::Int64()) == Value::Int64(1));
}

TEST_CASE("a repeated request in one batch is stored once, and another with its key is rejected") {
  TemporaryFolder folder;
  const auto backend = OpenFolder(folder / "data");
  const Texts rows = {R"({"i":0})"};
  const Texts others = {R"({"i":1})"};
  EventPart part = Part(rows);
  part.sender = "token-1";
  part.key = "k";
  EventPart other = part;
  other.rows = others;
  const auto outcomes = AppendParts(*backend, {part, part, other});
  CHECK(outcomes[0].rows == 1);
  CHECK_FALSE(outcomes[0].repeated);
  CHECK(outcomes[1].rows == 1);
  CHECK(outcomes[1].repeated);
  CHECK(outcomes[2].status.code() == absl::StatusCode::kAlreadyExists);
  CHECK(CountRows(*backend) == 1);
}

}  // namespace
}  // namespace logquery::store::event_tests
