// Prints the error of a call: as JSON for programs that asked for JSON, otherwise for people.
#ifndef LOGQUERY_SHIM_CLI_QUERY_ERROR_TEXT_H_
#define LOGQUERY_SHIM_CLI_QUERY_ERROR_TEXT_H_

#include <string_view>

#include "shim/cli/options/commands.h"

namespace logquery::shim {

// `body` is an error's body, as over HTTP; `format` the one that was asked for, empty if none was. With `json`, and without a
// format unless standard output is a terminal, standard output gets the body. Otherwise it gets nothing, and standard error gets
// the message and the line of the query with a caret.
void PrintErrorOf(std::string_view body, std::string_view format, const Terminal& terminal);

}  // namespace logquery::shim

#endif  // LOGQUERY_SHIM_CLI_QUERY_ERROR_TEXT_H_
