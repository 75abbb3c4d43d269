// MCP's transport over streams: each line is a message. Reads requests, has several answered at a time, and writes each answer
// when it is there.
#ifndef LOGQUERY_SHIM_CLI_QUERY_MCP_STREAM_H_
#define LOGQUERY_SHIM_CLI_QUERY_MCP_STREAM_H_

#include <cstddef>
#include <functional>
#include <istream>
#include <map>
#include <ostream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/synchronization/mutex.h"
#include "logquery/cancellation.h"

namespace logquery::shim {

class McpStream {
 public:
  using Done = std::function<void(std::string answer)>;
  // Answers a message, which is borrowed for the call: calls `done` once, on any thread, with one line or with nothing.
  using Handle = std::function<void(std::string_view message, const CancellationToken& cancellation, Done done)>;

  static constexpr size_t kMaxLineBytes = size_t{1} << 20;
  // Requests at a time: beyond it no further line is read.
  static constexpr int kMaxRunning = 64;

  // `out` is borrowed.
  McpStream(Handle handle, std::ostream& out) : handle_(std::move(handle)), out_(out) {}
  // After the last request has let go of the mutex.
  ~McpStream() { absl::MutexLock lock(&mutex_); }
  McpStream(const McpStream&) = delete;
  McpStream& operator=(const McpStream&) = delete;

  // Reads lines until the end of `in`, and returns when every request has been answered. A longer line than kMaxLineBytes is
  // skipped and answered with an error; text without a line break at the end is a message. notifications/cancelled ends a
  // request, which gets no answer. Returns false if `out` took no more: all that ran was cancelled then.
  bool Serve(std::istream& in);

 private:
  struct Request {
    CancellationSource cancellation;
    bool is_cancelled = false;
  };

  void Take(std::string_view line);
  void Finish(const std::string& id, const std::string& answer);
  void Cancel(const std::string& id);
  // Returns the cancellations of all requests but this one that were not cancelled yet.
  std::vector<CancellationSource> TakeToCancel(const std::string& except) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  void Write(const std::string& line) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);

  const Handle handle_;
  absl::Mutex mutex_;
  std::ostream& out_ ABSL_GUARDED_BY(mutex_);
  bool is_broken_ ABSL_GUARDED_BY(mutex_) = false;
  std::map<std::string, Request> running_ ABSL_GUARDED_BY(mutex_);  // by the JSON of their ids
};

}  // namespace logquery::shim

#endif  // LOGQUERY_SHIM_CLI_QUERY_MCP_STREAM_H_
