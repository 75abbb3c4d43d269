// JSON text on its way through: checked, made compact, redacted; no document is built.
#ifndef LOGQUERY_LIB_BASE_JSON_TEXT_H_
#define LOGQUERY_LIB_BASE_JSON_TEXT_H_

#include <string>
#include <string_view>

#include "logquery/redactor.h"

namespace logquery::base {

// Appends `text` without the white space between its tokens, numbers digit by digit as they are, invalid UTF-8 in
// strings as U+FFFD. With a redactor, strings and keys are redacted; borrowed, may be nullptr. Returns false, and appends
// nothing, when `text` is no JSON (RFC 8259).
bool AppendCompactJson(std::string_view text, const Redactor* redactor, std::string& out);

}  // namespace logquery::base

#endif  // LOGQUERY_LIB_BASE_JSON_TEXT_H_
