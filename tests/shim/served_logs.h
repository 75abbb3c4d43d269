// A folder of logs behind a server: real sockets, the real service, the real engine.
#ifndef LOGQUERY_TESTS_SHIM_SERVED_LOGS_H_
#define LOGQUERY_TESTS_SHIM_SERVED_LOGS_H_

#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <thread>

#include "logquery/authenticator.h"
#include "logquery/clock.h"
#include "logquery/duckdb/parquet_writer.h"
#include "logquery/query_service.h"
#include "logquery/serving/query_queue.h"
#include "logquery/store/duckdb_backend.h"
#include "shim/http/calls/routes.h"
#include "shim/http/transport/transport.h"
#include "tests/shim/server_fixture.h"

namespace logquery::shim {

// Tells of executions; otherwise it is the backend that it stands before.
class WatchedBackend : public QueryBackend {
 public:
  explicit WatchedBackend(QueryBackend* inner) : inner_(inner) {}
  Capabilities capabilities() const override { return inner_->capabilities(); }
  absl::StatusOr<Catalog> ReadCatalog() override { return inner_->ReadCatalog(); }
  absl::Status Execute(const PreparedQuery& query, const Bindings& bindings, const ExecutionLimits& limits,
                       const CancellationToken& cancellation, BatchSink& sink) override {
    if (before) before(cancellation);
    const absl::Status status = inner_->Execute(query, bindings, limits, cancellation, sink);
    if (after) after(status);
    return status;
  }
  // Called from the threads of queries; set before the server is asked.
  std::function<void(const CancellationToken&)> before;
  std::function<void(const absl::Status&)> after;

 private:
  QueryBackend* const inner_;
};

// "good" may do everything; "slow" too, with one call at a time.
class TwoTokens : public Authenticator {
 public:
  absl::StatusOr<Principal> Authenticate(std::string_view token) override;
};

struct ServedLogsOptions {
  int rows = 1'000;  // of edge_logs, of the project "abc", one a second
  int query_threads = 2;
  int max_queued = 8;
  TransportOptions http = {};
  int row_bytes = 0;                                      // of a row's message, at least
  std::optional<int64_t> max_body_memory = std::nullopt;  // longer answers go to files in temporary()
};

class ServedLogs {
 public:
  explicit ServedLogs(ServedLogsOptions options = {});
  ~ServedLogs();

  int port() const { return server_->port(); }
  WatchedBackend& watched() { return *watched_; }
  LogStore& store() { return backend_->store(); }
  std::filesystem::path temporary() const { return folder_ / "data" / "tmp"; }
  LogLines log_lines;
  // Puts `rows` more into edge_logs; `name` tells them from others.
  absl::Status Load(const std::string& name, int rows);
  // Puts these rows, as lines of JSON, into edge_logs.
  absl::Status LoadText(const std::string& name, const std::string& lines);

 private:
  const int row_bytes_;
  std::filesystem::path folder_;
  const FixedClock clock_{absl::FromUnixSeconds(1'772'600'700)};  // minutes after the rows' time
  TwoTokens tokens_;
  RequestLog log_;
  const std::unique_ptr<ParquetWriter> parquet_ = MakeDuckDbParquetWriter({});
  std::unique_ptr<DuckDbBackend> backend_;
  std::unique_ptr<WatchedBackend> watched_;
  std::unique_ptr<QueryService> service_;
  std::unique_ptr<QueryQueue> queue_;
  std::unique_ptr<Routes> routes_;
  std::unique_ptr<Transport> server_;
  std::thread serving_;
};

}  // namespace logquery::shim

#endif  // LOGQUERY_TESTS_SHIM_SERVED_LOGS_H_
