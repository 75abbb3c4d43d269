// Queries for the newest rows: tried on the newest first, and the same rows as ever.
#include <catch2/catch_test_macros.hpp>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "lib/store/backend_impl.h"
#include "lib/store/tables/newest_windows.h"
#include "tests/store/folder_test_util.h"

namespace logquery::store {
namespace {

constexpr absl::Time kNoon = absl::FromUnixSeconds(1'772'625'600);  // 2026-03-04 12:00:00

absl::Time Hour(int64_t hour) { return absl::UnixEpoch() + absl::Hours(hour); }

// The hour, with `rows` rows from its beginning to its end.
HourCounts::Hour WholeHour(int64_t hour, int64_t rows) { return {Hour(hour), Hour(hour + 1), rows}; }

TEST_CASE("the time floor for a number of rows is computed from the rows of each hour") {
  const HourCounts counts({WholeHour(110, 1'000), WholeHour(109, 500), WholeHour(100, 2'000)});
  CHECK(counts.FloorOf(1'000, absl::InfiniteFuture()) == Hour(110));
  CHECK(counts.FloorOf(250, absl::InfiniteFuture()) == Hour(110) + absl::Minutes(45));
  CHECK(counts.FloorOf(1'250, absl::InfiniteFuture()) == Hour(109) + absl::Minutes(30));
  CHECK(counts.FloorOf(1'600, absl::InfiniteFuture()) == Hour(100) + absl::Minutes(57));
  CHECK(counts.FloorOf(3'501, absl::InfiniteFuture()) == absl::InfinitePast());
  // Only rows up to the end count.
  CHECK(counts.FloorOf(500, Hour(110)) == Hour(109));
  CHECK(counts.FloorOf(250, Hour(110) + absl::Minutes(30)) == Hour(110) + absl::Minutes(15));
  CHECK(counts.FloorOf(1, Hour(100)) == absl::InfinitePast());
  CHECK(HourCounts({}).FloorOf(1, absl::InfiniteFuture()) == absl::InfinitePast());
}

TEST_CASE("rows of the current hour are assumed within the time seen so far, not in its rest") {
  const HourCounts counts({{Hour(110), Hour(110) + absl::Minutes(10), 1'000}, WholeHour(109, 500)});
  CHECK(counts.FloorOf(100, absl::InfiniteFuture()) == Hour(110) + absl::Minutes(9));
  CHECK(counts.FloorOf(500, Hour(110) + absl::Minutes(5)) == Hour(110));
  CHECK(counts.FloorOf(1'250, absl::InfiniteFuture()) == Hour(109) + absl::Minutes(30));
  const HourCounts at_once({{Hour(110), Hour(110), 1'000}});
  CHECK(at_once.FloorOf(10, absl::InfiniteFuture()) == Hour(110));
  CHECK(at_once.FloorOf(1'001, absl::InfiniteFuture()) == absl::InfinitePast());
}

// 30,000 rows in each of 1,000 hours.
std::shared_ptr<const HourCounts> ManyHours() {
  std::vector<HourCounts::Hour> hours;
  for (int64_t hour = 1'000; hour > 0; --hour) hours.push_back(WholeHour(hour, 30'000));
  return std::make_shared<const HourCounts>(std::move(hours));
}

TEST_CASE("windows grow by the rows found in them, and the last one has all rows") {
  HourWindows windows(ManyHours(), {.rows = 100});
  CHECK_FALSE(windows.last());
  CHECK(windows.floor() > Hour(998));
  CHECK(windows.floor() < Hour(999));
  windows.Grow(10);  // a tenth: fifteen times as far
  CHECK(windows.floor() > Hour(967));
  CHECK(windows.floor() < Hour(970));
  windows.Grow(0);
  CHECK(windows.last());
}

TEST_CASE("a window that covers most rows is extended to all") {
  CHECK(HourWindows(ManyHours(), {.rows = 100, .not_before = Hour(998)}).last());
  CHECK_FALSE(HourWindows(ManyHours(), {.rows = 100, .not_before = Hour(900)}).last());
  CHECK(HourWindows(ManyHours(), {.rows = 100, .not_after = Hour(3)}).last());
  CHECK(HourWindows(std::make_shared<const HourCounts>(std::vector{WholeHour(5, 1'000)}), {.rows = 100}).last());
}

TEST_CASE("packed records are asked for where enough rows may have them") {
  const auto packed_from = [](absl::Time from, const duckdb::NewestWindows::Wanted& wanted) {
    return HourWindows(ManyHours(), wanted, from).packed_from();
  };
  CHECK(packed_from(Hour(990), {.rows = 100}) == Hour(990));
  CHECK(packed_from(absl::InfiniteFuture(), {.rows = 100}) == absl::InfiniteFuture());
  // All wanted rows are earlier, or too many of them.
  CHECK(packed_from(Hour(990), {.rows = 100, .not_after = Hour(980)}) == absl::InfiniteFuture());
  CHECK(packed_from(Hour(1'000), {.rows = 40'000}) == absl::InfiniteFuture());
  // However few they are: no row before is wanted.
  CHECK(packed_from(Hour(990), {.rows = 1'000'000, .not_before = Hour(991)}) == Hour(990));
}

// 400,000 rows of about two months: by day and night, ten to a time, some late, one long ago and one far ahead.
std::unique_ptr<DuckDbBackend> LongLog() {
  auto backend = OpenInMemory({.threads = 2});
  auto& impl = static_cast<DuckDbBackendImpl&>(*backend);
  const auto state = impl.engine().Use();
  REQUIRE(state.ok());
  const auto connection = (*state)->database.Connect();
  REQUIRE(connection.ok());
  for (const char* sql :
       {"CREATE TABLE log AS SELECT 'r' || hash(i) % 500000 AS id, "
        "TIMESTAMP '2026-01-01' + to_seconds(i // 10 * 10 * 13 + CASE WHEN i % 86400 < 30000 THEN 90000 ELSE 0 END) AS "
        "time, "
        "'p' || CAST(floor(ln(1 + hash(i + 7) % 1000000)) AS INT) AS project, hash(i + 3) % 100 AS n "
        "FROM range(400000) AS t(i)",
        "INSERT INTO log SELECT 'late' || i, TIMESTAMP '2026-01-20' + to_minutes(i), 'p13', i FROM range(3000) AS t(i)",
        "INSERT INTO log VALUES ('first', TIMESTAMP '2000-01-01', 'p0', 0), ('last', TIMESTAMP '2099-01-01', 'p0', "
        "0)"}) {
    const absl::Status status = duckdb::Run(connection->get(), sql);
    INFO(status.ToString());
    REQUIRE(status.ok());
  }
  Table table;
  table.name = "Log";
  table.storage_name = "log";
  table.time_column = "time";
  impl.tables().Put(table);
  return backend;
}

const std::vector<Slot>& LogSlots() {
  static const auto& slots = *new std::vector<Slot>{{"floor", Type::Timestamp()},
                                                    {"after", Type::Timestamp()},
                                                    {"before", Type::Timestamp()},
                                                    {"project", Type::String()},
                                                    {"n", Type::Int64()}};
  return slots;
}

PreparedQuery NewestOf(int64_t limit, bool hint, const std::string& also = "TRUE") {
  PreparedQuery::Parts parts;
  parts.dialect_text =
      "SELECT id, time FROM log WHERE time >= $1::TIMESTAMP AND time > $2::TIMESTAMP AND time <= $3::TIMESTAMP AND "
      "project = $4::VARCHAR AND n >= $5::BIGINT AND " +
      also + " ORDER BY time DESC, id LIMIT " + std::to_string(limit);
  parts.schema = {{"id", Type::String()}, {"time", Type::Timestamp()}};
  parts.slots = LogSlots();
  if (hint) parts.top_n_by_time = TopNByTime{"log", limit, 0, {2}, {1}};
  return PreparedQuery(std::move(parts));
}

Bindings BindingsOf(absl::Time after, absl::Time before, std::string project, int64_t n) {
  return {Value::Timestamp(absl::FromUnixSeconds(-62'135'596'800)), Value::Timestamp(after), Value::Timestamp(before),
          Value::String(std::move(project)), Value::Int64(n)};
}

TEST_CASE("the newest rows are found without reading the old ones") {
  const auto backend = LongLog();
  const std::string trap = "(time > TIMESTAMP '2026-02-01' OR error('an old row was read'))";
  const Bindings bindings = BindingsOf(absl::FromUnixSeconds(0), kNoon, "p13", 0);
  CHECK(Select(*backend, NewestOf(100, true, trap), bindings).size() == 100);
  CollectingSink sink;
  CHECK(absl::IsInvalidArgument(Execute(*backend, NewestOf(100, false, trap), sink, bindings)));
  // Rows of a search that found too few are not handed on twice.
  CHECK(Select(*backend, NewestOf(100, true), BindingsOf(absl::FromUnixSeconds(0), kNoon, "p3", 97)) ==
        Select(*backend, NewestOf(100, false), BindingsOf(absl::FromUnixSeconds(0), kNoon, "p3", 97)));
}

TEST_CASE("the rows are those of the plain query, whatever its conditions are") {
  const auto backend = LongLog();
  std::mt19937 random(20260304);
  const auto below = [&](int64_t n) { return static_cast<int64_t>(random() % static_cast<uint64_t>(n)); };
  const std::vector<int64_t> limits = {1, 3, 100, 1'001, 5'000};
  int found = 0;
  for (int round = 0; round < 150; ++round) {
    const absl::Time before = kNoon + absl::Hours(below(3) == 0 ? 24 * 365 * 80 : 200 - below(1'500));
    const absl::Time after = before - absl::Minutes(below(3) == 0 ? 60 * 24 * 365 * 100 : below(100'000));
    const int64_t limit = limits[below(static_cast<int64_t>(limits.size()))];
    const Bindings bindings = BindingsOf(after, before, "p" + std::to_string(below(15)), below(2) * below(101));
    const Rows rows = Select(*backend, NewestOf(limit, true), bindings);
    CAPTURE(round, limit, absl::FormatTime(after), absl::FormatTime(before), bindings[3].string_value());
    CHECK(rows == Select(*backend, NewestOf(limit, false), bindings));
    found += rows.empty() ? 0 : 1;
  }
  CHECK(found > 75);
}

TEST_CASE("max rows, a hint without rows and a missing table are handled") {
  const auto backend = LongLog();
  const Bindings bindings = BindingsOf(absl::FromUnixSeconds(0), kNoon, "p13", 0);
  CollectingSink sink;
  REQUIRE(backend->Execute(NewestOf(100, true), bindings, {.max_rows = 7}, {}, sink).ok());
  CHECK(sink.rows().size() == 7);
  CHECK(Select(*backend, NewestOf(0, true), bindings).empty());
  PreparedQuery::Parts parts;
  parts.dialect_text = "SELECT $1::TIMESTAMP AS time";
  parts.schema = {{"time", Type::Timestamp()}};
  parts.slots = {{"floor", Type::Timestamp()}};
  parts.top_n_by_time = TopNByTime{"elsewhere", 1, 0, {}, {}};
  CHECK(Select(*backend, PreparedQuery(std::move(parts)), {Value::Timestamp(kNoon)}).size() == 1);
}

TEST_CASE("a query for the newest rows stops like any other") {
  const auto backend = LongLog();
  const Bindings bindings = BindingsOf(absl::FromUnixSeconds(0), kNoon, "p13", 0);
  CancellationSource source;
  source.Cancel();
  CollectingSink sink;
  CHECK(absl::IsCancelled(backend->Execute(NewestOf(100, true), bindings, {}, source.token(), sink)));
  CHECK(sink.rows().empty());
  CHECK(Select(*backend, NewestOf(100, true), bindings).size() == 100);
}

}  // namespace
}  // namespace logquery::store
