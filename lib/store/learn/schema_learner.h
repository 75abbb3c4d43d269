// Adds to a table's learned columns as required by the rows of a load.
//
//     SchemaLearner learner(connection, &tables, &declared, &learned);
//     … rows are loaded with learner.plan() until one has a value without a column; everything is rolled back …
//     … all rows are surveyed …
//     learner.Decide(survey);
//     Transaction transaction = …;
//     learner.Apply();                       // then all rows are loaded with the new plan
//     learner.Commit(transaction, BookChange(…), &version, &marks);
#ifndef LOGQUERY_LIB_STORE_LEARN_SCHEMA_LEARNER_H_
#define LOGQUERY_LIB_STORE_LEARN_SCHEMA_LEARNER_H_

#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "lib/engines/duckdb/backend/data_version.h"
#include "lib/engines/duckdb/backend/small_query.h"
#include "lib/store/learn/field_survey.h"
#include "lib/store/learn/learned_change.h"
#include "lib/store/rows/row_plan.h"
#include "lib/store/tables/change_books.h"
#include "lib/store/tables/live_tables.h"
#include "lib/store/tables/table_marks.h"
#include "logquery/store/log_store.h"

namespace logquery::store {

// A table's learned columns, and the tokens and projects that have no room for more.
struct LearnedState {
  LearnedTable learned;
  RowOwners full;
  std::shared_ptr<const RowPlan> plan;  // for these columns; nullptr: not built yet
};

// Not thread-safe.
class SchemaLearner {
 public:
  // All pointers are borrowed. `state` has the table's learned columns; Commit updates it.
  SchemaLearner(duckdb_connection connection, LiveTables* tables, const TableLayout* declared, LearnedState* state);

  // The plan for parsing rows; includes the change after it has been decided.
  const RowPlan& plan() const { return *plan_; }
  // The tokens and projects whose rows can't add columns.
  const RowOwners& full() const { return state_->full; }

  void Decide(const RowSurveys& surveys);
  bool has_change() const { return !change_.empty(); }
  // Must be called in a transaction of the connection.
  absl::Status Apply() const;
  // `booked` is the change of rows in the transaction.
  absl::Status Commit(duckdb::Transaction& transaction, const BookedChange& booked, duckdb::DataVersion* version,
                      TableMarksCache* marks);
  // Adds the committed changes to `report`.
  void Report(LoadReport* report) const;

 private:
  const std::string& table() const { return declared_->table.name; }

  duckdb_connection const connection_;
  LiveTables* const tables_;
  const TableLayout* const declared_;
  LearnedState* const state_;
  LearnedTable learned_;  // including the change
  LearnedChange change_;
  std::vector<LearnedField> reported_;  // committed, for reports
  std::shared_ptr<const RowPlan> plan_;
};

}  // namespace logquery::store

#endif  // LOGQUERY_LIB_STORE_LEARN_SCHEMA_LEARNER_H_
