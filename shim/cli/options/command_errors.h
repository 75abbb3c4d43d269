// Responses of `logquery` to invalid command lines, and to --help.
#ifndef LOGQUERY_SHIM_CLI_OPTIONS_COMMAND_ERRORS_H_
#define LOGQUERY_SHIM_CLI_OPTIONS_COMMAND_ERRORS_H_

#include <CLI/CLI.hpp>
#include <string>
#include <string_view>

#include "shim/cli/options/commands.h"

namespace logquery::shim {

// Returns the message for a first argument that is not a command, with the nearest one; empty: it is a command or an
// option.
std::string UnknownCommand(const CLI::App& app, int argc, const char* const* argv);

// Each prints a message and returns the exit code. `help` is the program's own help.
int Usage(const Terminal& terminal, std::string_view message);
int ParseFailed(const CLI::App& app, const CLI::ParseError& error, std::string_view help, const Terminal& terminal);

}  // namespace logquery::shim

#endif  // LOGQUERY_SHIM_CLI_OPTIONS_COMMAND_ERRORS_H_
