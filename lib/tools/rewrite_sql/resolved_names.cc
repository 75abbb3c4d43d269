// Keeps the types of expressions, and follows names through UNNEST to the columns that they are read from.
#include "lib/tools/rewrite_sql/resolved_names.h"

#include <utility>

#include "lib/rewrite/plan_walk.h"
#include "lib/rewrite/scalars.h"

namespace logquery::tools {

using rewrite::Scalar;

namespace {

// The array x of COALESCE(x, []), which UNNEST reads like x.
const Scalar& WithoutEmpty(const Scalar& array) {
  const bool or_other = rewrite::IsCallOf(array, "COALESCE") || rewrite::IsCallOf(array, "IFNULL");
  if (!or_other) return array;
  const auto& arguments = rewrite::As<rewrite::FunctionCall>(array).arguments;
  const Scalar* last = arguments.back().get();
  while (const auto* cast = rewrite::If<rewrite::Cast>(last)) last = cast->operand.get();
  const auto* made = rewrite::If<rewrite::ArrayMake>(last);
  const auto* constant = rewrite::If<rewrite::Constant>(last);
  // An empty array beside a record has become its NULL, which is the same.
  const bool no_record = constant != nullptr && constant->type.is_record() && constant->value.is_null();
  const bool no_element = constant != nullptr && constant->type.is_array() && !constant->value.is_null() &&
                          constant->value.children().empty();
  const bool empty = (made != nullptr && made->elements.empty()) || no_record || no_element;
  return arguments.size() == 2 && empty ? *arguments[0] : array;
}

}  // namespace

// The column and fields that a scalar reads, below the forms in which the resolver wraps records.
std::optional<ResolvedNames::Path> ResolvedNames::PathOf(const Scalar& scalar) {
  if (const auto* column = rewrite::If<rewrite::ColumnRef>(&scalar)) return Path{column->id, {}};
  if (const auto* field = rewrite::If<rewrite::FieldRef>(&scalar)) {
    std::optional<Path> path = PathOf(*field->base);
    if (path) path->fields.push_back(field->base->type.fields()[static_cast<size_t>(field->index)].name);
    return path;
  }
  if (rewrite::IsCallOf(scalar, "$element")) return PathOf(*rewrite::As<rewrite::FunctionCall>(scalar).arguments[0]);
  if (const auto* cast = rewrite::If<rewrite::Cast>(&scalar)) {
    const bool is_record = cast->operand->type.is_record() && cast->type.is_array();
    return is_record ? PathOf(*cast->operand) : std::nullopt;
  }
  if (const auto* choice = rewrite::If<rewrite::Case>(&scalar)) {
    const bool by_row = choice->whens.size() == 1 && rewrite::IsCallOf(*choice->whens[0].condition, "$present");
    return by_row ? PathOf(*choice->whens[0].result) : std::nullopt;
  }
  return std::nullopt;
}

void ResolvedNames::OnExpr(const sql::Expr& expr, const Scalar& scalar) {
  exprs_[&expr] = Fact{scalar.type, Follow(PathOf(scalar))};
}

void ResolvedNames::OnRows(const sql::FromItem& item, const std::string& entry, bool of_endpoint,
                           const std::vector<rewrite::PlanColumn>& columns) {
  rows_[&item] = RowsOf{entry, of_endpoint, columns};
  for (const rewrite::PlanColumn& column : columns) columns_[column.id] = Column{&item, column.name, std::nullopt};
}

void ResolvedNames::OnUnnest(const sql::FromItem& item, const rewrite::Unnest& unnest) {
  Array array;
  for (size_t i = 0; i < unnest.arrays.size(); ++i) {
    const Scalar& read = WithoutEmpty(*unnest.arrays[i]);
    std::optional<Path> path = PathOf(read);
    const bool is_record = read.type.is_record() && unnest.arrays.size() == 1;
    if (unnest.arrays.size() == 1) array = Array{Follow(path), is_record};
    Column element{&item, "", std::nullopt};
    if (is_record) element.record = std::move(path);
    columns_[unnest.elements[i].id] = std::move(element);
  }
  arrays_[&item] = std::move(array);
  if (unnest.offset) columns_[unnest.offset->id] = Column{&item, "offset", std::nullopt};
}

const Type* ResolvedNames::TypeOf(const sql::Expr& expr) const {
  const auto found = exprs_.find(&expr);
  return found == exprs_.end() ? nullptr : &found->second.type;
}

std::optional<NameSource> ResolvedNames::Follow(std::optional<Path> path) const {
  while (path) {
    const auto found = columns_.find(path->root);
    if (found == columns_.end()) return std::nullopt;
    const Column& column = found->second;
    if (!column.record) return NameSource{column.item, column.name, std::move(path->fields)};
    Path above = *column.record;
    above.fields.insert(above.fields.end(), path->fields.begin(), path->fields.end());
    path = std::move(above);
  }
  return std::nullopt;
}

std::optional<NameSource> ResolvedNames::SourceOf(const sql::Expr& expr) const {
  const auto found = exprs_.find(&expr);
  return found == exprs_.end() ? std::nullopt : found->second.source;
}

const RowsOf* ResolvedNames::RowsOfItem(const sql::FromItem& item) const {
  const auto found = rows_.find(&item);
  return found == rows_.end() ? nullptr : &found->second;
}

std::optional<NameSource> ResolvedNames::ArrayOf(const sql::FromItem& item) const {
  const auto found = arrays_.find(&item);
  return found == arrays_.end() ? std::nullopt : found->second.source;
}

bool ResolvedNames::IsRecord(const sql::FromItem& item) const {
  const auto found = arrays_.find(&item);
  return found != arrays_.end() && found->second.is_record;
}

}  // namespace logquery::tools
