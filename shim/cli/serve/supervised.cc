// The server's side of supervision: takes over sockets, and passes the folder's socket to the supervisor.
#include "shim/cli/serve/supervised.h"

#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <unistd.h>

#include <csignal>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <vector>

#include "absl/strings/numbers.h"
#include "absl/strings/str_split.h"
#include "lib/base/status_macros.h"
#include "lib/base/strings.h"

namespace logquery::shim {
namespace {

// One message, and with it a descriptor unless that is -1.
void Send(int channel, ChildMessage message, int fd) {
  char byte = static_cast<char>(message);
  iovec data{&byte, 1};
  alignas(cmsghdr) char control[CMSG_SPACE(sizeof(int))] = {};
  msghdr header{};
  header.msg_iov = &data;
  header.msg_iovlen = 1;
  if (fd >= 0) {
    header.msg_control = control;
    header.msg_controllen = sizeof(control);
    cmsghdr* rights = CMSG_FIRSTHDR(&header);
    rights->cmsg_level = SOL_SOCKET;
    rights->cmsg_type = SCM_RIGHTS;
    rights->cmsg_len = CMSG_LEN(sizeof(int));
    std::memcpy(CMSG_DATA(rights), &fd, sizeof(int));
  }
  sendmsg(channel, &header, MSG_NOSIGNAL | MSG_DONTWAIT);
}

}  // namespace

std::string Supervision::ToText() const {
  return base::StrCat(supervisor, " ", channel, " ", listen, " ", admin, " ", local, " ", board, " ", starts, " ",
                      absl::ToInt64Milliseconds(heartbeat));
}

absl::StatusOr<Supervision> Supervision::FromText(const std::string& text) {
  Supervision given;
  int64_t heartbeat = 0;
  const std::vector<std::string> parts = absl::StrSplit(text, ' ');
  const bool good = parts.size() == 8 && absl::SimpleAtoi(parts[0], &given.supervisor) &&
                    absl::SimpleAtoi(parts[1], &given.channel) && absl::SimpleAtoi(parts[2], &given.listen) &&
                    absl::SimpleAtoi(parts[3], &given.admin) && absl::SimpleAtoi(parts[4], &given.local) &&
                    absl::SimpleAtoi(parts[5], &given.board) && absl::SimpleAtoi(parts[6], &given.starts) &&
                    absl::SimpleAtoi(parts[7], &heartbeat);
  if (!good) {
    return absl::InvalidArgumentError(base::StrCat("the environment variable ", kVariable, " is ", text,
                                                   "; only a server that supervises another one sets it"));
  }
  given.heartbeat = absl::Milliseconds(heartbeat);
  return given;
}

absl::StatusOr<std::unique_ptr<SupervisorLink>> SupervisorLink::FromEnvironment() {
  const char* text = std::getenv(Supervision::kVariable);
  if (text == nullptr) return nullptr;
  const absl::StatusOr<Supervision> given = Supervision::FromText(text);
  unsetenv(Supervision::kVariable);
  LOGQUERY_RETURN_IF_ERROR(given.status());
  // SIGKILL: nobody is left who could wait for an orderly end, and the next server wants the folder.
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != given->supervisor) return absl::AbortedError("the server's supervisor is gone");
  prctl(PR_SET_NAME, "logquery-server");
  for (const int fd : {given->channel, given->listen, given->admin, given->local, given->board}) {
    if (fd >= 0) fcntl(fd, F_SETFD, FD_CLOEXEC);
  }
  return std::make_unique<SupervisorLink>(*given);
}

SupervisorLink::~SupervisorLink() { close(given_.channel); }

void SupervisorLink::SayReady() const { Send(given_.channel, ChildMessage::kReady, -1); }
void SupervisorLink::SayAlive() const { Send(given_.channel, ChildMessage::kAlive, -1); }
void SupervisorLink::HandUp(int local_socket) const { Send(given_.channel, ChildMessage::kLocalSocket, local_socket); }

bool ReceiveMessage(int channel, ChildMessage& message, int& socket) {
  char byte = 0;
  iovec data{&byte, 1};
  alignas(cmsghdr) char control[CMSG_SPACE(sizeof(int))] = {};
  msghdr header{};
  header.msg_iov = &data;
  header.msg_iovlen = 1;
  header.msg_control = control;
  header.msg_controllen = sizeof(control);
  if (recvmsg(channel, &header, MSG_DONTWAIT | MSG_CMSG_CLOEXEC) != 1) return false;
  message = static_cast<ChildMessage>(byte);
  const cmsghdr* rights = CMSG_FIRSTHDR(&header);
  if (rights != nullptr && rights->cmsg_level == SOL_SOCKET && rights->cmsg_type == SCM_RIGHTS) {
    std::memcpy(&socket, CMSG_DATA(rights), sizeof(int));
  }
  return true;
}

}  // namespace logquery::shim
