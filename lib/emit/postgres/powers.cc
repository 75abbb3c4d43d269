// Scans, conditions, sorted and limited rows, and groups, over the types whose values compare alike in both: FLOAT64 does
// not, as PostgreSQL has NaN equal itself and above all numbers.
#include "lib/emit/postgres/powers.h"

#include <algorithm>
#include <string_view>

#include "lib/base/strings.h"
#include "lib/emit/postgres/json_paths.h"
#include "lib/emit/postgres/spellings.h"
#include "lib/emit/postgres/texts.h"

namespace logquery::emit {
namespace {

using base::StrCat;
using rewrite::As;
using rewrite::If;
using WhyNotText = std::optional<std::string>;

bool Compares(const Type& type) {
  return type.is(TypeKind::kBool) || type.is(TypeKind::kInt64) || type.is(TypeKind::kString) ||
         type.is(TypeKind::kDate) || type.is(TypeKind::kTimestamp);
}

WhyNotText DoesNotCompare(const Type& type) { return StrCat("it does not compare ", type.ToString(), " as we do"); }

bool IsPlainNumber(const rewrite::Scalar* scalar) {
  if (scalar == nullptr) return true;
  const auto* const constant = If<rewrite::Constant>(scalar);
  return constant != nullptr && constant->type.is(TypeKind::kInt64) && !constant->value.is_null() &&
         constant->value.int64_value() >= 0;
}

WhyNotText OfConstant(const rewrite::Constant& constant) {
  if (!Compares(constant.type)) return StrCat("it is given no ", constant.type.ToString());
  const bool is_text = constant.type.is(TypeKind::kString) && !constant.value.is_null();
  if (is_text && !IsPostgresText(constant.value.string_value())) return "its text holds neither NUL nor broken UTF-8";
  return std::nullopt;
}

WhyNotText OfField(const rewrite::FieldRef& field) {
  const auto* const element = If<rewrite::FunctionCall>(field.base.get());
  const bool of_record = element != nullptr && std::string_view(element->overload->row->name) == "$element";
  if (!of_record) return "it has fields of records alone";
  const Field& declared = field.base->type.fields()[static_cast<size_t>(field.index)];
  if (!IsPostgresText(declared.name)) return "it has no such name";
  if (field.type.is_record() || PostgresReadsField(field.type)) return std::nullopt;
  return StrCat("it does not read ", field.type.ToString(), " from JSON as we do");
}

// A pattern that can't fail there.
bool IsGoodPattern(const rewrite::Scalar& scalar) {
  const auto* const constant = If<rewrite::Constant>(&scalar);
  if (constant == nullptr) return false;
  if (constant->value.is_null()) return true;
  const std::string& pattern = constant->value.string_value();
  const size_t last_other = pattern.find_last_not_of('\\');
  const size_t escapes = pattern.size() - (last_other == std::string::npos ? 0 : last_other + 1);
  return escapes % 2 == 0;
}

bool IsFixedPart(const rewrite::FunctionCall& call) {
  const auto* const part = If<rewrite::Constant>(call.arguments[1].get());
  if (part == nullptr || part->value.is_null() || call.arguments.size() != 2) return false;
  const std::string& name = part->value.string_value();
  return name == "SECOND" || name == "MINUTE" || name == "HOUR" || name == "DAY";
}

WhyNotText OfCall(const rewrite::FunctionCall& call) {
  const std::string_view name = call.overload->row->name;
  if (PostgresSpellings().Of(*call.overload).empty() || call.safe) return "it has no such function of equal meaning";
  if (name == "$element" || name == "$present") {
    return call.arguments[0]->type.is_record() ? std::nullopt : WhyNotText("it has no arrays");
  }
  for (const rewrite::ScalarPtr& argument : call.arguments) {
    if (!Compares(argument->type)) return DoesNotCompare(argument->type);
  }
  if (!Compares(call.type)) return DoesNotCompare(call.type);
  if (name == "$like" && !IsGoodPattern(*call.arguments[1])) return "it is given patterns that are constants alone";
  if (name == "TIMESTAMP_TRUNC" && !IsFixedPart(call)) return "it truncates to SECOND, MINUTE, HOUR and DAY of UTC";
  return std::nullopt;
}

WhyNotText OfCase(const rewrite::Case& branches) {
  if (branches.operand != nullptr && !Compares(branches.operand->type)) return DoesNotCompare(branches.operand->type);
  return Compares(branches.type) ? std::nullopt : DoesNotCompare(branches.type);
}

class Postgres final : public Powers {
 public:
  WhyNotText WhyNot(const rewrite::Plan& node) const override {
    switch (node.kind) {
      case rewrite::PlanKind::kProject:
      case rewrite::PlanKind::kFilter:
        return std::nullopt;
      case rewrite::PlanKind::kSort: {
        for (const rewrite::OrderKey& key : As<rewrite::Sort>(node).keys) {
          if (!Compares(key.value->type)) return DoesNotCompare(key.value->type);
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
        return OfConstant(As<rewrite::Constant>(scalar));
      case rewrite::ScalarKind::kParameter:
        return Compares(scalar.type) ? std::nullopt : WhyNotText(StrCat("it is given no ", scalar.type.ToString()));
      case rewrite::ScalarKind::kField:
        return OfField(As<rewrite::FieldRef>(scalar));
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
    if (!plain || PostgresSpellings().Of(*call.overload).empty()) return "it has no such aggregate of equal meaning";
    const std::string_view name = call.overload->row->name;
    for (const rewrite::ScalarPtr& argument : call.arguments) {
      if (!Compares(argument->type)) return DoesNotCompare(argument->type);
      // It has neither of them for boolean.
      if ((name == "MIN" || name == "MAX") && argument->type.is(TypeKind::kBool)) return DoesNotCompare(argument->type);
    }
    return std::nullopt;
  }

  bool Carries(const Type& type) const override {
    return Compares(type) || type.is(TypeKind::kBytes) || PostgresReadsField(type);
  }

 private:
  static WhyNotText OfAggregate(const rewrite::Aggregate& aggregate) {
    if (!aggregate.grouping_sets.empty() || !aggregate.groupings.empty()) return "grouping sets are made here";
    for (const rewrite::Computed& key : aggregate.keys) {
      if (!Compares(key.column.type)) return DoesNotCompare(key.column.type);
    }
    return std::nullopt;
  }
};

}  // namespace

const Powers& PostgresPowers() {
  static const auto& powers = *new Postgres;
  return powers;
}

}  // namespace logquery::emit
