// BigQuery as the source of fragments.
#ifndef LOGQUERY_LIB_BACKEND_BIGQUERY_BIGQUERY_SOURCE_H_
#define LOGQUERY_LIB_BACKEND_BIGQUERY_BIGQUERY_SOURCE_H_

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "lib/backend/bigquery/layout.h"
#include "lib/backend/bigquery/service.h"
#include "lib/backend/fragment_source.h"
#include "logquery/bigquery/bigquery_backend.h"
#include "logquery/catalog.h"

namespace logquery::bigquery {

class BigQuerySource : public FragmentSource {
 public:
  // `options` have been checked; `declared` has each of their tables.
  BigQuerySource(BigQueryOptions options, std::optional<ServiceAccount> account, Catalog declared);

  std::string engine() const override { return "BigQuery"; }
  const emit::SqlDialect& dialect() const override;
  // FailedPrecondition: what does not fit, all of it.
  absl::StatusOr<Catalog> ReadCatalog() override;
  absl::Status Run(const QueryFragment& fragment, const Bindings& bindings, const CancellationToken& cancellation,
                   BatchSink& sink) override;
  absl::Status RunTagged(const QueryFragment& fragment, const Bindings& bindings, const CallTags& tags,
                         const CancellationToken& cancellation, BatchSink& sink) override;
  absl::Status Probe(const CancellationToken& cancellation) override;

  // What CheckBigQuery tells.
  absl::StatusOr<std::vector<std::string>> CheckTables();

 private:
  absl::StatusOr<std::vector<MappedTable>> ReadTables();
  absl::Status ReadTable(const BigQueryTable& mapping, std::vector<MappedTable>& tables,
                         std::vector<std::string>& problems);
  // That a query of it may be started.
  absl::Status CheckReads(const MappedTable& table, std::vector<std::string>& problems);

  const BigQueryOptions options_;
  const Catalog declared_;
  Service service_;
  const std::shared_ptr<Service> stopper_;
};

// The options checked, and made into a source. OpenBigQuery's InvalidArgument.
absl::StatusOr<std::shared_ptr<BigQuerySource>> MakeBigQuerySource(const BigQueryOptions& options);

}  // namespace logquery::bigquery

#endif  // LOGQUERY_LIB_BACKEND_BIGQUERY_BIGQUERY_SOURCE_H_
