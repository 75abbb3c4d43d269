// Writes strings of JSON. Values write themselves: Json::ToString.
#ifndef LOGQUERY_LIB_BASE_JSON_WRITE_H_
#define LOGQUERY_LIB_BASE_JSON_WRITE_H_

#include <string>
#include <string_view>

namespace logquery::base {

// Appends `text` in double quotes. Escapes quotes, backslashes and control characters; replaces invalid UTF-8 by U+FFFD.
void AppendJsonString(std::string_view text, std::string& out);

// Returns `text` in double quotes with all characters outside of ASCII escaped as \uXXXX, in lower case.
std::string AsciiJsonString(std::string_view text);

}  // namespace logquery::base

#endif  // LOGQUERY_LIB_BASE_JSON_WRITE_H_
