// The servers as one: a statement is given to the first that can be reached, and is stopped there when its call is.
#ifndef LOGQUERY_LIB_BACKEND_CLICKHOUSE_SERVER_H_
#define LOGQUERY_LIB_BACKEND_CLICKHOUSE_SERVER_H_

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
    Schema schema = {};  // of the rows that are wanted; the server's first columns are these
    CallTags tags = {};  // labels as the setting log_comment, the trace as a header
  };
  struct Result {
    absl::Status status;      // what a caller may be told
    std::optional<int> code;  // of the error that the server has told
    std::string words;        // for operators: what was wrong with each host that was tried
    bool is_tls = false;      // all that was wrong is that no host's certificate is trusted
  };
  // Runs the statement and hands its rows to `sink`. It is tried on another host as long as no row has been handed over and the host
  // could not be reached, was lost, or takes no more.
  Result Run(const Statement& statement, const CancellationToken& cancellation, BatchSink& sink);

  // Whether one of the hosts answers /ping, each within its share of a second. Unavailable, or FailedPrecondition where no
  // certificate is trusted: what was wrong with each, for operators.
  absl::Status Ping(const CancellationToken& cancellation);

  // Sent with all statements from then on.
  void SetSettings(std::string settings);

 private:
  Result RunOn(size_t host, const Statement& statement, const std::string& query, const CancellationToken& cancellation,
               BatchSink& sink, bool* try_next);
  http::Request RequestFor(size_t host, const std::string& query, std::string body) const;
  bool IsThere(size_t host, const CancellationToken& cancellation);
  // Waits only for a moment: the host may not answer.
  void Kill(size_t host, const std::string& query_id);
  std::string settings() const;

  const ClickHouseOptions options_;
  http::Hosts hosts_;
  http::Client client_;
  // Of their own, so that a statement is stopped also when all connections are in use.
  const std::shared_ptr<http::Client> stopper_;
  http::Client pinger_;
  mutable absl::Mutex mutex_;
  std::string settings_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace logquery::clickhouse

#endif  // LOGQUERY_LIB_BACKEND_CLICKHOUSE_SERVER_H_
