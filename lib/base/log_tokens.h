// Splits log text into tokens like BigQuery's LOG_ANALYZER: at whitespace, punctuation and percent-encoded punctuation.
//
//     TokenReader reader("GET /a%20b");
//     std::string_view token;
//     while (reader.Next(token)) { … }   // "GET", "a", "b"
#ifndef LOGQUERY_LIB_BASE_LOG_TOKENS_H_
#define LOGQUERY_LIB_BASE_LOG_TOKENS_H_

#include <cstddef>
#include <string_view>

namespace logquery::base {

// Returns the length of the longest delimiter at `offset`; 0: there is none.
size_t DelimiterAt(std::string_view text, size_t offset);

// Returns whether `offset` is the start of the text, or directly after a delimiter.
bool IsBehindDelimiter(std::string_view text, size_t offset);

// Returns whether `offset` is the end of the text, or the start of a delimiter.
bool IsBeforeDelimiter(std::string_view text, size_t offset);

// Returns the tokens of a text in order, in their original case. Borrows the text.
class TokenReader {
 public:
  explicit TokenReader(std::string_view text) : text_(text) {}

  // Returns false if there are no more tokens.
  bool Next(std::string_view& token);

 private:
  std::string_view text_;
  size_t offset_ = 0;
};

}  // namespace logquery::base

#endif  // LOGQUERY_LIB_BASE_LOG_TOKENS_H_
