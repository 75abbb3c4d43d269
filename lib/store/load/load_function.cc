// The table function's callbacks: each engine thread gets a RowSource.
#include "lib/store/load/load_function.h"

#include <cstring>

#include "lib/engines/duckdb/backend/engine_memory.h"
#include "lib/engines/duckdb/backend/engine_types.h"

namespace logquery::store {
namespace {

// A high estimate, so that the join builds its hash table from the other side.
constexpr idx_t kManyRows = 1'000'000;
constexpr idx_t kMaxThreads = 64;

void DestroyTableFunction(duckdb_table_function* function) { duckdb_destroy_table_function(function); }

}  // namespace

absl::Status LoadFunction::Register(duckdb_connection connection) {
  const duckdb::Handle<duckdb_table_function, DestroyTableFunction> function(duckdb_create_table_function());
  duckdb_table_function_set_name(function.get(), "logquery_load");
  duckdb_table_function_set_extra_info(function.get(), this, nullptr);
  duckdb_table_function_set_bind(function.get(), Bind);
  duckdb_table_function_set_init(function.get(), Init);
  duckdb_table_function_set_local_init(function.get(), InitThread);
  duckdb_table_function_set_function(function.get(), Fill);
  if (duckdb_register_table_function(connection, function.get()) != DuckDBSuccess) {
    return absl::InternalError("DuckDB does not take the function that loads");
  }
  return absl::OkStatus();
}

void LoadFunction::SetRun(LoadRun* run) {
  absl::MutexLock lock(&mutex_);
  run_ = run;
}

LoadRun* LoadFunction::run() {
  absl::MutexLock lock(&mutex_);
  return run_;
}

void LoadFunction::Bind(duckdb_bind_info info) {
  auto* const self = static_cast<LoadFunction*>(duckdb_bind_get_extra_info(info));
  LoadRun* const run = self->run();
  if (run == nullptr) return duckdb_bind_set_error(info, "no load is running");
  const std::vector<StoredColumn>& columns = run->plan().layout().columns;
  for (const StoredColumn& column : columns) {
    duckdb_bind_add_result_column(info, column.name.c_str(), duckdb::LogicalType(column.type).get());
  }
  const duckdb::TypeHandle key(duckdb_create_logical_type(DUCKDB_TYPE_TINYINT));
  duckdb_bind_add_result_column(info, "loaded_key", key.get());
  duckdb_bind_set_cardinality(info, kManyRows, false);
  duckdb_bind_set_bind_data(info, run, nullptr);
}

void LoadFunction::Init(duckdb_init_info info) { duckdb_init_set_max_threads(info, kMaxThreads); }

void LoadFunction::InitThread(duckdb_init_info info) {
  LoadRun* const run = static_cast<LoadFunction*>(duckdb_init_get_extra_info(info))->run();
  duckdb_init_set_init_data(info, new RowSource(run), [](void* source) { delete static_cast<RowSource*>(source); });
}

void LoadFunction::Fill(duckdb_function_info info, duckdb_data_chunk chunk) {
  auto* const source = static_cast<RowSource*>(duckdb_function_get_local_init_data(info));
  auto* const run = static_cast<LoadRun*>(duckdb_function_get_bind_data(info));
  const duckdb::EngineMemory memory;
  source->Fill(chunk);
  const idx_t key = duckdb_data_chunk_get_column_count(chunk) - 1;
  std::memset(duckdb_vector_get_data(duckdb_data_chunk_get_vector(chunk, key)), 0, duckdb_data_chunk_get_size(chunk));
  // The run keeps the real reason.
  if (!run->status().ok()) duckdb_function_set_error(info, "the load has failed");
}

}  // namespace logquery::store
