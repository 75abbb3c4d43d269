// Parses PIVOT and UNPIVOT.
#include <utility>

#include "lib/base/strings.h"
#include "lib/sql/parser_impl.h"

namespace logquery::sql {

// Neither word is reserved, so that the next token decides.
bool Parser::AtPivot() const { return At(Keyword::kPivot) && At(TokenKind::kLeftParen, 1); }

bool Parser::AtUnpivot() const {
  return At(Keyword::kUnpivot) &&
         (At(TokenKind::kLeftParen, 1) || At(Keyword::kInclude, 1) || At(Keyword::kExclude, 1));
}

// PIVOT(aggregate [AS name], … FOR expr IN (value [AS name], …)).
std::unique_ptr<PivotItem> Parser::ParsePivot() {
  const size_t first = at_;
  const Level level(this);
  auto pivot = std::make_unique<PivotItem>();
  Next();
  const size_t open = at_;
  if (!Expect(TokenKind::kLeftParen, "( after PIVOT")) return pivot;
  do {
    PivotItem::Aggregate aggregate;
    aggregate.call = ParseExpression();
    aggregate.alias = ParseAlias();
    pivot->aggregates.push_back(std::move(aggregate));
  } while (Accept(TokenKind::kComma));
  Expect(Keyword::kFor, "and the column that PIVOT turns");
  pivot->for_expr = ParseInfix(Binding::kBitOr);
  Expect(Keyword::kIn, "and the values of PIVOT");
  const size_t inner = at_;
  if (Expect(TokenKind::kLeftParen, "( and the values of PIVOT")) {
    do {
      PivotItem::Value value;
      value.value = ParseExpression();
      value.alias = ParseAlias();
      pivot->values.push_back(std::move(value));
    } while (Accept(TokenKind::kComma));
    ExpectClosing(inner);
  }
  ExpectClosing(open);
  return Finish(std::move(pivot), first);
}

// UNPIVOT [INCLUDE NULLS](values FOR name IN (columns)), values being one name or (a, b).
std::unique_ptr<UnpivotItem> Parser::ParseUnpivot() {
  const size_t first = at_;
  const Level level(this);
  auto unpivot = std::make_unique<UnpivotItem>();
  Next();
  unpivot->include_nulls = At(Keyword::kInclude);
  if (Accept(Keyword::kInclude) || Accept(Keyword::kExclude)) Expect(Keyword::kNulls, "after INCLUDE or EXCLUDE");
  const size_t open = at_;
  if (!Expect(TokenKind::kLeftParen, "( after UNPIVOT")) return unpivot;
  unpivot->value_columns = ParseUnpivotColumns();
  Expect(Keyword::kFor, "and a name for the column of names");
  unpivot->name_column = ParseName("a name for the column of names");
  Expect(Keyword::kIn, "and the columns of UNPIVOT");
  const size_t inner = at_;
  if (Expect(TokenKind::kLeftParen, "( and the columns of UNPIVOT")) {
    do {
      unpivot->groups.push_back(ParseUnpivotGroup());
    } while (Accept(TokenKind::kComma));
    ExpectClosing(inner);
  }
  ExpectClosing(open);
  return Finish(std::move(unpivot), first);
}

// a, or (a, b).
std::vector<Identifier> Parser::ParseUnpivotColumns() {
  if (At(TokenKind::kLeftParen)) return ParseNameList();
  std::vector<Identifier> columns;
  columns.push_back(ParseName("a column's name"));
  return columns;
}

// columns [[AS] 'label'].
UnpivotItem::Group Parser::ParseUnpivotGroup() {
  UnpivotItem::Group group;
  group.columns = ParseUnpivotColumns();
  const bool as = Accept(Keyword::kAs);
  if (At(TokenKind::kString)) {
    group.label = ParseText();
  } else if (At(TokenKind::kInteger)) {
    group.label = ParseNumber();
  } else if (as) {
    FailExpected("a string or a number after AS");
  }
  return group;
}

}  // namespace logquery::sql
