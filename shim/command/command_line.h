// `logquery COMMAND …`: from the arguments of a process to a command, and to its exit code.
#ifndef LOGQUERY_SHIM_COMMAND_COMMAND_LINE_H_
#define LOGQUERY_SHIM_COMMAND_COMMAND_LINE_H_

#include "shim/command/commands.h"

namespace logquery::shim {

// Runs what `argv` asks for; argv[0] is the program. Help and version go to terminal.out with kExitOk; a wrong command line
// is told on terminal.err, with the nearest names, as kExitUsage.
int RunCommandLine(int argc, const char* const* argv, const Terminal& terminal);

}  // namespace logquery::shim

#endif  // LOGQUERY_SHIM_COMMAND_COMMAND_LINE_H_
