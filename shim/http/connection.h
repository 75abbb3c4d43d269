// One accepted connection: reads and writes with deadlines for whole messages, so that no client, however slow or silent,
// keeps a thread for longer.
//
// Used by one thread at a time; another may shut the socket down.
#ifndef LOGQUERY_SHIM_HTTP_CONNECTION_H_
#define LOGQUERY_SHIM_HTTP_CONNECTION_H_

#include <sys/types.h>

#include <string>
#include <string_view>

#include "absl/time/time.h"
#include "shim/http/http_head.h"

namespace logquery::shim {

struct ConnectionLimits {
  absl::Duration idle = absl::Seconds(5);         // between requests, and before the first one
  absl::Duration receive = absl::Seconds(20);     // a whole head, and then a whole body
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

  // What has come of the next request.
  enum class Head {
    kNothing,
    kPart,
    kWhole,  // the blank line is there, or more than a head may have: ReadHead does not wait
    kGone    // the client has left, and nothing can be answered
  };
  // Takes what the socket has without waiting.
  Head ReceiveHead();
  // Waits for the first byte for at most `at_most`, and no longer than until one of two other descriptors is readable.
  Head AwaitHead(int stopping_fd, int crowded_fd, absl::Duration at_most);
  // Receives the rest of the request's head, to be had again by Read. Status 0: it is complete and well-formed. Status -1:
  // the client left in the midst of it. A head that is still not whole has the time that began with its first byte.
  HttpProblem ReadHead();
  // The head that ReceiveHead found, with whatever was received behind it.
  std::string_view unread() const { return std::string_view(received_).substr(taken_); }

  // As read(2) and write(2), within the limits; -1 when the client left or a limit has passed. Write takes all or nothing.
  ssize_t Read(char* to, size_t size);
  ssize_t Write(std::string_view text);
  // Starts the time for sending a response.
  void BeginResponse();

  // The client has closed its side, or says that it sends nothing more, which looks the same; asked while a request is being
  // worked on. Requests that came before and are not read yet do not hide it.
  bool ClientLeft() const;
  // A Read that failed did so because the request took too long.
  bool receive_timed_out() const { return receive_timed_out_; }
  int fd() const { return fd_; }
  // How many requests the connection has had, with this one.
  int CountRequest() { return ++requests_; }

  // Ends sending, and takes what the client still sends for a moment: closing at once would reset the connection, and the
  // client might lose the answer.
  void Linger();

 private:
  bool AwaitByte(int stopping_fd, int crowded_fd, absl::Duration at_most) const;
  bool HasWholeHead();
  ssize_t Receive();

  const int fd_;
  const ConnectionLimits limits_;
  std::string received_;          // what Read gives
  size_t taken_ = 0;              // of it
  size_t searched_ = 0;           // of it there is no blank line in what comes before this
  absl::Duration receive_until_;  // as Clock::Monotonic
  absl::Duration send_until_;
  bool receive_timed_out_ = false;
  int requests_ = 0;
};

}  // namespace logquery::shim

#endif  // LOGQUERY_SHIM_HTTP_CONNECTION_H_
