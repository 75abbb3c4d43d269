// The format that --format names, of commands that print rows.
#ifndef LOGQUERY_SHIM_CLI_QUERY_ROW_FORMAT_H_
#define LOGQUERY_SHIM_CLI_QUERY_ROW_FORMAT_H_

#include <string_view>

#include "absl/status/status.h"
#include "logquery/row_encoder.h"
#include "shim/cli/options/commands.h"

namespace logquery::shim {

// Returns the format of this name; JSON for "table", which is made of JSON, and for an empty one.
RowFormat RowFormatNamed(std::string_view name);

// Returns whether the format is bytes rather than text.
bool IsBinary(RowFormat format);

// InvalidArgument: the format is bytes, and standard output a terminal. `command` is its name, for the message.
absl::Status CheckTerminalShows(std::string_view format, std::string_view command, const Terminal& terminal);

}  // namespace logquery::shim

#endif  // LOGQUERY_SHIM_CLI_QUERY_ROW_FORMAT_H_
