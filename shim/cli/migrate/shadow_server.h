// One of the two servers that `logquery shadow` asks: Logflare, or logquery.
#ifndef LOGQUERY_SHIM_CLI_MIGRATE_SHADOW_SERVER_H_
#define LOGQUERY_SHIM_CLI_MIGRATE_SHADOW_SERVER_H_

#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "lib/backend/http/client.h"
#include "shim/cli/migrate/shadow_call.h"

namespace logquery::shim {

struct ShadowAnswer {
  absl::Status failure;  // why there is no answer; OK: there is one
  int status = 0;        // of HTTP
  std::string body;
  absl::Duration time;
};

struct ShadowServerOptions {
  std::string url;      // "https://logflare.example", or with the path of calls: ".../api/endpoints/query"
  std::string token;    // empty: none is sent
  std::string ca_file;  // trusted certificate authorities; empty: the system's
  absl::Duration time_limit = absl::Seconds(60);
};

// Thread-safe.
class ShadowServer {
 public:
  explicit ShadowServer(const ShadowServerOptions& options);

  // Sends the call by GET, or by POST where the URL would be too long for some servers.
  ShadowAnswer Ask(const ShadowCall& call);

 private:
  const std::string calls_url_;  // "https://logflare.example/api/endpoints/query/"
  const std::string token_;
  const absl::Duration time_limit_;
  http::Client client_;
};

}  // namespace logquery::shim

#endif  // LOGQUERY_SHIM_CLI_MIGRATE_SHADOW_SERVER_H_
