// The parser's implementation. Its methods are in the files parser_*.cc, one topic per file.
//
// Errors are sticky: after the first one the parser stays at the end of the text, so that every loop ends and every
// method soon returns a node, which may be incomplete. Only the entry points check the status; no other code may rely
// on the presence of a child.
//
// Two counters keep trees shallow enough for recursive walks. `level_` counts open constructs: brackets, CASE, unary
// operators. `chain_height_` counts growth to the left without open constructs, as in a + b + c and a[0][0][0]: the
// longest path through such nodes in the expressions parsed last.
#ifndef LOGQUERY_LIB_SQL_PARSER_IMPL_H_
#define LOGQUERY_LIB_SQL_PARSER_IMPL_H_

#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "lib/sql/ast.h"
#include "lib/sql/binding.h"
#include "lib/sql/parser.h"
#include "lib/sql/token.h"

namespace logquery::sql {

class Parser {
 public:
  // Both are borrowed.
  Parser(std::string_view text, const TokenList& list, const ParseLimits& limits)
      : text_(text), list_(list), limits_(limits) {}

  absl::StatusOr<QueryPtr> ParseStatement();
  absl::StatusOr<ExprPtr> ParseWholeExpression();

 private:
  // The infix operator at the current token.
  struct Infix {
    enum class Form { kNone, kNary, kBinary, kIs, kBetween, kIn, kLike };
    Form form = Form::kNone;
    Binding binding = Binding::kOr;
    Nary::Op nary = Nary::Op::kAnd;
    Binary::Op binary = Binary::Op::kEqual;
    int tokens = 1;
    bool negated = false;      // NOT IN, NOT LIKE, NOT BETWEEN
    bool ignore_case = false;  // ILIKE
  };

  struct JoinCondition {
    Span span;
    ExprPtr on;
    std::vector<Identifier> columns;
  };

  // One join of a FROM clause before conditions are assigned to joins.
  struct JoinStep {
    JoinItem::Type type = JoinItem::Type::kComma;
    FromItemPtr right;
    Span keyword;
    std::optional<JoinCondition> condition;
    size_t last_of_right = 0;  // the step that ends its right side
  };

  // An open nesting level while this object lives.
  class Level {
   public:
    explicit Level(Parser* parser) : parser_(parser) { parser_->EnterLevel(); }
    ~Level() { --parser_->level_; }
    Level(const Level&) = delete;
    Level& operator=(const Level&) = delete;

   private:
    Parser* parser_;
  };

  // ---- tokens (parser.cc)
  const Token& Peek(size_t distance = 0) const {
    const size_t last = list_.tokens.size() - 1;
    return list_.tokens[failed() ? last : std::min(at_ + distance, last)];
  }
  const Token& Next() {
    const Token& token = Peek();
    if (!failed() && at_ + 1 < list_.tokens.size()) ++at_;
    return token;
  }
  bool At(TokenKind kind, size_t distance = 0) const { return Peek(distance).kind == kind; }
  bool At(Keyword keyword, size_t distance = 0) const { return Peek(distance).keyword == keyword; }
  // A name: in back-quotes, or a word that is not reserved.
  bool AtName(size_t distance = 0) const {
    const Token& token = Peek(distance);
    return token.kind == TokenKind::kQuotedName || (token.kind == TokenKind::kWord && !IsReserved(token.keyword));
  }
  // A name after a dot, where no word is a keyword.
  bool AtAnyWord(size_t distance = 0) const {
    return At(TokenKind::kWord, distance) || At(TokenKind::kQuotedName, distance);
  }
  bool AtWordOf(std::string_view word, size_t distance = 0) const;
  bool Accept(TokenKind kind) {
    if (!At(kind) || failed()) return false;
    Next();
    return true;
  }
  bool Accept(Keyword keyword) {
    if (!At(keyword)) return false;
    Next();
    return true;
  }
  bool Expect(TokenKind kind, std::string_view where);
  bool Expect(Keyword keyword, std::string_view where);
  // Expects the closing parenthesis or bracket for the one at token `open`.
  void ExpectClosing(size_t open);
  // Returns whether `kind` follows the closing counterpart of the bracket at token `open`.
  bool ClosesBefore(size_t open, TokenKind kind) const;
  std::string_view TextOf(Span span) const { return text_.substr(span.begin, span.end - span.begin); }
  const std::string& ValueOf(const Token& token) const { return list_.values[token.value]; }
  Identifier ParseName(std::string_view what);  // `what` completes "expected "
  Identifier TakeName();
  std::optional<Identifier> ParseAlias();  // [[AS] name]
  std::optional<Identifier> ParseAliasAfterAs(std::string_view what);
  std::vector<Identifier> ParseNameList();  // (a, b)
  Span SpanFrom(size_t first_token) const;
  template <typename T>
  std::unique_ptr<T> Finish(std::unique_ptr<T> node, size_t first_token) {
    node->span = SpanFrom(first_token);
    return node;
  }

  // ---- errors (parser_error.cc)
  bool failed() const { return !status_.ok(); }
  void Fail(Span place, std::string_view message, std::vector<std::string> nearest = {});
  void FailHere(std::string_view message) { Fail(Peek().span, message); }
  // "Syntax error: expected WHAT but found …", at the current token.
  void FailExpected(std::string_view what);
  std::string_view AdviceForForeign() const;
  void FailUnsupported(Span place, std::string_view what);
  void FailAtEnd();  // for text after the end of the query
  void FailNotSelect();
  bool SuggestsKeyword(const Token& token, std::string_view what);
  std::string Describe(const Token& token) const;
  std::string AfterPrevious() const;
  void EnterLevel();
  void LengthenChain();

  // ---- expressions (parser_expr.cc, parser_postfix.cc, parser_primary.cc, parser_special.cc)
  ExprPtr ParseExpression() { return ParseInfix(Binding::kOr); }
  std::vector<ExprPtr> ParseExpressions();  // a, b
  ExprPtr ParseInfix(Binding loosest);
  Infix PeekInfix() const;
  Infix PeekNegatedInfix() const;
  ExprPtr ParseInfixRight(const Infix& infix, ExprPtr left, size_t first);
  ExprPtr ParseIs(ExprPtr operand);
  ExprPtr ParseBetween(ExprPtr value, bool negated);
  ExprPtr ParseIn(ExprPtr value, bool negated);
  ExprPtr ParseLike(ExprPtr value, const Infix& infix);
  Candidates ParseCandidates();
  ExprPtr ParseUnary();
  ExprPtr ParsePostfix();
  ExprPtr ParseDot(ExprPtr base, size_t first);
  ExprPtr ParseSubscript(ExprPtr base, size_t first);
  ExprPtr ParsePrimary();
  ExprPtr ParseWordPrimary();
  ExprPtr ParseReservedPrimary();
  void FailMisplaced();
  ExprPtr ParseConstant(Literal::Form form);
  ExprPtr ParseNumber();
  ExprPtr ParseText();
  ExprPtr ParseTypedLiteral();
  ExprPtr ParseParameter();
  ExprPtr ParseParenthesized();
  ExprPtr ParseTuple(ExprPtr first_item, size_t first);
  ExprPtr ParseCase();
  ExprPtr ParseCast(bool safe);
  ExprPtr ParseExtract();
  ExprPtr ParseInterval();
  ExprPtr ParseStruct();
  ExprPtr ParseArray();
  ExprPtr ParseArrayElements(std::optional<TypeName> type, size_t first);
  ExprPtr ParseSubquery(SubqueryExpr::Form form, size_t first);
  ExprPtr ParseWithExpr();
  ExprPtr ParseNameOrCall();
  ExprPtr ParseTimeZone();
  std::string ParsePartArgument();

  // ---- calls (parser_call.cc)
  ExprPtr ParseCall(std::vector<Identifier> name, ExprPtr first_argument, size_t first);
  Call::Argument ParseArgument();
  bool AtLambda() const;
  ExprPtr ParseLambda();
  void ParseArguments(Call& call);
  void ParseCallModifiers(Call& call);
  std::unique_ptr<WindowSpec> ParseOver();
  WindowSpec ParseWindowSpec();
  WindowFrame ParseFrame();
  WindowBound ParseBound();
  std::vector<OrderItem> ParseOrderItems();
  NullsOrder ParseNullsOrder();
  bool ParseDirection(bool& descending);  // returns whether there was ASC or DESC

  // ---- types (parser_types.cc)
  TypeName ParseType();
  TypeName ParseArrayType();
  TypeName ParseStructType();
  TypeName ParseSimpleType();
  void ParseTypeParameters(TypeName& type);
  bool AtEmptyAngles(size_t distance = 0) const;

  // ---- queries (parser_query.cc, parser_select.cc)
  // Returns whether the parenthesis at `open` contains a query, rather than an expression or a join.
  bool IsQueryAt(size_t open) const;
  bool StartsQuery(size_t distance = 0) const;
  bool ContinuesQuery(size_t token) const;
  bool AtSetOperator(size_t token) const;
  QueryPtr ParseQuery();
  QueryPtr ParseQueryInParens();
  void ParseWith(Query& query);
  Cte ParseCte();
  QueryBodyPtr ParseBody();
  QueryBodyPtr ParseBodyPart();
  SetOperator ParseSetOperator();
  void ParseSetMatching(SetOperator& op);
  void ParseOrderAndLimit(Query& query);
  void ParseLimit(ExprPtr& limit, ExprPtr& offset);
  QueryBodyPtr ParseSelect();
  void ParseSelectKind(Select& select);
  std::vector<SelectItem> ParseSelectItems(bool with_order);
  bool EndsItems(size_t distance = 0) const;
  SelectItem ParseSelectItem(bool with_order);
  void ParseStarModifiers(SelectItem& item);
  std::vector<Select::NamedWindow> ParseWindows();
  GroupBy ParseGroupBy(bool in_pipe);
  GroupItem ParseGroupItem(bool in_pipe);
  std::vector<std::vector<ExprPtr>> ParseGroupLists();
  std::vector<ExprPtr> ParseGroupList();
  GroupItem ParseGroupingSet();

  // ---- FROM (parser_from.cc, parser_join.cc, parser_pivot.cc)
  FromItemPtr ParseFrom();
  FromItemPtr ParseJoins(bool in_parens);
  bool AtJoin() const;
  JoinItem::Type ParseJoinType();
  void ParseJoinConditions(std::vector<JoinStep>& steps, std::vector<size_t>& open);
  JoinCondition ParseJoinCondition();
  FromItemPtr BuildJoins(FromItemPtr left, std::vector<JoinStep>& steps, size_t begin, size_t end);
  void CheckJoin(const JoinStep& step);
  void CountJoin(const FromItem* right);
  FromItemPtr ParseFromPrimary();
  FromItemPtr ParseParenthesizedFrom();
  FromItemPtr ParseUnnest();
  FromItemPtr ParseTable();
  std::vector<Identifier> ParseTablePath();
  Identifier ParseDashedName(bool& dot_taken);
  FromItemPtr ParseTableFunction(std::vector<Identifier> name, size_t first);
  FromItemPtr ParseFromSuffixes(FromItemPtr item, size_t first);
  std::optional<Identifier> ParseFromAlias();
  void ParseOffset(bool& with_offset, std::optional<Identifier>& alias);
  bool AtPivot() const;
  bool AtUnpivot() const;
  std::unique_ptr<PivotItem> ParsePivot();
  std::unique_ptr<UnpivotItem> ParseUnpivot();
  std::vector<Identifier> ParseUnpivotColumns();
  UnpivotItem::Group ParseUnpivotGroup();

  // ---- pipes (parser_pipe.cc)
  void ParsePipes(Query& query);
  PipeOperator ParsePipe();
  void ParsePipeOfWord(PipeOperator& pipe);
  void ParsePipeSelect(PipeOperator& pipe);
  void ParsePipeItems(PipeOperator& pipe, PipeKind kind);
  void ParsePipeSet(PipeOperator& pipe);
  void ParsePipeDrop(PipeOperator& pipe);
  void ParsePipeRename(PipeOperator& pipe);
  void ParsePipeAggregate(PipeOperator& pipe);
  void ParsePipeJoin(PipeOperator& pipe);
  void ParsePipeSetOperation(PipeOperator& pipe);
  void ParsePipeWith(PipeOperator& pipe);
  void FailUnknownPipe();

  const std::string_view text_;
  const TokenList& list_;
  const ParseLimits& limits_;
  size_t at_ = 0;
  absl::Status status_;
  int level_ = 0;
  int chain_height_ = 0;
  int ctes_ = 0;
  int joins_ = 0;
  int unnests_ = 0;
  std::vector<Identifier> table_names_;  // see Query
  // The last name that was parsed as an alias without AS, because it may be a misspelt keyword.
  std::optional<size_t> implicit_alias_;
};

}  // namespace logquery::sql

#endif  // LOGQUERY_LIB_SQL_PARSER_IMPL_H_
