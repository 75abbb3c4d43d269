// Allows scans, conditions, sorted and limited rows, and groups. FLOAT64 compares as in GoogleSQL, but sorts and groups
// differently: in ClickHouse NaN is a value, and -0 is not equal to 0.
#include "lib/engines/clickhouse/dialect/powers.h"

#include <string_view>

#include "lib/base/strings.h"
#include "lib/emit/table_powers.h"
#include "lib/engines/clickhouse/dialect/calls.h"
#include "lib/engines/clickhouse/dialect/spellings.h"
#include "lib/rewrite/scalars.h"

namespace logquery::emit {
namespace {

using base::StrCat;
using WhyNotText = std::optional<std::string>;

bool ComparesAlike(const Type& type) { return SortsAlike(type) || type.is(TypeKind::kFloat64); }

bool Travels(const Type& type) {
  switch (type.kind()) {
    case TypeKind::kBytes:
    case TypeKind::kJson:
    case TypeKind::kArray:
    case TypeKind::kStruct:
      return true;
    default:
      return ComparesAlike(type);
  }
}

// Returns whether ClickHouse computes the aggregate, with or without DISTINCT as the call has it.
bool Aggregates(std::string_view name, const rewrite::AggregateCall& call) {
  const bool counts_once =
      name == "COUNTIF" || name == "$quantile" || name == "APPROX_COUNT_DISTINCT" || name == "BIT_XOR";
  return !call.distinct || !counts_once;
}

class ClickHouse final : public TablePowers {
 public:
  using TablePowers::WhyNot;
  WhyNotText WhyNot(const rewrite::AggregateCall& call) const override {
    const std::string_view name = call.overload->row->name;
    const bool is_known = IsPlainAggregate(call) && !ClickHouseSpellings().Of(*call.overload).empty();
    if (!is_known || !Aggregates(name, call)) return kNoAggregate;
    for (const rewrite::ScalarPtr& argument : call.arguments) {
      if (!SortsAlike(argument->type)) return DoesNotCompare(argument->type);
    }
    if (name == "$quantile") {
      const Type& type = call.arguments[0]->type;
      const bool has = type.is(TypeKind::kInt64) || type.is(TypeKind::kTimestamp) || type.is(TypeKind::kDatetime);
      if (!has) return StrCat("it has no quantiles of ", type.ToString());
    }
    return std::nullopt;
  }

  bool Carries(const Type& type) const override { return Travels(type); }

 private:
  bool Compares(const Type& type) const override { return ComparesAlike(type); }

  WhyNotText OfParameter(const Type& type) const override {
    return SortsAlike(type) ? std::nullopt : WhyNotText(NotGiven(type));
  }

  WhyNotText OfCall(const rewrite::FunctionCall& call) const override {
    const std::string_view name = call.overload->row->name;
    const std::string_view spelling = ClickHouseSpellings().Of(*call.overload);
    if (name == "$element" || name == "$present") return kNoFields;
    if (spelling.empty() || call.safe) return kNoFunction;
    if (name == "$ch.attribute") return OfAttribute(call);
    if (WhyNotText no = NotCompared(call)) return no;
    // In ClickHouse's operators NaN is not equal to itself.
    if (name == "$is_distinct" || name == "$is_not_distinct") {
      for (const rewrite::ScalarPtr& argument : call.arguments) {
        if (!SortsAlike(argument->type)) return DoesNotCompare(argument->type);
      }
    }
    return WhyNotSpelled(FindClickHouseCall(spelling), spelling, call);
  }

  // The map is a column of a table of all logs, as no other JSON is.
  static WhyNotText OfAttribute(const rewrite::FunctionCall& call) {
    const bool is_stored = call.arguments[0]->kind == rewrite::ScalarKind::kColumn;
    const bool is_plain = is_stored && rewrite::ConstantArgument(call, 1) != nullptr;
    return is_plain ? std::nullopt : WhyNotText("it looks constant keys up in stored maps alone");
  }

  // FLOAT64 holds what an INT64 becomes here, and a TIMESTAMP stays what it is.
  WhyNotText OfCast(const rewrite::Cast& cast) const override {
    const Type& from = cast.operand->type;
    const bool is_more = (from.is(TypeKind::kInt64) && cast.type.is(TypeKind::kFloat64)) ||
                         (from.is(TypeKind::kTimestamp) && cast.type.is(TypeKind::kTimestamp));
    if (is_more && cast.format == nullptr && cast.time_zone == nullptr) return std::nullopt;
    return NoCast(cast);
  }

  // The operand is written for each branch.
  WhyNotText OfCase(const rewrite::Case& branches) const override {
    if (branches.operand != nullptr) {
      if (!SortsAlike(branches.operand->type)) return DoesNotCompare(branches.operand->type);
      if (!IsPlain(*branches.operand)) return "it is given columns, constants and parameters alone there";
    }
    return NotCompared(branches.type);
  }
};

}  // namespace

const Powers& ClickHousePowers() {
  static const auto& powers = *new ClickHouse;
  return powers;
}

}  // namespace logquery::emit
