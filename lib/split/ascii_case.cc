// Visits each comparison once.
#include "lib/split/ascii_case.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/strings/ascii.h"
#include "lib/base/utf8.h"
#include "lib/rewrite/plan_walk.h"
#include "lib/rewrite/scalars.h"

namespace logquery::split {
namespace {

using rewrite::FunctionCall;
using rewrite::If;
using rewrite::Scalar;
using rewrite::ScalarPtr;

bool IsComparison(const FunctionCall& call) {
  constexpr std::array<std::string_view, 12> kNames = {"$equal",   "$not_equal",        "$less",     "$less_or_equal",
                                                       "$greater", "$greater_or_equal", "$in",       "$between",
                                                       "$like",    "STARTS_WITH",       "ENDS_WITH", "STRPOS"};
  return std::find(kNames.begin(), kNames.end(), std::string_view(call.overload->row->name)) != kNames.end();
}

bool IsAsciiConstant(const Scalar& scalar) {
  const auto* const constant = If<rewrite::Constant>(&scalar);
  if (constant == nullptr || !constant->type.is(TypeKind::kString) || constant->value.is_null()) return false;
  return base::IsAscii(constant->value.string_value());
}

bool ComparesWithAscii(const FunctionCall& call) {
  return call.arguments.size() > 1 && std::all_of(call.arguments.begin() + 1, call.arguments.end(),
                                                  [](const ScalarPtr& argument) { return IsAsciiConstant(*argument); });
}

ScalarPtr AsciiLower(ScalarPtr text) {
  const sql::Span span = text->span;
  std::vector<ScalarPtr> arguments;
  arguments.push_back(std::move(text));
  ScalarPtr made = rewrite::MakeTypedCall("$ascii_lower", Type::String(), std::move(arguments));
  made->span = span;
  return made;
}

void Visit(ScalarPtr& scalar) {
  auto* const call = If<FunctionCall>(scalar.get());
  if (call == nullptr || call->safe || !ComparesWithAscii(*call)) return;
  if (IsComparison(*call)) {
    auto* const lower = If<FunctionCall>(call->arguments[0].get());
    if (lower == nullptr || lower->safe || !rewrite::IsCallOf(*lower, "LOWER")) return;
    if (!lower->arguments[0]->type.is(TypeKind::kString)) return;
    ScalarPtr text = std::move(lower->arguments[0]);
    call->arguments[0] = AsciiLower(std::move(text));
  } else if (rewrite::IsCallOf(*call, "$ilike")) {
    const std::string& pattern = rewrite::As<rewrite::Constant>(*call->arguments[1]).value.string_value();
    std::vector<ScalarPtr> arguments;
    arguments.push_back(AsciiLower(std::move(call->arguments[0])));
    arguments.push_back(
        std::make_unique<rewrite::Constant>(Value::String(absl::AsciiStrToLower(absl::string_view(pattern)))));
    const sql::Span span = call->span;
    scalar = rewrite::MakeTypedCall("$like", Type::Bool(), std::move(arguments));
    scalar->span = span;
  }
}

}  // namespace

void UseAsciiCase(rewrite::Plan& root) {
  rewrite::VisitPlans(root, [](rewrite::Plan& plan) {
    rewrite::RewriteOwnScalars(plan, [](ScalarPtr& scalar) {
      Visit(scalar);
      return absl::OkStatus();
    }).IgnoreError();  // the callback never fails
  });
}

}  // namespace logquery::split
