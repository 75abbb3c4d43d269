// Accepts connections and holds those that wait for a request, with one thread for all of them, by epoll.
//
//     ConnectionPoller poller(listening_fd, {.max_waiting = 1'024}, [&](std::unique_ptr<Connection> connection) { … });
//     poller.Run();                                  // until Stop
//     poller.Return(std::move(connection));          // from any thread, to wait for the next request
//
// A connection is handed over when the head of a request is complete, so idle, silent or slow clients occupy no thread, and
// neither do those that still send a body that was refused.
// Run belongs to one thread; all other methods are thread-safe.
#ifndef LOGQUERY_SHIM_HTTP_TRANSPORT_CONNECTION_POLLER_H_
#define LOGQUERY_SHIM_HTTP_TRANSPORT_CONNECTION_POLLER_H_

#include <cstdint>
#include <functional>
#include <list>
#include <memory>
#include <unordered_map>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/synchronization/mutex.h"
#include "absl/time/time.h"
#include "lib/base/wake_flag.h"
#include "shim/http/transport/connection.h"
#include "shim/http/transport/open_connections.h"

namespace logquery::shim {

struct ConnectionPollerOptions {
  // Beyond, one is closed: the one that waits longest among the idle, the half-open or the lingering, whichever are most.
  int max_waiting = 1'024;
  ConnectionLimits limits;
};

class ConnectionPoller {
 public:
  // Called on the polling thread; must not block. The head is complete, or its time limit has passed, which CheckHead
  // reports.
  using Handler = std::function<void(std::unique_ptr<Connection>)>;

  // Borrows the listening socket and makes it non-blocking. `open` tracks each connection until the handler gets it.
  ConnectionPoller(int listening_fd, const ConnectionPollerOptions& options, OpenConnections* open, Handler handler);
  ~ConnectionPoller();
  ConnectionPoller(const ConnectionPoller&) = delete;
  ConnectionPoller& operator=(const ConnectionPoller&) = delete;

  // Returns after Stop, when every request that has begun to arrive is complete or was given up, and nobody lingers.
  void Run();
  // Stops accepting connections, and closes idle ones.
  void Stop() { stopping_.Raise(); }
  // May be called before Run. After Run has returned, the connection is closed.
  void Return(std::unique_ptr<Connection> connection);
  // The connection has its response and is to be closed; what its client still sends is discarded, see
  // Connection::BeginLinger. After Run has returned, this takes up to a second on the calling thread.
  void Linger(std::unique_ptr<Connection> connection);
  // Becomes readable when Stop is called.
  int stopping_fd() const { return stopping_.fd(); }

 private:
  struct Waiting {
    std::unique_ptr<Connection> connection;
    absl::Duration until;  // as Clock::Monotonic
  };
  // Ordered by deadline, because all entries of a line have equal time limits.
  using Line = std::list<Waiting>;
  struct Place {
    Line* line;
    Line::iterator at;
  };

  void Watch(int fd);
  void Accept();
  void TakeReturned();
  void TakeLingering();
  // Decides what happens to a waiting connection by the data received.
  void Look(int fd);
  void Sort(std::unique_ptr<Connection> connection, Connection::Head head);
  void Wait(std::unique_ptr<Connection> connection, Line& line, absl::Duration until);
  // Adds `fd` to epoll.
  std::unique_ptr<Connection> Take(int fd);
  void Close(std::unique_ptr<Connection> connection);
  // Closes the connection that waits longest in the longest line: whoever opens many connections closes their own.
  void CloseOldest();
  void LookAtLingering(int fd);
  absl::Duration LingerUntil() const;
  void OnTime();
  void BeginStop();
  int TimeToWait() const;

  const int listening_fd_;
  const ConnectionPollerOptions options_;
  OpenConnections* const open_;
  const Handler handler_;
  const int epoll_fd_;
  base::WakeFlag stopping_;
  base::WakeFlag returned_flag_;
  // Used only by the polling thread.
  Line idle_;  // nothing of a request has arrived
  Line part_;  // a part of a head has arrived
  Line lingering_;
  std::unordered_map<int, Place> places_;
  bool stops_ = false;
  bool out_of_descriptors_ = false;
  absl::Mutex mutex_;
  std::vector<std::unique_ptr<Connection>> returned_ ABSL_GUARDED_BY(mutex_);
  std::vector<std::unique_ptr<Connection>> to_linger_ ABSL_GUARDED_BY(mutex_);
  bool ended_ ABSL_GUARDED_BY(mutex_) = false;
};

}  // namespace logquery::shim

#endif  // LOGQUERY_SHIM_HTTP_TRANSPORT_CONNECTION_POLLER_H_
