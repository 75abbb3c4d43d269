// Parses joins, and assigns conditions to them.
#include <utility>

#include "lib/base/strings.h"
#include "lib/sql/parser_impl.h"

namespace logquery::sql {
namespace {

bool TakesCondition(JoinItem::Type type) { return type != JoinItem::Type::kComma && type != JoinItem::Type::kCross; }

// Returns whether an inner or left join with the item needs no condition, because it is an array of the row it is
// joined with.
bool IsArray(const FromItem* item) {
  if (If<UnnestItem>(item) != nullptr) return true;
  const auto* const table = If<TableItem>(item);
  return table != nullptr && table->path.size() > 1;
}

}  // namespace

FromItemPtr Parser::ParseFrom() { return ParseJoins(/*in_parens=*/false); }

bool Parser::AtJoin() const {
  if (AtSetOperator(at_)) return false;
  switch (Peek().keyword) {
    case Keyword::kJoin:
    case Keyword::kInner:
    case Keyword::kCross:
    case Keyword::kLeft:
    case Keyword::kRight:
    case Keyword::kFull:
    case Keyword::kNatural:
      return true;
    default:
      return At(TokenKind::kComma);
  }
}

// The words before the right side.
JoinItem::Type Parser::ParseJoinType() {
  using Type = JoinItem::Type;
  if (Accept(TokenKind::kComma)) return Type::kComma;
  if (At(Keyword::kNatural)) FailUnsupported(Peek().span, "NATURAL JOIN");
  Type type = Type::kInner;
  std::string_view word = "JOIN";
  if (!At(Keyword::kJoin)) {
    word = KeywordText(Peek().keyword);
    if (At(Keyword::kCross)) type = Type::kCross;
    if (At(Keyword::kLeft)) type = Type::kLeft;
    if (At(Keyword::kRight)) type = Type::kRight;
    if (At(Keyword::kFull)) type = Type::kFull;
    Next();
    if (type != Type::kCross && type != Type::kInner) Accept(Keyword::kOuter);
  }
  Expect(Keyword::kJoin, base::StrCat("after ", word));
  return type;
}

// Reads the whole chain first: only the end of it tells whether a JOIN without a condition after its right side gets
// one later, as in `a JOIN b JOIN c ON … ON …`, or has none, as in `a LEFT JOIN UNNEST(a.tags) JOIN c ON …`.
FromItemPtr Parser::ParseJoins(bool in_parens) {
  FromItemPtr left = ParseFromPrimary();
  std::vector<JoinStep> steps;
  std::vector<size_t> open;  // steps that a condition may still belong to
  bool after_comma = false;
  while (AtJoin() && !failed()) {
    JoinStep step;
    step.keyword = Peek().span;
    step.type = ParseJoinType();
    if (step.type == JoinItem::Type::kComma) {
      after_comma = true;
      open.clear();
      if (in_parens) Fail(step.keyword, "Syntax error: no comma joins in parentheses; write CROSS JOIN");
    }
    const bool outer_right = step.type == JoinItem::Type::kRight || step.type == JoinItem::Type::kFull;
    if (after_comma && outer_right) {
      Fail(step.keyword, "Syntax error: RIGHT and FULL JOIN after a comma want parentheses around their left side");
    }
    step.right = ParseFromPrimary();
    CountJoin(step.right.get());
    if (TakesCondition(step.type)) open.push_back(steps.size());
    steps.push_back(std::move(step));
    ParseJoinConditions(steps, open);
  }
  for (const JoinStep& step : steps) CheckJoin(step);
  if (failed()) return left;
  return BuildJoins(std::move(left), steps, 0, steps.size());
}

// Assigns each condition to the last join before it without one.
void Parser::ParseJoinConditions(std::vector<JoinStep>& steps, std::vector<size_t>& open) {
  while ((At(Keyword::kOn) || At(Keyword::kUsing)) && !failed()) {
    if (open.empty()) {
      FailHere(base::StrCat("Syntax error: ", KeywordText(Peek().keyword), " without a JOIN that takes it"));
      return;
    }
    JoinStep& step = steps[open.back()];
    open.pop_back();
    step.condition = ParseJoinCondition();
    step.last_of_right = steps.size() - 1;
  }
}

Parser::JoinCondition Parser::ParseJoinCondition() {
  JoinCondition condition;
  const size_t first = at_;
  if (Accept(Keyword::kOn)) {
    condition.on = ParseExpression();
  } else {
    Next();
    condition.columns = ParseNameList();
  }
  condition.span = SpanFrom(first);
  return condition;
}

void Parser::CheckJoin(const JoinStep& step) {
  if (!TakesCondition(step.type) || step.condition.has_value()) return;
  const bool optional = step.type == JoinItem::Type::kInner || step.type == JoinItem::Type::kLeft;
  if (optional && IsArray(step.right.get())) return;
  const Span place = step.right == nullptr ? step.keyword : step.right->span;
  Fail({place.end, place.end}, "Syntax error: expected ON or USING after the right side of this JOIN");
}

void Parser::CountJoin(const FromItem* right) {
  const bool unnest = If<UnnestItem>(right) != nullptr;
  int& count = unnest ? unnests_ : joins_;
  const int most = unnest ? limits_.max_unnests : limits_.max_joins;
  if (++count > most) FailHere(base::StrCat("more than ", most, unnest ? " joins with UNNEST" : " joins"));
}

// `left` joined with steps[begin, end), left to right.
FromItemPtr Parser::BuildJoins(FromItemPtr left, std::vector<JoinStep>& steps, size_t begin, size_t end) {
  for (size_t i = begin; i < end;) {
    JoinStep& step = steps[i];
    const size_t next = step.condition.has_value() ? step.last_of_right + 1 : i + 1;
    auto join = std::make_unique<JoinItem>();
    join->type = step.type;
    join->left = std::move(left);
    join->right = BuildJoins(std::move(step.right), steps, i + 1, next);
    join->span = {join->left->span.begin, join->right->span.end};
    if (step.condition.has_value()) {
      join->on = std::move(step.condition->on);
      join->columns = std::move(step.condition->columns);
      join->span.end = step.condition->span.end;
    }
    left = std::move(join);
    i = next;
  }
  return left;
}

}  // namespace logquery::sql
