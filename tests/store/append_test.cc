// Rows from memory: in when the call returns, each batch of a name once, what is no row kept.
#include <signal.h>

#include <catch2/catch_test_macros.hpp>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>
#include <system_error>
#include <thread>
#include <vector>

#include "absl/time/clock.h"
#include "lib/store/backend_impl.h"
#include "tests/store/folder_test_util.h"
#include "tests/support/child_process.h"

namespace logquery::store {
namespace {

using testing::AwaitChild;
using testing::ChildArgument;
using testing::StartChild;

std::vector<std::string> MakeRows(int count, const std::string& project = "abc") {
  std::vector<std::string> rows;
  for (int i = 0; i < count; ++i) {
    rows.push_back(Row("\"i\":" + std::to_string(i) + ",\"project\":\"" + project + "\""));
  }
  return rows;
}

std::vector<std::string_view> Views(const std::vector<std::string>& rows) { return {rows.begin(), rows.end()}; }

LoadReport Append(DuckDbBackend& backend, const AppendRequest& request) {
  const auto report = backend.store().Append(request);
  INFO(report.status().ToString());
  REQUIRE(report.ok());
  return *report;
}

TEST_CASE("rows are appended from memory, and queries see them") {
  TemporaryFolder folder;
  const auto backend = OpenFolder(folder / "data");
  const std::string first = Row(R"("id":"a","project":"abc","metadata":[{"request":[{"path":"/","status":"200"}]}])");
  const std::string second = Row(R"("id":"b","new":1)");

  const LoadReport report = Append(*backend, {.table = "test_logs", .rows = {first, second}});
  CHECK(report.rows == 2);
  CHECK(report.rejected_rows == 0);
  CHECK(report.bytes == static_cast<int64_t>(first.size() + second.size()));
  REQUIRE(report.learned_fields.size() == 1);
  CHECK(report.learned_fields[0].path == "new");
  CHECK(SelectValue(*backend, R"(SELECT "metadata.request.status" FROM "test.logs" WHERE id = 'a')", Type::Int64()) ==
        Value::Int64(200));
}

TEST_CASE("the same rows are added each time, unless their batch has a name") {
  TemporaryFolder folder;
  const std::string data = folder / "data";
  const std::vector<std::string> rows = MakeRows(10);
  {
    const auto backend = OpenFolder(data);
    Append(*backend, {.table = "test.logs", .rows = Views(rows)});
    Append(*backend, {.table = "test.logs", .rows = Views(rows)});
    CHECK(CountRows(*backend) == 20);
    CHECK(Append(*backend, {.table = "test.logs", .rows = Views(rows), .batch = "one"}).rows == 10);
  }
  const auto backend = OpenFolder(data);
  const LoadReport again = Append(*backend, {.table = "test.logs", .rows = Views(rows), .batch = "one"});
  CHECK(again.rows == 0);
  CHECK(again.files_skipped == std::vector<std::string>{"one"});
  CHECK(Append(*backend, {.table = "test.logs", .rows = Views(rows), .batch = "two"}).rows == 10);
  CHECK(CountRows(*backend) == 40);
  // Rows without an id of their own have different ones, whichever batch they came in.
  CHECK(SelectValue(*backend, R"(SELECT count(DISTINCT id) FROM "test.logs")", Type::Int64()) == Value::Int64(40));
}

TEST_CASE("the engine's log is written into the tables while no query runs, and else grows further") {
  TemporaryFolder folder;
  const std::string data = folder / "data";
  const auto backend = OpenFolder(data);
  const auto state = static_cast<DuckDbBackendImpl&>(*backend).engine().Use();
  REQUIRE(state.ok());
  const auto append_mebibyte = [&] {
    std::vector<std::string> rows;
    for (int i = 0; i < 1'000; ++i) rows.push_back(Row("\"event_message\":\"" + std::string(1'100, 'x') + "\""));
    Append(*backend, {.table = "test.logs", .rows = Views(rows)});
  };
  const auto log_bytes = [&] {
    std::error_code none;
    const uintmax_t bytes = std::filesystem::file_size(data + "/logs.duckdb.wal", none);
    return none ? 0 : static_cast<int64_t>(bytes);
  };
  {
    const auto query = (*state)->pool.Acquire();
    REQUIRE(query.ok());
    for (int i = 0; i < 20; ++i) append_mebibyte();
    CHECK(log_bytes() > duckdb::kLogWorthCheckpoint);
  }
  append_mebibyte();
  CHECK(log_bytes() < duckdb::kLogWorthCheckpoint / 8);
  CHECK(CountRows(*backend) == 21'000);
}

TEST_CASE("an invalid row is rejected and kept on one line, with its position in the batch") {
  TemporaryFolder folder;
  const std::string data = folder / "data";
  const auto backend = OpenFolder(data);
  const std::string spread = "{\n  \"timestamp\": \"2026-03-04T05:06:07Z\",\n  \"i\": 1\n}";
  const LoadReport report = Append(
      *backend, {.table = "test.logs", .rows = {spread, "{\"i\":\n\"x\"}", "", Row()}, .batch = "sent \"twice\""});
  CHECK(report.rows == 2);
  CHECK(report.rejected_rows == 1);
  REQUIRE(report.first_rejected.size() == 1);
  CHECK(report.first_rejected[0].file == "sent \"twice\"");
  CHECK(report.first_rejected[0].line == 2);
  CHECK(report.first_rejected[0].reason == "i is x, which is no INT64");
  std::string kept;
  std::string reasons;
  for (const auto& entry : std::filesystem::directory_iterator(report.rejected_folder)) {
    const bool is_reasons = entry.path().string().find(".reasons.") != std::string::npos;
    (is_reasons ? reasons : kept) += ReadFile(entry.path());
  }
  CHECK(kept == "{\"i\": \"x\"}\n");
  CHECK(reasons == "{\"file\":\"sent \\\"twice\\\"\",\"line\":2,\"reason\":\"i is x, which is no INT64\"}\n");
}

TEST_CASE("rejected rows of batches without a name outlive a reopening, each batch's its own") {
  TemporaryFolder folder;
  const std::string data = folder / "data";
  for (int i = 0; i < 3; ++i) {
    const auto backend = OpenFolder(data);
    CHECK(Append(*backend, {.table = "test.logs", .rows = {"bad", Row()}}).rejected_rows == 1);
  }
  int files = 0;
  for ([[maybe_unused]] const auto& entry : std::filesystem::directory_iterator(data + "/rejected")) ++files;
  CHECK(files == 6);
}

TEST_CASE("more rows than a batch holds arrive, whatever thread takes them") {
  TemporaryFolder folder;
  const auto backend = OpenFolder(folder / "data");
  const std::vector<std::string> rows = MakeRows(100'000);
  CHECK(Append(*backend, {.table = "test.logs", .rows = Views(rows)}).rows == 100'000);
  CHECK(SelectValue(*backend, R"(SELECT sum(i)::BIGINT FROM "test.logs")", Type::Int64()) ==
        Value::Int64(99'999LL * 50'000));
}

TEST_CASE("several threads append during a load") {
  TemporaryFolder folder;
  const auto backend = OpenFolder(folder / "data");
  const std::vector<std::string> rows = MakeRows(200);
  std::string text;
  for (const std::string& row : rows) text += row + "\n";
  const std::string file = WriteFile(folder / "file", text);
  std::vector<std::thread> threads;
  std::vector<int64_t> appended(4, 0);
  for (int64_t& count : appended) {
    threads.emplace_back([&] {
      for (int i = 0; i < 5; ++i) {
        const auto report = backend->store().Append({.table = "test.logs", .rows = Views(rows)});
        if (report.ok()) count += report->rows;
      }
    });
  }
  CHECK(Load(*backend, {.table = "test.logs", .files = {file}}).rows == 200);
  for (std::thread& thread : threads) thread.join();
  CHECK(appended == std::vector<int64_t>(4, 1000));
  CHECK(CountRows(*backend) == 4200);
}

TEST_CASE("on request, an append leaves out rows whose id exists") {
  TemporaryFolder folder;
  const auto backend = OpenFolder(folder / "data");
  const std::string a = Row(R"("id":"a")");
  const std::string b = Row(R"("id":"b")");
  Append(*backend, {.table = "test.logs", .rows = {a}});
  const LoadReport report = Append(*backend, {.table = "test.logs", .rows = {a, b, b}, .dedupe_by_id = true});
  CHECK(report.rows == 1);
  CHECK(report.duplicate_rows == 2);
  CHECK(CountRows(*backend) == 2);
}

TEST_CASE("a failed append is reported with the reason, and stores nothing") {
  TemporaryFolder folder;
  const auto backend = OpenFolder(folder / "data");
  const std::string row = Row();
  const auto status_of = [&](const AppendRequest& request) { return backend->store().Append(request).status(); };
  const absl::Status no_table = status_of({.table = "tset.logs", .rows = {row}});
  CHECK(no_table.code() == absl::StatusCode::kNotFound);
  CHECK(no_table.message() == "there is no table tset.logs; there are test_logs");

  const std::string huge((64 << 20) + 1, ' ');
  const absl::Status too_long = status_of({.table = "test.logs", .rows = {row, huge}});
  CHECK(too_long.code() == absl::StatusCode::kInvalidArgument);
  CHECK(too_long.message() == "row 2 is longer than 64 MiB");

  CancellationSource source;
  source.Cancel();
  CHECK(status_of({.table = "test.logs", .rows = {row}, .cancellation = source.token()}).code() ==
        absl::StatusCode::kCancelled);
  CHECK(CountRows(*backend) == 0);
  CHECK(Append(*backend, {.table = "test.logs"}).rows == 0);

  const auto reader = OpenInMemory();
  CHECK(reader->store().Append({.table = "test.logs", .rows = {row}}).status().code() ==
        absl::StatusCode::kUnimplemented);
}

// Appends batches of a hundred rows, named by their numbers, for ever. The argument is the first number and the test's
// folder; a byte goes to the file "returned" for each that is in.
TEST_CASE("child: appends until it is killed", "[.child]") {
  const std::string argument = ChildArgument();
  const std::string folder = argument.substr(argument.find(' ') + 1);
  const auto backend = OpenFolder(folder + "/data");
  const std::vector<std::string> rows = MakeRows(100);
  std::ofstream returned(folder + "/returned", std::ios::app);
  for (int batch = std::stoi(argument); returned; ++batch) {
    Append(*backend, {.table = "test.logs", .rows = Views(rows), .batch = std::to_string(batch)});
    returned << "x" << std::flush;
  }
}

TEST_CASE("kill -9 while rows are appended: every acknowledged batch is stored once, and no partial batch") {
  TemporaryFolder folder;
  const std::string data = folder / "data";
  OpenFolder(data);
  const std::string returned = WriteFile(folder / "returned", "");
  const std::vector<std::string> rows = MakeRows(100);
  int64_t next = 0;
  for (int round = 0; round < 3; ++round) {
    CAPTURE(round);
    const auto said = [&] { return static_cast<int64_t>(std::filesystem::file_size(returned)); };
    const int64_t until = said() + 1 + 2 * round;
    const pid_t child = StartChild("child: appends until it is killed", std::to_string(next) + " " + folder / "");
    const absl::Time give_up = absl::Now() + absl::Seconds(60);
    while (said() < until && absl::Now() < give_up) std::this_thread::yield();
    kill(child, SIGKILL);
    REQUIRE(AwaitChild(child) == -SIGKILL);
    REQUIRE(said() >= until);

    const auto backend = OpenFolder(data);
    const int64_t there = CountRows(*backend);
    CHECK(there % 100 == 0);
    // One more may have been committed without having been said; each round before has one that was sent again.
    const int64_t batches = said() + round;
    CHECK((there / 100 == batches || there / 100 == batches + 1));
    // Whoever does not know sends it again.
    const LoadReport again =
        Append(*backend, {.table = "test.logs", .rows = Views(rows), .batch = std::to_string(batches)});
    CHECK(again.rows == (there / 100 == batches ? 100 : 0));
    next = batches + 1;
    CHECK(CountRows(*backend) == next * 100);
  }
}

}  // namespace
}  // namespace logquery::store
