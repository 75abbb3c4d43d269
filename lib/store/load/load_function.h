// The table function that gives a load's rows to an INSERT, on as many threads as the engine has.
//
//     LoadFunction function;
//     function.Register(connection);                       // once for a database
//     LoadFunction::Running running(&function, &run);
//     … "INSERT INTO t SELECT " + columns + " FROM " + LoadFunction::kSource …
#ifndef LOGQUERY_LIB_STORE_LOAD_LOAD_FUNCTION_H_
#define LOGQUERY_LIB_STORE_LOAD_LOAD_FUNCTION_H_

#include "absl/base/thread_annotations.h"
#include "absl/status/status.h"
#include "absl/synchronization/mutex.h"
#include "lib/backend/duckdb/handles.h"
#include "lib/store/load/load_run.h"

namespace logquery::store {

// Thread-safe. Must outlive the database that it is registered with.
class LoadFunction {
 public:
  // What stands after FROM. DuckDB inserts on one thread alone where it believes that rows come in an order that it must
  // keep. What a join gives has none; the one that tells whether a key is in a list passes every row on untouched, beside
  // its answer, which nobody reads: so the INSERT runs on all threads. Should another DuckDB plan it otherwise, it is only
  // slower.
  static constexpr char kSource[] =
      "(SELECT *, loaded_key IN (SELECT key FROM (VALUES (0::TINYINT), (1::TINYINT)) AS keys(key)) AS found"
      " FROM logquery_load())";

  absl::Status Register(duckdb_connection connection);

  // While it lives the function gives this run's rows. One at a time.
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
