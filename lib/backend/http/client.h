// The HTTP client for all of logquery's outgoing requests. It streams a response through a callback with bounded
// memory, can be cancelled, and reuses connections.
//
//     http::Client client(options);
//     http::Request request;
//     request.url = "https://ch1.internal:8443/?database=logs";
//     request.body = "SELECT 1";
//     http::Outcome outcome = client.Send(request, cancellation, [&](const http::Head& head, std::string_view piece) { … });
#ifndef LOGQUERY_LIB_BACKEND_HTTP_CLIENT_H_
#define LOGQUERY_LIB_BACKEND_HTTP_CLIENT_H_

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/status/status.h"
#include "absl/synchronization/mutex.h"
#include "absl/time/time.h"
#include "lib/base/strings.h"
#include "logquery/cancellation.h"

namespace logquery::http {

struct ClientOptions {
  std::string ca_file;           // trusted certificate authorities; empty: the system's
  std::string certificate_file;  // client certificate; empty: none
  std::string key_file;
  std::string proxy;  // "http://proxy:3128"; empty: none; the environment is ignored
  bool compression = true;
  int max_connections = 16;                            // concurrent requests
  absl::Duration connect_timeout = absl::Seconds(10);  // also limits how long a request waits for a connection
};

struct Request {
  std::string method = "POST";
  std::string url;
  std::vector<std::pair<std::string, std::string>> headers;  // without a Content-Type the body is plain text
  std::string body;
  absl::Duration patience = absl::Minutes(5);            // the longest wait for the next byte from the server
  absl::Duration time_limit = absl::InfiniteDuration();  // of the whole request; beyond it: Unavailable
  bool fresh_connection = false;                         // do not reuse a connection
};

struct Head {
  int status = 0;
  base::StringMap<std::string> headers;  // names in lower case
};

struct Outcome {
  // OK: the complete response has arrived, whatever its HTTP status.
  //   Unavailable         the server can't be reached, does not respond, or closed the connection
  //   FailedPrecondition  TLS: the server's certificate is not trusted, or a file in the options can't be used
  //   Aborted             all connections are in use
  //   Cancelled, or the callback's status
  // Messages are for operators: they have the library's text, which contains no headers.
  absl::Status status;
  Head head;
  bool was_sent = false;    // the request may have reached the server
  bool was_silent = false;  // no byte arrived within Request::patience
};

// Receives the body in pieces. An error ends the request.
using TakePiece = std::function<absl::Status(const Head& head, std::string_view piece)>;

// Thread-safe.
class Client {
 public:
  explicit Client(ClientOptions options);
  ~Client();
  Client(const Client&) = delete;
  Client& operator=(const Client&) = delete;

  // Blocks until the whole response has been passed on. Redirects are not followed: a 3xx status is a response.
  Outcome Send(const Request& request, const CancellationToken& cancellation, const TakePiece& take);

 private:
  class Channel;

  absl::Status AwaitTurn(const CancellationToken& cancellation);
  bool HasRoom() const ABSL_SHARED_LOCKS_REQUIRED(mutex_) { return in_use_ < options_.max_connections; }

  const ClientOptions options_;
  absl::Mutex mutex_;
  std::vector<std::unique_ptr<Channel>> idle_ ABSL_GUARDED_BY(mutex_);
  int in_use_ ABSL_GUARDED_BY(mutex_) = 0;
};

// Escapes `text` for the query part of a URL.
std::string UrlEncoded(std::string_view text);

}  // namespace logquery::http

#endif  // LOGQUERY_LIB_BACKEND_HTTP_CLIENT_H_
