// If a query reads only some elements of APPROX_QUANTILES(x, 100), each by a constant [OFFSET(i)], replaces it by one
// aggregate per element: an engine then computes two quantiles instead of a hundred and one (measured: 45 → 28 ms).
#include <algorithm>
#include <map>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/container/flat_hash_set.h"
#include "lib/rewrite/passes/pass.h"
#include "lib/rewrite/passes/subplans.h"
#include "lib/rewrite/plan_walk.h"
#include "lib/rewrite/scalars.h"

namespace logquery::rewrite {
namespace {

struct Candidate {
  Aggregate* aggregate = nullptr;
  int64_t quantiles = 0;
  int other_reads = 0;                     // of the array, but for constant elements
  std::map<int64_t, PlanColumn> elements;  // by offset: the columns that take the array's place
};
using Candidates = absl::flat_hash_map<ColumnId, Candidate>;

// The number of quantiles, where the call is plain enough to be taken apart; 0 otherwise.
int64_t QuantilesOf(const AggregateCall& call) {
  if (std::string_view(call.overload->row->name) != "APPROX_QUANTILES" || call.distinct || call.respect_nulls ||
      call.having != nullptr || call.safe || !call.order_by.empty() || call.limit != nullptr) {
    return 0;
  }
  const Constant* count = If<Constant>(call.arguments[1].get());
  return count != nullptr && !count->value.is_null() ? count->value.int64_value() : 0;
}

Candidates Find(Plan& root) {
  Candidates candidates;
  VisitPlans(root, [&](Plan& plan) {
    Aggregate* aggregate = If<Aggregate>(&plan);
    if (aggregate == nullptr) return;
    for (const Aggregate::Call& call : aggregate->calls) {
      if (const int64_t n = QuantilesOf(call.call); n > 0) candidates[call.column.id] = {aggregate, n, 0, {}};
    }
  });
  return candidates;
}

// A constant element of a candidate's array: its place among the candidates and the offset.
Candidate* ElementRead(const Scalar& scalar, Candidates& candidates, int64_t& offset) {
  const FunctionCall* call = If<FunctionCall>(&scalar);
  if (call == nullptr || call->arguments.size() != 2) return nullptr;
  const ColumnRef* array = If<ColumnRef>(call->arguments[0].get());
  const Constant* index = If<Constant>(call->arguments[1].get());
  if (array == nullptr || index == nullptr || index->value.is_null()) return nullptr;
  auto found = candidates.find(array->id);
  if (found == candidates.end()) return nullptr;
  const bool plain = IsCallOf(scalar, "$at_offset") || IsCallOf(scalar, "$safe_at_offset");
  const bool ordinal = IsCallOf(scalar, "$at_ordinal") || IsCallOf(scalar, "$safe_at_ordinal");
  if (!plain && !ordinal) return nullptr;
  offset = index->value.int64_value() - (ordinal ? 1 : 0);
  return offset >= 0 && offset <= found->second.quantiles ? &found->second : nullptr;
}

// Drops candidates whose array is also read in other ways: by an expression, or as a column of a result.
void DropOthers(Plan& root, Candidates& candidates) {
  VisitScalars(root, [&](const Scalar& scalar) {
    if (const ColumnRef* column = If<ColumnRef>(&scalar)) {
      const auto found = candidates.find(column->id);
      if (found != candidates.end()) ++found->second.other_reads;
    }
    int64_t offset = 0;
    if (Candidate* candidate = ElementRead(scalar, candidates, offset)) --candidate->other_reads;
  });
  auto drop = [&](const Plan& plan) {
    for (const PlanColumn& column : plan.columns) candidates.erase(column.id);
  };
  drop(root);
  VisitPlans(root, [&](Plan& plan) {
    if (const SetOperationPlan* set = If<SetOperationPlan>(&plan)) {
      for (const PlanPtr& input : set->inputs) drop(*input);
    }
    if (const With* with = If<With>(&plan)) {
      for (const WithEntry& entry : with->entries) drop(*entry.plan);
    }
    ForEachSubplan(plan, [&](PlanPtr& subplan) { drop(*subplan); });
  });
  absl::erase_if(candidates, [](const auto& each) { return each.second.other_reads != 0; });
}

// An engine that gets all quantiles in one call sorts the values once.
AggregateCall QuantileCall(const AggregateCall& array, int64_t offset, const std::map<int64_t, PlanColumn>& all) {
  AggregateCall call = CloneCall(array);
  call.overload = &FindFunction("$quantile")->overloads.front();
  call.arguments.push_back(std::make_unique<Constant>(Value::Int64(offset)));
  if (all.size() == 1) return call;
  for (const auto& [each, column] : all) call.arguments.push_back(std::make_unique<Constant>(Value::Int64(each)));
  return call;
}

// The calls themselves, and every projection that hands the array on.
void Replace(Plan& plan, const Candidates& candidates) {
  const bool is_about_any = std::any_of(plan.columns.begin(), plan.columns.end(),
                                        [&](const PlanColumn& column) { return candidates.contains(column.id); });
  if (!is_about_any) return;
  if (Aggregate* aggregate = If<Aggregate>(&plan)) {
    std::vector<Aggregate::Call> calls;
    calls.reserve(aggregate->calls.size());
    for (Aggregate::Call& call : aggregate->calls) {
      auto found = candidates.find(call.column.id);
      if (found == candidates.end()) {
        calls.push_back(std::move(call));
        continue;
      }
      for (const auto& [offset, column] : found->second.elements) {
        calls.push_back({column, QuantileCall(call.call, offset, found->second.elements)});
      }
    }
    aggregate->calls = std::move(calls);
  }
  if (plan.kind != PlanKind::kProject) return;
  std::vector<PlanColumn> columns;
  columns.reserve(plan.columns.size());
  for (PlanColumn& column : plan.columns) {
    auto found = candidates.find(column.id);
    if (found == candidates.end()) {
      columns.push_back(std::move(column));
      continue;
    }
    for (const auto& [offset, element] : found->second.elements) columns.push_back(element);
  }
  plan.columns = std::move(columns);
}

}  // namespace

absl::Status NarrowQuantiles(const PassContext&, QueryPlan& query) {
  Candidates candidates = Find(*query.root);
  if (candidates.empty()) return absl::OkStatus();
  DropOthers(*query.root, candidates);
  if (candidates.empty()) return absl::OkStatus();
  absl::Status status = RewriteScalars(query.root, [&](ScalarPtr& scalar) {
    int64_t offset = 0;
    Candidate* candidate = ElementRead(*scalar, candidates, offset);
    if (candidate == nullptr) return absl::OkStatus();
    auto [place, fresh] = candidate->elements.try_emplace(offset);
    if (fresh) place->second = query.NewColumn(base::StrCat("quantile_", offset), scalar->type);
    sql::Span span = scalar->span;
    scalar = std::make_unique<ColumnRef>(place->second);
    scalar->span = span;
    return absl::OkStatus();
  });
  VisitPlans(*query.root, [&](Plan& plan) { Replace(plan, candidates); });
  RefreshColumns(*query.root);
  return status;
}

}  // namespace logquery::rewrite
