// Scans, conditions, sorted and limited rows, and groups. FLOAT64 compares like ours, but sorts and groups otherwise: there NaN is a
// value, and -0 is not 0.
#include "lib/emit/clickhouse/powers.h"

#include <string_view>

#include "lib/base/strings.h"
#include "lib/emit/clickhouse/spellings.h"
#include "lib/emit/clickhouse/texts.h"

namespace logquery::emit {
namespace {

using base::StrCat;
using rewrite::As;
using rewrite::If;
using WhyNotText = std::optional<std::string>;

// Values that also sort and group as here.
bool Sorts(const Type& type) {
  return type.is(TypeKind::kBool) || type.is(TypeKind::kInt64) || type.is(TypeKind::kString) ||
         type.is(TypeKind::kDate) || type.is(TypeKind::kTimestamp);
}

bool Compares(const Type& type) { return Sorts(type) || type.is(TypeKind::kFloat64); }

bool Travels(const Type& type) {
  switch (type.kind()) {
    case TypeKind::kBytes:
    case TypeKind::kJson:
    case TypeKind::kArray:
    case TypeKind::kStruct:
      return true;
    default:
      return Compares(type);
  }
}

WhyNotText DoesNotCompare(const Type& type) { return StrCat("it does not compare ", type.ToString(), " as we do"); }

bool IsPlainNumber(const rewrite::Scalar* scalar) {
  if (scalar == nullptr) return true;
  const auto* const constant = If<rewrite::Constant>(scalar);
  return constant != nullptr && constant->type.is(TypeKind::kInt64) && !constant->value.is_null() &&
         constant->value.int64_value() >= 0;
}

bool IsGoodLikePattern(const rewrite::Scalar& scalar) {
  const auto* const constant = If<rewrite::Constant>(&scalar);
  return constant != nullptr &&
         (constant->value.is_null() || ClickHouseLikePattern(constant->value.string_value()).has_value());
}

// A pattern that RE2 reads the same in both: one that fails here is an error that is raised here.
bool IsGoodRegexp(const rewrite::Scalar& scalar) {
  const auto* const constant = If<rewrite::Constant>(&scalar);
  return constant != nullptr && !constant->value.is_null() &&
         constant->value.string_value().find('\0') == std::string::npos;
}

bool IsFixedPart(const rewrite::FunctionCall& call) {
  const auto* const part = If<rewrite::Constant>(call.arguments[1].get());
  if (part == nullptr || part->value.is_null() || call.arguments.size() != 2) return false;
  const std::string& name = part->value.string_value();
  return name == "SECOND" || name == "MINUTE" || name == "HOUR" || name == "DAY";
}

WhyNotText OfCall(const rewrite::FunctionCall& call) {
  const std::string_view name = call.overload->row->name;
  if (name == "$element" || name == "$present") return "it has fields of records in columns of their own alone";
  if (ClickHouseSpellings().Of(*call.overload).empty() || call.safe) return "it has no such function of equal meaning";
  for (const rewrite::ScalarPtr& argument : call.arguments) {
    if (!Compares(argument->type)) return DoesNotCompare(argument->type);
  }
  if (!Compares(call.type)) return DoesNotCompare(call.type);
  if (name == "$like" && !IsGoodLikePattern(*call.arguments[1])) return "it is given patterns that are constants alone";
  if (name == "REGEXP_CONTAINS" && !IsGoodRegexp(*call.arguments[1]))
    return "it is given patterns that are constants alone";
  if (name == "TIMESTAMP_TRUNC" && !IsFixedPart(call)) return "it truncates to SECOND, MINUTE, HOUR and DAY of UTC";
  return std::nullopt;
}

WhyNotText OfCase(const rewrite::Case& branches) {
  if (branches.operand != nullptr) return "NULL meets NULL in its CASE with an operand";
  return Compares(branches.type) ? std::nullopt : DoesNotCompare(branches.type);
}

class ClickHouse final : public Powers {
 public:
  WhyNotText WhyNot(const rewrite::Plan& node) const override {
    switch (node.kind) {
      case rewrite::PlanKind::kProject:
      case rewrite::PlanKind::kFilter:
        return std::nullopt;
      case rewrite::PlanKind::kSort: {
        for (const rewrite::OrderKey& key : As<rewrite::Sort>(node).keys) {
          if (!Sorts(key.value->type)) return DoesNotCompare(key.value->type);
        }
        return std::nullopt;
      }
      case rewrite::PlanKind::kLimit: {
        const auto& limit = As<rewrite::Limit>(node);
        if (IsPlainNumber(limit.limit.get()) && IsPlainNumber(limit.offset.get())) return std::nullopt;
        return "it is given a LIMIT and OFFSET that are constants alone";
      }
      case rewrite::PlanKind::kAggregate:
        return OfAggregate(As<rewrite::Aggregate>(node));
      case rewrite::PlanKind::kJoin:
        return "joins are made here";
      case rewrite::PlanKind::kUnnest:
        return "UNNEST is done here";
      case rewrite::PlanKind::kWindow:
        return "windows are worked out here";
      default:
        return "it is asked for one table at a time";
    }
  }

  WhyNotText WhyNot(const rewrite::Scalar& scalar) const override {
    switch (scalar.kind) {
      case rewrite::ScalarKind::kColumn:
        return std::nullopt;
      case rewrite::ScalarKind::kConstant:
        return Compares(scalar.type) ? std::nullopt : WhyNotText(StrCat("it is given no ", scalar.type.ToString()));
      case rewrite::ScalarKind::kParameter:
        return Sorts(scalar.type) ? std::nullopt : WhyNotText(StrCat("it is given no ", scalar.type.ToString()));
      case rewrite::ScalarKind::kField:
        return "it has fields of records in columns of their own alone";
      case rewrite::ScalarKind::kCall:
        return OfCall(As<rewrite::FunctionCall>(scalar));
      case rewrite::ScalarKind::kCase:
        return OfCase(As<rewrite::Case>(scalar));
      default:
        return "it has no such expression of equal meaning";
    }
  }

  WhyNotText WhyNot(const rewrite::AggregateCall& call) const override {
    const bool plain = !call.ignore_nulls && !call.respect_nulls && call.having == nullptr && call.order_by.empty() &&
                       call.limit == nullptr && call.filter == nullptr && !call.safe;
    if (!plain || ClickHouseSpellings().Of(*call.overload).empty()) return "it has no such aggregate of equal meaning";
    const std::string_view name = call.overload->row->name;
    if (call.distinct && name == "COUNTIF") return "it has no such aggregate of equal meaning";
    for (const rewrite::ScalarPtr& argument : call.arguments) {
      if (!Sorts(argument->type)) return DoesNotCompare(argument->type);
    }
    return std::nullopt;
  }

  bool Carries(const Type& type) const override { return Travels(type); }

 private:
  static WhyNotText OfAggregate(const rewrite::Aggregate& aggregate) {
    if (!aggregate.grouping_sets.empty() || !aggregate.groupings.empty()) return "grouping sets are made here";
    for (const rewrite::Computed& key : aggregate.keys) {
      if (!Sorts(key.column.type)) return DoesNotCompare(key.column.type);
    }
    return std::nullopt;
  }
};

}  // namespace

const Powers& ClickHousePowers() {
  static const auto& powers = *new ClickHouse;
  return powers;
}

}  // namespace logquery::emit
