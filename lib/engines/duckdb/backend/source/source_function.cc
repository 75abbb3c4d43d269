// Implements the table function's callbacks, and builds the requests of a query's scans.
#include "lib/engines/duckdb/backend/source/source_function.h"

#include <charconv>
#include <memory>
#include <utility>

#include "lib/base/strings.h"
#include "lib/engines/duckdb/backend/engine_memory.h"
#include "lib/engines/duckdb/backend/engine_types.h"

namespace logquery::duckdb {
namespace {

void DestroyTableFunction(duckdb_table_function* function) { duckdb_destroy_table_function(function); }

// A statement's binding to a table that it reads.
struct Bound {
  std::shared_ptr<const SourceTableList> tables;  // nullptr: those of the run
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
      // No comparison with NULL is true, so no row is needed, which the engine finds out by itself.
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

absl::Status SourceRun::failure() const {
  absl::MutexLock lock(&mutex_);
  return status_;
}

absl::Status SourceRun::Outcome(const absl::Status& of_engine) const {
  if (of_engine.ok() || absl::IsCancelled(of_engine) || absl::IsDeadlineExceeded(of_engine)) return of_engine;
  const absl::Status failed = failure();
  return failed.ok() ? of_engine : failed;
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

namespace {

const ConnectionState* StateFor(const ConnectionStates& states, duckdb_bind_info info) {
  duckdb_client_context context = nullptr;
  duckdb_table_function_get_client_context(info, &context);
  const ConnectionState* const state = states.Find(context);
  duckdb_destroy_client_context(&context);
  return state;
}

void AddColumns(const Table& table, duckdb_bind_info info) {
  for (const Field& column : table.columns) {
    duckdb_bind_add_result_column(info, column.name.c_str(), LogicalType(column.type, /*named_json=*/true).get());
  }
}

// "fragment_12_0f3a…" is fragment 12; 0: it is no such name.
int64_t FragmentOf(std::string_view table) {
  constexpr std::string_view kPrefix = "fragment_";
  if (!table.starts_with(kPrefix)) return 0;
  table.remove_prefix(kPrefix.size());
  int64_t number = 0;
  const std::from_chars_result read = std::from_chars(table.data(), table.data() + table.size(), number);
  return read.ec == std::errc() && read.ptr < table.data() + table.size() && *read.ptr == '_' ? number : 0;
}

// The engine asks for each name that no table has.
void ReplaceName(duckdb_replacement_scan_info info, const char* table, void*) {
  const int64_t number = FragmentOf(table);
  if (number <= 0) return;
  duckdb_replacement_scan_set_function_name(info, "logquery_fragment");
  const ValueHandle argument(duckdb_create_int64(number - 1));
  duckdb_replacement_scan_add_parameter(info, argument.get());
}

}  // namespace

absl::Status SourceFunction::Add(duckdb_connection connection, const char* name, idx_t parameters,
                                 duckdb_table_function_bind_t bind) {
  const Handle<duckdb_table_function, DestroyTableFunction> function(duckdb_create_table_function());
  duckdb_table_function_set_name(function.get(), name);
  const TypeHandle number(duckdb_create_logical_type(DUCKDB_TYPE_BIGINT));
  for (idx_t i = 0; i < parameters; ++i) duckdb_table_function_add_parameter(function.get(), number.get());
  duckdb_table_function_set_extra_info(function.get(), this, nullptr);
  duckdb_table_function_set_bind(function.get(), bind);
  duckdb_table_function_set_init(function.get(), Init);
  duckdb_table_function_set_function(function.get(), Fill);
  duckdb_table_function_supports_projection_pushdown(function.get(), true);
  if (duckdb_register_table_function(connection, function.get()) != DuckDBSuccess) {
    return absl::InternalError(base::StrCat("DuckDB does not take the function ", name));
  }
  return absl::OkStatus();
}

absl::Status SourceFunction::Register(duckdb_connection connection) {
  return Add(connection, "logquery_source", 2, Bind);
}

absl::Status SourceFunction::RegisterFragments(duckdb_connection connection, const Database& database) {
  database.AddReplacementScan(ReplaceName);
  return Add(connection, "logquery_fragment", 1, BindFragment);
}

void SourceFunction::Bind(duckdb_bind_info info) {
  const auto* const self = static_cast<const SourceFunction*>(duckdb_bind_get_extra_info(info));
  auto bound = std::make_unique<Bound>();
  bound->tables = self->tables_->Find(Argument(info, 0));
  bound->index = static_cast<size_t>(Argument(info, 1));
  if (bound->tables == nullptr || bound->index >= bound->tables->size()) {
    return duckdb_bind_set_error(info, "the source's table is there no more");
  }
  bound->connection = StateFor(*self->states_, info);
  AddColumns((*bound->tables)[bound->index].table, info);
  duckdb_bind_set_bind_data(info, bound.release(), Delete<Bound>);
}

// The name that the statement has for the fragment says what its columns are, so a statement that is kept fits each run that
// has the same text.
void SourceFunction::BindFragment(duckdb_bind_info info) {
  const auto* const self = static_cast<const SourceFunction*>(duckdb_bind_get_extra_info(info));
  auto bound = std::make_unique<Bound>();
  bound->index = static_cast<size_t>(Argument(info, 0));
  bound->connection = StateFor(*self->states_, info);
  const SourceRun* const run = bound->connection == nullptr ? nullptr : bound->connection->source_run.load();
  if (run == nullptr || run->fragments() == nullptr || bound->index >= run->fragments()->size()) {
    return duckdb_bind_set_error(info, "the query has no such fragment");
  }
  AddColumns((*run->fragments())[bound->index].table, info);
  duckdb_bind_set_bind_data(info, bound.release(), Delete<Bound>);
}

void SourceFunction::Init(duckdb_init_info info) {
  const auto* const bound = static_cast<const Bound*>(duckdb_init_get_bind_data(info));
  SourceRun* const run = bound->connection == nullptr ? nullptr : bound->connection->source_run.load();
  if (run == nullptr) return duckdb_init_set_error(info, "no query runs on this connection");
  const std::shared_ptr<const SourceTableList>& tables = bound->tables != nullptr ? bound->tables : run->fragments();
  if (tables == nullptr || bound->index >= tables->size()) {
    return duckdb_init_set_error(info, "the query has no such fragment");
  }
  const Table& table = (*tables)[bound->index].table;
  std::vector<size_t> columns;
  for (idx_t i = 0; i < duckdb_init_get_column_count(info); ++i) {
    // If only the number of rows is needed, the engine asks for a column that does not exist; any column will do.
    const idx_t column = duckdb_init_get_column_index(info, i);
    columns.push_back(column < table.columns.size() ? column : 0);
  }
  auto running = std::make_unique<Running>();
  running->connection = bound->connection;
  running->run = run;
  running->scan =
      std::make_unique<SourceScan>(tables, bound->index, run->RequestFor(table, std::move(columns)), run->bounds());
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
