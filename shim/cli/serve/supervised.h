// The communication between a supervisor and its server: sockets and settings are passed down in one environment
// variable; one-byte messages are sent up through a socket pair.
#ifndef LOGQUERY_SHIM_CLI_SERVE_SUPERVISED_H_
#define LOGQUERY_SHIM_CLI_SERVE_SUPERVISED_H_

#include <sys/types.h>

#include <memory>
#include <string>

#include "absl/status/statusor.h"
#include "absl/time/time.h"

namespace logquery::shim {

// The values that the server receives. Absent descriptors are -1.
struct Supervision {
  pid_t supervisor = 0;
  int channel = -1;
  int listen = -1;
  int admin = -1;
  int local = -1;            // the socket in the data folder, after the first start
  int board = -1;            // the crash board
  int starts = 1;            // including this one
  absl::Duration heartbeat;  // how often the supervisor expects a sign of life; zero: never

  static constexpr char kVariable[] = "LOGQUERY_SUPERVISED";
  std::string ToText() const;
  // InvalidArgument: the text was not created by ToText.
  static absl::StatusOr<Supervision> FromText(const std::string& text);
};

// The server's messages.
enum class ChildMessage : char { kReady = 'R', kAlive = 'A', kLocalSocket = 'L' };

// The server's end of the connection. Thread-safe.
class SupervisorLink {
 public:
  // Returns nullptr if no supervisor started this process. Removes the variable from the environment, and makes the
  // kernel end this process when its supervisor ends. InvalidArgument: the variable is invalid. Aborted: the supervisor
  // has already ended.
  static absl::StatusOr<std::unique_ptr<SupervisorLink>> FromEnvironment();
  explicit SupervisorLink(const Supervision& given) : given_(given) {}
  ~SupervisorLink();
  SupervisorLink(const SupervisorLink&) = delete;
  SupervisorLink& operator=(const SupervisorLink&) = delete;

  const Supervision& given() const { return given_; }
  // When the supervisor ends, so does this process; therefore messages need no reply.
  void SayReady() const;
  void SayAlive() const;
  // Passes a copy of the socket in the data folder to the supervisor, for later servers.
  void HandUp(int local_socket) const;

 private:
  const Supervision given_;
};

// The supervisor's end: receives the next message without blocking; false: there is none. Sets `socket` for
// kLocalSocket.
bool ReceiveMessage(int channel, ChildMessage& message, int& socket);

}  // namespace logquery::shim

#endif  // LOGQUERY_SHIM_CLI_SERVE_SUPERVISED_H_
