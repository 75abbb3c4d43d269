// Prints an answer in JSON as a table, for commands whose rows come from a server.
#ifndef LOGQUERY_SHIM_CLI_QUERY_JSON_TABLE_H_
#define LOGQUERY_SHIM_CLI_QUERY_JSON_TABLE_H_

#include <string_view>

#include "absl/status/status.h"
#include "logquery/type.h"
#include "shim/cli/options/commands.h"

namespace logquery::shim {

// Returns the type of this name, where a table shows it unlike other JSON; otherwise JSON.
Type ShownTypeNamed(std::string_view name);

// Prints the rows of {"result":[…]}. An empty `schema` stands for the names in the first row. Internal: the text is no such
// answer.
absl::Status PrintJsonTable(std::string_view body, Schema schema, const Terminal& terminal);

}  // namespace logquery::shim

#endif  // LOGQUERY_SHIM_CLI_QUERY_JSON_TABLE_H_
