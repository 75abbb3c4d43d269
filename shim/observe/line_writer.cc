// Nothing interrupts a write to a stopped terminal, so the thread that waits in it shares its state and can be left
// behind. Non-blocking descriptors are no way out: the flag belongs to the open file, which other processes share.
#include "shim/observe/line_writer.h"

#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <deque>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/synchronization/mutex.h"
#include "absl/synchronization/notification.h"

namespace logquery::shim {
namespace {

constexpr absl::Duration kLastTry = absl::Seconds(2);
// The pause after each write, so that a busy server's lines are written together and not a thread is woken for each.
constexpr absl::Duration kPause = absl::Milliseconds(5);
constexpr size_t kAtOnce = 64 << 10;

int64_t CountLines(std::string_view text) { return std::count(text.begin(), text.end(), '\n'); }

}  // namespace

struct LineWriter::State {
  State(Sink to, Notice of, size_t lines, size_t bytes)
      : sink(std::move(to)), notice(std::move(of)), max_lines(lines), max_bytes(bytes) {}

  const Sink sink;
  const Notice notice;
  const size_t max_lines;
  const size_t max_bytes;

  struct Entry {
    std::string lines;
    int64_t missing = 0;  // above 0: the notice of that many lines
  };
  mutable absl::Mutex mutex;
  std::deque<Entry> waiting ABSL_GUARDED_BY(mutex);
  size_t waiting_bytes ABSL_GUARDED_BY(mutex) = 0;
  int64_t dropped ABSL_GUARDED_BY(mutex) = 0;
  int64_t unreported ABSL_GUARDED_BY(mutex) = 0;  // of these, the ones that no notice covers yet
  bool runs ABSL_GUARDED_BY(mutex) = false;       // the thread
  bool finishing ABSL_GUARDED_BY(mutex) = false;
  absl::Notification ended;  // of `finishing`, for a thread that must not be woken by each line

  void Drop(int64_t lines) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex) {
    dropped += lines;
    unreported += lines;
  }

  void QueueNotice() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex) {
    if (unreported > 0) waiting.push_back({.lines = "", .missing = std::exchange(unreported, 0)});
  }

  // Takes what waits, up to a notice. Returns false at the end. Lines are joined without the lock, for which callers wait.
  bool Take(Entry& entry) {
    std::vector<Entry> more;
    if (!TakeAll(entry, more)) return false;
    for (const Entry& next : more) entry.lines += next.lines;
    return true;
  }

  bool TakeAll(Entry& entry, std::vector<Entry>& more) {
    absl::MutexLock lock(&mutex);
    const auto some = [this]() ABSL_SHARED_LOCKS_REQUIRED(mutex) { return finishing || !waiting.empty(); };
    mutex.Await(absl::Condition(&some));
    if (waiting.empty()) {
      runs = false;
      return false;
    }
    entry = TakeFirst();
    size_t bytes = entry.lines.size();
    while (entry.missing == 0 && !waiting.empty() && waiting.front().missing == 0 && bytes < kAtOnce) {
      more.push_back(TakeFirst());
      bytes += more.back().lines.size();
    }
    return true;
  }

  Entry TakeFirst() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex) {
    Entry first = std::move(waiting.front());
    waiting.pop_front();
    waiting_bytes -= first.lines.size();
    return first;
  }

  void Write(const Entry& entry) {
    const bool written = sink(entry.missing > 0 ? notice(entry.missing) : entry.lines);
    absl::MutexLock lock(&mutex);
    if (written) {
      if (waiting.empty()) QueueNotice();
    } else if (entry.missing > 0) {
      unreported += entry.missing;
    } else {
      Drop(CountLines(entry.lines));
    }
  }

  void Run() {
    for (Entry entry; Take(entry); ended.WaitForNotificationWithTimeout(kPause)) Write(entry);
  }
};

LineWriter::LineWriter(Sink sink, Notice notice, size_t max_lines, size_t max_bytes)
    : state_(std::make_shared<State>(std::move(sink), std::move(notice), max_lines, max_bytes)) {}

LineWriter::~LineWriter() { Finish(kLastTry); }

void LineWriter::Add(std::string lines) {
  State& state = *state_;
  absl::MutexLock lock(&state.mutex);
  // Once lines were dropped, so are later ones until the queue is empty: one gap, with one notice in its place.
  const bool is_full = state.waiting.size() >= state.max_lines || state.waiting_bytes + lines.size() > state.max_bytes;
  const bool in_gap = state.unreported > 0 && !state.waiting.empty();
  if (is_full || in_gap || state.finishing) return state.Drop(CountLines(lines));
  if (!state.runs) {
    try {
      std::thread([shared = state_] { shared->Run(); }).detach();
    } catch (const std::system_error&) {
      return state.Drop(CountLines(lines));  // the next line tries again
    }
    state.runs = true;
  }
  state.QueueNotice();
  state.waiting_bytes += lines.size();
  state.waiting.push_back({.lines = std::move(lines)});
}

bool LineWriter::Finish(absl::Duration at_most) {
  absl::MutexLock lock(&state_->mutex);
  if (!state_->finishing) state_->ended.Notify();
  state_->finishing = true;
  const State* const state = state_.get();
  const auto ended = [state]() ABSL_SHARED_LOCKS_REQUIRED(state->mutex) { return !state->runs; };
  return state_->mutex.AwaitWithTimeout(absl::Condition(&ended), at_most);
}

int64_t LineWriter::dropped() const {
  absl::MutexLock lock(&state_->mutex);
  return state_->dropped;
}

LineBuffer::int_type LineBuffer::overflow(int_type c) {
  if (traits_type::eq_int_type(c, traits_type::eof())) return traits_type::not_eof(c);
  const char byte = traits_type::to_char_type(c);
  xsputn(&byte, 1);
  return c;
}

std::streamsize LineBuffer::xsputn(const char* text, std::streamsize size) {
  line_.append(text, static_cast<size_t>(size));
  if (const size_t end = line_.rfind('\n'); end != std::string::npos) {
    writer_->Add(line_.substr(0, end + 1));
    line_.erase(0, end + 1);
  }
  return size;
}

bool WriteWhole(int fd, std::string_view text) {
  while (!text.empty()) {
    const ssize_t count = write(fd, text.data(), text.size());
    if (count >= 0) {
      text.remove_prefix(static_cast<size_t>(count));
      continue;
    }
    if (errno == EAGAIN || errno == EWOULDBLOCK) {  // another process has made the open file non-blocking
      pollfd entry{fd, POLLOUT, 0};
      poll(&entry, 1, -1);
    } else if (errno != EINTR) {
      return false;
    }
  }
  return true;
}

}  // namespace logquery::shim
