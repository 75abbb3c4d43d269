// Expressions of ClickHouse's syntax tree: constructors, copies, and templates with arguments.
#include "lib/clickhouse_sql/build.h"

#include <memory>

#include "absl/strings/numbers.h"
#include "lib/base/status_macros.h"
#include "lib/base/strings.h"
#include "lib/clickhouse_sql/parser.h"

namespace logquery::clickhouse_sql {
namespace {

ExprPtr Make(ExprKind kind) {
  auto expr = std::make_unique<Expr>();
  expr->kind = kind;
  return expr;
}

std::vector<ExprPtr> CloneAll(const std::vector<ExprPtr>& exprs) {
  std::vector<ExprPtr> copies;
  copies.reserve(exprs.size());
  for (const ExprPtr& expr : exprs) copies.push_back(CloneExpr(*expr));
  return copies;
}

ExprPtr CloneOrNull(const ExprPtr& expr) { return expr == nullptr ? nullptr : CloneExpr(*expr); }

OrderItem CloneOrder(const OrderItem& item) {
  OrderItem copy;
  copy.value = CloneExpr(*item.value);
  copy.descending = item.descending;
  copy.nulls_first = item.nulls_first;
  copy.with_fill = item.with_fill;
  copy.fill_from = CloneOrNull(item.fill_from);
  copy.fill_to = CloneOrNull(item.fill_to);
  copy.fill_step = CloneOrNull(item.fill_step);
  return copy;
}

std::unique_ptr<WindowSpec> CloneWindow(const WindowSpec& spec) {
  auto copy = std::make_unique<WindowSpec>();
  copy->partition_by = CloneAll(spec.partition_by);
  for (const OrderItem& item : spec.order_by) copy->order_by.push_back(CloneOrder(item));
  copy->framed = spec.framed;
  copy->rows = spec.rows;
  copy->begin = {spec.begin.kind, CloneOrNull(spec.begin.offset)};
  copy->end = {spec.end.kind, CloneOrNull(spec.end.offset)};
  return copy;
}

FromPtr CloneFrom(const From& from) {
  auto copy = std::make_unique<From>();
  copy->kind = from.kind;
  copy->span = from.span;
  copy->name = from.name;
  copy->alias = from.alias;
  if (from.query != nullptr) copy->query = CloneQuery(*from.query);
  copy->join = from.join;
  if (from.left != nullptr) copy->left = CloneFrom(*from.left);
  if (from.right != nullptr) copy->right = CloneFrom(*from.right);
  copy->on = CloneOrNull(from.on);
  copy->using_names = from.using_names;
  copy->using_span = from.using_span;
  return copy;
}

SelectPtr CloneSelect(const Select& select) {
  auto copy = std::make_unique<Select>();
  copy->span = select.span;
  for (const WithItem& item : select.with) {
    WithItem entry;
    entry.name = item.name;
    entry.span = item.span;
    if (item.query != nullptr) entry.query = CloneQuery(*item.query);
    entry.value = CloneOrNull(item.value);
    copy->with.push_back(std::move(entry));
  }
  copy->distinct = select.distinct;
  copy->items = CloneAll(select.items);
  if (select.from != nullptr) copy->from = CloneFrom(*select.from);
  copy->left_array_join = select.left_array_join;
  copy->array_join = CloneAll(select.array_join);
  copy->prewhere = CloneOrNull(select.prewhere);
  copy->where = CloneOrNull(select.where);
  copy->having = CloneOrNull(select.having);
  copy->qualify = CloneOrNull(select.qualify);
  copy->grouping = select.grouping;
  copy->group_by = CloneAll(select.group_by);
  copy->order_by_all = select.order_by_all;
  copy->order_all_descending = select.order_all_descending;
  for (const OrderItem& item : select.order_by) copy->order_by.push_back(CloneOrder(item));
  copy->limit_by_count = CloneOrNull(select.limit_by_count);
  copy->limit_by_offset = CloneOrNull(select.limit_by_offset);
  copy->limit_by = CloneAll(select.limit_by);
  copy->limit = CloneOrNull(select.limit);
  copy->offset = CloneOrNull(select.offset);
  copy->with_ties = select.with_ties;
  return copy;
}

// The index of an argument's name, _1 is 0; -1: another name.
int ArgumentOf(const Expr& expr) {
  int index = 0;
  if (expr.kind != ExprKind::kName || expr.path.size() != 1 || expr.path[0].size() < 2 || expr.path[0][0] != '_' ||
      !absl::SimpleAtoi(expr.path[0].substr(1), &index)) {
    return -1;
  }
  return index - 1;
}

absl::Status Fill(ExprPtr& expr, const std::vector<ExprPtr>& args) {
  const int index = ArgumentOf(*expr);
  if (index >= 0) {
    if (static_cast<size_t>(index) >= args.size()) return absl::InternalError("a template wants more arguments");
    expr = CloneExpr(*args[static_cast<size_t>(index)]);
    return absl::OkStatus();
  }
  for (ExprPtr& arg : expr->args) LOGQUERY_RETURN_IF_ERROR(Fill(arg, args));
  for (ExprPtr& param : expr->params) LOGQUERY_RETURN_IF_ERROR(Fill(param, args));
  return absl::OkStatus();
}

void ForgetSpans(Expr& expr) {
  expr.span = {};
  for (ExprPtr& arg : expr.args) ForgetSpans(*arg);
  for (ExprPtr& param : expr.params) ForgetSpans(*param);
}

}  // namespace

ExprPtr MakeNull() { return Make(ExprKind::kNull); }

ExprPtr MakeNumber(std::string digits) {
  ExprPtr expr = Make(ExprKind::kNumber);
  expr->text = std::move(digits);
  return expr;
}

ExprPtr MakeNumber(int64_t value) { return MakeNumber(base::StrCat(value)); }

ExprPtr MakeString(std::string text) {
  ExprPtr expr = Make(ExprKind::kString);
  expr->text = std::move(text);
  return expr;
}

ExprPtr MakeName(std::string name) {
  ExprPtr expr = Make(ExprKind::kName);
  expr->path.push_back(std::move(name));
  return expr;
}

ExprPtr MakeName(std::string table, std::string name) {
  ExprPtr expr = MakeName(std::move(table));
  expr->path.push_back(std::move(name));
  return expr;
}

ExprPtr MakeCall(std::string function, std::vector<ExprPtr> args) {
  ExprPtr expr = Make(ExprKind::kCall);
  expr->text = std::move(function);
  expr->args = std::move(args);
  return expr;
}

ExprPtr CloneExpr(const Expr& expr) {
  ExprPtr copy = Make(expr.kind);
  copy->span = expr.span;
  copy->depth = expr.depth;
  copy->is_true = expr.is_true;
  copy->distinct = expr.distinct;
  copy->text = expr.text;
  copy->type_name = expr.type_name;
  copy->alias = expr.alias;
  copy->alias_span = expr.alias_span;
  copy->path = expr.path;
  copy->params = CloneAll(expr.params);
  copy->has_params = expr.has_params;
  copy->args = CloneAll(expr.args);
  if (expr.query != nullptr) copy->query = CloneQuery(*expr.query);
  if (expr.over != nullptr) copy->over = CloneWindow(*expr.over);
  return copy;
}

QueryPtr CloneQuery(const Query& query) {
  auto copy = std::make_unique<Query>();
  copy->span = query.span;
  for (const Query::Part& part : query.parts) {
    Query::Part made;
    if (part.select != nullptr) made.select = CloneSelect(*part.select);
    if (part.query != nullptr) made.query = CloneQuery(*part.query);
    made.distinct = part.distinct;
    made.operator_span = part.operator_span;
    copy->parts.push_back(std::move(made));
  }
  return copy;
}

absl::StatusOr<ExprPtr> FillTemplate(std::string_view text, const std::vector<ExprPtr>& args) {
  const absl::StatusOr<QueryPtr> parsed = ParseQuery(base::StrCat("SELECT ", text), {});
  if (!parsed.ok()) return absl::InternalError(base::StrCat("a template is no expression: ", text));
  ExprPtr expr = std::move((*parsed)->parts[0].select->items[0]);
  ForgetSpans(*expr);
  LOGQUERY_RETURN_IF_ERROR(Fill(expr, args));
  return expr;
}

}  // namespace logquery::clickhouse_sql
