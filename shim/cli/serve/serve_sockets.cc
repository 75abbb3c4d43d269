// Opens the sockets of --listen and --admin, or takes those of the service manager.
#include "shim/cli/serve/serve_sockets.h"

#include <string>

#include "lib/base/status_macros.h"
#include "lib/base/strings.h"

namespace logquery::shim {
namespace {

std::string UrlOf(int listening_fd) {
  const std::string host = base::HostOf(listening_fd);
  const bool v6 = host.find(':') != std::string::npos;
  return base::StrCat("http://", v6 ? "[" : "", host, v6 ? "]" : "", ":", base::PortOf(listening_fd), "/");
}

}  // namespace

absl::StatusOr<ServeAddresses> ServeAddressesOf(const ServeArguments& arguments) {
  ServeAddresses addresses;
  LOGQUERY_ASSIGN_OR_RETURN(addresses.listen, AddressOf("--listen", arguments.listen, arguments.insecure_http));
  if (arguments.admin.empty()) return addresses;
  LOGQUERY_ASSIGN_OR_RETURN(addresses.admin, AddressOf("--admin", arguments.admin, arguments.insecure_http));
  return addresses;
}

absl::StatusOr<ListeningSockets> OpenServeSockets(const ServeAddresses& addresses, bool insecure_http) {
  LOGQUERY_ASSIGN_OR_RETURN(ListeningSockets sockets, TakeActivatedSockets());
  for (const int fd : {sockets.listen, sockets.admin}) {
    const std::string host = fd >= 0 ? base::HostOf(fd) : std::string();
    if (host.empty() || insecure_http || base::IsLoopback(host)) continue;
    return absl::InvalidArgumentError(
        base::StrCat("a socket of LISTEN_FDS listens on ", host,
                     ", which can be reached from other machines, and HTTP sends tokens unencrypted; put a proxy with "
                     "TLS in front and listen on 127.0.0.1, or say --insecure-http"));
  }
  if (sockets.listen < 0) {
    LOGQUERY_ASSIGN_OR_RETURN(sockets.listen, base::ListenOn(addresses.listen));
  }
  if (sockets.admin < 0 && addresses.admin) {
    LOGQUERY_ASSIGN_OR_RETURN(sockets.admin, base::ListenOn(*addresses.admin));
  }
  return sockets;
}

void PrintAddresses(const ListeningSockets& sockets, const Terminal& terminal) {
  terminal.out << "listening on " << UrlOf(sockets.listen) << std::endl;
  if (sockets.admin >= 0) terminal.out << "admin on " << UrlOf(sockets.admin) << std::endl;
}

}  // namespace logquery::shim
