// Allows scans, conditions, sorted and limited rows, and groups. FLOAT64 compares as in GoogleSQL, but sorts and groups
// differently: in ClickHouse NaN is a value, and -0 is not equal to 0.
#include "lib/emit/clickhouse/powers.h"

#include <algorithm>
#include <string_view>

#include "lib/base/strings.h"
#include "lib/emit/clickhouse/spellings.h"
#include "lib/emit/clickhouse/texts.h"
#include "lib/emit/table_powers.h"

namespace logquery::emit {
namespace {

using base::StrCat;
using rewrite::As;
using rewrite::If;
using WhyNotText = std::optional<std::string>;

bool Compares(const Type& type) { return SortsAlike(type) || type.is(TypeKind::kFloat64); }

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

bool IsPlain(const rewrite::Scalar& scalar) {
  return scalar.kind == rewrite::ScalarKind::kColumn || scalar.kind == rewrite::ScalarKind::kConstant ||
         scalar.kind == rewrite::ScalarKind::kParameter;
}

// How many of the first arguments the call's text has more than once: nested in each other they would double it each time.
size_t WrittenTwice(const rewrite::FunctionCall& call, std::string_view name) {
  if (name == "$is_distinct" || name == "$is_not_distinct" || name == "NULLIF") return 2;
  if (name == "TIMESTAMP_TRUNC") return 1;
  // IN of a list that is more than constants is written as equalities.
  const bool all_constants =
      std::all_of(call.arguments.begin() + 1, call.arguments.end(), [](const rewrite::ScalarPtr& argument) {
        const auto* const constant = If<rewrite::Constant>(argument.get());
        return constant != nullptr && !constant->value.is_null();
      });
  return name == "$in" && !all_constants ? 1 : 0;
}

WhyNotText OfCall(const rewrite::FunctionCall& call) {
  const std::string_view name = call.overload->row->name;
  if (name == "$element" || name == "$present") return "it has fields of records in columns of their own alone";
  if (ClickHouseSpellings().Of(*call.overload).empty() || call.safe) return "it has no such function of equal meaning";
  for (const rewrite::ScalarPtr& argument : call.arguments) {
    if (!Compares(argument->type)) return DoesNotCompare(argument->type);
  }
  if (!Compares(call.type)) return DoesNotCompare(call.type);
  // There NaN is not equal to itself.
  if (name == "$is_distinct" || name == "$is_not_distinct") {
    for (const rewrite::ScalarPtr& argument : call.arguments) {
      if (!SortsAlike(argument->type)) return DoesNotCompare(argument->type);
    }
  }
  if (!call.arguments.empty()) {
    const size_t twice = WrittenTwice(call, name);
    for (size_t i = 0; i < twice; ++i) {
      if (!IsPlain(*call.arguments[i])) return "it is given columns, constants and parameters alone there";
    }
  }
  if (name == "$like" && !IsGoodLikePattern(*call.arguments[1])) return "it is given patterns that are constants alone";
  if (name == "REGEXP_CONTAINS" && !IsGoodRegexp(*call.arguments[1]))
    return "it is given patterns that are constants alone";
  if (name == "TIMESTAMP_TRUNC" && !TruncatesToFixedPart(call))
    return "it truncates to SECOND, MINUTE, HOUR and DAY of UTC";
  return std::nullopt;
}

WhyNotText OfCase(const rewrite::Case& branches) {
  if (branches.operand != nullptr) return "NULL meets NULL in its CASE with an operand";
  return Compares(branches.type) ? std::nullopt : WhyNotText(DoesNotCompare(branches.type));
}

class ClickHouse final : public TablePowers {
 public:
  using TablePowers::WhyNot;
  WhyNotText WhyNot(const rewrite::Scalar& scalar) const override {
    switch (scalar.kind) {
      case rewrite::ScalarKind::kColumn:
        return std::nullopt;
      case rewrite::ScalarKind::kConstant:
        return Compares(scalar.type) ? std::nullopt : WhyNotText(StrCat("it is given no ", scalar.type.ToString()));
      case rewrite::ScalarKind::kParameter:
        return SortsAlike(scalar.type) ? std::nullopt : WhyNotText(StrCat("it is given no ", scalar.type.ToString()));
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
      if (!SortsAlike(argument->type)) return DoesNotCompare(argument->type);
    }
    return std::nullopt;
  }

  bool Carries(const Type& type) const override { return Travels(type); }
};

}  // namespace

const Powers& ClickHousePowers() {
  static const auto& powers = *new ClickHouse;
  return powers;
}

}  // namespace logquery::emit
