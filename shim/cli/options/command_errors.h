// Responses of `logquery` to invalid command lines, and to --help.
#ifndef LOGQUERY_SHIM_CLI_OPTIONS_COMMAND_ERRORS_H_
#define LOGQUERY_SHIM_CLI_OPTIONS_COMMAND_ERRORS_H_

#include <string>
#include <string_view>

#include "shim/cli/options/command_parser.h"
#include "shim/cli/options/command_tree.h"
#include "shim/cli/options/commands.h"

namespace logquery::shim {

// Returns the message for a first argument that is not a command, with the nearest one; empty: it is a command or an
// option.
std::string UnknownCommand(const CommandNode& root, int argc, const char* const* argv);

// Each prints a message and returns the exit code. `help` is the program's own help; Refused is for what has an error or wants
// help.
int Usage(const Terminal& terminal, std::string_view message);
int Refused(const ParsedCommand& parsed, std::string_view help, const Terminal& terminal);

}  // namespace logquery::shim

#endif  // LOGQUERY_SHIM_CLI_OPTIONS_COMMAND_ERRORS_H_
