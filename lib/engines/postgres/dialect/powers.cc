// Allows scans, conditions, sorted and limited rows, and groups over the types whose values compare alike in both
// engines. FLOAT64 is excluded, because PostgreSQL treats NaN as equal to itself and greater than all numbers.
#include "lib/engines/postgres/dialect/powers.h"

#include <string_view>

#include "lib/base/strings.h"
#include "lib/emit/table_powers.h"
#include "lib/engines/postgres/dialect/calls.h"
#include "lib/engines/postgres/dialect/json_paths.h"
#include "lib/engines/postgres/dialect/spellings.h"
#include "lib/engines/postgres/dialect/texts.h"

namespace logquery::emit {
namespace {

using base::StrCat;
using rewrite::If;
using WhyNotText = std::optional<std::string>;

bool OfRecord(const rewrite::FunctionCall& call) {
  const std::string_view name = call.overload->row->name;
  return name == "$element" || name == "$present";
}

class Postgres final : public TablePowers {
 public:
  using TablePowers::WhyNot;
  WhyNotText WhyNot(const rewrite::AggregateCall& call) const override {
    if (!IsPlainAggregate(call) || PostgresSpellings().Of(*call.overload).empty()) return kNoAggregate;
    const std::string_view name = call.overload->row->name;
    if (call.distinct && (name == "$quantile" || name == "APPROX_COUNT_DISTINCT")) return kNoAggregate;
    for (const rewrite::ScalarPtr& argument : call.arguments) {
      if (WhyNotText no = NotCompared(argument->type)) return no;
    }
    return std::nullopt;
  }

  bool Carries(const Type& type) const override {
    return SortsAlike(type) || type.is(TypeKind::kBytes) || PostgresReadsField(type);
  }

 private:
  WhyNotText OfConstant(const rewrite::Constant& constant) const override {
    if (WhyNotText no = TablePowers::OfConstant(constant)) return no;
    const bool is_text = constant.type.is(TypeKind::kString) && !constant.value.is_null();
    if (is_text && !IsPostgresText(constant.value.string_value())) return "its text holds neither NUL nor broken UTF-8";
    return std::nullopt;
  }

  WhyNotText OfField(const rewrite::FieldRef& field) const override {
    const auto* const element = If<rewrite::FunctionCall>(field.base.get());
    const bool of_record = element != nullptr && std::string_view(element->overload->row->name) == "$element";
    if (!of_record) return "it has fields of records alone";
    const Field& declared = field.base->type.fields()[static_cast<size_t>(field.index)];
    if (!IsPostgresText(declared.name)) return "it has no such name";
    if (field.type.is_record() || PostgresReadsField(field.type)) return std::nullopt;
    return StrCat("it does not read ", field.type.ToString(), " from JSON as we do");
  }

  WhyNotText OfCall(const rewrite::FunctionCall& call) const override {
    const std::string_view spelling = PostgresSpellings().Of(*call.overload);
    if (spelling.empty() || call.safe) return kNoFunction;
    if (!OfRecord(call)) {
      if (WhyNotText no = NotCompared(call)) return no;
    } else if (!call.arguments[0]->type.is_record()) {
      return "it has no arrays";
    }
    return WhyNotSpelled(FindPostgresCall(spelling), spelling, call);
  }

  WhyNotText OfCase(const rewrite::Case& branches) const override {
    if (branches.operand != nullptr) {
      if (WhyNotText no = NotCompared(branches.operand->type)) return no;
    }
    return NotCompared(branches.type);
  }
};

}  // namespace

const Powers& PostgresPowers() {
  static const auto& powers = *new Postgres;
  return powers;
}

}  // namespace logquery::emit
