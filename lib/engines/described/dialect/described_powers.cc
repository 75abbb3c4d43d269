// Asks the clauses first, then what all engines of tables have in common, then the lists of types and functions.
#include "lib/engines/described/dialect/described_powers.h"

#include "lib/emit/spellings.h"

namespace logquery::emit {
namespace {

using rewrite::As;
using rewrite::If;
using WhyNotText = std::optional<std::string>;

WhyNotText Unless(bool can, const char* reason) { return can ? std::nullopt : WhyNotText(reason); }

bool IsConstantCount(const rewrite::ScalarPtr& count) {
  return count == nullptr || count->kind == rewrite::ScalarKind::kConstant;
}

}  // namespace

WhyNotText DescribedPowers::WhyNot(const rewrite::Plan& node) const {
  const EngineSpellings& can = words_.spellings();
  WhyNotText no;
  switch (node.kind) {
    case rewrite::PlanKind::kProject:
      no = Unless(can.computes || As<rewrite::Project>(node).computed.empty(), "it selects columns alone");
      break;
    case rewrite::PlanKind::kAggregate:
      no = Unless(can.groups, "it has no aggregates");
      break;
    case rewrite::PlanKind::kSort:
      no = Unless(can.sorts, "it has no ORDER BY");
      break;
    case rewrite::PlanKind::kLimit: {
      const auto& limit = As<rewrite::Limit>(node);
      no = Unless(can.limits, "it has no LIMIT");
      if (!no && limit.offset != nullptr) no = Unless(can.offsets, "it has no OFFSET");
      const bool is_constant = IsConstantCount(limit.limit) && IsConstantCount(limit.offset);
      if (!no) no = Unless(is_constant, "it is given a LIMIT and OFFSET that are constants alone");
      break;
    }
    case rewrite::PlanKind::kJoin:
      no = Unless(can.joins, "it has no joins");
      break;
    case rewrite::PlanKind::kWindow:
      no = Unless(can.numbers_rows, "windows are worked out here");
      break;
    default:
      break;
  }
  if (!no) no = OfKeys(node);
  return no ? no : TablePowers::WhyNot(node);
}

// Keys of groups and of sorts must have a type that the engine compares.
WhyNotText DescribedPowers::OfKeys(const rewrite::Plan& node) const {
  WhyNotText no;
  const auto check = [&](const Type& type) {
    if (!no) no = NotCompared(type);
  };
  if (const auto* const aggregate = If<rewrite::Aggregate>(&node)) {
    for (const rewrite::Computed& key : aggregate->keys) check(key.column.type);
  }
  if (const auto* const sort = If<rewrite::Sort>(&node)) {
    for (const rewrite::OrderKey& key : sort->keys) check(key.value->type);
  }
  if (const auto* const window = If<rewrite::Window>(&node)) {
    for (const rewrite::Window::Call& each : window->calls) {
      for (const rewrite::ScalarPtr& key : each.partition_by) check(key->type);
      for (const rewrite::OrderKey& key : each.order_by) check(key.value->type);
    }
  }
  return no;
}

WhyNotText DescribedPowers::OfConstant(const rewrite::Constant& constant) const {
  if (WhyNotText no = TablePowers::OfConstant(constant)) return no;
  const bool is_text = constant.type.is(TypeKind::kString) && !constant.value.is_null();
  if (is_text && !DescribedWords::IsPlainText(constant.value.string_value())) {
    return "it is given no text with a NUL character or that is not UTF-8";
  }
  return std::nullopt;
}

WhyNotText DescribedPowers::OfCall(const rewrite::FunctionCall& call) const {
  const CallTemplate* const entry = words_.calls().Find(*call.overload, call.arguments);
  if (entry == nullptr || call.safe) return kNoFunction;
  if (WhyNotText no = NotCompared(call)) return no;
  return NotPlain(entry->text, call);
}

WhyNotText DescribedPowers::OfCase(const rewrite::Case& branches) const {
  if (!words_.spellings().has_case) return "it has no CASE";
  // Engines differ in whether NULL is equal to NULL there.
  if (branches.operand != nullptr) return "it is given CASE without an operand alone";
  return NotCompared(branches.type);
}

WhyNotText DescribedPowers::OfCast(const rewrite::Cast& cast) const {
  if (WhyNotText no = NoCast(cast)) return no;
  const std::string_view entry = words_.calls().Cast(cast.operand->type.kind(), cast.type.kind());
  if (entry.empty() || cast.safe) return "it has no such cast of equal meaning";
  if (WhyNotText no = NotCompared(cast.operand->type)) return no;
  if (WhyNotText no = NotCompared(cast.type)) return no;
  if (CountInTemplate(entry, 0) > 1 && !IsPlain(*cast.operand))
    return "its operand is not a column, constant or parameter";
  return std::nullopt;
}

WhyNotText DescribedPowers::WhyNot(const rewrite::AggregateCall& call) const {
  if (!IsPlainAggregate(call)) return kNoAggregate;
  const CallTemplate* const entry = words_.calls().Find(*call.overload, call.arguments);
  if (entry == nullptr || (call.distinct && entry->distinct.empty())) return kNoAggregate;
  const std::string& text = call.distinct ? entry->distinct : entry->text;
  for (size_t i = 0; i < call.arguments.size(); ++i) {
    const rewrite::Scalar& argument = *call.arguments[i];
    if (WhyNotText no = NotCompared(argument.type)) return no;
    if (CountInTemplate(text, i) > 1 && !IsPlain(argument)) {
      return "it is given columns, constants and parameters alone there";
    }
  }
  return std::nullopt;
}

}  // namespace logquery::emit
