// A PostgreSQL server as a source of fragments.
#ifndef LOGQUERY_LIB_ENGINES_POSTGRES_BACKEND_POSTGRES_SOURCE_H_
#define LOGQUERY_LIB_ENGINES_POSTGRES_BACKEND_POSTGRES_SOURCE_H_

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/synchronization/mutex.h"
#include "lib/backend/fragment_source.h"
#include "lib/engines/postgres/backend/connection_pool.h"
#include "lib/engines/postgres/backend/layout.h"
#include "logquery/catalog.h"
#include "logquery/postgres/postgres_backend.h"

namespace logquery::postgres {

class PostgresSource : public FragmentSource {
 public:
  // `options` must be valid; `declared` must have each of their tables.
  PostgresSource(PostgresOptions options, Catalog declared)
      : options_(std::move(options)), declared_(std::move(declared)), pool_(options_) {}

  std::string engine() const override { return "PostgreSQL"; }
  const emit::SqlDialect& dialect() const override;
  // FailedPrecondition: tables or columns do not match their declaration; the message lists all of them.
  absl::StatusOr<Catalog> ReadCatalog() override;
  absl::Status Run(const QueryFragment& fragment, const Bindings& bindings, const CancellationToken& cancellation,
                   BatchSink& sink) override;
  absl::Status Probe(const CancellationToken& cancellation) override;

  // Returns the remarks of CheckPostgres.
  absl::StatusOr<std::vector<std::string>> CheckRole();

 private:
  absl::StatusOr<ServerTable> ReadTable(Connection& connection, const PostgresTable& mapping, const StopEvent& stop);

  const PostgresOptions options_;
  const Catalog declared_;
  ConnectionPool pool_;
  // Separate from the pool, so that the server can be probed while queries hold all of its connections.
  absl::Mutex probe_mutex_;
  std::unique_ptr<Connection> probe_ ABSL_GUARDED_BY(probe_mutex_);
};

}  // namespace logquery::postgres

#endif  // LOGQUERY_LIB_ENGINES_POSTGRES_BACKEND_POSTGRES_SOURCE_H_
