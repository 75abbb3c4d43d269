// Recognizes probe requests by their heads alone.
#include "shim/http/transport/probe_request.h"

#include <linux/sockios.h>
#include <sys/ioctl.h>

#include <algorithm>
#include <array>

#include "lib/base/strings.h"

namespace logquery::shim {
namespace {

constexpr std::array<std::string_view, 4> kProbes = {"GET /health ", "GET /ready ", "HEAD /health ", "HEAD /ready "};
// A request with one of these may have a body.
constexpr std::array<std::string_view, 3> kOfBodies = {"Content-Length", "Transfer-Encoding", "Expect"};

}  // namespace

bool IsProbeAlone(std::string_view received) {
  const size_t end = received.find("\r\n\r\n");
  if (end == received.npos || end + 4 != received.size()) return false;
  const auto begins = [received](std::string_view probe) { return received.substr(0, probe.size()) == probe; };
  if (std::none_of(kProbes.begin(), kProbes.end(), begins)) return false;
  for (std::string_view rest = received; !rest.empty();) {
    rest.remove_prefix(rest.find("\r\n") + 2);
    for (const std::string_view name : kOfBodies) {
      if (base::EqualsIgnoreCase(rest.substr(0, name.size()), name)) return false;
    }
  }
  return true;
}

bool HasNothingUnsent(int fd) {
  int unsent = 0;
  return ioctl(fd, SIOCOUTQ, &unsent) == 0 && unsent == 0;
}

}  // namespace logquery::shim
