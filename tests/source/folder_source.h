// A data folder's tables as a program's rows: to ask the same queries of the folder and of a source.
#ifndef LOGQUERY_TESTS_SOURCE_FOLDER_SOURCE_H_
#define LOGQUERY_TESTS_SOURCE_FOLDER_SOURCE_H_

#include <memory>
#include <string>

#include "logquery/store/duckdb_backend.h"
#include "logquery/table_source.h"

namespace logquery::testing {

class FolderSource : public TableSource {
 public:
  // `uses_hints`: conditions on columns and the newest rows are left to the folder; otherwise every scan gives every row.
  FolderSource(std::unique_ptr<DuckDbBackend> folder, bool uses_hints)
      : folder_(std::move(folder)), uses_hints_(uses_hints) {}

  absl::StatusOr<Catalog> ReadCatalog() override;
  uint64_t CatalogVersion() const override { return folder_->CatalogVersion(); }
  absl::Status Scan(const ScanRequest& request, const CancellationToken& cancellation, BatchSink& sink) override;

 private:
  const std::unique_ptr<DuckDbBackend> folder_;
  const bool uses_hints_;
};

}  // namespace logquery::testing

#endif  // LOGQUERY_TESTS_SOURCE_FOLDER_SOURCE_H_
