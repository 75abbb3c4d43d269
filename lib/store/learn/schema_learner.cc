// Applies the column changes that DecideLearned chooses for a survey, and reports them after the commit.
#include "lib/store/learn/schema_learner.h"

#include <utility>

#include "lib/base/status_macros.h"
#include "lib/base/strings.h"
#include "lib/store/learn/learned_books.h"

namespace logquery::store {

SchemaLearner::SchemaLearner(duckdb_connection connection, LiveTables* tables, const TableLayout* declared,
                             LearnedState* state)
    : connection_(connection), tables_(tables), declared_(declared), state_(state), columns_(state->columns) {
  if (state->plan == nullptr) state->plan = std::make_shared<const RowPlan>(WithLearned(*declared, columns_));
  plan_ = state->plan;
}

absl::Status SchemaLearner::Decide(const FieldSurvey& survey) {
  LOGQUERY_ASSIGN_OR_RETURN(change_, DecideLearned(survey, plan_->layout(), columns_, [&](const LearnedColumn& column) {
                              return HasWideIntegers(connection_, table(), column);
                            }));
  // What these rows have, and there is no room for, need not be looked at again.
  if (change_.empty()) state_->full = true;
  for (const LearnedChange::Widened& widened : change_.widened) {
    const LearnedColumn& before = columns_[widened.column];
    widened_.push_back({base::Join(before.path, "."), widened.now.type, before.type});
  }
  for (const LearnedColumn& column : change_.added) {
    if (!column.presence) learned_.push_back({base::Join(column.path, "."), column.type, column.type});
  }
  columns_ = AfterChange(std::move(columns_), change_);
  plan_ = std::make_shared<const RowPlan>(WithLearned(*declared_, columns_));
  return absl::OkStatus();
}

absl::Status SchemaLearner::Apply() const {
  return change_.empty() ? absl::OkStatus() : ApplyLearned(connection_, table(), state_->columns, change_);
}

absl::Status SchemaLearner::Commit(duckdb::Transaction& transaction, duckdb::DataVersion* version) {
  const auto commit = [&] {
    const duckdb::DataVersion::Change changing(version);
    return transaction.Commit();
  };
  if (change_.empty()) return commit();
  LOGQUERY_RETURN_IF_ERROR(tables_->PutWith({plan_->layout().table}, commit));
  state_->columns = columns_;
  state_->plan = plan_;
  change_ = LearnedChange();
  return absl::OkStatus();
}

void SchemaLearner::Report(LoadReport* report) const {
  report->learned_fields.insert(report->learned_fields.end(), learned_.begin(), learned_.end());
  report->widened_fields.insert(report->widened_fields.end(), widened_.begin(), widened_.end());
}

}  // namespace logquery::store
