// The parser's implementation: recursive descent for clauses, precedence climbing for expressions.
#ifndef LOGQUERY_LIB_CLICKHOUSE_SQL_PARSER_IMPL_H_
#define LOGQUERY_LIB_CLICKHOUSE_SQL_PARSER_IMPL_H_

#include <initializer_list>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "lib/clickhouse_sql/ast.h"
#include "lib/clickhouse_sql/lexer.h"
#include "lib/clickhouse_sql/parser.h"

namespace logquery::clickhouse_sql {

class Parser {
 public:
  Parser(std::string_view text, const ParseLimits& limits, std::vector<Token> tokens)
      : text_(text), limits_(limits), tokens_(std::move(tokens)) {}

  absl::StatusOr<QueryPtr> ParseStatement();

 private:
  // Counts a level of recursion for as long as it lives.
  class Level {
   public:
    explicit Level(Parser* parser) : parser_(parser) { ++parser_->level_; }
    ~Level() { --parser_->level_; }
    Level(const Level&) = delete;
    Level& operator=(const Level&) = delete;

   private:
    Parser* const parser_;
  };

  // parser.cc
  const Token& Peek(size_t ahead = 0) const;
  Token Take();
  bool IsWord(std::string_view word, size_t ahead = 0) const;
  bool IsSymbol(std::string_view symbol, size_t ahead = 0) const;
  bool TakeWord(std::string_view word);
  bool TakeWords(std::initializer_list<std::string_view> words);
  bool TakeSymbol(std::string_view symbol);
  absl::Status WantWord(std::string_view word);
  absl::Status WantSymbol(std::string_view symbol);
  absl::Status Error(Span span, std::string_view message) const;
  absl::Status Unexpected(std::string_view expected) const;
  absl::Status CheckLevel() const;
  Span Since(uint32_t begin) const;
  absl::StatusOr<std::string> WantName(std::string_view what);
  absl::Status RefuseTail();
  absl::Status RefuseStatement() const;

  // parser_query.cc
  absl::StatusOr<QueryPtr> ParseUnion();
  absl::StatusOr<Query::Part> ParsePart();
  absl::StatusOr<SelectPtr> ParseSelect();
  absl::Status ParseWith(Select& select);
  absl::Status ParseItems(Select& select);
  absl::Status ParseFilters(Select& select);
  absl::Status ParseGroupBy(Select& select);
  absl::Status ParseOrderBy(Select& select);
  absl::Status ParseLimits_(Select& select);
  absl::StatusOr<OrderItem> ParseOrderItem();
  absl::Status ParseFill(OrderItem& item);
  absl::StatusOr<FromPtr> ParseFrom();
  absl::StatusOr<FromPtr> ParseTable();
  absl::StatusOr<bool> ParseJoin(FromPtr& left);
  absl::Status ParseTableAlias(From& table);
  absl::Status ParseArrayJoin(Select& select);
  absl::StatusOr<std::vector<ExprPtr>> ParseExprs();

  // parser_expr.cc
  absl::StatusOr<ExprPtr> ParseAliased();  // with an optional `[AS] alias`
  absl::StatusOr<ExprPtr> ParseExpr();
  absl::StatusOr<ExprPtr> ParseOr();
  absl::StatusOr<ExprPtr> ParseAnd();
  absl::StatusOr<ExprPtr> ParseNot();
  absl::StatusOr<ExprPtr> ParseComparison();
  absl::StatusOr<bool> ParsePostfixComparison(ExprPtr& left);
  absl::StatusOr<ExprPtr> ParseIn(ExprPtr left, bool negated, uint32_t begin);
  absl::StatusOr<ExprPtr> ParseConcat();
  absl::StatusOr<ExprPtr> ParseSum();
  absl::StatusOr<ExprPtr> ParseProduct();
  absl::StatusOr<ExprPtr> ParseSign();
  absl::StatusOr<ExprPtr> ParsePostfix();

  // parser_primary.cc
  absl::StatusOr<ExprPtr> ParsePrimary();
  absl::StatusOr<ExprPtr> ParseParens();
  absl::StatusOr<ExprPtr> ParseList();
  absl::StatusOr<ExprPtr> ParseParameter();
  absl::StatusOr<ExprPtr> ParseNameOrCall();
  absl::StatusOr<ExprPtr> ParseCall(Token name);
  absl::StatusOr<ExprPtr> ParseCase();
  absl::StatusOr<ExprPtr> ParseCast(uint32_t begin);
  absl::StatusOr<ExprPtr> ParseInterval();
  absl::StatusOr<ExprPtr> ParseExtract(uint32_t begin);
  absl::StatusOr<ExprPtr> ParseTrim(uint32_t begin);
  absl::StatusOr<ExprPtr> ParseLambda();
  absl::StatusOr<std::string> ParseTypeName();
  absl::StatusOr<std::unique_ptr<WindowSpec>> ParseWindow();
  absl::Status ParseFrame(WindowSpec& spec);
  absl::StatusOr<WindowBound> ParseBound();
  bool IsLambda() const;

  ExprPtr Make(ExprKind kind, uint32_t begin) const;
  absl::StatusOr<ExprPtr> Finish(ExprPtr expr) const;
  absl::StatusOr<ExprPtr> Call(std::string name, std::vector<ExprPtr> args, uint32_t begin) const;
  absl::StatusOr<ExprPtr> Binary(std::string name, ExprPtr a, ExprPtr b) const;

  const std::string_view text_;
  const ParseLimits& limits_;
  const std::vector<Token> tokens_;
  size_t at_ = 0;
  int level_ = 0;
  int joins_ = 0;
  int selects_ = 0;
};

// Returns whether the word begins or continues a clause, so that it is no alias without AS.
bool IsReserved(std::string_view word);

}  // namespace logquery::clickhouse_sql

#endif  // LOGQUERY_LIB_CLICKHOUSE_SQL_PARSER_IMPL_H_
