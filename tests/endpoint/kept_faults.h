// A backend that says something wrong about the states of rows, to test the check of kept answers.
#ifndef LOGQUERY_TESTS_ENDPOINT_KEPT_FAULTS_H_
#define LOGQUERY_TESTS_ENDPOINT_KEPT_FAULTS_H_

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "lib/backend/recent_rows.h"
#include "logquery/project_catalogs.h"
#include "logquery/query_backend.h"

namespace logquery {

// Faults that change what the backend says; none is planted in the checks.
enum class Fault {
  kNone,
  kStateStays,
  kNoEpoch,
  kNoProject,
  kNoRowInTheWay,
  kFirstRowLater,
  kNothingTouched,  // no group has new rows
  kTouchedTwice,    // a row that was there before is a new one, too
  kNothingCut,      // the group that a bound cuts has no rows
  kNoLastPlace,     // groups are of rows behind the last one as well
  kNothingAdded,    // no row has been added since
  kAddedLater,      // the first row that has been added is later than it is
  kRowsBefore,      // the backend has no new rows at hand
};

// Passes everything on to the folder's backend, but for a planted fault.
class Faulty : public QueryBackend, public RecentRows, public ProjectCatalogs {
 public:
  Faulty(QueryBackend* backend, Fault fault) : backend_(backend), fault_(fault) {}

  Capabilities capabilities() const override { return backend_->capabilities(); }
  absl::StatusOr<Catalog> ReadCatalog() override { return backend_->ReadCatalog(); }
  absl::StatusOr<Catalog> ReadCatalogFor(const std::string& project) override {
    return by_project_->ReadCatalogFor(project);
  }
  absl::StatusOr<Catalog> ReadDeclaredCatalog() override { return by_project_->ReadDeclaredCatalog(); }
  uint64_t CatalogVersion() const override { return backend_->CatalogVersion(); }
  absl::Status Execute(const PreparedQuery& query, const Bindings& bindings, const ExecutionLimits& limits,
                       const CancellationToken& cancellation, BatchSink& sink) override {
    ++queries;
    const auto has_slot = [&](const char* name) {
      return std::any_of(query.slots().begin(), query.slots().end(),
                         [&](const Slot& slot) { return slot.name == name; });
    };
    if (fault_ == Fault::kNothingTouched && has_slot("@above_place") && !query.schema().empty() &&
        query.schema()[0].name == "c0") {
      return absl::OkStatus();
    }
    if (fault_ == Fault::kTouchedTwice && has_slot("@above_place") && has_slot("@last_place")) {
      Bindings earlier = bindings;
      for (size_t i = 0; i < earlier.size(); ++i) {
        if (query.slots()[i].name == "@above_place") earlier[i] = Value::Int64(earlier[i].int64_value() - 3);
      }
      return backend_->Execute(query, earlier, limits, cancellation, sink);
    }
    if (has_slot("@stretch_to")) return ExecuteStretch(query, bindings, limits, cancellation, sink);
    const bool is_probe = query.schema().size() == 2 && query.schema()[0].name == "first_row";
    if (!is_probe) return backend_->Execute(query, bindings, limits, cancellation, sink);
    if (fault_ == Fault::kNoRowInTheWay) {
      const Value none = Value::Null(Type::Timestamp());
      return sink.Append(ValueBatch(query.schema(), {{none, none}}).batch());
    }
    if (fault_ != Fault::kFirstRowLater) return backend_->Execute(query, bindings, limits, cancellation, sink);
    CollectingSink rows;
    const absl::Status status = backend_->Execute(query, bindings, limits, cancellation, rows);
    if (!status.ok()) return status;
    std::vector<Value> row = rows.rows().at(0);
    if (!row[0].is_null()) row[0] = Value::Timestamp(absl::FromUnixMicros(row[0].int64_value() + 1));
    return sink.Append(ValueBatch(query.schema(), {row}).batch());
  }
  RowsState ReadState(const PreparedQuery& query, const Bindings& bindings) override {
    RowsState state = backend_->ReadState(query, bindings);
    if (state.text.empty()) return state;
    const size_t end_of_epoch = state.text.find(' ');
    if (fault_ == Fault::kStateStays) state.text = "state";
    if (fault_ == Fault::kNoEpoch) {
      state.text = state.text.substr(end_of_epoch);
      state.epoch = "epoch";
    }
    if (fault_ == Fault::kNoProject) {
      // The state of a project of which there are no rows.
      PreparedQuery::Parts parts;
      parts.tables = query.tables();
      for (const RowsRead& rows : query.rows_read()) parts.rows_read.push_back({rows.table, std::nullopt, "nobody"});
      state.text = backend_->ReadState(PreparedQuery(std::move(parts)), {}).text;
    }
    return state;
  }
  std::string Completed(const PreparedQuery& query, const Bindings& bindings) override {
    return recent_->Completed(query, bindings);
  }
  std::optional<absl::Time> EarliestAdded(const PreparedQuery& query, const Bindings& bindings,
                                          const Moment& since) override {
    if (fault_ == Fault::kNothingAdded) return absl::InfiniteFuture();
    std::optional<absl::Time> time = recent_->EarliestAdded(query, bindings, since);
    if (fault_ == Fault::kAddedLater && time) *time += absl::Seconds(1);
    return time;
  }
  absl::StatusOr<bool> ReadAdded(const PreparedQuery& query, const std::vector<std::string>& columns,
                                 const Bindings& bindings, const Moment& since, const Moment& until,
                                 BatchSink& sink) override {
    if (!has_rows_at_hand) return false;
    // A moment of the older state, from after its rows.
    const bool drops = fault_ == Fault::kRowsBefore;
    absl::StatusOr<bool> read = recent_->ReadAdded(query, columns, bindings, drops ? until : since, until, sink);
    if (read.ok() && *read) ++reads;
    return read;
  }

  bool has_rows_at_hand = true;  // false: new rows are read by a query
  int64_t reads = 0;             // how often rows were at hand
  int64_t queries = 0;

 private:
  absl::Status ExecuteStretch(const PreparedQuery& query, Bindings bindings, const ExecutionLimits& limits,
                              const CancellationToken& cancellation, BatchSink& sink) {
    for (size_t i = 0; i < bindings.size(); ++i) {
      const bool is_end = query.slots()[i].name == "@stretch_to" && bindings[i].int64_value() < 253'402'300'799'999'999;
      if (fault_ == Fault::kNothingCut && is_end) return absl::OkStatus();
      if (fault_ == Fault::kNoLastPlace && query.slots()[i].name == "@last_place") bindings[i] = Value::Int64(1'000);
    }
    return backend_->Execute(query, bindings, limits, cancellation, sink);
  }

  QueryBackend* const backend_;
  RecentRows* const recent_ = dynamic_cast<RecentRows*>(backend_);
  ProjectCatalogs* const by_project_ = dynamic_cast<ProjectCatalogs*>(backend_);
  const Fault fault_;
};

}  // namespace logquery

#endif  // LOGQUERY_TESTS_ENDPOINT_KEPT_FAULTS_H_
