// JSON text on its way through: checked, made compact, redacted; no document is built.
#ifndef LOGQUERY_LIB_BASE_JSON_TEXT_H_
#define LOGQUERY_LIB_BASE_JSON_TEXT_H_

#include <string>
#include <string_view>

#include "absl/functional/function_ref.h"
#include "logquery/redactor.h"

namespace logquery::base {

enum class JsonEscapes {
  kAsWritten,
  kNeeded,  // only what JSON can't do without: \u0041 and \/ become A and /
};

// Appends `text` without the white space between its tokens, numbers digit by digit as they are, invalid UTF-8 in
// strings as U+FFFD. With a redactor, strings and keys are redacted; borrowed, may be nullptr. Returns false, and appends
// nothing, when `text` is no JSON (RFC 8259).
bool AppendCompactJson(std::string_view text, const Redactor* redactor, std::string& out,
                       JsonEscapes escapes = JsonEscapes::kAsWritten);

// What a JSON string, given with its quotes, stands for.
std::string JsonStringValue(std::string_view quoted);

enum class JsonPart { kKey, kString, kOther };

// Calls `visit` with each key and scalar of `json`, until it returns false: keys and strings unescaped, numbers, true, false and
// null as they are written. `json` has been checked to be JSON; of other text, no part is left out or read twice. The text is
// valid during the call.
void VisitJsonParts(std::string_view json, absl::FunctionRef<bool(JsonPart part, std::string_view text)> visit);

}  // namespace logquery::base

#endif  // LOGQUERY_LIB_BASE_JSON_TEXT_H_
