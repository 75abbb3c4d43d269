// Each fragment of a query is a table for its run alone: a scan of it runs the fragment.
#include "lib/backend/duckdb/source/fragment_backend.h"

#include <utility>
#include <vector>

#include "lib/backend/duckdb/connection_pool.h"
#include "lib/backend/duckdb/database.h"
#include "lib/backend/duckdb/deadlines.h"
#include "lib/backend/duckdb/execution.h"
#include "lib/backend/duckdb/functions/function.h"
#include "lib/backend/duckdb/source/source_function.h"
#include "lib/backend/duckdb/source/source_tables.h"
#include "lib/base/status_macros.h"
#include "lib/base/strings.h"

namespace logquery::duckdb {
namespace {

// Hands on the wanted columns of a fragment's batches.
class PickingSink : public BatchSink {
 public:
  PickingSink(const std::vector<size_t>* columns, BatchSink* sink) : columns_(columns), sink_(sink) {}

  absl::Status Append(const Batch& batch) override {
    std::vector<ColumnView> views;
    for (const size_t column : *columns_) {
      if (column >= batch.column_count()) {
        return absl::InternalError(
            base::StrCat("a fragment gave ", batch.column_count(), " columns; its ", column + 1, ". was wanted"));
      }
      views.push_back(batch.column(column));
    }
    return sink_->Append(Batch(views.data(), views.size(), batch.rows()));
  }
  void SetMarks(std::vector<TableMark> marks) override { sink_->SetMarks(std::move(marks)); }

 private:
  const std::vector<size_t>* const columns_;
  BatchSink* const sink_;
};

// The rows of one fragment in one run. A scan that does not end in time keeps all of it.
class FragmentRows : public TableSource {
 public:
  FragmentRows(std::shared_ptr<FragmentSource> source, QueryFragment fragment, Bindings bindings)
      : source_(std::move(source)), fragment_(std::move(fragment)), bindings_(std::move(bindings)) {}

  absl::StatusOr<Catalog> ReadCatalog() override { return Catalog(); }

  absl::Status Scan(const ScanRequest& request, const CancellationToken& cancellation, BatchSink& sink) override {
    PickingSink picked(&request.columns, &sink);
    return source_->Run(fragment_, bindings_, cancellation, picked);
  }

 private:
  const std::shared_ptr<FragmentSource> source_;
  const QueryFragment fragment_;
  const Bindings bindings_;
};

std::shared_ptr<const SourceTableList> TablesFor(const std::shared_ptr<FragmentSource>& source,
                                                 const PreparedQuery& query, const Bindings& bindings) {
  auto tables = std::make_shared<SourceTableList>();
  for (const QueryFragment& fragment : query.fragments()) {
    Bindings own;
    for (const size_t slot : fragment.slots) own.push_back(bindings[slot]);
    SourceTable& table = tables->emplace_back();
    table.table.name = fragment.table;
    table.table.columns = fragment.schema;
    table.about = fragment.reason;
    table.source = std::make_shared<FragmentRows>(source, fragment, std::move(own));
  }
  return tables;
}

DatabaseOptions MakeDatabaseOptions(const SourceBackendOptions& options) {
  DatabaseOptions database;
  database.memory_limit_bytes = options.memory_limit_bytes;
  database.threads = options.threads;
  return database;
}

class FragmentBackend : public QueryBackend {
 public:
  FragmentBackend(std::shared_ptr<FragmentSource> source, Database database, const SourceBackendOptions& options)
      : bounds_{options.max_scan_rows, options.max_scan_bytes},
        source_(std::move(source)),
        function_(nullptr, &database.connection_states()),
        database_(std::move(database)),
        pool_(&database_, options.max_connections) {}

  absl::Status Prepare() {
    LOGQUERY_ASSIGN_OR_RETURN(const ConnectionHandle connection, database_.Connect());
    LOGQUERY_RETURN_IF_ERROR(RegisterFunctions(connection.get(), &database_.connection_states()));
    LOGQUERY_RETURN_IF_ERROR(function_.RegisterFragments(connection.get(), database_));
    return ReadCatalog().status();
  }

  Capabilities capabilities() const override {
    Capabilities capabilities;
    capabilities.dialect = Dialect::kDuckDb;
    capabilities.engine = base::StrCat(source_->engine(), " with ", EngineName());
    capabilities.redacts = true;
    capabilities.reads_googlesql = false;
    capabilities.fragments = &source_->dialect();
    return capabilities;
  }

  absl::StatusOr<Catalog> ReadCatalog() override { return source_->ReadCatalog(); }
  uint64_t CatalogVersion() const override { return source_->CatalogVersion(); }

  absl::Status Execute(const PreparedQuery& query, const Bindings& bindings, const ExecutionLimits& limits,
                       const CancellationToken& cancellation, BatchSink& sink) override {
    if (bindings.size() != query.slots().size()) {
      return absl::InternalError(
          base::StrCat("the query has ", query.slots().size(), " slots, and there are ", bindings.size(), " values"));
    }
    SourceRun run(&query, &bindings, bounds_, TablesFor(source_, query, bindings));
    return run.Outcome(
        duckdb::Execute(pool_, deadlines_, query, bindings, nullptr, nullptr, limits, cancellation, sink, &run));
  }

 private:
  const ScanBounds bounds_;
  // In the order in which they may go.
  const std::shared_ptr<FragmentSource> source_;
  SourceFunction function_;
  Database database_;
  ConnectionPool pool_;
  Deadlines deadlines_;
};

}  // namespace

absl::StatusOr<std::unique_ptr<QueryBackend>> OpenOverFragments(std::shared_ptr<FragmentSource> source,
                                                                const SourceBackendOptions& options) {
  if (source == nullptr) return absl::InvalidArgumentError("a backend over fragments needs a source, not nullptr");
  LOGQUERY_ASSIGN_OR_RETURN(Database database, Database::Open(MakeDatabaseOptions(options)));
  auto backend = std::make_unique<FragmentBackend>(std::move(source), std::move(database), options);
  LOGQUERY_RETURN_IF_ERROR(backend->Prepare());
  return std::unique_ptr<QueryBackend>(std::move(backend));
}

}  // namespace logquery::duckdb
