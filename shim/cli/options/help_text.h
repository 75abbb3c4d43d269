// Formats the help of a command from the command tree: usage, what the command does, its arguments with their defaults, examples.
#ifndef LOGQUERY_SHIM_CLI_OPTIONS_HELP_TEXT_H_
#define LOGQUERY_SHIM_CLI_OPTIONS_HELP_TEXT_H_

#include <string>

#include "shim/cli/options/command_tree.h"

namespace logquery::shim {

// `columns` is the width to wrap at; lines of examples are never wrapped. `bold`: headings are bold.
std::string HelpText(const CommandNode& node, int columns, bool bold);

}  // namespace logquery::shim

#endif  // LOGQUERY_SHIM_CLI_OPTIONS_HELP_TEXT_H_
