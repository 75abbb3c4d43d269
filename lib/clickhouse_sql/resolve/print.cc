// The canonical text of an expression, as ClickHouse names a column without an alias.
#include "absl/strings/ascii.h"
#include "lib/base/strings.h"
#include "lib/clickhouse_sql/resolve/resolver_impl.h"

namespace logquery::clickhouse_sql {
namespace {

using base::StrCat;

std::string Quoted(const std::string& text) {
  std::string quoted = "'";
  for (const char c : text) {
    if (c == '\'' || c == '\\') quoted += '\\';
    if (c == '\n') {
      quoted += "\\n";
    } else if (c == '\t') {
      quoted += "\\t";
    } else {
      quoted += c;
    }
  }
  return quoted + "'";
}

std::string List(const std::vector<ExprPtr>& exprs) {
  std::vector<std::string> texts;
  for (const ExprPtr& expr : exprs) texts.push_back(CanonicalText(*expr));
  return base::Join(texts, ", ");
}

std::string CallText(const Expr& call) {
  if (call.text == "arrayElement" && call.args.size() == 2) return StrCat("arrayElement(", List(call.args), ")");
  if (call.text == "between" && call.args.size() == 3) {
    const std::string value = CanonicalText(*call.args[0]);
    return StrCat("and(greaterOrEquals(", value, ", ", CanonicalText(*call.args[1]), "), lessOrEquals(", value, ", ",
                  CanonicalText(*call.args[2]), "))");
  }
  if (call.text == "array") return StrCat("[", List(call.args), "]");
  if (call.text == "tuple") return StrCat("(", List(call.args), ")");
  // count(*) is count().
  const bool star = call.args.size() == 1 && call.args[0]->kind == ExprKind::kStar;
  const std::string args = star ? "" : List(call.args);
  if (call.has_params) return StrCat(call.text, "(", List(call.params), ")(", args, ")");
  if (call.distinct && base::EqualsIgnoreCase(call.text, "count")) return StrCat("countDistinct(", args, ")");
  return StrCat(call.text, "(", args, ")");
}

}  // namespace

std::string CanonicalText(const Expr& expr) {
  switch (expr.kind) {
    case ExprKind::kNull:
      return "NULL";
    case ExprKind::kBool:
      return expr.is_true ? "true" : "false";
    case ExprKind::kNumber:
      return expr.text;
    case ExprKind::kString:
      return Quoted(expr.text);
    case ExprKind::kName:
      return base::Join(expr.path, ".");
    case ExprKind::kCall:
      return CallText(expr);
    case ExprKind::kLambda:
      return StrCat("lambda(tuple(", base::Join(expr.path, ", "), "), ", List(expr.args), ")");
    case ExprKind::kSubquery:
      return "_subquery";
    case ExprKind::kStar:
      return "*";
    case ExprKind::kParameter:
      return StrCat("_CAST({", expr.text, "})");
  }
  return "";
}

}  // namespace logquery::clickhouse_sql
