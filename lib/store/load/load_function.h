// The table function that supplies an INSERT with a load's rows, on as many threads as the engine has.
//
//     LoadFunction function;
//     function.Register(connection);                       // once per database
//     LoadFunction::Running running(&function, &run);
//     … "INSERT INTO t SELECT " + columns + " FROM " + LoadFunction::kSource …
#ifndef LOGQUERY_LIB_STORE_LOAD_LOAD_FUNCTION_H_
#define LOGQUERY_LIB_STORE_LOAD_LOAD_FUNCTION_H_

#include "absl/base/thread_annotations.h"
#include "absl/status/status.h"
#include "absl/synchronization/mutex.h"
#include "lib/engines/duckdb/backend/handles.h"
#include "lib/store/load/load_run.h"

namespace logquery::store {

// Thread-safe. Must outlive the database that it is registered with.
class LoadFunction {
 public:
  // The FROM item. DuckDB inserts on a single thread if it assumes that the rows' order must be kept. A join's result
  // has no order, and a join that tests whether a key is in a list passes all rows on unchanged, with a column that
  // nothing reads. Therefore the INSERT uses all threads. If another version of DuckDB plans it differently, it is only
  // slower.
  static constexpr char kSource[] =
      "(SELECT *, loaded_key IN (SELECT key FROM (VALUES (0::TINYINT), (1::TINYINT)) AS keys(key)) AS found"
      " FROM logquery_load())";

  absl::Status Register(duckdb_connection connection);

  // While it lives, the function returns this run's rows. Only one may exist at a time.
  class Running {
   public:
    Running(LoadFunction* function, LoadRun* run) : function_(function) { function_->SetRun(run); }
    ~Running() { function_->SetRun(nullptr); }
    Running(const Running&) = delete;
    Running& operator=(const Running&) = delete;

   private:
    LoadFunction* const function_;
  };

 private:
  void SetRun(LoadRun* run);
  LoadRun* run();
  static void Bind(duckdb_bind_info info);
  static void Init(duckdb_init_info info);
  static void InitThread(duckdb_init_info info);
  static void Fill(duckdb_function_info info, duckdb_data_chunk chunk);

  absl::Mutex mutex_;
  LoadRun* run_ ABSL_GUARDED_BY(mutex_) = nullptr;
};

}  // namespace logquery::store

#endif  // LOGQUERY_LIB_STORE_LOAD_LOAD_FUNCTION_H_
