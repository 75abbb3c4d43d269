// The HTTP client for everything that logquery asks of others. It streams an answer through a callback with bounded memory, ends
// when its call is cancelled, and keeps connections from one request to the next.
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
  std::string ca_file;           // of the authorities that are trusted; empty: the system's
  std::string certificate_file;  // of the client; empty: none
  std::string key_file;
  std::string proxy;  // "http://proxy:3128"; empty: none, whatever the environment says
  bool compression = true;
  int max_connections = 16;                            // requests at one time
  absl::Duration connect_timeout = absl::Seconds(10);  // also how long a request waits for its turn
};

struct Request {
  std::string method = "POST";
  std::string url;
  std::vector<std::pair<std::string, std::string>> headers;  // without a Content-Type the body is plain text
  std::string body;
  absl::Duration patience = absl::Minutes(5);  // without a byte from the server
  bool fresh_connection = false;               // not one that is left from a request before
};

struct Head {
  int status = 0;
  base::StringMap<std::string> headers;  // names in lower case
};

struct Outcome {
  // OK: the whole answer has come, whatever its status.
  //   Unavailable         it can't be reached, is silent, or has ended the connection
  //   FailedPrecondition  TLS: the server's certificate is not trusted, or a file of the options can't be used
  //   Aborted             the request had no turn: all connections are in use
  //   Cancelled, or what the callback returned
  // Messages are for operators: they hold the library's words, in which there is no header.
  absl::Status status;
  Head head;
  bool was_sent = false;    // the request may have reached the server
  bool was_silent = false;  // no byte has come for Request::patience
};

// Gets the body's pieces as they come. An error ends the request.
using TakePiece = std::function<absl::Status(const Head& head, std::string_view piece)>;

// Thread-safe.
class Client {
 public:
  explicit Client(ClientOptions options);
  ~Client();
  Client(const Client&) = delete;
  Client& operator=(const Client&) = delete;

  // Blocks until the answer has been handed over. Redirects are not followed: a status of 3xx is an answer.
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

// `text` as it stands in a URL's query.
std::string UrlEncoded(std::string_view text);

}  // namespace logquery::http

#endif  // LOGQUERY_LIB_BACKEND_HTTP_CLIENT_H_
