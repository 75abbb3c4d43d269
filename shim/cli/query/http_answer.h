// Prints the answer of an endpoint as a server sent it, for commands that ask a server.
#ifndef LOGQUERY_SHIM_CLI_QUERY_HTTP_ANSWER_H_
#define LOGQUERY_SHIM_CLI_QUERY_HTTP_ANSWER_H_

#include <string>
#include <string_view>

#include "shim/cli/folder/local_client.h"
#include "shim/cli/options/commands.h"

namespace logquery::shim {

// The header that has a server name the types of the columns, without which a table shows rows as in JSON.
inline constexpr std::string_view kWantColumns = "Logquery-Want-Columns";

// Returns the first header with this name, compared case-insensitively; empty: there is none.
std::string ResponseHeader(const ServerResponse& response, std::string_view name);

// Prints the rows of a 200, of `format` or, for "table", of JSON. Returns the exit code.
int PrintHttpRows(const ServerResponse& response, std::string_view format, const Terminal& terminal);

// Prints to standard error what the headers say of rows that are missing, and of parameters that the endpoint has not.
void PrintHttpNotes(const ServerResponse& response, const Terminal& terminal);

}  // namespace logquery::shim

#endif  // LOGQUERY_SHIM_CLI_QUERY_HTTP_ANSWER_H_
