// Applies the column changes that DecideLearned chooses for a survey, and reports them after the commit.
#include "lib/store/learn/schema_learner.h"

#include <set>
#include <utility>

#include "lib/base/status_macros.h"
#include "lib/base/strings.h"
#include "lib/store/learn/learned_books.h"

namespace logquery::store {

SchemaLearner::SchemaLearner(duckdb_connection connection, LiveTables* tables, const TableLayout* declared,
                             LearnedState* state)
    : connection_(connection), tables_(tables), declared_(declared), state_(state), learned_(state->learned) {
  if (state->plan == nullptr) state->plan = std::make_shared<const RowPlan>(WithLearned(*declared, learned_));
  plan_ = state->plan;
}

void SchemaLearner::Decide(const RowSurveys& surveys) {
  change_ = DecideLearned(surveys, *declared_, learned_, &state_->full);
  if (change_.empty()) return;
  std::set<std::pair<std::string, std::string>> told;  // several projects may have taught the same
  const size_t before = learned_.columns.size();
  for (const LearnedChange::Taught& taught : change_.taught) {
    const LearnedColumn& column =
        taught.column < before ? learned_.columns[taught.column] : change_.added[taught.column - before];
    std::string path = base::Join(column.path, ".");
    if (column.presence || !told.emplace(path, column.type.ToString()).second) continue;
    reported_.push_back({std::move(path), column.type, column.type});
  }
  learned_ = AfterChange(std::move(learned_), change_);
  plan_ = std::make_shared<const RowPlan>(WithLearned(*declared_, learned_));
}

absl::Status SchemaLearner::Apply() const {
  return change_.empty() ? absl::OkStatus() : ApplyLearned(connection_, table(), state_->learned, change_);
}

absl::Status SchemaLearner::Commit(duckdb::Transaction& transaction, const BookedChange& booked,
                                   duckdb::DataVersion* version, TableMarksCache* marks) {
  using Kind = duckdb::DataVersion::Kind;
  const auto commit = [&, kind = change_.empty() && !booked.may_move ? Kind::kAdds : Kind::kMoves]() -> absl::Status {
    const duckdb::DataVersion::Stamp before = version->Read();
    marks->Announce(booked);
    {
      const duckdb::DataVersion::Change changing(version, kind);
      if (absl::Status status = transaction.Commit(); !status.ok()) {
        marks->Failed(booked);
        return status;
      }
    }
    marks->Follow(booked, before, version->Read());
    return absl::OkStatus();
  };
  if (change_.empty()) return commit();
  std::vector<LiveTable> changed;
  changed.push_back(MakeLiveTable(declared_->table, learned_));
  LOGQUERY_RETURN_IF_ERROR(tables_->PutWith(std::move(changed), commit));
  state_->learned = learned_;
  state_->plan = plan_;
  change_ = LearnedChange();
  return absl::OkStatus();
}

void SchemaLearner::Report(LoadReport* report) const {
  report->learned_fields.insert(report->learned_fields.end(), reported_.begin(), reported_.end());
}

}  // namespace logquery::store
