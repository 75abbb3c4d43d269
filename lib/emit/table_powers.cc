// Rejects nodes whose rows engines do not agree on, and types that sort differently.
#include "lib/emit/table_powers.h"

#include <algorithm>

#include "lib/base/strings.h"
#include "lib/emit/spellings.h"
#include "lib/rewrite/column_set.h"
#include "lib/rewrite/plan_walk.h"
#include "lib/rewrite/project_columns.h"
#include "lib/rewrite/scalars.h"

namespace logquery::emit {
namespace {

using rewrite::As;
using rewrite::If;
using WhyNotText = std::optional<std::string>;

// A count of rows that the engine is given. It refuses a parameter that is NULL or negative, which is then an error of
// the query here.
bool IsPlainNumber(const rewrite::Scalar* scalar) {
  if (scalar == nullptr) return true;
  if (scalar->kind == rewrite::ScalarKind::kParameter) return scalar->type.is(TypeKind::kInt64);
  const auto* const constant = If<rewrite::Constant>(scalar);
  return constant != nullptr && constant->type.is(TypeKind::kInt64) && !constant->value.is_null() &&
         constant->value.int64_value() >= 0;
}

WhyNotText OfAggregate(const rewrite::Aggregate& aggregate) {
  if (!aggregate.grouping_sets.empty() || !aggregate.groupings.empty()) return "grouping sets are made here";
  for (const rewrite::Computed& key : aggregate.keys) {
    if (!SortsAlike(key.column.type)) return DoesNotCompare(key.column.type);
  }
  return std::nullopt;
}

WhyNotText OfOrder(const std::vector<rewrite::OrderKey>& keys) {
  for (const rewrite::OrderKey& key : keys) {
    if (!SortsAlike(key.value->type)) return DoesNotCompare(key.value->type);
  }
  return std::nullopt;
}

WhyNotText OfWindow(const rewrite::Window& window) {
  for (const rewrite::Window::Call& each : window.calls) {
    const std::string_view name = each.call.overload->row->name;
    const bool is_number = name == "ROW_NUMBER" || name == "RANK" || name == "DENSE_RANK";
    if (!is_number || each.frame.has_value()) return "windows are worked out here, but for numbers of rows";
    for (const rewrite::ScalarPtr& key : each.partition_by) {
      if (!SortsAlike(key->type)) return DoesNotCompare(key->type);
    }
    if (WhyNotText no = OfOrder(each.order_by)) return no;
  }
  return std::nullopt;
}

// Returns whether the scalar has columns, and all of them are in `columns` (`among`) or none is.
bool IsOf(const rewrite::ColumnSet& columns, bool among, const rewrite::Scalar& scalar) {
  const rewrite::ColumnSet own = rewrite::ReferencedColumns(scalar);
  return !own.empty() &&
         std::all_of(own.begin(), own.end(), [&](rewrite::ColumnId id) { return columns.contains(id) == among; });
}

// The columns that the join's equalities compare on the side whose columns these are.
rewrite::ColumnSet KeysOf(const rewrite::Join& join, const rewrite::ColumnSet& side) {
  rewrite::ColumnSet keys;
  for (const rewrite::Scalar* const equality : rewrite::ConjunctsOf(*join.condition)) {
    for (const rewrite::ScalarPtr& operand : As<rewrite::FunctionCall>(*equality).arguments) {
      const auto* const column = If<rewrite::ColumnRef>(operand.get());
      if (column != nullptr && side.contains(column->id)) keys.insert(column->id);
    }
  }
  return keys;
}

// Returns the columns that the project reads for these columns. Columns that it computes have none.
rewrite::ColumnSet BelowProject(const rewrite::Project& project, const rewrite::ColumnSet& columns) {
  rewrite::ColumnSet below;
  for (const rewrite::ColumnId column : columns) {
    if (const std::optional<rewrite::ColumnId> found = rewrite::ColumnBelow(project, column)) below.insert(*found);
  }
  return below;
}

// Returns whether no two rows of the side have the same keys, because it is grouped by them.
bool IsGroupedBy(const rewrite::Plan& side, const rewrite::ColumnSet& keys) {
  switch (side.kind) {
    case rewrite::PlanKind::kFilter:
      return IsGroupedBy(*As<rewrite::Filter>(side).input, keys);
    case rewrite::PlanKind::kProject: {
      const auto& project = As<rewrite::Project>(side);
      return IsGroupedBy(*project.input, BelowProject(project, keys));
    }
    case rewrite::PlanKind::kAggregate: {
      const auto& groups = As<rewrite::Aggregate>(side).keys;
      return std::all_of(groups.begin(), groups.end(),
                         [&](const rewrite::Computed& group) { return keys.contains(group.column.id); });
    }
    default:
      return false;
  }
}

rewrite::ColumnSet ColumnsOf(const rewrite::Plan& plan) {
  rewrite::ColumnSet columns;
  for (const rewrite::PlanColumn& column : plan.columns) columns.insert(column.id);
  return columns;
}

// Engines disagree about conditions that are not equalities of both sides. A join of many rows with many takes an engine
// that knows nothing of the values in its JSON minutes, and makes more rows than both sides have.
WhyNotText OfJoin(const rewrite::Join& join) {
  if (join.type != rewrite::Join::Type::kInner && join.type != rewrite::Join::Type::kLeft) {
    return "it is asked for inner and left joins alone";
  }
  const WhyNotText no = "it joins on equal values of both sides alone";
  if (join.condition == nullptr) return no;
  for (const rewrite::Scalar* const conjunct : rewrite::ConjunctsOf(*join.condition)) {
    if (!IsEqualityOfSides(*conjunct, join)) return no;
    const Type& type = As<rewrite::FunctionCall>(*conjunct).arguments[0]->type;
    if (!SortsAlike(type)) return DoesNotCompare(type);
  }
  const bool is_lookup = IsGroupedBy(*join.right, KeysOf(join, ColumnsOf(*join.right))) ||
                         IsGroupedBy(*join.left, KeysOf(join, ColumnsOf(*join.left)));
  return is_lookup ? std::nullopt : WhyNotText("neither side is grouped by what is joined on");
}

}  // namespace

bool IsEqualityOfSides(const rewrite::Scalar& condition, const rewrite::Join& join) {
  if (!rewrite::IsCallOf(condition, "$equal")) return false;
  const rewrite::ColumnSet left = ColumnsOf(*join.left);
  const auto& operands = As<rewrite::FunctionCall>(condition).arguments;
  return (IsOf(left, true, *operands[0]) && IsOf(left, false, *operands[1])) ||
         (IsOf(left, false, *operands[0]) && IsOf(left, true, *operands[1]));
}

std::optional<int64_t> CountArgument(const rewrite::FunctionCall& call, size_t i, int64_t least) {
  constexpr int64_t kMost = 1'000'000'000;  // no text is longer, and engines count in 32 bits
  const Value* const value = rewrite::ConstantArgument(call, i);
  if (value == nullptr || value->int64_value() < least) return std::nullopt;
  return std::min(value->int64_value(), kMost);
}

bool IsInUtc(const rewrite::FunctionCall& call, size_t zone) {
  if (call.arguments.size() <= zone) return true;
  const Value* const name = rewrite::ConstantArgument(call, zone);
  return name != nullptr && name->string_value() == "UTC";
}

bool IsPlain(const rewrite::Scalar& scalar) {
  return scalar.kind == rewrite::ScalarKind::kColumn || scalar.kind == rewrite::ScalarKind::kConstant ||
         scalar.kind == rewrite::ScalarKind::kParameter;
}

std::optional<std::string> NotPlain(const rewrite::FunctionCall& call) {
  for (const rewrite::ScalarPtr& argument : call.arguments) {
    if (!IsPlain(*argument)) return "it is given columns, constants and parameters alone there";
  }
  return std::nullopt;
}

std::optional<std::string> NotPlain(std::string_view spelling, const rewrite::FunctionCall& call) {
  for (size_t i = 0; i < call.arguments.size(); ++i) {
    if (CountInTemplate(spelling, i) > 1 && !IsPlain(*call.arguments[i])) return NotPlain(call);
  }
  return std::nullopt;
}

bool SortsAlike(const Type& type) {
  return type.is(TypeKind::kBool) || type.is(TypeKind::kInt64) || type.is(TypeKind::kString) ||
         type.is(TypeKind::kDate) || type.is(TypeKind::kDatetime) || type.is(TypeKind::kTimestamp);
}

std::string DoesNotCompare(const Type& type) {
  return base::StrCat("it does not compare ", type.ToString(), " as we do");
}

std::string NotGiven(const Type& type) { return base::StrCat("it is given no ", type.ToString()); }

std::optional<std::string> NoCast(const rewrite::Cast& cast) {
  const WhyNotText no = "it has no such cast of equal meaning";
  const TypeKind from = cast.operand->type.kind();
  if (cast.format != nullptr || cast.time_zone != nullptr) return no;
  const bool is_time = from == TypeKind::kTimestamp || from == TypeKind::kDatetime || from == TypeKind::kDate;
  switch (cast.type.kind()) {
    case TypeKind::kString:
      return from == TypeKind::kInt64 || from == TypeKind::kBool ? std::nullopt : no;
    case TypeKind::kInt64:
      return from == TypeKind::kBool ? std::nullopt : no;
    case TypeKind::kBool:
      return from == TypeKind::kInt64 ? std::nullopt : no;
    case TypeKind::kDate:
    case TypeKind::kDatetime:
      return is_time ? std::nullopt : no;
    case TypeKind::kTimestamp:
      return is_time && from != TypeKind::kTimestamp ? std::nullopt : no;
    default:
      return no;
  }
}

bool IsPlainAggregate(const rewrite::AggregateCall& call) {
  return !call.ignore_nulls && !call.respect_nulls && call.having == nullptr && call.order_by.empty() &&
         call.limit == nullptr && call.filter == nullptr && !call.safe;
}

std::optional<std::string> TablePowers::WhyNot(const rewrite::Plan& node) const {
  switch (node.kind) {
    case rewrite::PlanKind::kProject:
    case rewrite::PlanKind::kFilter:
      return std::nullopt;
    case rewrite::PlanKind::kSort:
      return OfOrder(As<rewrite::Sort>(node).keys);
    case rewrite::PlanKind::kLimit: {
      const auto& limit = As<rewrite::Limit>(node);
      if (IsPlainNumber(limit.limit.get()) && IsPlainNumber(limit.offset.get())) return std::nullopt;
      return "it is given a LIMIT and OFFSET that are constants and parameters alone";
    }
    case rewrite::PlanKind::kAggregate:
      return OfAggregate(As<rewrite::Aggregate>(node));
    case rewrite::PlanKind::kJoin:
      return OfJoin(As<rewrite::Join>(node));
    case rewrite::PlanKind::kUnnest:
      return "UNNEST is done here";
    case rewrite::PlanKind::kWindow:
      return OfWindow(As<rewrite::Window>(node));
    default:
      return "it is asked for one table at a time";
  }
}

WhyNotText TablePowers::WhyNot(const rewrite::Scalar& scalar) const {
  switch (scalar.kind) {
    case rewrite::ScalarKind::kColumn:
      return std::nullopt;
    case rewrite::ScalarKind::kConstant:
      return OfConstant(As<rewrite::Constant>(scalar));
    case rewrite::ScalarKind::kParameter:
      return OfParameter(scalar.type);
    case rewrite::ScalarKind::kField:
      return OfField(As<rewrite::FieldRef>(scalar));
    case rewrite::ScalarKind::kCall:
      return OfCall(As<rewrite::FunctionCall>(scalar));
    case rewrite::ScalarKind::kCase:
      return OfCase(As<rewrite::Case>(scalar));
    case rewrite::ScalarKind::kCast:
      return OfCast(As<rewrite::Cast>(scalar));
    default:
      return "it has no such expression of equal meaning";
  }
}

bool TablePowers::Compares(const Type& type) const { return SortsAlike(type); }

WhyNotText TablePowers::OfConstant(const rewrite::Constant& constant) const {
  return Compares(constant.type) ? std::nullopt : WhyNotText(NotGiven(constant.type));
}

WhyNotText TablePowers::OfParameter(const Type& type) const {
  return Compares(type) ? std::nullopt : WhyNotText(NotGiven(type));
}

WhyNotText TablePowers::OfField(const rewrite::FieldRef&) const { return kNoFields; }

WhyNotText TablePowers::OfCast(const rewrite::Cast& cast) const { return NoCast(cast); }

WhyNotText TablePowers::NotCompared(const Type& type) const {
  return Compares(type) ? std::nullopt : WhyNotText(DoesNotCompare(type));
}

WhyNotText TablePowers::NotCompared(const rewrite::FunctionCall& call) const {
  for (const rewrite::ScalarPtr& argument : call.arguments) {
    if (WhyNotText no = NotCompared(argument->type)) return no;
  }
  return NotCompared(call.type);
}

}  // namespace logquery::emit
