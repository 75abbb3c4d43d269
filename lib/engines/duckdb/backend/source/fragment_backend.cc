// Each fragment of a query is a table for that run only; scanning the table runs the fragment.
#include "lib/engines/duckdb/backend/source/fragment_backend.h"

#include <utility>
#include <vector>

#include "lib/backend/circuit_breaker.h"
#include "lib/backend/engine_probe.h"
#include "lib/base/readable_text.h"
#include "lib/base/status_macros.h"
#include "lib/base/strings.h"
#include "lib/engines/duckdb/backend/connection_pool.h"
#include "lib/engines/duckdb/backend/database.h"
#include "lib/engines/duckdb/backend/deadlines.h"
#include "lib/engines/duckdb/backend/execution.h"
#include "lib/engines/duckdb/backend/functions/function.h"
#include "lib/engines/duckdb/backend/source/source_function.h"
#include "lib/engines/duckdb/backend/source/source_tables.h"
#include "lib/split/group_rows.h"

namespace logquery::duckdb {
namespace {

// Hands on the wanted columns of a fragment's batches.
class PickingSink : public BatchSink {
 public:
  PickingSink(const std::vector<size_t>* columns, backend::CircuitBreaker::Call* call, BatchSink* sink)
      : columns_(columns), call_(call), sink_(sink) {}

  absl::Status Append(const Batch& batch) override {
    call_->NoteAnswer();
    std::vector<ColumnView> views;
    for (const size_t column : *columns_) {
      if (column >= batch.column_count()) {
        return absl::InternalError(base::StrCat("a fragment gave ", base::Counted(batch.column_count(), "column"),
                                                "; column ", column + 1, " was wanted"));
      }
      views.push_back(batch.column(column));
    }
    return sink_->Append(Batch(views.data(), views.size(), batch.rows()));
  }
  void SetMarks(std::vector<TableMark> marks) override { sink_->SetMarks(std::move(marks)); }

 private:
  const std::vector<size_t>* const columns_;
  backend::CircuitBreaker::Call* const call_;
  BatchSink* const sink_;
};

// The rows of one fragment in one run. A scan that does not end in time keeps all of it.
class FragmentRows : public TableSource {
 public:
  FragmentRows(std::shared_ptr<FragmentSource> source, std::shared_ptr<backend::CircuitBreaker> breaker,
               QueryFragment fragment, Bindings bindings, std::shared_ptr<const FragmentCall> call)
      : source_(std::move(source)),
        breaker_(std::move(breaker)),
        fragment_(std::move(fragment)),
        bindings_(std::move(bindings)),
        call_(std::move(call)) {}

  absl::StatusOr<Catalog> ReadCatalog() override { return Catalog(); }

  absl::Status Scan(const ScanRequest& request, const CancellationToken& cancellation, BatchSink& sink) override {
    std::vector<size_t> columns = request.columns;
    if (split::HasRowCount(fragment_.schema)) columns.push_back(fragment_.schema.size() - 1);
    absl::StatusOr<backend::CircuitBreaker::Call> admitted = breaker_->Admit();
    if (!admitted.ok()) return admitted.status();
    PickingSink picked(&columns, &*admitted, &sink);
    return admitted->End(source_->RunForCall(fragment_, bindings_, *call_, cancellation, picked));
  }

 private:
  const std::shared_ptr<FragmentSource> source_;
  const std::shared_ptr<backend::CircuitBreaker> breaker_;
  const QueryFragment fragment_;
  const Bindings bindings_;
  const std::shared_ptr<const FragmentCall> call_;
};

std::shared_ptr<const SourceTableList> TablesFor(const std::shared_ptr<FragmentSource>& source,
                                                 const std::shared_ptr<backend::CircuitBreaker>& breaker,
                                                 const PreparedQuery& query, const Bindings& bindings,
                                                 FragmentCall fragment_call) {
  const auto call = std::make_shared<const FragmentCall>(std::move(fragment_call));
  auto tables = std::make_shared<SourceTableList>();
  for (const QueryFragment& fragment : query.fragments()) {
    Bindings own;
    for (const size_t slot : fragment.slots) own.push_back(bindings[slot]);
    SourceTable& table = tables->emplace_back();
    table.table.name = fragment.table;
    table.table.columns = fragment.schema;
    table.counted = split::HasRowCount(fragment.schema);
    if (table.counted) table.table.columns.pop_back();
    table.about = fragment.reason;
    table.source = std::make_shared<FragmentRows>(source, breaker, fragment, std::move(own), call);
  }
  return tables;
}

DatabaseOptions MakeDatabaseOptions(const SourceBackendOptions& options) {
  DatabaseOptions database;
  database.memory_limit_bytes = options.memory_limit_bytes;
  database.threads = options.threads;
  return database;
}

class FragmentBackend : public RemoteBackend {
 public:
  FragmentBackend(std::shared_ptr<FragmentSource> source, Database database, const SourceBackendOptions& options,
                  const Clock* clock)
      : bounds_{options.max_scan_rows, options.max_scan_bytes},
        clock_(clock),
        source_(std::move(source)),
        breaker_(std::make_shared<backend::CircuitBreaker>(source_->engine(), clock)),
        probe_(
            source_->engine(), [this](const CancellationToken& cancellation) { return source_->Probe(cancellation); },
            breaker_, clock),
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

  EngineState State() override { return probe_.State(); }
  absl::StatusOr<Catalog> ReadCatalog() override { return source_->ReadCatalog(); }
  uint64_t CatalogVersion() const override { return source_->CatalogVersion(); }

  absl::Status Execute(const PreparedQuery& query, const Bindings& bindings, const ExecutionLimits& limits,
                       const CancellationToken& cancellation, BatchSink& sink) override {
    if (bindings.size() != query.slots().size()) {
      return absl::InternalError(base::StrCat("the query has ", base::Counted(query.slots().size(), "slot"),
                                              ", and was given ", base::Counted(bindings.size(), "value")));
    }
    const std::shared_ptr<const SourceTableList> tables =
        TablesFor(source_, breaker_, query, bindings, {limits.tags, clock_->Now() + limits.time_limit});
    if (query.pass_through().has_value()) {
      return ExecutePassThrough(pool_, deadlines_, query, tables, bounds_, limits, cancellation, sink);
    }
    SourceRun run(&query, &bindings, bounds_, tables);
    return run.Outcome(
        duckdb::Execute(pool_, deadlines_, query, bindings, nullptr, nullptr, limits, cancellation, sink, &run));
  }

 private:
  const ScanBounds bounds_;
  const Clock* const clock_;
  // The order of the members matters: they are destroyed in reverse order.
  const std::shared_ptr<FragmentSource> source_;
  // Scans that do not end in time keep it.
  const std::shared_ptr<backend::CircuitBreaker> breaker_;
  backend::EngineProbe probe_;
  SourceFunction function_;
  Database database_;
  ConnectionPool pool_;
  Deadlines deadlines_;
};

}  // namespace

absl::StatusOr<std::unique_ptr<RemoteBackend>> OpenOverFragments(std::shared_ptr<FragmentSource> source,
                                                                 const SourceBackendOptions& options,
                                                                 const Clock* clock) {
  if (source == nullptr) return absl::InvalidArgumentError("a backend over fragments needs a source, not nullptr");
  LOGQUERY_ASSIGN_OR_RETURN(Database database, Database::Open(MakeDatabaseOptions(options)));
  auto backend = std::make_unique<FragmentBackend>(std::move(source), std::move(database), options, clock);
  LOGQUERY_RETURN_IF_ERROR(backend->Prepare());
  return std::unique_ptr<RemoteBackend>(std::move(backend));
}

}  // namespace logquery::duckdb
