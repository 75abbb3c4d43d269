// One PostgreSQL session: opened with a timeout, runs one statement at a time, and is abandoned at once when its call
// is cancelled.
#ifndef LOGQUERY_LIB_ENGINES_POSTGRES_BACKEND_CONNECTION_H_
#define LOGQUERY_LIB_ENGINES_POSTGRES_BACKEND_CONNECTION_H_

#include <memory>
#include <string>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "lib/base/strings.h"
#include "lib/engines/postgres/backend/parameters.h"
#include "lib/engines/postgres/backend/stop_event.h"
#include "logquery/postgres/postgres_backend.h"

// Declared in libpq-fe.h.
struct pg_conn;
struct pg_result;

namespace logquery::postgres {

// Not thread-safe.
class Connection {
 public:
  using TakeRow = absl::FunctionRef<absl::Status(const pg_result* row)>;

  // FailedPrecondition: the server rejects the user, or is not supported. Unavailable: it can't be reached. Messages
  // are for operators: they have libpq's text, which contains no password.
  static absl::StatusOr<std::unique_ptr<Connection>> Open(const PostgresOptions& options, const StopEvent& stop);
  ~Connection();
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;

  // Runs one statement and passes on its rows one by one, in binary format. The statement is prepared once. If a row is
  // rejected or the call is cancelled, the server is told to stop, and the connection can't be used again.
  absl::Status Run(const std::string& sql, const Parameters& parameters, const StopEvent& stop, TakeRow take);

  // Returns whether another statement may be sent; false once the server has closed the connection.
  bool IsUsable();
  // Returns whether Run failed because the server had forgotten a prepared statement, or its table has changed, so that
  // it may be retried.
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
  // Makes the server stop, and abandons the connection.
  void Abandon();

  std::unique_ptr<pg_conn, Finish> connection_;
  const absl::Duration patience_;  // the longest wait for a message from the server
  base::StringMap<std::string> statements_;
  int next_statement_ = 1;
  bool was_stale_ = false;
};

}  // namespace logquery::postgres

#endif  // LOGQUERY_LIB_ENGINES_POSTGRES_BACKEND_CONNECTION_H_
