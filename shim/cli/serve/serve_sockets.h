// The addresses and sockets that a server listens on.
#ifndef LOGQUERY_SHIM_CLI_SERVE_SERVE_SOCKETS_H_
#define LOGQUERY_SHIM_CLI_SERVE_SERVE_SOCKETS_H_

#include <optional>

#include "absl/status/statusor.h"
#include "lib/base/listen_socket.h"
#include "shim/cli/options/commands.h"
#include "shim/cli/options/settings_check.h"
#include "shim/cli/serve/service_manager.h"

namespace logquery::shim {

struct ServeAddresses {
  base::ListenAddress listen;
  std::optional<base::ListenAddress> admin;
};

// InvalidArgument: an address is not one, or can be reached from other machines without --insecure-http.
absl::StatusOr<ServeAddresses> ServeAddressesOf(const ServeArguments& arguments);

// Returns the sockets of the addresses, where the service manager has not opened them already.
absl::StatusOr<ListeningSockets> OpenServeSockets(const ServeAddresses& addresses, bool insecure_http);

// Prints a line for each address, for programs that started the server with port 0.
void PrintAddresses(const ListeningSockets& sockets, const Terminal& terminal);

}  // namespace logquery::shim

#endif  // LOGQUERY_SHIM_CLI_SERVE_SERVE_SOCKETS_H_
