// Reads JSON text (RFC 8259) strictly, and reports each token in order. Errors are explained for people who edit files by hand.
//
//     class Counter : public JsonEvents { … };
//     Counter counter;
//     if (std::optional<JsonSyntaxError> error = ScanJson(text, &counter)) Report(error->offset, error->message);
#ifndef LOGQUERY_LIB_BASE_JSON_SCANNER_H_
#define LOGQUERY_LIB_BASE_JSON_SCANNER_H_

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "lib/base/json_syntax.h"

namespace logquery::base {

// Receives tokens. Tokens received before an error are the beginning of a text that is not JSON.
class JsonEvents {
 public:
  virtual ~JsonEvents() = default;
  virtual void OnLiteral(std::string_view word) = 0;  // true, false or null
  // The text as it was written, and its place: numbers may have any size.
  virtual void OnNumber(std::string_view number, size_t offset) = 0;
  virtual void OnString(std::string value) = 0;
  virtual void OnKey(std::string key) = 0;
  virtual void OnOpen(char bracket) = 0;
  virtual void OnClose() = 0;
};

// Returns the first error; nullopt: the text is one JSON value. `events` may be nullptr. Does not recurse, so the depth of the text
// does not matter.
std::optional<JsonSyntaxError> ScanJson(std::string_view text, JsonEvents* events);

}  // namespace logquery::base

#endif  // LOGQUERY_LIB_BASE_JSON_SCANNER_H_
