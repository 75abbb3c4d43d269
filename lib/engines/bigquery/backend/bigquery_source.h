// BigQuery as a source of fragments.
#ifndef LOGQUERY_LIB_ENGINES_BIGQUERY_BACKEND_BIGQUERY_SOURCE_H_
#define LOGQUERY_LIB_ENGINES_BIGQUERY_BACKEND_BIGQUERY_SOURCE_H_

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "lib/backend/fragment_source.h"
#include "lib/engines/bigquery/backend/layout.h"
#include "lib/engines/bigquery/backend/service.h"
#include "logquery/bigquery/bigquery_backend.h"
#include "logquery/catalog.h"

namespace logquery::bigquery {

class BigQuerySource : public FragmentSource {
 public:
  // `options` must be valid; `declared` must have each of their tables.
  BigQuerySource(BigQueryOptions options, std::optional<ServiceAccount> account, Catalog declared);

  std::string engine() const override { return "BigQuery"; }
  const emit::SqlDialect& dialect() const override;
  // FailedPrecondition: tables or columns do not match their declaration; the message lists all of them.
  absl::StatusOr<Catalog> ReadCatalog() override;
  absl::Status Run(const QueryFragment& fragment, const Bindings& bindings, const CancellationToken& cancellation,
                   BatchSink& sink) override;
  absl::Status RunForCall(const QueryFragment& fragment, const Bindings& bindings, const FragmentCall& call,
                          const CancellationToken& cancellation, BatchSink& sink) override;
  absl::Status Probe(const CancellationToken& cancellation) override;

  // Returns the remarks of CheckBigQuery.
  absl::StatusOr<std::vector<std::string>> CheckTables();

 private:
  absl::StatusOr<std::vector<MappedTable>> ReadTables();
  absl::Status ReadTable(const BigQueryTable& mapping, std::vector<MappedTable>& tables,
                         std::vector<std::string>& problems);
  // Checks that a query on the table may be started.
  absl::Status CheckReads(const MappedTable& table, std::vector<std::string>& problems);

  const BigQueryOptions options_;
  const Catalog declared_;
  Service service_;
  const std::shared_ptr<Service> stopper_;
};

// Validates the options and creates the source. InvalidArgument: see OpenBigQuery.
absl::StatusOr<std::shared_ptr<BigQuerySource>> MakeBigQuerySource(const BigQueryOptions& options);

}  // namespace logquery::bigquery

#endif  // LOGQUERY_LIB_ENGINES_BIGQUERY_BACKEND_BIGQUERY_SOURCE_H_
