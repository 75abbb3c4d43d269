// Finds where the values of a JSON text begin and end by their quotes and brackets alone, so that one value that is not
// valid JSON does not hide the others.
//
//     EventScanner scanner(R"([{"a":1},{"a":NaN},{"a":3}])");
//     scanner.TakeIf('[');
//     std::string_view element;
//     do {
//       if (!scanner.Element(']', &element)) …  // the array does not end
//     } while (scanner.TakeIf(','));
#ifndef LOGQUERY_LIB_STORE_INGEST_EVENT_SCANNER_H_
#define LOGQUERY_LIB_STORE_INGEST_EVENT_SCANNER_H_

#include <cstddef>
#include <string>
#include <string_view>

#include "absl/functional/function_ref.h"

namespace logquery::store {

// Takes linear time, and little memory however deep the values are. Not thread-safe.
class EventScanner {
 public:
  explicit EventScanner(std::string_view text)
      : begin_(text.data()), at_(text.data()), end_(text.data() + text.size()) {}

  // Returns the next byte that is not whitespace, without consuming it; 0 at the end.
  char Peek();
  bool TakeIf(char c);
  bool AtEnd();
  // The position, in bytes.
  size_t position() const { return static_cast<size_t>(at_ - begin_); }
  // Returns the text from the position on.
  std::string_view rest() const { return {at_, static_cast<size_t>(end_ - at_)}; }

  // Reads an object or array, which is next, up to the bracket that closes it. Returns false if there is none; the
  // position stays.
  bool Value(std::string_view* value);
  // Reads an element of an array (`close` is ']') or the value of a member ('}'), up to the ',' or `close` after it,
  // which is next. It may be empty, and have anything behind its value. Returns false if there is no such end; the
  // position stays.
  bool Element(char close, std::string_view* element);
  // Reads a member's key, as written between its quotes, and the ':' after it. Returns false if there is no such key.
  bool Key(std::string_view* key);

 private:
  const char* const begin_;
  const char* at_;
  const char* const end_;
};

// Visits the members of an object, as slices of its text, up to the first invalid one. Returns false if that was before
// the object's end, or `member` returned false.
bool ForEachLooseMember(std::string_view object,
                        absl::FunctionRef<bool(std::string_view key, std::string_view value)> member);

// Visits the elements of an array, as slices of its text. Returns false if the array does not end, more follows it, or
// `element` returned false.
bool ForEachLooseElement(std::string_view array, absl::FunctionRef<bool(std::string_view value)> element);

}  // namespace logquery::store

#endif  // LOGQUERY_LIB_STORE_INGEST_EVENT_SCANNER_H_
