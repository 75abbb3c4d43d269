// Parses one JSON text in a single pass, strictly by RFC 8259, and returns slices of the text.
//
// For loading rows: it builds no document and copies nothing. Text must be UTF-8, and an escape of half a surrogate
// pair is an error, because UTF-8 can't represent it; MendHalfPairs replaces such escapes. Not thread-safe.
#ifndef LOGQUERY_LIB_STORE_ROWS_JSON_READER_H_
#define LOGQUERY_LIB_STORE_ROWS_JSON_READER_H_

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "lib/store/rows/arena.h"

namespace logquery::store {

class JsonReader {
 public:
  // The text between the quotes.
  struct String {
    std::string_view raw;
    bool escaped = false;  // raw has escapes: see Unescape
  };

  explicit JsonReader(std::string_view text) : begin_(text.data()), at_(text.data()), end_(text.data() + text.size()) {}

  // Returns the next byte that is not whitespace, without consuming it; 0 at the end.
  char Peek() {
    while (at_ != end_ && (*at_ == ' ' || *at_ == '\t' || *at_ == '\r' || *at_ == '\n')) ++at_;
    return at_ == end_ ? '\0' : *at_;
  }
  // Consumes the byte that Peek() has just returned.
  void Take() { ++at_; }
  bool TakeIf(char c) {
    if (Peek() != c) return false;
    ++at_;
    return true;
  }
  // A position to return to.
  const char* Mark() const { return at_; }
  void GoBackTo(const char* mark) { at_ = mark; }
  bool AtEnd() {
    Peek();
    return at_ == end_;
  }

  // Each of these skips whitespace and reads the next value, or fails.
  bool ReadString(String* out);
  bool ReadNumber(std::string_view* out);
  bool ReadWord(std::string_view word);  // true, false, null
  // Skips any value. `keys_differ`: fails for an object that has a key twice.
  bool SkipValue(bool keys_differ, std::string_view* raw);

  // Fails with "wanted …, found …" at the next byte.
  bool FailWanted(std::string_view wanted);
  // `kind` is the message without text of the input; empty: it has none.
  bool Fail(std::string message, const char* at, std::string kind = {});

  // The error, and its column, counted in characters from 1.
  const std::string& error() const { return error_; }
  // Returns the error without text of the input.
  const std::string& error_kind() const { return error_kind_.empty() ? error_ : error_kind_; }
  int64_t error_column() const;
  // Returns "column 7: a string does not end".
  std::string ErrorWithColumn() const;
  // Returns whether the reader met half a surrogate pair, so that the text may be valid after MendHalfPairs.
  bool met_half_pair() const { return met_half_pair_; }

  // Returns the text that an escaped string represents.
  static std::string_view Unescape(std::string_view raw, Arena& arena);

 private:
  static constexpr int kMaxDepth = 200;

  bool SkipNested(bool keys_differ, int depth);
  bool SkipObject(bool keys_differ, int depth);
  bool SkipArray(bool keys_differ, int depth);
  bool CheckKeys(size_t first_key);
  bool CheckEscape(const char*& at);

  const char* const begin_;
  const char* at_;
  const char* const end_;
  std::string error_;
  std::string error_kind_;
  const char* error_at_ = nullptr;
  bool met_half_pair_ = false;
  // The keys of all open objects, one object after the other.
  std::vector<std::string_view> keys_;
  Arena arena_;
};

// Returns a copy of JSON text in which each escape of half a surrogate pair is \ufffd, which has the same length. Programs
// that cut text in the middle of an emoji write such escapes.
std::string_view MendHalfPairs(std::string_view json, Arena& arena);

// Returns the quote that ends the string whose text begins at `at`, or `end`. The text may have control characters and
// unknown escapes.
const char* FindStringEnd(const char* at, const char* end);

// Appends `text` as a JSON string with quotes.
void AppendJsonString(std::string_view text, std::string& out);

}  // namespace logquery::store

#endif  // LOGQUERY_LIB_STORE_ROWS_JSON_READER_H_
