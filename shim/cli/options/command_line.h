// Parses the arguments of a process, `logquery COMMAND …`, and runs the command.
#ifndef LOGQUERY_SHIM_CLI_OPTIONS_COMMAND_LINE_H_
#define LOGQUERY_SHIM_CLI_OPTIONS_COMMAND_LINE_H_

#include "shim/cli/options/command_tree.h"
#include "shim/cli/options/commands.h"

namespace logquery::shim {

// Runs the command in `argv`; argv[0] is the program. Help and version are printed on terminal.out and return kExitOk.
// A wrong command line is reported on terminal.err, with the nearest names, and returns kExitUsage. Output that can't be written is
// reported on terminal.err too, and makes kExitOk kExitFailed.
int RunCommandLine(int argc, const char* const* argv, const Terminal& terminal);

// All commands with their options; each call makes targets of its own.
CommandNode DescribeCommandLine();

}  // namespace logquery::shim

#endif  // LOGQUERY_SHIM_CLI_OPTIONS_COMMAND_LINE_H_
