// The query is planned like every other, so that it reads rows as the store lays them out, and only the project's.
#include "lib/endpoint/kept/time_probe.h"

#include <algorithm>
#include <memory>
#include <string>
#include <utility>

#include "absl/time/time.h"
#include "lib/base/back_quoted.h"
#include "lib/base/status_macros.h"
#include "lib/base/strings.h"
#include "lib/rewrite/resolve/resolver.h"
#include "lib/sql/parser.h"
#include "logquery/batch.h"
#include "logquery/catalog.h"

namespace logquery::endpoint {
namespace {

constexpr char kFrom[] = "from_time";
constexpr char kTo[] = "to_time";
// No definition has this revision, which plans of callers' SQL are cached by.
constexpr uint64_t kProbes = 0;
// GoogleSQL's times.
const int64_t kFirstTime = -62'135'596'800'000'000;
const int64_t kEndOfTime = 253'402'300'799'999'999;
// The distance looked at beyond a bound, so that a bound that moves a little with each call is not looked for each time.
constexpr int64_t kAhead = 15;
constexpr int64_t kLeastAhead = 60'000'000;

absl::StatusOr<std::shared_ptr<ResolvedQuery>> Resolve(const Table& table, const Catalog& catalog,
                                                       const std::string& text) {
  LOGQUERY_ASSIGN_OR_RETURN(const sql::QueryPtr query, sql::ParseQuery(text, {}));
  rewrite::ResolveOptions options;
  options.catalog = &catalog;
  options.parameters = {{kFrom, Type::Timestamp()}, {kTo, Type::Timestamp()}};
  auto resolved = std::make_shared<ResolvedQuery>();
  LOGQUERY_ASSIGN_OR_RETURN(resolved->plan, rewrite::Resolve(*query, text, options));
  resolved->endpoint_id = table.name;
  resolved->text = text;
  resolved->max_rows = 1;
  return resolved;
}

// Plans are kept beside those of callers' SQL, for as long as the catalog.
absl::StatusOr<std::shared_ptr<ResolvedQuery>> ProbeOf(const BoundCall& call, const std::string& name) {
  const Snapshot& snapshot = *call.found->snapshot;
  const Catalog& catalog = snapshot.registry->catalog();
  const Table* const table = catalog.Find(name);
  if (table == nullptr || table->time_column.empty()) return absl::NotFoundError("the table has no times");
  const std::string time = base::BackQuoted(table->time_column);
  const std::string text =
      base::StrCat("SELECT MIN(", time, ") AS first_row, MAX(", time, ") AS last_row FROM ", base::BackQuoted(name),
                   " WHERE ", time, " >= @", kFrom, " AND ", time, " < @", kTo);
  if (std::shared_ptr<ResolvedQuery> kept = snapshot.callers_sql->Find(kProbes, text)) return kept;
  LOGQUERY_ASSIGN_OR_RETURN(std::shared_ptr<ResolvedQuery> resolved, Resolve(*table, catalog, text));
  snapshot.callers_sql->Put(kProbes, text, resolved);
  return resolved;
}

std::optional<int64_t> TimeIn(const Value& value) {
  return value.is_null() ? std::nullopt : std::optional<int64_t>(value.int64_value());
}

// `time` + `more`, within the times that there are.
int64_t Add(int64_t time, int64_t more) {
  if (more > 0 && time > kEndOfTime - more) return kEndOfTime;
  if (more < 0 && time < kFirstTime - more) return kFirstTime;
  return time + more;
}

}  // namespace

absl::StatusOr<TimeProbe::Times> TimeProbe::Find(int64_t from, int64_t to,
                                                 const CancellationToken& cancellation) const {
  const RowsRead& rows = planned_.kept->rows[rows_];
  LOGQUERY_ASSIGN_OR_RETURN(const std::shared_ptr<ResolvedQuery> probe, ProbeOf(call_, rows.table));
  rewrite::ParameterValues values;
  values.insert_or_assign(kFrom, Value::Timestamp(absl::FromUnixMicros(from)));
  values.insert_or_assign(kTo, Value::Timestamp(absl::FromUnixMicros(to)));
  values.insert_or_assign(rewrite::kNowParameter, Value::Timestamp(call_.bound.now()));
  if (rows.project.has_value()) values.insert_or_assign(kScopeParameter, Value::String(*rows.project));
  if (rows.project_slot.has_value()) {
    const Value& project = planned_.bindings[*rows.project_slot];
    if (project.is_null()) return Times();
    values.insert_or_assign(kScopeParameter, project);
  }
  LOGQUERY_ASSIGN_OR_RETURN(const PlannedCall planned, planner_->Plan(*probe, std::move(values)));
  ExecutionLimits limits;
  limits.time_limit = call_.spec.time_limit;
  CollectingSink sink;
  LOGQUERY_RETURN_IF_ERROR(backend_->Execute(*planned.query, planned.bindings, limits, cancellation, sink));
  if (sink.rows().size() != 1) return absl::InternalError("an aggregate without keys gives one row");
  return Times{TimeIn(sink.rows()[0][0]), TimeIn(sink.rows()[0][1])};
}

std::optional<Stretch> TimeProbe::Extend(const Stretch& known, int64_t place,
                                         const CancellationToken& cancellation) const {
  Stretch wider = known;
  if (place > known.to) {
    // A row at the place where the bound was counts as in its way, one at its new place does not.
    const int64_t from = std::clamp(known.to, kFirstTime, kEndOfTime);
    const int64_t far = Add(place, std::max(kLeastAhead, kAhead * (place - known.to)));
    const absl::StatusOr<Times> times = Find(from, far, cancellation);
    if (!times.ok()) return std::nullopt;
    wider.to = times->first.value_or(far);
  } else if (place < known.from) {
    const int64_t far = Add(place, -std::max(kLeastAhead, kAhead * (known.from - place)));
    const absl::StatusOr<Times> times = Find(far, known.from, cancellation);
    if (!times.ok()) return std::nullopt;
    wider.from = times->last.has_value() ? *times->last + 1 : far;
  }
  return wider;
}

}  // namespace logquery::endpoint
