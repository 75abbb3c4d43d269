// A running server that a command asks over HTTP, by its URL and with a token.
//
//     const auto server = RemoteServer::Create(arguments.server, absl::Seconds(60));
//     const absl::StatusOr<ServerResponse> response = (*server)->Ask(request, cancellation);
#ifndef LOGQUERY_SHIM_CLI_QUERY_REMOTE_SERVER_H_
#define LOGQUERY_SHIM_CLI_QUERY_REMOTE_SERVER_H_

#include <memory>
#include <string>
#include <string_view>

#include "absl/base/thread_annotations.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/synchronization/mutex.h"
#include "absl/time/time.h"
#include "lib/backend/http/client.h"
#include "logquery/cancellation.h"
#include "shim/cli/folder/local_client.h"
#include "shim/cli/options/commands.h"
#include "shim/http/transport/http_message.h"

namespace logquery::shim {

// OK: a URL of http or https without user, query and fragment. `option` names it in the message.
absl::Status CheckServerUrl(std::string_view option, std::string_view url);

// The token in a file or, if `file` is empty, in the environment variable `name`; empty: neither is given. Statuses: those of
// given_secret.h.
absl::StatusOr<std::string> GivenToken(const std::string& file, const std::string& name);

// Thread-safe.
class RemoteServer {
 public:
  // Does not connect. `time_limit` is that of a request. InvalidArgument: the URL is none. Otherwise the statuses of GivenToken.
  static absl::StatusOr<std::unique_ptr<RemoteServer>> Create(const RemoteArguments& arguments,
                                                              absl::Duration time_limit);

  // Sends the request's path, headers and body, with the token; names of the response's headers are in lower case. After a 401, the
  // file of the token is read again, as the token may have been replaced. The statuses are those of http::Outcome, with the
  // server's URL in the message, and ResourceExhausted for a response of more than 256 MiB.
  absl::StatusOr<ServerResponse> Ask(const HttpRequest& request, const CancellationToken& cancellation);

  // "https://logs.example", without a slash at its end.
  const std::string& url() const { return url_; }

 private:
  RemoteServer(const RemoteArguments& arguments, std::string url, std::string token, absl::Duration time_limit);
  absl::StatusOr<ServerResponse> Send(const HttpRequest& request, const std::string& token,
                                      const CancellationToken& cancellation);
  // Returns whether the file has another token by now.
  bool HasNewToken(const std::string& used);

  const std::string url_;
  const std::string token_file_;
  const absl::Duration time_limit_;
  http::Client client_;
  absl::Mutex mutex_;
  std::string token_ ABSL_GUARDED_BY(mutex_);
};

// A response that is an error as people read it: "https://logs.example answered 401 UNAUTHENTICATED: the token is unknown".
// `with_snippet` adds the line of the SQL with a caret, if the error has one.
std::string ErrorOfResponse(const RemoteServer& server, const ServerResponse& response, bool with_snippet);

}  // namespace logquery::shim

#endif  // LOGQUERY_SHIM_CLI_QUERY_REMOTE_SERVER_H_
