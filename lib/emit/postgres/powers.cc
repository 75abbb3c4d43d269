// Allows scans, conditions, sorted and limited rows, and groups over the types whose values compare alike in both
// engines. FLOAT64 is excluded, because PostgreSQL treats NaN as equal to itself and greater than all numbers.
#include "lib/emit/postgres/powers.h"

#include <string_view>

#include "lib/base/strings.h"
#include "lib/emit/postgres/calls.h"
#include "lib/emit/postgres/json_paths.h"
#include "lib/emit/postgres/spellings.h"
#include "lib/emit/postgres/texts.h"
#include "lib/emit/table_powers.h"

namespace logquery::emit {
namespace {

using base::StrCat;
using rewrite::As;
using rewrite::If;
using WhyNotText = std::optional<std::string>;

WhyNotText OfConstant(const rewrite::Constant& constant) {
  if (!SortsAlike(constant.type)) return StrCat("it is given no ", constant.type.ToString());
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

bool OfRecord(const rewrite::FunctionCall& call) {
  const std::string_view name = call.overload->row->name;
  return name == "$element" || name == "$present";
}

WhyNotText OfCall(const rewrite::FunctionCall& call) {
  const std::string_view spelling = PostgresSpellings().Of(*call.overload);
  if (spelling.empty() || call.safe) return "it has no such function of equal meaning";
  if (!OfRecord(call)) {
    for (const rewrite::ScalarPtr& argument : call.arguments) {
      if (!SortsAlike(argument->type)) return DoesNotCompare(argument->type);
    }
    if (!SortsAlike(call.type)) return DoesNotCompare(call.type);
  } else if (!call.arguments[0]->type.is_record()) {
    return "it has no arrays";
  }
  return WhyNotSpelled(FindPostgresCall(spelling), spelling, call);
}

WhyNotText OfCase(const rewrite::Case& branches) {
  if (branches.operand != nullptr && !SortsAlike(branches.operand->type)) return DoesNotCompare(branches.operand->type);
  return SortsAlike(branches.type) ? std::nullopt : WhyNotText(DoesNotCompare(branches.type));
}

class Postgres final : public TablePowers {
 public:
  using TablePowers::WhyNot;
  WhyNotText WhyNot(const rewrite::Scalar& scalar) const override {
    switch (scalar.kind) {
      case rewrite::ScalarKind::kColumn:
        return std::nullopt;
      case rewrite::ScalarKind::kConstant:
        return OfConstant(As<rewrite::Constant>(scalar));
      case rewrite::ScalarKind::kParameter:
        return SortsAlike(scalar.type) ? std::nullopt : WhyNotText(StrCat("it is given no ", scalar.type.ToString()));
      case rewrite::ScalarKind::kField:
        return OfField(As<rewrite::FieldRef>(scalar));
      case rewrite::ScalarKind::kCall:
        return OfCall(As<rewrite::FunctionCall>(scalar));
      case rewrite::ScalarKind::kCase:
        return OfCase(As<rewrite::Case>(scalar));
      case rewrite::ScalarKind::kCast:
        return NoCast(As<rewrite::Cast>(scalar));
      default:
        return "it has no such expression of equal meaning";
    }
  }

  WhyNotText WhyNot(const rewrite::AggregateCall& call) const override {
    if (!IsPlainAggregate(call) || PostgresSpellings().Of(*call.overload).empty())
      return "it has no such aggregate of equal meaning";
    const std::string_view name = call.overload->row->name;
    if (call.distinct && (name == "$quantile" || name == "APPROX_COUNT_DISTINCT")) {
      return "it has no such aggregate of equal meaning";
    }
    for (const rewrite::ScalarPtr& argument : call.arguments) {
      if (!SortsAlike(argument->type)) return DoesNotCompare(argument->type);
    }
    return std::nullopt;
  }

  bool Carries(const Type& type) const override {
    return SortsAlike(type) || type.is(TypeKind::kBytes) || PostgresReadsField(type);
  }
};

}  // namespace

const Powers& PostgresPowers() {
  static const auto& powers = *new Postgres;
  return powers;
}

}  // namespace logquery::emit
