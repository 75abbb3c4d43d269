// Checks, compacts or redacts JSON text without building a document.
#ifndef LOGQUERY_LIB_BASE_JSON_TEXT_H_
#define LOGQUERY_LIB_BASE_JSON_TEXT_H_

#include <string>
#include <string_view>

#include "absl/functional/function_ref.h"
#include "logquery/redactor.h"

namespace logquery::base {

enum class JsonEscapes {
  kAsWritten,
  kNeeded,  // only necessary ones: \u0041 and \/ become A and /
};

// Appends `text` without whitespace between tokens; keeps the digits of numbers; replaces invalid UTF-8 in strings by
// U+FFFD. If `redactor`, which is borrowed and may be nullptr, is given, redacts strings and keys. Returns false and
// appends nothing if `text` is not JSON (RFC 8259).
bool AppendCompactJson(std::string_view text, const Redactor* redactor, std::string& out,
                       JsonEscapes escapes = JsonEscapes::kAsWritten);

// Returns the unescaped text of a JSON string, which is given with its quotes.
std::string JsonStringValue(std::string_view quoted);

enum class JsonPart { kKey, kString, kOther };

// Calls `visit` with each key and scalar of `json` until it returns false: keys and strings unescaped; numbers, true,
// false and null as written. `json` should be valid; in other text, no part is skipped or visited twice. The text is
// valid during the call.
void VisitJsonParts(std::string_view json, absl::FunctionRef<bool(JsonPart part, std::string_view text)> visit);

}  // namespace logquery::base

#endif  // LOGQUERY_LIB_BASE_JSON_TEXT_H_
