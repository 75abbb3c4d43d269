// Reads one JSON text from front to back, strictly as RFC 8259 has it, giving slices of the text itself.
//
// For rows on their way in: it makes no document and copies nothing. Text must be UTF-8, and an escape that is half a
// surrogate pair is an error, as no UTF-8 can hold it. Not thread-safe.
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
  // What is between the quotes.
  struct String {
    std::string_view raw;
    bool escaped = false;  // raw holds escapes: see Unescape
  };

  explicit JsonReader(std::string_view text) : begin_(text.data()), at_(text.data()), end_(text.data() + text.size()) {}

  // The next byte that is no space, without taking it; 0 at the end.
  char Peek() {
    while (at_ != end_ && (*at_ == ' ' || *at_ == '\t' || *at_ == '\r' || *at_ == '\n')) ++at_;
    return at_ == end_ ? '\0' : *at_;
  }
  // Takes the next byte, which Peek() has just given.
  void Take() { ++at_; }
  bool TakeIf(char c) {
    if (Peek() != c) return false;
    ++at_;
    return true;
  }
  // A place to come back to.
  const char* Mark() const { return at_; }
  void GoBackTo(const char* mark) { at_ = mark; }
  bool AtEnd() {
    Peek();
    return at_ == end_;
  }

  // Each reads what begins at the next byte that is no space, or fails.
  bool ReadString(String* out);
  bool ReadNumber(std::string_view* out);
  bool ReadWord(std::string_view word);  // true, false, null
  // Any value; `keys_differ`: an object with two keys that are the same but for letter case fails.
  bool SkipValue(bool keys_differ, std::string_view* raw);

  // Fails with "wanted …, found …" at the next byte.
  bool FailWanted(std::string_view wanted);
  bool Fail(std::string message, const char* at);

  // Why it failed, and the column, counted in characters from 1.
  const std::string& error() const { return error_; }
  int64_t error_column() const;

  // The text that an escaped string stands for.
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
  const char* error_at_ = nullptr;
  // Keys of the objects that are open, one object's after another.
  std::vector<std::string_view> keys_;
  Arena arena_;
};

// `text` as a JSON string, quotes included.
void AppendJsonString(std::string_view text, std::string& out);

}  // namespace logquery::store

#endif  // LOGQUERY_LIB_STORE_ROWS_JSON_READER_H_
