// What a supervisor and the server that it starts say to each other: sockets and settings on the way down, in one
// environment variable, and on the way up messages of one byte over a socket pair.
#ifndef LOGQUERY_SHIM_SERVE_SUPERVISED_H_
#define LOGQUERY_SHIM_SERVE_SUPERVISED_H_

#include <sys/types.h>

#include <memory>
#include <string>

#include "absl/status/statusor.h"
#include "absl/time/time.h"

namespace logquery::shim {

// What the server is given. Descriptors are -1 where there is none.
struct Supervision {
  pid_t supervisor = 0;
  int channel = -1;
  int listen = -1;
  int admin = -1;
  int local = -1;            // the socket in the data folder, from the second start on
  int board = -1;            // the crash board
  int starts = 1;            // with this one
  absl::Duration heartbeat;  // how often the supervisor wants to hear that the server answers; zero: never

  static constexpr char kVariable[] = "LOGQUERY_SUPERVISED";
  std::string ToText() const;
  // InvalidArgument: the text is not from ToText.
  static absl::StatusOr<Supervision> FromText(const std::string& text);
};

// What the server says.
enum class ChildMessage : char { kReady = 'R', kAlive = 'A', kLocalSocket = 'L' };

// The server's end. Thread-safe.
class SupervisorLink {
 public:
  // nullptr: no supervisor has started this process. Takes the variable out of the environment, and has the kernel end
  // this process with its supervisor. InvalidArgument: the variable; Aborted: the supervisor is gone already.
  static absl::StatusOr<std::unique_ptr<SupervisorLink>> FromEnvironment();
  explicit SupervisorLink(const Supervision& given) : given_(given) {}
  ~SupervisorLink();
  SupervisorLink(const SupervisorLink&) = delete;
  SupervisorLink& operator=(const SupervisorLink&) = delete;

  const Supervision& given() const { return given_; }
  // A supervisor that is gone takes this process with it, so no message needs an answer.
  void SayReady() const;
  void SayAlive() const;
  // Hands a copy of the socket in the data folder up, for the servers to come.
  void HandUp(int local_socket) const;

 private:
  const Supervision given_;
};

// The supervisor's end: the next message, without waiting. False: there is none now. `socket` is set with kLocalSocket.
bool ReceiveMessage(int channel, ChildMessage& message, int& socket);

}  // namespace logquery::shim

#endif  // LOGQUERY_SHIM_SERVE_SUPERVISED_H_
