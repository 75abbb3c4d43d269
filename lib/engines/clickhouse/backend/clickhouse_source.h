// ClickHouse servers as a source of fragments.
#ifndef LOGQUERY_LIB_ENGINES_CLICKHOUSE_BACKEND_CLICKHOUSE_SOURCE_H_
#define LOGQUERY_LIB_ENGINES_CLICKHOUSE_BACKEND_CLICKHOUSE_SOURCE_H_

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "lib/backend/fragment_source.h"
#include "lib/engines/clickhouse/backend/grants.h"
#include "lib/engines/clickhouse/backend/layout.h"
#include "lib/engines/clickhouse/backend/server.h"
#include "logquery/catalog.h"
#include "logquery/clickhouse/clickhouse_backend.h"

namespace logquery::clickhouse {

class ClickHouseSource : public FragmentSource {
 public:
  // `options` must be valid; `declared` must have each of their tables.
  ClickHouseSource(ClickHouseOptions options, Catalog declared)
      : options_(std::move(options)), declared_(std::move(declared)), server_(options_) {}

  std::string engine() const override { return "ClickHouse"; }
  const emit::SqlDialect& dialect() const override;
  // FailedPrecondition: tables or columns do not match their declaration; the message lists all of them.
  absl::StatusOr<Catalog> ReadCatalog() override;
  absl::Status Run(const QueryFragment& fragment, const Bindings& bindings, const CancellationToken& cancellation,
                   BatchSink& sink) override;
  absl::Status RunForCall(const QueryFragment& fragment, const Bindings& bindings, const FragmentCall& call,
                          const CancellationToken& cancellation, BatchSink& sink) override;
  absl::Status Probe(const CancellationToken& cancellation) override;

  // Returns the remarks of CheckClickHouse.
  absl::StatusOr<std::vector<std::string>> CheckUser();

 private:
  using Rows = std::vector<std::vector<Value>>;

  // Runs an internal query, whose errors are for operators.
  absl::StatusOr<Rows> Ask(const std::string& text, const Bindings& bindings, const Schema& schema);
  absl::Status Connect();
  absl::StatusOr<Grants> ReadGrants();
  absl::StatusOr<ServerColumns> ReadColumns(const ClickHouseTable& mapping);
  absl::Status CheckReads(const Table& table, const ClickHouseTable& mapping, std::vector<std::string>& problems);

  const ClickHouseOptions options_;
  const Catalog declared_;
  Server server_;
};

}  // namespace logquery::clickhouse

#endif  // LOGQUERY_LIB_ENGINES_CLICKHOUSE_BACKEND_CLICKHOUSE_SOURCE_H_
