// Writes a response to its connection: the head as bytes that are put together once, and the body from where it is, without a copy.
//
// Thread-safe, except that one thread at a time writes to a connection.
#ifndef LOGQUERY_SHIM_HTTP_TRANSPORT_RESPONSE_WRITER_H_
#define LOGQUERY_SHIM_HTTP_TRANSPORT_RESPONSE_WRITER_H_

#include <string>

#include "absl/time/time.h"
#include "shim/http/transport/connection.h"
#include "shim/http/transport/http_message.h"

namespace logquery::shim {

// The state of a connection after a response.
struct AfterResponse {
  bool closes = true;
  absl::Duration idle;   // otherwise: for how long it may wait for the next request
  int max_requests = 0;  // and how many there may be on it
};

// Returns the head, from the status line to the blank line.
std::string HeadOf(const HttpResponse& response, const AfterResponse& after);

// Sends the response within the connection's limits, which hold for each piece of a body without a length; to a request with the
// method HEAD only its head. Returns false if the client left, a limit has passed, or the body's file can't be read: then the
// connection must be closed.
bool WriteResponse(const HttpResponse& response, const AfterResponse& after, bool head_only, Connection& connection);

}  // namespace logquery::shim

#endif  // LOGQUERY_SHIM_HTTP_TRANSPORT_RESPONSE_WRITER_H_
