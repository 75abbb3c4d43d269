// BigQuery gets everything that it documents, except arrays that a query creates and what other rules of its SQL
// forbid.
#include <algorithm>
#include <optional>
#include <string>
#include <string_view>

#include "lib/base/strings.h"
#include "lib/emit/explain/spellings.h"
#include "lib/engines/bigquery/dialect/fragments.h"
#include "lib/engines/bigquery/dialect/spellings.h"

namespace logquery::emit {
namespace {

using base::StrCat;
using rewrite::As;
using rewrite::If;
using WhyNotText = std::optional<std::string>;

bool IsList(const Type& type) { return type.is_array() && !type.is_record(); }

bool HoldsList(const Type& type) {
  if (IsList(type)) return true;
  if (!type.is_record() && !type.is_struct()) return false;
  return std::any_of(type.fields().begin(), type.fields().end(),
                     [](const Field& field) { return HoldsList(field.type); });
}

bool Travels(const Type& type) {
  if (type.is_record() || type.is_struct()) {
    return std::all_of(type.fields().begin(), type.fields().end(),
                       [](const Field& field) { return !field.name.empty() && Travels(field.type); });
  }
  return type.is_array() ? Travels(type.element()) : !type.is(TypeKind::kInterval);
}

// Returns whether GROUP BY, DISTINCT and equality accept values of the type. FLOAT64 can be grouped here: either 0 or
// -0 may represent the group.
bool Groups(const Type& type) {
  return !type.is_array() && !type.is_struct() && !type.is_record() && !type.is(TypeKind::kJson) &&
         !type.is(TypeKind::kInterval) && !type.is(TypeKind::kFloat64);
}

bool Sorts(const Type& type) { return Groups(type) || type.is(TypeKind::kFloat64); }

// Returns whether the key's NULLs go where BigQuery puts them by default. Only the ORDER BY of a query can put them
// elsewhere.
bool IsDefault(const rewrite::OrderKey& key) { return key.nulls_first == !key.descending; }

bool IsPlainNumber(const rewrite::Scalar* scalar) {
  if (scalar == nullptr) return true;
  const auto* const constant = If<rewrite::Constant>(scalar);
  return constant != nullptr && constant->type.is(TypeKind::kInt64) && !constant->value.is_null() &&
         constant->value.int64_value() >= 0;
}

// An aggregate whose result is an array.
bool MakesList(std::string_view name) {
  return name.starts_with("ARRAY_") || name.starts_with("APPROX_TOP_") || name == "APPROX_QUANTILES";
}

WhyNotText OfOrder(const std::vector<rewrite::OrderKey>& keys) {
  for (const rewrite::OrderKey& key : keys) {
    if (!Sorts(key.value->type)) return StrCat("it does not sort ", key.value->type.ToString());
  }
  return std::nullopt;
}

WhyNotText OfAggregate(const rewrite::Aggregate& aggregate) {
  if (!aggregate.grouping_sets.empty() || !aggregate.groupings.empty()) return "grouping sets are made here";
  for (const rewrite::Computed& key : aggregate.keys) {
    if (!Groups(key.column.type)) return StrCat("groups of ", key.column.type.ToString(), " are made here");
  }
  return std::nullopt;
}

WhyNotText OfProject(const rewrite::Project& project) {
  for (const rewrite::Computed& each : project.computed) {
    if (HoldsList(each.value->type) && each.value->kind != rewrite::ScalarKind::kColumn &&
        !each.value->type.is_record()) {
      return "an array is made here, as NULL would come from there as []";
    }
  }
  return std::nullopt;
}

class BigQuery final : public Powers {
 public:
  WhyNotText WhyNot(const rewrite::Plan& node) const override {
    switch (node.kind) {
      case rewrite::PlanKind::kFilter:
        return std::nullopt;
      case rewrite::PlanKind::kProject:
        return OfProject(As<rewrite::Project>(node));
      case rewrite::PlanKind::kSort:
        return OfOrder(As<rewrite::Sort>(node).keys);
      case rewrite::PlanKind::kLimit: {
        const auto& limit = As<rewrite::Limit>(node);
        if (IsPlainNumber(limit.limit.get()) && IsPlainNumber(limit.offset.get())) return std::nullopt;
        return "it is given a LIMIT and OFFSET that are constants alone";
      }
      case rewrite::PlanKind::kAggregate:
        return OfAggregate(As<rewrite::Aggregate>(node));
      case rewrite::PlanKind::kJoin: {
        const rewrite::Join::Type type = As<rewrite::Join>(node).type;
        if (type == rewrite::Join::Type::kCross || type == rewrite::Join::Type::kInner) return std::nullopt;
        return "outer joins are made here: it wants an equality of both sides";
      }
      case rewrite::PlanKind::kSetOperation: {
        const auto& set = As<rewrite::SetOperationPlan>(node);
        if (set.op == sql::SetOperator::Kind::kUnion && !set.distinct) return std::nullopt;
        return "UNION DISTINCT, INTERSECT and EXCEPT are made here";
      }
      case rewrite::PlanKind::kUnnest:
        return "UNNEST is done here";
      case rewrite::PlanKind::kWindow:
        return "windows are worked out here";
      default:
        return "it is asked for tables alone";
    }
  }

  WhyNotText WhyNot(const rewrite::Scalar& scalar) const override {
    switch (scalar.kind) {
      case rewrite::ScalarKind::kColumn:
      case rewrite::ScalarKind::kConstant:
        return std::nullopt;
      case rewrite::ScalarKind::kParameter:
        return TakesParameter(scalar.type) ? std::nullopt : WhyNotText("it takes no such parameter");
      case rewrite::ScalarKind::kField:
      case rewrite::ScalarKind::kCase:
      case rewrite::ScalarKind::kCast:
        if (IsList(scalar.type)) return "NULL would come from there as []";
        return std::nullopt;
      case rewrite::ScalarKind::kCall:
        return OfCall(As<rewrite::FunctionCall>(scalar));
      default:
        return "it is made here";
    }
  }

  WhyNotText WhyNot(const rewrite::AggregateCall& call) const override {
    const std::string_view name = call.overload->row->name;
    if (name.starts_with('$') ? GoogleSqlSpellings().Of(*call.overload).empty() : !IsBigQueryFunction(name)) {
      return "it has no such aggregate";
    }
    if (call.safe || call.having != nullptr || call.limit != nullptr) return "it is worked out here in this form";
    if (MakesList(name)) return "NULL would come from there as []";
    for (const rewrite::OrderKey& key : call.order_by) {
      if (!IsDefault(key) || !Sorts(key.value->type)) return "it sorts NULLs to the other end";
    }
    for (const rewrite::ScalarPtr& argument : call.arguments) {
      if (call.distinct && !Groups(argument->type)) return StrCat("it has no DISTINCT of ", argument->type.ToString());
      if (HoldsList(argument->type)) return "NULL would come from there as []";
    }
    return std::nullopt;
  }

  bool Carries(const Type& type) const override { return Travels(type); }

 private:
  static bool TakesParameter(const Type& type) {
    const Type& each = IsList(type) ? type.element() : type;
    return !each.is_array() && !each.is_struct() && !each.is_record() && !each.is(TypeKind::kInterval);
  }

  static WhyNotText OfCall(const rewrite::FunctionCall& call) {
    const std::string_view name = call.overload->row->name;
    if (name == "$element" || name == "$present") return std::nullopt;
    const bool is_known = !BigQuerySpellings().Of(*call.overload).empty() || IsBigQueryFunction(name) ||
                          (name.starts_with('$') && !GoogleSqlSpellings().Of(*call.overload).empty());
    if (!is_known) return "it has no such function";
    if (name == "SEARCH" || name == "SESSION_USER") return "it is worked out here";
    if (!TakesIntervals(call)) return "it takes INTERVAL count part, not other intervals";
    if (IsList(call.type)) return "NULL would come from there as []";
    return std::nullopt;
  }
};

}  // namespace

const Powers& BigQueryPowers() {
  static const auto& powers = *new BigQuery;
  return powers;
}

}  // namespace logquery::emit
