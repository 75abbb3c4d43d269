// Operators, by precedence, the loosest first: ? :, OR, AND, NOT, comparisons, ||, + and -, * / %, signs, then [] . ::
#include <tuple>
#include <utility>

#include "lib/base/status_macros.h"
#include "lib/base/strings.h"
#include "lib/clickhouse_sql/parser_impl.h"

namespace logquery::clickhouse_sql {

using base::StrCat;

ExprPtr Parser::Make(ExprKind kind, uint32_t begin) const {
  auto expr = std::make_unique<Expr>();
  expr->kind = kind;
  expr->span = Since(begin);
  return expr;
}

// Sets the node's depth, which trees are walked by.
absl::StatusOr<ExprPtr> Parser::Finish(ExprPtr expr) const {
  int below = 0;
  for (const auto* list : {&expr->args, &expr->params}) {
    for (const ExprPtr& arg : *list) below = arg->depth > below ? arg->depth : below;
  }
  expr->depth = below + 1;
  if (expr->depth <= limits_.max_depth) return expr;
  return Error(expr->span, StrCat("the expression is nested deeper than max_depth, ", limits_.max_depth, " levels"));
}

absl::StatusOr<ExprPtr> Parser::Call(std::string name, std::vector<ExprPtr> args, uint32_t begin) const {
  ExprPtr call = Make(ExprKind::kCall, begin);
  call->text = std::move(name);
  call->args = std::move(args);
  return Finish(std::move(call));
}

absl::StatusOr<ExprPtr> Parser::Binary(std::string name, ExprPtr a, ExprPtr b) const {
  const uint32_t begin = a->span.begin;
  std::vector<ExprPtr> args;
  args.push_back(std::move(a));
  args.push_back(std::move(b));
  return Call(std::move(name), std::move(args), begin);
}

absl::StatusOr<ExprPtr> Parser::ParseAliased() {
  LOGQUERY_ASSIGN_OR_RETURN(ExprPtr expr, ParseExpr());
  const bool as = TakeWord("AS");
  const Token& next = Peek();
  const bool bare = next.kind == TokenKind::kQuotedName || (next.kind == TokenKind::kName && !IsReserved(next.text));
  if (!as && !bare) return expr;
  expr->alias_span = next.span;
  LOGQUERY_ASSIGN_OR_RETURN(expr->alias, WantName("an alias"));
  return expr;
}

absl::StatusOr<ExprPtr> Parser::ParseExpr() {
  const Level level(this);
  LOGQUERY_RETURN_IF_ERROR(CheckLevel());
  if (IsLambda()) return ParseLambda();
  LOGQUERY_ASSIGN_OR_RETURN(ExprPtr condition, ParseOr());
  if (!TakeSymbol("?")) return condition;
  const uint32_t begin = condition->span.begin;
  std::vector<ExprPtr> args;
  args.push_back(std::move(condition));
  LOGQUERY_ASSIGN_OR_RETURN(ExprPtr yes, ParseExpr());
  LOGQUERY_RETURN_IF_ERROR(WantSymbol(":"));
  LOGQUERY_ASSIGN_OR_RETURN(ExprPtr no, ParseExpr());
  args.push_back(std::move(yes));
  args.push_back(std::move(no));
  return Call("if", std::move(args), begin);
}

absl::StatusOr<ExprPtr> Parser::ParseOr() {
  LOGQUERY_ASSIGN_OR_RETURN(ExprPtr first, ParseAnd());
  if (!IsWord("OR")) return first;
  const uint32_t begin = first->span.begin;
  std::vector<ExprPtr> args;
  args.push_back(std::move(first));
  while (TakeWord("OR")) {
    LOGQUERY_ASSIGN_OR_RETURN(ExprPtr next, ParseAnd());
    args.push_back(std::move(next));
  }
  return Call("or", std::move(args), begin);
}

absl::StatusOr<ExprPtr> Parser::ParseAnd() {
  LOGQUERY_ASSIGN_OR_RETURN(ExprPtr first, ParseNot());
  if (!IsWord("AND")) return first;
  const uint32_t begin = first->span.begin;
  std::vector<ExprPtr> args;
  args.push_back(std::move(first));
  while (TakeWord("AND")) {
    LOGQUERY_ASSIGN_OR_RETURN(ExprPtr next, ParseNot());
    args.push_back(std::move(next));
  }
  return Call("and", std::move(args), begin);
}

absl::StatusOr<ExprPtr> Parser::ParseNot() {
  if (!IsWord("NOT")) return ParseComparison();
  const Level level(this);
  LOGQUERY_RETURN_IF_ERROR(CheckLevel());
  const uint32_t begin = Take().span.begin;
  LOGQUERY_ASSIGN_OR_RETURN(ExprPtr operand, ParseNot());
  std::vector<ExprPtr> args;
  args.push_back(std::move(operand));
  return Call("not", std::move(args), begin);
}

absl::StatusOr<ExprPtr> Parser::ParseComparison() {
  constexpr std::pair<std::string_view, std::string_view> kOperators[] = {{"=", "equals"},
                                                                          {"==", "equals"},
                                                                          {"!=", "notEquals"},
                                                                          {"<>", "notEquals"},
                                                                          {"<=>", "isNotDistinctFrom"},
                                                                          {"<=", "lessOrEquals"},
                                                                          {"<", "less"},
                                                                          {">=", "greaterOrEquals"},
                                                                          {">", "greater"}};
  LOGQUERY_ASSIGN_OR_RETURN(ExprPtr left, ParseConcat());
  while (true) {
    std::string_view name;
    for (const auto& [symbol, function] : kOperators) {
      if (IsSymbol(symbol)) name = function;
    }
    if (name.empty()) {
      LOGQUERY_ASSIGN_OR_RETURN(const bool more, ParsePostfixComparison(left));
      if (!more) return left;
      continue;
    }
    ++at_;
    LOGQUERY_ASSIGN_OR_RETURN(ExprPtr right, ParseConcat());
    LOGQUERY_ASSIGN_OR_RETURN(left, Binary(std::string(name), std::move(left), std::move(right)));
  }
}

absl::StatusOr<bool> Parser::ParsePostfixComparison(ExprPtr& left) {
  const uint32_t begin = left->span.begin;
  std::vector<ExprPtr> args;
  if (TakeWord("IS")) {
    const bool negated = TakeWord("NOT");
    LOGQUERY_RETURN_IF_ERROR(WantWord("NULL"));
    args.push_back(std::move(left));
    LOGQUERY_ASSIGN_OR_RETURN(left, Call(negated ? "isNotNull" : "isNull", std::move(args), begin));
    return true;
  }
  const size_t before = at_;
  const bool negated = TakeWord("NOT");
  if (IsWord("IN") || IsWord("GLOBAL")) {
    LOGQUERY_ASSIGN_OR_RETURN(left, ParseIn(std::move(left), negated, begin));
    return true;
  }
  if (TakeWord("BETWEEN")) {
    LOGQUERY_ASSIGN_OR_RETURN(ExprPtr low, ParseConcat());
    LOGQUERY_RETURN_IF_ERROR(WantWord("AND"));
    LOGQUERY_ASSIGN_OR_RETURN(ExprPtr high, ParseConcat());
    args.push_back(std::move(left));
    args.push_back(std::move(low));
    args.push_back(std::move(high));
    LOGQUERY_ASSIGN_OR_RETURN(left, Call(negated ? "notBetween" : "between", std::move(args), begin));
    return true;
  }
  for (const auto& [word, name, not_name] :
       {std::tuple("LIKE", "like", "notLike"), std::tuple("ILIKE", "ilike", "notILike"),
        std::tuple("REGEXP", "match", "")}) {
    if (!TakeWord(word)) continue;
    LOGQUERY_ASSIGN_OR_RETURN(ExprPtr pattern, ParseConcat());
    const bool has_name = !negated || *not_name != '\0';
    LOGQUERY_ASSIGN_OR_RETURN(left, Binary(negated && has_name ? not_name : name, std::move(left), std::move(pattern)));
    if (!has_name) {
      args.push_back(std::move(left));
      LOGQUERY_ASSIGN_OR_RETURN(left, Call("not", std::move(args), begin));
    }
    return true;
  }
  at_ = before;
  return false;
}

absl::StatusOr<ExprPtr> Parser::ParseIn(ExprPtr left, bool negated, uint32_t begin) {
  TakeWord("GLOBAL");
  LOGQUERY_RETURN_IF_ERROR(WantWord("IN"));
  LOGQUERY_ASSIGN_OR_RETURN(ExprPtr right, ParseConcat());
  std::vector<ExprPtr> args;
  args.push_back(std::move(left));
  args.push_back(std::move(right));
  return Call(negated ? "notIn" : "in", std::move(args), begin);
}

absl::StatusOr<ExprPtr> Parser::ParseConcat() {
  LOGQUERY_ASSIGN_OR_RETURN(ExprPtr first, ParseSum());
  if (!IsSymbol("||")) return first;
  const uint32_t begin = first->span.begin;
  std::vector<ExprPtr> args;
  args.push_back(std::move(first));
  while (TakeSymbol("||")) {
    LOGQUERY_ASSIGN_OR_RETURN(ExprPtr next, ParseSum());
    args.push_back(std::move(next));
  }
  return Call("concat", std::move(args), begin);
}

absl::StatusOr<ExprPtr> Parser::ParseSum() {
  LOGQUERY_ASSIGN_OR_RETURN(ExprPtr left, ParseProduct());
  while (IsSymbol("+") || IsSymbol("-")) {
    const bool plus = Take().text == "+";
    LOGQUERY_ASSIGN_OR_RETURN(ExprPtr right, ParseProduct());
    LOGQUERY_ASSIGN_OR_RETURN(left, Binary(plus ? "plus" : "minus", std::move(left), std::move(right)));
  }
  return left;
}

absl::StatusOr<ExprPtr> Parser::ParseProduct() {
  LOGQUERY_ASSIGN_OR_RETURN(ExprPtr left, ParseSign());
  while (true) {
    std::string name;
    if (IsSymbol("*")) name = "multiply";
    if (IsSymbol("/")) name = "divide";
    if (IsSymbol("%") || IsWord("MOD")) name = "modulo";
    if (IsWord("DIV")) name = "intDiv";
    if (name.empty()) return left;
    ++at_;
    LOGQUERY_ASSIGN_OR_RETURN(ExprPtr right, ParseSign());
    LOGQUERY_ASSIGN_OR_RETURN(left, Binary(std::move(name), std::move(left), std::move(right)));
  }
}

absl::StatusOr<ExprPtr> Parser::ParseSign() {
  const Level level(this);
  LOGQUERY_RETURN_IF_ERROR(CheckLevel());
  const uint32_t begin = Peek().span.begin;
  if (TakeSymbol("+")) return ParseSign();
  if (!TakeSymbol("-")) return ParsePostfix();
  if (Peek().kind == TokenKind::kNumber && !IsSymbol("::", 1)) {
    LOGQUERY_ASSIGN_OR_RETURN(ExprPtr number, ParsePostfix());
    if (number->kind == ExprKind::kNumber) {
      number->text = StrCat("-", number->text);
      number->span = Since(begin);
      return number;
    }
    std::vector<ExprPtr> args;
    args.push_back(std::move(number));
    return Call("negate", std::move(args), begin);
  }
  LOGQUERY_ASSIGN_OR_RETURN(ExprPtr operand, ParseSign());
  std::vector<ExprPtr> args;
  args.push_back(std::move(operand));
  return Call("negate", std::move(args), begin);
}

absl::StatusOr<ExprPtr> Parser::ParsePostfix() {
  LOGQUERY_ASSIGN_OR_RETURN(ExprPtr expr, ParsePrimary());
  while (true) {
    const uint32_t begin = expr->span.begin;
    if (TakeSymbol("[")) {
      LOGQUERY_ASSIGN_OR_RETURN(ExprPtr index, ParseExpr());
      LOGQUERY_RETURN_IF_ERROR(WantSymbol("]"));
      LOGQUERY_ASSIGN_OR_RETURN(expr, Binary("arrayElement", std::move(expr), std::move(index)));
    } else if (IsSymbol(".") && Peek(1).kind == TokenKind::kNumber) {
      ++at_;
      ExprPtr index = Make(ExprKind::kNumber, Peek().span.begin);
      index->text = Take().text;
      LOGQUERY_ASSIGN_OR_RETURN(expr, Binary("tupleElement", std::move(expr), std::move(index)));
    } else if (TakeSymbol("::")) {
      ExprPtr type = Make(ExprKind::kString, Peek().span.begin);
      LOGQUERY_ASSIGN_OR_RETURN(type->text, ParseTypeName());
      LOGQUERY_ASSIGN_OR_RETURN(expr, Binary("CAST", std::move(expr), std::move(type)));
    } else {
      return expr;
    }
    expr->span = Since(begin);
  }
}

}  // namespace logquery::clickhouse_sql
