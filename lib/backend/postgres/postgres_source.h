// A PostgreSQL server as the source of fragments.
#ifndef LOGQUERY_LIB_BACKEND_POSTGRES_POSTGRES_SOURCE_H_
#define LOGQUERY_LIB_BACKEND_POSTGRES_POSTGRES_SOURCE_H_

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/synchronization/mutex.h"
#include "lib/backend/fragment_source.h"
#include "lib/backend/postgres/connection_pool.h"
#include "lib/backend/postgres/layout.h"
#include "logquery/catalog.h"
#include "logquery/postgres/postgres_backend.h"

namespace logquery::postgres {

class PostgresSource : public FragmentSource {
 public:
  // `options` have been checked; `declared` has each of their tables.
  PostgresSource(PostgresOptions options, Catalog declared)
      : options_(std::move(options)), declared_(std::move(declared)), pool_(options_) {}

  std::string engine() const override { return "PostgreSQL"; }
  const emit::SqlDialect& dialect() const override;
  // FailedPrecondition: what does not fit, all of it.
  absl::StatusOr<Catalog> ReadCatalog() override;
  absl::Status Run(const QueryFragment& fragment, const Bindings& bindings, const CancellationToken& cancellation,
                   BatchSink& sink) override;
  absl::Status Probe(const CancellationToken& cancellation) override;

  // What CheckPostgres tells.
  absl::StatusOr<std::vector<std::string>> CheckRole();

 private:
  absl::StatusOr<ServerTable> ReadTable(Connection& connection, const PostgresTable& mapping, const StopEvent& stop);

  const PostgresOptions options_;
  const Catalog declared_;
  ConnectionPool pool_;
  // Beside the pool, so that queries that hold all of its connections do not keep the server from being asked whether it is there.
  absl::Mutex probe_mutex_;
  std::unique_ptr<Connection> probe_ ABSL_GUARDED_BY(probe_mutex_);
};

}  // namespace logquery::postgres

#endif  // LOGQUERY_LIB_BACKEND_POSTGRES_POSTGRES_SOURCE_H_
