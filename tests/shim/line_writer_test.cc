#include "shim/observe/line_writer.h"

#include <fcntl.h>
#include <unistd.h>

#include <catch2/catch_test_macros.hpp>
#include <ostream>
#include <string>
#include <thread>

#include "absl/synchronization/mutex.h"
#include "absl/synchronization/notification.h"
#include "lib/base/strings.h"

namespace logquery::shim {
namespace {

std::string Missing(int64_t lines) { return base::StrCat("-- ", lines, " missing\n"); }

// A sink that takes nothing until it is opened.
class Gate {
 public:
  LineWriter::Sink sink() {
    return [this](std::string_view line) {
      absl::MutexLock lock(&mutex_);
      entered_ = true;
      const auto open = [this]() ABSL_SHARED_LOCKS_REQUIRED(mutex_) { return open_; };
      mutex_.Await(absl::Condition(&open));
      text_ += line;
      return true;
    };
  }
  // Waits until the sink is held up.
  void AwaitEntry() {
    absl::MutexLock lock(&mutex_);
    mutex_.Await(absl::Condition(&entered_));
  }
  void Open() {
    absl::MutexLock lock(&mutex_);
    open_ = true;
  }
  std::string text() {
    absl::MutexLock lock(&mutex_);
    return text_;
  }

 private:
  absl::Mutex mutex_;
  bool entered_ = false;
  bool open_ = false;
  std::string text_;
};

TEST_CASE("lines are written in their order, and all of them before the end") {
  Gate gate;
  gate.Open();
  std::string expected;
  {
    LineWriter writer(gate.sink(), Missing);
    for (int i = 0; i < 1'000; ++i) {
      const std::string line = base::StrCat("line ", i, "\n");
      writer.Add(line);
      expected += line;
    }
    CHECK(writer.Finish(absl::InfiniteDuration()));
    writer.Add("too late\n");
    CHECK(writer.dropped() == 1);
  }
  CHECK(gate.text() == expected);
}

TEST_CASE("a blocked sink delays no writer, and a notice marks missing lines") {
  Gate gate;
  LineWriter writer(gate.sink(), Missing, /*max_lines=*/3);
  writer.Add("a\n");
  gate.AwaitEntry();  // this one has left the queue
  for (const char* line : {"b\n", "c\n", "d\n", "e\n", "f\n", "g\n"}) writer.Add(line);
  CHECK(writer.dropped() == 3);
  CHECK_FALSE(writer.Finish(absl::ZeroDuration()));
  gate.Open();
  CHECK(writer.Finish(absl::InfiniteDuration()));
  CHECK(gate.text() == "a\nb\nc\nd\n-- 3 missing\n");
}

TEST_CASE("lines that come while the sink is busy are written together, in parts of bounded size") {
  Gate gate;
  int writes = 0;
  LineWriter writer(
      [&, sink = gate.sink()](std::string_view lines) {
        ++writes;
        return sink(lines);
      },
      Missing);
  writer.Add("first\n");
  gate.AwaitEntry();
  const std::string line(999, 'x');
  std::string expected = "first\n";
  for (int i = 0; i < 100; ++i) {
    writer.Add(line + "\n");
    expected += line + "\n";
  }
  gate.Open();
  CHECK(writer.Finish(absl::InfiniteDuration()));
  CHECK(gate.text() == expected);
  CHECK(writes == 3);
}

TEST_CASE("the queue is limited in bytes as well, and lines after a gap follow its notice") {
  Gate gate;
  LineWriter writer(gate.sink(), Missing, /*max_lines=*/100, /*max_bytes=*/10);
  writer.Add("first\n");
  gate.AwaitEntry();
  writer.Add("12345678\n");
  writer.Add("too long\n");
  writer.Add("x\n");  // would fit, but would hide the gap
  CHECK(writer.dropped() == 2);
  gate.Open();
  while (gate.text().find("missing") == std::string::npos) std::this_thread::yield();
  writer.Add("last\n");
  CHECK(writer.Finish(absl::InfiniteDuration()));
  CHECK(gate.text() == "first\n12345678\n-- 2 missing\nlast\n");
}

TEST_CASE("lines that a sink loses are counted, and reported when it works again") {
  absl::Mutex mutex;
  bool works = false;
  std::string text;
  const auto sink = [&](std::string_view line) {
    absl::MutexLock lock(&mutex);
    if (works) text += line;
    return works;
  };
  LineWriter writer(sink, Missing);
  writer.Add("a\nb\n");
  while (writer.dropped() < 2) std::this_thread::yield();
  {
    absl::MutexLock lock(&mutex);
    works = true;
  }
  writer.Add("c\n");
  CHECK(writer.Finish(absl::InfiniteDuration()));
  CHECK(writer.dropped() == 2);
  CHECK(text == "-- 2 missing\nc\n");
}

TEST_CASE("a writer whose sink never returns can be abandoned") {
  auto released = std::make_shared<absl::Notification>();
  auto held = std::make_shared<absl::Notification>();
  {
    LineWriter writer(
        [=](std::string_view) {
          held->Notify();
          released->WaitForNotification();
          return true;
        },
        Missing);
    writer.Add("a\n");
    held->WaitForNotification();
    CHECK_FALSE(writer.Finish(absl::ZeroDuration()));
  }  // waits for two seconds at most
  released->Notify();
}

TEST_CASE("a stream's lines are passed on when they are complete") {
  Gate gate;
  gate.Open();
  LineWriter writer(gate.sink(), Missing);
  LineBuffer buffer(&writer);
  std::ostream stream(&buffer);
  stream << "one " << 1 << std::endl << "two\nthr" << std::flush << "ee";
  stream.put('\n');
  stream << "incomplete";
  CHECK(stream.good());
  CHECK(writer.Finish(absl::InfiniteDuration()));
  CHECK(gate.text() == "one 1\ntwo\nthree\n");
}

TEST_CASE("text is written completely to a full pipe, also in non-blocking mode") {
  for (const int flags : {0, O_NONBLOCK}) {
    int ends[2];
    REQUIRE(pipe2(ends, flags) == 0);
    const std::string text(1 << 20, 'x');
    std::thread writes([&] {
      CHECK(WriteWhole(ends[1], text));
      close(ends[1]);
    });
    fcntl(ends[0], F_SETFL, 0);
    std::string read_back;
    char piece[4096];
    for (ssize_t count; (count = read(ends[0], piece, sizeof(piece))) > 0;)
      read_back.append(piece, static_cast<size_t>(count));
    writes.join();
    close(ends[0]);
    CHECK(read_back == text);
  }
  CHECK_FALSE(WriteWhole(-1, "x"));
}

}  // namespace
}  // namespace logquery::shim
