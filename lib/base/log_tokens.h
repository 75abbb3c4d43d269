// How BigQuery's LOG_ANALYZER splits a log text into tokens: at white space, punctuation and percent-encoded punctuation.
//
//     TokenReader reader("GET /a%20b");
//     std::string_view token;
//     while (reader.Next(token)) { … }   // "GET", "a", "b"
#ifndef LOGQUERY_LIB_BASE_LOG_TOKENS_H_
#define LOGQUERY_LIB_BASE_LOG_TOKENS_H_

#include <cstddef>
#include <string_view>

namespace logquery::base {

// The size of the delimiter that begins at `offset`, the longest one there is; 0: none does.
size_t DelimiterAt(std::string_view text, size_t offset);

// Whether `offset` is the start of the text, or directly behind a delimiter.
bool IsBehindDelimiter(std::string_view text, size_t offset);

// Whether `offset` is the end of the text, or a delimiter begins there.
bool IsBeforeDelimiter(std::string_view text, size_t offset);

// Gives the tokens of a text in order, in the case that they have there. Borrows the text.
class TokenReader {
 public:
  explicit TokenReader(std::string_view text) : text_(text) {}

  // False: there are no more.
  bool Next(std::string_view& token);

 private:
  std::string_view text_;
  size_t offset_ = 0;
};

}  // namespace logquery::base

#endif  // LOGQUERY_LIB_BASE_LOG_TOKENS_H_
