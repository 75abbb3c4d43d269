// Compares stored values in place of redacted ones where both comparisons have the same result: `REDACT(x) = v` is
// `x = v` if redaction leaves v as it is, and v does not contain REDACTED. The engine then skips rows as it does without
// redaction.
#include <algorithm>
#include <vector>

#include "lib/base/redaction_kinds.h"
#include "lib/base/status_macros.h"
#include "lib/rewrite/passes/pass.h"
#include "lib/rewrite/passes/redaction.h"
#include "lib/rewrite/plan_walk.h"
#include "lib/rewrite/scalars.h"
#include "logquery/redactor.h"

namespace logquery::rewrite {
namespace {

bool IsPlainOperand(const Scalar& operand, const PassContext& context, const Redactor& redactor) {
  if (const auto* constant = If<Constant>(&operand)) {
    return constant->value.is_null() || IsUnredacted(constant->value.string_value(), redactor);
  }
  // Names of internal parameters begin with @; their values are not known yet.
  const auto* parameter = If<ParameterRef>(&operand);
  return parameter != nullptr && parameter->name[0] != '@' && context.plain_parameters;
}

bool IsComparison(const Scalar& scalar) {
  return IsCallOf(scalar, "$equal") || IsCallOf(scalar, "$not_equal") || IsCallOf(scalar, "$in");
}

}  // namespace

absl::Status CompareStored(const PassContext& context, QueryPlan& query) {
  if (context.redaction == nullptr) return absl::OkStatus();
  LOGQUERY_ASSIGN_OR_RETURN(const RedactionKinds kinds, base::ParseRedactionKinds(*context.redaction));
  LOGQUERY_ASSIGN_OR_RETURN(const Redactor redactor, Redactor::Create(kinds));
  return RewriteScalars(query.root, [&](ScalarPtr& scalar) {
    if (!IsComparison(*scalar)) return absl::OkStatus();
    std::vector<ScalarPtr>& operands = As<FunctionCall>(*scalar).arguments;
    const auto redacted =
        std::find_if(operands.begin(), operands.end(), [](const ScalarPtr& operand) { return IsRedaction(*operand); });
    if (redacted == operands.end() || !(*redacted)->type.is(TypeKind::kString)) return absl::OkStatus();
    for (const ScalarPtr& operand : operands) {
      if (operand != *redacted && !IsPlainOperand(*operand, context, redactor)) return absl::OkStatus();
    }
    ScalarPtr stored = std::move(As<FunctionCall>(**redacted).arguments[0]);
    *redacted = std::move(stored);
    return absl::OkStatus();
  });
}

}  // namespace logquery::rewrite
