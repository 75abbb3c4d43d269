// Parses pipe syntax: the operators after |>.
#include <utility>

#include "lib/base/strings.h"
#include "lib/sql/parser_impl.h"
#include "lib/sql/text_error.h"

namespace logquery::sql {

void Parser::ParsePipes(Query& query) {
  while (At(TokenKind::kPipe) && !failed()) {
    if (query.pipes.size() >= static_cast<size_t>(limits_.max_pipes)) {
      FailHere(base::StrCat("more than ", limits_.max_pipes, " pipe operators in a row"));
    }
    query.pipes.push_back(ParsePipe());
  }
}

PipeOperator Parser::ParsePipe() {
  const size_t first = at_;
  Next();
  PipeOperator pipe;
  if (AtSetOperator(at_)) {
    ParsePipeSetOperation(pipe);
  } else if (AtJoin() && !At(TokenKind::kComma)) {
    ParsePipeJoin(pipe);
  } else if (AtPivot()) {
    pipe.kind = PipeKind::kPivot;
    pipe.from = ParsePivot();
    pipe.from->alias = ParseAlias();
  } else if (AtUnpivot()) {
    pipe.kind = PipeKind::kUnpivot;
    pipe.from = ParseUnpivot();
    pipe.from->alias = ParseAlias();
  } else {
    ParsePipeOfWord(pipe);
  }
  pipe.span = SpanFrom(first);
  return pipe;
}

// The operators that their first word tells.
void Parser::ParsePipeOfWord(PipeOperator& pipe) {
  const Keyword keyword = Peek().keyword;
  if (keyword == Keyword::kNone) return FailUnknownPipe();
  const size_t first = at_;
  Next();
  switch (keyword) {
    case Keyword::kWhere:
      pipe.kind = PipeKind::kWhere;
      pipe.expr = ParseExpression();
      return;
    case Keyword::kSelect:
      return ParsePipeSelect(pipe);
    case Keyword::kExtend:
      return ParsePipeItems(pipe, PipeKind::kExtend);
    case Keyword::kWindow:
      return ParsePipeItems(pipe, PipeKind::kWindow);
    case Keyword::kSet:
      return ParsePipeSet(pipe);
    case Keyword::kDrop:
      return ParsePipeDrop(pipe);
    case Keyword::kRename:
      return ParsePipeRename(pipe);
    case Keyword::kAs:
      pipe.kind = PipeKind::kAs;
      pipe.names.push_back(ParseName("an alias after AS"));
      return;
    case Keyword::kAggregate:
      return ParsePipeAggregate(pipe);
    case Keyword::kOrder:
      pipe.kind = PipeKind::kOrderBy;
      pipe.order_by = ParseOrderItems();
      return;
    case Keyword::kLimit:
      pipe.kind = PipeKind::kLimit;
      return ParseLimit(pipe.limit, pipe.offset);
    case Keyword::kDistinct:
      pipe.kind = PipeKind::kDistinct;
      return;
    case Keyword::kWith:
      return ParsePipeWith(pipe);
    default:
      at_ = failed() ? at_ : first;
      return FailUnknownPipe();
  }
}

void Parser::FailUnknownPipe() {
  static const auto* const refused = new std::vector<std::string>{
      "ASSERT", "CALL", "CREATE",          "DESCRIBE",  "EXPORT",          "FORK",        "IF",
      "INSERT", "LOG",  "MATCH_RECOGNIZE", "RECURSIVE", "STATIC_DESCRIBE", "TABLESAMPLE", "TEE"};
  static const auto* const known = new std::vector<std::string>{
      "WHERE",    "SELECT", "EXTEND", "SET",       "DROP",   "RENAME", "AS",      "AGGREGATE", "ORDER", "LIMIT",
      "DISTINCT", "JOIN",   "UNION",  "INTERSECT", "EXCEPT", "PIVOT",  "UNPIVOT", "WINDOW",    "WITH"};
  const Token& found = Peek();
  const std::string_view word = TextOf(found.span);
  for (const std::string& name : *refused) {
    if (base::EqualsIgnoreCase(word, name)) return FailUnsupported(found.span, base::StrCat("|> ", name));
  }
  if (found.keyword == Keyword::kGroup || found.keyword == Keyword::kHaving || found.keyword == Keyword::kQualify) {
    return FailHere(base::StrCat("Syntax error: |> ", KeywordText(found.keyword), " is not a pipe operator; write |> ",
                                 found.keyword == Keyword::kGroup ? "AGGREGATE … GROUP BY …" : "WHERE"));
  }
  Fail(found.span, base::StrCat("Syntax error: expected a pipe operator after |> but found ", Describe(found)),
       found.kind == TokenKind::kWord ? NearestNames(word, *known) : std::vector<std::string>());
}

void Parser::ParsePipeSelect(PipeOperator& pipe) {
  Select select;
  ParseSelectKind(select);
  pipe.distinct = select.distinct;
  pipe.as = select.as;
  ParsePipeItems(pipe, PipeKind::kSelect);
}

// items [WINDOW name AS (…)].
void Parser::ParsePipeItems(PipeOperator& pipe, PipeKind kind) {
  pipe.kind = kind;
  pipe.items = ParseSelectItems(/*with_order=*/false);
  if (Accept(Keyword::kWindow)) pipe.windows = ParseWindows();
}

// SET column = expr, ….
void Parser::ParsePipeSet(PipeOperator& pipe) {
  pipe.kind = PipeKind::kSet;
  do {
    if (!pipe.items.empty() && EndsItems()) break;
    const size_t first = at_;
    SelectItem item;
    item.alias = ParseName("a column's name after SET");
    Expect(TokenKind::kEqual, "= after the column's name");
    item.expr = ParseExpression();
    item.span = SpanFrom(first);
    pipe.items.push_back(std::move(item));
  } while (Accept(TokenKind::kComma));
}

// DROP a, b.
void Parser::ParsePipeDrop(PipeOperator& pipe) {
  pipe.kind = PipeKind::kDrop;
  do {
    if (!pipe.names.empty() && EndsItems()) break;
    pipe.names.push_back(ParseName("a column's name after DROP"));
  } while (Accept(TokenKind::kComma));
}

// RENAME a [AS] b, ….
void Parser::ParsePipeRename(PipeOperator& pipe) {
  pipe.kind = PipeKind::kRename;
  do {
    if (!pipe.names.empty() && EndsItems()) break;
    pipe.names.push_back(ParseName("a column's name after RENAME"));
    Accept(Keyword::kAs);
    pipe.new_names.push_back(ParseName("a new name"));
  } while (Accept(TokenKind::kComma));
}

// AGGREGATE items [GROUP [AND ORDER] BY items].
void Parser::ParsePipeAggregate(PipeOperator& pipe) {
  pipe.kind = PipeKind::kAggregate;
  if (!At(Keyword::kGroup)) pipe.items = ParseSelectItems(/*with_order=*/true);
  if (!Accept(Keyword::kGroup)) return;
  const bool and_order = Accept(Keyword::kAnd);
  if (and_order) Expect(Keyword::kOrder, "after GROUP AND");
  Expect(Keyword::kBy, and_order ? "after ORDER" : "after GROUP");
  pipe.group_by = ParseGroupBy(/*in_pipe=*/true);
  pipe.group_by->and_order_by = and_order;
}

void Parser::ParsePipeJoin(PipeOperator& pipe) {
  pipe.kind = PipeKind::kJoin;
  const size_t first = at_;
  std::vector<JoinStep> steps(1);
  JoinStep& step = steps.front();
  step.keyword = Peek().span;
  step.type = ParseJoinType();
  step.right = ParseFromPrimary();
  CountJoin(step.right.get());
  std::vector<size_t> open;
  if (step.type != JoinItem::Type::kCross) open.push_back(0);
  ParseJoinConditions(steps, open);
  CheckJoin(step);
  auto join = std::make_unique<JoinItem>();
  join->type = step.type;
  join->right = std::move(step.right);
  if (step.condition.has_value()) {
    join->on = std::move(step.condition->on);
    join->columns = std::move(step.condition->columns);
  }
  pipe.from = Finish(std::move(join), first);
}

// UNION ALL (query), (query).
void Parser::ParsePipeSetOperation(PipeOperator& pipe) {
  pipe.kind = PipeKind::kSetOperation;
  pipe.set_operator = ParseSetOperator();
  do {
    if (!pipe.queries.empty() && EndsItems()) break;
    pipe.queries.push_back(ParseQueryInParens());
  } while (Accept(TokenKind::kComma));
}

// WITH name AS (query), ….
void Parser::ParsePipeWith(PipeOperator& pipe) {
  pipe.kind = PipeKind::kWith;
  if (At(Keyword::kRecursive)) FailUnsupported(Peek().span, "|> WITH RECURSIVE");
  do {
    if (!pipe.with.empty() && EndsItems()) break;
    pipe.with.push_back(ParseCte());
  } while (Accept(TokenKind::kComma));
}

}  // namespace logquery::sql
