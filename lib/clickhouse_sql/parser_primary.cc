// Literals, names, calls, CASE, CAST, intervals, lambdas and window specifications.
#include <array>
#include <utility>

#include "absl/strings/ascii.h"
#include "lib/base/back_quoted.h"
#include "lib/base/status_macros.h"
#include "lib/base/strings.h"
#include "lib/clickhouse_sql/parser_impl.h"

namespace logquery::clickhouse_sql {

using base::StrCat;

absl::StatusOr<ExprPtr> Parser::ParsePrimary() {
  const Token& token = Peek();
  const uint32_t begin = token.span.begin;
  if (token.kind == TokenKind::kNumber || token.kind == TokenKind::kString) {
    const bool number = token.kind == TokenKind::kNumber;
    std::string text = Take().text;
    ExprPtr literal = Make(number ? ExprKind::kNumber : ExprKind::kString, begin);
    literal->text = std::move(text);
    return literal;
  }
  if (IsSymbol("(")) return ParseParens();
  if (IsSymbol("[")) return ParseList();
  if (IsSymbol("{")) return ParseParameter();
  if (TakeSymbol("*")) return Make(ExprKind::kStar, begin);
  if (token.kind == TokenKind::kName || token.kind == TokenKind::kQuotedName) return ParseNameOrCall();
  return Unexpected("an expression");
}

// A subquery, an expression in parentheses, or a tuple.
absl::StatusOr<ExprPtr> Parser::ParseParens() {
  const Level level(this);
  LOGQUERY_RETURN_IF_ERROR(CheckLevel());
  const uint32_t begin = Take().span.begin;
  if (IsWord("SELECT") || (IsWord("WITH") && !IsSymbol(")", 1))) {
    LOGQUERY_ASSIGN_OR_RETURN(QueryPtr query, ParseUnion());
    LOGQUERY_RETURN_IF_ERROR(WantSymbol(")"));
    ExprPtr subquery = Make(ExprKind::kSubquery, begin);
    subquery->query = std::move(query);
    return subquery;
  }
  std::vector<ExprPtr> items;
  bool comma = false;
  while (!IsSymbol(")")) {
    LOGQUERY_ASSIGN_OR_RETURN(ExprPtr item, ParseAliased());
    items.push_back(std::move(item));
    if (!TakeSymbol(",")) break;
    comma = true;
  }
  LOGQUERY_RETURN_IF_ERROR(WantSymbol(")"));
  if (items.size() == 1 && !comma) return std::move(items[0]);
  return Call("tuple", std::move(items), begin);
}

absl::StatusOr<ExprPtr> Parser::ParseList() {
  const uint32_t begin = Take().span.begin;
  std::vector<ExprPtr> items;
  if (!IsSymbol("]")) {
    LOGQUERY_ASSIGN_OR_RETURN(items, ParseExprs());
  }
  LOGQUERY_RETURN_IF_ERROR(WantSymbol("]"));
  return Call("array", std::move(items), begin);
}

// {name:Type}
absl::StatusOr<ExprPtr> Parser::ParseParameter() {
  const uint32_t begin = Peek().span.begin;
  if (!limits_.parameters) return Error(Peek().span, "query parameters {name:Type} are not allowed here");
  ++at_;
  ExprPtr parameter = Make(ExprKind::kParameter, begin);
  LOGQUERY_ASSIGN_OR_RETURN(parameter->text, WantName("a parameter's name"));
  LOGQUERY_RETURN_IF_ERROR(WantSymbol(":"));
  LOGQUERY_ASSIGN_OR_RETURN(parameter->type_name, ParseTypeName());
  LOGQUERY_RETURN_IF_ERROR(WantSymbol("}"));
  parameter->span = Since(begin);
  return parameter;
}

// The text of a type: a name, perhaps with arguments in parentheses.
absl::StatusOr<std::string> Parser::ParseTypeName() {
  LOGQUERY_ASSIGN_OR_RETURN(std::string type, WantName("a type"));
  if (!TakeSymbol("(")) return type;
  type += '(';
  bool after_name = false;
  for (int open = 1; open > 0;) {
    if (Peek().kind == TokenKind::kEnd) return Unexpected("')'");
    if (open > limits_.max_depth) return Error(Peek().span, "the type is nested too deeply");
    const Token token = Take();
    if (token.text == "(" && token.kind == TokenKind::kSymbol) ++open;
    if (token.text == ")" && token.kind == TokenKind::kSymbol) --open;
    // The name of a tuple's part, and its type.
    const bool is_name = token.kind == TokenKind::kName || token.kind == TokenKind::kQuotedName;
    if (is_name && after_name) type += ' ';
    after_name = is_name;
    type += token.kind == TokenKind::kString       ? StrCat("'", token.text, "'")
            : token.kind == TokenKind::kQuotedName ? base::BackQuoted(token.text)
                                                   : token.text;
    if (token.text == "," && token.kind == TokenKind::kSymbol) type += ' ';
  }
  return type;
}

absl::StatusOr<ExprPtr> Parser::ParseNameOrCall() {
  const uint32_t begin = Peek().span.begin;
  const bool quoted = Peek().kind == TokenKind::kQuotedName;
  if (!quoted) {
    if (IsWord("NULL")) return ++at_, Make(ExprKind::kNull, begin);
    if ((IsWord("TRUE") || IsWord("FALSE")) && !IsSymbol("(", 1)) {
      const bool value = IsWord("TRUE");
      ++at_;
      ExprPtr literal = Make(ExprKind::kBool, begin);
      literal->is_true = value;
      return literal;
    }
    if (IsWord("CASE")) return ParseCase();
    if (IsWord("INTERVAL") && !IsSymbol("(", 1)) return ParseInterval();
    if (IsWord("DATE") && Peek(1).kind == TokenKind::kString) {
      ++at_;
      ExprPtr text = Make(ExprKind::kString, Peek().span.begin);
      text->text = Take().text;
      std::vector<ExprPtr> args;
      args.push_back(std::move(text));
      return Call("toDate", std::move(args), begin);
    }
    if (IsReserved(Peek().text) && !IsSymbol("(", 1)) return Unexpected("an expression");
  }
  Token name = Take();
  if (IsSymbol("(")) return ParseCall(std::move(name));
  ExprPtr expr = Make(ExprKind::kName, begin);
  expr->path.push_back(std::move(name.text));
  while (IsSymbol(".")) {
    const Token& next = Peek(1);
    if (next.kind == TokenKind::kSymbol && next.text == "*") {
      at_ += 2;
      expr->kind = ExprKind::kStar;
      break;
    }
    if (next.kind != TokenKind::kName && next.kind != TokenKind::kQuotedName) break;
    ++at_;
    expr->path.push_back(Take().text);
  }
  expr->span = Since(begin);
  return expr;
}

absl::StatusOr<ExprPtr> Parser::ParseCall(Token name) {
  const Level level(this);
  LOGQUERY_RETURN_IF_ERROR(CheckLevel());
  const uint32_t begin = name.span.begin;
  if (name.kind == TokenKind::kName) {
    if (base::EqualsIgnoreCase(name.text, "CAST")) return ParseCast(begin);
    if (name.text == "EXTRACT" || (name.text == "extract" && IsWord("FROM", 2))) return ParseExtract(begin);
    if (base::EqualsIgnoreCase(name.text, "TRIM")) return ParseTrim(begin);
  }
  ++at_;
  ExprPtr call = Make(ExprKind::kCall, begin);
  call->text = std::move(name.text);
  call->distinct = TakeWord("DISTINCT");
  if (!IsSymbol(")")) {
    LOGQUERY_ASSIGN_OR_RETURN(call->args, ParseExprs());
  }
  LOGQUERY_RETURN_IF_ERROR(WantSymbol(")"));
  if (TakeSymbol("(")) {
    call->params = std::move(call->args);
    call->args.clear();
    call->has_params = true;
    call->distinct = TakeWord("DISTINCT");
    if (!IsSymbol(")")) {
      LOGQUERY_ASSIGN_OR_RETURN(call->args, ParseExprs());
    }
    LOGQUERY_RETURN_IF_ERROR(WantSymbol(")"));
  }
  if (TakeWord("OVER")) {
    LOGQUERY_ASSIGN_OR_RETURN(call->over, ParseWindow());
  }
  call->span = Since(begin);
  return Finish(std::move(call));
}

absl::StatusOr<ExprPtr> Parser::ParseCase() {
  const Level level(this);
  LOGQUERY_RETURN_IF_ERROR(CheckLevel());
  const uint32_t begin = Take().span.begin;
  std::vector<ExprPtr> args;
  const bool operand = !IsWord("WHEN");
  if (operand) {
    LOGQUERY_ASSIGN_OR_RETURN(ExprPtr value, ParseExpr());
    args.push_back(std::move(value));
  }
  if (!IsWord("WHEN")) return Unexpected("WHEN");
  while (TakeWord("WHEN")) {
    LOGQUERY_ASSIGN_OR_RETURN(ExprPtr condition, ParseExpr());
    LOGQUERY_RETURN_IF_ERROR(WantWord("THEN"));
    LOGQUERY_ASSIGN_OR_RETURN(ExprPtr result, ParseExpr());
    args.push_back(std::move(condition));
    args.push_back(std::move(result));
  }
  if (TakeWord("ELSE")) {
    LOGQUERY_ASSIGN_OR_RETURN(ExprPtr otherwise, ParseExpr());
    args.push_back(std::move(otherwise));
  } else {
    args.push_back(Make(ExprKind::kNull, Peek().span.begin));
  }
  LOGQUERY_RETURN_IF_ERROR(WantWord("END"));
  return Call(operand ? "caseWithExpression" : "multiIf", std::move(args), begin);
}

// CAST(x AS Type) or CAST(x, 'Type').
absl::StatusOr<ExprPtr> Parser::ParseCast(uint32_t begin) {
  ++at_;
  LOGQUERY_ASSIGN_OR_RETURN(ExprPtr value, ParseExpr());
  std::vector<ExprPtr> args;
  args.push_back(std::move(value));
  if (TakeWord("AS")) {
    ExprPtr type = Make(ExprKind::kString, Peek().span.begin);
    LOGQUERY_ASSIGN_OR_RETURN(type->text, ParseTypeName());
    args.push_back(std::move(type));
  } else {
    LOGQUERY_RETURN_IF_ERROR(WantSymbol(","));
    if (Peek().kind != TokenKind::kString) return Unexpected("a type in quotes");
    LOGQUERY_ASSIGN_OR_RETURN(ExprPtr type, ParsePrimary());
    args.push_back(std::move(type));
  }
  LOGQUERY_RETURN_IF_ERROR(WantSymbol(")"));
  return Call("CAST", std::move(args), begin);
}

// EXTRACT(YEAR FROM x) is toYear(x); extract(text, pattern) is a function.
absl::StatusOr<ExprPtr> Parser::ParseExtract(uint32_t begin) {
  constexpr std::array<std::pair<std::string_view, std::string_view>, 7> kUnits = {{{"YEAR", "toYear"},
                                                                                    {"QUARTER", "toQuarter"},
                                                                                    {"MONTH", "toMonth"},
                                                                                    {"DAY", "toDayOfMonth"},
                                                                                    {"HOUR", "toHour"},
                                                                                    {"MINUTE", "toMinute"},
                                                                                    {"SECOND", "toSecond"}}};
  ++at_;
  std::vector<ExprPtr> args;
  if (IsWord("FROM", 1)) {
    std::string_view function;
    for (const auto& [unit, name] : kUnits) {
      if (IsWord(unit)) function = name;
    }
    if (function.empty()) return Unexpected("YEAR, QUARTER, MONTH, DAY, HOUR, MINUTE or SECOND");
    at_ += 2;
    LOGQUERY_ASSIGN_OR_RETURN(ExprPtr value, ParseExpr());
    args.push_back(std::move(value));
    LOGQUERY_RETURN_IF_ERROR(WantSymbol(")"));
    return Call(std::string(function), std::move(args), begin);
  }
  LOGQUERY_ASSIGN_OR_RETURN(args, ParseExprs());
  LOGQUERY_RETURN_IF_ERROR(WantSymbol(")"));
  return Call("extract", std::move(args), begin);
}

// TRIM(BOTH 'x' FROM text), or a plain call.
absl::StatusOr<ExprPtr> Parser::ParseTrim(uint32_t begin) {
  const bool sided = (IsWord("BOTH", 1) || IsWord("LEADING", 1) || IsWord("TRAILING", 1)) && !IsSymbol(")", 2);
  ++at_;
  std::vector<ExprPtr> args;
  std::string function = "trimBoth";
  if (sided) {
    if (IsWord("LEADING")) function = "trimLeft";
    if (IsWord("TRAILING")) function = "trimRight";
    ++at_;
    LOGQUERY_ASSIGN_OR_RETURN(ExprPtr characters, ParseExpr());
    LOGQUERY_RETURN_IF_ERROR(WantWord("FROM"));
    LOGQUERY_ASSIGN_OR_RETURN(ExprPtr value, ParseExpr());
    args.push_back(std::move(value));
    args.push_back(std::move(characters));
  } else if (!IsSymbol(")")) {
    LOGQUERY_ASSIGN_OR_RETURN(args, ParseExprs());
  }
  LOGQUERY_RETURN_IF_ERROR(WantSymbol(")"));
  return Call(std::move(function), std::move(args), begin);
}

// INTERVAL 1 HOUR, INTERVAL '1 hour', INTERVAL '1' HOUR.
absl::StatusOr<ExprPtr> Parser::ParseInterval() {
  const uint32_t begin = Take().span.begin;
  std::string unit;
  ExprPtr count;
  const std::string text = Peek().kind == TokenKind::kString ? Peek().text : "";
  const size_t space = text.find(' ');
  if (space != std::string::npos) {
    count = Make(ExprKind::kNumber, Peek().span.begin);
    count->text = text.substr(0, space);
    unit = text.substr(text.find_first_not_of(' ', space));
    count->span = Take().span;
    for (const char c : count->text) {
      if (!absl::ascii_isdigit(static_cast<unsigned char>(c)) && c != '-')
        return Error(count->span, "an interval wants a whole number and a unit, such as '7 days'");
    }
  } else {
    LOGQUERY_ASSIGN_OR_RETURN(count, ParseSum());
    if (Peek().kind != TokenKind::kName) return Unexpected("an interval's unit");
    unit = Take().text;
  }
  constexpr std::array<std::pair<std::string_view, std::string_view>, 11> kUnits = {{{"nanosecond", "Nanosecond"},
                                                                                     {"microsecond", "Microsecond"},
                                                                                     {"millisecond", "Millisecond"},
                                                                                     {"second", "Second"},
                                                                                     {"minute", "Minute"},
                                                                                     {"hour", "Hour"},
                                                                                     {"day", "Day"},
                                                                                     {"week", "Week"},
                                                                                     {"month", "Month"},
                                                                                     {"quarter", "Quarter"},
                                                                                     {"year", "Year"}}};
  for (const auto& [word, name] : kUnits) {
    if (!base::EqualsIgnoreCase(unit, word) && !base::EqualsIgnoreCase(unit, StrCat(word, "s"))) continue;
    std::vector<ExprPtr> args;
    args.push_back(std::move(count));
    return Call(StrCat("toInterval", name), std::move(args), begin);
  }
  return Error(Since(begin), StrCat("unknown unit of an interval: ", unit.substr(0, 30)));
}

// x -> …, (x, y) -> …
bool Parser::IsLambda() const {
  if (Peek().kind == TokenKind::kName && IsSymbol("->", 1)) return true;
  if (!IsSymbol("(")) return false;
  constexpr size_t kMostNames = 16;
  for (size_t i = 1; i < 2 * kMostNames; i += 2) {
    if (Peek(i).kind != TokenKind::kName) return false;
    if (IsSymbol(")", i + 1)) return IsSymbol("->", i + 2);
    if (!IsSymbol(",", i + 1)) return false;
  }
  return false;
}

absl::StatusOr<ExprPtr> Parser::ParseLambda() {
  const uint32_t begin = Peek().span.begin;
  ExprPtr lambda = Make(ExprKind::kLambda, begin);
  if (TakeSymbol("(")) {
    while (!TakeSymbol(")")) {
      lambda->path.push_back(Take().text);
      TakeSymbol(",");
    }
  } else {
    lambda->path.push_back(Take().text);
  }
  LOGQUERY_RETURN_IF_ERROR(WantSymbol("->"));
  LOGQUERY_ASSIGN_OR_RETURN(ExprPtr body, ParseExpr());
  lambda->args.push_back(std::move(body));
  lambda->span = Since(begin);
  return Finish(std::move(lambda));
}

absl::StatusOr<std::unique_ptr<WindowSpec>> Parser::ParseWindow() {
  auto spec = std::make_unique<WindowSpec>();
  LOGQUERY_RETURN_IF_ERROR(WantSymbol("("));
  if (TakeWords({"PARTITION", "BY"})) {
    LOGQUERY_ASSIGN_OR_RETURN(spec->partition_by, ParseExprs());
  }
  if (TakeWords({"ORDER", "BY"})) {
    do {
      LOGQUERY_ASSIGN_OR_RETURN(OrderItem item, ParseOrderItem());
      spec->order_by.push_back(std::move(item));
    } while (TakeSymbol(","));
  }
  if (IsWord("ROWS") || IsWord("RANGE")) LOGQUERY_RETURN_IF_ERROR(ParseFrame(*spec));
  LOGQUERY_RETURN_IF_ERROR(WantSymbol(")"));
  return spec;
}

absl::Status Parser::ParseFrame(WindowSpec& spec) {
  spec.framed = true;
  spec.rows = Take().text.size() == 4;
  if (TakeWord("BETWEEN")) {
    LOGQUERY_ASSIGN_OR_RETURN(spec.begin, ParseBound());
    LOGQUERY_RETURN_IF_ERROR(WantWord("AND"));
    LOGQUERY_ASSIGN_OR_RETURN(spec.end, ParseBound());
    return absl::OkStatus();
  }
  LOGQUERY_ASSIGN_OR_RETURN(spec.begin, ParseBound());
  return absl::OkStatus();
}

absl::StatusOr<WindowBound> Parser::ParseBound() {
  WindowBound bound;
  if (TakeWords({"CURRENT", "ROW"})) return bound;
  const bool unbounded = TakeWord("UNBOUNDED");
  if (!unbounded) {
    LOGQUERY_ASSIGN_OR_RETURN(bound.offset, ParseSum());
  }
  if (TakeWord("PRECEDING")) {
    bound.kind = unbounded ? WindowBound::Kind::kUnboundedPreceding : WindowBound::Kind::kPreceding;
  } else if (TakeWord("FOLLOWING")) {
    bound.kind = unbounded ? WindowBound::Kind::kUnboundedFollowing : WindowBound::Kind::kFollowing;
  } else {
    return Unexpected("PRECEDING or FOLLOWING");
  }
  return bound;
}

}  // namespace logquery::clickhouse_sql
