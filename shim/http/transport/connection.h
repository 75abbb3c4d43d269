// One accepted connection: reads and writes with deadlines, so that a slow or silent client can't occupy a thread for long. A
// head and a response have a time limit as a whole; a body needs a least speed.
//
// Used by one thread at a time; another thread may shut the socket down.
#ifndef LOGQUERY_SHIM_HTTP_TRANSPORT_CONNECTION_H_
#define LOGQUERY_SHIM_HTTP_TRANSPORT_CONNECTION_H_

#include <sys/types.h>

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>

#include "absl/time/time.h"
#include "logquery/clock.h"
#include "shim/http/transport/http_head.h"

namespace logquery::shim {

struct ConnectionLimits {
  absl::Duration idle = absl::Seconds(5);      // between requests, and before the first one
  absl::Duration receive = absl::Seconds(20);  // a whole head
  absl::Duration body = absl::Seconds(20);     // each `body_bytes` of a body, or its rest; never longer than `receive`
  size_t body_bytes = 320 << 10;               // 16 KiB a second
  absl::Duration send = absl::Seconds(60);     // a whole response
  absl::Duration send_stall = absl::Seconds(10);  // without any progress
  const Clock* clock = Clock::Real();             // borrowed

  // Has the body arrive at `least_speed` bytes a second, over 20 seconds or a shorter time.
  void SetLeastSpeed(size_t least_speed);
};

class Connection {
 public:
  // Owns `fd`.
  Connection(int fd, const ConnectionLimits& limits);
  ~Connection();
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;

  // How much of the next request has arrived.
  enum class Head {
    kNothing,
    kPart,
    kWhole,  // the whole head, or more than a head may have
    kGone    // the client has left; no response is possible
  };
  // Reads what the socket has, without blocking.
  Head ReceiveHead();
  // Waits for the first byte, at most `at_most`, or until one of two other descriptors is readable.
  Head AwaitHead(int stopping_fd, int crowded_fd, absl::Duration at_most);
  // Checks the head that ReceiveHead has received, and Read then returns. Status 0: it is complete and well-formed. 408: it is not
  // complete, and its time limit has passed, which starts with its first byte.
  HttpProblem CheckHead();
  // The head that ReceiveHead found, and any bytes received after it.
  std::string_view unread() const { return std::string_view(received_).substr(taken_); }

  // Starts the time limit of the body's first bytes; each further limit starts when the bytes before it have arrived.
  void BeginBody();
  // Returns whether the body has taken longer than the time for its first bytes.
  bool IsSlowBody() const;

  // Like read(2) and write(2), within the limits; -1 if the client left or a limit has passed. Write writes everything
  // or fails.
  ssize_t Read(char* to, size_t size);
  // Write sends both texts in one packet if they fit into one.
  ssize_t Write(std::string_view text, std::string_view more = {});
  // Starts the time limit for sending a response.
  void BeginResponse();

  // Returns whether the client has closed its side, or will send nothing more, which can't be distinguished. Can be
  // called while a request is processed; unread pipelined requests do not hide it.
  bool ClientLeft() const;
  // Whether the last Read failed because the request took too long.
  bool receive_timed_out() const { return receive_timed_out_; }
  int fd() const { return fd_; }
  // The client's IP address.
  const std::string& PeerAddress();
  // The number of requests on the connection, including the current one.
  int CountRequest() { return ++requests_; }

  // Lingering (RFC 9112, section 9.6): to close a connection on which the client still sends would reset it, and the
  // client could lose the response. So the server stops sending, discards what arrives, and closes when the client has.
  //
  // Stops sending. Only Discard may follow.
  void BeginLinger();
  // Discards a part of what has arrived, without blocking. Returns false when the connection should be closed: the
  // client has closed it, or has sent for too long or too much.
  bool Discard();
  // Does the same for at most a second, blocking.
  void Linger();

 private:
  absl::Duration Now() const { return limits_.clock->Monotonic(); }
  absl::Duration BodyTime() const { return std::min(limits_.body, limits_.receive); }
  bool Wait(short events, absl::Duration until) const;
  bool AwaitByte(int stopping_fd, int crowded_fd, absl::Duration at_most) const;
  bool HasWholeHead();
  ssize_t Receive();

  const int fd_;
  const ConnectionLimits limits_;
  std::string received_;          // the bytes that Read returns
  size_t taken_ = 0;              // how many of them were returned
  size_t searched_ = 0;           // there is no blank line before this offset
  absl::Duration receive_until_;  // as Clock::Monotonic
  absl::Duration send_until_;
  bool in_body_ = false;
  absl::Duration body_began_;
  size_t body_bytes_ = 0;  // within the current time limit
  absl::Duration linger_until_;
  size_t discarded_ = 0;
  bool receive_timed_out_ = false;
  int requests_ = 0;
  std::string peer_address_;  // empty: not asked for yet
};

}  // namespace logquery::shim

#endif  // LOGQUERY_SHIM_HTTP_TRANSPORT_CONNECTION_H_
