// First checks what is never sent to a source, then asks the source node by node.
#include "lib/split/reasons.h"

#include <optional>
#include <utility>

#include "absl/strings/ascii.h"
#include "lib/base/strings.h"
#include "lib/functions/function.h"
#include "lib/rewrite/column_set.h"
#include "lib/rewrite/functions/ch/ch_rows.h"
#include "lib/rewrite/passes/may_raise.h"
#include "lib/rewrite/plan_walk.h"
#include "lib/split/total_calls.h"

namespace logquery::split {
namespace {

using base::StrCat;
using rewrite::Aggregate;
using rewrite::AggregateCall;
using rewrite::As;
using rewrite::ColumnSet;
using rewrite::FunctionCall;
using rewrite::If;
using rewrite::Plan;
using rewrite::PlanColumn;
using rewrite::PlanKind;
using rewrite::Scalar;
using rewrite::ScalarKind;
using rewrite::ScalarPtr;

constexpr uint32_t kNeverThere = rewrite::kVolatile | rewrite::kInternal;

// "LIKE" of $like, "AT OFFSET" of $at_offset.
std::string Readable(std::string_view function) {
  std::string name(function.substr(function.starts_with("$") ? 1 : 0));
  if (name.size() == function.size()) return name;
  for (char& c : name) c = c == '_' ? ' ' : absl::ascii_toupper(static_cast<unsigned char>(c));
  return name;
}

// Returns the scalar's name in a reason.
std::string NameOf(const Scalar& scalar) {
  switch (scalar.kind) {
    case ScalarKind::kCall:
      return Readable(As<FunctionCall>(scalar).overload->row->name);
    case ScalarKind::kCast:
      return StrCat("a cast to ", scalar.type.ToString());
    case ScalarKind::kSubquery:
      return "a subquery";
    case ScalarKind::kLambda:
      return "a lambda";
    case ScalarKind::kCase:
      return "CASE";
    case ScalarKind::kField:
      return "a field";
    case ScalarKind::kConstant:
    case ScalarKind::kParameter:
      return StrCat("a value of ", scalar.type.ToString());
    case ScalarKind::kStruct:
    case ScalarKind::kArray:
    case ScalarKind::kColumn:
      break;
  }
  return scalar.type.ToString();
}

bool IsInternal(const FunctionCall& call) {
  // The embedding program's functions have the same meaning nowhere else.
  if (call.overload->own != nullptr && call.overload->own->evaluator != nullptr) return true;
  if (rewrite::IsChRow(*call.overload->row)) return false;
  // $element and $present are how a record's fields are read, and $ascii_lower is made for sources.
  const std::string_view name = call.overload->row->name;
  return (call.overload->function->flags & kNeverThere) != 0 && name != "$element" && name != "$present" &&
         name != "$ascii_lower";
}

}  // namespace

std::string Reasons::WhyNot(const Scalar& scalar, const Plan& input) const {
  ColumnSet known;
  for (const PlanColumn& column : input.columns) known.insert(column.id);
  std::string reason;
  rewrite::VisitScalars(scalar, [&](const Scalar& part) {
    if (!reason.empty()) return;
    const auto* const column = If<rewrite::ColumnRef>(&part);
    const auto* const call = If<FunctionCall>(&part);
    if (part.kind == ScalarKind::kSubquery) {
      reason = "a subquery is worked out here";
    } else if (column != nullptr && !known.contains(column->id)) {
      reason = StrCat("the column ", column->name, " is of another part of the query");
    } else if (call != nullptr && IsInternal(*call)) {
      reason = StrCat(Readable(call->overload->row->name), " is worked out here");
    } else if (std::optional<std::string> said = powers_.WhyNot(part)) {
      reason = StrCat(NameOf(part), ": ", *said);
    } else if (rewrite::MayRaiseAlone(part) && (call == nullptr || !IsTotalForConstants(*call))) {
      reason = StrCat(NameOf(part), ": it may raise an error");
    }
  });
  return reason;
}

std::string Reasons::OfCall(const AggregateCall& call) const {
  const std::string name = Readable(call.overload->row->name);
  if (std::optional<std::string> said = powers_.WhyNot(call)) return StrCat(name, ": ", *said);
  const bool is_total = (call.overload->row->flags & rewrite::kTotal) != 0 || IsTotalForConstants(call);
  if (!is_total) return StrCat(name, ": it may raise an error");
  return "";
}

std::string Reasons::OfScalars(const Plan& node) const {
  rewrite::SingleRow visible;  // with the columns of all inputs
  rewrite::ForEachInput(node, [&](const Plan& input) {
    visible.columns.insert(visible.columns.end(), input.columns.begin(), input.columns.end());
  });
  std::string reason;
  rewrite::ForEachOwnScalar(const_cast<Plan&>(node), [&](ScalarPtr& scalar) {
    if (scalar != nullptr && reason.empty()) reason = WhyNot(*scalar, visible);
  });
  return reason;
}

std::string Reasons::OfColumns(const Plan& node) const {
  for (const PlanColumn& column : node.columns) {
    if (!powers_.Carries(column.type))
      return StrCat(column.type.ToString(), " is made here, as it does not come from there");
  }
  return "";
}

std::string Reasons::WhyNot(const Plan& node) const {
  if (std::optional<std::string> said = powers_.WhyNot(node)) return *std::move(said);
  std::string reason = OfScalars(node);
  if (reason.empty()) reason = OfColumns(node);
  const auto add = [&](const AggregateCall& call) {
    if (reason.empty()) reason = OfCall(call);
  };
  if (const auto* const aggregate = If<Aggregate>(&node)) {
    for (const Aggregate::Call& call : aggregate->calls) add(call.call);
  }
  if (const auto* const window = If<rewrite::Window>(&node)) {
    for (const rewrite::Window::Call& call : window->calls) add(call.call);
  }
  return reason;
}

}  // namespace logquery::split
