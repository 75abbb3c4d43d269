// Writes strings as JSON (RFC 8259).
#ifndef LOGQUERY_LIB_RESULT_JSON_STRING_H_
#define LOGQUERY_LIB_RESULT_JSON_STRING_H_

#include <string_view>

#include "lib/result/output.h"

namespace logquery::result {

// Appends `text` as a JSON string with quotes; each invalid part of UTF-8 becomes U+FFFD.
void WriteJsonString(std::string_view text, Output& out);

}  // namespace logquery::result

#endif  // LOGQUERY_LIB_RESULT_JSON_STRING_H_
