// What `logquery` says to arguments that are no command line, and to --help.
#ifndef LOGQUERY_SHIM_COMMAND_COMMAND_ERRORS_H_
#define LOGQUERY_SHIM_COMMAND_COMMAND_ERRORS_H_

#include <CLI/CLI.hpp>
#include <string>
#include <string_view>

#include "shim/command/commands.h"

namespace logquery::shim {

// The message for a first argument that is no command, with the nearest one; empty: it is one, or an option.
std::string UnknownCommand(const CLI::App& app, int argc, const char* const* argv);

// Each prints and gives the exit code. `help` is that of the program itself.
int Usage(const Terminal& terminal, std::string_view message);
int ParseFailed(const CLI::App& app, const CLI::ParseError& error, std::string_view help, const Terminal& terminal);

}  // namespace logquery::shim

#endif  // LOGQUERY_SHIM_COMMAND_COMMAND_ERRORS_H_
