// Letters, digits, slashes, dashes, underscores and spaces of ASCII match themselves in every syntax of regular expressions.
#include "lib/rewrite/passes/plain_patterns.h"

#include <utility>

#include "lib/rewrite/plan_walk.h"
#include "lib/rewrite/scalars.h"

namespace logquery::rewrite {
namespace {

constexpr char kOtherCharacter[] = "[^A-Za-z0-9/_ -]";

ScalarPtr IsPlain(const Scalar& pattern) {
  ScalarPtr other = std::make_unique<Constant>(Value::String(kOtherCharacter));
  return MakeTypedCall("$not", Type::Bool(),
                       MakeTypedCall("REGEXP_CONTAINS", Type::Bool(), Clone(pattern), std::move(other)));
}

ScalarPtr Contains(const FunctionCall& call) {
  ScalarPtr place = MakeTypedCall("STRPOS", Type::Int64(), Clone(*call.arguments[0]), Clone(*call.arguments[1]));
  return MakeTypedCall("$greater", Type::Bool(), std::move(place), MakeInt64(0));
}

}  // namespace

void SteerByPlainPatterns(QueryPlan& query) {
  const absl::Status done = RewriteScalars(query.root, [](ScalarPtr& scalar) {
    const auto* const call = If<FunctionCall>(scalar.get());
    // A longer text would be there twice, and one in another twice as often.
    const bool is_wanted = call != nullptr && IsCallOf(*call, "REGEXP_CONTAINS") && !call->safe &&
                           call->arguments[0]->type.is(TypeKind::kString) &&
                           call->arguments[1]->kind == ScalarKind::kParameter && IsPath(*call->arguments[0]);
    if (!is_wanted) return absl::OkStatus();
    auto either = std::make_unique<Case>(Type::Bool());
    either->span = call->span;
    either->whens.push_back({IsPlain(*call->arguments[1]), Contains(*call)});
    either->otherwise = std::move(scalar);
    scalar = std::move(either);
    return absl::OkStatus();
  });
  done.IgnoreError();  // the callback never fails
}

}  // namespace logquery::rewrite
