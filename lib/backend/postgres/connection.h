// One session of PostgreSQL: opened within a time, asked one statement at a time, and left at once when its call is cancelled.
#ifndef LOGQUERY_LIB_BACKEND_POSTGRES_CONNECTION_H_
#define LOGQUERY_LIB_BACKEND_POSTGRES_CONNECTION_H_

#include <memory>
#include <string>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "lib/backend/postgres/parameters.h"
#include "lib/backend/postgres/stop_event.h"
#include "lib/base/strings.h"
#include "logquery/postgres/postgres_backend.h"

// Of libpq-fe.h.
struct pg_conn;
struct pg_result;

namespace logquery::postgres {

// Not thread-safe.
class Connection {
 public:
  using TakeRow = absl::FunctionRef<absl::Status(const pg_result* row)>;

  // FailedPrecondition: the server refuses the user, or is not one that we read from; Unavailable: it can't be reached. The
  // message is for operators: it has libpq's words, in which there is no password.
  static absl::StatusOr<std::unique_ptr<Connection>> Open(const PostgresOptions& options, const StopEvent& stop);
  ~Connection();
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;

  // Runs one statement and hands over its rows one by one, in binary form. It is prepared once. Where a row is refused or the
  // call is cancelled the server is told to stop, and the connection is of no further use.
  absl::Status Run(const std::string& sql, const Parameters& parameters, const StopEvent& stop, TakeRow take);

  // Whether a next statement may be sent. False as soon as the server has closed it.
  bool IsUsable();
  // Whether Run has failed since the server had forgotten a statement, or its table has changed: it may be tried again.
  bool was_stale() const { return was_stale_; }

 private:
  struct Finish {
    void operator()(pg_conn* connection) const;
  };

  Connection(pg_conn* connection, absl::Duration patience) : connection_(connection), patience_(patience) {}
  absl::Status Establish(absl::Duration timeout, const StopEvent& stop);
  absl::Status SetUp(const PostgresOptions& options, const StopEvent& stop);
  absl::StatusOr<std::string> Prepare(const std::string& sql, const Parameters& parameters, const StopEvent& stop);
  absl::Status Collect(const StopEvent& stop, TakeRow take);
  absl::Status AwaitResult(const StopEvent& stop);
  absl::Status ErrorOf(const pg_result& result);
  // Has the server stop, and leaves it.
  void Abandon();

  std::unique_ptr<pg_conn, Finish> connection_;
  const absl::Duration patience_;  // without a word from the server
  base::StringMap<std::string> statements_;
  int next_statement_ = 1;
  bool was_stale_ = false;
};

}  // namespace logquery::postgres

#endif  // LOGQUERY_LIB_BACKEND_POSTGRES_CONNECTION_H_
