// The table function's calls from the engine, and what a query's scans are asked for.
#include "lib/backend/duckdb/source/source_function.h"

#include <memory>
#include <utility>

#include "lib/backend/duckdb/engine_memory.h"
#include "lib/backend/duckdb/engine_types.h"
#include "lib/base/strings.h"

namespace logquery::duckdb {
namespace {

void DestroyTableFunction(duckdb_table_function* function) { duckdb_destroy_table_function(function); }

// What a statement knows of a table that it reads.
struct Bound {
  std::shared_ptr<const SourceTableList> tables;
  size_t index = 0;
  const ConnectionState* connection = nullptr;  // nullptr: it runs no queries, and only asks for the columns
};

// One scan of an execution.
struct Running {
  const ConnectionState* connection = nullptr;
  SourceRun* run = nullptr;
  std::unique_ptr<SourceScan> scan;
  bool through = false;
};

template <typename T>
void Delete(void* data) {
  delete static_cast<T*>(data);
}

int64_t Argument(duckdb_bind_info info, idx_t index) {
  const ValueHandle value(duckdb_bind_get_parameter(info, index));
  return duckdb_get_int64(value.get());
}

void SetError(duckdb_function_info info, const absl::Status& status) {
  duckdb_function_set_error(info, std::string(base::Message(status)).c_str());
}

}  // namespace

ScanRequest SourceRun::RequestFor(const Table& table, std::vector<size_t> columns) const {
  ScanRequest request;
  request.table = &table;
  request.columns = std::move(columns);
  for (const TableHints& hints : query_->hints()) {
    if (hints.table != table.name) continue;
    bool all = true;
    for (const TableHints::Condition& hint : hints.conditions) {
      const Value& value = hint.slot.has_value() ? (*bindings_)[*hint.slot] : hint.value;
      // Nothing compares with NULL: no row at all is of use, which the engine finds by itself.
      all = all && !value.is_null();
      if (!value.is_null()) request.conditions.push_back({hint.path, hint.comparison, value});
    }
    if (all && hints.newest_suffice && query_->top_n_by_time().has_value()) {
      request.newest = query_->top_n_by_time()->limit;
    }
  }
  return request;
}

void SourceRun::Fail(const absl::Status& status) {
  absl::MutexLock lock(&mutex_);
  if (status_.ok()) status_ = status;
}

absl::Status SourceRun::status() const {
  absl::MutexLock lock(&mutex_);
  return status_;
}

void SourceRun::AddMarks(std::vector<TableMark> marks) {
  absl::MutexLock lock(&mutex_);
  for (TableMark& mark : marks) {
    const auto [known, is_new] = marks_.emplace(std::move(mark.table), mark.mark);
    marks_differ_ = marks_differ_ || (!is_new && known->second != mark.mark);
  }
}

std::optional<std::vector<TableMark>> SourceRun::Marks() const {
  absl::MutexLock lock(&mutex_);
  if (marks_differ_) return std::nullopt;
  std::vector<TableMark> marks;
  for (const std::string& table : query_->tables()) {
    const auto found = marks_.find(table);
    if (found == marks_.end()) return std::nullopt;
    marks.push_back({found->first, found->second});
  }
  return marks;
}

absl::Status SourceFunction::Register(duckdb_connection connection) {
  const Handle<duckdb_table_function, DestroyTableFunction> function(duckdb_create_table_function());
  duckdb_table_function_set_name(function.get(), "logquery_source");
  const TypeHandle number(duckdb_create_logical_type(DUCKDB_TYPE_BIGINT));
  duckdb_table_function_add_parameter(function.get(), number.get());
  duckdb_table_function_add_parameter(function.get(), number.get());
  duckdb_table_function_set_extra_info(function.get(), this, nullptr);
  duckdb_table_function_set_bind(function.get(), Bind);
  duckdb_table_function_set_init(function.get(), Init);
  duckdb_table_function_set_function(function.get(), Fill);
  duckdb_table_function_supports_projection_pushdown(function.get(), true);
  if (duckdb_register_table_function(connection, function.get()) != DuckDBSuccess) {
    return absl::InternalError("DuckDB does not take the function that scans sources");
  }
  return absl::OkStatus();
}

void SourceFunction::Bind(duckdb_bind_info info) {
  const auto* const self = static_cast<const SourceFunction*>(duckdb_bind_get_extra_info(info));
  auto bound = std::make_unique<Bound>();
  bound->tables = self->tables_->Find(Argument(info, 0));
  bound->index = static_cast<size_t>(Argument(info, 1));
  if (bound->tables == nullptr || bound->index >= bound->tables->size()) {
    return duckdb_bind_set_error(info, "the source's table is there no more");
  }
  duckdb_client_context context = nullptr;
  duckdb_table_function_get_client_context(info, &context);
  bound->connection = self->states_->Find(context);
  duckdb_destroy_client_context(&context);
  for (const Field& column : (*bound->tables)[bound->index].table.columns) {
    duckdb_bind_add_result_column(info, column.name.c_str(), LogicalType(column.type, /*named_json=*/true).get());
  }
  duckdb_bind_set_bind_data(info, bound.release(), Delete<Bound>);
}

void SourceFunction::Init(duckdb_init_info info) {
  const auto* const bound = static_cast<const Bound*>(duckdb_init_get_bind_data(info));
  SourceRun* const run = bound->connection == nullptr ? nullptr : bound->connection->source_run.load();
  if (run == nullptr) return duckdb_init_set_error(info, "no query runs on this connection");
  const Table& table = (*bound->tables)[bound->index].table;
  std::vector<size_t> columns;
  for (idx_t i = 0; i < duckdb_init_get_column_count(info); ++i) {
    // Where only the number of rows is wanted the engine asks for a column that there is not: any will do.
    const idx_t column = duckdb_init_get_column_index(info, i);
    columns.push_back(column < table.columns.size() ? column : 0);
  }
  auto running = std::make_unique<Running>();
  running->connection = bound->connection;
  running->run = run;
  running->scan = std::make_unique<SourceScan>(bound->tables, bound->index, run->RequestFor(table, std::move(columns)),
                                               run->bounds());
  duckdb_init_set_max_threads(info, 1);
  duckdb_init_set_init_data(info, running.release(), Delete<Running>);
}

void SourceFunction::Fill(duckdb_function_info info, duckdb_data_chunk chunk) {
  auto& running = *static_cast<Running*>(duckdb_function_get_init_data(info));
  if (running.through) return duckdb_data_chunk_set_size(chunk, 0);
  const EngineMemory memory;
  const absl::Status status = running.scan->Fill(chunk, *running.connection);
  if (!status.ok()) {
    running.run->Fail(status);
    return SetError(info, status);
  }
  if (duckdb_data_chunk_get_size(chunk) > 0) return;
  running.through = true;
  running.run->AddMarks(running.scan->marks());
}

}  // namespace logquery::duckdb
