// The table functions through which the engine reads rows of sources: logquery_source(GENERATION, INDEX), and
// logquery_fragment(INDEX), which replaces table names of that form.
#ifndef LOGQUERY_LIB_ENGINES_DUCKDB_BACKEND_SOURCE_SOURCE_FUNCTION_H_
#define LOGQUERY_LIB_ENGINES_DUCKDB_BACKEND_SOURCE_SOURCE_FUNCTION_H_

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/status/status.h"
#include "absl/synchronization/mutex.h"
#include "lib/engines/duckdb/backend/connection_state.h"
#include "lib/engines/duckdb/backend/handles.h"
#include "lib/engines/duckdb/backend/source/source_scan.h"
#include "lib/engines/duckdb/backend/source/source_tables.h"
#include "logquery/prepared_query.h"

namespace logquery::duckdb {

// One query's run on sources: provides the requests of its scans, and collects their results. Thread-safe.
class SourceRun {
 public:
  // `query` and `bindings` are borrowed. `fragments` has the tables of this run only; nullptr: there are none.
  SourceRun(const PreparedQuery* query, const Bindings* bindings, ScanBounds bounds,
            std::shared_ptr<const SourceTableList> fragments = nullptr)
      : query_(query), bindings_(bindings), bounds_(bounds), fragments_(std::move(fragments)) {}

  // Returns the scan request for these columns of the table.
  ScanRequest RequestFor(const Table& table, std::vector<size_t> columns) const;
  ScanBounds bounds() const { return bounds_; }
  const std::shared_ptr<const SourceTableList>& fragments() const { return fragments_; }

  // Records why a scan failed. The first error is kept.
  void Fail(const absl::Status& status);
  // Returns that first error; OK: no scan has failed.
  absl::Status failure() const;
  // Returns the status of the run: that it was stopped, or the error of a source, which the engine reports only in its
  // own words.
  absl::Status Outcome(const absl::Status& of_engine) const;
  void AddMarks(std::vector<TableMark> marks);
  // Returns one mark for each of the query's tables; nullopt: a source provided none, or two scans of a table saw
  // different states.
  std::optional<std::vector<TableMark>> Marks() const;

 private:
  const PreparedQuery* const query_;
  const Bindings* const bindings_;
  const ScanBounds bounds_;
  const std::shared_ptr<const SourceTableList> fragments_;
  mutable absl::Mutex mutex_;
  absl::Status status_ ABSL_GUARDED_BY(mutex_);
  std::map<std::string, std::string> marks_ ABSL_GUARDED_BY(mutex_);
  bool marks_differ_ ABSL_GUARDED_BY(mutex_) = false;
};

// Must outlive the database with which it is registered. Borrows `tables`, which may be nullptr, and `states` of that
// database.
class SourceFunction {
 public:
  SourceFunction(const SourceTables* tables, const ConnectionStates* states) : tables_(tables), states_(states) {}

  absl::Status Register(duckdb_connection connection);
  // Registers logquery_fragment, and table names like "fragment_1_…".
  absl::Status RegisterFragments(duckdb_connection connection, const Database& database);

 private:
  static void BindFragment(duckdb_bind_info info);
  absl::Status Add(duckdb_connection connection, const char* name, idx_t parameters, duckdb_table_function_bind_t bind);
  static void Bind(duckdb_bind_info info);
  static void Init(duckdb_init_info info);
  static void Fill(duckdb_function_info info, duckdb_data_chunk chunk);

  const SourceTables* const tables_;
  const ConnectionStates* const states_;
};

}  // namespace logquery::duckdb

#endif  // LOGQUERY_LIB_ENGINES_DUCKDB_BACKEND_SOURCE_SOURCE_FUNCTION_H_
