// Treats several servers as one: sends a statement to the first reachable one, and stops it there when its call is
// cancelled.
#ifndef LOGQUERY_LIB_ENGINES_CLICKHOUSE_BACKEND_SERVER_H_
#define LOGQUERY_LIB_ENGINES_CLICKHOUSE_BACKEND_SERVER_H_

#include <memory>
#include <optional>
#include <string>

#include "absl/base/thread_annotations.h"
#include "absl/status/status.h"
#include "absl/synchronization/mutex.h"
#include "lib/backend/http/client.h"
#include "lib/backend/http/hosts.h"
#include "logquery/batch.h"
#include "logquery/cancellation.h"
#include "logquery/clickhouse/clickhouse_backend.h"
#include "logquery/prepared_query.h"
#include "logquery/type.h"

namespace logquery::clickhouse {

// Thread-safe.
class Server {
 public:
  explicit Server(const ClickHouseOptions& options);

  struct Statement {
    std::string text;
    Bindings bindings = {};
    Schema schema = {};  // the wanted columns; they are the first ones of the response
    CallTags tags = {};  // labels become the setting log_comment, the trace a header
  };
  struct Result {
    absl::Status status;      // may be shown to callers
    std::optional<int> code;  // code of the error that the server reported
    std::string words;        // for operators: the error of each host that was tried
    bool is_tls = false;      // all errors were untrusted certificates
  };
  // Runs the statement and passes its rows to `sink`. Tries the next host if a host can't be reached, is lost or
  // overloaded, as long as no row has been passed on.
  Result Run(const Statement& statement, const CancellationToken& cancellation, BatchSink& sink);

  // Returns OK if a host answers /ping; each host gets an equal share of one second. Otherwise returns Unavailable, or
  // FailedPrecondition if no certificate is trusted, with each host's error, for operators.
  absl::Status Ping(const CancellationToken& cancellation);

  // Sets the settings that are sent with every later statement.
  void SetSettings(std::string settings);

 private:
  Result RunOn(size_t host, const Statement& statement, const std::string& query, const CancellationToken& cancellation,
               BatchSink& sink, bool* try_next);
  http::Request RequestFor(size_t host, const std::string& query, std::string body) const;
  bool IsThere(size_t host, const CancellationToken& cancellation);
  // Waits only briefly, because the host may not respond.
  void Kill(size_t host, const std::string& query_id);
  std::string settings() const;

  const ClickHouseOptions options_;
  http::Hosts hosts_;
  http::Client client_;
  // A client with separate connections, so that a statement can be stopped even if all others are in use.
  const std::shared_ptr<http::Client> stopper_;
  http::Client pinger_;
  mutable absl::Mutex mutex_;
  std::string settings_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace logquery::clickhouse

#endif  // LOGQUERY_LIB_ENGINES_CLICKHOUSE_BACKEND_SERVER_H_
