// The invented dialect's engine: runs its texts, row by row, over a source of rows.
#ifndef LOGQUERY_TESTS_SPLIT_INVENTED_ENGINE_H_
#define LOGQUERY_TESTS_SPLIT_INVENTED_ENGINE_H_

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/synchronization/mutex.h"
#include "lib/backend/fragment_source.h"
#include "logquery/table_source.h"

namespace logquery::testing {

class InventedEngine : public FragmentSource {
 public:
  explicit InventedEngine(std::shared_ptr<TableSource> rows) : rows_(std::move(rows)) {}

  std::string engine() const override { return "an invented engine"; }
  const emit::SqlDialect& dialect() const override;
  absl::StatusOr<Catalog> ReadCatalog() override { return rows_->ReadCatalog(); }
  uint64_t CatalogVersion() const override { return rows_->CatalogVersion(); }
  absl::Status Run(const QueryFragment& fragment, const Bindings& bindings, const CancellationToken& cancellation,
                   BatchSink& sink) override;
  absl::Status Probe(const CancellationToken&) override { return absl::OkStatus(); }

  // The texts that it has run.
  std::vector<std::string> texts() const;

 private:
  const std::shared_ptr<TableSource> rows_;
  mutable absl::Mutex mutex_;
  std::vector<std::string> texts_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace logquery::testing

#endif  // LOGQUERY_TESTS_SPLIT_INVENTED_ENGINE_H_
