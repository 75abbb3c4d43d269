// One accepted connection: reads and writes with deadlines for whole messages, so that no client, however slow or silent,
// keeps a thread for longer.
//
// Used by one thread; another may shut the socket down.
#ifndef LOGQUERY_SHIM_CONNECTION_H_
#define LOGQUERY_SHIM_CONNECTION_H_

#include <sys/types.h>

#include <string>
#include <string_view>

#include "absl/time/time.h"
#include "shim/http_head.h"

namespace logquery::shim {

struct ConnectionLimits {
  absl::Duration idle = absl::Seconds(5);         // between requests
  absl::Duration receive = absl::Seconds(20);     // a whole request, body included
  absl::Duration send = absl::Seconds(60);        // a whole response
  absl::Duration send_stall = absl::Seconds(10);  // without taking a single byte
};

class Connection {
 public:
  // Owns `fd`.
  Connection(int fd, const ConnectionLimits& limits);
  ~Connection();
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;

  // Waits for the first byte of a request. False: the client was idle for too long, or, before it sent anything, one of
  // two other descriptors became readable; the second may be -1.
  bool AwaitRequest(int wake_fd, int other_wake_fd);
  // Receives the request's head, to be had again by Read. Status 0: it is complete and well-formed. Status -1: the client
  // left in the midst of it.
  HttpProblem ReadHead();

  // As read(2) and write(2), within the limits; -1 when the client left or a limit has passed. Write takes all or nothing.
  ssize_t Read(char* to, size_t size);
  ssize_t Write(std::string_view text);
  // Starts the time for sending a response.
  void BeginResponse();

  // The client has closed its side; asked while a request is being worked on.
  bool ClientLeft() const;
  // A Read that failed did so because the request took too long.
  bool receive_timed_out() const { return receive_timed_out_; }
  int fd() const { return fd_; }

  // Ends sending, and takes what the client still sends for a moment: closing at once would reset the connection, and the
  // client might lose the answer.
  void Linger();

 private:
  ssize_t Receive();

  const int fd_;
  const ConnectionLimits limits_;
  std::string received_;          // what Read gives
  size_t taken_ = 0;              // of it
  absl::Duration receive_until_;  // as Clock::Monotonic
  absl::Duration send_until_;
  bool receive_timed_out_ = false;
};

}  // namespace logquery::shim

#endif  // LOGQUERY_SHIM_CONNECTION_H_
