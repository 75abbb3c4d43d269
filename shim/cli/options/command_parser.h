// Parses the arguments of a process by the tree of commands.
#ifndef LOGQUERY_SHIM_CLI_OPTIONS_COMMAND_PARSER_H_
#define LOGQUERY_SHIM_CLI_OPTIONS_COMMAND_PARSER_H_

#include <string>
#include <vector>

#include "shim/cli/options/command_tree.h"

namespace logquery::shim {

struct ParsedCommand {
  const CommandNode* command = nullptr;  // the deepest that the arguments name; never null
  bool wants_help = false;
  std::string error;                 // what is wrong of the arguments; empty: nothing
  std::vector<std::string> unknown;  // arguments that the command does not take
};

// Sets the targets of the command that `argv` names, unless there is an error; argv[0] is the program. Throws std::exception if
// the tree contradicts itself.
ParsedCommand ParseArguments(const CommandNode& root, int argc, const char* const* argv);

}  // namespace logquery::shim

#endif  // LOGQUERY_SHIM_CLI_OPTIONS_COMMAND_PARSER_H_
