// Writes lines to a sink that may block for any time: a pipe that nobody reads, a stopped terminal, a full disk.
//
//     LineWriter log([](std::string_view line) { return WriteTo(STDERR_FILENO, line); }, dropped_notice);
//     log.Add("one line\n");                   // never waits
//     if (!log.Finish(absl::Seconds(2))) …     // the sink still blocks
//
// One thread writes, what came in 5 ms at a time; callers put lines into a bounded queue. While the queue is full, new lines are
// dropped and counted, and when the sink takes lines again, a notice stands where they are missing. Lines are whole and in order.
#ifndef LOGQUERY_SHIM_OBSERVE_LINE_WRITER_H_
#define LOGQUERY_SHIM_OBSERVE_LINE_WRITER_H_

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <streambuf>
#include <string>
#include <string_view>

#include "absl/time/time.h"

namespace logquery::shim {

// Thread-safe.
class LineWriter {
 public:
  // Writes one or more whole lines, for as long as that takes. Returns false if they are lost. Must own what it uses: it may
  // still run when the LineWriter is gone.
  using Sink = std::function<bool(std::string_view lines)>;
  // Returns the line that says that `lines` were dropped.
  using Notice = std::function<std::string(int64_t lines)>;

  static constexpr size_t kMaxLines = 16'384;
  static constexpr size_t kMaxBytes = size_t{8} << 20;

  // The thread starts with the first line.
  LineWriter(Sink sink, Notice notice, size_t max_lines = kMaxLines, size_t max_bytes = kMaxBytes);
  // Calls Finish, for two seconds at most. A thread that still waits for the sink is left behind.
  ~LineWriter();
  LineWriter(const LineWriter&) = delete;
  LineWriter& operator=(const LineWriter&) = delete;

  // Queues one or more whole lines. Drops them if the queue is full, no thread can be started, or after Finish.
  void Add(std::string lines);
  // Waits until all lines are written, for at most `at_most`. Returns false if the sink has not taken them by then;
  // the process should then end by _exit, because whatever flushes the same sink would wait as well. Idempotent.
  bool Finish(absl::Duration at_most);
  // The number of lines dropped so far, including those that the sink lost.
  int64_t dropped() const;

 private:
  struct State;
  const std::shared_ptr<State> state_;  // shared with the thread, which may outlive this
};

// The buffer of a stream whose complete lines go to a LineWriter, which is borrowed. For one thread at a time.
//
//     LineBuffer buffer(&log);
//     std::ostream err(&buffer);
class LineBuffer : public std::streambuf {
 public:
  explicit LineBuffer(LineWriter* writer) : writer_(writer) {}

 private:
  int_type overflow(int_type c) override;
  std::streamsize xsputn(const char* text, std::streamsize size) override;

  LineWriter* const writer_;
  std::string line_;  // what follows the last line feed
};

// Writes all of the text to a descriptor, and waits where it would block. Returns false if it can't be written.
bool WriteWhole(int fd, std::string_view text);

}  // namespace logquery::shim

#endif  // LOGQUERY_SHIM_OBSERVE_LINE_WRITER_H_
