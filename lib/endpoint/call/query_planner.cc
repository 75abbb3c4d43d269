// Runs the passes for each variant of a resolved query, and caches the variants.
#include "lib/endpoint/call/query_planner.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "absl/time/time.h"
#include "lib/base/limits.h"
#include "lib/base/status_macros.h"
#include "lib/base/strings.h"
#include "lib/emit/dialects.h"
#include "lib/endpoint/call/emit_placed.h"
#include "lib/endpoint/call/explain.h"
#include "lib/endpoint/call/query_hints.h"
#include "lib/endpoint/kept/group_plan.h"
#include "lib/rewrite/passes/group_parts.h"
#include "lib/rewrite/passes/kept_shape.h"
#include "lib/rewrite/passes/new_rows.h"
#include "lib/rewrite/passes/redaction.h"
#include "lib/rewrite/passes/scan_hints.h"
#include "lib/rewrite/plan_walk.h"
#include "lib/rewrite/tables_read.h"
#include "logquery/error.h"

namespace logquery::endpoint {
namespace {

using base::StrCat;
using rewrite::QueryPlan;

// 0001-01-01, the earliest there is.
constexpr absl::Time kEarliestTimestamp = absl::FromUnixSeconds(-62'135'596'800);

bool HavePlainTexts(const rewrite::ParameterValues& values, const Redactor& redactor) {
  return std::all_of(values.begin(), values.end(), [&](const auto& named) {
    const auto& [name, value] = named;
    const bool is_text = name[0] != '@' && value.type().is(TypeKind::kString) && !value.is_null();
    return !is_text || rewrite::IsUnredacted(value.string_value(), redactor);
  });
}

// The approximate size of a value's texts and elements.
int64_t BytesOf(const Value& value) {
  int64_t bytes = static_cast<int64_t>(sizeof(Value));
  if (value.is_null()) return bytes;
  if (value.type().is(TypeKind::kString) || value.type().is(TypeKind::kBytes) || value.type().is(TypeKind::kJson)) {
    bytes += static_cast<int64_t>(value.string_value().size());
  } else if (value.type().is_array()) {
    for (const Value& element : value.children()) bytes += BytesOf(element);
  }
  return bytes;
}

}  // namespace

rewrite::PassContext QueryPlanner::ContextOf(const ResolvedQuery& resolved, const rewrite::ParameterValues* values,
                                             Additions additions) const {
  static const std::string* const scope = new std::string(kScopeParameter);
  rewrite::PassContext context;
  context.values = values;
  context.max_rows = resolved.max_rows;
  context.project_scope_parameter = additions.scope ? scope : nullptr;
  context.after_cursor = additions.after_cursor;
  context.redaction = additions.redaction ? &resolved.redaction : nullptr;
  context.plain_parameters = additions.plain;
  context.finishes_rows = finishes_rows_ && !additions.whole;
  if (additions.underived) context.without = {"bind_computed"};
  return context;
}

QueryPlanner::Additions QueryPlanner::AdditionsOf(const rewrite::ParameterValues& values, const Redactor* redactor) {
  Additions additions;
  additions.scope = values.contains(std::string_view(kScopeParameter));
  additions.after_cursor = values.contains(std::string_view(rewrite::kCursorTimeParameter));
  additions.new_rows = values.contains(std::string_view(rewrite::kAbovePlace));
  additions.redaction = redactor != nullptr;
  additions.plain = redactor != nullptr && HavePlainTexts(values, *redactor);
  return additions;
}

const std::vector<rewrite::Pass>& QueryPlanner::Passes() const {
  return fragments_ != nullptr ? rewrite::SharedPasses() : emit::PassesOf(dialect_);
}

absl::StatusOr<std::vector<std::pair<std::string, std::string>>> QueryPlanner::PassTexts(
    const ResolvedQuery& resolved, const rewrite::ParameterValues& values, const Redactor* redactor) const {
  QueryPlan plan = rewrite::CopyPlan(resolved.plan);
  rewrite::PassContext context = ContextOf(resolved, &values, AdditionsOf(values, redactor));
  std::vector<std::pair<std::string, std::string>> texts;
  KeepTexts(context, texts);
  LOGQUERY_RETURN_IF_ERROR(rewrite::RunPasses(Passes(), context, plan));
  return texts;
}

absl::StatusOr<std::shared_ptr<PlanVariant>> QueryPlanner::MakeVariant(const ResolvedQuery& resolved,
                                                                       const rewrite::ParameterValues* values,
                                                                       Additions additions) const {
  QueryPlan plan = rewrite::CopyPlan(resolved.plan);
  const rewrite::PassContext context = ContextOf(resolved, values, additions);
  PreparedQuery::Parts parts;
  emit::EmittedQuery emitted;
  if (const absl::Status done = rewrite::RunPasses(Passes(), context, plan); !done.ok()) {
    return plan.failed.has_value() ? PlaceError(done, *plan.failed, resolved.text) : done;
  }
  const std::string place(emit::SqlOf(dialect_)->RowPlace());
  const bool merges = fragments_ == nullptr && !place.empty() && rewrite::MayMergeNewRows(plan);
  const std::optional<rewrite::NewestRows> newest = plan.newest;
  if (additions.new_rows) {
    if (!merges) return absl::InternalError("new rows can't be told from others in this query");
    rewrite::AnyOrder(plan);
    rewrite::OnlyNewRows(place, plan);
  }
  if (!redacts_ && rewrite::HoldsRedaction(plan)) {
    return absl::PermissionDeniedError(
        "this call must be redacted, and the backend can't redact text while a query runs");
  }
  if (fragments_ != nullptr) {
    const split::Extent extent = additions.bare_scans ? split::Extent::kBareScans : split::Extent::kAll;
    LOGQUERY_ASSIGN_OR_RETURN(split::SplitText split,
                              EmitSplitPlaced(plan, *fragments_, dialect_, resolved.text, extent));
    emitted = std::move(split.rest);
    parts.fragments = std::move(split.fragments);
    parts.pass_through = std::move(split.pass_through);
  } else {
    LOGQUERY_ASSIGN_OR_RETURN(emitted, EmitPlaced(plan, dialect_, resolved.text));
  }
  parts.endpoint_id = resolved.endpoint_id;
  if (dialect_ != Dialect::kGoogleSql && googlesql_) {
    // Beside the dialect's text: what GoogleSQL can't spell does not stop the query.
    absl::StatusOr<emit::EmittedQuery> googlesql = emit::Emit(plan, Dialect::kGoogleSql);
    if (googlesql.ok()) parts.googlesql = std::move(googlesql->text);
  } else if (dialect_ == Dialect::kGoogleSql) {
    parts.googlesql = emitted.text;
  }
  parts.dialect_text = std::move(emitted.text);
  parts.slots = std::move(emitted.slots);
  parts.schema = plan.schema;
  parts.tables = rewrite::TablesRead(plan);
  auto variant = std::make_shared<PlanVariant>();
  if (fragments_ == nullptr) {
    KeptPlan kept = MakeKeptPlan(rewrite::FindKeptShape(plan), parts.slots);
    kept.merges = kept.keeps && merges;
    parts.rows_read = kept.rows;
    if (plan.newest) parts.top_n_by_time = NewestHint(*plan.newest, parts.slots);
    if (parts.top_n_by_time) parts.packed = std::move(emitted.packed);
    parts.hints = HintsOf(plan, parts.slots);
    if (kept.merges && parts.hints.size() == 1 && parts.hints[0].newest_suffice) {
      kept.plain_columns = rewrite::FindPlainColumns(plan);
    }
    variant->kept = std::make_shared<const KeptPlan>(std::move(kept));
    if (variant->kept->keeps && !place.empty())
      variant->groups = GroupPlan::Find(plan, resolved.endpoint_id, dialect_, place);
  }
  variant->query = std::make_shared<const PreparedQuery>(std::move(parts));
  variant->finish = RowFinish::Of(plan);
  variant->derived = std::move(plan.derived);
  if (newest) variant->page = newest->page;
  return variant;
}

absl::StatusOr<std::shared_ptr<const PreparedQuery>> QueryPlanner::PlanLastPlace(const Table& table) const {
  rewrite::QueryPlan plan = rewrite::PlanLastPlace(table, std::string(emit::SqlOf(dialect_)->RowPlace()));
  LOGQUERY_RETURN_IF_ERROR(rewrite::RunPasses(Passes(), rewrite::PassContext(), plan));
  LOGQUERY_ASSIGN_OR_RETURN(emit::EmittedQuery emitted, EmitPlaced(plan, dialect_, ""));
  PreparedQuery::Parts parts;
  parts.dialect_text = std::move(emitted.text);
  parts.slots = std::move(emitted.slots);
  parts.schema = plan.schema;
  parts.tables = {table.name};
  return std::make_shared<const PreparedQuery>(std::move(parts));
}

absl::StatusOr<std::optional<std::string>> QueryPlanner::SteeringOutcomes(
    const ResolvedQuery& resolved, const rewrite::ParameterValues& values) const {
  if (!resolved.steering.has_value()) return std::nullopt;
  std::string outcomes;
  rewrite::EvaluationBudget budget;
  for (const rewrite::Scalar* predicate : *resolved.steering) {
    const absl::StatusOr<Value> outcome = rewrite::Evaluate(*predicate, values, buckets_, budget);
    if (absl::IsResourceExhausted(outcome.status())) return std::nullopt;
    if (!outcome.ok()) return outcome.status();
    outcomes += outcome->is_null() ? 'n' : outcome->bool_value() ? 't' : 'f';
  }
  return outcomes;
}

absl::StatusOr<std::shared_ptr<const PlanVariant>> QueryPlanner::Variant(ResolvedQuery& resolved,
                                                                         const rewrite::ParameterValues& values,
                                                                         Additions additions) const {
  const std::string kind =
      StrCat(additions.scope ? "s" : "-", additions.after_cursor ? "c" : "-", additions.redaction ? "r" : "-",
             additions.plain ? "p" : "", additions.underived ? "u" : "-", additions.bare_scans ? "b" : "",
             additions.new_rows ? "+" : "", additions.whole ? "w" : "");
  const std::string unfolded = kind + " unfolded";
  LOGQUERY_ASSIGN_OR_RETURN(const std::optional<std::string> outcomes, SteeringOutcomes(resolved, values));
  const std::string key = outcomes.has_value() ? kind + *outcomes : unfolded;
  bool full = !outcomes.has_value();
  {
    absl::MutexLock lock(&resolved.mutex);
    auto found = resolved.variants.find(key);
    if (found != resolved.variants.end()) return found->second;
    full = full || resolved.variants.size() >= kMaxVariants;
    if (full && (found = resolved.variants.find(unfolded)) != resolved.variants.end()) return found->second;
  }
  // Two calls may make the same variant at one time: both are right, and the first one stays.
  LOGQUERY_ASSIGN_OR_RETURN(std::shared_ptr<PlanVariant> variant,
                            MakeVariant(resolved, full ? nullptr : &values, additions));
  variant->name = full ? unfolded : key;
  absl::MutexLock lock(&resolved.mutex);
  return resolved.variants.try_emplace(full ? unfolded : key, std::move(variant)).first->second;
}

absl::Status QueryPlanner::Derive(const PlanVariant& variant, rewrite::ParameterValues& values) const {
  int64_t bytes = 0;
  rewrite::EvaluationBudget budget;
  for (const rewrite::DerivedParameter& derived : variant.derived) {
    LOGQUERY_ASSIGN_OR_RETURN(Value value, rewrite::Evaluate(*derived.value, values, buckets_, budget));
    bytes += BytesOf(value);
    if (bytes > base::kMaxGrownVectorBytes)
      return absl::InvalidArgumentError("too many bytes for values that are bound");
    values.insert_or_assign(derived.name, std::move(value));
  }
  return absl::OkStatus();
}

absl::StatusOr<PlannedCall> QueryPlanner::Plan(ResolvedQuery& resolved, rewrite::ParameterValues values,
                                               const Redactor* redactor, bool bare_scans, bool whole) const {
  Additions additions = AdditionsOf(values, redactor);
  additions.bare_scans = bare_scans;
  additions.whole = whole;
  LOGQUERY_ASSIGN_OR_RETURN(std::shared_ptr<const PlanVariant> variant, Variant(resolved, values, additions));
  if (const absl::Status derived = Derive(*variant, values); !derived.ok()) {
    if (!absl::IsInvalidArgument(derived) && !absl::IsResourceExhausted(derived)) return derived;
    // It is an error only if a row gets there, which the engine finds out. It also counts the memory of what is large, and ends at
    // the deadline what takes long.
    additions.underived = true;
    absl::StatusOr<std::shared_ptr<const PlanVariant>> underived = Variant(resolved, values, additions);
    if (!underived.ok()) return derived;
    variant = *std::move(underived);
  }
  values.insert_or_assign(rewrite::kFloorParameter, Value::Timestamp(kEarliestTimestamp));
  PlannedCall call;
  call.query = variant->query;
  call.variant = variant->name;
  call.page = variant->page;
  call.kept = variant->kept;
  call.groups = variant->groups;
  call.finish = variant->finish;
  for (const Slot& slot : variant->query->slots()) {
    auto found = values.find(std::string_view(slot.name));
    if (found == values.end()) return absl::InternalError(base::StrCat("the slot ", slot.name, " has no value"));
    call.bindings.push_back(found->second);
  }
  return call;
}

}  // namespace logquery::endpoint
