// The spool: files that it loads together, outcomes that it leaves behind, and failures of the store.
#include "logquery/store/spool.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <catch2/catch_test_macros.hpp>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "lib/store/spool/spool_outcome.h"
#include "logquery/testing/fake_clock.h"
#include "tests/store/folder_test_util.h"
#include "tests/store/spool_fixture.h"

namespace logquery::store::spool_tests {
namespace {

TEST_CASE("a file in the spool is loaded and replaced by its outcome") {
  SpoolFixture at;
  at.Put("a.ndjson", Lines(3) + "bad\n" + Row(R"("new":1)") + "\n");
  CHECK(at.TakeAll().ok());
  CHECK(CountRows(*at.backend) == 4);
  CHECK_FALSE(fs::exists(at.Path("a.ndjson")));
  CHECK(ReadFile(at.Path("a.ndjson.outcome")) ==
        R"({"outcome":"loaded","rows":4,"rejected_rows":1,"duplicate_rows":0,)"
        R"("rejected":[{"line":4,"reason":"column 1: wanted an object, found 'b'"}],)"
        R"("rejected_by_reason":[{"reason":"invalid JSON: wanted an object","rows":1}],"undeclared_fields":[],)"
        R"("learned_fields":[{"path":"new","type":"INT64"}]})"
        "\n");
  CHECK(fs::is_empty(at.folder / "spool/.taken/test_logs"));
  CHECK(at.spool->state().files_loaded == 1);
  CHECK(at.spool->state().rows == 4);
}

TEST_CASE("a thread of the spool's own takes files in until it is stopped") {
  TemporaryFolder folder;
  const auto backend = OpenFolder(folder / "data");
  SpoolOptions options;
  options.folder = folder / "spool";
  options.logs = {"test_logs"};
  options.batch_time = absl::Hours(1);  // who waits does not wait for others
  auto spool = Spool::Open(options, &backend->store());
  REQUIRE(spool.ok());
  CHECK(IsSpoolServed(options.folder));
  REQUIRE((*spool)->Start().ok());
  const std::string file = WriteFile(folder / "a.ndjson", Lines(10) + "bad\n");
  // The sender is told what became of its file, as by a load of its own.
  const auto report = LoadBySpool(options.folder, {.table = "test.logs", .files = {file, file}});
  REQUIRE(report.ok());
  CHECK(report->rows == 10);
  CHECK(report->rejected_rows == 1);
  CHECK(report->files_loaded == 1);
  CHECK(report->files_skipped == std::vector<std::string>{file});
  REQUIRE(report->first_rejected.size() == 1);
  CHECK(report->first_rejected[0].file == file);
  CHECK(report->first_rejected[0].line == 11);
  REQUIRE(report->rejected_by_reason.size() == 1);
  CHECK(report->rejected_by_reason[0].reason == "invalid JSON: wanted an object");
  CHECK(report->rejected_by_reason[0].rows == 1);
  CHECK(fs::exists(file));
  CHECK(fs::is_empty(options.folder + "/test.logs"));
  (*spool)->Stop();
  spool->reset();
  CHECK_FALSE(IsSpoolServed(options.folder));
  CHECK(CountRows(*backend) == 10);
}

TEST_CASE("small files wait for each other, up to a thousand rows or a second, and are loaded together") {
  SpoolFixture at;
  at.Put("a.ndjson", Lines(600));
  at.Put("b.ndjson", Row("\"i\":1") + "\n");
  CHECK(at.spool->TakeReady().ok());
  at.clock.Advance(absl::Milliseconds(900));
  CHECK(at.spool->TakeReady().ok());
  CHECK(at.store.loads.empty());
  CHECK(at.spool->state().waiting_files == 2);
  CHECK(at.spool->state().lag == absl::Milliseconds(900));
  SECTION("a second has passed since the first") {
    at.clock.Advance(absl::Milliseconds(100));
    CHECK(at.spool->TakeReady().ok());
    CHECK(at.store.loads.size() == 1);
    CHECK(CountRows(*at.backend) == 601);
    CHECK(at.spool->TakeReady().ok());
    CHECK(at.spool->state().lag == absl::ZeroDuration());
  }
  SECTION("one is urgent") {
    WriteFile(at.Path("c.ndjson.options"), R"({"urgent":true})");
    at.Put("c.ndjson", Lines(1));
    CHECK(at.spool->TakeReady().ok());
    CHECK(CountRows(*at.backend) == 602);
  }
  SECTION("there are a thousand rows") {
    at.Put("c.ndjson", Lines(399));
    CHECK(at.spool->TakeReady().ok());
    REQUIRE(at.store.loads.size() == 1);
    CHECK(at.store.loads[0].files.size() == 3);
    CHECK(at.store.loads[0].together);
    CHECK(CountRows(*at.backend) == 1000);
    CHECK(at.Outcome("c.ndjson").rows == 399);
  }
}

TEST_CASE("a file that somebody still writes to waits until it is closed, and is then there whole") {
  SpoolFixture at;
  const int writer = open(at.Path("a.ndjson").c_str(), O_WRONLY | O_CREAT | O_APPEND, 0600);
  REQUIRE(writer >= 0);
  const std::string rows = Lines(5);
  REQUIRE(write(writer, rows.data(), rows.size()) == static_cast<ssize_t>(rows.size()));
  CHECK(at.TakeAll().ok());
  // Only where the system can't tell is a minute of quiet enough.
  const bool can_tell = at.store.loads.empty();
  if (can_tell) {
    const std::string last = Row("\"i\":5") + "\n";
    REQUIRE(write(writer, last.data(), last.size()) == static_cast<ssize_t>(last.size()));
  }
  close(writer);
  CHECK(at.TakeAll().ok());
  CHECK(CountRows(*at.backend) == (can_tell ? 6 : 5));
  CHECK(at.store.loads.size() == 1);
}

// Fluent Bit does this: it appends to one name, closing it each time.
TEST_CASE("a name may come again and again; each file of it is loaded after the one before") {
  SpoolFixture at;
  at.Put("a.ndjson", Lines(1));
  CHECK(at.spool->TakeReady().ok());  // taken, and not yet due
  at.Put("a.ndjson", Lines(2));
  CHECK(at.TakeAll().ok());
  CHECK(CountRows(*at.backend) == 1);
  CHECK(fs::exists(at.Path("a.ndjson")));
  CHECK(at.TakeAll().ok());
  CHECK(CountRows(*at.backend) == 3);
  CHECK(at.Outcome("a.ndjson").rows == 2);
}

TEST_CASE("a file with the bytes of another is skipped and says so") {
  SpoolFixture at;
  at.Put("a.ndjson", Lines(3));
  CHECK(at.TakeAll().ok());
  at.Put("a.ndjson", Lines(3));
  at.Put("b.ndjson", Lines(3));
  CHECK(at.TakeAll().ok());
  CHECK(CountRows(*at.backend) == 3);
  CHECK(at.Outcome("a.ndjson").outcome == "skipped");
  CHECK(at.Outcome("b.ndjson").outcome == "skipped");
}

TEST_CASE("a file's options set its unit of time, and that known ids are left out") {
  SpoolFixture at;
  WriteFile(at.Path("a.ndjson.options"), R"({"timestamp_unit":"s","dedupe":"id"})");
  at.Put("a.ndjson", R"({"id":"x","timestamp":1772600767})"
                     "\n"
                     R"({"id":"x","timestamp":1772600768})"
                     "\n");
  at.Put("b.ndjson", R"({"id":"y","timestamp":1772600767000000})"
                     "\n");
  CHECK(at.TakeAll().ok());
  CHECK(at.store.loads.size() == 2);
  CHECK(at.Outcome("a.ndjson").duplicate_rows == 1);
  CHECK(SelectValue(*at.backend, R"(SELECT count(*) FROM "test.logs" WHERE "timestamp" = '2026-03-04 05:06:07')",
                    Type::Int64()) == Value::Int64(2));
  CHECK_FALSE(fs::exists(at.Path("a.ndjson.options")));
}

TEST_CASE("a file that cannot be loaded is kept in .failed with the reason and delays no other") {
  SpoolFixture at;
  struct Case {
    std::string path;
    std::function<void(const std::string&)> make;
    std::string reason;
  };
  WriteFile(at.Path("urgent.ndjson.options"), R"({"urgent":1})");
  WriteFile(at.Path("list.ndjson.options"), "[]");
  const auto text = [](std::string content) {
    return [content](const std::string& path) { WriteFile(path, content); };
  };
  WriteFile(at.Path("options.ndjson.options"), R"({"timestamp_unit":"minutes"})");
  WriteFile(at.Path("unknown.ndjson.options"), R"({"unit":"s"})");
  fs::create_directory(at.folder / "spool/no_logs");
  const std::vector<Case> cases = {
      {"test_logs/gzip.ndjson", text("\x1f\x8b damaged"), "damaged"},
      {"test_logs/options.ndjson", text(Row()), "timestamp_unit is one of s, ms, us and ns, not minutes"},
      {"test_logs/unknown.ndjson", text(Row()), "and no unit"},
      {"test_logs/urgent.ndjson", text(Row()), "urgent is true or false, not 1"},
      {"test_logs/list.ndjson", text(Row()), "its options are no JSON object"},
      {"test_logs/link.ndjson", [](const std::string& path) { fs::create_symlink("/etc/passwd", path); },
       "it is no regular file"},
      {"test_logs/pipe.ndjson", [](const std::string& path) { REQUIRE(mkfifo(path.c_str(), 0600) == 0); },
       "it is no regular file"},
      {"no_logs/a.ndjson", text(Row()), "there is no table no_logs; there are test_logs"},
      {"root.ndjson", text(Row()), "it lies in no log's folder, such as edge_logs"},
  };
  for (const Case& c : cases) c.make(at.folder / ("spool/" + c.path));
  at.Put("good.ndjson", Lines(2));
  CHECK(at.TakeAll().ok());
  for (const Case& c : cases) {
    CAPTURE(c.path);
    CHECK(fs::symlink_status(at.folder / ("spool/.failed/" + c.path)).type() != fs::file_type::not_found);
    CHECK_FALSE(fs::exists(at.folder / ("spool/" + c.path)));
    const auto outcome = SpoolOutcome::Parse(ReadFile(at.folder / ("spool/" + c.path + ".outcome")));
    REQUIRE(outcome.ok());
    CHECK(outcome->outcome == "failed");
    INFO(outcome->reason);
    CHECK(outcome->reason.find(c.reason) != std::string::npos);
    CHECK(ReadFile(at.folder / ("spool/.failed/" + c.path + ".outcome")) == outcome->ToJson());
  }
  CHECK(at.Outcome("good.ndjson").rows == 2);
  CHECK(CountRows(*at.backend) == 2);
  CHECK(at.spool->state().files_failed == 9);

  // One more of a name that failed before does not replace it.
  at.Put("gzip.ndjson", "\x1f\x8b damaged otherwise");
  CHECK(at.TakeAll().ok());
  CHECK(fs::exists(at.folder / "spool/.failed/test_logs/1.gzip.ndjson"));
}

TEST_CASE("while loading is impossible, files wait and are retried with growing delays until it succeeds") {
  SpoolFixture at;
  at.Put("a.ndjson", Lines(2));
  at.store.failure = absl::ResourceExhaustedError("the disk is full");
  CHECK(at.TakeAll().code() == absl::StatusCode::kResourceExhausted);
  CHECK(at.spool->state().stopped.message() == "the disk is full");
  CHECK(at.spool->TakeReady().code() == absl::StatusCode::kResourceExhausted);
  CHECK(at.store.loads.size() == 1);
  const auto tries_after = [&](absl::Duration wait) {
    const size_t before = at.store.loads.size();
    at.clock.Advance(wait);
    at.spool->TakeReady().IgnoreError();
    return at.store.loads.size() - before;
  };
  CHECK(tries_after(absl::Milliseconds(999)) == 0);
  CHECK(tries_after(absl::Milliseconds(1)) == 1);
  CHECK(tries_after(absl::Seconds(1)) == 0);
  CHECK(tries_after(absl::Seconds(1)) == 1);
  at.store.failure = absl::OkStatus();
  CHECK(tries_after(absl::Seconds(4)) == 1);
  CHECK(at.spool->state().stopped.ok());
  CHECK(CountRows(*at.backend) == 2);
  CHECK(at.lines == "spool: files wait: the disk is full\nspool: files are loaded again\n");
}

TEST_CASE("a file that fails repeatedly while others are loaded is set aside with the reason") {
  SpoolFixture at;
  at.store.failure = absl::InternalError("something broke");
  at.store.fails_for = "poison";
  at.Put("poison.ndjson", Lines(2));
  // If nothing else goes in either, the cause may be the machine: the file is kept, and tried again.
  for (int i = 0; i < 20; ++i) CHECK(at.TakeAll().code() == absl::StatusCode::kInternal);
  CHECK(fs::exists(at.folder / "spool/.taken/test_logs/poison.ndjson"));
  CHECK(at.store.loads.size() == 20);
  at.Put("good.ndjson", Lines(3));
  CHECK_FALSE(at.TakeAll().ok());
  CHECK(at.TakeAll().ok());
  CHECK(CountRows(*at.backend) == 3);
  CHECK(at.Outcome("good.ndjson").outcome == "loaded");
  CHECK(at.Outcome("poison.ndjson").outcome == "failed");
  CHECK(at.Outcome("poison.ndjson").reason == "it failed 22 times: something broke");
  CHECK(ReadFile(at.folder / "spool/.failed/test_logs/poison.ndjson") == Lines(2));
  CHECK(at.spool->state().stopped.ok());

  // A file that fails now and then is not set aside.
  at.store.fails_for = "late";
  at.Put("late.ndjson", Lines(4));
  for (int i = 0; i < 6; ++i) {
    at.Put("other" + std::to_string(i) + ".ndjson", Lines(10 + i));
    CHECK_FALSE(at.TakeAll().ok());
  }
  at.store.failure = absl::OkStatus();
  CHECK(at.TakeAll().ok());
  CHECK(at.Outcome("late.ndjson").outcome == "loaded");
}

TEST_CASE("a full spool says so until a quarter of its files are gone") {
  SpoolFixture at;
  at.store.failure = absl::ResourceExhaustedError("the disk is full");
  at.Put("a.ndjson", std::string(40'000, '\n') + Lines(1));
  at.Put("b.ndjson", std::string(60'001, '\n') + Lines(1));
  CHECK_FALSE(at.TakeAll().ok());
  CHECK(at.spool->state().full);
  CHECK(fs::exists(at.folder / "spool/FULL"));
  at.store.failure = absl::OkStatus();
  at.clock.Advance(absl::Minutes(1));
  CHECK(at.spool->TakeReady().ok());
  CHECK(at.spool->TakeReady().ok());
  CHECK_FALSE(at.spool->state().full);
  CHECK_FALSE(fs::exists(at.folder / "spool/FULL"));
}

TEST_CASE("outcomes are removed after a day") {
  SpoolFixture at;
  at.Put("a.ndjson", Lines(1));
  CHECK(at.TakeAll().ok());
  at.clock.Advance(absl::Hours(22));
  CHECK(at.spool->TakeReady().ok());
  CHECK(fs::exists(at.Path("a.ndjson.outcome")));
  at.clock.Advance(absl::Hours(3));
  CHECK(at.spool->TakeReady().ok());
  CHECK_FALSE(fs::exists(at.Path("a.ndjson.outcome")));
}

TEST_CASE("compressed files are loaded, and damaged ones are kept in .failed") {
  SpoolFixture at;
  at.Put("a.ndjson.zst", Zstd(Lines(3)));
  at.Put("b.JSON.ZST", Zstd(Lines(4)));
  at.Put("c.ndjson.zst", Zstd(Lines(5)).substr(0, 20));
  CHECK(at.TakeAll().ok());
  CHECK(CountRows(*at.backend) == 7);
  CHECK(at.Outcome("a.ndjson.zst").rows == 3);
  CHECK(at.Outcome("c.ndjson.zst").outcome == "failed");
  CHECK(fs::exists(at.folder / "spool/.failed/test_logs/c.ndjson.zst"));
}

}  // namespace
}  // namespace logquery::store::spool_tests
