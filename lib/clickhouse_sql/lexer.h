// Splits a query in ClickHouse's SQL into tokens: names, quoted names, texts with escapes, numbers and symbols.
#ifndef LOGQUERY_LIB_CLICKHOUSE_SQL_LEXER_H_
#define LOGQUERY_LIB_CLICKHOUSE_SQL_LEXER_H_

#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "lib/sql/ast.h"

namespace logquery::clickhouse_sql {

enum class TokenKind { kEnd, kName, kQuotedName, kString, kNumber, kSymbol };

struct Token {
  TokenKind kind = TokenKind::kEnd;
  sql::Span span;
  std::string text;  // a name or text without quotes and escapes; otherwise as written
};

// Returns the tokens; the last one is kEnd. InvalidArgument, with the place: an unknown character, a text, quoted name
// or comment without an end, text that is not UTF-8. Linear in the length of the text.
absl::StatusOr<std::vector<Token>> Lex(std::string_view text);

}  // namespace logquery::clickhouse_sql

#endif  // LOGQUERY_LIB_CLICKHOUSE_SQL_LEXER_H_
