// Serves the requests of connections: cpp-httplib parses each one, routes.h answers it, and response_writer.h sends the answer.
//
//     RequestServer server({.max_requests = 1'000}, &routes);
//     switch (server.ServeOne(*connection, last)) { … }
//
// Thread-safe, with one thread at a time for each connection.
#ifndef LOGQUERY_SHIM_HTTP_TRANSPORT_REQUEST_SERVER_H_
#define LOGQUERY_SHIM_HTTP_TRANSPORT_REQUEST_SERVER_H_

#include <cstdint>
#include <memory>
#include <string>

#include "absl/time/time.h"
#include "shim/http/calls/routes.h"
#include "shim/http/transport/connection.h"
#include "shim/http/transport/http_head.h"

namespace logquery::shim {

struct RequestServerOptions {
  absl::Duration idle = absl::Seconds(5);  // between the requests of a connection
  int max_requests = 1'000;                // on one connection
  int max_slow_bodies = 1;                 // threads that may wait for them at one time
};

class RequestServer {
 public:
  // The use of a connection after a request.
  enum class Next { kAwait, kClose, kLinger };

  // `routes` is borrowed.
  RequestServer(const RequestServerOptions& options, Routes* routes);
  ~RequestServer();

  // Answers the request whose head the connection has, or whose head did not come in time. `last`: the connection ends after it.
  Next ServeOne(Connection& connection, bool last);
  // Returns the response to a request of which only its client's address is known.
  std::string RefusalOf(const std::string& address, const HttpProblem& problem) const;
  // The number of heads that were parsed.
  int64_t heads() const;

 private:
  class Library;

  Routes* const routes_;
  const std::unique_ptr<Library> library_;
};

}  // namespace logquery::shim

#endif  // LOGQUERY_SHIM_HTTP_TRANSPORT_REQUEST_SERVER_H_
