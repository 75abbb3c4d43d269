// Finds the aggregate over the only scan, and follows its keys down to the column of the rows' time.
#include "lib/rewrite/passes/group_parts.h"

#include <algorithm>
#include <array>
#include <memory>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/functional/function_ref.h"
#include "lib/base/strings.h"
#include "lib/rewrite/passes/new_rows.h"
#include "lib/rewrite/plan_walk.h"
#include "lib/rewrite/scalars.h"

namespace logquery::rewrite {
namespace {

// The origin of a column of a chain of nodes: a computed value over the columns of `input`, or a scan.
struct Origin {
  const Scalar* value = nullptr;
  const Plan* input = nullptr;
  const TableScan* scan = nullptr;
  size_t index = 0;  // in the scan's columns
};

// The node that a node of a chain reads; nullptr: it is a scan, or something that a chain does not have.
const Plan* InputOf(const Plan& plan) {
  if (const auto* project = If<Project>(&plan)) return project->input.get();
  if (const auto* filter = If<Filter>(&plan)) return filter->input.get();
  if (const auto* unnest = If<Unnest>(&plan)) return unnest->input.get();
  return nullptr;
}

Origin OriginOf(ColumnId id, const Plan& plan) {
  for (const Plan* node = &plan; node != nullptr; node = InputOf(*node)) {
    if (const auto* project = If<Project>(node)) {
      for (const Computed& computed : project->computed) {
        if (computed.column.id == id) return {computed.value.get(), project->input.get()};
      }
    } else if (const auto* scan = If<TableScan>(node)) {
      for (size_t i = 0; i < scan->columns.size(); ++i) {
        if (scan->columns[i].id == id) return {nullptr, nullptr, scan, i};
      }
    }
  }
  return {};
}

// The scan's column of the rows' time, if the scalar is it.
std::optional<ColumnId> TimeOf(const Scalar& scalar, const Plan& input) {
  if (IsCallOf(scalar, "$pin")) return TimeOf(*As<FunctionCall>(scalar).arguments[0], input);
  const auto* column = If<ColumnRef>(&scalar);
  if (column == nullptr) return std::nullopt;
  const Origin origin = OriginOf(column->id, input);
  if (origin.value != nullptr) return TimeOf(*origin.value, *origin.input);
  if (origin.scan == nullptr || !scalar.type.is(TypeKind::kTimestamp)) return std::nullopt;
  const bool is_time = base::EqualsIgnoreCase(origin.scan->storage[origin.index], origin.scan->table->time_column);
  return is_time ? std::optional<ColumnId>(origin.scan->columns[origin.index].id) : std::nullopt;
}

bool IsUtc(const FunctionCall& call, size_t argument) {
  if (call.arguments.size() <= argument) return true;
  const Value* const zone = ConstantArgument(call, argument);
  return zone != nullptr && zone->string_value() == "UTC";
}

bool ReadsRows(const Scalar& scalar) {
  bool has_subquery = false;
  VisitScalars(scalar, [&](const Scalar& s) { has_subquery = has_subquery || s.kind == ScalarKind::kSubquery; });
  return has_subquery || !ReferencedColumns(scalar).empty();
}

bool IsNull(const Scalar& scalar) {
  const Scalar* value = &scalar;
  while (const auto* cast = If<Cast>(value)) value = cast->operand.get();
  const auto* constant = If<Constant>(value);
  return constant != nullptr && constant->value.is_null();
}

// DATETIME or DATE of a time in UTC.
const Scalar* InUtc(const Scalar& scalar) {
  if (!IsCallOf(scalar, "DATETIME") && !IsCallOf(scalar, "DATE")) return nullptr;
  const auto& call = As<FunctionCall>(scalar);
  const bool is_of_time = !call.arguments.empty() && call.arguments[0]->type.is(TypeKind::kTimestamp);
  return is_of_time && call.arguments.size() <= 2 && IsUtc(call, 1) ? call.arguments[0].get() : nullptr;
}

// The time that a function with kStretches returns the stretch of, in UTC.
const Scalar* InStretch(const Scalar& scalar) {
  const auto* call = If<FunctionCall>(&scalar);
  if (call == nullptr || call->safe || (call->overload->row->flags & kStretches) == 0) return nullptr;
  for (size_t i = 1; i < call->arguments.size(); ++i) {
    if (ConstantArgument(*call, i) == nullptr) return nullptr;
  }
  return IsUtc(*call, call->arguments.size() - 1) ? call->arguments[0].get() : nullptr;
}

// The column of the rows' time, if the scalar is the first moment of a stretch around it: a truncation of it, its DATE, or
// a choice among such that rows do not decide. Zones other than UTC repeat hours, so that their stretches overlap.
std::optional<ColumnId> BucketOf(const Scalar& scalar, const Plan& input);

// Both branches must be buckets of one column, or NULL.
bool JoinsBucket(const Scalar& branch, const Plan& input, std::optional<ColumnId>& time) {
  if (IsNull(branch)) return true;
  const std::optional<ColumnId> found = BucketOf(branch, input);
  if (!found || (time && *time != *found)) return false;
  time = found;
  return true;
}

std::optional<ColumnId> BucketOf(const Scalar& scalar, const Plan& input) {
  if (const auto* column = If<ColumnRef>(&scalar)) {
    const Origin origin = OriginOf(column->id, input);
    return origin.value != nullptr ? BucketOf(*origin.value, *origin.input) : TimeOf(scalar, input);
  }
  if (const auto* choice = If<Case>(&scalar)) {
    if (choice->operand != nullptr && ReadsRows(*choice->operand)) return std::nullopt;
    std::optional<ColumnId> time;
    for (const Case::When& when : choice->whens) {
      if (ReadsRows(*when.condition) || !JoinsBucket(*when.result, input, time)) return std::nullopt;
    }
    return JoinsBucket(*choice->otherwise, input, time) ? time : std::nullopt;
  }
  if (const Scalar* const time = InUtc(scalar)) return BucketOf(*time, input);
  if (const Scalar* const time = InStretch(scalar)) return TimeOf(*time, input);
  if (!IsCallOf(scalar, "TIMESTAMP_TRUNC") && !IsCallOf(scalar, "DATETIME_TRUNC")) return std::nullopt;
  const auto& call = As<FunctionCall>(scalar);
  if (ConstantArgument(call, 1) == nullptr || !IsUtc(call, 2)) return std::nullopt;
  // Not of a truncation: weeks do not begin with months.
  const Scalar* const local = InUtc(*call.arguments[0]);
  return TimeOf(local != nullptr ? *local : *call.arguments[0], input);
}

bool IsPlainType(const Type& type) {
  switch (type.kind()) {
    case TypeKind::kBool:
    case TypeKind::kInt64:
    case TypeKind::kFloat64:
    case TypeKind::kNumeric:
    case TypeKind::kString:
    case TypeKind::kBytes:
    case TypeKind::kDate:
    case TypeKind::kTime:
    case TypeKind::kDatetime:
    case TypeKind::kTimestamp:
      return true;
    default:
      return false;
  }
}

// Returns whether the aggregate shows some of its rows, and the rows do not determine which.
bool ShowsSomeRow(const Aggregate::Call& call) {
  constexpr std::array<std::string_view, 3> kNames = {"ANY_VALUE", "STRING_AGG", "ARRAY_AGG"};
  return std::find(kNames.begin(), kNames.end(), call.call.overload->row->name) != kNames.end();
}

// Returns whether the aggregate reads a scan through projections, filters and arrays of the rows alone.
bool ReadsOneScan(const Aggregate& aggregate) {
  const Plan* node = aggregate.input.get();
  while (const Plan* input = InputOf(*node)) node = input;
  bool row_by_row = node->kind == PlanKind::kTableScan;
  VisitScalars(aggregate,
               [&](const Scalar& scalar) { row_by_row = row_by_row && scalar.kind != ScalarKind::kSubquery; });
  return row_by_row;
}

// nullopt: the aggregate's values over two sets of rows do not determine the one over both.
std::optional<Merging> MergingOf(const AggregateCall& call, const Type& type) {
  if (call.distinct || call.safe || call.having != nullptr || call.limit != nullptr || !call.order_by.empty()) {
    return std::nullopt;
  }
  const std::string_view name = call.overload->row->name;
  if (name == "COUNT" || name == "COUNTIF") return Merging::kCount;
  if (name == "SUM" && type.is(TypeKind::kInt64)) return Merging::kSum;
  if (name == "LOGICAL_AND") return Merging::kAnd;
  if (name == "LOGICAL_OR") return Merging::kOr;
  if (name != "MIN" && name != "MAX") return std::nullopt;
  switch (type.kind()) {
    case TypeKind::kInt64:
    case TypeKind::kDate:
    case TypeKind::kDatetime:
    case TypeKind::kTimestamp:
      return name == "MIN" ? Merging::kLeast : Merging::kGreatest;
    default:
      return std::nullopt;
  }
}

std::vector<Merging> MergingOf(const Aggregate& aggregate) {
  std::vector<Merging> merging;
  for (const Computed& key : aggregate.keys) {
    // Floating point numbers have equal values that differ, and unequal ones in one group.
    if (key.column.type.is(TypeKind::kFloat64)) return {};
    merging.push_back(Merging::kEqual);
  }
  for (const Aggregate::Call& call : aggregate.calls) {
    const std::optional<Merging> found = MergingOf(call.call, call.column.type);
    if (!found) return {};
    merging.push_back(*found);
  }
  return merging;
}

struct Bucket {
  size_t key = 0;
  ColumnId time = 0;
};

std::optional<Bucket> FindBucket(const Aggregate& aggregate) {
  if (!aggregate.grouping_sets.empty() || !aggregate.groupings.empty() || !ReadsOneScan(aggregate)) return std::nullopt;
  for (const PlanColumn& column : aggregate.columns) {
    if (!IsPlainType(column.type)) return std::nullopt;
  }
  if (std::any_of(aggregate.calls.begin(), aggregate.calls.end(), ShowsSomeRow)) return std::nullopt;
  for (size_t i = 0; i < aggregate.keys.size(); ++i) {
    const std::optional<ColumnId> time = BucketOf(*aggregate.keys[i].value, *aggregate.input);
    if (time) return Bucket{i, *time};
  }
  return std::nullopt;
}

// SELECT each field FROM UNNEST(@groups)
PlanPtr ReadGroups(const std::vector<PlanColumn>& columns, GroupParts& parts) {
  auto unnest = std::make_unique<Unnest>(std::make_unique<SingleRow>());
  unnest->arrays.push_back(std::make_unique<ParameterRef>(kGroupsParameter, parts.type));
  const PlanColumn group = parts.rest.NewColumn("group", parts.type.element());
  unnest->elements = {group};
  unnest->columns = {group};
  unnest->may_hold_subqueries = false;
  auto project = std::make_unique<Project>(std::move(unnest));
  for (size_t i = 0; i < columns.size(); ++i) {
    project->computed.push_back(
        {columns[i], std::make_unique<FieldRef>(std::make_unique<ColumnRef>(group), static_cast<int>(i))});
  }
  project->columns = columns;
  project->may_hold_subqueries = false;
  return project;
}

void SetGroups(PlanPtr& node, const Bucket& bucket, GroupParts& parts) {
  const std::vector<PlanColumn> columns = node->columns;
  std::vector<Field> fields;
  for (size_t i = 0; i < columns.size(); ++i) {
    fields.push_back({base::StrCat("c", i), columns[i].type});
    parts.groups.schema.push_back({base::StrCat("c", i), columns[i].type});
  }
  parts.type = Type::Array(Type::Struct(std::move(fields)));
  parts.groups.root = std::move(node);
  parts.bucket = bucket.key;
  parts.time = bucket.time;
  node = ReadGroups(columns, parts);
}

bool ReadsGroups(const Plan& node) {
  const auto* project = If<Project>(&node);
  const auto* unnest = project == nullptr ? nullptr : If<Unnest>(project->input.get());
  const auto* array =
      unnest == nullptr || unnest->arrays.size() != 1 ? nullptr : If<ParameterRef>(unnest->arrays[0].get());
  return array != nullptr && array->name == kGroupsParameter;
}

// The rest, which reads groups that are computed beside the given ones.
void MakeTail(GroupParts& parts) {
  parts.tail = CopyPlan(parts.rest);
  bool is_made = false;
  const absl::Status done = RewritePlans(parts.tail.root, [&](PlanPtr& node) {
    if (is_made || !ReadsGroups(*node)) return absl::OkStatus();
    is_made = true;
    auto both = std::make_unique<SetOperationPlan>(sql::SetOperator::Kind::kUnion, /*d=*/false);
    both->columns = node->columns;
    ColumnMap renamed;
    both->inputs.push_back(CloneWithFreshColumns(parts.tail, *node));
    both->inputs.push_back(CloneWithFreshColumns(parts.tail, *parts.groups.root, &renamed));
    parts.tail_time = renamed.at(parts.time);
    node = std::move(both);
    return absl::OkStatus();
  });
  done.IgnoreError();  // the callback never fails
}

ScalarPtr Compare(std::string_view function, const PlanColumn& column, const char* parameter) {
  std::vector<ScalarPtr> sides;
  sides.push_back(std::make_unique<ColumnRef>(column));
  sides.push_back(std::make_unique<ParameterRef>(parameter, column.type));
  return MakeTypedCall(function, Type::Bool(), std::move(sides));
}

}  // namespace

std::optional<GroupParts> FindGroupParts(const QueryPlan& plan) {
  if (!ScansOnceWithPlaces(plan)) return std::nullopt;
  GroupParts parts;
  parts.rest = CopyPlan(plan);
  const absl::Status done = RewritePlans(parts.rest.root, [&](PlanPtr& node) {
    const auto* aggregate = If<Aggregate>(node.get());
    if (aggregate == nullptr || parts.groups.root != nullptr) return absl::OkStatus();
    const std::optional<Bucket> bucket = FindBucket(*aggregate);
    if (!bucket) return absl::OkStatus();
    parts.merging = MergingOf(*aggregate);
    SetGroups(node, *bucket, parts);
    return absl::OkStatus();
  });
  done.IgnoreError();  // the callback never fails
  if (parts.groups.root == nullptr) return std::nullopt;
  parts.groups.next_column = parts.rest.next_column;
  parts.groups.next_cte = parts.rest.next_cte;
  parts.rest.newest.reset();
  parts.rest.derived.clear();
  MakeTail(parts);
  return parts;
}

namespace {

// Leaves the scan's rows for which the conditions hold, on its columns or the place of its rows.
void OnlyWhere(const std::string& place, QueryPlan& plan,
               absl::FunctionRef<std::vector<ScalarPtr>(const PlanColumn& place, const TableScan&)> conditions_of) {
  const absl::Status done = RewritePlans(plan.root, [&](PlanPtr& node) {
    auto* scan = If<TableScan>(node.get());
    if (scan == nullptr) return absl::OkStatus();
    std::vector<PlanColumn> columns = scan->columns;
    std::vector<ScalarPtr> conditions = conditions_of(AddPlace(place, *scan, plan), *scan);
    auto project = std::make_unique<Project>(std::make_unique<Filter>(std::move(node), MakeAnd(std::move(conditions))));
    project->columns = std::move(columns);
    project->may_hold_subqueries = false;
    node = std::move(project);
    return absl::OkStatus();
  });
  done.IgnoreError();  // the callback never fails
}

const PlanColumn& ColumnIn(const TableScan& scan, ColumnId id) {
  return *std::find_if(scan.columns.begin(), scan.columns.end(),
                       [&](const PlanColumn& column) { return column.id == id; });
}

}  // namespace

void OnlyPlaces(const std::string& place, ColumnId time, QueryPlan& plan) {
  OnlyWhere(place, plan, [&](const PlanColumn& at, const TableScan& scan) {
    std::vector<ScalarPtr> conditions;
    conditions.push_back(Compare("$greater", at, kAbovePlace));
    conditions.push_back(Compare("$less_or_equal", at, kLastPlace));
    conditions.push_back(Compare("$greater_or_equal", ColumnIn(scan, time), kStretchFrom));
    return conditions;
  });
}

void OnlyStretch(const std::string& place, ColumnId time, QueryPlan& plan) {
  OnlyWhere(place, plan, [&](const PlanColumn& at, const TableScan& scan) {
    std::vector<ScalarPtr> conditions;
    conditions.push_back(Compare("$greater_or_equal", ColumnIn(scan, time), kStretchFrom));
    conditions.push_back(Compare("$less_or_equal", ColumnIn(scan, time), kStretchTo));
    conditions.push_back(Compare("$less_or_equal", at, kLastPlace));
    return conditions;
  });
}

}  // namespace logquery::rewrite
