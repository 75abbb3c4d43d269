// Accepts connections and holds those that wait for a request: one thread for all of them, by epoll.
//
//     ConnectionPoller poller(listening_fd, {.max_waiting = 1'024}, [&](std::unique_ptr<Connection> connection) { … });
//     poller.Run();                                  // until Stop
//     poller.Return(std::move(connection));          // from any thread: it waits for its next request
//
// A connection is handed over once the head of a request is whole, so a client that is idle, silent or slow holds no thread.
// Run belongs to one thread; everything else is thread-safe.
#ifndef LOGQUERY_SHIM_HTTP_CONNECTION_POLLER_H_
#define LOGQUERY_SHIM_HTTP_CONNECTION_POLLER_H_

#include <cstdint>
#include <functional>
#include <list>
#include <memory>
#include <unordered_map>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/synchronization/mutex.h"
#include "absl/time/time.h"
#include "shim/http/connection.h"
#include "shim/http/listener.h"

namespace logquery::shim {

struct ConnectionPollerOptions {
  int max_waiting = 1'024;  // beyond, the connection that has been idle for the longest time is closed
  ConnectionLimits limits;
};

class ConnectionPoller {
 public:
  // Called from the thread that runs; must not wait. The head is whole, or its time is over and ReadHead says so.
  using Handler = std::function<void(std::unique_ptr<Connection>)>;

  // Borrows the listening socket and makes it non-blocking. `open` knows each connection until the handler has it.
  ConnectionPoller(int listening_fd, const ConnectionPollerOptions& options, OpenConnections* open, Handler handler);
  ~ConnectionPoller();
  ConnectionPoller(const ConnectionPoller&) = delete;
  ConnectionPoller& operator=(const ConnectionPoller&) = delete;

  // Returns after Stop, when each request whose first byte had come is whole or was given up.
  void Run();
  // Takes no further connection and closes those that are idle.
  void Stop() { stopping_.Raise(); }
  // Before Run too; after its return the connection is closed.
  void Return(std::unique_ptr<Connection> connection);
  // Readable once Stop was called.
  int stopping_fd() const { return stopping_.fd(); }

 private:
  struct Waiting {
    std::unique_ptr<Connection> connection;
    absl::Duration until;  // as Clock::Monotonic
  };
  // In the order of their times: all of a line have as long.
  using Line = std::list<Waiting>;
  struct Place {
    Line* line;
    Line::iterator at;
  };

  void Watch(int fd);
  void Accept();
  void TakeReturned();
  // What a connection that waits has received decides where it goes.
  void Look(int fd);
  void Sort(std::unique_ptr<Connection> connection, Connection::Head head);
  void Wait(std::unique_ptr<Connection> connection, Line& line, absl::Duration until);
  // `fd` waits.
  std::unique_ptr<Connection> Take(int fd);
  void Close(std::unique_ptr<Connection> connection);
  void CloseOldest();
  void OnTime();
  void BeginStop();
  int TimeToWait() const;

  const int listening_fd_;
  const ConnectionPollerOptions options_;
  OpenConnections* const open_;
  const Handler handler_;
  const int epoll_fd_;
  WakeFlag stopping_;
  WakeFlag returned_flag_;
  // Of the thread that runs.
  Line idle_;  // nothing of a request has come
  Line part_;  // a part of a head has
  std::unordered_map<int, Place> places_;
  bool stops_ = false;
  bool out_of_descriptors_ = false;
  absl::Mutex mutex_;
  std::vector<std::unique_ptr<Connection>> returned_ ABSL_GUARDED_BY(mutex_);
  bool ended_ ABSL_GUARDED_BY(mutex_) = false;
};

}  // namespace logquery::shim

#endif  // LOGQUERY_SHIM_HTTP_CONNECTION_POLLER_H_
