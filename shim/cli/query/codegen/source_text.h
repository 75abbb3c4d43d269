// Texts of definitions inside generated source, which they cannot leave: lines of comments, and string literals.
#ifndef LOGQUERY_SHIM_CLI_QUERY_CODEGEN_SOURCE_TEXT_H_
#define LOGQUERY_SHIM_CLI_QUERY_CODEGEN_SOURCE_TEXT_H_

#include <string>
#include <string_view>
#include <vector>

#include "logquery/endpoint.h"

namespace logquery::shim {

// `text` as lines of at most about `width` bytes that neither end a comment nor mean anything to a compiler in one: no control
// characters, no */ or /*, no backslash at the end, no @ at the beginning. A word that is longer has a line of its own.
std::vector<std::string> CommentLines(std::string_view text, size_t width);

// A literal in double quotes that is ASCII alone.
std::string CppLiteral(std::string_view text);
std::string TypeScriptLiteral(std::string_view text);

// A parameter's documentation for callers: its description, form, default and examples.
std::string ParameterNotes(const Parameter& parameter);

}  // namespace logquery::shim

#endif  // LOGQUERY_SHIM_CLI_QUERY_CODEGEN_SOURCE_TEXT_H_
