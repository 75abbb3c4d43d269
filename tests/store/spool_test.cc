// The spool: which files it takes, when and with which others, what it leaves behind, and what it does not lose.
#include "logquery/store/spool.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include <catch2/catch_test_macros.hpp>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "lib/base/strings.h"
#include "lib/store/spool/spool_outcome.h"
#include "logquery/testing/fake_clock.h"
#include "tests/store/folder_test_util.h"
#include "tests/support/child_process.h"

namespace logquery::store {
namespace {

namespace fs = std::filesystem;

std::string Lines(int count) {
  std::string text;
  for (int i = 0; i < count; ++i) text += Row("\"i\":" + std::to_string(i)) + "\n";
  return text;
}

// Passes calls on, and fails those that the test wants to fail.
class FailingStore : public LogStore {
 public:
  explicit FailingStore(LogStore* store) : store_(store) {}
  absl::StatusOr<LoadReport> Load(const LoadRequest& request,
                                  const std::function<void(const LoadProgress&)>& progress) override {
    loads.push_back(request);
    for (const std::string& file : request.files) {
      if (!failure.ok() && file.find(fails_for) != std::string::npos) return failure;
    }
    return store_->Load(request, progress);
  }
  absl::StatusOr<LoadReport> Append(const AppendRequest& request) override { return store_->Append(request); }
  absl::StatusOr<bool> HasBatch(const std::string& table, const std::string& batch) override {
    return store_->HasBatch(table, batch);
  }
  absl::StatusOr<std::vector<EventOutcome>> AppendEvents(const EventBatch& batch) override {
    return store_->AppendEvents(batch);
  }
  absl::StatusOr<ClusterReport> Cluster(const ClusterRequest& request) override { return store_->Cluster(request); }
  absl::StatusOr<RetainReport> Retain(const RetainRequest& request) override { return store_->Retain(request); }
  absl::StatusOr<EraseReport> Erase(const EraseRequest& request) override { return store_->Erase(request); }
  absl::Status Checkpoint() override { return store_->Checkpoint(); }

  absl::Status failure;
  std::string fails_for;  // files with this in their names
  std::vector<LoadRequest> loads;

 private:
  LogStore* const store_;
};

// A data folder and its spool, which looks when the test says so.
struct SpoolFixture {
  SpoolFixture() : backend(OpenFolder(folder / "data")), store(&backend->store()) { Reopen(); }

  void Reopen() {
    spool.reset();
    auto opened = Spool::Open(options(), &store);
    INFO(opened.status().ToString());
    REQUIRE(opened.ok());
    spool = *std::move(opened);
  }
  SpoolOptions options() {
    SpoolOptions made;
    made.folder = folder / "spool";
    made.logs = {"test_logs"};
    made.max_bytes = 100'000;
    made.clock = &clock;
    made.log = [this](std::string_view, std::string_view line) { lines += std::string(line) + "\n"; };
    return made;
  }
  std::string Path(const std::string& name) { return folder / ("spool/test_logs/" + name); }
  // Puts a file there as a program does that writes it elsewhere and renames it.
  void Put(const std::string& name, std::string_view text) {
    fs::rename(WriteFile(folder / "beside", text), Path(name));
  }
  // Looks, waits until what has come is due, and looks again.
  absl::Status TakeAll() {
    spool->TakeReady().IgnoreError();
    clock.Advance(absl::Seconds(60));
    return spool->TakeReady();
  }
  SpoolOutcome Outcome(const std::string& name) {
    auto outcome = SpoolOutcome::Parse(ReadFile(Path(name) + ".outcome"));
    INFO(name);
    REQUIRE(outcome.ok());
    return *std::move(outcome);
  }

  TemporaryFolder folder;
  testing::FakeClock clock{absl::Now()};
  std::unique_ptr<DuckDbBackend> backend;
  FailingStore store;
  std::unique_ptr<Spool> spool;
  std::string lines;
};

TEST_CASE("a file in the spool is loaded and replaced by its outcome") {
  SpoolFixture at;
  at.Put("a.ndjson", Lines(3) + "bad\n" + Row(R"("new":1)") + "\n");
  CHECK(at.TakeAll().ok());
  CHECK(CountRows(*at.backend) == 4);
  CHECK_FALSE(fs::exists(at.Path("a.ndjson")));
  CHECK(ReadFile(at.Path("a.ndjson.outcome")) ==
        R"({"outcome":"loaded","rows":4,"rejected_rows":1,"duplicate_rows":0,)"
        R"("rejected":[{"line":4,"reason":"column 1: wanted an object, found 'b'"}],"undeclared_fields":[],)"
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

TEST_CASE("only files with a name of rows are taken; a folder in a log's folder stays") {
  SpoolFixture at;
  for (const char* name : {"a.jsonl", "b.ndjson", "c.tmp", ".d.ndjson", "e", "f.ndjson.new", ".ndjson"}) {
    at.Put(name, Row("\"project\":\"" + std::string(name) + "\"") + "\n");
  }
  fs::create_directory(at.Path("folder.ndjson"));
  CHECK(at.TakeAll().ok());
  CHECK(CountRows(*at.backend) == 2);
  for (const char* name : {"c.tmp", ".d.ndjson", "e", "f.ndjson.new", ".ndjson", "folder.ndjson"}) {
    CHECK(fs::exists(at.Path(name)));
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

  // One that fails now and then is not.
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

TEST_CASE("a server that was killed after the commit and before the outcome: the next one says that it is loaded") {
  SpoolFixture at;
  at.Put("a.ndjson", Lines(3));
  const std::string taken = at.folder / "spool/.taken/test_logs/a.ndjson";
  CHECK(at.spool->TakeReady().ok());
  CHECK(Load(*at.backend, {.table = "test_logs", .files = {taken}}).rows == 3);
  at.Reopen();
  CHECK(at.TakeAll().ok());
  CHECK(at.Outcome("a.ndjson").outcome == "loaded");
  CHECK(at.Outcome("a.ndjson").rows == 3);
  CHECK(CountRows(*at.backend) == 3);
}

TEST_CASE("one process at a time takes files out of a spool") {
  SpoolFixture at;
  const auto second = Spool::Open(at.options(), &at.store);
  CHECK(second.status().code() == absl::StatusCode::kFailedPrecondition);
  CHECK(std::string(second.status().message()).find("another process takes files out of the spool") !=
        std::string::npos);
}

TEST_CASE("sending a file to a spool that no process serves fails as unavailable") {
  TemporaryFolder folder;
  fs::create_directory(folder / "spool");
  const std::string file = WriteFile(folder / "a.ndjson", Lines(1));
  const auto status = [&](const LoadRequest& request) { return LoadBySpool(folder / "spool", request).status(); };
  CHECK(status({.table = "test_logs", .files = {file}}).code() == absl::StatusCode::kUnavailable);
  CHECK(fs::exists(folder / "spool/test_logs"));  // it is there for the next who serves
  CHECK(status({.table = "../test_logs", .files = {file}}).code() == absl::StatusCode::kInvalidArgument);
  CHECK(status({.table = "test_logs", .files = {folder / "b.ndjson"}}).code() == absl::StatusCode::kNotFound);
  CancellationSource source;
  source.Cancel();
  const size_t before = std::distance(fs::directory_iterator(folder / "spool/test_logs"), fs::directory_iterator());
  CHECK(status({.table = "test_logs", .files = {file}, .cancellation = source.token()}).code() ==
        absl::StatusCode::kCancelled);
  CHECK(before == static_cast<size_t>(
                      std::distance(fs::directory_iterator(folder / "spool/test_logs"), fs::directory_iterator())));
}

SpoolOptions ChildSpool(const std::string& folder) {
  SpoolOptions options;
  options.folder = folder + "/spool";
  options.logs = {"test_logs"};
  options.batch_time = absl::ZeroDuration();
  return options;
}

TEST_CASE("child: serves a spool until it is killed", "[.child]") {
  const auto backend = OpenFolder(testing::ChildArgument() + "/data");
  const auto spool = Spool::Open(ChildSpool(testing::ChildArgument()), &backend->store());
  REQUIRE(spool.ok());
  REQUIRE((*spool)->Start().ok());
  pause();
}

// Kills a process that serves a spool at `rounds` moments, as many files as it gets done apart, and looks what is there.
void KillAndCount(int rounds) {
  TemporaryFolder folder;
  const std::string data = folder / "data";
  OpenFolder(data);
  int files = 0;
  for (int round = 0; round < rounds; ++round) {
    fs::create_directories(folder / "spool/test_logs");
    for (int i = 0; i < 20; ++i, ++files) {
      const std::string name = std::to_string(files) + ".ndjson";
      WriteFile(folder / "beside", Row("\"i\":" + std::to_string(files)) + "\nbad " + name + "\n");
      fs::rename(folder / "beside", folder / ("spool/test_logs/" + name));
    }
    const pid_t child = testing::StartChild("child: serves a spool until it is killed", folder / "");
    // Once it has taken some file, or told of one, and a little later each time.
    const std::string file = folder / ("spool/test_logs/" + std::to_string(files - 1 - round % 20) + ".ndjson");
    const absl::Time give_up = absl::Now() + absl::Seconds(60);
    while ((round % 2 == 0 ? fs::exists(file) : !fs::exists(file + ".outcome")) && absl::Now() < give_up) {
      std::this_thread::yield();
    }
    for (int i = 0; i < round * 7919 % 100 * 100; ++i) std::this_thread::yield();
    kill(child, SIGKILL);
    REQUIRE(testing::AwaitChild(child) == -SIGKILL);
  }
  const auto backend = OpenFolder(data);
  auto spool = Spool::Open(ChildSpool(folder / ""), &backend->store());
  REQUIRE(spool.ok());
  CHECK((*spool)->TakeReady().ok());
  CHECK((*spool)->TakeReady().ok());
  CHECK(CountRows(*backend) == files);
  CHECK(SelectValue(*backend, R"(SELECT count(DISTINCT i) FROM "test.logs")", Type::Int64()) == Value::Int64(files));
  int outcomes = 0;
  for (const auto& entry : fs::directory_iterator(folder / "spool/test_logs")) {
    if (entry.path().extension() == ".outcome") ++outcomes;
  }
  CHECK(outcomes == files);
  int rejected = 0;
  for ([[maybe_unused]] const auto& entry : fs::directory_iterator(data + "/rejected")) ++rejected;
  CHECK(rejected == 2 * files);
}

TEST_CASE("kill -9 while a spool is served: every file is in once, with its outcome and its rejected row") {
  KillAndCount(6);
}

TEST_CASE("kill -9 at many moments while a spool is served", "[nightly]") { KillAndCount(100); }

TEST_CASE("symbolic links in place of a spool's own folders are not followed") {
  for (const char* part : {".taken", ".failed", "test_logs"}) {
    CAPTURE(part);
    SpoolFixture at;
    at.spool.reset();
    const fs::path inside = fs::path(at.folder / "spool") / part;
    fs::remove_all(inside);
    fs::create_directory(at.folder / "outside");
    fs::create_directory_symlink(at.folder / "outside", inside);
    const absl::Status status = Spool::Open(at.options(), &at.store).status();
    CHECK(status.code() == absl::StatusCode::kFailedPrecondition);
    CHECK(status.message().find("is a symbolic link") != absl::string_view::npos);
  }
  // The folder becomes a link while the spool is open: the files stay where they are.
  SpoolFixture at;
  fs::remove_all(at.folder / "spool/.taken/test_logs");
  fs::create_directory(at.folder / "outside");
  fs::create_directory_symlink(at.folder / "outside", at.folder / "spool/.taken/test_logs");
  at.Put("a.ndjson", Lines(3));
  CHECK(at.TakeAll().code() == absl::StatusCode::kFailedPrecondition);
  CHECK(fs::is_empty(at.folder / "outside"));
  CHECK(fs::exists(at.Path("a.ndjson")));
}

TEST_CASE("endings of names may be in any letter case, and .json is taken if it has rows in lines") {
  SpoolFixture at;
  for (const char* name : {"a.NDJSON", "b.Jsonl", "c.json", "d.JSON"}) {
    at.Put(name, Row(base::StrCat("\"i\":", static_cast<int>(name[0]))) + "\n");
  }
  at.Put("array.json", "[" + Row() + "]");
  at.Put("pretty.json", "{\n  \"timestamp\": \"2026-03-04T05:06:07Z\"\n}");
  CHECK(at.TakeAll().ok());
  CHECK(CountRows(*at.backend) == 4);
  for (const char* name : {"a.NDJSON", "b.Jsonl", "c.json", "d.JSON"}) CHECK(at.Outcome(name).outcome == "loaded");
  CHECK(at.Outcome("array.json").outcome == "failed");
  CHECK(at.Outcome("array.json").reason ==
        "its first line is an array, not one object; write each row as an object on a line of its own, and call the "
        "file .ndjson");
  CHECK(at.Outcome("pretty.json").outcome == "failed");
}

TEST_CASE("files with other names are kept in .failed with the reason once nobody writes to them") {
  SpoolFixture at;
  at.Put("x.log", "text");
  at.Put("x.ndjson.1", Lines(1));
  at.Put("x.csv", "a,b");
  at.Put("x.csv.options", "{}");
  at.Put(".hidden.log", "text");
  std::ofstream open(at.Path("growing.part"));
  open << "text" << std::flush;
  // They may be about to be renamed.
  CHECK(at.TakeAll().ok());
  CHECK(fs::exists(at.Path("x.log")));
  CHECK(at.spool->state().files_failed == 0);
  at.clock.Advance(absl::Minutes(5));
  CHECK(at.spool->TakeReady().ok());
  CHECK(at.spool->state().files_failed == 3);
  const std::string reason =
      "a file of rows is recognized by its name: its name ends in .ndjson, .jsonl or .json, or one of these with .gz "
      "or "
      ".zst";
  for (const char* name : {"x.log", "x.ndjson.1", "x.csv"}) {
    CAPTURE(name);
    CHECK_FALSE(fs::exists(at.Path(name)));
    CHECK(at.Outcome(name).outcome == "failed");
    CHECK(at.Outcome(name).reason == reason);
    CHECK(at.lines.find(base::StrCat("spool: test_logs/", name, " can't be loaded and is in .failed: ", reason)) !=
          std::string::npos);
  }
  const std::string failed = at.folder / "spool/.failed/test_logs/";
  CHECK(ReadFile(failed + "x.ndjson.1") == Lines(1));
  CHECK(ReadFile(failed + "x.csv.options") == "{}");
  CHECK(CountSpool(at.folder / "spool").failed_files == 3);
  CHECK(fs::exists(at.Path(".hidden.log")));
  // The one that is open is only told of.
  CHECK(fs::exists(at.Path("growing.part")));
  CHECK(at.spool->state().ignored_files == 1);
  open.close();
  CHECK(at.spool->TakeReady().ok());
  CHECK(ReadFile(failed + "growing.part") == "text");
  // A file with its right name is loaded.
  fs::rename(failed + "x.ndjson.1", at.Path("x1.ndjson"));
  CHECK(at.TakeAll().ok());
  CHECK(CountRows(*at.backend) == 1);
}

TEST_CASE("a file with another name that can't be set aside stays where it is, and delays no other") {
  SpoolFixture at;
  at.Put("x.log", "text");
  at.clock.Advance(absl::Minutes(5));
  // Something else has the place of the folder for failed files.
  WriteFile(at.folder / "spool/.failed/test_logs", "");
  at.Put("a.ndjson", Lines(1));
  CHECK_FALSE(at.TakeAll().ok());
  CHECK(ReadFile(at.Path("x.log")) == "text");
  CHECK(CountRows(*at.backend) == 1);
  CHECK_FALSE(at.spool->state().stopped.ok());
  fs::remove(at.folder / "spool/.failed/test_logs");
  CHECK(at.TakeAll().ok());
  CHECK_FALSE(fs::exists(at.Path("x.log")));
}

TEST_CASE("folders within a log's, and files of other folders, are reported once and counted as long as they exist") {
  SpoolFixture at;
  fs::create_directories(at.Path("sub"));
  WriteFile(at.Path("sub/x.ndjson"), Lines(1));
  fs::create_directories(at.folder / "spool/other");
  WriteFile(at.folder / "spool/other/notes.txt", "text");
  WriteFile(at.folder / "spool/README", "text");
  fs::create_symlink(at.folder / "outside", at.Path("link.log"));
  at.clock.Advance(absl::Minutes(5));
  CHECK(at.TakeAll().ok());
  CHECK(at.spool->state().ignored_files == 4);
  CHECK(at.spool->state().files_failed == 0);
  CHECK(at.spool->state().waiting_files == 0);
  for (const char* label : {"test_logs/sub/ and what is in it", "other/notes.txt", "README", "test_logs/link.log"}) {
    CHECK(at.lines.find(base::StrCat("spool: ", label, " is not loaded: a file of rows lies in a log's folder")) !=
          std::string::npos);
  }
  const std::string told = at.lines;
  CHECK(at.TakeAll().ok());
  CHECK(at.lines == told);
  CHECK(CountSpool(at.folder / "spool").ignored_files == 4);
  fs::remove(at.folder / "spool/README");
  CHECK(at.TakeAll().ok());
  CHECK(at.spool->state().ignored_files == 3);
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
}  // namespace logquery::store
