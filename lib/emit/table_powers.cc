// Rejects nodes that need a second table, or a type that sorts differently.
#include "lib/emit/table_powers.h"

#include "lib/base/strings.h"

namespace logquery::emit {
namespace {

using rewrite::As;
using rewrite::If;
using WhyNotText = std::optional<std::string>;

bool IsPlainNumber(const rewrite::Scalar* scalar) {
  if (scalar == nullptr) return true;
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

}  // namespace

bool TruncatesToFixedPart(const rewrite::FunctionCall& call) {
  const auto* const part = If<rewrite::Constant>(call.arguments[1].get());
  if (part == nullptr || part->value.is_null() || call.arguments.size() != 2) return false;
  const std::string& name = part->value.string_value();
  return name == "SECOND" || name == "MINUTE" || name == "HOUR" || name == "DAY";
}

bool SortsAlike(const Type& type) {
  return type.is(TypeKind::kBool) || type.is(TypeKind::kInt64) || type.is(TypeKind::kString) ||
         type.is(TypeKind::kDate) || type.is(TypeKind::kTimestamp);
}

std::string DoesNotCompare(const Type& type) {
  return base::StrCat("it does not compare ", type.ToString(), " as we do");
}

std::optional<std::string> TablePowers::WhyNot(const rewrite::Plan& node) const {
  switch (node.kind) {
    case rewrite::PlanKind::kProject:
    case rewrite::PlanKind::kFilter:
      return std::nullopt;
    case rewrite::PlanKind::kSort: {
      for (const rewrite::OrderKey& key : As<rewrite::Sort>(node).keys) {
        if (!SortsAlike(key.value->type)) return DoesNotCompare(key.value->type);
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

}  // namespace logquery::emit
