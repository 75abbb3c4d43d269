// Resolves joins.
#include <algorithm>

#include "lib/base/status_macros.h"
#include "lib/rewrite/resolve/coercion.h"
#include "lib/rewrite/resolve/resolver_impl.h"
#include "lib/sql/text_error.h"

namespace logquery::rewrite {

using base::StrCat;

namespace {

Join::Type JoinTypeOf(sql::JoinItem::Type type) {
  switch (type) {
    case sql::JoinItem::Type::kComma:
    case sql::JoinItem::Type::kCross:
      return Join::Type::kCross;
    case sql::JoinItem::Type::kInner:
      return Join::Type::kInner;
    case sql::JoinItem::Type::kLeft:
      return Join::Type::kLeft;
    case sql::JoinItem::Type::kRight:
      return Join::Type::kRight;
    case sql::JoinItem::Type::kFull:
      return Join::Type::kFull;
  }
  return Join::Type::kInner;
}

}  // namespace

absl::StatusOr<Resolver::FromResult> Resolver::ResolveJoin(const sql::JoinItem& item, const Scope* outer,
                                                           FromResult* left) {
  LOGQUERY_ASSIGN_OR_RETURN(FromResult resolved, ResolveFrom(*item.left, outer, left));
  return JoinWith(item, std::move(resolved), outer);
}

absl::StatusOr<Resolver::FromResult> Resolver::JoinWith(const sql::JoinItem& item, FromResult left,
                                                        const Scope* outer) {
  using Type = sql::JoinItem::Type;
  bool array = item.right->kind == sql::FromKind::kUnnest || IsArrayPath(*item.right, left.scope);
  if (array && item.type != Type::kRight && item.type != Type::kFull && item.columns.empty()) {
    return JoinUnnest(item, std::move(left), outer);
  }
  LOGQUERY_ASSIGN_OR_RETURN(FromResult right, ResolveFrom(*item.right, outer, nullptr));
  for (const RangeVariable& range : right.scope.ranges) {
    for (const RangeVariable& other : left.scope.ranges) {
      if (base::EqualsIgnoreCase(range.name, other.name)) {
        return Error(item.right->span, StrCat("the alias ", range.name, " is used twice in this FROM clause"));
      }
    }
  }
  if (!item.columns.empty()) return JoinUsing(item, std::move(left), std::move(right), outer);
  bool wants_condition = item.type != Type::kComma && item.type != Type::kCross;
  if (wants_condition && item.on == nullptr) {
    return Error(item.right->span, "this JOIN needs a condition: ON … or USING (…); for all pairs write CROSS JOIN");
  }
  FromResult result{nullptr, Scope(outer)};
  result.scope.Append(left.scope);
  result.scope.Append(right.scope);
  const std::vector<AbsentSide> absent = MarkAbsentSides(item.type, left, right);
  ScalarPtr condition;
  if (item.on != nullptr) {
    ExprContext context{&result.scope, "ON", nullptr, false, nullptr, false};
    LOGQUERY_ASSIGN_OR_RETURN(condition, ResolveBool(*item.on, context));
  }
  Join::Type type = JoinTypeOf(item.type);
  result.plan = std::make_unique<Join>(type, std::move(left.plan), std::move(right.plan), std::move(condition));
  for (const AbsentSide& side : absent) ReadWithRow(side, result.scope);
  return result;
}

absl::StatusOr<Resolver::FromResult> Resolver::JoinUsing(const sql::JoinItem& item, FromResult left, FromResult right,
                                                         const Scope* outer) {
  std::vector<ScalarPtr> equalities;
  std::vector<VisibleName> merged;
  std::vector<std::pair<VisibleName, VisibleName>> pairs;
  for (const sql::Identifier& name : item.columns) {
    Scope::Found l = left.scope.FindHere(name.text), r = right.scope.FindHere(name.text);
    if (l.ambiguous || r.ambiguous) {
      const std::vector<std::string> tables = (l.ambiguous ? left : right).scope.RangesWith(name.text);
      return Error(name.span, StrCat("the column ", name.text, " of USING is ambiguous: several tables on the ",
                                     l.ambiguous ? "left" : "right", " have it (", base::Join(tables, ", "),
                                     "); write ON with the alias of one"));
    }
    if (l.column == nullptr || r.column == nullptr) {
      const Scope& lacking = l.column == nullptr ? left.scope : right.scope;
      return Error(name.span,
                   StrCat("USING wants ", name.text, " on both sides; the ",
                          std::string_view(l.column == nullptr ? "left" : "right"), " one has none"),
                   sql::NearestNames(name.text, lacking.Names()));
    }
    pairs.emplace_back(*l.column, *r.column);
    LOGQUERY_ASSIGN_OR_RETURN(ScalarPtr equal, MakeCall("$equal", NameToScalar(*l.column, name.span),
                                                        NameToScalar(*r.column, name.span), name.span));
    equalities.push_back(std::move(equal));
  }
  ScalarPtr condition = std::move(equalities[0]);
  if (equalities.size() > 1) {
    equalities[0] = std::move(condition);
    LOGQUERY_ASSIGN_OR_RETURN(condition, MakeCall("$and", std::move(equalities), item.span));
  }
  FromResult result{nullptr, Scope(outer)};
  Join::Type type = JoinTypeOf(item.type);
  const std::vector<AbsentSide> absent = MarkAbsentSides(item.type, left, right);
  result.plan = std::make_unique<Join>(type, std::move(left.plan), std::move(right.plan), std::move(condition));
  auto project = std::make_unique<Project>(nullptr);
  for (size_t i = 0; i < pairs.size(); ++i) {
    const auto& [l, r] = pairs[i];
    if (type != Join::Type::kFull && type != Join::Type::kRight) {
      merged.push_back(l);
      continue;
    }
    std::vector<ScalarPtr> both;
    both.push_back(NameToScalar(l, item.columns[i].span));
    both.push_back(NameToScalar(r, item.columns[i].span));
    LOGQUERY_ASSIGN_OR_RETURN(ScalarPtr value, MakeCall("COALESCE", std::move(both), item.columns[i].span));
    PlanColumn column = NewColumn(l.name, value->type);
    project->computed.push_back({column, std::move(value)});
    merged.push_back({l.name, column});
  }
  if (!project->computed.empty()) {
    project->columns = result.plan->columns;
    for (const Computed& computed : project->computed) project->columns.push_back(computed.column);
    project->input = std::move(result.plan);
    result.plan = std::move(project);
  }
  auto is_merged = [&](const VisibleName& name) {
    return std::any_of(item.columns.begin(), item.columns.end(),
                       [&](const sql::Identifier& column) { return base::EqualsIgnoreCase(column.text, name.name); });
  };
  result.scope.columns = std::move(merged);
  for (Scope* scope : {&left.scope, &right.scope}) {
    for (const VisibleName& name : scope->columns) {
      if (!is_merged(name)) result.scope.columns.push_back(name);
    }
    result.scope.ranges.insert(result.scope.ranges.end(), scope->ranges.begin(), scope->ranges.end());
  }
  for (const AbsentSide& side : absent) ReadWithRow(side, result.scope);
  return result;
}

}  // namespace logquery::rewrite
