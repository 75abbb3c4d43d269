// The names that a SELECT defines, and the keys of log_attributes that it reads.
#include <algorithm>

#include "lib/base/limits.h"
#include "lib/base/status_macros.h"
#include "lib/base/strings.h"
#include "lib/clickhouse_sql/resolve/resolver_impl.h"
#include "lib/rewrite/plan_walk.h"
#include "lib/rewrite/scalar_equal.h"
#include "lib/rewrite/scalars.h"

namespace logquery::clickhouse_sql {

using base::StrCat;
using rewrite::ColumnRef;

void AddKeys(const Expr& expr, WantedKeys& wanted) {
  const auto is_map = [](const Expr& e) { return e.kind == ExprKind::kName && e.path.back() == "log_attributes"; };
  if (expr.kind == ExprKind::kStar) wanted.star = true;
  if (is_map(expr)) wanted.whole = true;
  const bool look_up = expr.kind == ExprKind::kCall && (expr.text == "arrayElement" || expr.text == "mapContains") &&
                       expr.args.size() == 2;
  if (look_up && is_map(*expr.args[0]) && expr.args[1]->kind == ExprKind::kString) {
    wanted.keys.insert(expr.args[1]->text);
    return;
  }
  for (const auto* list : {&expr.args, &expr.params}) {
    for (const ExprPtr& arg : *list) {
      const bool counts = arg->kind == ExprKind::kStar && expr.kind == ExprKind::kCall;  // count(*)
      if (!counts) AddKeys(*arg, wanted);
    }
  }
  if (expr.over == nullptr) return;
  for (const ExprPtr& part : expr.over->partition_by) AddKeys(*part, wanted);
  for (const OrderItem& item : expr.over->order_by) AddKeys(*item.value, wanted);
}

WantedKeys KeysOf(const Select& select) {
  WantedKeys wanted;
  std::function<void(const From&)> add_from = [&](const From& from) {
    if (from.on != nullptr) AddKeys(*from.on, wanted);
    if (from.left != nullptr) add_from(*from.left);
    if (from.right != nullptr) add_from(*from.right);
  };
  if (select.from != nullptr) add_from(*select.from);
  for (const auto* list : {&select.items, &select.group_by, &select.limit_by, &select.array_join}) {
    for (const ExprPtr& expr : *list) AddKeys(*expr, wanted);
  }
  for (const auto* expr : {&select.prewhere, &select.where, &select.having, &select.qualify}) {
    if (*expr != nullptr) AddKeys(**expr, wanted);
  }
  for (const OrderItem& item : select.order_by) AddKeys(*item.value, wanted);
  return wanted;
}

absl::Status Resolver::AddAliases(const Expr& expr, SelectScope& scope) {
  if (!expr.alias.empty()) {
    const auto [known, added] = scope.aliases.emplace(expr.alias, &expr);
    if (!added && CanonicalText(*known->second) != CanonicalText(expr)) {
      return Error(expr.alias_span, StrCat("the alias ", expr.alias, " is given to two expressions"));
    }
  }
  for (const auto* list : {&expr.args, &expr.params}) {
    for (const ExprPtr& arg : *list) LOGQUERY_RETURN_IF_ERROR(AddAliases(*arg, scope));
  }
  return absl::OkStatus();
}

absl::Status Resolver::CollectAliases(const Select& select, SelectScope& scope) {
  if (!select.with.empty()) {
    names_.emplace_back();
    for (const WithItem& item : select.with) {
      if (!in_definition_ && item.query != nullptr && definition_ != nullptr) {
        const std::vector<std::string> taken = EntriesOf(*definition_->query);
        if (std::find(taken.begin(), taken.end(), item.name) != taken.end()) {
          return Error(item.span, StrCat("WITH can't define ", item.name, ", which is the name of a table here"));
        }
      }
      Named named;
      named.query = item.query.get();
      named.value = item.value.get();
      if (item.value != nullptr) AddKeys(*item.value, keys_of_with_);
      if (!names_.back().emplace(item.name, std::move(named)).second)
        return Error(item.span, StrCat("WITH defines ", item.name, " twice"));
    }
  }
  for (const ExprPtr& item : select.items) LOGQUERY_RETURN_IF_ERROR(AddAliases(*item, scope));
  for (const auto* expr : {&select.prewhere, &select.where, &select.having}) {
    if (*expr != nullptr) LOGQUERY_RETURN_IF_ERROR(AddAliases(**expr, scope));
  }
  for (const ExprPtr& key : select.group_by) LOGQUERY_RETURN_IF_ERROR(AddAliases(*key, scope));
  return absl::OkStatus();
}

}  // namespace logquery::clickhouse_sql
