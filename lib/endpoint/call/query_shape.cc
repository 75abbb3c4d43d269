// Walks the tokens of the text, without a syntax tree: what is found to crash a server need not have one.
#include "lib/endpoint/call/query_shape.h"

#include "absl/status/statusor.h"
#include "lib/base/limits.h"
#include "lib/base/strings.h"
#include "lib/sql/lexer.h"

namespace logquery::endpoint {
namespace {

bool IsLiteral(sql::TokenKind kind) {
  return kind == sql::TokenKind::kInteger || kind == sql::TokenKind::kFloat || kind == sql::TokenKind::kString ||
         kind == sql::TokenKind::kBytes;
}

}  // namespace

std::string SqlShape(std::string_view sql) {
  const absl::StatusOr<sql::TokenList> tokens = sql::Lex(sql, base::kMaxNesting);
  if (!tokens.ok()) return std::string(sql);
  constexpr std::string_view kListOfLiterals = "? , ";
  std::string shape;
  for (const sql::Token& token : tokens->tokens) {
    if (token.kind == sql::TokenKind::kEnd) break;
    if (!IsLiteral(token.kind)) {
      base::StrAppend(&shape, base::ToLower(sql.substr(token.span.begin, token.span.end - token.span.begin)), " ");
    } else if (!shape.ends_with(kListOfLiterals)) {
      shape += "? ";
    } else {
      shape.resize(shape.size() - std::string_view(", ").size());
    }
  }
  return shape;
}

}  // namespace logquery::endpoint
