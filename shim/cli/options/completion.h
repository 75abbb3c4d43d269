// Scripts that complete `logquery` command lines in a shell.
#ifndef LOGQUERY_SHIM_CLI_OPTIONS_COMPLETION_H_
#define LOGQUERY_SHIM_CLI_OPTIONS_COMPLETION_H_

#include <string>

#include "shim/cli/options/command_tree.h"

namespace logquery::shim {

// Each script completes commands, options, option values if there are only a few, files and folders.
std::string BashCompletion(const CommandNode& root);
std::string ZshCompletion(const CommandNode& root);
std::string FishCompletion(const CommandNode& root);

}  // namespace logquery::shim

#endif  // LOGQUERY_SHIM_CLI_OPTIONS_COMPLETION_H_
