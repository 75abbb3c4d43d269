// How one table's learned columns change with the rows of a load.
//
//     SchemaLearner learner(connection, &tables, &declared, &learned);
//     … rows are taken with learner.plan() until they have what it has no column for; all is rolled back …
//     … all rows are surveyed …
//     learner.Decide(survey);
//     Transaction transaction = …;
//     learner.Apply();                       // then all rows are taken, with the plan that there is now
//     learner.Commit(transaction, &version);
#ifndef LOGQUERY_LIB_STORE_LEARN_SCHEMA_LEARNER_H_
#define LOGQUERY_LIB_STORE_LEARN_SCHEMA_LEARNER_H_

#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "lib/backend/duckdb/data_version.h"
#include "lib/backend/duckdb/small_query.h"
#include "lib/store/learn/field_survey.h"
#include "lib/store/learn/learned_change.h"
#include "lib/store/rows/row_plan.h"
#include "lib/store/tables/live_tables.h"
#include "logquery/store/log_store.h"

namespace logquery::store {

// What a table has learned, and whether it is known that its rows bring nothing new that there is room for.
struct LearnedState {
  std::vector<LearnedColumn> columns;
  bool full = false;
  std::shared_ptr<const RowPlan> plan;  // with these columns; nullptr: not made yet
};

// Not thread-safe.
class SchemaLearner {
 public:
  // All are borrowed. `state` is what the table has learned; a commit brings it up to date.
  SchemaLearner(duckdb_connection connection, LiveTables* tables, const TableLayout* declared, LearnedState* state);

  // What rows are to be parsed against: with the change, once it is decided.
  const RowPlan& plan() const { return *plan_; }
  // Whether rows may bring columns that are not there.
  bool may_add() const { return !state_->full && columns_.size() < kMaxLearnedColumns; }

  absl::Status Decide(const FieldSurvey& survey);
  bool has_change() const { return !change_.empty(); }
  // Within a transaction of the connection's.
  absl::Status Apply() const;
  absl::Status Commit(duckdb::Transaction& transaction, duckdb::DataVersion* version);
  // Adds what was committed.
  void Report(LoadReport* report) const;

 private:
  const std::string& table() const { return declared_->table.name; }

  duckdb_connection const connection_;
  LiveTables* const tables_;
  const TableLayout* const declared_;
  LearnedState* const state_;
  std::vector<LearnedColumn> columns_;  // as they will be
  LearnedChange change_;
  std::vector<LearnedField> learned_;  // what was committed, for people
  std::vector<LearnedField> widened_;
  std::shared_ptr<const RowPlan> plan_;
};

}  // namespace logquery::store

#endif  // LOGQUERY_LIB_STORE_LEARN_SCHEMA_LEARNER_H_
