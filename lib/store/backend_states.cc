// The states of the rows that a query reads, and what was added between two of them.
#include <algorithm>
#include <functional>
#include <utility>

#include "absl/strings/str_split.h"
#include "lib/base/status_macros.h"
#include "lib/base/strings.h"
#include "lib/model/scope_slot.h"
#include "lib/store/backend_impl.h"
#include "lib/store/rows/added_rows.h"
#include "lib/store/store_companion.h"

namespace logquery::store {

namespace {

// The project to which every scan of the query is limited; nullopt: there is none.
std::optional<std::string> ScopeOf(const PreparedQuery& query, const Bindings& bindings) {
  std::optional<std::string> project;
  for (size_t i = 0; i < std::min(query.slots().size(), bindings.size()); ++i) {
    if (query.slots()[i].name == model::kProjectScopeSlot) project = bindings[i].string_value();
  }
  return project;
}

// The rows that the query reads; empty: it does not say which, or the slots have no values for it.
std::vector<RowsOfTable> RowsReadBy(const PreparedQuery& query, const Bindings& bindings) {
  std::vector<RowsOfTable> all;
  for (const RowsRead& read : query.rows_read()) {
    RowsOfTable rows{read.table, read.project};
    if (read.project_slot.has_value()) {
      if (*read.project_slot >= bindings.size()) return {};
      const Value& project = bindings[*read.project_slot];
      if (!project.type().is(TypeKind::kString)) return {};
      rows.project = project.is_null() ? std::nullopt : std::optional<std::string>(project.string_value());
    }
    all.push_back(std::move(rows));
  }
  return all;
}

}  // namespace

std::optional<std::string> DuckDbBackendImpl::ProjectReadBy(const PreparedQuery& query, const Bindings& bindings) {
  const std::vector<RowsOfTable> rows = RowsReadBy(query, bindings);
  return rows.size() == 1 ? rows[0].project : std::nullopt;
}

std::optional<TablesOfQuery> DuckDbBackendImpl::TablesWithMarks(const PreparedQuery& query, const Bindings& bindings,
                                                                duckdb::Engine::State& state) {
  if (receipt_key_.empty()) return std::nullopt;
  std::vector<Table> tables;
  for (const std::string& name : query.tables()) {
    Table table = tables_.FindForTimes(name);
    if (table.name.empty()) return std::nullopt;
    tables.push_back(std::move(table));
  }
  return TablesOfQuery(std::move(tables), ScopeOf(query, bindings), receipt_key_, &StoreCompanion::Of(state).marks);
}

RowsState DuckDbBackendImpl::ReadState(const PreparedQuery& query, const Bindings& bindings) {
  std::vector<RowsOfTable> rows = RowsReadBy(query, bindings);
  if (receipt_key_.empty() || rows.empty()) return {};
  const size_t read = rows.size();
  const std::optional<std::string> scope = ScopeOf(query, bindings);
  for (const std::string& table : query.tables()) rows.push_back({table, scope});
  absl::StatusOr<std::shared_ptr<duckdb::Engine::State>> state = engine_->Use();
  if (!state.ok()) return {};
  const duckdb::Epoch epoch = (*state)->pool.version().ReadEpoch();
  if (!epoch.settled) return {};
  std::vector<std::string> marks = CurrentMarks((*state)->pool, StoreCompanion::Of(**state).marks, rows);
  if (marks.size() != rows.size()) return {};
  if (std::any_of(marks.begin(), marks.end(), [](const std::string& mark) { return mark.empty(); })) return {};
  RowsState now;
  now.epoch = base::StrCat(epoch.opening, ".", epoch.number);
  now.text = now.epoch;
  for (size_t i = 0; i < read; ++i) base::StrAppend(&now.text, " ", marks[i]);
  for (size_t i = read; i < rows.size(); ++i) now.marks.push_back({rows[i].table, std::move(marks[i])});
  now.marks.push_back({"", receipt_key_});
  return now;
}

namespace {

// For each of the rows that the query reads, the number of a change: none of a later one is part of the moment. Empty: the
// moment is not one of such a query.
std::vector<int64_t> NumbersIn(const RecentRows::Moment& moment) {
  const std::vector<std::string> completed = absl::StrSplit(moment.completed, ' ', absl::SkipEmpty());
  // The epoch, then the marks.
  const std::vector<std::string> state = absl::StrSplit(moment.state, ' ', absl::SkipEmpty());
  if (state.size() != completed.size() + 1) return {};
  std::vector<int64_t> numbers;
  for (size_t i = 0; i < completed.size(); ++i) {
    numbers.push_back(std::max(NumberOfMark(completed[i]), NumberOfMark(state[i + 1])));
  }
  return numbers;
}

bool IsProject(const Table& table, const std::vector<std::string>& path) {
  if (table.project_path.empty()) return false;
  if (path == table.project_path) return true;
  return path.size() == 1 && std::any_of(table.hot_columns.begin(), table.hot_columns.end(), [&](const HotColumn& hot) {
           return hot.holds == HotColumn::Holds::kValue && hot.column == path[0] && hot.path == table.project_path;
         });
}

// Narrows the wanted rows to those for which the condition holds; false: only the engine can tell.
bool Narrow(const Table& table, const TableHints::Condition& condition, const Bindings& bindings, WantedRows& wanted) {
  using Comparison = TableHints::Comparison;
  if (condition.slot.has_value() && *condition.slot >= bindings.size()) return false;
  const Value& value = condition.slot.has_value() ? bindings[*condition.slot] : condition.value;
  if (value.is_null()) return false;
  if (IsProject(table, condition.path)) {
    return condition.comparison == Comparison::kEqual && value.type().is(TypeKind::kString) &&
           wanted.project == value.string_value();
  }
  const bool is_time = condition.path.size() == 1 && condition.path[0] == table.time_column;
  if (!is_time || !value.type().is(TypeKind::kTimestamp)) return false;
  const int64_t time = value.int64_value();
  switch (condition.comparison) {
    case Comparison::kEqual:
      return false;
    case Comparison::kGreater:
    case Comparison::kGreaterOrEqual:
      wanted.from = std::max(wanted.from, condition.comparison == Comparison::kGreater ? time + 1 : time);
      return true;
    case Comparison::kLess:
    case Comparison::kLessOrEqual:
      wanted.to = std::min(wanted.to, condition.comparison == Comparison::kLess ? time - 1 : time);
      return true;
  }
  return false;
}

}  // namespace

std::string DuckDbBackendImpl::Completed(const PreparedQuery& query, const Bindings& bindings) {
  const absl::StatusOr<std::shared_ptr<duckdb::Engine::State>> state = engine_->Use();
  std::string completed;
  if (!state.ok()) return completed;
  for (const RowsOfTable& rows : RowsReadBy(query, bindings)) {
    base::StrAppend(&completed, completed.empty() ? "" : " ", StoreCompanion::Of(**state).marks.Completed(rows.table));
  }
  return completed;
}

std::optional<absl::Time> DuckDbBackendImpl::EarliestAdded(const PreparedQuery& query, const Bindings& bindings,
                                                           const Moment& since) {
  const std::vector<RowsOfTable> rows = RowsReadBy(query, bindings);
  const std::vector<int64_t> numbers = NumbersIn(since);
  if (rows.empty() || numbers.size() != rows.size()) return std::nullopt;
  const absl::StatusOr<std::shared_ptr<duckdb::Engine::State>> state = engine_->Use();
  if (!state.ok()) return std::nullopt;
  int64_t earliest = RecentChanges::kNoRow;
  for (size_t i = 0; i < rows.size(); ++i) {
    const std::optional<int64_t> time = StoreCompanion::Of(**state).marks.EarliestAfter(rows[i], numbers[i]);
    if (!time) return std::nullopt;
    earliest = std::min(earliest, *time);
  }
  if (earliest == RecentChanges::kNoRow) return absl::InfiniteFuture();
  return earliest == RowChange::kAnyTime ? absl::InfinitePast() : absl::FromUnixMicros(earliest);
}

absl::StatusOr<bool> DuckDbBackendImpl::ReadAdded(const PreparedQuery& query, const std::vector<std::string>& columns,
                                                  const Bindings& bindings, const Moment& since, const Moment& until,
                                                  BatchSink& sink) {
  const std::vector<RowsOfTable> rows = RowsReadBy(query, bindings);
  const std::vector<int64_t> after = NumbersIn(since), last = NumbersIn(until);
  if (rows.size() != 1 || after.size() != 1 || last.size() != 1) return false;
  if (columns.empty() || query.hints().size() != 1 || !query.top_n_by_time()) return false;
  const Table table = tables_.FindForTimes(rows[0].table);
  if (table.name.empty()) return false;
  WantedRows wanted{query.schema(), columns, rows[0].project};
  for (const TableHints::Condition& condition : query.hints()[0].conditions) {
    if (!Narrow(table, condition, bindings, wanted)) return false;
  }
  LOGQUERY_ASSIGN_OR_RETURN(const std::shared_ptr<duckdb::Engine::State> state, engine_->Use());
  const std::optional<RecentChanges::Rows> added =
      StoreCompanion::Of(*state).marks.RowsBetween(rows[0], after[0], last[0]);
  if (!added) return false;
  std::vector<int64_t> times;
  for (const std::shared_ptr<const AddedRows>& change : *added) {
    if (!change->Has(wanted)) return false;
    change->FindTimes(wanted, times);
  }
  // Rows before the last one of as many as the query may return are not part of its answer.
  if (const auto limit = static_cast<size_t>(query.top_n_by_time()->limit); limit > 0 && times.size() > limit) {
    std::nth_element(times.begin(), times.begin() + static_cast<std::ptrdiff_t>(limit) - 1, times.end(),
                     std::greater<>());
    wanted.from = std::max(wanted.from, times[limit - 1]);
  }
  for (const std::shared_ptr<const AddedRows>& change : *added) {
    LOGQUERY_RETURN_IF_ERROR(change->Read(wanted, [&](const Batch& batch) { return sink.Append(batch); }));
  }
  return true;
}

}  // namespace logquery::store
