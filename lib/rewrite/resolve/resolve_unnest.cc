// Resolves arrays in FROM: UNNEST, and paths to arrays of preceding items.
#include "lib/base/status_macros.h"
#include "lib/rewrite/resolve/coercion.h"
#include "lib/rewrite/resolve/resolve_observer.h"
#include "lib/rewrite/resolve/resolver_impl.h"
#include "lib/sql/text_error.h"

namespace logquery::rewrite {

using base::StrCat;

bool Resolver::IsArrayPath(const sql::FromItem& item, const Scope& visible) const {
  const auto* table = sql::If<sql::TableItem>(&item);
  if (table == nullptr) return false;
  const std::string& first = table->path[0].text;
  if (table->path.size() > 1) {
    // `t.arr`, where t is in scope; a table of that dotted name is meant otherwise.
    return static_cast<bool>(visible.Find(first));
  }
  if (table->path[0].quoted && first.find('.') != std::string::npos) return false;
  bool is_table = FindCte(first) != nullptr ||
                  (!in_sandbox_ && options_.catalog != nullptr && options_.catalog->Find(first) != nullptr);
  if (is_table) return false;
  Scope::Found found = visible.FindHere(first);
  return found.column != nullptr && !found.ambiguous && found.column->type().is_array();
}

absl::StatusOr<Resolver::UnnestParts> Resolver::ResolveUnnestParts(const sql::FromItem& item, const Scope& visible) {
  ExprContext context{&visible, "FROM", nullptr, false, nullptr, false};
  UnnestParts parts;
  parts.span = item.span;
  if (const auto* table = sql::If<sql::TableItem>(&item)) {
    sql::PathExpr path;
    path.span = item.span;
    path.names = table->path;
    LOGQUERY_ASSIGN_OR_RETURN(ScalarPtr array, ResolvePath(path, context));
    array->span = item.span;
    parts.arrays.push_back(std::move(array));
    parts.aliases.push_back(item.alias ? item.alias->text : table->path.back().text);
    if (table->with_offset) parts.offset_alias = table->offset_alias ? table->offset_alias->text : "offset";
  } else {
    const auto& unnest = sql::As<sql::UnnestItem>(item);
    if (unnest.mode != nullptr) return Unsupported(unnest.mode->span, "UNNEST's mode is not supported");
    for (const sql::UnnestItem::Array& array : unnest.arrays) {
      LOGQUERY_ASSIGN_OR_RETURN(ScalarPtr value, ResolveExpr(*array.value, context));
      parts.arrays.push_back(std::move(value));
      const auto& alias = array.alias ? array.alias : unnest.arrays.size() == 1 ? item.alias : array.alias;
      parts.aliases.push_back(alias ? alias->text : "");
    }
    if (unnest.with_offset) parts.offset_alias = unnest.offset_alias ? unnest.offset_alias->text : "offset";
  }
  for (ScalarPtr& array : parts.arrays) {
    array = ReadAsRecord(std::move(array));
    if (IsUntypedNull(*array)) {
      LOGQUERY_ASSIGN_OR_RETURN(array, CoerceAt(std::move(array), Type::Array(Type::Int64()), "UNNEST"));
    }
    if (!array->type.is_array()) {
      return Error(array->span, StrCat("UNNEST wants an array, not a value of type ", array->type.ToString()));
    }
  }
  return parts;
}

absl::StatusOr<Resolver::FromResult> Resolver::MakeUnnest(const sql::FromItem& item, UnnestParts parts, PlanPtr input,
                                                          const Scope* outer) {
  auto unnest = std::make_unique<Unnest>(std::move(input));
  unnest->columns.reserve(unnest->input->columns.size() + parts.arrays.size() + 1);
  unnest->columns = unnest->input->columns;
  FromResult result{nullptr, Scope(outer)};
  for (size_t i = 0; i < parts.arrays.size(); ++i) {
    PlanColumn element = NewColumn(parts.aliases[i], parts.arrays[i]->type.element());
    // Side by side with longer arrays, a record's element may be missing.
    if (parts.arrays[i]->type.is_record() && parts.arrays.size() == 1) never_null_.insert(element.id);
    unnest->arrays.push_back(std::move(parts.arrays[i]));
    unnest->elements.push_back(element);
    unnest->columns.push_back(element);
    for (VisibleName& name : NamesOfValue(element, parts.aliases[i])) result.scope.columns.push_back(std::move(name));
    if (!parts.aliases[i].empty()) result.scope.ranges.push_back({parts.aliases[i], element, {}});
    if (!never_null_.contains(element.id)) ReadWithRow({{element.id}}, result.scope);
  }
  if (parts.offset_alias) {
    unnest->offset = NewColumn(*parts.offset_alias, Type::Int64());
    unnest->columns.push_back(*unnest->offset);
    result.scope.columns.push_back({*parts.offset_alias, *unnest->offset});
  }
  if (options_.observer != nullptr) options_.observer->OnUnnest(item, *unnest);
  result.plan = std::move(unnest);
  return result;
}

absl::StatusOr<Resolver::FromResult> Resolver::JoinUnnest(const sql::JoinItem& item, FromResult left,
                                                          const Scope* outer) {
  LOGQUERY_ASSIGN_OR_RETURN(UnnestParts parts, ResolveUnnestParts(*item.right, left.scope));
  LOGQUERY_ASSIGN_OR_RETURN(FromResult made, MakeUnnest(*item.right, std::move(parts), std::move(left.plan), outer));
  FromResult result{std::move(made.plan), Scope(outer)};
  result.scope.Append(std::move(left.scope));
  result.scope.Append(std::move(made.scope));
  ScalarPtr condition;
  if (item.on != nullptr) {
    ExprContext context{&result.scope, "ON", nullptr, false, nullptr, false};
    LOGQUERY_ASSIGN_OR_RETURN(condition, ResolveBool(*item.on, context));
  }
  const Constant* constant = If<Constant>(condition.get());
  if (constant != nullptr && !constant->value.is_null() && constant->value.bool_value()) condition = nullptr;
  Unnest& unnest = As<Unnest>(*result.plan);
  if (item.type == sql::JoinItem::Type::kLeft) {
    unnest.outer = true;
    unnest.condition = std::move(condition);
    AbsentSide elements;
    for (const PlanColumn& element : unnest.elements) elements.columns.insert(element.id);
    ReadWithRow(elements, result.scope);
  } else if (condition != nullptr) {
    result.plan = std::make_unique<Filter>(std::move(result.plan), std::move(condition));
  }
  return result;
}

}  // namespace logquery::rewrite
